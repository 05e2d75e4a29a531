# Settings that every room shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
# What is built finds its parts relative to itself, installed as well; LLVM it finds where it was found now.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
# The build tree gets the very run paths of an installation: CMake would pad others with an empty entry, which the
# dynamic linker takes for the current directory.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)

find_program(FALX_CCACHE ccache)
if(FALX_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${FALX_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FALX_CCACHE})
endif()
add_link_options(-fuse-ld=lld)

set(FALX_LLVM_ROOT /usr/lib/llvm-22 CACHE PATH "Where LLVM 22 is installed")
set(FALX_LLVM_INCLUDE_DIR ${FALX_LLVM_ROOT}/include)
set(FALX_LLVM_LIB_DIR ${FALX_LLVM_ROOT}/lib)
set(FALX_CLANGXX ${FALX_LLVM_ROOT}/bin/clang++ CACHE FILEPATH "The clang++ 22 that falx++ drives")

# Warnings are errors in everything Falx builds; LLVM's headers come in as system headers.
add_library(falx_warnings INTERFACE)
target_compile_options(falx_warnings INTERFACE -Wall -Wextra -Wpedantic -Werror -Wno-unused-parameter)
# Code that includes LLVM follows LLVM's ABI: no RTTI, no exceptions.
add_library(falx_llvm INTERFACE)
target_include_directories(falx_llvm SYSTEM INTERFACE ${FALX_LLVM_INCLUDE_DIR})
target_compile_definitions(falx_llvm INTERFACE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS
                           __STDC_LIMIT_MACROS)
target_compile_options(falx_llvm INTERFACE -fno-rtti -fno-exceptions)

# Our own mistakes are assertions. A release has none of them; builds that look for mistakes (presets assert, asan, tsan)
# are as optimised, but keep them, and with them those in LLVM's headers and LLVM's verifier after the JIT's passes.
option(FALX_ASSERTIONS "Keep the assertions in Falx, and in what it includes of LLVM" OFF)
if(FALX_ASSERTIONS)
  # Behind -DNDEBUG of the build type on each command line.
  add_compile_options(-UNDEBUG)
endif()

# What runs in programs (the runtime and its tests) can be built with sanitizers: "address,undefined" or "thread". The
# compiler plugin and the JIT, which processes that are not instrumented load as well, stay as they are.
set(FALX_SANITIZER "" CACHE STRING "Sanitizers for the runtime and its tests, as clang's -fsanitize takes them")
add_library(falx_sanitizer INTERFACE)
if(FALX_SANITIZER)
  # Kernels are called by their address, and nothing stands in front of them that says what type they have.
  set(FALX_SANITIZER_OPTIONS -fsanitize=${FALX_SANITIZER} -fno-sanitize=function -fno-sanitize-recover=all
                             -fno-omit-frame-pointer -g1)
  target_compile_options(falx_sanitizer INTERFACE ${FALX_SANITIZER_OPTIONS})
  target_link_options(falx_sanitizer INTERFACE ${FALX_SANITIZER_OPTIONS})
endif()
