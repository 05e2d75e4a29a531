// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>

namespace falx {

/// A reference-counted pointer to a runtime object that the headers only know by forward declaration. Every
/// runtime class T that headers hold has `void retain(T*) noexcept` and `void release(T*) noexcept` in
/// namespace falx, exported by libfalx. SYCL classes with common reference semantics (§4.5.2) hold one of
/// these, so copies share state and compare equal.
template <class T>
class handle {
public:
  handle() noexcept = default;
  /// Takes over one reference that the caller owns.
  static handle adopt(T* object) noexcept {
    handle result;
    result.object_ = object;
    return result;
  }
  /// Adds a reference.
  static handle share(T* object) noexcept {
    if (object != nullptr)
      retain(object);
    return adopt(object);
  }
  handle(const handle& other) noexcept : object_(other.object_) {
    if (object_ != nullptr)
      retain(object_);
  }
  handle(handle&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  handle& operator=(handle other) noexcept {
    T* mine = object_;
    object_ = other.object_;
    other.object_ = mine;
    return *this;
  }
  ~handle() {
    if (object_ != nullptr)
      release(object_);
  }

  T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  /// Gives the reference to the caller.
  T* detach() noexcept {
    T* mine = object_;
    object_ = nullptr;
    return mine;
  }
  friend bool operator==(const handle& a, const handle& b) noexcept { return a.object_ == b.object_; }
  friend bool operator!=(const handle& a, const handle& b) noexcept { return a.object_ != b.object_; }

private:
  T* object_ = nullptr;
};

} // namespace falx
