// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

namespace sycl::detail {

/// Where a reduction's identity comes from (SYCL 2020 §4.9.2.1).
enum class identity_source { none, known, given };

/// A partial result. Without an identity it may be empty.
template <class T, bool HasIdentity>
struct reduction_slot {
  T value;

  template <class Operation>
  void combine(const Operation& operation, const T& partial) {
    value = static_cast<T>(operation(value, partial));
  }
  template <class Operation>
  void merge(const Operation& operation, const reduction_slot& other) {
    combine(operation, other.value);
  }
};

template <class T>
struct reduction_slot<T, false> {
  T value;
  bool is_full;

  template <class Operation>
  void combine(const Operation& operation, const T& partial) {
    value = is_full ? static_cast<T>(operation(value, partial)) : partial;
    is_full = true;
  }
  template <class Operation>
  void merge(const Operation& operation, const reduction_slot& other) {
    if (other.is_full)
      combine(operation, other.value);
  }
};

} // namespace sycl::detail
