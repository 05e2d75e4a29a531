// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_launch.hpp"

#include "backends/native_error.hpp"
#include "jit/targets/ptx/ptx_abi.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <fmt/format.h>
#include <optional>

namespace falx {
namespace {

/// Blocks of basic ranges. Small ranges use more of the device with smaller blocks.
constexpr std::uint64_t BLOCK = 256, SMALL_BLOCK = 128;
constexpr std::uint64_t ROW = 32;      // threads of a warp side by side
constexpr std::uint64_t MOST_ROWS = 8; // of a block of two dimensions
constexpr std::uint64_t MOST_PLANES = 2;

/// Sizes come as powers of two, so that a program with many ranges has few versions of a kernel.
std::uint64_t enough_for(std::uint64_t extent, std::uint64_t most) noexcept {
  return std::min(std::bit_ceil(std::max<std::uint64_t>(extent, 1)), most);
}

/// Of blocks of one dimension: a power of two.
std::uint64_t width_of_line(std::uint64_t extent, std::uint32_t compute_units) noexcept {
  return extent < BLOCK * compute_units ? SMALL_BLOCK : BLOCK;
}

/// Of two or three dimensions: 32 x 8 x 1 or 32 x 4 x 2, unless the range is narrower: then what is missing
/// along one axis goes to the next.
void shape_block(const extent3& range, std::uint32_t dimensions, std::uint32_t (&block)[3]) noexcept {
  std::uint64_t z = dimensions == 3 ? enough_for(range.z, MOST_PLANES) : 1;
  std::uint64_t y = enough_for(range.y, MOST_ROWS / z);
  const std::uint64_t x = enough_for(range.x, std::max(ROW, BLOCK / (y * z)));
  if (x < ROW) {
    y = enough_for(range.y, BLOCK / (x * z));
    z = dimensions == 3 ? enough_for(range.z, std::min<std::uint64_t>(BLOCK / (x * y), 64)) : 1;
  }
  block[0] = static_cast<std::uint32_t>(x);
  block[1] = static_cast<std::uint32_t>(y);
  block[2] = static_cast<std::uint32_t>(z);
}

[[noreturn]] void throw_too_large(const kernel_operation& kernel, const cuda_context& context,
                                  const std::string& what) {
  throw sycl::exception(sycl::make_error_code(sycl::errc::nd_range),
                        fmt::format("kernel '{}' cannot be launched on device '{}': {}; launch it in parts",
                                    kernel.kernel_name, context.device_name(), what));
}

/// The driver keeps private memory for as many work-items as the device can run at once, whatever a launch
/// has.
[[noreturn]] void throw_no_private_memory(const kernel_operation& kernel, const cuda_context& context,
                                          std::uint64_t bytes, std::uint64_t work_items) {
  throw native_error(
      sycl::errc::kernel_not_supported,
      fmt::format("kernel '{}' cannot be launched on device '{}': it has {} bytes of private variables per "
                  "work-item, {} bytes for the {} work-items that the device runs at once, which is more "
                  "memory than is free; use smaller private arrays, or memory of malloc_device",
                  kernel.kernel_name, context.device_name(), bytes, bytes * work_items, work_items),
      sycl::backend::cuda, static_cast<int>(cuda::result::out_of_memory));
}

/// The driver needs some of the 512 KiB that a thread may have of local memory; how much it does not say, and
/// refuses a launch as one with a wrong argument.
constexpr std::uint64_t MOST_PRIVATE_BYTES = 496 << 10;

[[noreturn]] void throw_too_much_private_memory(const kernel_operation& kernel, const cuda_context& context,
                                                std::uint64_t bytes) {
  throw native_error(
      sycl::errc::kernel_not_supported,
      fmt::format(
          "kernel '{}' cannot be launched on device '{}': it has {} bytes of private variables per "
          "work-item; the driver leaves programs a little less than {}; use smaller private arrays, or "
          "memory of malloc_device",
          kernel.kernel_name, context.device_name(), bytes, 512 << 10),
      sycl::backend::cuda, static_cast<int>(cuda::result::invalid_value));
}

/// Its blocks start as soon as the last ones of the kernel before have ended, and wait there until what that
/// wrote has arrived, instead of starting after that: a microsecond on an H100.
cuda::result launch_overlapping(cuda::function_handle function, const cuda::launch_configuration& plain,
                                void** parameters) {
  cuda::launch_attribute overlap{.id = cuda::launch_attribute_id::programmatic_stream_serialization,
                                 .padding = {},
                                 .value = 1,
                                 .unused = {}};
  cuda::launch_configuration configuration = plain;
  configuration.attributes = &overlap;
  configuration.attribute_count = 1;
  return cuda::api().cuLaunchKernelEx(&configuration, function, parameters, nullptr);
}

/// \p is_timed: nothing of what is before it in the stream runs at the same time.
cuda::result launch_blocks(cuda_stream& stream, const kernel_operation& kernel, const cuda_kernel& loaded,
                           const cuda_blocks& blocks, void** parameters, bool is_timed) {
  const cuda::launch_configuration c{static_cast<unsigned>(blocks.grid[0]),
                                     static_cast<unsigned>(blocks.grid[1]),
                                     static_cast<unsigned>(blocks.grid[2]),
                                     blocks.block[0],
                                     blocks.block[1],
                                     blocks.block[2],
                                     static_cast<unsigned>(kernel.local_memory_bytes),
                                     stream.native(),
                                     nullptr,
                                     0};
  const auto launch = [&](auto* function, auto... extra) {
    return function(loaded.function(), c.grid_x, c.grid_y, c.grid_z, c.block_x, c.block_y, c.block_z,
                    c.shared_bytes, c.stream, parameters, extra...);
  };
  if (kernel.meets_all_groups)
    return launch(cuda::api().cuLaunchCooperativeKernel);
  if (loaded.may_overlap() && !is_timed)
    if (const std::optional<cuda::result> result =
            stream.launch_if_serial([&] { return launch_overlapping(loaded.function(), c, parameters); }))
      return *result;
  return launch(cuda::api().cuLaunchKernel, static_cast<void**>(nullptr));
}

/// Streams of the program's may be captured, and groups that wait for each other are counted by the kernel's
/// own form.
bool may_take_other_form(cuda_stream& stream, const kernel_operation& kernel) noexcept {
  return !kernel.meets_all_groups && !stream.is_shared_with_program();
}

} // namespace

cuda_blocks blocks_for(const launch_geometry& geometry, const cuda_limits& limits,
                       std::uint32_t compute_units) noexcept {
  cuda_blocks blocks{{1, 1, 1}, {1, 1, 1}, false};
  const extent3& range = geometry.global_range;
  const extent3& local = geometry.local_range;
  const bool is_preferred = geometry.kind == kernel_kind::range && local.x * local.y * local.z > 1;
  if (geometry.kind == kernel_kind::range && geometry.dimensions == 1 && !is_preferred) [[likely]] {
    // Often, and on every launch.
    const std::uint64_t block = width_of_line(range.x, compute_units);
    blocks.block[0] = static_cast<std::uint32_t>(block);
    blocks.grid[0] = (range.x >> std::countr_zero(block)) + ((range.x & (block - 1)) != 0);
    return blocks;
  }
  if (geometry.kind == kernel_kind::range && !is_preferred) {
    shape_block(range, geometry.dimensions, blocks.block);
  } else if (geometry.kind != kernel_kind::single_task) {
    blocks.block[0] = static_cast<std::uint32_t>(std::max<std::size_t>(local.x, 1));
    blocks.block[1] = static_cast<std::uint32_t>(std::max<std::size_t>(local.y, 1));
    blocks.block[2] = static_cast<std::uint32_t>(std::max<std::size_t>(local.z, 1));
  }
  const std::uint64_t extents[3] = {range.x, range.y, range.z};
  if (geometry.kind != kernel_kind::single_task)
    for (int axis = 0; axis < 3; ++axis)
      if (extents[axis] != 1) // divisions are slow
        blocks.grid[axis] = extents[axis] / blocks.block[axis] + (extents[axis] % blocks.block[axis] != 0);
  assert((geometry.kind == kernel_kind::single_task ||
          (extents[0] <= blocks.grid[0] * blocks.block[0] && extents[1] <= blocks.grid[1] * blocks.block[1] &&
           extents[2] <= blocks.grid[2] * blocks.block[2])) &&
         "work-items are missing");
  assert((geometry.kind != kernel_kind::range || is_preferred ||
          std::uint64_t{blocks.block[0]} * blocks.block[1] * blocks.block[2] <= 1024) &&
         "no device runs blocks that large");
  blocks.is_linear = blocks.grid[1] > limits.max_grid[1] || blocks.grid[2] > limits.max_grid[2];
  return blocks;
}

std::vector<std::array<std::uint32_t, 3>> usual_blocks(std::uint32_t dimensions) {
  if (dimensions == 1)
    return {{BLOCK, 1, 1}, {SMALL_BLOCK, 1, 1}};
  constexpr std::size_t MANY = 1024;
  std::uint32_t block[3];
  shape_block({MANY, MANY, MANY}, dimensions, block);
  return {{block[0], block[1], block[2]}};
}

void launch_cuda_kernel(cuda_stream& stream, const cuda_limits& limits, std::uint32_t compute_units,
                        const kernel_operation& kernel) {
  const launch_geometry& geometry = kernel.geometry;
  const extent3& range = geometry.global_range;
  if (range.x == 0 || range.y == 0 || range.z == 0)
    return; // as SYCL has it, there is nothing to do
  cuda_blocks blocks = blocks_for(geometry, limits, compute_units);
  if (blocks.is_linear) {
    blocks.grid[0] *= blocks.grid[1] * blocks.grid[2];
    blocks.grid[1] = blocks.grid[2] = 1;
  }
  if (blocks.grid[0] > limits.max_grid[0]) [[unlikely]]
    throw_too_large(kernel, stream.context(),
                    fmt::format("its {} x {} x {} work-items make more than {} work-groups", range.x, range.y,
                                range.z, limits.max_grid[0]));
  auto& own = static_cast<cuda_kernel&>(*kernel.kernel);
  const std::uint64_t threads =
      std::uint64_t{blocks.block[0]} * blocks.block[1] * std::uint64_t{blocks.block[2]};
  cuda_form_trial::turn turn;
  if (own.trial() != nullptr && own.trial()->matters() && may_take_other_form(stream, kernel))
    turn = own.trial()->next(range.x * range.y * range.z, threads, kernel.kernel_name);
  cuda_kernel& loaded = turn.other != nullptr ? *turn.other : own;
  loaded.prepare_launch(threads, kernel.local_memory_bytes, kernel.kernel_name);

  ptx::launch_arguments arguments{
      {range.x, range.y, range.z},
      {geometry.global_offset.x, geometry.global_offset.y, geometry.global_offset.z}};
  cuda_derived_arguments::results derived;
  if (!loaded.derived_arguments().is_empty())
    loaded.derived_arguments().compute(kernel.function, arguments, derived);
  void* parameters[] = {const_cast<void*>(kernel.function), &arguments, &derived};
  std::optional<cuda_form_trial::timing> timing;
  if (turn.launches != 0) [[unlikely]]
    timing.emplace(*own.trial(), stream, turn);
  cuda::result result = launch_blocks(stream, kernel, loaded, blocks, parameters, timing.has_value());
  const bool is_refused = result == cuda::result::out_of_memory || result == cuda::result::invalid_value;
  if (is_refused && turn.other != nullptr) [[unlikely]] {
    own.trial()->abandon();
    timing.reset();
    own.prepare_launch(threads, kernel.local_memory_bytes, kernel.kernel_name);
    result = launch_blocks(stream, kernel, own, blocks, parameters, /*is_timed=*/false);
  }
  if (result == cuda::result::invalid_value && own.private_bytes() > MOST_PRIVATE_BYTES) [[unlikely]]
    throw_too_much_private_memory(kernel, stream.context(), own.private_bytes());
  if (result == cuda::result::out_of_memory && own.private_bytes() != 0) [[unlikely]]
    throw_no_private_memory(kernel, stream.context(), own.private_bytes(),
                            limits.threads_per_processor * compute_units);
  stream.context().check(result, "launch", kernel.kernel_name);
  if (timing) [[unlikely]]
    timing->end();
  stream.set_serial(true);
  if (loaded.prints()) [[unlikely]]
    stream.expect_output();
}

} // namespace falx
