// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/function_kernel.hpp"
#include "sycl/bundle_state.hpp"
#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/ext/oneapi/experimental/launch_config.hpp"
#include "sycl/ext/oneapi/kernel_properties/properties.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/handler.hpp"
#include "sycl/kernel.hpp"
#include "sycl/kernel_bundle.hpp"
#include "sycl/kernel_id.hpp"
#include "sycl/queue.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// SYCL extension sycl_ext_oneapi_free_function_kernels: kernels that are functions, with parameters instead
/// of captures.

namespace sycl::ext::oneapi::experimental {

/// The function is a kernel for an nd_range of so many dimensions.
struct nd_range_kernel_key {
  template <int Dims>
  using value_t = property_value<nd_range_kernel_key, std::integral_constant<int, Dims>>;
};
template <int Dims>
struct property_value<nd_range_kernel_key, std::integral_constant<int, Dims>> {
  using key_t = nd_range_kernel_key;
  static constexpr int dimensions = Dims;
};
template <int Dims>
inline constexpr nd_range_kernel_key::value_t<Dims> nd_range_kernel;

/// The function is a kernel for single_task.
struct single_task_kernel_key {
  using value_t = property_value<single_task_kernel_key>;
};
inline constexpr single_task_kernel_key::value_t single_task_kernel;

template <>
struct is_property_key<nd_range_kernel_key> : std::true_type {};
template <>
struct is_property_key<single_task_kernel_key> : std::true_type {};

namespace detail {

/// Kinds of properties of functions, in the highest byte of what SYCL_EXT_ONEAPI_FUNCTION_PROPERTY notes
/// (compiler/ast/function_kernels.cpp); the others say what the property says, in 16 bits per extent.
constexpr unsigned KERNEL_PROPERTY = 0x80, GROUP_SIZE_PROPERTY = 0x81, GROUP_HINT_PROPERTY = 0x82,
                   SUB_GROUP_PROPERTY = 0x83;

constexpr unsigned long long noted(unsigned kind, unsigned long long value) noexcept {
  return static_cast<unsigned long long>(kind) << 56 | value;
}
template <std::size_t... Dims>
constexpr unsigned long long noted_extents(unsigned kind) noexcept {
  static_assert(((Dims < 0x10000) && ...), "an extent of a work-group is less than 65536");
  unsigned long long value = 0;
  ((value = value << 16 | Dims), ...);
  return noted(kind, value);
}

template <int Dims>
constexpr unsigned long long
function_property(property_value<nd_range_kernel_key, std::integral_constant<int, Dims>>) noexcept {
  static_assert(Dims >= 1 && Dims <= 3, "an nd_range has 1, 2 or 3 dimensions");
  return noted(KERNEL_PROPERTY, Dims);
}
constexpr unsigned long long function_property(property_value<single_task_kernel_key>) noexcept {
  return noted(KERNEL_PROPERTY, 0);
}
template <std::size_t... Dims>
constexpr unsigned long long function_property(
    property_value<work_group_size_key, std::integral_constant<std::size_t, Dims>...>) noexcept {
  return noted_extents<Dims...>(GROUP_SIZE_PROPERTY);
}
template <std::size_t... Dims>
constexpr unsigned long long function_property(
    property_value<work_group_size_hint_key, std::integral_constant<std::size_t, Dims>...>) noexcept {
  return noted_extents<Dims...>(GROUP_HINT_PROPERTY);
}
template <std::uint32_t Size>
constexpr unsigned long long
function_property(property_value<sub_group_size_key, std::integral_constant<std::uint32_t, Size>>) noexcept {
  return noted(SUB_GROUP_PROPERTY, Size);
}

/// What the properties of the function say of that kind; 0 without. falx++ replaces the body.
template <auto* Func, unsigned Kind>
#if defined(__clang__)
[[clang::annotate("falx.function_property")]]
#endif
constexpr unsigned long long function_property_of() noexcept {
  return 0;
}

template <auto* Func>
inline constexpr unsigned long long kernel_property_v = function_property_of<Func, KERNEL_PROPERTY>();

} // namespace detail

template <auto* Func, int Dims>
struct is_nd_range_kernel
    : std::bool_constant<detail::kernel_property_v<Func> == detail::noted(detail::KERNEL_PROPERTY, Dims)> {};
template <auto* Func, int Dims>
inline constexpr bool is_nd_range_kernel_v = is_nd_range_kernel<Func, Dims>::value;

template <auto* Func>
struct is_single_task_kernel
    : std::bool_constant<detail::kernel_property_v<Func> == detail::noted(detail::KERNEL_PROPERTY, 0)> {};
template <auto* Func>
inline constexpr bool is_single_task_kernel_v = is_single_task_kernel<Func>::value;

template <auto* Func>
struct is_kernel : std::bool_constant<detail::kernel_property_v<Func> != 0> {};
template <auto* Func>
inline constexpr bool is_kernel_v = is_kernel<Func>::value;

template <auto* Func>
struct kernel_function_s {};
template <auto* Func>
inline constexpr kernel_function_s<Func> kernel_function;

namespace detail {

/// One argument of a kernel.
template <std::size_t Index, class T>
struct kernel_argument {
  T value;
};

/// The properties of a function, as those of a kernel's class.
template <unsigned long long Value, std::size_t... I>
constexpr auto group_size_of(std::index_sequence<I...>) {
  return work_group_size<static_cast<std::size_t>(Value >> 16 * (sizeof...(I) - 1 - I) & 0xffff)...>;
}
template <unsigned long long Value, std::size_t... I>
constexpr auto group_hint_of(std::index_sequence<I...>) {
  return work_group_size_hint<static_cast<std::size_t>(Value >> 16 * (sizeof...(I) - 1 - I) & 0xffff)...>;
}
template <unsigned long long Value>
using extents_of_value = std::make_index_sequence<(Value >> 32 & 0xffffff) != 0 ? 3
                                                  : (Value >> 16 & 0xffff) != 0 ? 2
                                                                                : 1>;

/// A kernel function object that calls the function.
template <auto* Func, class Indices, class... Parameters>
struct function_kernel;
template <auto* Func, std::size_t... I, class... Parameters>
struct function_kernel<Func, std::index_sequence<I...>, Parameters...> : kernel_argument<I, Parameters>... {
  static_assert((!std::is_reference_v<Parameters> && ...),
                "parameters of a free function kernel are no references");

