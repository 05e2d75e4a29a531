// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/group_merge_sort.hpp"
#include "sycl/device.hpp"
#include "sycl/ext/oneapi/experimental/data_placement.hpp"
#include "sycl/ext/oneapi/experimental/group_with_scratchpad.hpp"
#include "sycl/memory_enums.hpp"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

/// \file
/// The sorters of SYCL extension sycl_ext_oneapi_group_sort. All merge (group_merge_sort.hpp), and are
/// stable.

namespace sycl::ext::oneapi::experimental {

enum class sorting_order { ascending, descending };

namespace detail {

/// std::less<>, which a large header declares.
struct less {
  template <class T, class U>
  constexpr bool operator()(const T& x, const U& y) const {
    return x < y;
  }
};

/// Bytes for two arrays of \p count elements: one is sorted into the other.
template <class T>
constexpr std::size_t bytes_of_two_arrays(std::size_t count) noexcept {
  return 2 * count * sizeof(T) + alignof(T) - 1;
}

template <class T, class U>
struct key_and_value {
  T key;
  U value;
};
template <class Compare>
struct compare_keys {
  Compare compare;
  template <class Element>
  bool operator()(const Element& x, const Element& y) const {
    return compare(x.key, y.key);
  }
};

/// Where in the order of all of a group's elements number \p i of a work-item's \p count is.
template <class Key, class Properties, class Group>
inline std::size_t sorted_element(const Group& g, std::size_t i, std::size_t count) {
  const std::size_t self = g.get_local_linear_id();
  return is_blocked<Key, Properties> ? self * count + i : i * g.get_local_linear_range() + self;
}

/// Sorts \p count elements of each work-item, which \p get(i) gives and \p set(i, element) takes.
template <class T, class Properties, class Group, class Compare, class Get, class Set>
inline void sort_placed(const Group& g, std::byte* scratch, std::size_t count, Compare comp, Get get,
                        Set set) {
  const std::size_t total = count * g.get_local_linear_range();
  T* const memory = sycl::detail::aligned_memory<T>(scratch);
  group_barrier(g);
  for (std::size_t i = 0; i < count; ++i)
    memory[sorted_element<input_data_placement_key, Properties>(g, i, count)] = get(i);
  group_barrier(g);
  const T* const sorted = sycl::detail::group_merge_sort(g, memory, memory + total, total, comp);
  for (std::size_t i = 0; i < count; ++i)
    set(i, sorted[sorted_element<output_data_placement_key, Properties>(g, i, count)]);
  group_barrier(g);
}

template <class T, class Group, class Ptr, class Compare>
inline void sort_range(const Group& g, std::byte* scratch, Ptr first, Ptr last, Compare comp) {
  const std::size_t count = static_cast<std::size_t>(last - first);
  const std::size_t self = g.get_local_linear_id();
  const std::size_t step = g.get_local_linear_range();
  T* const memory = sycl::detail::aligned_memory<T>(scratch);
  group_barrier(g);
  for (std::size_t i = self; i < count; i += step)
    memory[i] = first[static_cast<std::ptrdiff_t>(i)];
  group_barrier(g);
  const T* const sorted = sycl::detail::group_merge_sort(g, memory, memory + count, count, comp);
  for (std::size_t i = self; i < count; i += step)
    first[static_cast<std::ptrdiff_t>(i)] = sorted[i];
  group_barrier(g);
}

template <class T, class Compare, std::size_t ElementsPerWorkItem>
class value_sorter {
public:
  value_sorter(std::byte* scratch, Compare comp) : scratch_(scratch), comp_(comp) {}

