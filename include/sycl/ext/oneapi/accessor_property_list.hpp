// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/feature_test.hpp"
#include "sycl/property_list.hpp"

#include <type_traits>

/// \file
/// SYCL extension sycl_ext_oneapi_accessor_properties: lists of properties whose type, and that of the
/// accessor, says what is known at compile time.

namespace sycl::ext::oneapi {

template <typename... Properties>
class accessor_property_list;

namespace property {

/// The accessor is never constructed with an offset: a hint, which Falx's device code has no use for.
struct no_offset {
  template <bool = true>
  struct instance {};

  template <bool A, bool B>
  friend constexpr bool operator==(const instance<A>&, const instance<B>&) noexcept {
    return A == B;
  }
  template <bool A, bool B>
  friend constexpr bool operator!=(const instance<A>&, const instance<B>&) noexcept {
    return A != B;
  }
};
/// What the accessor reaches is reached in no other way by the kernel: a hint. Falx finds out at the launch
/// what does not overlap.
struct no_alias {
  template <bool = true>
  struct instance {};

  template <bool A, bool B>
  friend constexpr bool operator==(const instance<A>&, const instance<B>&) noexcept {
    return A == B;
  }
  template <bool A, bool B>
  friend constexpr bool operator!=(const instance<A>&, const instance<B>&) noexcept {
    return A != B;
  }
};

} // namespace property

inline constexpr property::no_offset::instance<true> no_offset;
inline constexpr property::no_alias::instance<true> no_alias;

/// True for properties that only a list's type has.
template <typename PropertyT>
struct is_compile_time_property : std::false_type {};
template <>
struct is_compile_time_property<property::no_offset> : std::true_type {};
template <>
struct is_compile_time_property<property::no_alias> : std::true_type {};

namespace detail {

/// The property that an object stands for.
template <typename T>
struct property_of_instance {
  using type = T;
};
template <bool B>
struct property_of_instance<property::no_offset::instance<B>> {
  using type = property::no_offset;
};
template <bool B>
struct property_of_instance<property::no_alias::instance<B>> {
  using type = property::no_alias;
};
template <typename T>
using property_of = typename property_of_instance<T>::type;

template <typename Instance>
inline constexpr bool is_of_compile_time = is_compile_time_property<property_of<Instance>>::value;

/// The object among \p Instances that stands for a property; void if there is none.
template <typename PropertyT, typename... Instances>
struct instance_among {
  using type = void;
};
template <typename PropertyT, typename First, typename... Others>
struct instance_among<PropertyT, First, Others...>
    : std::conditional_t<std::is_same_v<PropertyT, property_of<First>>, std::enable_if<true, First>,
                         instance_among<PropertyT, Others...>> {};

/// A list of the properties of compile time, in one order, whatever the order they are given in.
template <typename NoOffset, typename NoAlias>
struct ordered_list {
  using type = accessor_property_list<NoOffset, NoAlias>;
};
template <typename NoAlias>
struct ordered_list<void, NoAlias> {
  using type = accessor_property_list<NoAlias>;
};
template <typename NoOffset>
struct ordered_list<NoOffset, void> {
  using type = accessor_property_list<NoOffset>;
};
template <>
struct ordered_list<void, void> {
  using type = accessor_property_list<>;
};

template <typename List>
struct compile_time_part_of {
  using type = accessor_property_list<>;
};
template <typename... Instances>
struct compile_time_part_of<accessor_property_list<Instances...>>
    : ordered_list<typename instance_among<property::no_offset, Instances...>::type,
                   typename instance_among<property::no_alias, Instances...>::type> {};
/// Lists with the same one are convertible.
template <typename List>
using compile_time_part = typename compile_time_part_of<List>::type;

} // namespace detail

/// A property_list, whose type also has the properties that are known at compile time.
template <typename... Properties>
class accessor_property_list : public property_list {
  using own_part = detail::compile_time_part<accessor_property_list>;

public:
  template <typename... Ts,
            std::enable_if_t<((detail::is_of_compile_time<Ts> || is_property_v<Ts>) && ...), int> = 0>
  accessor_property_list(Ts... props) {
    (add_value(props), ...);
  }
  /// From what has the same properties of compile time: a property_list has none.
  template <typename... Others,
            std::enable_if_t<
                std::is_same_v<detail::compile_time_part<accessor_property_list<Others...>>, own_part> &&
                    !std::is_same_v<accessor_property_list<Others...>, accessor_property_list>,
                int> = 0>
  accessor_property_list(const accessor_property_list<Others...>& other) : property_list(other) {}
  template <typename List, std::enable_if_t<std::is_same_v<List, property_list> &&
                                                std::is_same_v<own_part, accessor_property_list<>>,
                                            int> = 0>
  accessor_property_list(const List& other) : property_list(other) {}

  template <typename PropertyT, std::enable_if_t<!is_compile_time_property<PropertyT>::value, int> = 0>
  bool has_property() const noexcept {
    return property_list::has_property<PropertyT>();
  }
  template <typename PropertyT, std::enable_if_t<is_compile_time_property<PropertyT>::value, int> = 0>
  static constexpr bool has_property() noexcept {
    return (std::is_same_v<PropertyT, detail::property_of<Properties>> || ...);
  }
  template <typename PropertyT, std::enable_if_t<!is_compile_time_property<PropertyT>::value, int> = 0>
  PropertyT get_property() const {
    return property_list::get_property<PropertyT>();
  }
  /// The object that stands for the property.
  template <typename PropertyT, std::enable_if_t<is_compile_time_property<PropertyT>::value, int> = 0>
  static constexpr auto get_property() noexcept {
    using instance = typename detail::instance_among<PropertyT, Properties...>::type;
    static_assert(!std::is_void_v<instance>, "the list does not have this property");
    return instance();
  }

private:
  template <typename T>
  void add_value(T& value) {
    if constexpr (!detail::is_of_compile_time<T>)
      this->add(static_cast<T&&>(value));
  }
};

template <typename... Ts>
accessor_property_list(Ts...) -> accessor_property_list<Ts...>;

} // namespace sycl::ext::oneapi

namespace sycl::detail {

/// For deduction guides: enabled for lists of properties and for what makes one.
template <typename List>
using if_properties = std::enable_if_t<std::is_convertible_v<const List&, property_list>, int>;
/// What of it an accessor's type has.
template <typename List>
using listed_in_type = ext::oneapi::detail::compile_time_part<List>;

} // namespace sycl::detail
