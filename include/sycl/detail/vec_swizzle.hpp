// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/bit_cast.hpp"
#include "sycl/detail/elementwise.hpp"
#include "sycl/detail/elementwise_operators.hpp"
#include "sycl/detail/vec_convert.hpp"
#include "sycl/detail/vec_names.hpp"

#include <cstddef>
#include <type_traits>

namespace sycl {
template <class ElementType, access::address_space Space, access::decorated DecorateAddress>
class multi_ptr;
} // namespace sycl

namespace sycl::detail {

/// Whether a vector of one T has an explicit conversion to U beside the implicit one to T.
template <class T, class U, class = void>
constexpr bool explicitly_converts = false;
template <class T, class U>
constexpr bool explicitly_converts<T, U, std::void_t<decltype(static_cast<U>(std::declval<const T&>()))>> =
    !std::is_same_v<T, U> && !has_elements<U>;

namespace elementwise {

/// Bases of swizzles, by whether they can be assigned to.
template <bool Assignable>
struct assignability {};
template <>
struct assignability<false> {
  constexpr assignability() = default;
  assignability& operator=(const assignability&) = delete;
};

/// A view of elements of a vec, in an order and with repetitions that the type tells (SYCL 2020 §4.14.2.4):
/// the specification's __writeable_swizzle__, and with a const Element its __const_swizzle__. Reading
/// evaluates the swizzle; writing changes the vec behind it. Lives no longer than that vec.
template <class Element, int... Indexes>
class swizzled_vec : public operators,
                     public named_elements<swizzled_vec<Element, Indexes...>, sizeof...(Indexes)>,
                     private assignability<!std::is_const_v<Element> && all_different<Indexes...>()> {
  using DataT = std::remove_const_t<Element>;
  static constexpr int NumElements = sizeof...(Indexes);
  using vec_type = vec<DataT, NumElements>;
  static constexpr int indexes[] = {Indexes...};
  static constexpr bool writable = !std::is_const_v<Element> && all_different<Indexes...>();
  struct unassignable {};

public:
  using element_type = DataT;
  using value_type = DataT;

  swizzled_vec() = delete;
  swizzled_vec(const swizzled_vec&) = delete;

  constexpr operator vec_type() const { return evaluate(std::make_index_sequence<NumElements>{}); }
  constexpr operator conversion_if<NumElements == 1, DataT>() const { return element<0>(); }
  template <class T, std::enable_if_t<NumElements == 1 && explicitly_converts<DataT, T>, int> = 0>
  explicit constexpr operator T() const {
    return static_cast<T>(element<0>());
  }

  static constexpr std::size_t byte_size() noexcept { return sizeof(vec_type); }
  static constexpr std::size_t size() noexcept { return NumElements; }
  [[deprecated("use byte_size()")]] constexpr std::size_t get_size() const { return byte_size(); }
  [[deprecated("use size()")]] constexpr std::size_t get_count() const { return size(); }

  template <class ConvertT, rounding_mode RoundingMode = rounding_mode::automatic>
  vec<ConvertT, NumElements> convert() const {
    return vec_type(*this).template convert<ConvertT, RoundingMode>();
  }
  template <class AsT>
  constexpr AsT as() const {
    return vec_type(*this).template as<AsT>();
  }

  /// The composition of this swizzle and another one of its elements.
  template <int... I>
  constexpr swizzled_vec<Element, indexes[I]...> swizzle() const {
    return swizzled_vec<Element, indexes[I]...>(data_);
  }

  constexpr Element& operator[](int index) const { return data_[indexes[index]]; }

  template <bool Writable = writable, std::enable_if_t<Writable, int> = 0>
  void load(std::size_t offset, const DataT* pointer) const {
    vec_type loaded;
    loaded.load(offset, pointer);
    *this = loaded;
  }
  template <access::address_space AddressSpace, access::decorated IsDecorated, bool Writable = writable,
            std::enable_if_t<Writable, int> = 0>
  void load(std::size_t offset, multi_ptr<const DataT, AddressSpace, IsDecorated> pointer) const {
    load(offset, pointer.get_raw());
  }
  template <access::address_space AddressSpace, access::decorated IsDecorated, bool Writable = writable,
            std::enable_if_t<Writable, int> = 0>
  void load(std::size_t offset, multi_ptr<DataT, AddressSpace, IsDecorated> pointer) const {
    load(offset, pointer.get_raw());
  }
  void store(std::size_t offset, DataT* pointer) const { vec_type(*this).store(offset, pointer); }
  template <access::address_space AddressSpace, access::decorated IsDecorated>
  void store(std::size_t offset, multi_ptr<DataT, AddressSpace, IsDecorated> pointer) const {
    store(offset, pointer.get_raw());
  }

  // Not of swizzles that are read-only or name an element twice.
  constexpr const swizzled_vec&
  operator=(std::conditional_t<writable, const swizzled_vec&, unassignable> rhs) const {
    return *this = vec_type(rhs);
  }
  template <
      class E, int... I,
      std::enable_if_t<
          writable && std::is_same_v<std::remove_const_t<E>, DataT> && sizeof...(I) == NumElements, int> = 0>
  constexpr const swizzled_vec& operator=(const swizzled_vec<E, I...>& rhs) const {
    return *this = vec_type(rhs);
  }
  template <bool Writable = writable, std::enable_if_t<Writable, int> = 0>
  constexpr const swizzled_vec& operator=(const DataT& rhs) const {
    const DataT value = rhs; // rhs may be an element of the same vec
    ((data_[Indexes] = value), ...);
    return *this;
  }
  template <bool Writable = writable, std::enable_if_t<Writable, int> = 0>
  constexpr const swizzled_vec& operator=(const vec_type& rhs) const {
    assign(vec_type(rhs), std::make_index_sequence<NumElements>{});
    return *this;
  }

private:
  template <class, int>
  friend class sycl::vec;
  template <class, int...>
  friend class swizzled_vec;
  template <class, int>
  friend class named_elements;

  explicit constexpr swizzled_vec(Element* data) : data_(data) {}

  template <int I>
  constexpr Element& element() const {
    return data_[indexes[I]];
  }
  /// The fourth of three elements is undefined: the last one is as good as any to read, and being there twice
  /// it cannot be assigned to.
  template <int... I>
  constexpr auto swizzle_or_padding() const {
    return swizzle<(I < NumElements ? I : NumElements - 1)...>();
  }
  template <std::size_t... I>
  constexpr vec_type evaluate(std::index_sequence<I...>) const {
    vec_type result{};
    ((result[I] = data_[Indexes]), ...);
    return result;
  }
  template <std::size_t... I>
  constexpr void assign(const vec_type& value, std::index_sequence<I...>) const {
    ((data_[Indexes] = value[I]), ...);
  }

  Element* data_;
};

} // namespace elementwise
} // namespace sycl::detail
