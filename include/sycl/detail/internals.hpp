// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"

namespace sycl::detail {

/// The one door between SYCL classes and the runtime objects they hold. A class with a private member
/// `falx::handle<S> state_` and a private constructor from it befriends this struct; nothing else does.
struct internals {
  template <class T>
  static auto& state(T& object) noexcept {
    return object.state_;
  }
  /// Which kernel a sycl::kernel is.
  template <class T>
  static auto& id(T& object) noexcept {
    return object.id_;
  }
  /// For classes that hold a pointer to a constant of the program.
  template <class T, class S>
  static T make(const S* state) {
    return T(state);
  }
  template <class T, class S>
  static T make(falx::handle<S> state) {
    return T(static_cast<falx::handle<S>&&>(state));
  }
};

} // namespace sycl::detail
