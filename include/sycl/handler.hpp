// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/command_group.hpp"
#include "falx/function_kernel.hpp"
#include "falx/sizes.hpp"
#include "sycl/access.hpp"
#include "sycl/bundle_state.hpp"
#include "sycl/detail/accessor_core.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/event.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/oneapi/device_global/device_global.hpp"
#include "sycl/ext/oneapi/experimental/raw_kernel_arg.hpp"
#include "sycl/ext/oneapi/properties/properties.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/kernel.hpp"
#include "sycl/kernel_entry.hpp"
#include "sycl/specialization_id.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl {

class handler;
class interop_handle;

template <typename DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
          access::placeholder IsPlaceholder, typename PropertyListT>
class accessor;

namespace detail {

/// Pack a host task and a native command; defined with interop_handle.
template <class Callable>
falx::host_task_callable pack_host_task(Callable&& callable);
template <class Callable>
falx::host_task_callable pack_native_command(Callable&& callable);

/// Where accessors lie in a host task's callable, for set_host_task_accessors. falx++ replaces the body.
template <class Callable>
#if defined(__clang__)
[[clang::annotate("falx.accessor_offsets")]]
#endif
const std::size_t* accessor_offsets() noexcept {
  return nullptr;
}

/// Launches a kernel with reductions; defined in sycl/reduction.hpp. \p Space is a range or nd_range, the
/// last of \p rest the kernel function.
template <class Name, class Space, class... Rest>
void launch_reduction(handler& group, const Space& space, Rest&&... rest);

/// Launches a kernel of scoped parallelism; defined in sycl/ext/acpp/scoped_parallelism. The last of \p rest
/// is the kernel function, the others are reductions.
template <class Name, int Dimensions, class... Rest>
void launch_parallel(handler& group, const range<Dimensions>& groups, const range<Dimensions>& group_size,
                     const Rest&... rest);

template <class... Rest>
using first_of = std::tuple_element_t<0, std::tuple<std::remove_cv_t<std::remove_reference_t<Rest>>...>>;

template <class T>
struct is_index : std::false_type {};
template <int Dimensions>
struct is_index<id<Dimensions>> : std::true_type {};

} // namespace detail

/// Builds a command group (SYCL 2020 §4.9.4). Each command group holds at most one command: a second one
/// throws errc::invalid. Optional kernel names come first among the template arguments.
class handler {
public:
  handler() = delete;
  handler(const handler&) = delete;
  handler(handler&&) = delete;
  handler& operator=(const handler&) = delete;
  handler& operator=(handler&&) = delete;

  /// Adds a placeholder accessor's requirement; has no effect for other accessors. Throws errc::invalid if
  /// the placeholder's buffer has been destroyed.
  template <typename DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
            access::placeholder IsPlaceholder>
  void require(accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder> acc) {
    require_accessor(group_, acc);
  }

  void depends_on(event depEvent);
  void depends_on(const std::vector<event>& depEvents);

  /// The value that the group's kernel finds in kernel_handler::get_specialization_constant (§4.9.5.2).
  /// Throws errc::invalid after use_kernel_bundle.
  template <auto& SpecName>
  void set_specialization_constant(detail::specialization_value_t<SpecName> value) {
    falx::set_specialization_constant(group_, __builtin_addressof(SpecName), __builtin_addressof(value),
                                      sizeof(value));
  }
  /// What was set in this command group, else the default value. Throws errc::invalid after
  /// use_kernel_bundle.
  template <auto& SpecName>
  detail::specialization_value_t<SpecName> get_specialization_constant() {
    return detail::specialization_access::value<SpecName>(
        falx::specialization_constant(group_, __builtin_addressof(SpecName)));
  }

  /// Kernels of this command group come from the bundle, with its values of specialization constants
  /// (§4.9.4.5): others throw errc::kernel_not_supported. Throws errc::invalid if the bundle's context is not
  /// the queue's, or after set_specialization_constant.
  void use_kernel_bundle(const kernel_bundle<bundle_state::executable>& execBundle);