  template <class Group, std::enable_if_t<is_group_v<Group>, int> = 0>
  T operator()(Group g, T value) {
    sort_placed<T, empty_properties_t>(
        g, scratch_, 1, comp_, [&](std::size_t) { return value; },
        [&](std::size_t, const T& sorted) { value = sorted; });
    return value;
  }
  template <class Group, class Properties, std::enable_if_t<is_group_v<Group>, int> = 0>
  void operator()(Group g, span<T, ElementsPerWorkItem> values, Properties) {
    sort_placed<T, Properties>(
        g, scratch_, ElementsPerWorkItem, comp_, [&](std::size_t i) { return values[i]; },
        [&](std::size_t i, const T& sorted) { values[i] = sorted; });
  }

private:
  std::byte* scratch_;
  Compare comp_;
};

template <class T, class U, class Compare, std::size_t ElementsPerWorkItem>
class key_value_sorter {
public:
  key_value_sorter(std::byte* scratch, Compare comp) : scratch_(scratch), comp_{comp} {}

  template <class Group, std::enable_if_t<is_group_v<Group>, int> = 0>
  std::tuple<T, U> operator()(Group g, T key, U value) {
    sort_placed<element, empty_properties_t>(
        g, scratch_, 1, comp_, [&](std::size_t) { return element{key, value}; },
        [&](std::size_t, const element& sorted) {
          key = sorted.key;
          value = sorted.value;
        });
    return {key, value};
  }
  template <class Group, class Properties, std::enable_if_t<is_group_v<Group>, int> = 0>
  void operator()(Group g, span<T, ElementsPerWorkItem> keys, span<U, ElementsPerWorkItem> values,
                  Properties) {
    sort_placed<element, Properties>(
        g, scratch_, ElementsPerWorkItem, comp_, [&](std::size_t i) { return element{keys[i], values[i]}; },
        [&](std::size_t i, const element& sorted) {
          keys[i] = sorted.key;
          values[i] = sorted.value;
        });
  }

private:
  using element = key_and_value<T, U>;
  std::byte* scratch_;
  compare_keys<Compare> comp_;
};

/// Compares what \p mask leaves of the bits of numbers, in an order of bits that is that of the numbers.
template <class T, sorting_order Order>
struct compare_bits {
  static_assert(std::numeric_limits<T>::is_specialized && sizeof(T) <= 8,
                "radix sorters sort numbers; use a default sorter with a comparison");
  using bits =
      std::conditional_t<sizeof(T) == 8, std::uint64_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t,
                                            std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
  std::uint64_t mask;

  bits ordered(const T& x) const {
    constexpr bits sign = static_cast<bits>(bits(1) << (sizeof(T) * 8 - 1));
    bits result;
    __builtin_memcpy(&result, &x, sizeof(T));
    if constexpr (!std::numeric_limits<T>::is_integer)
      result = static_cast<bits>((result & sign) != 0 ? ~result : result | sign);
    else if constexpr (std::numeric_limits<T>::is_signed)
      result = static_cast<bits>(result ^ sign);
    return static_cast<bits>(result & mask);
  }
  bool operator()(const T& x, const T& y) const {
    return Order == sorting_order::ascending ? ordered(x) < ordered(y) : ordered(y) < ordered(x);
  }
};

template <class T>
using bit_mask = std::bitset<sizeof(T) * 8>;

} // namespace detail

/// By comparison.
namespace default_sorters {

template <class Compare = detail::less>
class joint_sorter {
public:
  template <std::size_t Extent>
  explicit joint_sorter(span<std::byte, Extent> scratch, Compare comp = {})
      : scratch_(scratch.data()), comp_(comp) {}

  template <class Group, class Ptr, std::enable_if_t<is_group_v<Group>, int> = 0>
  void operator()(Group g, Ptr first, Ptr last) {
    detail::sort_range<std::remove_cv_t<std::remove_reference_t<decltype(*first)>>>(g, scratch_, first, last,
                                                                                    comp_);
  }

