// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/interface_version.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Kernels that are compiled ahead of time (falx++ --aot): machine code in programs, which launches use
/// instead of compiling. The code is a bundle of entries of the kernel cache, with a list of the targets for
/// which it was made (runtime/kernels/compiled_kernels.hpp).

namespace falx {

/// A bundle in a program. Emitted in writable memory, like image_registration.
struct compiled_kernels_registration {
  /// INTERFACE_VERSION. Stays first.
  std::uint64_t interface_version;
  const unsigned char* begin;
  const unsigned char* end;
  /// For the runtime alone; zero at program start.
  void* runtime_state;
  compiled_kernels_registration* next;
};

/// Bytes of a device image, or of a bundle.
struct byte_range {
  const unsigned char* begin;
  const unsigned char* end;
};

/// Where compile_ahead_of_time leaves its results.
struct ahead_of_time_results {
  void* data;
  /// The bundle; called once, at the end. Not called if there is no kernel to compile.
  void (*take_bundle)(void* data, const unsigned char* bytes, std::size_t size);
  /// A kernel that the bundle does not have, and why, as a sentence: it is compiled when it is launched.
  void (*take_remark)(void* data, const char* sentence);
};

/// Compiles the kernels of \p images, in the order in which a program registers them, for \p targets, such as
/// "native,x86-64-v3,sm_90": those whose code one configuration, or a few, serve whatever they are launched
/// with. What one of \p known has is left out. Unless the images are those of a whole program or shared
/// library (\p is_linked), kernels that import functions are left for later. Throws sycl::exception:
/// errc::invalid for a target that there is not, with all that there are, or for a damaged image; errc::build
/// if a target has no code at all because the JIT cannot be loaded.
void compile_ahead_of_time(const byte_range* images, std::size_t image_count, const char* targets,
                           const byte_range* known, std::size_t known_count, bool is_linked,
                           const ahead_of_time_results& results);

/// A kernel in a bundle, for one target and configuration. Texts live during the call that gives them.
struct compiled_kernel_description {
  const char* kernel;
  /// As compile_ahead_of_time takes it.
  const char* target;
  /// What is known of launches: "work-groups of 8x8x1, sub-groups of 16"; may be empty.
  const char* configuration;
  std::size_t size;
  /// Whether this libfalx.so uses it: other builds have other code.
  bool is_usable;
};

/// What a bundle holds; \p take_problem is called instead if it is damaged.
void describe_compiled_kernels(const byte_range& bundle,
                               void (*take)(void* data, const compiled_kernel_description& kernel),
                               void (*take_problem)(void* data, const char* problem), void* data);

extern "C" {
/// Called from static constructors that the compiler emits. Cheap; never throws.
void falx_register_compiled_kernels(compiled_kernels_registration* kernels) noexcept;
/// Called at exit and by dlclose.
void falx_unregister_compiled_kernels(compiled_kernels_registration* kernels) noexcept;
}

} // namespace falx
