// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_features.hpp"

#include <cstring>

namespace falx {
namespace {

using kind = launch_feature::kind;

constexpr std::size_t RANGE_SIZE = 3 * sizeof(std::uint64_t);

std::uint64_t word_at(const void* function, std::size_t offset) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, static_cast<const unsigned char*>(function) + offset, sizeof word);
  return word;
}

/// An accessor that gets its address later is not known to be aligned, while a null pointer is aligned to
/// anything.
std::uint8_t alignment_of(const launch_feature& feature, const void* function) noexcept {
  const std::uint64_t address = word_at(function, feature.offset);
  if (feature.what == kind::accessor && address == 0)
    return 0;
  if (feature.what == kind::compact_accessor && (address == 0 || (address & LATE_REQUIREMENT) != 0))
    return 0;
  for (const std::uint8_t alignment : TOLD_ALIGNMENTS)
    if (address % alignment == 0)
      return alignment;
  return 0;
}

} // namespace

launch_features::launch_features(const image::kernel_metadata& kernel) {
  for (const image::byte_part& value : kernel.captured_values)
    add(kind::value, value.offset, value.size);
  for (const std::size_t offset : kernel.captured_pointers)
    add(kind::pointer, offset, 1);
  for (const std::size_t offset : kernel.accessor_offsets)
    if (offset % 2 == 0)
      add(kind::accessor, offset + offsetof(accessor_core, data), 1);
    else
      add(kind::compact_accessor, offset - 1, 1);
  if (kernel_kind(kernel.kind) != kernel_kind::single_task)
    add(kind::global_range, 0, RANGE_SIZE);
}

void launch_features::add(launch_feature::kind what, std::size_t offset, std::size_t size) {
  features_.push_back({what, offset, sample_size_, size});
  sample_size_ += size;
}

void launch_features::take(const launch_feature& feature, const void* function,
                           const launch_geometry& geometry, unsigned char* to) noexcept {
  if (feature.what == kind::value) {
    std::memcpy(to, static_cast<const unsigned char*>(function) + feature.offset, feature.size);
  } else if (feature.what == kind::global_range) {
    const std::uint64_t range[3] = {geometry.global_range.x, geometry.global_range.y,
                                    geometry.global_range.z};
    std::memcpy(to, range, RANGE_SIZE);
  } else {
    *to = alignment_of(feature, function);
  }
}

bool launch_features::is_alike(const launch_feature& feature, const void* function,
                               const launch_geometry& geometry, const unsigned char* sample) noexcept {
  const unsigned char* const expected = sample + feature.position;
  if (feature.what == kind::value)
    return std::memcmp(static_cast<const unsigned char*>(function) + feature.offset, expected,
                       feature.size) == 0;
  if (feature.is_alignment())
    return alignment_of(feature, function) >= *expected;
  unsigned char range[RANGE_SIZE];
  take(feature, function, geometry, range);
  return std::memcmp(range, expected, RANGE_SIZE) == 0;
}

} // namespace falx
