// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "backends/compiled_target.hpp"
#include "checksum.hpp"
#include "image/device_image.hpp"
#include "jit/request/request.hpp"

#include <vector>

/// \file
/// What of a kernel is compiled ahead of time, and how a launch finds it. Code that knows little of launches
/// serves many: sizes of work-groups that no attribute demands, captured values and, beyond what they are
/// mostly, extents of ranges are read from the launch.

namespace falx {

/// The configurations for which a kernel is compiled, the most special first.
std::vector<jit::configuration> configurations_ahead_of_time(const image::kernel_metadata& kernel,
                                                             const compiled_target& target);

/// The key of such code. \p request is make_kernel_request's, whatever has been added to it since.
digest128 key_ahead_of_time(const jit::request& request, const compiled_target& target,
                            const jit::configuration& configuration);

/// Whether the process has kernels that were compiled ahead of time, and FALX_AOT lets them be used.
bool has_compiled_kernels() noexcept;

/// Code, and the key under which it was found.
struct compiled_code {
  digest128 key;
  std::vector<unsigned char> binary;
};

/// The code in this process that serves a launch with \p request on \p device, the best first. Copies, as the
/// library that has it may be unloaded.
std::vector<compiled_code> compiled_code_for(const jit::request& request,
                                             const image::kernel_metadata& kernel,
                                             const backend_device& device);

} // namespace falx
