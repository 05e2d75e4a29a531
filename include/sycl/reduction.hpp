// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/reduction.hpp"
#include "sycl/accessor.hpp"
#include "sycl/buffer.hpp"
#include "sycl/detail/reduction_kernel.hpp"
#include "sycl/exception.hpp"
#include "sycl/kernel_entry.hpp"
#include "sycl/property_list.hpp"
#include "sycl/reducer.hpp"
#include "sycl/span.hpp"

#include <tuple>

namespace sycl {

class handler;

namespace property::reduction {
/// The variable's original value is not part of the reduction (SYCL 2020 §4.9.2.2).
struct initialize_to_identity : detail::property_base {};
} // namespace property::reduction

namespace detail {

template <class Operation, class T>
inline constexpr identity_source automatic_identity =
    has_known_identity_v<Operation, T> ? identity_source::known : identity_source::none;

/// Throws errc::invalid for initialize_to_identity without an identity.
[[noreturn]] void throw_reduction_without_identity();
/// Throws errc::invalid for a reduction into a buffer that does not hold exactly one element.
[[noreturn]] void throw_reduction_buffer_size(std::size_t size);

template <class T, class Operation, int Dimensions, std::size_t Extent, identity_source Source,
          class Destination>
auto make_reduction(const Destination& destination, const Operation& operation,
                    const reduction_identity<T, Operation, Source>& identity,
                    const property_list& properties) {
  const bool keeps = !properties.has_property<property::reduction::initialize_to_identity>();
  if constexpr (Source == identity_source::none)
    if (!keeps)
      throw_reduction_without_identity();
  return reduction_descriptor<T, Operation, Dimensions, Extent, Source, Destination>{
      destination, operation, identity, keeps, nullptr};
}

template <class T, int D, class A>
auto reduction_accessor(buffer<T, D, A>& variable, handler& group, const property_list& properties) {
  if (variable.size() != 1)
    throw_reduction_buffer_size(variable.size());
  using type = accessor<T, D, access_mode::read_write, target::device>;
  if (properties.has_property<property::reduction::initialize_to_identity>())
    return type(variable, group, property_list(no_init));
  return type(variable, group);
}

} // namespace detail

/// Attaches reduction semantics to a variable for one kernel (SYCL 2020 §4.9.2.2). The result goes to
/// parallel_for before the kernel function, which gets a reducer for each reduction.
///
/// A buffer must hold one element, else errc::invalid is thrown. initialize_to_identity without an identity,
/// known or given, throws errc::invalid.
template <class T, int D, class A, class BinaryOperation>
auto reduction(buffer<T, D, A> vars, handler& group, BinaryOperation combiner,
               const property_list& properties = {}) {
  constexpr auto source = detail::automatic_identity<BinaryOperation, T>;
  return detail::make_reduction<T, BinaryOperation, 0, 1, source>(
      detail::reduction_accessor(vars, group, properties), combiner, {}, properties);
}
template <class T, int D, class A, class BinaryOperation>
auto reduction(buffer<T, D, A> vars, handler& group, const typename buffer<T, D, A>::value_type& identity,
               BinaryOperation combiner, const property_list& properties = {}) {
  return detail::make_reduction<T, BinaryOperation, 0, 1, detail::identity_source::given>(
      detail::reduction_accessor(vars, group, properties), combiner, {identity}, properties);
}

template <class T, class BinaryOperation>
auto reduction(T* var, BinaryOperation combiner, const property_list& properties = {}) {
  constexpr auto source = detail::automatic_identity<BinaryOperation, T>;
  return detail::make_reduction<T, BinaryOperation, 0, 1, source>(var, combiner, {}, properties);
}
template <class T, class BinaryOperation>
auto reduction(T* var, const std::enable_if_t<true, T>& identity, BinaryOperation combiner,
               const property_list& properties = {}) {
  return detail::make_reduction<T, BinaryOperation, 0, 1, detail::identity_source::given>(
      var, combiner, {identity}, properties);
}

/// Array reductions: each element of the span is a variable of its own.
template <class T, std::size_t Extent, class BinaryOperation>
auto reduction(span<T, Extent> vars, BinaryOperation combiner, const property_list& properties = {}) {
  static_assert(Extent != dynamic_extent, "a reduction needs a span whose extent is part of its type");
  constexpr auto source = detail::automatic_identity<BinaryOperation, T>;
  return detail::make_reduction<T, BinaryOperation, 1, Extent, source>(vars.data(), combiner, {}, properties);
}
template <class T, std::size_t Extent, class BinaryOperation>
auto reduction(span<T, Extent> vars, const std::enable_if_t<true, T>& identity, BinaryOperation combiner,
               const property_list& properties = {}) {
  static_assert(Extent != dynamic_extent, "a reduction needs a span whose extent is part of its type");
  return detail::make_reduction<T, BinaryOperation, 1, Extent, detail::identity_source::given>(
      vars.data(), combiner, {identity}, properties);
}

namespace detail {

/// Carves the partial results of every reduction out of one piece of scratch memory, whose first bytes are
/// the counter.
template <class... Descriptors>
reduction_pack<Descriptors...> prepare_reductions(handler& group, std::size_t groups,
                                                  const Descriptors&... descriptors) {
  constexpr std::size_t line = 64;
  const auto padded = [](std::size_t bytes) { return (bytes + line - 1) / line * line; };
  constexpr std::size_t bytes_per_group =
      (line + ... + (Descriptors::extent * sizeof(typename Descriptors::slot_type)));
  falx::check_reduction_groups(groups);
  falx::checked_bytes("sycl::reduction", groups, bytes_per_group); // so that no part of what follows wraps
  const std::size_t bytes = (falx::REDUCTION_COUNTER_BYTES + ... +
                             padded(groups * Descriptors::extent * sizeof(typename Descriptors::slot_type)));
  char* scratch = static_cast<char*>(falx::take_reduction_scratch(command_group_of(group), bytes));
  std::uint32_t* finished = reinterpret_cast<std::uint32_t*>(scratch);
  scratch += falx::REDUCTION_COUNTER_BYTES;
  const auto placed = [&](auto descriptor) {
    using type = decltype(descriptor);
    if constexpr (std::is_pointer_v<decltype(descriptor.destination)>)
      falx::announce_reduction_result(command_group_of(group), descriptor.destination);
    descriptor.partials = reinterpret_cast<typename type::slot_type*>(scratch);
    scratch += padded(groups * type::extent * sizeof(typename type::slot_type));
    return descriptor;
  };
  return reduction_pack<Descriptors...>{{{placed(descriptors)}...}, reduction_groups::make(finished, groups)};
}

template <class Name, bool Strided, int D, class Kernel, class... Descriptors>
void launch_range_reduction(handler& group, const range<D>& items, const falx::reduction_plan& plan,
                            const Kernel& kernel, const Descriptors&... descriptors) {
  using wrapped = range_reduction_kernel<D, Strided, Kernel, Descriptors...>;
  const wrapped function{kernel, prepare_reductions(group, plan.groups, descriptors...), items};
  const range<1> local(plan.group_size);
  const range<1> global(plan.groups * plan.group_size);
  launch_kernel<Name, falx::kernel_kind::nd_range, 1>(group, geometry_of(nd_range<1>(global, local)),
                                                      function);
}

template <class Name, int D, class Kernel, class... Descriptors>
void launch_reduction_over(handler& group, const range<D>& items, const Kernel& kernel,
                           const Descriptors&... descriptors) {
  std::size_t scratch_bytes = 0;
  ((scratch_bytes = scratch_bytes < sizeof(typename Descriptors::slot_type)
                        ? sizeof(typename Descriptors::slot_type)
                        : scratch_bytes),
   ...);
  const falx::reduction_plan plan = falx::plan_reduction(
      command_group_of(group), falx::checked_count("parallel_for", extent_of(items, 1)), scratch_bytes);
  if (plan.is_strided)
    launch_range_reduction<Name, true>(group, items, plan, kernel, descriptors...);
  else
    launch_range_reduction<Name, false>(group, items, plan, kernel, descriptors...);
}
/// With the work-group size that the runtime chooses, if it does: partial results are counted by groups.
template <int D>
nd_range<D> with_settled_groups(handler& group, const nd_range<D>& items) {
  const falx::launch_geometry geometry = geometry_of(items);
  if ((geometry.local_range.x & falx::AUTOMATIC_EXTENT) == 0)
    return items;
  const falx::extent3 chosen = falx::choose_group(command_group_of(group), geometry);
  const std::size_t fastest_first[] = {chosen.x, chosen.y, chosen.z};
  range<D> local = items.get_local_range();
  for (int d = 0; d < D; ++d)
    local[d] = fastest_first[D - 1 - d];
  return nd_range<D>(items.get_global_range(), local, items.get_offset());
}
template <class Name, int D, class Kernel, class... Descriptors>
void launch_reduction_over(handler& group, const nd_range<D>& given, const Kernel& kernel,
                           const Descriptors&... descriptors) {
  const nd_range<D> items = with_settled_groups(group, given);
  using wrapped = nd_range_reduction_kernel<D, Kernel, Descriptors...>;
  const std::size_t groups = falx::checked_count("parallel_for", extent_of(items.get_group_range(), 1));
  const wrapped function{kernel, prepare_reductions(group, groups, descriptors...)};
  launch_kernel<Name, falx::kernel_kind::nd_range, D>(group, geometry_of(items), function);
}

template <class Name, class Space, class Arguments, std::size_t... I>
void launch_reduction_split(handler& group, const Space& space, const Arguments& arguments,
                            std::index_sequence<I...>) {
  static_assert((is_reduction_descriptor<std::decay_t<std::tuple_element_t<I, Arguments>>> && ...),
                "between the range and the kernel function of parallel_for stand results of sycl::reduction");
  launch_reduction_over<Name>(group, space, std::get<sizeof...(I)>(arguments), std::get<I>(arguments)...);
}

/// Called by handler::parallel_for with reductions; the kernel function is the last argument.
template <class Name, class Space, class... Rest>
void launch_reduction(handler& group, const Space& space, Rest&&... rest) {
  launch_reduction_split<Name>(group, space, std::tie(rest...),
                               std::make_index_sequence<sizeof...(Rest) - 1>());
}

} // namespace detail
} // namespace sycl