  static constexpr std::uint32_t parameter_count = sizeof...(Parameters);

  function_kernel(Parameters... parameters) : kernel_argument<I, Parameters>{parameters}... {}

  auto get(properties_tag) const {
    constexpr auto size = function_property_of<Func, GROUP_SIZE_PROPERTY>();
    constexpr auto hint = function_property_of<Func, GROUP_HINT_PROPERTY>();
    constexpr auto sub_group = function_property_of<Func, SUB_GROUP_PROPERTY>();
    constexpr auto number = static_cast<std::uint32_t>(sub_group);
    constexpr auto size_value = size & ~(0xffull << 56), hint_value = hint & ~(0xffull << 56);
    if constexpr (size != 0 && sub_group != 0)
      return properties{group_size_of<size_value>(extents_of_value<size_value>()), sub_group_size<number>};
    else if constexpr (size != 0)
      return properties{group_size_of<size_value>(extents_of_value<size_value>())};
    else if constexpr (hint != 0 && sub_group != 0)
      return properties{group_hint_of<hint_value>(extents_of_value<hint_value>()), sub_group_size<number>};
    else if constexpr (hint != 0)
      return properties{group_hint_of<hint_value>(extents_of_value<hint_value>())};
    else if constexpr (sub_group != 0)
      return properties{sub_group_size<number>};
    else
      return properties{};
  }

