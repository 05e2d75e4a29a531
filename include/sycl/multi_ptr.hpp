// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/access.hpp"
#include "sycl/detail/prefetch_lines.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace sycl {

template <class DataT, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder,
          class PropertyListT>
class accessor;
template <class DataT, int Dimensions>
class local_accessor;

template <class ElementType, access::address_space Space,
          access::decorated DecorateAddress = access::decorated::legacy>
class multi_ptr;

/// The type without its address space (SYCL 2020 §4.7.7.1). Falx's decorated types are plain ones.
template <class T>
struct remove_decoration {
  using type = T;
};
template <class T>
using remove_decoration_t = typename remove_decoration<T>::type;

namespace detail {

/// Element types between which multi_ptr converts implicitly: adding const, and forgetting the type.
template <class From, class To>
inline constexpr bool multi_ptr_element_widens =
    std::is_same_v<From, To> || std::is_same_v<const From, To> ||
    (std::is_void_v<To> && (std::is_const_v<To> || !std::is_const_v<From>));

/// Any space but constant is part of the generic one.
constexpr bool address_space_contains(access::address_space to, access::address_space from) {
  return to == from ||
         (to == access::address_space::generic_space && from != access::address_space::constant_space);
}

/// Memory of a device, or of the host (sycl_ext_intel_usm_address_spaces). Such a pointer becomes one to
/// global memory when asked to.
constexpr bool is_part_of_global_space(access::address_space space) {
  return space == access::address_space::ext_intel_global_device_space ||
         space == access::address_space::ext_intel_global_host_space;
}

constexpr bool multi_ptr_space_narrows(access::address_space from, access::address_space to) {
  return from == access::address_space::generic_space && to != access::address_space::generic_space &&
         to != access::address_space::constant_space;
}

template <class From, class To>
inline constexpr bool multi_ptr_void_narrows =
    std::is_void_v<From> && !std::is_void_v<To> && (std::is_const_v<To> || !std::is_const_v<From>);

/// Accessors that a multi_ptr<To> can be made from: same type or void, and not losing const.
template <class Accessed, class To>
inline constexpr bool multi_ptr_from_accessor =
    (std::is_void_v<To> || std::is_same_v<std::remove_const_t<Accessed>, std::remove_const_t<To>>) &&
    (std::is_const_v<To> || !std::is_const_v<Accessed>);

} // namespace detail

/// A pointer whose type names its address space (SYCL 2020 §4.7.7.1; the deprecated legacy form §C). One
/// class serves elements, void and const void; members that need an element cannot be instantiated for void.
///
/// The specification's conversion operators are constructors here, so that a conversion to another multi_ptr
/// never competes with the conversion to a pointer.
template <class ElementType, access::address_space Space, access::decorated DecorateAddress>
class multi_ptr {
  static constexpr bool is_legacy = DecorateAddress == access::decorated::legacy;
  template <class From, access::address_space FromSpace>
  static constexpr bool implicit_from =
      detail::multi_ptr_element_widens<From, ElementType> && detail::address_space_contains(Space, FromSpace);
  template <class From, access::address_space FromSpace>
  static constexpr bool explicit_from =
      !implicit_from<From, FromSpace> &&
      ((detail::multi_ptr_element_widens<From, ElementType> &&
        (detail::multi_ptr_space_narrows(FromSpace, Space) ||
         (detail::is_part_of_global_space(FromSpace) && Space == access::address_space::global_space))) ||
       (detail::multi_ptr_void_narrows<From, ElementType> && Space == FromSpace));

public:
  static constexpr bool is_decorated = DecorateAddress == access::decorated::yes;
  static constexpr access::address_space address_space = Space;

  using value_type = ElementType;
  using element_type = ElementType;
  using pointer = std::add_pointer_t<value_type>;
  using reference = std::add_lvalue_reference_t<value_type>;
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  /// Names of the legacy interface.
  using pointer_t = pointer;
  using const_pointer_t = std::add_pointer_t<const value_type>;
  using reference_t = reference;
  using const_reference_t = std::add_lvalue_reference_t<const value_type>;

