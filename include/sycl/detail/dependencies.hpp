// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/event.hpp"

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace sycl::detail {

/// The events after which a shortcut runs, which the specification's overloads take as none, one, or a
/// vector: one parameter for the three. Refers to the argument, so it lives no longer than the call.
class dependencies {
public:
  constexpr dependencies() noexcept = default;
  dependencies(const event& one) noexcept : first_(__builtin_addressof(one)), count_(1) {}
  dependencies(const std::vector<event>& all) noexcept : first_(all.data()), count_(all.size()) {}
  dependencies(std::initializer_list<event> all) noexcept : first_(all.begin()), count_(all.size()) {}

  template <class Handler>
  void add_to(Handler& group) const {
    for (std::size_t i = 0; i < count_; ++i)
      group.depends_on(first_[i]);
  }

private:
  const event* first_ = nullptr;
  std::size_t count_ = 0;
};

} // namespace sycl::detail
