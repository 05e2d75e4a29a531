// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "image/device_image.hpp"
#include "image_registry.hpp"
#include "jit/request/request.hpp"
#include "specialization_constants.hpp"

#include <span>
#include <vector>

namespace falx {

class function_replacements;

/// What is asked of the JIT for a kernel, whichever device it is for.
struct kernel_request {
  /// Without target, configuration and what launches have in common.
  jit::request request;
  /// Which device globals the kernel may use, in the order of their slots.
  std::vector<device_global_variable> device_globals;
};

/// \p images define the kernel and what it imports, the kernel's own first; \p constants are the values that
/// were set, null for none; \p functions are the replacements of functions, whose definitions are among the
/// images. Throws sycl::exception with errc::build if two translation units use a device global of the kernel
/// that has property device_image_scope.
kernel_request make_kernel_request(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
                                   const specialization_constants* constants,
                                   const function_replacements* functions);

/// The request whose answer is the best code, whatever is known of the launch that waits for it.
jit::request for_best_code(jit::request request);
/// The same for code of the tier; numbers of work-items that are about the same are one, so that programs
/// find code that was made for them before.
jit::request for_tier(jit::request request, jit::tier tier, std::uint64_t work_items);

/// Adds which of the pointers that the kernel captures lead to different memory (disjoint_pointers::of).
void add_disjoint(jit::request& request, const image::kernel_metadata& kernel, std::uint64_t disjoint);

/// Adds what the device tells the JIT.
void add_target(const backend_device& device, jit::request& request);

} // namespace falx
