// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/reduction.hpp"
#include "falx/completion.hpp"

#include "command_group.hpp"
#include "device_state.hpp"
#include "sycl/exception.hpp"
#include "sycl/reduction.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

namespace falx {
namespace {

/// A work-item of a CPU takes no fewer elements than this, and there are a few times as many work-items as
/// cores to even out differences.
constexpr std::size_t LEAST_CPU_SHARE = 64;
constexpr std::size_t CPU_SHARES_PER_UNIT = 16;
constexpr std::size_t GPU_GROUP_SIZE = 256;
constexpr std::size_t GPU_GROUPS_PER_UNIT = 8;

struct scratch_memory {
  backend_device& device;
  void* memory;
};

void free_scratch(void* data) {
  const std::unique_ptr<scratch_memory> scratch(static_cast<scratch_memory*>(data));
  scratch->device.free(usm_kind::host, scratch->memory);
}

std::size_t ceil_divide(std::size_t a, std::size_t b) {
  return a / b + (a % b != 0);
}

} // namespace

reduction_plan plan_reduction(command_group& group, std::size_t work_items) {
  const device_description& device = group.device().description();
  const std::size_t units = std::max<std::size_t>(device.compute_units, 1);
  if (device.is_gpu) {
    const std::size_t size = std::min(GPU_GROUP_SIZE, device.max_work_group_size);
    return {std::clamp<std::size_t>(ceil_divide(work_items, size), 1, units * GPU_GROUPS_PER_UNIT), size};
  }
  return {std::clamp<std::size_t>(ceil_divide(work_items, LEAST_CPU_SHARE), 1, units * CPU_SHARES_PER_UNIT),
          1};
}

void* allocate_reduction_scratch(command_group& group, std::size_t bytes) {
  backend_device& device = group.device().backend();
  auto scratch = std::make_unique<scratch_memory>(scratch_memory{device, nullptr});
  scratch->memory = device.allocate(usm_kind::host, bytes, 0);
  void* memory = scratch->memory;
  std::memset(memory, 0, bytes);
  add_completion_action(group, free_scratch, scratch.get());
  scratch.release();
  return memory;
}

} // namespace falx

void sycl::detail::throw_reduction_without_identity() {
  throw exception(make_error_code(errc::invalid),
                  "sycl::reduction with property initialize_to_identity, but the combiner has no known "
                  "identity: pass the identity to sycl::reduction");
}

void sycl::detail::throw_reduction_buffer_size(std::size_t size) {
  throw exception(make_error_code(errc::invalid),
                  "sycl::reduction takes a buffer of one element, but this one has " + std::to_string(size) +
                      ": make a buffer of range 1, or reduce into a sycl::span of USM");
}
