// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_target.hpp"

#include "backends/cpu/cpu_description.hpp"
#include "backends/cpu/cpu_libraries.hpp"
#include "backends/cpu/cpu_target.hpp"
#include "backends/cuda/cuda_description.hpp"
#include "backends/cuda/cuda_launch.hpp"
#include "backends/cuda/cuda_libdevice.hpp"
#include "diagnostics/environment.hpp"

namespace falx {

std::optional<compiled_target> compiled_target_named(std::string_view name) {
  if (const std::optional<cpu_target> cpu = known_cpu_target(name)) {
    const std::uint32_t chosen = the_environment().sub_group_size;
    return compiled_target{.name = std::string(name),
                           .jit_target = "cpu",
                           .cpu = std::string(cpu->name),
                           .host = cpu->name.empty() ? cpu_digest(*cpu) : std::string(),
                           .sub_group_size = chosen != 0 ? chosen : cpu->vector_bytes / 4};
  }
  if (is_ptx_processor(name))
    return compiled_target{
        .name = std::string(name), .jit_target = "ptx", .cpu = std::string(name), .host = {}};
  return std::nullopt;
}

std::string compiled_target_names() {
  return std::string(cpu_target_names()) + "; " + ptx_processor_names();
}

std::vector<std::array<std::uint32_t, 3>> usual_local_ranges(const compiled_target& target, kernel_kind kind,
                                                             std::uint32_t dimensions) {
  std::vector<std::array<std::uint32_t, 3>> ranges;
  if (target.jit_target == "ptx" && kind == kernel_kind::single_task)
    return {{1, 1, 1}};
  if (target.jit_target == "ptx" && kind == kernel_kind::range)
    ranges = usual_blocks(dimensions);
  ranges.push_back({0, 0, 0});
  return ranges;
}

void add_libraries_of(const compiled_target& target, jit::request& request) {
  if (target.jit_target == "cpu")
    request.libraries.assign(cpu_libraries().begin(), cpu_libraries().end());
  else
    request.math_library = libdevice();
}

} // namespace falx