  constexpr multi_ptr() noexcept = default;
  constexpr multi_ptr(std::nullptr_t) noexcept {}
  /// Implicit in the legacy interface only.
  template <bool Legacy = is_legacy, std::enable_if_t<Legacy, int> = 0>
  constexpr multi_ptr(pointer pointer) noexcept : pointer_(pointer) {}
  template <bool Legacy = is_legacy, std::enable_if_t<!Legacy, int> = 0, class = void>
  constexpr explicit multi_ptr(pointer pointer) noexcept : pointer_(pointer) {}

  template <class From, access::address_space FromSpace, access::decorated FromDecorated,
            std::enable_if_t<implicit_from<From, FromSpace>, int> = 0>
  constexpr multi_ptr(const multi_ptr<From, FromSpace, FromDecorated>& other) noexcept
      : pointer_(other.get_raw()) {}
  template <class From, access::address_space FromSpace, access::decorated FromDecorated,
            std::enable_if_t<explicit_from<From, FromSpace>, int> = 0, class = void>
  constexpr explicit multi_ptr(const multi_ptr<From, FromSpace, FromDecorated>& other) noexcept
      : pointer_(static_cast<pointer>(other.get_raw())) {}

  template <
      class AccDataT, int Dimensions, access_mode Mode, access::placeholder Placeholder, class PropertyListT,
      std::enable_if_t<
          (detail::address_space_contains(Space, access::address_space::global_space) ||
           Space == access::address_space::ext_intel_global_device_space) &&
              detail::multi_ptr_from_accessor<typename accessor<AccDataT, Dimensions, Mode, target::device,
                                                                Placeholder, PropertyListT>::value_type,
                                              ElementType>,
          int> = 0>
  multi_ptr(const accessor<AccDataT, Dimensions, Mode, target::device, Placeholder, PropertyListT>&
                accessor) noexcept
      : pointer_(accessor.template get_multi_ptr<access::decorated::no>().get_raw()) {}

  template <class AccDataT, int Dimensions,
            std::enable_if_t<detail::address_space_contains(Space, access::address_space::local_space) &&
                                 detail::multi_ptr_from_accessor<AccDataT, ElementType>,
                             int> = 0>
  multi_ptr(const local_accessor<AccDataT, Dimensions>& accessor) noexcept
      : pointer_(accessor.template get_multi_ptr<access::decorated::no>().get_raw()) {}

  /// Other multi_ptrs must not come in through their conversion to a pointer.
  template <class From, access::address_space FromSpace, access::decorated FromDecorated,
            std::enable_if_t<!implicit_from<From, FromSpace> && !explicit_from<From, FromSpace>, int> = 0,
            class = void, class = void>
  explicit multi_ptr(const multi_ptr<From, FromSpace, FromDecorated>&) = delete;

  /// Deprecated accessors of local memory and of constant buffers.
  template <class AccDataT, int Dimensions, access_mode Mode, access::placeholder Placeholder,
            class PropertyListT,
            std::enable_if_t<detail::address_space_contains(Space, access::address_space::local_space) &&
                                 detail::multi_ptr_from_accessor<AccDataT, ElementType>,
                             int> = 0>
  multi_ptr(const accessor<AccDataT, Dimensions, Mode, target::local, Placeholder, PropertyListT>&
                accessor) noexcept
      : pointer_(accessor.get_pointer().get_raw()) {}
  template <class AccDataT, int Dimensions, access_mode Mode, access::placeholder Placeholder,
            class PropertyListT,
            std::enable_if_t<Space == access::address_space::constant_space &&
                                 detail::multi_ptr_from_accessor<AccDataT, ElementType>,
                             int> = 0>
  multi_ptr(const accessor<AccDataT, Dimensions, Mode, target::constant_buffer, Placeholder, PropertyListT>&
                accessor) noexcept
      : pointer_(accessor.get_pointer().get_raw()) {}

  constexpr multi_ptr& operator=(std::nullptr_t) noexcept {
    pointer_ = nullptr;
    return *this;
  }

  constexpr reference operator[](std::ptrdiff_t index) const noexcept { return pointer_[index]; }
  constexpr reference operator*() const noexcept { return *pointer_; }
  constexpr pointer operator->() const noexcept { return pointer_; }
  constexpr pointer get() const noexcept { return pointer_; }
  constexpr pointer get_raw() const noexcept { return pointer_; }
  constexpr pointer get_decorated() const noexcept { return pointer_; }
  constexpr operator pointer() const noexcept { return pointer_; }