  void operator()() const { Func(static_cast<const kernel_argument<I, Parameters>&>(*this).value...); }
  template <int Dimensions>
  void operator()(nd_item<Dimensions>) const {
    (*this)();
  }
};

template <auto* Func, class Type = decltype(Func)>
struct kernel_of_function;
template <auto* Func, class... Parameters>
struct kernel_of_function<Func, void (*)(Parameters...)> {
  using type = function_kernel<Func, std::index_sequence_for<Parameters...>, Parameters...>;
};
template <auto* Func, class... Parameters>
struct kernel_of_function<Func, void (*)(Parameters...) noexcept>
    : kernel_of_function<Func, void (*)(Parameters...)> {};
template <auto* Func>
using kernel_of_function_t = typename kernel_of_function<Func>::type;

template <auto* Func, class... Args>
using if_single_task =
    std::enable_if_t<is_single_task_kernel_v<Func> && std::is_invocable_v<decltype(Func), Args...>, int>;
template <auto* Func, int Dimensions, class... Args>
using if_nd_range =
    std::enable_if_t<is_nd_range_kernel_v<Func, Dimensions> && std::is_invocable_v<decltype(Func), Args...>,
                     int>;

/// Has the program define the kernel, though nothing here launches it.
template <auto* Func>
const falx::kernel_descriptor* function_descriptor() {
  using function = kernel_of_function_t<Func>;
  using name = kernel_function_s<Func>;
  constexpr int dimensions = static_cast<int>(kernel_property_v<Func> & 3);
  if constexpr (dimensions == 0)
    return sycl::detail::descriptor_of_kernel<name, falx::kernel_kind::single_task, 1,
                                              sycl::detail::single_task_kernel<function>>();
  else
    return sycl::detail::descriptor_of_kernel<name, falx::kernel_kind::nd_range, dimensions,
                                              sycl::detail::nd_range_kernel<dimensions, function>>();
}

template <auto* Func, std::size_t... I, class... Parameters>
bool store_argument(function_kernel<Func, std::index_sequence<I...>, Parameters...>& object,
                    std::size_t index, const void* bytes, std::size_t size) noexcept {
  bool is_stored = false;
  const auto store = [&](auto& argument) {
    is_stored = sizeof(argument.value) == size;
    if (is_stored)
      __builtin_memcpy(static_cast<void*>(__builtin_addressof(argument.value)), bytes, size);
  };
  ((I == index ? store(static_cast<kernel_argument<I, Parameters>&>(object)) : void()), ...);
  return is_stored;
}

/// For launches as a kernel object.
template <auto* Func>
constexpr falx::function_kernel_name function_kernel_name() {
  using function = kernel_of_function_t<Func>;
  constexpr std::uint32_t dimensions = static_cast<std::uint32_t>(kernel_property_v<Func> & 3);
  falx::function_kernel_name name{};
  name.unused = falx::FUNCTION_KERNEL;
  name.object_size = sizeof(function);
  name.object_alignment = alignof(function);
  name.argument_count = function::parameter_count;
  name.kind = dimensions == 0 ? falx::kernel_kind::single_task : falx::kernel_kind::nd_range;
  name.dimensions = dimensions;
  name.descriptor = &function_descriptor<Func>;
  name.store = [](void* object, std::uint32_t index, const void* bytes, std::size_t size) noexcept {
    return store_argument(*static_cast<function*>(object), index, bytes, size);
  };
  return name;
}

} // namespace detail
} // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

template <auto* Func>
inline falx::function_kernel_name kernel_name_of<ext::oneapi::experimental::kernel_function_s<Func>> =
    ext::oneapi::experimental::detail::function_kernel_name<Func>();

} // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

/// Commands that run a function as a kernel. The arguments convert to the types of its parameters.
template <auto* Func, typename... Args, detail::if_single_task<Func, Args...> = 0>
void single_task(handler& h, kernel_function_s<Func>, Args&&... args) {
  h.single_task<kernel_function_s<Func>>(detail::kernel_of_function_t<Func>(static_cast<Args&&>(args)...));
}
template <auto* Func, typename... Args, detail::if_single_task<Func, Args...> = 0>
void single_task(queue q, kernel_function_s<Func> k, Args&&... args) {
  q.submit([&](handler& h) { experimental::single_task(h, k, static_cast<Args&&>(args)...); });
}
template <auto* Func, int Dimensions, typename... Args, detail::if_nd_range<Func, Dimensions, Args...> = 0>
void nd_launch(handler& h, nd_range<Dimensions> r, kernel_function_s<Func>, Args&&... args) {
  h.parallel_for<kernel_function_s<Func>>(r,
                                          detail::kernel_of_function_t<Func>(static_cast<Args&&>(args)...));
}
template <auto* Func, int Dimensions, typename... Args, detail::if_nd_range<Func, Dimensions, Args...> = 0>
void nd_launch(queue q, nd_range<Dimensions> r, kernel_function_s<Func> k, Args&&... args) {
  q.submit([&](handler& h) { experimental::nd_launch(h, r, k, static_cast<Args&&>(args)...); });
}
template <auto* Func, int Dimensions, typename Properties, typename... Args,
          detail::if_nd_range<Func, Dimensions, Args...> = 0>
