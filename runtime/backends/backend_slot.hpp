// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cassert>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace falx {

/// Room inside a command for one object of its backend's, of a type that only the backend knows. The type is
/// remembered: what is there is never taken for something else. Not thread-safe by itself.
class backend_slot {
public:
  static constexpr std::size_t BYTES = 32;

  backend_slot() noexcept = default;
  ~backend_slot() {
    if (type_ != nullptr && type_->destroy != nullptr)
      type_->destroy(bytes_);
  }
  backend_slot(const backend_slot&) = delete;
  backend_slot& operator=(const backend_slot&) = delete;

  /// Makes the object, once; it lives as long as the slot.
  template <class T, class... Arguments>
  T& emplace(Arguments&&... arguments) noexcept {
    static_assert(sizeof(T) <= BYTES, "the object does not fit into the slot");
    static_assert(alignof(T) <= ALIGNMENT, "the object would be misaligned");
    static_assert(std::is_nothrow_constructible_v<T, Arguments...>, "a command has no means to report it");
    assert(type_ == nullptr && "the slot has its object already");
    type_ = &TYPE_OF<T>;
    return *new (bytes_) T(std::forward<Arguments>(arguments)...);
  }

  /// The object, which is there and of this type.
  template <class T>
  T& get() noexcept {
    assert(type_ == &TYPE_OF<T> && "the slot has an object of another type, or none");
    return *std::launder(reinterpret_cast<T*>(bytes_));
  }
  template <class T>
  const T& get() const noexcept {
    return const_cast<backend_slot*>(this)->get<T>();
  }

  /// Null unless there is an object of this type.
  template <class T>
  const T* find() const noexcept {
    return type_ == &TYPE_OF<T> ? &get<T>() : nullptr;
  }

private:
  static constexpr std::size_t ALIGNMENT = alignof(void*);

  struct type {
    void (*destroy)(void* object) noexcept; // null if there is nothing to do
  };
  template <class T>
  static constexpr auto make_destroy() noexcept -> void (*)(void*) noexcept {
    if constexpr (std::is_trivially_destructible_v<T>)
      return nullptr;
    else
      return [](void* object) noexcept { static_cast<T*>(object)->~T(); };
  }
  /// Its address stands for the type.
  template <class T>
  static constexpr type TYPE_OF{make_destroy<T>()};

  const type* type_ = nullptr;
  alignas(ALIGNMENT) unsigned char bytes_[BYTES];
};

} // namespace falx