  /// Arguments of a kernel object, by number: of a free function kernel
  /// (sycl_ext_oneapi_free_function_kernels), as there are no others. Values, accessors, local accessors, and
  /// raw_kernel_arg.
  template <typename T>
  void set_arg(int argIndex, T&& arg) {
    if constexpr (std::is_same_v<std::decay_t<T>, ext::oneapi::experimental::raw_kernel_arg>) {
      falx::set_kernel_argument(group_, argIndex, arg.bytes_, arg.count_);
    } else {
      static_assert(is_device_copyable_v<std::decay_t<T>>, "arguments of kernels are device copyable");
      const std::decay_t<T> value(static_cast<T&&>(arg));
      falx::set_kernel_argument(group_, argIndex, __builtin_addressof(value), sizeof(value));
    }
  }
  template <typename... Ts>
  void set_args(Ts&&... args) {
    int index = 0;
    (set_arg(index++, static_cast<Ts&&>(args)), ...);
  }

  /// Of a free function kernel, with the arguments that were set; parallel_for with a kernel likewise. Throws
  /// errc::invalid for other kernels, which are launched by their function objects.
  void single_task(const kernel& kernelObject) {
    launch_object(kernelObject, detail::single_task_geometry(), "single_task");
  }

  /// §4.9.4.2.1.
  template <typename KernelName = detail::unnamed_kernel, typename KernelType>
  void single_task(const KernelType& kernelFunc) {
    detail::launch_single_task<KernelName>(*this, detail::take_configuration(group_, kernelFunc));
  }

  /// With properties (sycl_ext_oneapi_kernel_properties).
  template <typename KernelName = detail::unnamed_kernel, typename PropertyValuesT, typename KernelType>
  void single_task(ext::oneapi::experimental::properties<PropertyValuesT> props,
                   const KernelType& kernelFunc) {
    const auto& kernel = detail::take_configuration(group_, kernelFunc);
    detail::launch_single_task<KernelName>(
        *this, detail::with_properties<PropertyValuesT>(detail::with_launch_values(group_, props, kernel)));
  }

  /// §4.9.4.2.2. \p rest is reductions followed by the kernel function, or the deprecated offset and the
  /// kernel function. One overload per dimension, so that numbers and brace lists stand for ranges.
  /// Properties (sycl_ext_oneapi_kernel_properties) may come before all of that.
  template <typename KernelName = detail::unnamed_kernel, typename... Rest>
  void parallel_for(range<1> numWorkItems, Rest&&... rest) {
    parallel_for_range<KernelName>(numWorkItems, static_cast<Rest&&>(rest)...);
  }
  template <typename KernelName = detail::unnamed_kernel, typename... Rest>
  void parallel_for(range<2> numWorkItems, Rest&&... rest) {
    parallel_for_range<KernelName>(numWorkItems, static_cast<Rest&&>(rest)...);
  }
  template <typename KernelName = detail::unnamed_kernel, typename... Rest>
  void parallel_for(range<3> numWorkItems, Rest&&... rest) {
    parallel_for_range<KernelName>(numWorkItems, static_cast<Rest&&>(rest)...);
  }

  /// §4.9.4.2.2. Throws errc::nd_range if the local range does not divide the global range, or is more than
  /// the device or the kernel allows.
  template <typename KernelName = detail::unnamed_kernel, int Dimensions, typename... Rest>
  void parallel_for(nd_range<Dimensions> executionRange, Rest&&... rest) {
    static_assert(sizeof...(Rest) > 0, "parallel_for needs a kernel function");
    if constexpr (std::is_same_v<detail::first_of<Rest...>, kernel>)
      launch_object(rest..., detail::geometry_of(executionRange), "parallel_for");
    else if constexpr (detail::is_property_list_v<detail::first_of<Rest...>>)
      detail::apply_properties(
          group_, [&](const auto&... others) { parallel_for<KernelName>(executionRange, others...); },
          rest...);
    else if constexpr (sizeof...(Rest) == 1)
      detail::launch_nd_range<KernelName>(*this, executionRange, detail::take_configuration(group_, rest)...);
    else
      detail::launch_reduction<KernelName>(*this, executionRange,
                                           detail::take_configuration(group_, rest)...);
  }

