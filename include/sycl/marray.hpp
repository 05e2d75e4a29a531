// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/elementwise.hpp"
#include "sycl/detail/elementwise_operators.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sycl {

/// A contiguous container of a fixed number of numbers, with elementwise operators (SYCL 2020 §4.14.3). Laid
/// out as std::array; comparisons give an marray of bool. The operators are in
/// detail/elementwise_operators.hpp.
template <class DataT, std::size_t NumElements>
class marray : public detail::elementwise::operators {
  static_assert(NumElements > 0, "a sycl::marray has at least one element");
  using all_indexes = std::make_index_sequence<NumElements>;

  template <class Arg>
  static constexpr bool is_part = detail::shape<Arg>::family == detail::element_family::marray &&
                                  std::is_same_v<typename detail::shape<Arg>::element, DataT>;
  template <class Arg>
  static constexpr std::size_t elements_of() {
    if constexpr (is_part<Arg>)
      return detail::shape<Arg>::size;
    else
      return std::is_convertible_v<const Arg&, DataT> ? 1 : NumElements + 1;
  }

public:
  using value_type = DataT;
  using reference = DataT&;
  using const_reference = const DataT&;
  using iterator = DataT*;
  using const_iterator = const DataT*;

  marray() = default;

  /// Every element is \p arg.
  explicit constexpr marray(const DataT& arg) : marray(arg, all_indexes{}) {}

  /// The elements of scalars and marrays, one after the other.
  template <class... ArgTN,
            std::enable_if_t<(sizeof...(ArgTN) > 0) && (elements_of<ArgTN>() + ... + 0) == NumElements &&
                                 !(std::is_same_v<ArgTN, marray> || ...),
                             int> = 0>
  constexpr marray(const ArgTN&... args) : data_{} {
    std::size_t position = 0;
    (put(position, args), ...);
  }

  constexpr marray(const marray&) = default;
  constexpr marray(marray&&) = default;
  constexpr marray& operator=(const marray&) = default;
  constexpr marray& operator=(marray&&) = default;
  constexpr marray& operator=(const DataT& rhs) { return *this = marray(rhs); }

  constexpr operator detail::conversion_if<NumElements == 1, DataT>() const { return data_[0]; }

  static constexpr std::size_t size() noexcept { return NumElements; }

  constexpr reference operator[](std::size_t index) { return data_[index]; }
  constexpr const_reference operator[](std::size_t index) const { return data_[index]; }

  constexpr iterator begin() { return data_; }
  constexpr const_iterator begin() const { return data_; }
  constexpr iterator end() { return data_ + NumElements; }
  constexpr const_iterator end() const { return data_ + NumElements; }

private:
  template <std::size_t... I>
  constexpr marray(const DataT& value, std::index_sequence<I...>) : data_{(static_cast<void>(I), value)...} {}

  template <class Arg>
  constexpr void put(std::size_t& position, const Arg& arg) {
    if constexpr (is_part<Arg>)
      put_each(position, arg, std::make_index_sequence<detail::shape<Arg>::size>{});
    else
      data_[position++] = static_cast<DataT>(arg);
  }
  template <class Arg, std::size_t... I>
  constexpr void put_each(std::size_t& position, const Arg& arg, std::index_sequence<I...>) {
    ((data_[position++] = arg[I]), ...);
  }

  DataT data_[NumElements];
};

template <class T, class... U, class = std::enable_if_t<(std::is_same_v<T, U> && ...)>>
marray(T, U...) -> marray<T, sizeof...(U) + 1>;

} // namespace sycl
