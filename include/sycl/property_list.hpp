// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <new>
#include <type_traits>
#include <utility>

/// \file
/// Properties (SYCL 2020 §4.5.4). A property is a small copyable class derived from detail::property_base:
///
///   namespace property::queue {
///   struct in_order : sycl::detail::property_base {};
///   }
///   template <> struct is_property_of<property::queue::in_order, queue> : std::true_type {};
///
/// A class that takes a property_list keeps it in its runtime state, and forwards has_property and
/// get_property to it.

namespace sycl {

namespace detail {

/// Marks a class as a property.
struct property_base {};

/// Identifies a type by its name, so that the same property is recognised across shared libraries whatever
/// their symbol visibility.
template <class T>
constexpr const char* property_key() noexcept {
  return __PRETTY_FUNCTION__;
}

/// One property of a list; immutable, shared by the copies of the list. Without virtual functions: libfalx.so
/// has such nodes as well, and would bind its vtable to a program's library, which dlclose could not unload
/// then.
struct property_node {
  const char* key;
  property_node* next;
  /// What ends the node, code of the library that made it; null if its memory is all that is to be freed,
  /// which the runtime can do when that library is gone.
  void (*destroy)(property_node*) noexcept;
  unsigned references = 1;
};

template <class Property>
struct property_node_of final : property_node {
  property_node_of(Property&& the_property, property_node* the_next)
      : property_node{property_key<Property>(), the_next, destroyer()}, property(std::move(the_property)) {}

  static constexpr auto destroyer() noexcept -> void (*)(property_node*) noexcept {
    if constexpr (std::is_trivially_destructible_v<Property> &&
                  alignof(property_node_of) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
      return nullptr;
    else
      return [](property_node* node) noexcept { delete static_cast<property_node_of*>(node); };
  }

  Property property;
};

/// Throws errc::invalid for get_property<Property>() on an object without that property.
[[noreturn]] void throw_missing_property(const char* key);

} // namespace detail

template <typename Property>
struct is_property : std::is_base_of<detail::property_base, Property> {};
template <typename Property>
inline constexpr bool is_property_v = is_property<Property>::value;

/// True for properties that a constructor of SyclObject takes. Specialised next to each class.
template <typename Property, typename SyclObject>
struct is_property_of : std::false_type {};
template <typename Property, typename SyclObject>
inline constexpr bool is_property_of_v = is_property_of<Property, SyclObject>::value;

/// A set of properties. Copies share the properties and cost one atomic increment; an empty list is one null
/// pointer.
class property_list {
public:
  property_list() noexcept = default;

  template <typename... Properties,
            class = std::enable_if_t<(sizeof...(Properties) > 0 && (is_property_v<Properties> && ...))>>
  property_list(Properties... props) {
    (add(std::move(props)), ...);
  }

  property_list(const property_list& other) noexcept : first_(other.first_) {
    if (first_ != nullptr)
      __atomic_fetch_add(&first_->references, 1u, __ATOMIC_RELAXED);
  }
  property_list(property_list&& other) noexcept : first_(std::exchange(other.first_, nullptr)) {}
  property_list& operator=(property_list other) noexcept {
    std::swap(first_, other.first_);
    return *this;
  }
  ~property_list() { release(); }

  /// True if the list holds a property of this type.
  template <typename Property>
  bool has_property() const noexcept {
    return find<Property>() != nullptr;
  }

  /// A copy of the property. Throws errc::invalid if the list has none of this type.
  template <typename Property>
  Property get_property() const {
    if (const Property* property = find<Property>())
      return *property;
    detail::throw_missing_property(detail::property_key<Property>());
  }

protected:
  template <class Property>
  void add(Property&& property) {
    first_ = new detail::property_node_of<Property>(std::forward<Property>(property), first_);
  }

private:
  template <class Property>
  const Property* find() const noexcept {
    constexpr const char* wanted = detail::property_key<Property>();
    for (const detail::property_node* node = first_; node != nullptr; node = node->next)
      if (node->key == wanted || __builtin_strcmp(node->key, wanted) == 0)
        return &static_cast<const detail::property_node_of<Property>*>(node)->property;
    return nullptr;
  }

  void release() noexcept {
    if (first_ == nullptr || __atomic_fetch_sub(&first_->references, 1u, __ATOMIC_ACQ_REL) != 1)
      return;
    while (first_ != nullptr) {
      detail::property_node* const node = std::exchange(first_, first_->next);
      if (node->destroy != nullptr)
        node->destroy(node);
      else
        ::operator delete(node);
    }
  }

  /// Only the first node's count is used: nodes behind it belong to this chain alone.
  detail::property_node* first_ = nullptr;
};

} // namespace sycl