void nd_launch(handler& h, launch_config<nd_range<Dimensions>, Properties> c, kernel_function_s<Func>,
               Args&&... args) {
  using access = detail::launch_config_access;
  h.parallel_for<kernel_function_s<Func>>(access::range_of(c), access::properties_of(c),
                                          detail::kernel_of_function_t<Func>(static_cast<Args&&>(args)...));
}
template <auto* Func, int Dimensions, typename Properties, typename... Args,
          detail::if_nd_range<Func, Dimensions, Args...> = 0>
void nd_launch(queue q, launch_config<nd_range<Dimensions>, Properties> c, kernel_function_s<Func> k,
               Args&&... args) {
  q.submit([&](handler& h) { experimental::nd_launch(h, c, k, static_cast<Args&&>(args)...); });
}

/// The kernel that the function is, for the functions of kernel bundles.
template <auto* Func, std::enable_if_t<is_kernel_v<Func>, int> = 0>
kernel_id get_kernel_id() {
  return sycl::detail::internals::make<kernel_id>(detail::function_descriptor<Func>()->kernel);
}
template <auto* Func, bundle_state State, std::enable_if_t<is_kernel_v<Func>, int> = 0>
kernel_bundle<State> get_kernel_bundle(const context& ctxt) {
  return sycl::get_kernel_bundle<State>(ctxt, ctxt.get_devices(), {get_kernel_id<Func>()});
}
template <auto* Func, bundle_state State, std::enable_if_t<is_kernel_v<Func>, int> = 0>
kernel_bundle<State> get_kernel_bundle(const context& ctxt, const std::vector<device>& devs) {
  return sycl::get_kernel_bundle<State>(ctxt, devs, {get_kernel_id<Func>()});
}
template <auto* Func, bundle_state State, std::enable_if_t<is_kernel_v<Func>, int> = 0>
bool has_kernel_bundle(const context& ctxt) {
  return sycl::has_kernel_bundle<State>(ctxt, {get_kernel_id<Func>()});
}
template <auto* Func, bundle_state State, std::enable_if_t<is_kernel_v<Func>, int> = 0>
bool has_kernel_bundle(const context& ctxt, const std::vector<device>& devs) {
  return sycl::has_kernel_bundle<State>(ctxt, devs, {get_kernel_id<Func>()});
}
template <auto* Func, std::enable_if_t<is_kernel_v<Func>, int> = 0>
bool is_compatible(const device& dev) {
  return sycl::is_compatible({get_kernel_id<Func>()}, dev);
}

/// As kernel::get_info, of the executable kernel in a context.
template <auto* Func, typename Param, std::enable_if_t<is_kernel_v<Func>, int> = 0>
typename Param::return_type get_kernel_info(const context& ctxt) {
  return experimental::get_kernel_bundle<Func, bundle_state::executable>(ctxt)
      .template ext_oneapi_get_kernel<Func>()
      .template get_info<Param>();
}
template <auto* Func, typename Param, std::enable_if_t<is_kernel_v<Func>, int> = 0>
typename Param::return_type get_kernel_info(const context& ctxt, const device& dev) {
  return experimental::get_kernel_bundle<Func, bundle_state::executable>(ctxt)
      .template ext_oneapi_get_kernel<Func>()
      .template get_info<Param>(dev);
}
template <auto* Func, typename Param, std::enable_if_t<is_kernel_v<Func>, int> = 0>
typename Param::return_type get_kernel_info(const queue& q) {
  return experimental::get_kernel_info<Func, Param>(q.get_context(), q.get_device());
}

} // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

template <auto* Func>
kernel_id kernel_id_of_function() {
  return ext::oneapi::experimental::get_kernel_id<Func>();
}

} // namespace sycl::detail
