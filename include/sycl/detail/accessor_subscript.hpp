// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/multi_ptr.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// What the last subscript of an accessor gives, and what the ones before it do.

namespace sycl::detail {

/// An accessor's element is a reference.
template <class T>
struct referenced_element {
  using type = T&;
  static constexpr type at(T* pointer) noexcept { return *pointer; }
};
/// With the deprecated access_mode::atomic it is a sycl::atomic, however it is reached (SYCL 2020
/// §4.7.6.9.4).
template <class T, access::address_space Space>
struct atomic_element {
  using type = atomic<T, Space>;
  static type at(T* pointer) noexcept { return type(multi_ptr<T, Space, access::decorated::no>(pointer)); }
};
/// \p T is the accessor's value_type.
template <class T, access_mode Mode, access::address_space Space>
using accessor_element =
    std::conditional_t<Mode == access_mode::atomic, atomic_element<T, Space>, referenced_element<T>>;

/// What `accessor[i]` of two or three dimensions gives (SYCL 2020 §4.7.6.12): \p D more subscripts, the last
/// of which gives an \p Element.
template <class T, class Element, int D>
class accessor_subscript {
public:
  constexpr accessor_subscript(T* first, std::size_t row_length) noexcept
      : first_(first), row_length_(row_length) {}
  constexpr accessor_subscript<T, Element, D - 1> operator[](std::size_t index) const noexcept {
    return {first_ + index * row_length_, row_length_};
  }

private:
  T* first_;
  std::size_t row_length_;
};
template <class T, class Element>
class accessor_subscript<T, Element, 1> {
public:
  constexpr accessor_subscript(T* first, std::size_t) noexcept : first_(first) {}
  constexpr typename Element::type operator[](std::size_t index) const noexcept {
    return Element::at(first_ + index);
  }

private:
  T* first_;
};

} // namespace sycl::detail
