// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/lifetime.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/feature_test.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// SYCL extension sycl_ext_oneapi_weak_object: references to SYCL objects that do not keep them alive, and an
/// order of what objects refer to.

namespace sycl {

class kernel;

namespace detail {

/// Where an object is in the order of owners: first those that refer to nothing.
struct owner_key {
  std::uintptr_t owner = 0;
  /// Tells objects apart that share their owner.
  std::size_t part = 0;

  friend bool operator<(const owner_key& a, const owner_key& b) noexcept {
    return a.owner < b.owner || (a.owner == b.owner && a.part < b.part);
  }
};

/// A T that was copied, for as long as this lives: accessors and their like are values in Falx.
template <class T>
class weak_value {
public:
  void set(const T& object) { copy_.emplace(object); }
  void reset() noexcept { copy_.reset(); }
  bool is_expired() const noexcept { return !copy_; }
  std::optional<T> find() const { return copy_; }
  owner_key key() const noexcept { return copy_ ? key_of(*copy_) : owner_key(); }
  static owner_key key_of(const T& object) noexcept { return {1, std::hash<T>()(object)}; }

private:
  std::optional<T> copy_;
};

/// A T without the reference that its handle counts.
template <class T>
class weak_reference {
public:
  constexpr weak_reference() noexcept : none_(0) {}
  weak_reference(const weak_reference& other) { take(other); }
  weak_reference& operator=(const weak_reference& other) {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  ~weak_reference() { reset(); }

  void set(const T& object) {
    falx::handle<falx::lifetime> life = life_of(object);
    reset();
    if (life)
      store(object, std::move(life));
  }
  void reset() noexcept {
    if (has_object_) {
      static_cast<void>(internals::state(object_).detach()); // nobody's reference
      object_.~T();
      has_object_ = false;
    }
    part_ = 0;
    lifetime_ = {};
  }
  bool is_expired() const noexcept { return !lifetime_ || !falx::is_alive(*lifetime_); }
  std::optional<T> find() const {
    if (!lifetime_ || !falx::retain_if_alive(*lifetime_))
      return std::nullopt;
    std::optional<T> found(object_);
    // The copy has a reference of its own.
    static_cast<void>(
        std::decay_t<decltype(internals::state(object_))>::adopt(internals::state(object_).get()));
    return found;
  }
  owner_key key() const noexcept { return {reinterpret_cast<std::uintptr_t>(lifetime_.get()), part_}; }
  static owner_key key_of(const T& object) noexcept {
    return {reinterpret_cast<std::uintptr_t>(life_of(object).get()), part_of(object)};
  }

private:
  static falx::handle<falx::lifetime> life_of(const T& object) {
    const auto& state = internals::state(object);
    return state ? falx::lifetime_of(*state) : falx::handle<falx::lifetime>();
  }
  /// The kernels of a bundle share it.
  static std::size_t part_of([[maybe_unused]] const T& object) noexcept {
    if constexpr (std::is_same_v<T, kernel>)
      return std::hash<T>()(object);
    else
      return 0;
  }
  void store(const T& object, falx::handle<falx::lifetime> life) {
    ::new (static_cast<void*>(&object_)) T(object);
    has_object_ = true;
    part_ = part_of(object);
    lifetime_ = std::move(life);
    auto& state = internals::state(object_);
    release(state.get());
  }
  /// What is gone stays so, and keeps its place in the order.
  void take(const weak_reference& other) {
    if (const std::optional<T> object = other.find())
      store(*object, other.lifetime_);
    else
      lifetime_ = other.lifetime_;
    part_ = other.part_;
  }

  union {
    char none_;
    T object_;
  };
  bool has_object_ = false;
  std::size_t part_ = 0;
  falx::handle<falx::lifetime> lifetime_;
};

template <class T>
using weak_part = std::conditional_t<std::is_trivially_destructible_v<T>, weak_value<T>, weak_reference<T>>;

[[noreturn]] void throw_expired_object();

} // namespace detail

namespace ext::oneapi {

/// Refers to a SYCL object of a class with common reference semantics and does not keep it alive. Objects of
/// accessors for commands, local_accessor, stream and kernel_id are values in Falx: a weak_object has a copy,
/// which never expires.
template <typename SyclObject>
class weak_object {
public:
  using object_type = SyclObject;

  constexpr weak_object() noexcept = default;
  weak_object(const SyclObject& object) noexcept { part_.set(object); }
  weak_object(const weak_object& other) noexcept = default;
  weak_object(weak_object&& other) noexcept : part_(other.part_) { other.reset(); }

  weak_object& operator=(const SyclObject& object) noexcept {
    part_.set(object);
    return *this;
  }
  weak_object& operator=(const weak_object& other) noexcept = default;
  weak_object& operator=(weak_object&& other) noexcept {
    if (this != &other) {
      part_ = other.part_;
      other.reset();
    }
    return *this;
  }

  void reset() noexcept { part_.reset(); }
  void swap(weak_object& other) noexcept {
    const weak_object mine = *this;
    *this = other;
    other = mine;
  }

  /// True without an object, and once it is gone.
  bool expired() const noexcept { return part_.is_expired(); }
  /// The object; none if expired().
  std::optional<SyclObject> try_lock() const noexcept { return part_.find(); }
  /// Throws errc::invalid if expired().
  SyclObject lock() const {
    std::optional<SyclObject> object = part_.find();
    if (!object)
      sycl::detail::throw_expired_object();
    return *std::move(object);
  }

  /// Objects that refer to the same are equivalent, and so are weak objects without one, which come first.
  bool owner_before(const weak_object& other) const noexcept { return part_.key() < other.part_.key(); }
  bool owner_before(const SyclObject& other) const noexcept {
    return part_.key() < sycl::detail::weak_part<SyclObject>::key_of(other);
  }

private:
  friend struct sycl::detail::owner_ordered<SyclObject>;
  sycl::detail::weak_part<SyclObject> part_;
};

/// Compares by owner, for containers that are in order.
template <typename SyclObject>
struct owner_less {
  bool operator()(const SyclObject& lhs, const SyclObject& rhs) const noexcept {
    return lhs.ext_oneapi_owner_before(rhs);
  }
  bool operator()(const weak_object<SyclObject>& lhs, const weak_object<SyclObject>& rhs) const noexcept {
    return lhs.owner_before(rhs);
  }
  bool operator()(const SyclObject& lhs, const weak_object<SyclObject>& rhs) const noexcept {
    return lhs.ext_oneapi_owner_before(rhs);
  }
  bool operator()(const weak_object<SyclObject>& lhs, const SyclObject& rhs) const noexcept {
    return lhs.owner_before(rhs);
  }
};

} // namespace ext::oneapi

namespace detail {

template <class T>
bool owner_ordered<T>::ext_oneapi_owner_before(const ext::oneapi::weak_object<T>& other) const noexcept {
  return weak_part<T>::key_of(static_cast<const T&>(*this)) < other.part_.key();
}
template <class T>
bool owner_ordered<T>::ext_oneapi_owner_before(const T& other) const noexcept {
  return weak_part<T>::key_of(static_cast<const T&>(*this)) < weak_part<T>::key_of(other);
}

} // namespace detail
} // namespace sycl
