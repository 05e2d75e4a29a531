// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/command_group.hpp"
#include "falx/kernel.hpp"
#include "sycl/detail/configured_kernel.hpp"
#include "sycl/detail/index_space.hpp"
#include "sycl/detail/kernel_properties.hpp"
#include "sycl/device_copyable.hpp" // the compiler asks it about captures
#include "sycl/kernel_handler.hpp"
#include "sycl/kernel_id.hpp"
#include "sycl/nd_range.hpp"
#include "sycl/range.hpp"

#include <type_traits>

/// \file
/// From a kernel function object to its entry in the device image (SYCL 2020 §4.9.4.2). Every launch ends in
/// launch_kernel, whose entry function the compiler finds by its annotation.

namespace sycl {

class handler;

namespace detail {

/// The command group that a handler builds.
falx::command_group& command_group_of(handler& group) noexcept;

/// Stands for the kernel name that the user did not give.
struct unnamed_kernel;

/// The kernel function within the wrappers that the implementation put around it.
template <class Function, class = void>
struct innermost_kernel {
  using type = Function;
};
template <class Function>
struct innermost_kernel<Function, std::void_t<typename Function::user_kernel>>
    : innermost_kernel<typename Function::user_kernel> {};

/// The type that names a kernel: the name that the user gave, else the type of the function object (§5.2).
template <class Name, class Function>
struct kernel_naming_type {
  using type = Name;
};
template <class Function>
struct kernel_naming_type<unnamed_kernel, Function> : innermost_kernel<Function> {};

/// The entry point of one kernel: falx++ copies it into the device image and removes its body from the host.
template <class Name, falx::kernel_kind Kind, int Dimensions, class Function>
struct kernel_entry {
  /// What the compiler calls the kernel in messages.
  using kernel_name = typename kernel_naming_type<Name, Function>::type;
  [[clang::annotate("falx.kernel", static_cast<unsigned>(Kind), Dimensions)]] static void
  entry(const Function& function) {
    function();
  }
};

/// The same for a kernel with properties, which the compiler reads off the entry.
template <class Name, falx::kernel_kind Kind, int Dimensions, class Function, class Properties>
struct kernel_entry_with;
template <class Name, falx::kernel_kind Kind, int Dimensions, class Function, std::size_t... Size,
          std::size_t... Hint, std::uint32_t... SubGroup, aspect... Aspects>
struct kernel_entry_with<
    Name, Kind, Dimensions, Function,
    properties_of_kernels::compiled<properties_of_kernels::constants<std::size_t, Size...>,
                                    properties_of_kernels::constants<std::size_t, Hint...>,
                                    properties_of_kernels::constants<std::uint32_t, SubGroup...>,
                                    properties_of_kernels::constants<aspect, Aspects...>>> {
  static_assert(Kind == falx::kernel_kind::single_task || sizeof...(Size) == 0 ||
                    sizeof...(Size) == static_cast<std::size_t>(Dimensions),
                "property work_group_size has as many extents as the range of the launch has dimensions");
  static_assert(Kind == falx::kernel_kind::single_task || sizeof...(Hint) == 0 ||
                    sizeof...(Hint) == static_cast<std::size_t>(Dimensions),
                "property work_group_size_hint has as many extents as the range of the launch has "
                "dimensions");
  using kernel_name = typename kernel_naming_type<Name, Function>::type;
  [[clang::annotate("falx.kernel", static_cast<unsigned>(Kind), Dimensions),
    clang::annotate("falx.property.reqd_work_group_size", Size...),
    clang::annotate("falx.property.work_group_size_hint", Hint...),
    clang::annotate("falx.property.reqd_sub_group_size", SubGroup...),
    clang::annotate("falx.property.device_has", Aspects...)]] static void
  entry(const Function& function) {
    function();
  }
};

template <class Name, falx::kernel_kind Kind, int Dimensions, class Function,
          class Properties =
              properties_of_kernels::compiled_part<typename properties_of_kernels::all<Function>::type>>
using kernel_entry_for =
    std::conditional_t<std::is_same_v<Properties, properties_of_kernels::nothing_compiled>,
                       kernel_entry<Name, Kind, Dimensions, Function>,
                       kernel_entry_with<Name, Kind, Dimensions, Function, Properties>>;

/// The kernel that has this function, and that \p Name names.
template <class Name, falx::kernel_kind Kind, int Dimensions, class Function>
const falx::kernel_descriptor* descriptor_of_kernel() {
  // falx++ replaces the call by a constant; its arguments have to stay constants.
  return falx::falx_kernel_descriptor_of(
      // Through void (*)(), which -Wextra lets pass.
      reinterpret_cast<void (*)(const void*)>(
          reinterpret_cast<void (*)()>(&kernel_entry_for<Name, Kind, Dimensions, Function>::entry)),
      __PRETTY_FUNCTION__, &kernel_name_of<typename kernel_naming_type<Name, Function>::type>);
}

/// Makes the command group's command a launch of \p function, a trivially copyable class with
/// `void operator()() const` that finds its work-item through the builtins of falx/device_builtins.hpp.
template <class Name, falx::kernel_kind Kind, int Dimensions, class Function>
void launch_kernel(handler& group, const falx::launch_geometry& geometry, const Function& function) {
  falx::kernel_launch launch{};
  // falx++ replaces the call by a constant; its arguments have to stay constants.
  launch.kernel = descriptor_of_kernel<Name, Kind, Dimensions, Function>();
  launch.function = __builtin_addressof(function);
  launch.function_size = sizeof(Function);
  launch.function_alignment = alignof(Function);
  launch.geometry = geometry;
  properties_of_kernels::limit_groups<typename properties_of_kernels::all<Function>::type>(launch.geometry);
  falx::set_kernel(command_group_of(group), launch);
}

/// The wrappers turn "run for this work-item" into a call of the user's function. The compiler reads kernel
/// attributes off user_kernel's call operator.
template <class Kernel>
struct single_task_kernel {
  using user_kernel = Kernel;
  Kernel kernel;
  void operator()() const {
    if constexpr (std::is_invocable_v<const Kernel&>)
      kernel();
    else
      kernel(kernel_handler_maker::make());
  }
};

/// Whether a kernel function takes an Index, with or without a kernel_handler behind it. What is implicitly
/// converted from an Index is all that the specification promises; a reference that is not const, to an index
/// of the call's own, is what users of AdaptiveCpp write, too.
template <class Kernel, class Index>
inline constexpr bool takes = std::disjunction_v<
    std::is_invocable<const Kernel&, Index>, std::is_invocable<const Kernel&, Index, kernel_handler>,
    std::is_invocable<const Kernel&, Index&>, std::is_invocable<const Kernel&, Index&, kernel_handler>>;

template <class Kernel, class Index>
void call_with_reference(const Kernel& kernel, Index index) {
  if constexpr (std::is_invocable_v<const Kernel&, Index&>)
    kernel(index);
  else
    kernel(index, kernel_handler_maker::make());
}

/// Only the deprecated overloads with an offset read the launch's offset; for the others it is the constant
/// 0.
template <int Dimensions, bool HasOffset, class Kernel>
struct range_kernel {
  using user_kernel = Kernel;
  Kernel kernel;
  void operator()() const {
    if constexpr (std::is_invocable_v<const Kernel&, item<Dimensions>>)
      kernel(this_item());
    else if constexpr (std::is_invocable_v<const Kernel&, item<Dimensions>, kernel_handler>)
      kernel(this_item(), kernel_handler_maker::make());
    else if constexpr (std::is_invocable_v<const Kernel&, item<Dimensions, false>>)
      kernel(make_item<Dimensions>());
    else if constexpr (std::is_invocable_v<const Kernel&, item<Dimensions, false>, kernel_handler>)
      kernel(make_item<Dimensions>(), kernel_handler_maker::make());
    else
      call_with_reference(kernel, this_item());
  }

