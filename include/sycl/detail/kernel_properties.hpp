// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "falx/kernel.hpp"
#include "falx/launch_value.hpp"
#include "falx/local_memory.hpp"
#include "falx/specialize.hpp"
#include "sycl/detail/configured_kernel.hpp"
#include "sycl/ext/oneapi/kernel_properties/properties.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// From the properties of a launch and of a kernel's class (sycl_ext_oneapi_kernel_properties) to what the
/// compiler reads off the kernel's entry. falx++ takes the arguments of the annotations
/// "falx.property.<attribute>" as those of the attribute; none say that the property is not there.

namespace sycl::detail {

namespace properties_of_kernels {
using namespace ext::oneapi::experimental;
using ext::oneapi::experimental::detail::property_key_t;
using ext::oneapi::experimental::detail::property_values;
using ext::oneapi::experimental::detail::property_with_key;
using ext::oneapi::experimental::detail::sorted_properties;

/// The values of two lists, those that are in both once.
template <class A, class B>
struct combined;
template <class... A>
struct combined<property_values<A...>, property_values<>> {
  using type = property_values<A...>;
};
template <class... A, class First, class... Rest>
struct combined<property_values<A...>, property_values<First, Rest...>> {
  using known = typename property_with_key<property_key_t<First>, A...>::type;
  static_assert(std::is_void_v<known> || std::is_same_v<known, First>,
                "a property of the launch contradicts one that the kernel's class has; give both the same "
                "value or leave one away");
  using type = typename std::conditional_t<std::is_void_v<known>,
                                           combined<property_values<A..., First>, property_values<Rest...>>,
                                           combined<property_values<A...>, property_values<Rest...>>>::type;
};

/// Those that `get(properties_tag)` gives.
template <class Kernel, class = void>
struct embedded {
  using type = property_values<>;
};
template <class... Values>
property_values<Values...> values_of(const properties<property_values<Values...>>&);
template <class Kernel>
struct embedded<Kernel, std::void_t<decltype(std::declval<Kernel&>().get(properties_tag()))>> {
  static_assert(is_property_list_v<std::decay_t<decltype(std::declval<Kernel&>().get(properties_tag()))>>,
                "get(properties_tag) of a kernel's class gives an object of class properties");
  using type = decltype(values_of(std::declval<Kernel&>().get(properties_tag())));
};

/// Those of a launch, which a wrapper around the kernel carries, and those of the innermost kernel's class.
template <class Function, class = void>
struct all : embedded<Function> {};
template <class Function>
struct all<Function, std::void_t<typename Function::user_kernel>> : all<typename Function::user_kernel> {};

} // namespace properties_of_kernels

/// A kernel function with the properties that it is launched with.
template <class Kernel, class Values>
struct kernel_with_properties {
  using user_kernel = Kernel;
  using launch_properties = Values;
  Kernel kernel;

  template <class... Arguments>
  auto operator()(Arguments&&... arguments) const
      -> decltype(std::declval<const Kernel&>()(static_cast<Arguments&&>(arguments)...)) {
    return kernel(static_cast<Arguments&&>(arguments)...);
  }
};

/// A kernel function that tells its code what the launch says (falx/launch_value.hpp).
template <class Kernel, falx::launch_value Which, class Value>
struct kernel_with_launch_value {
  using user_kernel = Kernel;
  Kernel kernel;
  Value value;

