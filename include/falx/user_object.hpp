// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace falx {

/// An object of a type that only the program knows, in the library's keeping: its address and a table of
/// functions, of which `destroy(void* self)` is one. Owned by one user_object at a time, as by a unique_ptr;
/// without an object it is false. Has the layout of two pointers.
template <class Functions>
class user_object {
public:
  user_object() noexcept = default;
  user_object(std::nullptr_t) noexcept {}
  /// \p functions must outlive the object.
  user_object(void* self, const Functions& functions) noexcept : self_(self), functions_(&functions) {}
  user_object(user_object&& other) noexcept
      : self_(std::exchange(other.self_, nullptr)), functions_(other.functions_) {}
  user_object& operator=(user_object&& other) noexcept {
    std::swap(self_, other.self_);
    std::swap(functions_, other.functions_);
    return *this;
  }
  ~user_object() {
    if (self_ != nullptr)
      functions_->destroy(self_);
  }

  explicit operator bool() const noexcept { return self_ != nullptr; }
  void* self() const noexcept { return self_; }
  const Functions& functions() const noexcept { return *functions_; }

private:
  void* self_ = nullptr;
  const Functions* functions_ = nullptr;
};

/// An object of type T, whose static member function functions() gives the table for it.
template <class T, class... Arguments>
auto make_user_object(Arguments&&... arguments) {
  const auto& functions = T::functions();
  auto object = std::make_unique<T>(std::forward<Arguments>(arguments)...);
  return user_object(static_cast<void*>(object.release()), functions);
}

/// For tables of functions.
template <class T>
void destroy_user_object(void* self) noexcept {
  delete static_cast<T*>(self);
}

} // namespace falx
