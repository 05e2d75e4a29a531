// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execution_times.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>

namespace falx {
namespace {

constexpr std::uint32_t FIRST_LAUNCHES = 4, LAUNCHES_PER_SAMPLE = 16;

int logarithm_of(std::size_t work_items) noexcept {
  return static_cast<int>(std::bit_width(work_items));
}

} // namespace

execution_times& execution_times::instance() {
  // Never destroyed: commands may complete while static objects are destroyed.
  static execution_times& times = *std::make_unique<execution_times>().release();
  return times;
}

execution_times::size_class& execution_times::class_of(const key& which, std::size_t work_items) {
  std::vector<size_class>& known = classes_[which];
  const int logarithm = logarithm_of(work_items);
  const auto found = std::ranges::find(known, logarithm, &size_class::logarithm);
  if (found != known.end())
    return *found;
  known.push_back({.logarithm = logarithm});
  return known.back();
}

std::optional<double> execution_times::expected(const void* kernel, const device_state& device,
                                                std::size_t work_items) const {
  const std::lock_guard lock(mutex_);
  const auto known = classes_.find({kernel, &device});
  if (known == classes_.end())
    return std::nullopt;
  const int logarithm = logarithm_of(work_items);
  const size_class* nearest = nullptr;
  for (const size_class& each : known->second)
    if (each.nanoseconds > 0 && (nearest == nullptr || std::abs(each.logarithm - logarithm) <
                                                           std::abs(nearest->logarithm - logarithm)))
      nearest = &each;
  if (nearest == nullptr)
    return std::nullopt;
  return nearest->nanoseconds * std::max(1.0, static_cast<double>(work_items)) /
         std::max(1.0, nearest->work_items);
}

void execution_times::record(const void* kernel, const device_state& device, std::size_t work_items,
                             std::uint64_t nanoseconds) {
  const std::lock_guard lock(mutex_);
  size_class& measured = class_of({kernel, &device}, work_items);
  const auto latest = static_cast<double>(std::max<std::uint64_t>(nanoseconds, 1));
  const auto count = static_cast<double>(work_items);
  const bool is_first = measured.nanoseconds == 0;
  measured.nanoseconds = is_first ? latest : (measured.nanoseconds + latest) / 2;
  measured.work_items = is_first ? count : (measured.work_items + count) / 2;
}

bool execution_times::wants(const void* kernel, const device_state& device, std::size_t work_items) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t launch = class_of({kernel, &device}, work_items).launches++;
  return launch < FIRST_LAUNCHES || launch % LAUNCHES_PER_SAMPLE == 0;
}

} // namespace falx