  template <class... Arguments>
  auto operator()(Arguments&&... arguments) const
      -> decltype(std::declval<const Kernel&>()(static_cast<Arguments&&>(arguments)...)) {
    __falx_set_launch_value(Which, value.word);
    return kernel(static_cast<Arguments&&>(arguments)...);
  }
};
/// Where scratch memory lies.
struct FALX_SPECIALIZE FALX_LOCAL_ACCESSOR scratch_offset {
  std::uint64_t word;
};
/// A pointer of the launch's own.
struct launch_address {
  std::uint64_t word;
};

using ext::oneapi::experimental::is_property_list_v;

/// The kernel function with properties, taken along by what dynamic functions wrap around it.
template <class Values, class Kernel>
kernel_with_properties<Kernel, Values> with_properties(const Kernel& kernel) {
  return {kernel};
}
template <class Values, class Kernel>
configured_kernel<kernel_with_properties<Kernel, Values>>
with_properties(const configured_kernel<Kernel>& configured) {
  return {{configured.kernel}, configured.functions};
}

/// The kernel function with what the launch has to set aside for the properties' values.
template <class Properties, class Kernel>
decltype(auto) with_launch_values([[maybe_unused]] falx::command_group& group,
                                  [[maybe_unused]] const Properties& properties, const Kernel& kernel) {
  using scratch = ext::oneapi::experimental::work_group_scratch_size;
  if constexpr (is_configured_kernel_v<Kernel>) {
    auto plain = with_launch_values(group, properties, kernel.kernel);
    return configured_kernel<decltype(plain)>{plain, kernel.functions};
  } else if constexpr (Properties::template has_property<scratch>()) {
    const std::size_t bytes = properties.template get_property<scratch>().value;
    return kernel_with_launch_value<Kernel, falx::WORK_GROUP_SCRATCH, scratch_offset>{
        kernel, {falx::reserve_local_memory(group, bytes, 128)}};
  } else {
    return Kernel(kernel);
  }
}

template <class Values, class Call, class Arguments, std::size_t... I>
void apply_properties_to_last(falx::command_group& group, const Call& call,
                              const ext::oneapi::experimental::properties<Values>& properties,
                              const Arguments& arguments, std::index_sequence<I...>) {
  call(std::get<I>(arguments)...,
       with_properties<Values>(with_launch_values(group, properties, std::get<sizeof...(I)>(arguments))));
}
/// Calls \p call with the arguments behind the properties, to the last of which, the kernel function, they
/// are given.
template <class Call, class Values, class... Rest>
void apply_properties(falx::command_group& group, const Call& call,
                      const ext::oneapi::experimental::properties<Values>& properties, const Rest&... rest) {
  static_assert(sizeof...(Rest) > 0, "a kernel function comes behind the properties of a launch");
  apply_properties_to_last<Values>(group, call, properties, std::tie(rest...),
                                   std::make_index_sequence<sizeof...(Rest) - 1>());
}

namespace properties_of_kernels {

template <class Kernel, class Values>
struct all<kernel_with_properties<Kernel, Values>> : combined<Values, typename all<Kernel>::type> {};

/// Whether the groups of the launch wait for each other.
template <class Values, class Key = use_root_sync_key>
inline constexpr bool meets_all_groups_v = false;

template <class Key, class Values>
struct value_of;
template <class Key, class... Values>
struct value_of<Key, property_values<Values...>> : property_with_key<Key, Values...> {};

template <class... Values>
inline constexpr bool meets_all_groups_v<property_values<Values...>> =
    !std::is_void_v<typename property_with_key<use_root_sync_key, Values...>::type>;

/// Integers as arguments of a template, from a property's value or from void.
template <class T, T... Values>
struct constants {};
template <class T, class Value>
struct constants_of {
  using type = constants<T>;
};
template <class T, class Key, T... Values>
struct constants_of<T, property_value<Key, std::integral_constant<T, Values>...>> {
  using type = constants<T, Values...>;
};
template <class T, class Key, class Values>
using constants_with = typename constants_of<T, typename value_of<Key, Values>::type>::type;

/// What the compiler has to know of a kernel.
template <class GroupSize, class GroupHint, class SubGroupSize, class Aspects>
struct compiled;
template <class Values>
using compiled_part = compiled<constants_with<std::size_t, work_group_size_key, Values>,
                               constants_with<std::size_t, work_group_size_hint_key, Values>,
                               constants_with<std::uint32_t, sub_group_size_key, Values>,
                               constants_with<aspect, device_has_key, Values>>;
using nothing_compiled = compiled_part<property_values<>>;

/// Throws errc::nd_range, as the properties max_work_group_size and max_linear_work_group_size have it.
[[noreturn]] void throw_larger_group(const char* property);

/// One extent under its limit; where the runtime chooses the extent, the limit goes into it.
inline void limit_extent(std::size_t& extent, std::size_t limit, const char* property) {
  if ((extent & falx::AUTOMATIC_EXTENT) != 0)
    extent = falx::AUTOMATIC_EXTENT | limit;
  else if (extent > limit)
    throw_larger_group(property);
}

template <std::size_t... Dims>
void limit_extents(falx::extent3& local, constants<std::size_t, Dims...>) {
  std::size_t* const extents[] = {&local.x, &local.y, &local.z};
  constexpr std::size_t count = sizeof...(Dims);
  const std::size_t limits[] = {Dims..., 0};
  for (std::size_t i = 0; i < count; ++i)
    limit_extent(*extents[count - 1 - i], limits[i], "max_work_group_size");
}
inline void limit_extents(falx::extent3&, constants<std::size_t>) noexcept {}

/// Of a number of work-items. Groups that the runtime chooses are rows.
inline void limit_size(falx::extent3& local, std::size_t limit) {
  constexpr const char* property = "max_linear_work_group_size";
  limit_extent(local.x, limit, property);
  const bool is_automatic = (local.x & falx::AUTOMATIC_EXTENT) != 0;
  limit_extent(local.y, is_automatic ? 1 : limit / local.x, property);
  limit_extent(local.z, is_automatic ? 1 : limit / local.x / local.y, property);
}

/// Checks a launch against the properties that the compiler need not know. Groups that are empty, the launch
/// itself refuses.
template <class Values>
void limit_groups([[maybe_unused]] falx::launch_geometry& geometry) {
  if (geometry.local_range.x == 0 || geometry.local_range.y == 0 || geometry.local_range.z == 0)
    return;
  limit_extents(geometry.local_range, constants_with<std::size_t, max_work_group_size_key, Values>());
  using linear = typename value_of<max_linear_work_group_size_key, Values>::type;
  if constexpr (!std::is_void_v<linear>)
    limit_size(geometry.local_range, linear::value);
}

} // namespace properties_of_kernels
} // namespace sycl::detail