  /// A hint that the next \p count elements will be read. For global memory; the legacy interface has it for
  /// all address spaces.
  template <bool Legacy = is_legacy,
            std::enable_if_t<Legacy || Space == access::address_space::global_space, int> = 0>
  void prefetch(std::size_t count) const noexcept {
    detail::prefetch_lines(pointer_, count * sizeof(value_type), alignof(value_type), {});
  }

  friend constexpr multi_ptr& operator++(multi_ptr& value) noexcept { return value += 1; }
  friend constexpr multi_ptr operator++(multi_ptr& value, int) noexcept {
    multi_ptr before = value;
    value += 1;
    return before;
  }
  friend constexpr multi_ptr& operator--(multi_ptr& value) noexcept { return value -= 1; }
  friend constexpr multi_ptr operator--(multi_ptr& value, int) noexcept {
    multi_ptr before = value;
    value -= 1;
    return before;
  }
  friend constexpr multi_ptr& operator+=(multi_ptr& lhs, difference_type rhs) noexcept {
    lhs.pointer_ += rhs;
    return lhs;
  }
  friend constexpr multi_ptr& operator-=(multi_ptr& lhs, difference_type rhs) noexcept {
    lhs.pointer_ -= rhs;
    return lhs;
  }
  friend constexpr multi_ptr operator+(const multi_ptr& lhs, difference_type rhs) noexcept {
    multi_ptr result = lhs;
    return result += rhs;
  }
  friend constexpr multi_ptr operator-(const multi_ptr& lhs, difference_type rhs) noexcept {
    multi_ptr result = lhs;
    return result -= rhs;
  }

  // A legacy multi_ptr converts from a pointer as well as to one: without the overloads for pointers of the
  // very type, such a comparison would be ambiguous.
#define FALX_MULTI_PTR_COMPARISON(OP)                                                                        \
  friend bool operator OP(const multi_ptr& lhs, const multi_ptr& rhs) noexcept {                             \
    return lhs.address() OP rhs.address();                                                                   \
  }                                                                                                          \
  friend bool operator OP(const multi_ptr& lhs, std::nullptr_t) noexcept {                                   \
    return lhs.address() OP std::uintptr_t{0};                                                               \
  }                                                                                                          \
  friend bool operator OP(std::nullptr_t, const multi_ptr& rhs) noexcept {                                   \
    return std::uintptr_t{0} OP rhs.address();                                                               \
  }                                                                                                          \
  template <class Pointee, std::enable_if_t<std::is_same_v<Pointee, ElementType>, int> = 0>                  \
  friend bool operator OP(const multi_ptr& lhs, Pointee* rhs) noexcept {                                     \
    return lhs.address() OP reinterpret_cast<std::uintptr_t>(rhs);                                           \
  }                                                                                                          \
  template <class Pointee, std::enable_if_t<std::is_same_v<Pointee, ElementType>, int> = 0>                  \
  friend bool operator OP(Pointee* lhs, const multi_ptr& rhs) noexcept {                                     \
    return reinterpret_cast<std::uintptr_t>(lhs) OP rhs.address();                                           \
  }
  FALX_MULTI_PTR_COMPARISON(==)
  FALX_MULTI_PTR_COMPARISON(!=)
  FALX_MULTI_PTR_COMPARISON(<)
  FALX_MULTI_PTR_COMPARISON(>)
  FALX_MULTI_PTR_COMPARISON(<=)
  FALX_MULTI_PTR_COMPARISON(>=)
#undef FALX_MULTI_PTR_COMPARISON

private:
  std::uintptr_t address() const noexcept { return reinterpret_cast<std::uintptr_t>(pointer_); }

  pointer pointer_ = nullptr;
};

template <class T, int Dimensions, access::placeholder Placeholder, class PropertyListT>
multi_ptr(accessor<T, Dimensions, access_mode::read, target::device, Placeholder, PropertyListT>)
    -> multi_ptr<const T, access::address_space::global_space, access::decorated::no>;
