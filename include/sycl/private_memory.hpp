// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/group.hpp"
#include "sycl/h_item.hpp"

#include <new>
#include <type_traits>

namespace sycl {

/// One T per physical work-item that lives from one parallel_for_work_item to the next (SYCL 2020 §4.9.4.2.4,
/// deprecated). Constructed in the scope of the work-group.
template <class T, int Dimensions = 1>
class private_memory {
public:
  private_memory(const group<Dimensions>& group) {
    const std::size_t count = group.get_local_linear_range();
    items_ = static_cast<T*>(__falx_work_group_alloc(sizeof(T) * count));
    if constexpr (!std::is_trivially_default_constructible_v<T>)
      for (std::size_t i = 0; i < count; ++i)
        ::new (static_cast<void*>(items_ + i)) T;
  }

  T& operator()(const h_item<Dimensions>& item) const noexcept {
    return items_[item.get_physical_local().get_linear_id()];
  }

private:
  T* items_;
};

} // namespace sycl