  /// Hierarchical kernels (§4.9.4.2.3). Deprecated by SYCL 2020. The runtime chooses the work-group size.
  template <typename KernelName = detail::unnamed_kernel, typename WorkgroupFunctionType, int Dimensions>
  void parallel_for_work_group(range<Dimensions> numWorkGroups, const WorkgroupFunctionType& kernelFunc) {
    const falx::launch_geometry geometry{falx::kernel_kind::work_group,
                                         Dimensions,
                                         detail::extent_of(numWorkGroups, 1),
                                         {0, 0, 0},
                                         detail::NO_OFFSET};
    detail::launch_work_group<KernelName, Dimensions>(*this, geometry,
                                                      detail::take_configuration(group_, kernelFunc));
  }
  template <typename KernelName = detail::unnamed_kernel, typename WorkgroupFunctionType, int Dimensions>
  void parallel_for_work_group(range<Dimensions> numWorkGroups, range<Dimensions> workGroupSize,
                               const WorkgroupFunctionType& kernelFunc) {
    const falx::extent3 groups = detail::extent_of(numWorkGroups, 1);
    const falx::extent3 size = detail::extent_of(workGroupSize, 1);
    const falx::launch_geometry geometry{falx::kernel_kind::work_group, Dimensions,
                                         falx::checked_product("parallel_for_work_group", groups, size), size,
                                         detail::NO_OFFSET};
    detail::launch_work_group<KernelName, Dimensions>(*this, geometry,
                                                      detail::take_configuration(group_, kernelFunc));
  }

  /// With properties (sycl_ext_oneapi_kernel_properties).
  template <typename KernelName = detail::unnamed_kernel, typename WorkgroupFunctionType, int Dimensions,
            typename PropertyValuesT>
  void parallel_for_work_group(range<Dimensions> numWorkGroups,
                               ext::oneapi::experimental::properties<PropertyValuesT> props,
                               const WorkgroupFunctionType& kernelFunc) {
    parallel_for_work_group<KernelName>(
        numWorkGroups,
        detail::with_properties<PropertyValuesT>(detail::with_launch_values(group_, props, kernelFunc)));
  }
  template <typename KernelName = detail::unnamed_kernel, typename WorkgroupFunctionType, int Dimensions,
            typename PropertyValuesT>
  void parallel_for_work_group(range<Dimensions> numWorkGroups, range<Dimensions> workGroupSize,
                               ext::oneapi::experimental::properties<PropertyValuesT> props,
                               const WorkgroupFunctionType& kernelFunc) {
    parallel_for_work_group<KernelName>(
        numWorkGroups, workGroupSize,
        detail::with_properties<PropertyValuesT>(detail::with_launch_values(group_, props, kernelFunc)));
  }

  /// AdaptiveCpp, SCOPED_PARALLELISM_V2: \p rest is reductions followed by a function that takes a group, as
  /// auto, and their reducers. Throws errc::nd_range if the device has no groups of that size.
  template <typename KernelName = detail::unnamed_kernel, int Dimensions, typename... Rest>
  void parallel(range<Dimensions> numWorkGroups, range<Dimensions> workGroupSize, Rest&&... rest) {
    static_assert(sizeof...(Rest) > 0, "parallel needs a kernel function");
    detail::launch_parallel<KernelName>(*this, numWorkGroups, workGroupSize,
                                        detail::take_configuration(group_, rest)...);
  }

