// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/accessor.hpp"
#include "sycl/detail/group_synchronization.hpp"
#include "sycl/detail/group_traits.hpp"
#include "sycl/detail/prefetch_lines.hpp"
#include "sycl/ext/oneapi/properties/properties.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/multi_ptr.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// SYCL extension sycl_ext_oneapi_prefetch: hints that data in global memory will be read soon.

namespace sycl::ext::oneapi::experimental {

/// L1 is the one nearest to the work-items. A device with fewer levels takes the last one it has.
enum class cache_level { L1, L2, L3, L4 };

/// The hint that data will not be used again.
struct nontemporal;

/// To which level of the cache a prefetch goes; L1 if a list does not say.
struct prefetch_hint_key {
  template <cache_level Level, typename Hint>
  using value_t = property_value<prefetch_hint_key, std::integral_constant<cache_level, Level>, Hint>;
};

template <cache_level Level, typename Hint>
struct property_value<prefetch_hint_key, std::integral_constant<cache_level, Level>, Hint> {
  static_assert(std::is_void_v<Hint> || std::is_same_v<Hint, nontemporal>,
                "the second argument of prefetch_hint is void or nontemporal");
  using key_t = prefetch_hint_key;
  static constexpr cache_level level = Level;
  using hint_t = Hint;
};

template <>
struct is_property_key<prefetch_hint_key> : std::true_type {};

template <cache_level Level, typename Hint>
inline constexpr prefetch_hint_key::value_t<Level, Hint> prefetch_hint;
inline constexpr prefetch_hint_key::value_t<cache_level::L1, void> prefetch_hint_L1;
inline constexpr prefetch_hint_key::value_t<cache_level::L2, void> prefetch_hint_L2;
inline constexpr prefetch_hint_key::value_t<cache_level::L3, void> prefetch_hint_L3;
inline constexpr prefetch_hint_key::value_t<cache_level::L4, void> prefetch_hint_L4;
inline constexpr prefetch_hint_key::value_t<cache_level::L1, nontemporal> prefetch_hint_L1_nt;
inline constexpr prefetch_hint_key::value_t<cache_level::L2, nontemporal> prefetch_hint_L2_nt;
inline constexpr prefetch_hint_key::value_t<cache_level::L3, nontemporal> prefetch_hint_L3_nt;
inline constexpr prefetch_hint_key::value_t<cache_level::L4, nontemporal> prefetch_hint_L4_nt;

namespace detail {

template <typename Properties>
constexpr sycl::detail::prefetch_target prefetch_target_of() {
  if constexpr (std::decay_t<Properties>::template has_property<prefetch_hint_key>()) {
    using hint = decltype(std::decay_t<Properties>::template get_property<prefetch_hint_key>());
    return {static_cast<std::uint32_t>(hint::level) + 1, std::is_same_v<typename hint::hint_t, nontemporal>};
  } else {
    return {};
  }
}

template <typename Properties>
using if_properties = std::enable_if_t<is_property_list_v<std::decay_t<Properties>>, int>;
template <typename Group>
using if_prefetching_group = std::enable_if_t<is_group_v<std::decay_t<Group>>, int>;
template <access::address_space Space>
using if_prefetchable = std::enable_if_t<
    Space == access::address_space::global_space || Space == access::address_space::generic_space, int>;
template <access::address_space Space>
using if_not_prefetchable = std::enable_if_t<
    Space != access::address_space::global_space && Space != access::address_space::generic_space, int>;
template <int Dimensions, access_mode Mode>
using if_readable =
    std::enable_if_t<(Dimensions > 0) && (Mode == access_mode::read || Mode == access_mode::read_write), int>;

/// void counts as a byte.
template <typename T>
using prefetched = std::conditional_t<std::is_void_v<T>, char, T>;

template <typename T>
const void* prefetched_address(T* ptr) {
  return const_cast<const void*>(static_cast<const volatile void*>(ptr));
}

template <typename Properties, typename T>
void prefetch_elements(T* ptr, std::size_t count) {
  sycl::detail::prefetch_lines(prefetched_address(ptr), count * sizeof(prefetched<T>), alignof(prefetched<T>),
                               prefetch_target_of<Properties>());
}

template <typename Properties, typename Group, typename T>
void joint_prefetch_elements(Group g, T* ptr, std::size_t count) {
  sycl::detail::synchronize(g); // a group function, as the extension says
  sycl::detail::prefetch_share_of_lines(prefetched_address(ptr), count * sizeof(prefetched<T>),
                                        g.get_local_linear_id(), g.get_local_linear_range(),
                                        prefetch_target_of<Properties>());
}

} // namespace detail

// Functions of a single work-item. All objects have to be in global memory.

/// The line that holds the byte at \p ptr.
template <typename Properties = empty_properties_t, detail::if_properties<Properties> = 0>
void prefetch(void* ptr, Properties = {}) {
  detail::prefetch_elements<Properties>(ptr, 1);
}
template <typename Properties = empty_properties_t, detail::if_properties<Properties> = 0>
void prefetch(void* ptr, std::size_t bytes, Properties = {}) {
  detail::prefetch_elements<Properties>(ptr, bytes);
}
template <typename T, typename Properties = empty_properties_t, detail::if_properties<Properties> = 0>
void prefetch(T* ptr, Properties = {}) {
  detail::prefetch_elements<Properties>(ptr, 1);
}
template <typename T, typename Properties = empty_properties_t, detail::if_properties<Properties> = 0>
void prefetch(T* ptr, std::size_t count, Properties = {}) {
  detail::prefetch_elements<Properties>(ptr, count);
}

template <access::address_space AddressSpace, access::decorated IsDecorated,
          typename Properties = empty_properties_t, detail::if_properties<Properties> = 0,
          detail::if_prefetchable<AddressSpace> = 0>
void prefetch(multi_ptr<void, AddressSpace, IsDecorated> ptr, Properties properties = {}) {
  experimental::prefetch(ptr.get_raw(), properties);
}
template <access::address_space AddressSpace, access::decorated IsDecorated,
          typename Properties = empty_properties_t, detail::if_properties<Properties> = 0,
          detail::if_prefetchable<AddressSpace> = 0>
void prefetch(multi_ptr<void, AddressSpace, IsDecorated> ptr, std::size_t bytes, Properties properties = {}) {
  experimental::prefetch(ptr.get_raw(), bytes, properties);
}
template <typename T, access::address_space AddressSpace, access::decorated IsDecorated,
          typename Properties = empty_properties_t, detail::if_properties<Properties> = 0,
          detail::if_prefetchable<AddressSpace> = 0>
void prefetch(multi_ptr<T, AddressSpace, IsDecorated> ptr, Properties properties = {}) {
  experimental::prefetch(ptr.get_raw(), properties);
}
template <typename T, access::address_space AddressSpace, access::decorated IsDecorated,
          typename Properties = empty_properties_t, detail::if_properties<Properties> = 0,
          detail::if_prefetchable<AddressSpace> = 0>
void prefetch(multi_ptr<T, AddressSpace, IsDecorated> ptr, std::size_t count, Properties properties = {}) {
  experimental::prefetch(ptr.get_raw(), count, properties);
}

/// Pointers to other spaces would convert to void*.
template <typename T, access::address_space AddressSpace, access::decorated IsDecorated, typename... Rest,
          detail::if_not_prefetchable<AddressSpace> = 0>
void prefetch(multi_ptr<T, AddressSpace, IsDecorated> ptr, Rest...) = delete;

/// Elements that follow the one at \p offset in memory. In one dimension a number will do for an id.
template <typename DataT, int Dimensions, access_mode AccessMode, access::placeholder IsPlaceholder,
          typename Properties = empty_properties_t, detail::if_properties<Properties> = 0,
          detail::if_readable<Dimensions, AccessMode> = 0>
void prefetch(accessor<DataT, Dimensions, AccessMode, target::device, IsPlaceholder> acc,
              std::common_type_t<id<Dimensions>> offset, Properties properties = {}) {
  experimental::prefetch(&acc[offset], properties);
}
template <typename DataT, int Dimensions, access_mode AccessMode, access::placeholder IsPlaceholder,
          typename Properties = empty_properties_t, detail::if_properties<Properties> = 0,
          detail::if_readable<Dimensions, AccessMode> = 0>
void prefetch(accessor<DataT, Dimensions, AccessMode, target::device, IsPlaceholder> acc,
              std::common_type_t<id<Dimensions>> offset, std::size_t count, Properties properties = {}) {
  experimental::prefetch(&acc[offset], count, properties);
}

// Group functions: all work-items of the group call them with the same arguments and share out the lines.

template <typename Group, typename Properties = empty_properties_t, detail::if_prefetching_group<Group> = 0,
          detail::if_properties<Properties> = 0>
void joint_prefetch(Group g, void* ptr, Properties = {}) {
  detail::joint_prefetch_elements<Properties>(g, ptr, 1);
}
template <typename Group, typename Properties = empty_properties_t, detail::if_prefetching_group<Group> = 0,
          detail::if_properties<Properties> = 0>
void joint_prefetch(Group g, void* ptr, std::size_t bytes, Properties = {}) {
  detail::joint_prefetch_elements<Properties>(g, ptr, bytes);
}
template <typename Group, typename T, typename Properties = empty_properties_t,
          detail::if_prefetching_group<Group> = 0, detail::if_properties<Properties> = 0>
void joint_prefetch(Group g, T* ptr, Properties = {}) {
  detail::joint_prefetch_elements<Properties>(g, ptr, 1);
}
template <typename Group, typename T, typename Properties = empty_properties_t,
          detail::if_prefetching_group<Group> = 0, detail::if_properties<Properties> = 0>
void joint_prefetch(Group g, T* ptr, std::size_t count, Properties = {}) {
  detail::joint_prefetch_elements<Properties>(g, ptr, count);
}

template <typename Group, access::address_space AddressSpace, access::decorated IsDecorated,
          typename Properties = empty_properties_t, detail::if_prefetching_group<Group> = 0,
          detail::if_properties<Properties> = 0, detail::if_prefetchable<AddressSpace> = 0>
void joint_prefetch(Group g, multi_ptr<void, AddressSpace, IsDecorated> ptr, Properties properties = {}) {
  experimental::joint_prefetch(g, ptr.get_raw(), properties);
}
template <typename Group, access::address_space AddressSpace, access::decorated IsDecorated,
          typename Properties = empty_properties_t, detail::if_prefetching_group<Group> = 0,
          detail::if_properties<Properties> = 0, detail::if_prefetchable<AddressSpace> = 0>
void joint_prefetch(Group g, multi_ptr<void, AddressSpace, IsDecorated> ptr, std::size_t bytes,
                    Properties properties = {}) {
  experimental::joint_prefetch(g, ptr.get_raw(), bytes, properties);
}
template <typename Group, typename T, access::address_space AddressSpace, access::decorated IsDecorated,
          typename Properties = empty_properties_t, detail::if_prefetching_group<Group> = 0,
          detail::if_properties<Properties> = 0, detail::if_prefetchable<AddressSpace> = 0>
void joint_prefetch(Group g, multi_ptr<T, AddressSpace, IsDecorated> ptr, Properties properties = {}) {
  experimental::joint_prefetch(g, ptr.get_raw(), properties);
}
template <typename Group, typename T, access::address_space AddressSpace, access::decorated IsDecorated,
          typename Properties = empty_properties_t, detail::if_prefetching_group<Group> = 0,
          detail::if_properties<Properties> = 0, detail::if_prefetchable<AddressSpace> = 0>
void joint_prefetch(Group g, multi_ptr<T, AddressSpace, IsDecorated> ptr, std::size_t count,
                    Properties properties = {}) {
  experimental::joint_prefetch(g, ptr.get_raw(), count, properties);
}

template <typename Group, typename T, access::address_space AddressSpace, access::decorated IsDecorated,
          typename... Rest, detail::if_not_prefetchable<AddressSpace> = 0>
void joint_prefetch(Group g, multi_ptr<T, AddressSpace, IsDecorated> ptr, Rest...) = delete;

template <typename Group, typename DataT, int Dimensions, access_mode AccessMode,
          access::placeholder IsPlaceholder, typename Properties = empty_properties_t,
          detail::if_prefetching_group<Group> = 0, detail::if_properties<Properties> = 0,
          detail::if_readable<Dimensions, AccessMode> = 0>
void joint_prefetch(Group g, accessor<DataT, Dimensions, AccessMode, target::device, IsPlaceholder> acc,
                    std::common_type_t<id<Dimensions>> offset, Properties properties = {}) {
  experimental::joint_prefetch(g, &acc[offset], properties);
}
template <typename Group, typename DataT, int Dimensions, access_mode AccessMode,
          access::placeholder IsPlaceholder, typename Properties = empty_properties_t,
          detail::if_prefetching_group<Group> = 0, detail::if_properties<Properties> = 0,
          detail::if_readable<Dimensions, AccessMode> = 0>
void joint_prefetch(Group g, accessor<DataT, Dimensions, AccessMode, target::device, IsPlaceholder> acc,
                    std::common_type_t<id<Dimensions>> offset, std::size_t count,
                    Properties properties = {}) {
  experimental::joint_prefetch(g, &acc[offset], count, properties);
}

} // namespace sycl::ext::oneapi::experimental
