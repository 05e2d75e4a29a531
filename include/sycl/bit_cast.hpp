// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <type_traits>

namespace sycl {

/// Reinterprets the object representation of \p from as a To (std::bit_cast of C++20, which SYCL 2020 adopts,
/// §3.7.1). Both types are trivially copyable and of the same size.
template <class To, class From,
          std::enable_if_t<sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
                               std::is_trivially_copyable_v<From>,
                           int> = 0>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

} // namespace sycl