template <class T, int Dimensions, access::placeholder Placeholder, class PropertyListT>
multi_ptr(accessor<T, Dimensions, access_mode::write, target::device, Placeholder, PropertyListT>)
    -> multi_ptr<T, access::address_space::global_space, access::decorated::no>;
template <class T, int Dimensions, access::placeholder Placeholder, class PropertyListT>
multi_ptr(accessor<T, Dimensions, access_mode::read_write, target::device, Placeholder, PropertyListT>)
    -> multi_ptr<T, access::address_space::global_space, access::decorated::no>;
template <class T, int Dimensions, access::placeholder Placeholder, class PropertyListT>
multi_ptr(accessor<T, Dimensions, access_mode::read, target::constant_buffer, Placeholder, PropertyListT>)
    -> multi_ptr<const T, access::address_space::constant_space, access::decorated::no>;
template <class T, int Dimensions, access_mode Mode, access::placeholder Placeholder, class PropertyListT>
multi_ptr(accessor<T, Dimensions, Mode, target::local, Placeholder, PropertyListT>)
    -> multi_ptr<T, access::address_space::local_space, access::decorated::no>;
template <class T, int Dimensions>
multi_ptr(local_accessor<T, Dimensions>)
    -> multi_ptr<T, access::address_space::local_space, access::decorated::no>;

/// Aliases by address space (SYCL 2020 §4.7.7.2).
template <class T, access::decorated IsDecorated = access::decorated::legacy>
using global_ptr = multi_ptr<T, access::address_space::global_space, IsDecorated>;
template <class T, access::decorated IsDecorated = access::decorated::legacy>
using local_ptr = multi_ptr<T, access::address_space::local_space, IsDecorated>;
template <class T>
using constant_ptr = multi_ptr<T, access::address_space::constant_space, access::decorated::legacy>;
template <class T, access::decorated IsDecorated = access::decorated::legacy>
using private_ptr = multi_ptr<T, access::address_space::private_space, IsDecorated>;
template <class T, access::decorated IsDecorated = access::decorated::legacy>
using generic_ptr = multi_ptr<T, access::address_space::generic_space, IsDecorated>;

template <class T>
using raw_global_ptr = global_ptr<T, access::decorated::no>;
template <class T>
using raw_local_ptr = local_ptr<T, access::decorated::no>;
template <class T>
using raw_private_ptr = private_ptr<T, access::decorated::no>;
template <class T>
using raw_generic_ptr = generic_ptr<T, access::decorated::no>;

template <class T>
using decorated_global_ptr = global_ptr<T, access::decorated::yes>;
template <class T>
using decorated_local_ptr = local_ptr<T, access::decorated::yes>;
template <class T>
using decorated_private_ptr = private_ptr<T, access::decorated::yes>;
template <class T>
using decorated_generic_ptr = generic_ptr<T, access::decorated::yes>;

/// The pointer as a multi_ptr of \p Space, or null if the object does not lie there (SYCL 2020 §4.7.7.1). For
/// an object that is known to lie there, khr::static_addrspace_cast does without the test.
template <access::address_space Space, access::decorated DecorateAddress, class ElementType>
multi_ptr<ElementType, Space, DecorateAddress> address_space_cast(ElementType* pointer) noexcept {
  if constexpr (Space != access::address_space::generic_space &&
                Space != access::address_space::constant_space) {
    constexpr access::address_space tested =
        detail::is_part_of_global_space(Space) ? access::address_space::global_space : Space;
    if (!__falx_lies_in_address_space(const_cast<const std::remove_cv_t<ElementType>*>(pointer),
                                      static_cast<std::uint32_t>(tested)))
      return multi_ptr<ElementType, Space, DecorateAddress>();
  }
  return multi_ptr<ElementType, Space, DecorateAddress>(pointer);
}

/// Deprecated: address_space_cast. That of SYCL 1.2.1, without DecorateAddress, gives what its multi_ptr was.
template <class ElementType, access::address_space Space,
          access::decorated DecorateAddress = access::decorated::legacy>
multi_ptr<ElementType, Space, DecorateAddress> make_ptr(ElementType* pointer) noexcept {
  return address_space_cast<Space, DecorateAddress>(pointer);
}

} // namespace sycl
