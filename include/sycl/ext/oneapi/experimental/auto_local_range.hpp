// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/range.hpp"

namespace sycl::ext::oneapi::experimental {

/// The local range of an nd_range whose work-groups the runtime chooses (sycl_ext_oneapi_auto_local_range).
/// Its extents are no numbers of work-items.
template <int Dimensions>
inline range<Dimensions> auto_range() {
  range<Dimensions> local;
  for (int d = 0; d < Dimensions; ++d)
    local[d] = ~std::size_t{0}; // AUTOMATIC_EXTENT without a limit
  static_assert((~std::size_t{0} & falx::AUTOMATIC_EXTENT) != 0);
  return local;
}

} // namespace sycl::ext::oneapi::experimental