  /// Bytes of scratch memory to sort \p range_size elements. The group and the device do not matter.
  template <class T>
  static std::size_t memory_required(const device&, memory_scope, std::size_t range_size) {
    return detail::bytes_of_two_arrays<T>(range_size);
  }
  template <class T>
  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) {
    return detail::bytes_of_two_arrays<T>(range_size);
  }

private:
  std::byte* scratch_;
  Compare comp_;
};

template <class T, class Compare = detail::less, std::size_t ElementsPerWorkItem = 1>
class group_sorter : public detail::value_sorter<T, Compare, ElementsPerWorkItem> {
public:
  template <std::size_t Extent>
  explicit group_sorter(span<std::byte, Extent> scratch, Compare comp = {})
      : detail::value_sorter<T, Compare, ElementsPerWorkItem>(scratch.data(), comp) {}

  /// Bytes of scratch memory for a group of \p range_size work-items.
  static std::size_t memory_required(const device&, memory_scope, std::size_t range_size) {
    return detail::bytes_of_two_arrays<T>(range_size * ElementsPerWorkItem);
  }
};

template <class T, class U, class Compare = detail::less, std::size_t ElementsPerWorkItem = 1>
class group_key_value_sorter : public detail::key_value_sorter<T, U, Compare, ElementsPerWorkItem> {
public:
  template <std::size_t Extent>
  explicit group_key_value_sorter(span<std::byte, Extent> scratch, Compare comp = {})
      : detail::key_value_sorter<T, U, Compare, ElementsPerWorkItem>(scratch.data(), comp) {}

  static std::size_t memory_required(const device&, memory_scope, std::size_t range_size) {
    return detail::bytes_of_two_arrays<detail::key_and_value<T, U>>(range_size * ElementsPerWorkItem);
  }
};

} // namespace default_sorters

/// By the bits of numbers that a mask leaves. BitsPerPass is a hint.
namespace radix_sorters {

template <class T, sorting_order Order = sorting_order::ascending, unsigned BitsPerPass = 4>
class joint_sorter {
public:
  template <std::size_t Extent>
  explicit joint_sorter(span<std::byte, Extent> scratch,
                        detail::bit_mask<T> mask = detail::bit_mask<T>(~0ull))
      : scratch_(scratch.data()), comp_{mask.to_ullong()} {}

  template <class Group, class Ptr, std::enable_if_t<is_group_v<Group>, int> = 0>
  void operator()(Group g, Ptr first, Ptr last) {
    detail::sort_range<T>(g, scratch_, first, last, comp_);
  }

  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) {
    return detail::bytes_of_two_arrays<T>(range_size);
  }

private:
  std::byte* scratch_;
  detail::compare_bits<T, Order> comp_;
};

template <class T, sorting_order Order = sorting_order::ascending, std::size_t ElementsPerWorkItem = 1,
          unsigned BitsPerPass = 4>
class group_sorter : public detail::value_sorter<T, detail::compare_bits<T, Order>, ElementsPerWorkItem> {
public:
  template <std::size_t Extent>
  explicit group_sorter(span<std::byte, Extent> scratch,
                        detail::bit_mask<T> mask = detail::bit_mask<T>(~0ull))
      : detail::value_sorter<T, detail::compare_bits<T, Order>, ElementsPerWorkItem>(scratch.data(),
                                                                                     {mask.to_ullong()}) {}

  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) {
    return detail::bytes_of_two_arrays<T>(range_size * ElementsPerWorkItem);
  }
};

template <class T, class U, sorting_order Order = sorting_order::ascending,
          std::size_t ElementsPerWorkItem = 1, unsigned BitsPerPass = 4>
class group_key_value_sorter
    : public detail::key_value_sorter<T, U, detail::compare_bits<T, Order>, ElementsPerWorkItem> {
public:
  template <std::size_t Extent>
  explicit group_key_value_sorter(span<std::byte, Extent> scratch,
                                  detail::bit_mask<T> mask = detail::bit_mask<T>(~0ull))
      : detail::key_value_sorter<T, U, detail::compare_bits<T, Order>, ElementsPerWorkItem>(
            scratch.data(), {mask.to_ullong()}) {}

  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) {
    return detail::bytes_of_two_arrays<detail::key_and_value<T, U>>(range_size * ElementsPerWorkItem);
  }
};

} // namespace radix_sorters
} // namespace sycl::ext::oneapi::experimental