  /// USM operations (§4.9.4.3). A null pointer with a size other than 0 throws errc::invalid.
  void memcpy(void* dest, const void* src, std::size_t numBytes) {
    falx::set_memcpy(group_, dest, src, numBytes, "memcpy");
  }
  template <typename T>
  void copy(const T* src, T* dest, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "copied elements must be device copyable");
    falx::set_memcpy(group_, dest, src, falx::checked_bytes("copy", count, sizeof(T)), "copy");
  }
  void memset(void* ptr, int value, std::size_t numBytes) {
    const unsigned char byte = static_cast<unsigned char>(value);
    falx::set_fill_pointer(group_, ptr, &byte, 1, numBytes, "memset");
  }
  template <typename T>
  void fill(void* ptr, const T& pattern, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "a fill pattern must be device copyable");
    falx::set_fill_pointer(group_, ptr, __builtin_addressof(pattern), sizeof(T), count, "fill");
  }
  void prefetch(const void* ptr, std::size_t numBytes) { falx::set_prefetch(group_, ptr, numBytes); }
  /// AdaptiveCpp's ACPP_EXT_PREFETCH_HOST: brings shared USM to the host's memory.
  void prefetch_host(const void* ptr, std::size_t num_bytes) {
    falx::set_prefetch_host(group_, ptr, num_bytes);
  }
  void mem_advise(const void* ptr, std::size_t numBytes, int advice) {
    falx::set_mem_advise(group_, ptr, numBytes, advice);
  }

  /// SYCL extension sycl_ext_oneapi_memcpy2d: \p height rows of \p width elements, which are bytes for
  /// memcpy2d and memset2d; rows begin a pitch of so many elements apart. A width of more than a pitch throws
  /// errc::invalid.
  void ext_oneapi_memcpy2d(void* dest, std::size_t destPitch, const void* src, std::size_t srcPitch,
                           std::size_t width, std::size_t height) {
    falx::set_copy_rows(group_, {const_cast<void*>(src), srcPitch, width, height, 1},
                        {dest, destPitch, width, height, 1}, "ext_oneapi_memcpy2d");
  }
  template <typename T>
  void ext_oneapi_copy2d(const T* src, std::size_t srcPitch, T* dest, std::size_t destPitch,
                         std::size_t width, std::size_t height) {
    static_assert(is_device_copyable_v<T>, "copied elements must be device copyable");
    falx::set_copy_rows(group_, {const_cast<std::remove_cv_t<T>*>(src), srcPitch, width, height, sizeof(T)},
                        {dest, destPitch, width, height, sizeof(T)}, "ext_oneapi_copy2d");
  }
  void ext_oneapi_memset2d(void* dest, std::size_t destPitch, int value, std::size_t width,
                           std::size_t height) {
    const unsigned char byte = static_cast<unsigned char>(value);
    falx::set_fill_rows(group_, {dest, destPitch, width, height, 1}, &byte, "ext_oneapi_memset2d");
  }
  template <typename T>
  void ext_oneapi_fill2d(void* dest, std::size_t destPitch, const T& pattern, std::size_t width,
                         std::size_t height) {
    static_assert(is_device_copyable_v<T>, "a fill pattern must be device copyable");
    falx::set_fill_rows(group_, {dest, destPitch, width, height, sizeof(T)}, __builtin_addressof(pattern),
                        "ext_oneapi_fill2d");
  }

  /// Explicit memory operations on accessors (§4.9.4.3).
  template <typename SrcT, int SrcDims, access_mode SrcMode, target SrcTgt, access::placeholder IsPlaceholder,
            typename DestT>
  void copy(accessor<SrcT, SrcDims, SrcMode, SrcTgt, IsPlaceholder> src, std::shared_ptr<DestT> dest) {
    copy(src, dest.get());
    keep(std::move(dest));
  }
  template <typename SrcT, typename DestT, int DestDims, access_mode DestMode, target DestTgt,
            access::placeholder IsPlaceholder>
  void copy(std::shared_ptr<SrcT> src, accessor<DestT, DestDims, DestMode, DestTgt, IsPlaceholder> dest) {
    copy(static_cast<const std::remove_extent_t<SrcT>*>(src.get()), dest);
    keep(std::move(src));
  }
  template <typename SrcT, int SrcDims, access_mode SrcMode, target SrcTgt, access::placeholder IsPlaceholder,
            typename DestT>
  void copy(accessor<SrcT, SrcDims, SrcMode, SrcTgt, IsPlaceholder> src, DestT* dest) {
    check_readable<SrcMode, SrcTgt>();
    check_variant<IsPlaceholder>();
    static_assert(!std::is_const_v<DestT>, "the destination of a copy must not be const");
    const falx::memory_operand from = operand_of(src);
    falx::set_copy(group_, from, dense(dest, from.box));
  }
  template <typename SrcT, typename DestT, int DestDims, access_mode DestMode, target DestTgt,
            access::placeholder IsPlaceholder>
  void copy(const SrcT* src, accessor<DestT, DestDims, DestMode, DestTgt, IsPlaceholder> dest) {
    check_writable<DestMode, DestTgt>();
    check_variant<IsPlaceholder>();
    const falx::memory_operand to = operand_of(dest);
    falx::set_copy(group_, dense(src, to.box), to);
  }
  /// Throws errc::invalid if \p dest holds fewer bytes than \p src.
  template <typename SrcT, int SrcDims, access_mode SrcMode, target SrcTgt,
            access::placeholder IsSrcPlaceholder, typename DestT, int DestDims, access_mode DestMode,
            target DestTgt, access::placeholder IsDestPlaceholder>
  void copy(accessor<SrcT, SrcDims, SrcMode, SrcTgt, IsSrcPlaceholder> src,
            accessor<DestT, DestDims, DestMode, DestTgt, IsDestPlaceholder> dest) {
    check_readable<SrcMode, SrcTgt>();
    check_writable<DestMode, DestTgt>();
    check_variant<IsSrcPlaceholder>();
    check_variant<IsDestPlaceholder>();
    falx::set_copy(group_, operand_of(src), operand_of(dest));
  }
  template <typename T, int Dims, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
  void update_host(accessor<T, Dims, Mode, Tgt, IsPlaceholder> acc) {
    falx::set_update_host(group_, detail::full_core(detail::internals::state(acc)).requirement);
  }
  /// AdaptiveCpp's ACPP_EXT_UPDATE_DEVICE: makes the queue's device's copy of what the accessor reaches
  /// current, as a kernel that reads it would. With property::no_init, only allocates.
  template <typename T, int Dims, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
  void update(accessor<T, Dims, Mode, Tgt, IsPlaceholder> acc) {
    check_target<Tgt>();
    falx::set_update_device(group_, detail::full_core(detail::internals::state(acc)).requirement);
  }
  template <typename T, int Dims, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
  void fill(accessor<T, Dims, Mode, Tgt, IsPlaceholder> dest, const T& src) {
    check_writable<Mode, Tgt>();
    check_variant<IsPlaceholder>();
    falx::set_fill(group_, operand_of(dest), __builtin_addressof(src), sizeof(T));
  }

  /// Copies of device globals (sycl_ext_oneapi_device_global): \p count elements from \p startIndex on, or \p
  /// numBytes bytes from \p offset on. Throw errc::invalid if that reaches beyond the variable. Those that
  /// property host_access rules out do not exist.
  template <typename T, typename PropertyListT,
            ext::oneapi::experimental::detail::if_host_writes<PropertyListT> = 0>
  void copy(const std::remove_all_extents_t<T>* src,
            ext::oneapi::experimental::device_global<T, PropertyListT>& dest,
            std::size_t count = ext::oneapi::experimental::detail::device_global_length<T>,
            std::size_t startIndex = 0) {
    falx::set_copy_to_device_global(
        group_, ext::oneapi::experimental::detail::part_of(dest, sizeof(*src), startIndex, count), src,
        "copy");
  }
  template <typename T, typename PropertyListT,
            ext::oneapi::experimental::detail::if_host_reads<PropertyListT> = 0>
  void copy(const ext::oneapi::experimental::device_global<T, PropertyListT>& src,
            std::remove_all_extents_t<T>* dest,
            std::size_t count = ext::oneapi::experimental::detail::device_global_length<T>,
            std::size_t startIndex = 0) {
    falx::set_copy_from_device_global(
        group_, dest, ext::oneapi::experimental::detail::part_of(src, sizeof(*dest), startIndex, count),
        "copy");
  }
  template <typename T, typename PropertyListT,
            ext::oneapi::experimental::detail::if_host_writes<PropertyListT> = 0>
  void memcpy(ext::oneapi::experimental::device_global<T, PropertyListT>& dest, const void* src,
              std::size_t numBytes = sizeof(T), std::size_t offset = 0) {
    falx::set_copy_to_device_global(
        group_, ext::oneapi::experimental::detail::part_of(dest, 1, offset, numBytes), src, "memcpy");
  }
  template <typename T, typename PropertyListT,
            ext::oneapi::experimental::detail::if_host_reads<PropertyListT> = 0>
  void memcpy(void* dest, const ext::oneapi::experimental::device_global<T, PropertyListT>& src,
              std::size_t numBytes = sizeof(T), std::size_t offset = 0) {
    falx::set_copy_from_device_global(
        group_, dest, ext::oneapi::experimental::detail::part_of(src, 1, offset, numBytes), "memcpy");
  }

  /// A task on the host in order with the queue's work (§4.10). The callable may take a sycl::interop_handle.
  template <typename T>
  void host_task(T&& hostTaskCallable) {
    falx::set_host_task(group_, detail::pack_host_task(static_cast<T&&>(hostTaskCallable)));
    falx::set_host_task_accessors(group_, detail::accessor_offsets<std::decay_t<T>>());
  }

  /// SYCL extension sycl_ext_codeplay_enqueue_native_command: the command is what the callable, which takes a
  /// sycl::interop_handle, puts on the native queue that get_native_queue gives. That comes after the command
  /// group's dependencies, for which no thread waits: the callable runs at once, or soon. It must neither
  /// wait nor use a sycl::queue. On a device without native queues, such as the CPU, a host task.
  template <typename Func>
  void ext_codeplay_enqueue_native_command(Func&& interopCallable) {
    falx::set_native_command(group_, detail::pack_native_command(static_cast<Func&&>(interopCallable)),
                             "ext_codeplay_enqueue_native_command");
  }
  /// The same by its name in AdaptiveCpp.
  template <typename InteropFunction>
  void AdaptiveCpp_enqueue_custom_operation(InteropFunction f) {
    falx::set_native_command(group_, detail::pack_native_command(std::move(f)),
                             "AdaptiveCpp_enqueue_custom_operation");
  }

  /// And by its older one.
  template <typename InteropFunction>
  void hipSYCL_enqueue_custom_operation(InteropFunction f) {
    AdaptiveCpp_enqueue_custom_operation(std::move(f));
  }

  /// SYCL extension sycl_ext_oneapi_enqueue_barrier: waits for all that was submitted before, or for the
  /// given events, and later commands of the queue wait for it.
  void ext_oneapi_barrier() { falx::set_barrier(group_); }
  void ext_oneapi_barrier(const std::vector<event>& waitList);

