// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/sizes.hpp"

#include "sycl/exception.hpp"

#include <fmt/format.h>
#include <string>

namespace falx {
namespace {

/// As the user wrote it, the slowest dimension first, as far as can be told: further extents are 1.
std::string spelled(const extent3& range) {
  if (range.z != 1)
    return fmt::format("{} x {} x {}", range.z, range.y, range.x);
  if (range.y != 1)
    return fmt::format("{} x {}", range.y, range.x);
  return fmt::format("{}", range.x);
}

} // namespace

void throw_too_many_bytes(const char* what, const extent3& range, std::size_t element_size) {
  throw sycl::exception(
      sycl::make_error_code(sycl::errc::invalid),
      fmt::format("{}: {} {} are more than the {} that can be addressed; check how the size was computed, or "
                  "process the data in parts",
                  what, spelled(range),
                  element_size == 1 ? "bytes" : fmt::format("elements of {} bytes", element_size),
                  LARGEST_BYTES));
}

void throw_too_many_indices(const char* what, const extent3& range, const extent3& factor) {
  const bool is_product = factor.x != 1 || factor.y != 1 || factor.z != 1;
  throw sycl::exception(
      sycl::make_error_code(sycl::errc::invalid),
      fmt::format(
          "{}: {} are more work-items than a std::size_t can count; check how the range was computed, "
          "or launch the kernel in parts",
          what,
          is_product ? fmt::format("{} work-groups of {} work-items", spelled(range), spelled(factor))
                     : spelled(range)));
}

} // namespace falx
