// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// \file
/// What sycl_ext_oneapi_weak_object adds to classes with common reference semantics (SYCL 2020 §4.5.2).

namespace sycl {

namespace ext::oneapi {
template <typename SyclObject>
class weak_object;
} // namespace ext::oneapi

namespace detail {

/// Base of class \p T. Both functions order by what objects refer to; their definitions come with
/// sycl/ext/oneapi/weak_object.hpp.
template <class T>
struct owner_ordered {
  bool ext_oneapi_owner_before(const ext::oneapi::weak_object<T>& other) const noexcept;
  bool ext_oneapi_owner_before(const T& other) const noexcept;
};

} // namespace detail
} // namespace sycl
