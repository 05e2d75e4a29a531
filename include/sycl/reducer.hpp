// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/reduction_slot.hpp"
#include "sycl/functional.hpp"

#include <cstddef>
#include <type_traits>

namespace sycl {

namespace detail {

struct reducer_access;

/// Identity of a reduction, as small as its source allows.
template <class T, class BinaryOperation, identity_source Source>
struct reduction_identity {
  static constexpr bool exists = Source == identity_source::known;
  T get() const { return identity_of<BinaryOperation, T>(); }
};
template <class T, class BinaryOperation>
struct reduction_identity<T, BinaryOperation, identity_source::given> {
  static constexpr bool exists = true;
  T value;
  T get() const { return value; }
};

} // namespace detail

/// What a kernel combines its contributions into (SYCL 2020 §4.9.2.3). It points to storage that the launch
/// sets up for the work-item; the last two template arguments are Falx's own.
template <class T, class BinaryOperation, int Dimensions, std::size_t Extent = 1,
          detail::identity_source Source = detail::identity_source::known>
class reducer;

/// The reducer of a scalar, or of one element of an array reduction.
template <class T, class BinaryOperation, std::size_t Extent, detail::identity_source Source>
class reducer<T, BinaryOperation, 0, Extent, Source> {
  using identity_type = detail::reduction_identity<T, BinaryOperation, Source>;
  using slot_type = detail::reduction_slot<T, identity_type::exists>;
  using element_type = typename detail::accumulator_element<T>::type;
  static constexpr bool counts_in_integers =
      std::is_integral_v<element_type> && !std::is_same_v<element_type, bool>;

public:
  using value_type = T;
  using binary_operation = BinaryOperation;
  static constexpr int dimensions = 0;

  reducer(const reducer&) = delete;
  reducer(reducer&&) = delete;
  reducer& operator=(const reducer&) = delete;
  reducer& operator=(reducer&&) = delete;

  reducer& combine(const T& partial) {
    slot_.combine(operation_, partial);
    return *this;
  }

  template <class I = identity_type, std::enable_if_t<I::exists, int> = 0>
  T identity() const {
    return identity_.get();
  }

  // The specification's friends are members here, as elements of array reductions are temporaries.
  template <class Op = BinaryOperation, std::enable_if_t<detail::is_operation<plus, Op, T>, int> = 0>
  reducer& operator+=(const T& partial) {
    return combine(partial);
  }
  template <class Op = BinaryOperation, std::enable_if_t<detail::is_operation<multiplies, Op, T>, int> = 0>
  reducer& operator*=(const T& partial) {
    return combine(partial);
  }
  template <class Op = BinaryOperation, std::enable_if_t<detail::is_operation<bit_and, Op, T>, int> = 0>
  reducer& operator&=(const T& partial) {
    return combine(partial);
  }
  template <class Op = BinaryOperation, std::enable_if_t<detail::is_operation<bit_or, Op, T>, int> = 0>
  reducer& operator|=(const T& partial) {
    return combine(partial);
  }
  template <class Op = BinaryOperation, std::enable_if_t<detail::is_operation<bit_xor, Op, T>, int> = 0>
  reducer& operator^=(const T& partial) {
    return combine(partial);
  }
  // Of vectors too, which the specification leaves out.
  template <class Op = BinaryOperation,
            std::enable_if_t<detail::is_operation<plus, Op, T> && counts_in_integers, int> = 0>
  reducer& operator++() {
    return combine(T(1));
  }
  template <class Op = BinaryOperation,
            std::enable_if_t<detail::is_operation<plus, Op, T> && counts_in_integers, int> = 0>
  void operator++(int) {
    combine(T(1));
  }

private:
  friend detail::reducer_access;
  template <class, class, int, std::size_t, detail::identity_source>
  friend class reducer;
  reducer(slot_type& slot, const BinaryOperation& operation, const identity_type& identity)
      : slot_(slot), operation_(operation), identity_(identity) {}

  slot_type& slot_;
  const BinaryOperation& operation_;
  const identity_type& identity_;
};

/// The reducer of an array.
template <class T, class BinaryOperation, std::size_t Extent, detail::identity_source Source>
class reducer<T, BinaryOperation, 1, Extent, Source> {
  using identity_type = detail::reduction_identity<T, BinaryOperation, Source>;
  using slot_type = detail::reduction_slot<T, identity_type::exists>;

public:
  using value_type = T;
  using binary_operation = BinaryOperation;
  static constexpr int dimensions = 1;

  reducer(const reducer&) = delete;
  reducer(reducer&&) = delete;
  reducer& operator=(const reducer&) = delete;
  reducer& operator=(reducer&&) = delete;

  /// The scalar reducer of one element.
  reducer<T, BinaryOperation, 0, 1, Source> operator[](std::size_t index) const {
    return reducer<T, BinaryOperation, 0, 1, Source>(slots_[index], operation_, identity_);
  }

  template <class I = identity_type, std::enable_if_t<I::exists, int> = 0>
  T identity() const {
    return identity_.get();
  }

private:
  friend detail::reducer_access;
  reducer(slot_type& slots, const BinaryOperation& operation, const identity_type& identity)
      : slots_(&slots), operation_(operation), identity_(identity) {}

  slot_type* slots_;
  const BinaryOperation& operation_;
  const identity_type& identity_;
};

namespace detail {

/// Makes reducers on behalf of launches.
struct reducer_access {
  template <class Reducer, class Slot, class Operation, class Identity>
  static Reducer make(Slot& first_slot, const Operation& operation, const Identity& identity) {
    return Reducer(first_slot, operation, identity);
  }
};

} // namespace detail
} // namespace sycl
