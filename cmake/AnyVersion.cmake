# A project may ask for a version of the implementation that it was written for, which says nothing of Falx.
set(PACKAGE_VERSION "${PACKAGE_FIND_VERSION}")
set(PACKAGE_VERSION_COMPATIBLE TRUE)
