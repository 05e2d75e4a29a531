// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/detail/reduction_slot.hpp"
#include "sycl/reducer.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// What sycl::reduction returns, and its parts that kernels carry.

namespace sycl::detail {

/// One reduction of a kernel. \p Destination is a pointer or an accessor. Trivially copyable.
template <class T, class BinaryOperation, int Dimensions, std::size_t Extent, identity_source Source,
          class Destination>
struct reduction_descriptor {
  using value_type = T;
  using identity_type = reduction_identity<T, BinaryOperation, Source>;
  using slot_type = reduction_slot<T, identity_type::exists>;
  using reducer_type = reducer<T, BinaryOperation, Dimensions, Extent, Source>;
  static constexpr std::size_t extent = Extent;
  static constexpr bool has_identity = identity_type::exists;

  Destination destination;
  BinaryOperation operation;
  identity_type identity;
  /// False for property::reduction::initialize_to_identity.
  bool keeps_original;
  /// Extent slots per group, one group behind the other; set when the kernel is launched.
  slot_type* partials;

  /// Storage of one work-item.
  struct lane {
    slot_type slots[Extent];
  };

  void reset(slot_type& slot) const {
    if constexpr (has_identity)
      slot.value = identity.get();
    else
      slot.is_full = false;
  }
  void reset(lane& storage) const {
    for (std::size_t i = 0; i < Extent; ++i)
      reset(storage.slots[i]);
  }
  void merge(lane& into, const lane& from) const {
    for (std::size_t i = 0; i < Extent; ++i)
      into.slots[i].merge(operation, from.slots[i]);
  }
  reducer_type make_reducer(lane& storage) const {
    return reducer_access::make<reducer_type>(storage.slots[0], operation, identity);
  }

  /// Puts the result for one element together with what the variable held.
  void store(std::size_t element, const slot_type& result) const {
    T& variable = address()[element];
    const T& combined = result.value;
    if constexpr (has_identity)
      variable = keeps_original ? static_cast<T>(operation(variable, combined)) : combined;
    else if (result.is_full)
      variable = static_cast<T>(operation(variable, combined));
  }

private:
  T* address() const {
    if constexpr (std::is_pointer_v<Destination>)
      return destination;
    else
      return destination.template get_multi_ptr<access::decorated::no>().get_raw();
  }
};

template <class T>
inline constexpr bool is_reduction_descriptor = false;
template <class T, class BinaryOperation, int Dimensions, std::size_t Extent, identity_source Source,
          class Destination>
inline constexpr bool is_reduction_descriptor<
    reduction_descriptor<T, BinaryOperation, Dimensions, Extent, Source, Destination>> = true;

} // namespace sycl::detail
