// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_byte_box.hpp"
#include "cuda_memory_operations.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

/// \file
/// Fills. The driver fills with units of 1, 2 and 4 bytes, a kernel of ours with other patterns; those that
/// are too long for it are written once and then copied behind themselves, twice as much each time.

namespace falx {
namespace {

/// Throws if no kernel of the device may write to \p address. The driver refuses to fill such memory, a
/// kernel of ours would lose the device.
void check_is_reachable(cuda_context& context, const cuda_limits& limits, std::uint64_t address) {
  cuda::memory_type type{};
  if (limits.pageable_memory_access ||
      cuda::api().cuPointerGetAttribute(&type, cuda::pointer_attribute::memory_type, address) !=
          cuda::result::invalid_value)
    return;
  throw sycl::exception(
      sycl::errc::invalid,
      fmt::format("fill: {:#x} is in memory that device '{}' cannot reach; allocate it with malloc_device, "
                  "malloc_shared or malloc_host of the queue's context, or fill it on the host",
                  address, context.device_name()));
}

/// The shortest unit, of at most 4 bytes, that the pattern repeats; 0 if there is none.
std::size_t unit_of(const std::vector<unsigned char>& pattern) noexcept {
  for (const std::size_t unit : {1u, 2u, 4u}) {
    if (pattern.size() % unit != 0)
      continue;
    // Equal to itself when shifted by the unit.
    if (pattern.size() == unit ||
        std::memcmp(pattern.data(), pattern.data() + unit, pattern.size() - unit) == 0)
      return unit;
  }
  return 0;
}

template <class Unit>
Unit unit_value(const std::vector<unsigned char>& pattern) noexcept {
  Unit value;
  std::memcpy(&value, pattern.data(), sizeof(value));
  return value;
}

cuda::result set_bytes(std::uint64_t first, std::size_t bytes, std::size_t unit,
                       const std::vector<unsigned char>& pattern, cuda::stream_handle stream) noexcept {
  const cuda::driver_functions& api = cuda::api();
  if (unit == 1)
    return api.cuMemsetD8Async(first, pattern[0], bytes, stream);
  if (unit == 2)
    return api.cuMemsetD16Async(first, unit_value<std::uint16_t>(pattern), bytes / 2, stream);
  return api.cuMemsetD32Async(first, unit_value<std::uint32_t>(pattern), bytes / 4, stream);
}

cuda::result set_rows(std::uint64_t first, const cuda_byte_box& box, std::size_t unit,
                      const std::vector<unsigned char>& pattern, cuda::stream_handle stream) noexcept {
  const cuda::driver_functions& api = cuda::api();
  if (unit == 1)
    return api.cuMemsetD2D8Async(first, box.pitch, pattern[0], box.width, box.height, stream);
  if (unit == 2)
    return api.cuMemsetD2D16Async(first, box.pitch, unit_value<std::uint16_t>(pattern), box.width / 2,
                                  box.height, stream);
  return api.cuMemsetD2D32Async(first, box.pitch, unit_value<std::uint32_t>(pattern), box.width / 4,
                                box.height, stream);
}

void fill_with_unit(cuda_stream& stream, const cuda_byte_box& box, const cuda_limits& limits,
                    std::size_t unit, const std::vector<unsigned char>& pattern) {
  const auto check = [&](cuda::result result) {
    if (result == cuda::result::invalid_value)
      check_is_reachable(stream.context(), limits, box.first);
    stream.context().check(result, "fill");
  };
  if (box.is_contiguous())
    return check(set_bytes(box.first, box.size(), unit, pattern, stream.native()));
  for (std::size_t z = 0; z < box.depth; ++z) {
    const std::uint64_t slice = box.first + z * box.slice;
    if (box.pitch <= limits.max_pitch && box.pitch % unit == 0) {
      check(set_rows(slice, box, unit, pattern, stream.native()));
      continue;
    }
    for (std::size_t y = 0; y < box.height; ++y)
      check(set_bytes(slice + y * box.pitch, box.width, unit, pattern, stream.native()));
  }
}

/// Fills \p bytes, the pattern once and then copies of what is there.
void fill_by_doubling(cuda_stream& stream, std::uint64_t first, std::size_t bytes,
                      const std::vector<unsigned char>& pattern) {
  const auto copy = [&](std::uint64_t to, const std::uint64_t from, std::size_t size) {
    stream.context().check(cuda::api().cuMemcpyAsync(to, from, size, stream.native()), "fill");
  };
  std::size_t done = std::min(bytes, pattern.size());
  // The driver has its own copy of pageable memory when this returns.
  copy(first, reinterpret_cast<std::uintptr_t>(pattern.data()), done);
  while (done < bytes) {
    const std::size_t size = std::min(done, bytes - done);
    copy(first + done, first, size);
    done += size;
  }
}

/// The first row by doubling, the other rows as copies of it. Rows are whole patterns.
void fill_rows_by_copying(cuda_stream& stream, const cuda_byte_box& box,
                          const std::vector<unsigned char>& pattern) {
  fill_by_doubling(stream, box.first, box.width, pattern);
  for (std::size_t row = 1; row < box.height * box.depth; ++row) {
    const std::uint64_t to = box.first + row / box.height * box.slice + row % box.height * box.pitch;
    stream.context().check(cuda::api().cuMemcpyAsync(to, box.first, box.width, stream.native()), "fill");
  }
}

} // namespace

void start_cuda_fill(cuda_stream& stream, const cuda_limits& limits, cuda_fill_kernels& kernels,
                     const fill_operation& fill) {
  const cuda_byte_box box(fill.destination);
  if (box.size() == 0 || fill.pattern.empty())
    return;
  if (const std::size_t unit = unit_of(fill.pattern); unit != 0 && box.first % unit == 0)
    return fill_with_unit(stream, box, limits, unit, fill.pattern);
  check_is_reachable(stream.context(), limits, box.first);
  if (kernels.fill(stream, box, fill.pattern))
    return;
  if (box.is_contiguous())
    fill_by_doubling(stream, box.first, box.size(), fill.pattern);
  else
    fill_rows_by_copying(stream, box, fill.pattern);
}

} // namespace falx
