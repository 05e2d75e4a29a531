// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/reduction.hpp"

#include "devices/device_state.hpp"
#include "memory/pooled_memory.hpp"
#include "memory/usm_registry.hpp"
#include "scheduler/command_group.hpp"
#include "scheduler/command_work.hpp"
#include "sycl/exception.hpp"
#include "sycl/reduction.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <string>

namespace falx {
namespace {

/// A work-item of a CPU takes no fewer elements than this, and there are a few times as many groups as cores
/// to even out differences; more where a group, which costs some 20 ns by itself, still has much to do.
constexpr std::size_t LEAST_CPU_SHARE = 64, LONG_CPU_SHARE = 1024;
constexpr std::size_t CPU_SHARES_PER_UNIT = 16, LONG_CPU_SHARES_PER_UNIT = 64;
/// Groups as large as leave a kernel enough registers, and as many as fill a GPU's unit: few partial results,
/// and every unit is busy to the end.
constexpr std::size_t GPU_GROUP_SIZE = 512;
constexpr std::size_t GPU_GROUPS_PER_UNIT = 4;
/// What every GPU has for one group by default.
constexpr std::size_t GPU_SCRATCH_BYTES = std::size_t{32} << 10;
/// Elements that a work-item takes at a time (sycl::detail::range_reduction_kernel).
constexpr std::size_t GPU_SHARE = 8;

void give_scratch_back(void* data) {
  const std::unique_ptr<pooled_memory::block> scratch(static_cast<pooled_memory::block*>(data));
  pooled_memory::give_back(*scratch);
}

std::size_t ceil_divide(std::size_t a, std::size_t b) {
  return a / b + (a % b != 0);
}

/// A short range takes one element per work-item, until that would fill the GPU; longer ones take full
/// shares.
reduction_plan plan_for_gpu(const device_description& device, std::size_t units, std::size_t work_items,
                            std::size_t scratch_bytes) {
  const std::size_t sub_group = device.sub_group_sizes.empty() ? 1 : device.sub_group_sizes.front();
  const std::size_t fitting = std::max(std::bit_floor(GPU_SCRATCH_BYTES / scratch_bytes), sub_group);
  const std::size_t size = std::min({GPU_GROUP_SIZE, device.max_work_group_size, fitting});
  const std::size_t by_share = ceil_divide(work_items, size * GPU_SHARE);
  const std::size_t by_element = std::min(ceil_divide(work_items, size), units);
  return {std::clamp<std::size_t>(std::max(by_share, by_element), 1, units * GPU_GROUPS_PER_UNIT), size,
          true};
}

} // namespace

reduction_plan plan_reduction(command_group& group, std::size_t work_items, std::size_t scratch_bytes) {
  const device_description& device = group.device().description();
  const std::size_t units = std::max<std::size_t>(device.compute_units, 1);
  if (device.is_gpu)
    return plan_for_gpu(device, units, work_items, scratch_bytes);
  const std::size_t size = std::max<std::size_t>(device.sub_group_size, 1);
  const std::size_t shares =
      std::min(ceil_divide(work_items, LEAST_CPU_SHARE * size), units * CPU_SHARES_PER_UNIT);
  const std::size_t long_shares =
      std::min(work_items / (LONG_CPU_SHARE * size), units * LONG_CPU_SHARES_PER_UNIT);
  return {std::max<std::size_t>({shares, long_shares, 1}), size, false};
}

void check_reduction_groups(std::size_t groups) {
  if (groups > std::numeric_limits<std::uint32_t>::max())
    throw sycl::exception(
        sycl::make_error_code(sycl::errc::nd_range),
        fmt::format("a parallel_for with reductions has {} work-groups, more than the {} that are counted; "
                    "launch it over a range, or with larger work-groups",
                    groups, std::numeric_limits<std::uint32_t>::max()));
}

void* take_reduction_scratch(command_group& group, std::size_t bytes) {
  // Kept alive, and not an action on completion: other commands need not wait until the host knows.
  std::vector<command_work::completion_action>& kept_alive = group.self().work()->kept_alive;
  kept_alive.reserve(kept_alive.size() + 1);
  auto scratch =
      std::make_unique<pooled_memory::block>(pooled_memory::of(group.device(), usm_kind::device).take(bytes));
  void* const memory = scratch->memory;
  kept_alive.push_back({give_scratch_back, scratch.release()});
  return memory;
}

void announce_reduction_result(command_group& group, const void* result) {
  constexpr std::size_t SMALL = 4096; // a page of the host
  backend_device& device = group.device().backend();
  if (!device.description().is_gpu)
    return;
  if (const std::optional<usm_registry::block> block =
          usm_registry::instance().first_result_in(result, usm_kind::shared, SMALL))
    device.expect_results(block->begin, block->bytes);
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
