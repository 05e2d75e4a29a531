// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/annotated_properties.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sycl::ext::oneapi::experimental {

template <typename T, typename PropertyListT = empty_properties_t>
class annotated_ptr;

/// What an annotated_ptr points to (sycl_ext_oneapi_annotated_ptr): reads and writes the object.
template <typename T, typename PropertyListT = empty_properties_t>
class annotated_ref {
public:
  annotated_ref(const annotated_ref&) = delete;

  operator T() const { return *pointer_; }
  template <typename TT>
  T operator=(TT&& value) const {
    return *pointer_ = std::forward<TT>(value);
  }
  T operator=(const annotated_ref& other) const { return *this = static_cast<T>(other); }

#define FALX_ANNOTATED_ASSIGNMENT(symbol)                                                                    \
  template <typename TT>                                                                                     \
  T operator symbol(TT&& value) const {                                                                      \
    return *pointer_ symbol std::forward<TT>(value);                                                         \
  }
  FALX_ANNOTATED_ASSIGNMENT(+=)
  FALX_ANNOTATED_ASSIGNMENT(-=)
  FALX_ANNOTATED_ASSIGNMENT(*=)
  FALX_ANNOTATED_ASSIGNMENT(/=)
  FALX_ANNOTATED_ASSIGNMENT(%=)
  FALX_ANNOTATED_ASSIGNMENT(<<=)
  FALX_ANNOTATED_ASSIGNMENT(>>=)
  FALX_ANNOTATED_ASSIGNMENT(&=)
  FALX_ANNOTATED_ASSIGNMENT(|=)
  FALX_ANNOTATED_ASSIGNMENT(^=)
#undef FALX_ANNOTATED_ASSIGNMENT

  T operator++() { return ++*pointer_; }
  T operator++(int) { return (*pointer_)++; }
  T operator--() { return --*pointer_; }
  T operator--(int) { return (*pointer_)--; }

private:
  friend annotated_ptr<T, PropertyListT>;
  explicit annotated_ref(T* pointer) noexcept : pointer_(pointer) {}

  T* pointer_;
};

/// A pointer whose type carries properties (sycl_ext_oneapi_annotated_ptr). Trivially copyable.
template <typename T, typename PropertyListT>
class annotated_ptr {
  static_assert(is_property_list_v<PropertyListT>, "an annotated_ptr takes a list of properties");

public:
  using reference = annotated_ref<T, PropertyListT>;

  annotated_ptr() noexcept = default;
  explicit annotated_ptr(T* Ptr, const std::enable_if_t<true, PropertyListT>& = PropertyListT()) noexcept
      : pointer_(Ptr) {}
  template <typename... PropertyValueTs,
            std::enable_if_t<
                (sizeof...(PropertyValueTs) > 0) && (is_property_value_v<PropertyValueTs> && ...), int> = 0>
  explicit annotated_ptr(T* Ptr, PropertyValueTs...) noexcept : pointer_(Ptr) {
    static_assert(std::is_same_v<PropertyListT, decltype(properties{PropertyValueTs{}...})>,
                  "the properties are not those of the annotated_ptr's type");
  }
  template <typename T2, typename P, std::enable_if_t<std::is_convertible_v<T2*, T*>, int> = 0>
  explicit annotated_ptr(const annotated_ptr<T2, P>& ConvertFrom) noexcept : pointer_(ConvertFrom.get()) {
    static_assert(detail::has_all_properties<PropertyListT, P>,
                  "an annotated_ptr keeps every property of the one that it is made from");
  }
  template <typename T2, typename P, typename Values,
            std::enable_if_t<std::is_convertible_v<T2*, T*>, int> = 0>
  explicit annotated_ptr(const annotated_ptr<T2, P>& Ptr, properties<Values>) noexcept : pointer_(Ptr.get()) {
    static_assert(std::is_same_v<PropertyListT, detail::union_of_properties_t<P, properties<Values>>>,
                  "the properties are not those of the annotated_ptr's type");
  }
  annotated_ptr(const annotated_ptr&) noexcept = default;
  annotated_ptr& operator=(const annotated_ptr&) noexcept = default;

  reference operator*() const noexcept { return reference(aligned()); }
  reference operator[](std::ptrdiff_t Index) const noexcept { return reference(aligned() + Index); }

  annotated_ptr operator+(std::size_t Offset) const noexcept { return annotated_ptr(pointer_ + Offset); }
  std::ptrdiff_t operator-(annotated_ptr FromPtr) const noexcept { return pointer_ - FromPtr.pointer_; }

  explicit operator bool() const noexcept { return pointer_ != nullptr; }
  operator T*() const noexcept = delete;
  T* get() const noexcept { return pointer_; }

  annotated_ptr& operator++() noexcept {
    ++pointer_;
    return *this;
  }
  annotated_ptr operator++(int) noexcept { return annotated_ptr(pointer_++); }
  annotated_ptr& operator--() noexcept {
    --pointer_;
    return *this;
  }
  annotated_ptr operator--(int) noexcept { return annotated_ptr(pointer_--); }

  template <typename PropertyT>
  static constexpr bool has_property() {
    return PropertyListT::template has_property<PropertyT>();
  }
  template <typename PropertyT>
  static constexpr auto get_property() {
    return PropertyListT::template get_property<PropertyT>();
  }

private:
  T* aligned() const noexcept { return detail::aligned_by_property<PropertyListT>(pointer_); }

  T* pointer_ = nullptr;
};

template <typename T, typename... PropertyValueTs,
          std::enable_if_t<(is_property_value_v<PropertyValueTs> && ...), int> = 0>
annotated_ptr(T*, PropertyValueTs...) -> annotated_ptr<T, decltype(properties{PropertyValueTs{}...})>;
template <typename T, typename Values>
annotated_ptr(T*, properties<Values>) -> annotated_ptr<T, properties<Values>>;
template <typename T, typename A, typename Values>
annotated_ptr(annotated_ptr<T, A>, properties<Values>)
    -> annotated_ptr<T, detail::union_of_properties_t<A, properties<Values>>>;

} // namespace sycl::ext::oneapi::experimental
