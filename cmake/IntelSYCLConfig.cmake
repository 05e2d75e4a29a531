# find_package(IntelSYCL), for projects that were written for DPC++: Falx in its place.
#
# Target: IntelSYCL::SYCL_CXX. Function: add_sycl_to_target(TARGET t SOURCES a.cpp …).
# Variables: SYCL_COMPILER, SYCL_FLAGS, SYCL_INCLUDE_DIR, SYCL_LIBRARY_DIR, SYCL_LIBRARY, SYCL_LANGUAGE_VERSION.

get_filename_component(_falx_package "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_falx_package "${_falx_package}" DIRECTORY)
include("${_falx_package}/../Falx/FalxConfig.cmake")
if(DEFINED Falx_FOUND AND NOT Falx_FOUND)
  set(IntelSYCL_FOUND FALSE)
  set(IntelSYCL_NOT_FOUND_MESSAGE "${Falx_NOT_FOUND_MESSAGE}")
  return()
endif()
if(NOT TARGET IntelSYCL::SYCL_CXX)
  add_library(IntelSYCL::SYCL_CXX INTERFACE IMPORTED)
  target_link_libraries(IntelSYCL::SYCL_CXX INTERFACE Falx::Falx)
  # Projects read the property, too.
  set_target_properties(IntelSYCL::SYCL_CXX PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Falx_INCLUDE_DIR}")
endif()
set(SYCL_FOUND TRUE)
set(SYCL_COMPILER "${Falx_COMPILER}")
set(SYCL_INCLUDE_DIR "${Falx_INCLUDE_DIR}")
set(SYCL_LIBRARY "${Falx_LIBRARY}")
get_filename_component(SYCL_LIBRARY_DIR "${Falx_LIBRARY}" DIRECTORY)
set(SYCL_LANGUAGE_VERSION 202012)
# Only falx++ knows the option.
set(SYCL_FLAGS "")
if(_falx_mode STREQUAL driver)
  set(SYCL_FLAGS "-fsycl")
endif()
