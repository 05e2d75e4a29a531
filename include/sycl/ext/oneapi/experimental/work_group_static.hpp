// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/feature_test.hpp"

#include <type_traits>

/// On a class: in device code its variables are memory of the work-group.
#if defined(__clang__)
#define FALX_WORK_GROUP_STATIC __attribute__((annotate("falx.work_group_static")))
#else
#define FALX_WORK_GROUP_STATIC
#endif

namespace sycl::ext::oneapi::experimental {

/// A variable in the local memory of each work-group, without a value at first (SYCL extension
/// sycl_ext_oneapi_work_group_static). Declared at namespace scope, as a static member, or at block scope,
/// where it is static with or without that word. For kernels over an nd_range.
template <typename T>
class FALX_WORK_GROUP_STATIC work_group_static final {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>,
                "nobody constructs or destroys an object of class work_group_static: its type is trivially "
                "constructible and trivially destructible");

public:
  work_group_static() = default;
  work_group_static(const work_group_static&) = delete;
  work_group_static& operator=(const work_group_static&) = delete;

  operator T&() const noexcept { return *operator&(); }
  template <class U = T, std::enable_if_t<!std::is_array_v<U>, int> = 0>
  const work_group_static& operator=(const T& value) const noexcept {
    *operator&() = value;
    return *this;
  }
  T* operator&() const noexcept { return const_cast<T*>(__builtin_addressof(storage_)); }

private:
  T storage_;
};

} // namespace sycl::ext::oneapi::experimental