private:
  friend struct detail::internals;
  friend falx::command_group& detail::command_group_of(handler&) noexcept;
  friend class queue;
  explicit handler(falx::command_group& group) noexcept : group_(group) {}

  void launch_object(const kernel& object, const falx::launch_geometry& geometry, const char* function);

  template <class KernelName, int Dimensions, class... Rest>
  void parallel_for_range(const range<Dimensions>& items, Rest&&... rest) {
    static_assert(sizeof...(Rest) > 0, "parallel_for needs a kernel function");
    if constexpr (std::is_same_v<detail::first_of<Rest...>, kernel>)
      launch_object(rest..., detail::geometry_of(items), "parallel_for");
    else if constexpr (detail::is_property_list_v<detail::first_of<Rest...>>)
      detail::apply_properties(
          group_, [&](const auto&... others) { parallel_for_range<KernelName>(items, others...); }, rest...);
    else if constexpr (sizeof...(Rest) == 1)
      detail::launch_range<KernelName, Dimensions>(*this, detail::geometry_of(items),
                                                   detail::take_configuration(group_, rest)...);
    else if constexpr (detail::is_index<detail::first_of<Rest...>>::value)
      parallel_for_offset<KernelName>(items, rest...);
    else
      detail::launch_reduction<KernelName>(*this, items, detail::take_configuration(group_, rest)...);
  }
  template <class KernelName, int Dimensions, class Kernel>
  void parallel_for_offset(const range<Dimensions>& items, const id<Dimensions>& offset,
                           const Kernel& kernel) {
    detail::launch_range<KernelName, Dimensions, true>(
        *this, detail::geometry_of(items, detail::extent_of(offset, 0)),
        detail::take_configuration(group_, kernel));
  }

  template <access_mode Mode, target Target>
  static constexpr void check_readable() {
    static_assert(Mode == access_mode::read || Mode == access_mode::read_write,
                  "the source of a copy needs access_mode::read or read_write");
    check_target<Target>();
  }
  template <access_mode Mode, target Target>
  static constexpr void check_writable() {
    static_assert(Mode != access_mode::read, "the destination of a copy or fill must be writable");
    check_target<Target>();
  }
  template <accessor_variant Variant>
  static constexpr void check_variant() {
    static_assert(Variant != accessor_variant::raw,
                  "a raw accessor has no range to copy or fill; use another accessor, or USM operations "
                  "with its pointer");
  }
  template <target Target>
  static constexpr void check_target() {
    static_assert(Target == target::device || Target == target::constant_buffer,
                  "explicit memory operations take accessors for target::device");
  }

  template <class Accessor>
  static falx::memory_operand operand_of(const Accessor& accessor) {
    return {memory_box_of(accessor), detail::full_core(detail::internals::state(accessor)).requirement};
  }
  /// User memory as large as \p like, packed densely.
  template <class T>
  static falx::memory_operand dense(T* pointer, const falx::memory_box& like) {
    falx::memory_box box;
    box.base = const_cast<std::remove_cv_t<T>*>(pointer);
    box.array_range = like.range;
    box.range = like.range;
    box.element_size = like.element_size;
    return {box, 0};
  }

  template <class T>
  void keep(std::shared_ptr<T> pointer) {
    falx::keep_until_complete(group_, new std::shared_ptr<T>(std::move(pointer)),
                              [](void* data) { delete static_cast<std::shared_ptr<T>*>(data); });
  }

  falx::command_group& group_;
};

} // namespace sycl
