// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/detail/elementwise.hpp"
#include "sycl/detail/elementwise_operators.hpp"
#include "sycl/detail/vec_convert.hpp"
#include "sycl/detail/vec_names.hpp"
#include "sycl/detail/vec_swizzle.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sycl {

/// Names of the indexes given to vec::swizzle (SYCL 2020 §4.14.2.3).
struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3;
  static constexpr int r = 0, g = 1, b = 2, a = 3;
  static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
  static constexpr int s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14, sF = 15;
};

namespace detail {

/// That of a vec, in bytes; 1 for numbers of elements that no vec has, which it says itself.
constexpr std::size_t vec_alignment(std::size_t element, int elements) noexcept {
  if (elements != 1 && elements != 2 && elements != 3 && elements != 4 && elements != 8 && elements != 16)
    return 1;
  const std::size_t size = element * static_cast<std::size_t>(elements == 3 ? 4 : elements);
  return size < 64 ? size : 64;
}

} // namespace detail

/// A short vector for mathematics (SYCL 2020 §4.14.2): 1, 2, 3, 4, 8 or 16 elements of an arithmetic type,
/// half, sycl::ext::oneapi::bfloat16 or std::byte, in consecutive memory, aligned to its size but to 64 bytes
/// at most; three elements take the place of four. Operators, among them the comparisons that give a vec of
/// integers, are in detail/elementwise_operators.hpp; they are written per element, as device code is
/// vectorised across work-items, and within one work-item by the compiler.
template <class DataT, int NumElements>
class alignas(detail::vec_alignment(sizeof(DataT), NumElements)) vec
    : public detail::elementwise::operators,
      public detail::elementwise::named_elements<vec<DataT, NumElements>, NumElements> {
  static_assert(NumElements == 1 || NumElements == 2 || NumElements == 3 || NumElements == 4 ||
                    NumElements == 8 || NumElements == 16,
                "a sycl::vec has 1, 2, 3, 4, 8 or 16 elements");
  static_assert(std::is_same_v<DataT, std::remove_cv_t<DataT>> &&
                    (std::is_arithmetic_v<DataT> || detail::is_floating<DataT> ||
                     std::is_same_v<DataT, std::byte>),
                "the elements of a sycl::vec are of an arithmetic type, sycl::half, bfloat16 or std::byte");
  using all_indexes = std::make_index_sequence<NumElements>;

  /// How many elements of a new vec an argument of its constructor gives; far too many if it is unsuitable.
  template <class Arg>
  static constexpr int elements_of() {
    if constexpr (detail::shape<Arg>::family == detail::element_family::vec &&
                  std::is_same_v<typename detail::shape<Arg>::element, DataT>)
      return detail::shape<Arg>::size;
    else
      return std::is_convertible_v<const Arg&, DataT> ? 1 : 1000;
  }

public:
  using element_type = DataT;
  using value_type = DataT;

  vec() = default;

  /// Every element is \p arg.
  template <int N = NumElements, std::enable_if_t<(N > 1), int> = 0>
  explicit constexpr vec(const DataT& arg) : vec(arg, all_indexes{}) {}
  template <int N = NumElements, std::enable_if_t<N == 1, int> = 0>
  constexpr vec(const DataT& arg) : data_{arg} {}
  template <class E, int I,
            std::enable_if_t<NumElements == 1 && std::is_same_v<std::remove_const_t<E>, DataT>, int> = 0>
  constexpr vec(const detail::elementwise::swizzled_vec<E, I>& arg) : data_{arg[0]} {}

  /// The elements of scalars, vectors and swizzles, one after the other.
  template <class... ArgTN,
            std::enable_if_t<(NumElements > 1) && (elements_of<ArgTN>() + ... + 0) == NumElements, int> = 0>
  constexpr vec(const ArgTN&... args) : data_{} {
    int position = 0;
    (put(position, args), ...);
  }

  constexpr operator detail::conversion_if<NumElements == 1, DataT>() const { return data_[0]; }
  template <class T, std::enable_if_t<NumElements == 1 && detail::explicitly_converts<DataT, T>, int> = 0>
  explicit constexpr operator T() const {
    return static_cast<T>(data_[0]);
  }

  static constexpr std::size_t byte_size() noexcept { return sizeof(vec); }
  static constexpr std::size_t size() noexcept { return NumElements; }
  [[deprecated("use byte_size()")]] static constexpr std::size_t get_size() noexcept { return byte_size(); }
  [[deprecated("use size()")]] static constexpr std::size_t get_count() noexcept { return size(); }

  /// Each element converted to ConvertT and rounded as told (§4.14.2.5).
  template <class ConvertT, rounding_mode RoundingMode = rounding_mode::automatic>
  vec<ConvertT, NumElements> convert() const {
    return detail::map<detail::shape<vec>, ConvertT>(
        [](const DataT& value) { return detail::convert_element<ConvertT, RoundingMode>(value); }, *this);
  }
  /// The same bytes as another type of the same size.
  template <class AsT>
  constexpr AsT as() const {
    return sycl::bit_cast<AsT>(*this);
  }

  template <int... swizzleIndexes>
  constexpr detail::elementwise::swizzled_vec<DataT, swizzleIndexes...> swizzle() {
    check_swizzle<swizzleIndexes...>();
    return detail::elementwise::swizzled_vec<DataT, swizzleIndexes...>(data_);
  }
  template <int... swizzleIndexes>
  constexpr detail::elementwise::swizzled_vec<const DataT, swizzleIndexes...> swizzle() const {
    check_swizzle<swizzleIndexes...>();
    return detail::elementwise::swizzled_vec<const DataT, swizzleIndexes...>(data_);
  }

  /// Reads NumElements elements from \p ptr[offset * NumElements] on; the pointer need only be aligned to
  /// DataT.
  void load(std::size_t offset, const DataT* ptr) {
    __builtin_memcpy(data_, ptr + offset * NumElements, NumElements * sizeof(DataT));
  }
  template <access::address_space AddressSpace, access::decorated IsDecorated>
  void load(std::size_t offset, multi_ptr<const DataT, AddressSpace, IsDecorated> ptr) {
    load(offset, ptr.get_raw());
  }
  template <access::address_space AddressSpace, access::decorated IsDecorated>
  void load(std::size_t offset, multi_ptr<DataT, AddressSpace, IsDecorated> ptr) {
    load(offset, ptr.get_raw());
  }
  /// Writes NumElements elements to \p ptr[offset * NumElements] on.
  void store(std::size_t offset, DataT* ptr) const {
    __builtin_memcpy(ptr + offset * NumElements, data_, NumElements * sizeof(DataT));
  }
  template <access::address_space AddressSpace, access::decorated IsDecorated>
  void store(std::size_t offset, multi_ptr<DataT, AddressSpace, IsDecorated> ptr) const {
    store(offset, ptr.get_raw());
  }

  constexpr DataT& operator[](int index) { return data_[index]; }
  constexpr const DataT& operator[](int index) const { return data_[index]; }

  template <class T, std::enable_if_t<std::is_convertible_v<const T&, DataT>, int> = 0>
  constexpr vec& operator=(const T& rhs) {
    return *this = vec(static_cast<DataT>(rhs));
  }

private:
  template <class, int>
  friend class detail::elementwise::named_elements;

  template <std::size_t... I>
  constexpr vec(const DataT& value, std::index_sequence<I...>) : data_{(static_cast<void>(I), value)...} {}

  template <class Arg>
  constexpr void put(int& position, const Arg& arg) {
    if constexpr (detail::shape<Arg>::family == detail::element_family::vec &&
                  std::is_same_v<typename detail::shape<Arg>::element, DataT>)
      put_each(position, arg, std::make_index_sequence<detail::shape<Arg>::size>{});
    else
      data_[position++] = static_cast<DataT>(arg);
  }
  template <class Arg, std::size_t... I>
  constexpr void put_each(int& position, const Arg& arg, std::index_sequence<I...>) {
    ((data_[position++] = arg[I]), ...);
  }

  template <int... I>
  static constexpr void check_swizzle() {
    constexpr int count = sizeof...(I);
    static_assert(count == 1 || count == 2 || count == 3 || count == 4 || count == 8 || count == 16,
                  "a swizzle has 1, 2, 3, 4, 8 or 16 elements");
    static_assert(((I >= 0 && I < NumElements) && ...),
                  "a swizzle names an element that the vec does not have");
  }
  template <int I>
  constexpr DataT& element() {
    return data_[I];
  }
  template <int I>
  constexpr const DataT& element() const {
    return data_[I];
  }
  /// Elements of the vec, or the padding that follows the third of three.
  template <int... I>
  constexpr auto swizzle_or_padding() {
    return detail::elementwise::swizzled_vec<DataT, I...>(data_);
  }
  template <int... I>
  constexpr auto swizzle_or_padding() const {
    return detail::elementwise::swizzled_vec<const DataT, I...>(data_);
  }

  DataT data_[NumElements == 3 ? 4 : NumElements];
};

template <class T, class... U, class = std::enable_if_t<(std::is_same_v<T, U> && ...)>>
vec(T, U...) -> vec<T, static_cast<int>(sizeof...(U)) + 1>;

} // namespace sycl
