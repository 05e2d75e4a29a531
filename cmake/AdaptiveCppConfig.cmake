# find_package(AdaptiveCpp), for projects that were written for it: Falx in its place. The package hipSYCL, of its former
# name, is a copy.
#
# Function: add_sycl_to_target(TARGET t SOURCES a.cpp …). Targets: AdaptiveCpp::acpp-rt and hipSYCL::hipSYCL-rt.
# Options: ACPP_EXTRA_ARGS and ACPP_EXTRA_COMPILE_OPTIONS go to these targets' C++. Others, such as ACPP_TARGETS, have no
# effect: one binary runs on every device that there is.

get_filename_component(_falx_package "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_falx_package "${_falx_package}" DIRECTORY)
include("${_falx_package}/../Falx/FalxConfig.cmake")
if(DEFINED Falx_FOUND AND NOT Falx_FOUND)
  set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
  set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE "${Falx_NOT_FOUND_MESSAGE}")
  return()
endif()
foreach(target AdaptiveCpp::acpp-rt hipSYCL::hipSYCL-rt)
  if(NOT TARGET ${target})
    add_library(${target} INTERFACE IMPORTED)
    target_link_libraries(${target} INTERFACE Falx::Falx)
    # Projects read the property, too.
    set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Falx_INCLUDE_DIR}")
  endif()
endforeach()
