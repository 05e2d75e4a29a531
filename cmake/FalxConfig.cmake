# find_package(Falx)
#
# Targets: Falx::Falx, also under the name SYCL::SYCL. Linking one of them compiles the target's C++ sources with Falx and links
# the runtime. With CMAKE_CXX_COMPILER=falx++ nothing of this is needed, and harmless.
# Function: add_sycl_to_target(TARGET t SOURCES a.cpp …) does the same, for projects written for other implementations.
# Variable: Falx_COMPILER, the path of falx++.
#
# clang++ 22 compiles with Falx's plugin. Any other compiler, such as g++, compiles and links everything else, and the
# sources of SYCL targets go to falx++ through CMake's compiler launcher (before CMake 3.25: only of targets given to
# add_sycl_to_target).
#
# -stdlib=libc++ belongs into CMAKE_CXX_FLAGS or add_compile_options, before find_package(Falx).

get_filename_component(Falx_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Falx_COMPILER "${Falx_PREFIX}/bin/falx++")
set(Falx_INCLUDE_DIR "${Falx_PREFIX}/include")
set(Falx_LIBRARY "${Falx_PREFIX}/lib/libfalx.so")
# Strings, vectors and functions of libc++ go to a runtime of their own.
get_directory_property(_falx_options COMPILE_OPTIONS)
if("${CMAKE_CXX_FLAGS};${_falx_options}" MATCHES "-stdlib=libc\\+\\+")
  set(Falx_LIBRARY "${Falx_PREFIX}/lib/libfalx-libc++.so")
  if(NOT EXISTS "${Falx_LIBRARY}")
    set(Falx_FOUND FALSE)
    set(Falx_NOT_FOUND_MESSAGE "-stdlib=libc++ needs ${Falx_LIBRARY}, which is missing; build all of Falx where \
libc++-22-dev and libc++abi-22-dev are installed, or leave the option out")
    return()
  endif()
endif()
set(Falx_PLUGIN "${Falx_PREFIX}/lib/falx/falx-clang-plugin.so")
foreach(part Falx_COMPILER Falx_LIBRARY Falx_PLUGIN)
  if(NOT EXISTS "${${part}}")
    set(Falx_FOUND FALSE)
    set(Falx_NOT_FOUND_MESSAGE "Falx at ${Falx_PREFIX} is incomplete: ${${part}} is missing; build or install it again")
    return()
  endif()
endforeach()

if(NOT CMAKE_CXX_COMPILER)
  set(Falx_FOUND FALSE)
  set(Falx_NOT_FOUND_MESSAGE "Falx needs C++: write project(… LANGUAGES CXX) before find_package(Falx)")
  return()
endif()

get_filename_component(_falx_compiler "${CMAKE_CXX_COMPILER}" REALPATH)
get_filename_component(_falx_compiler_name "${_falx_compiler}" NAME)
if(_falx_compiler_name STREQUAL "falx++")
  set(_falx_mode driver)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 22
       AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 23)
  set(_falx_mode plugin)
else()
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
      "$<$<COMPILE_LANGUAGE:CXX>:-fplugin=${Falx_PLUGIN};-fpass-plugin=${Falx_PLUGIN};-D__FALX__=1;-imacros${Falx_INCLUDE_DIR}/falx/predefined_macros.hpp>")
  endif()
  # Targets that link Falx::Falx, directly or not, have FALX_SYCL; the launcher below asks for it.
  set_target_properties(Falx::Falx PROPERTIES INTERFACE_FALX_SYCL ON COMPATIBLE_INTERFACE_BOOL FALX_SYCL)
  # Not an alias: try_compile does not take those.
  add_library(SYCL::SYCL INTERFACE IMPORTED)
  target_link_libraries(SYCL::SYCL INTERFACE Falx::Falx)
endif()

# Gives the targets of a directory and of those below the launcher that sends their sources to falx++ if they turn out
# to link Falx.
function(_falx_set_launchers directory compiler)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(launcher ${target} CXX_COMPILER_LAUNCHER)
    if(type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$" AND NOT "${launcher}" MATCHES "falx-launch")
      string(REGEX REPLACE "^launcher-NOTFOUND$" "" launcher "${launcher}")
      set_property(TARGET ${target} PROPERTY CXX_COMPILER_LAUNCHER
        "$<IF:$<BOOL:$<TARGET_PROPERTY:${target},FALX_SYCL>>,${compiler};--falx-launch,${launcher}>")
    endif()
  endforeach()
  get_property(directories DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS directories)
    _falx_set_launchers("${below}" "${compiler}")
  endforeach()
endfunction()

# At the end of the project, when all its targets are known.
get_property(_falx_launches GLOBAL PROPERTY _FALX_LAUNCHES)
if(_falx_mode STREQUAL launcher AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.25 AND NOT _falx_launches)
  set_property(GLOBAL PROPERTY _FALX_LAUNCHES ON)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]]
                            CALL _falx_set_launchers [[${CMAKE_SOURCE_DIR}]] [[${Falx_COMPILER}]])")
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
  # What AdaptiveCpp's package passes on to its compiler; its own options have no effect here.
  separate_arguments(extra UNIX_COMMAND "${ACPP_EXTRA_ARGS}")
  list(FILTER extra EXCLUDE REGEX "^--(acpp|hipsycl|opensycl)-")
  foreach(option IN LISTS extra ACPP_EXTRA_COMPILE_OPTIONS)
    target_compile_options(${arg_TARGET} ${visibility} "$<$<COMPILE_LANGUAGE:CXX>:${option}>")
  endforeach()
  if(_falx_mode STREQUAL launcher)
    set_property(TARGET ${arg_TARGET} PROPERTY CXX_COMPILER_LAUNCHER "${Falx_COMPILER};--falx-launch")
  endif()
endfunction()