  static item<Dimensions> this_item() noexcept {
    if constexpr (HasOffset)
      return make_item_with_offset<Dimensions>();
    else
      return make_item<Dimensions>();
  }
};

template <int Dimensions, class Kernel>
struct nd_range_kernel {
  using user_kernel = Kernel;
  Kernel kernel;
  void operator()() const {
    if constexpr (std::is_invocable_v<const Kernel&, nd_item<Dimensions>>)
      kernel(make_nd_item<Dimensions>());
    else if constexpr (std::is_invocable_v<const Kernel&, nd_item<Dimensions>, kernel_handler>)
      kernel(make_nd_item<Dimensions>(), kernel_handler_maker::make());
    else
      call_with_reference(kernel, make_nd_item<Dimensions>());
  }
};

template <int Dimensions, class Kernel>
struct work_group_kernel {
  using user_kernel = Kernel;
  Kernel kernel;
  void operator()() const {
    if constexpr (std::is_invocable_v<const Kernel&, group<Dimensions>>)
      kernel(make_group<Dimensions>());
    else if constexpr (std::is_invocable_v<const Kernel&, group<Dimensions>, kernel_handler>)
      kernel(make_group<Dimensions>(), kernel_handler_maker::make());
    else
      call_with_reference(kernel, make_group<Dimensions>());
  }
};

/// SYCL's dimensions run from the slowest to the fastest, those below include/sycl the other way round.
template <class Index>
constexpr falx::extent3 extent_of(const Index& index, std::size_t unused) noexcept {
  constexpr int dimensions = Index::dimensions;
  falx::extent3 extent{index[dimensions - 1], unused, unused};
  if constexpr (dimensions > 1)
    extent.y = index[dimensions - 2];
  if constexpr (dimensions > 2)
    extent.z = index[0];
  return extent;
}

constexpr falx::extent3 UNIT_EXTENT{1, 1, 1};
constexpr falx::extent3 NO_OFFSET{0, 0, 0};

constexpr falx::launch_geometry single_task_geometry() noexcept {
  return {falx::kernel_kind::single_task, 1, UNIT_EXTENT, UNIT_EXTENT, NO_OFFSET};
}
template <int Dimensions>
constexpr falx::launch_geometry geometry_of(const range<Dimensions>& items,
                                            falx::extent3 offset = NO_OFFSET) noexcept {
  return {falx::kernel_kind::range, Dimensions, extent_of(items, 1), UNIT_EXTENT, offset};
}
template <int Dimensions>
constexpr falx::launch_geometry geometry_of(const nd_range<Dimensions>& items) noexcept {
  return {falx::kernel_kind::nd_range, Dimensions, extent_of(items.get_global_range(), 1),
          extent_of(items.get_local_range(), 1), extent_of(items.get_offset(), 0)};
}

template <class Name, class Kernel>
void launch_single_task(handler& group, const Kernel& kernel) {
  static_assert(std::is_invocable_v<const Kernel&> || std::is_invocable_v<const Kernel&, kernel_handler>,
                "the function of a single_task takes no parameter, or a sycl::kernel_handler, and its call "
                "operator is const");
  launch_kernel<Name, falx::kernel_kind::single_task, 1>(group, single_task_geometry(),
                                                         single_task_kernel<Kernel>{kernel});
}

template <class Name, int Dimensions, bool HasOffset = false, class Kernel>
void launch_range(handler& group, const falx::launch_geometry& geometry, const Kernel& kernel) {
  static_assert(takes<Kernel, item<Dimensions>> ||
                    std::is_invocable_v<const Kernel&, item<Dimensions, false>> ||
                    std::is_invocable_v<const Kernel&, item<Dimensions, false>, kernel_handler>,
                "the function of a parallel_for over a range takes a sycl::item of the range's dimensions or "
                "what an item converts to (a sycl::id, in one dimension an integer), may take a "
                "sycl::kernel_handler behind it, and its call operator is const");
  launch_kernel<Name, falx::kernel_kind::range, Dimensions>(
      group, geometry, range_kernel<Dimensions, HasOffset, Kernel>{kernel});
}

template <class Name, int Dimensions, class Kernel>
void launch_nd_range(handler& group, const nd_range<Dimensions>& items, const Kernel& kernel) {
  static_assert(takes<Kernel, nd_item<Dimensions>>,
                "the function of a parallel_for over an nd_range takes a sycl::nd_item of the nd_range's "
                "dimensions, may take a sycl::kernel_handler behind it, and its call operator is const");
  constexpr falx::kernel_kind kind = falx::kernel_kind::nd_range;
  using function = nd_range_kernel<Dimensions, Kernel>;
  if constexpr (properties_of_kernels::meets_all_groups_v<typename properties_of_kernels::all<Kernel>::type>)
    launch_kernel<Name, kind, Dimensions>(
        group, geometry_of(items),
        kernel_with_launch_value<function, falx::ROOT_BARRIER, launch_address>{
            {kernel}, {reinterpret_cast<std::uintptr_t>(falx::take_root_barrier(command_group_of(group)))}});
  else
    launch_kernel<Name, kind, Dimensions>(group, geometry_of(items), function{kernel});
}

template <class Name, int Dimensions, class Kernel>
void launch_work_group(handler& group, const falx::launch_geometry& geometry, const Kernel& kernel) {
  static_assert(
      takes<Kernel, sycl::group<Dimensions>>,
      "the function of a parallel_for_work_group takes a sycl::group of the range's dimensions, may "
      "take a sycl::kernel_handler behind it, and its call operator is const");
  launch_kernel<Name, falx::kernel_kind::work_group, Dimensions>(
      group, geometry, work_group_kernel<Dimensions, Kernel>{kernel});
}

} // namespace detail

} // namespace sycl
