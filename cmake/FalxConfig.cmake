# find_package(Falx)
#
# Targets: Falx::Falx and its alias SYCL::SYCL. Linking one of them compiles the target's C++ sources with Falx
# and links the runtime. With CMAKE_CXX_COMPILER=falx++ nothing of this is needed, and harmless.
# Function: add_sycl_to_target(TARGET t SOURCES a.cpp …) does the same for the named sources of one target.
# Variable: Falx_COMPILER, the path of falx++.

get_filename_component(Falx_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Falx_COMPILER "${Falx_PREFIX}/bin/falx++")
set(Falx_INCLUDE_DIR "${Falx_PREFIX}/include")
set(Falx_LIBRARY "${Falx_PREFIX}/lib/libfalx.so")
set(Falx_PLUGIN "${Falx_PREFIX}/lib/falx/falx-clang-plugin.so")
foreach(part Falx_COMPILER Falx_LIBRARY Falx_PLUGIN)
  if(NOT EXISTS "${${part}}")
    set(Falx_FOUND FALSE)
    set(Falx_NOT_FOUND_MESSAGE "Falx at ${Falx_PREFIX} is incomplete: ${${part}} is missing; build or install it again")
    return()
  endif()
endforeach()

get_filename_component(_falx_compiler_name "${CMAKE_CXX_COMPILER}" NAME)
if(_falx_compiler_name STREQUAL "falx++")
  set(_falx_mode driver)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 22
       AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 23)
  set(_falx_mode plugin)
else()
  # Another compiler: the sources of SYCL targets go to falx++ through CMake's compiler launcher.
  set(_falx_mode launcher)
endif()

if(NOT TARGET Falx::Falx)
  add_library(Falx::runtime SHARED IMPORTED)
  set_target_properties(Falx::runtime PROPERTIES IMPORTED_LOCATION "${Falx_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${Falx_INCLUDE_DIR}"
                        INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${Falx_INCLUDE_DIR}")
  add_library(Falx::Falx INTERFACE IMPORTED)
  target_link_libraries(Falx::Falx INTERFACE Falx::runtime)
  target_compile_features(Falx::Falx INTERFACE cxx_std_17)
  if(_falx_mode STREQUAL plugin)
    target_compile_options(Falx::Falx INTERFACE
      "$<$<COMPILE_LANGUAGE:CXX>:-fplugin=${Falx_PLUGIN};-fpass-plugin=${Falx_PLUGIN};-D__FALX__=1>")
  elseif(_falx_mode STREQUAL launcher)
    # An INTERFACE library cannot set a launcher for its users; add_sycl_to_target can. Compiling without it
    # gives errc::kernel_not_supported at the first launch, with this remedy.
  endif()
  add_library(SYCL::SYCL ALIAS Falx::Falx)
endif()

function(add_sycl_to_target)
  cmake_parse_arguments(arg "" "TARGET" "SOURCES" ${ARGN})
  if(NOT arg_TARGET)
    message(FATAL_ERROR "add_sycl_to_target: TARGET is missing; write add_sycl_to_target(TARGET name SOURCES …)")
  endif()
  if(NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "add_sycl_to_target: '${arg_TARGET}' is not a target of this directory or above")
  endif()
  get_target_property(type ${arg_TARGET} TYPE)
  set(visibility PRIVATE)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(visibility INTERFACE)
  endif()
  target_link_libraries(${arg_TARGET} ${visibility} Falx::Falx)
  if(_falx_mode STREQUAL launcher)
    set_property(TARGET ${arg_TARGET} PROPERTY CXX_COMPILER_LAUNCHER "${Falx_COMPILER};--falx-launch")
  endif()
endfunction()
