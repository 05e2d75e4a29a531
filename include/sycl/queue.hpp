// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "falx/queue.hpp"
#include "sycl/backend.hpp"
#include "sycl/context.hpp"
#include "sycl/detail/dependencies.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/device.hpp"
#include "sycl/event.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/acpp/command_group_properties.hpp"
#include "sycl/ext/acpp/multi_device_selector.hpp"
#include "sycl/ext/oneapi/device_global/shortcuts.hpp"
#include "sycl/ext/oneapi/queue_properties.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/handler.hpp"
#include "sycl/property_list.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl {

class queue;

/// Properties of queues (SYCL 2020 §4.6.5.5).
namespace property::queue {
/// Commands take timestamps for event::get_profiling_info.
struct enable_profiling : sycl::detail::property_base {};
/// Commands run one after the other, in the order of their submission.
struct in_order : sycl::detail::property_base {};
} // namespace property::queue

template <>
struct is_property_of<property::queue::enable_profiling, queue> : std::true_type {};
template <>
struct is_property_of<property::queue::in_order, queue> : std::true_type {};

namespace info::queue {
struct context {
  using return_type = sycl::context;
};
struct device {
  using return_type = sycl::device;
};
} // namespace info::queue

namespace detail {

/// True for what stands in front of reductions and kernel functions in the shortcuts: an event or a list.
template <class T>
inline constexpr bool is_dependency_v = std::is_same_v<T, event> || std::is_same_v<T, std::vector<event>>;

/// A command group function whose type the runtime does not know.
struct command_group_function {
  void* object;
  void (*call)(void* object, handler& group);
};

} // namespace detail

/// Where a host program submits work for one device (SYCL 2020 §4.6.5). Thread-safe. Destroying a queue does
/// not wait for its work.
class queue : public ext::oneapi::experimental::detail::device_global_shortcuts<queue>,
              public detail::owner_ordered<queue> {
public:
  explicit queue(const property_list& propList = {});
  explicit queue(const async_handler& asyncHandler, const property_list& propList = {});

  template <typename DeviceSelector, class = detail::if_device_selector<DeviceSelector>>
  explicit queue(const DeviceSelector& deviceSelector, const property_list& propList = {})
      : queue(device(deviceSelector), propList) {}
  template <typename DeviceSelector, class = detail::if_device_selector<DeviceSelector>>
  explicit queue(const DeviceSelector& deviceSelector, const async_handler& asyncHandler,
                 const property_list& propList = {})
      : queue(device(deviceSelector), asyncHandler, propList) {}

  explicit queue(const device& syclDevice, const property_list& propList = {});
  explicit queue(const device& syclDevice, const async_handler& asyncHandler,
                 const property_list& propList = {});

  /// Select among all root devices, as without a context. Throw errc::invalid if the context does not contain
  /// the one that is selected.
  template <typename DeviceSelector, class = detail::if_device_selector<DeviceSelector>>
  explicit queue(const context& syclContext, const DeviceSelector& deviceSelector,
                 const property_list& propList = {})
      : queue(syclContext, select_among(syclContext, deviceSelector), propList) {}
  template <typename DeviceSelector, class = detail::if_device_selector<DeviceSelector>>
  explicit queue(const context& syclContext, const DeviceSelector& deviceSelector,
                 const async_handler& asyncHandler, const property_list& propList = {})
      : queue(syclContext, select_among(syclContext, deviceSelector), asyncHandler, propList) {}

  /// Throw errc::invalid if the device is not in the context.
  explicit queue(const context& syclContext, const device& syclDevice, const property_list& propList = {});
  explicit queue(const context& syclContext, const device& syclDevice, const async_handler& asyncHandler,
                 const property_list& propList = {});

  /// AdaptiveCpp's ACPP_EXT_MULTI_DEVICE_QUEUE: every command goes to the device that is expected to be done
  /// with it first. get_device, and with it allocation by queue, means the first GPU, else the first device.
  /// Throw errc::invalid for an empty list, for a device named twice, and for one that is not in the context;
  /// without a context, the devices may be of several platforms.
  explicit queue(const std::vector<device>& devices, const async_handler& handler,
                 const property_list& propList = {});
  explicit queue(const std::vector<device>& devices, const property_list& propList = {});
  explicit queue(const context& syclContext, const std::vector<device>& devices,
                 const property_list& propList = {});
  explicit queue(const context& syclContext, const std::vector<device>& devices,
                 const async_handler& asyncHandler, const property_list& propList = {});
  template <class Selector, selection_policy P>
  explicit queue(const multi_device_selector<Selector, P>& selector, const property_list& propList = {})
      : queue(detail::selected_devices(selector), propList) {}
  template <class Selector, selection_policy P>
  explicit queue(const multi_device_selector<Selector, P>& selector, const async_handler& asyncHandler,
                 const property_list& propList = {})
      : queue(detail::selected_devices(selector), asyncHandler, propList) {}
  /// The devices that the queue distributes its commands over.
  std::vector<device> get_devices() const;

  template <typename Property>
  bool has_property() const noexcept {
    return properties().template has_property<Property>();
  }
  /// Throws errc::invalid if the queue was constructed without the property.
  template <typename Property>
  Property get_property() const {
    return properties().template get_property<Property>();
  }

  backend get_backend() const noexcept;
  context get_context() const;
  device get_device() const;
  bool is_in_order() const;

  template <typename Param>
  typename Param::return_type get_info() const {
    if constexpr (std::is_same_v<Param, info::queue::context>)
      return get_context();
    else {
      static_assert(std::is_same_v<Param, info::queue::device>,
                    "queue::get_info takes info::queue::context or info::queue::device");
      return get_device();
    }
  }
  template <typename Param>
  typename Param::return_type get_backend_info() const {
    detail::throw_foreign_information("queue");
  }

  /// Runs the command group function now and its command when its dependencies are complete.
  template <typename T>
  event submit(T cgf) {
    return submit_function(
        {__builtin_addressof(cgf), [](void* object, handler& group) { (*static_cast<T*>(object))(group); }});
  }
  /// AdaptiveCpp's ACPP_EXT_CG_PROPERTY_*: with properties of property::command_group. Throws errc::invalid
  /// for AdaptiveCpp_retarget on a queue without property::queue::AdaptiveCpp_retargetable, and where a
  /// preferred group has no work-item.
  template <typename T>
  event submit(const property_list& prop_list, T cgf) {
    return submit_function(
        {__builtin_addressof(cgf), [](void* object, handler& group) { (*static_cast<T*>(object))(group); }},
        prop_list);
  }
  /// Deprecated by SYCL 2020. Submits to \p secondaryQueue what this queue refuses with an exception.
  template <typename T>
  event submit(T cgf, const queue& secondaryQueue) {
    return submit_function(
        {__builtin_addressof(cgf), [](void* object, handler& group) { (*static_cast<T*>(object))(group); }},
        secondaryQueue);
  }

  void wait();
  void wait_and_throw();
  void throw_asynchronous();

  /// Shortcuts (§4.6.5.3): command groups with one command, after the given events. Where the specification
  /// has three overloads, for no event, one, and a vector, there is one.
  template <typename KernelName = detail::unnamed_kernel, typename KernelType>
  event single_task(const KernelType& kernelFunc) {
    return submit([&](handler& group) { group.single_task<KernelName>(kernelFunc); });
  }
  template <typename KernelName = detail::unnamed_kernel, typename KernelType>
  event single_task(detail::dependencies depEvents, const KernelType& kernelFunc) {
    return submit_after(depEvents, [&](handler& group) { group.single_task<KernelName>(kernelFunc); });
  }

  /// With properties (sycl_ext_oneapi_kernel_properties).
  template <typename KernelName = detail::unnamed_kernel, typename PropertyValuesT, typename KernelType>
  event single_task(ext::oneapi::experimental::properties<PropertyValuesT> properties,
                    const KernelType& kernelFunc) {
    return submit([&](handler& group) { group.single_task<KernelName>(properties, kernelFunc); });
  }
  template <typename KernelName = detail::unnamed_kernel, typename PropertyValuesT, typename KernelType>
  event single_task(detail::dependencies depEvents,
                    ext::oneapi::experimental::properties<PropertyValuesT> properties,
                    const KernelType& kernelFunc) {
    return submit_after(depEvents,
                        [&](handler& group) { group.single_task<KernelName>(properties, kernelFunc); });
  }

  /// \p rest is reductions and the kernel function, after an event or a list of events if there is one. In
  /// front of the reductions, properties may stand (sycl_ext_oneapi_kernel_properties).
  template <typename KernelName = detail::unnamed_kernel, typename... Rest>
  event parallel_for(range<1> numWorkItems, Rest&&... rest) {
    return submit_parallel_for<KernelName>(numWorkItems, static_cast<Rest&&>(rest)...);
  }
  template <typename KernelName = detail::unnamed_kernel, typename... Rest>
  event parallel_for(range<1> numWorkItems, const std::vector<event>& depEvents, Rest&&... rest) {
    return submit_parallel_for<KernelName>(numWorkItems, depEvents, static_cast<Rest&&>(rest)...);
  }
  template <typename KernelName = detail::unnamed_kernel, typename... Rest>
  event parallel_for(range<2> numWorkItems, Rest&&... rest) {
    return submit_parallel_for<KernelName>(numWorkItems, static_cast<Rest&&>(rest)...);
  }
  template <typename KernelName = detail::unnamed_kernel, typename... Rest>
  event parallel_for(range<2> numWorkItems, const std::vector<event>& depEvents, Rest&&... rest) {
    return submit_parallel_for<KernelName>(numWorkItems, depEvents, static_cast<Rest&&>(rest)...);
  }
  template <typename KernelName = detail::unnamed_kernel, typename... Rest>
  event parallel_for(range<3> numWorkItems, Rest&&... rest) {
    return submit_parallel_for<KernelName>(numWorkItems, static_cast<Rest&&>(rest)...);
  }
  template <typename KernelName = detail::unnamed_kernel, typename... Rest>
  event parallel_for(range<3> numWorkItems, const std::vector<event>& depEvents, Rest&&... rest) {
    return submit_parallel_for<KernelName>(numWorkItems, depEvents, static_cast<Rest&&>(rest)...);
  }
  template <typename KernelName = detail::unnamed_kernel, int Dimensions, typename... Rest>
  event parallel_for(nd_range<Dimensions> executionRange, Rest&&... rest) {
    return submit_parallel_for<KernelName>(executionRange, static_cast<Rest&&>(rest)...);
  }
  template <typename KernelName = detail::unnamed_kernel, int Dimensions, typename... Rest>
  event parallel_for(nd_range<Dimensions> executionRange, const std::vector<event>& depEvents,
                     Rest&&... rest) {
    return submit_parallel_for<KernelName>(executionRange, depEvents, static_cast<Rest&&>(rest)...);
  }

  /// AdaptiveCpp, SCOPED_PARALLELISM_V2: see handler::parallel. \p rest may begin with an event or a list.
  template <typename KernelName = detail::unnamed_kernel, int Dimensions, typename First, typename... Rest>
  event parallel(range<Dimensions> numWorkGroups, range<Dimensions> workGroupSize, First&& first,
                 Rest&&... rest) {
    return submit([&](handler& group) {
      if constexpr (detail::is_dependency_v<std::remove_cv_t<std::remove_reference_t<First>>>) {
        group.depends_on(first);
        group.parallel<KernelName>(numWorkGroups, workGroupSize, rest...);
      } else {
        group.parallel<KernelName>(numWorkGroups, workGroupSize, first, rest...);
      }
    });
  }

  using device_global_shortcuts::copy;
  using device_global_shortcuts::memcpy;
  event memcpy(void* dest, const void* src, std::size_t numBytes, detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.memcpy(dest, src, numBytes); });
  }

  template <typename T>
  event copy(const T* src, T* dest, std::size_t count, detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.copy(src, dest, count); });
  }

  event memset(void* ptr, int value, std::size_t numBytes, detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.memset(ptr, value, numBytes); });
  }

  template <typename T>
  event fill(void* ptr, const T& pattern, std::size_t count, detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.fill(ptr, pattern, count); });
  }

  event prefetch(const void* ptr, std::size_t numBytes, detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.prefetch(ptr, numBytes); });
  }

  /// AdaptiveCpp's ACPP_EXT_PREFETCH_HOST.
  event prefetch_host(const void* ptr, std::size_t num_bytes, detail::dependencies dependencies = {}) {
    return submit_after(dependencies, [&](handler& group) { group.prefetch_host(ptr, num_bytes); });
  }

  event mem_advise(const void* ptr, std::size_t numBytes, int advice, detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.mem_advise(ptr, numBytes, advice); });
  }

  /// SYCL extension sycl_ext_oneapi_memcpy2d: see handler.
  event ext_oneapi_memcpy2d(void* dest, std::size_t destPitch, const void* src, std::size_t srcPitch,
                            std::size_t width, std::size_t height, detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) {
      group.ext_oneapi_memcpy2d(dest, destPitch, src, srcPitch, width, height);
    });
  }
  template <typename T>
  event ext_oneapi_copy2d(const T* src, std::size_t srcPitch, T* dest, std::size_t destPitch,
                          std::size_t width, std::size_t height, detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) {
      group.ext_oneapi_copy2d(src, srcPitch, dest, destPitch, width, height);
    });
  }
  event ext_oneapi_memset2d(void* dest, std::size_t destPitch, int value, std::size_t width,
                            std::size_t height, detail::dependencies depEvents = {}) {
    return submit_after(
        depEvents, [&](handler& group) { group.ext_oneapi_memset2d(dest, destPitch, value, width, height); });
  }
  template <typename T>
  event ext_oneapi_fill2d(void* dest, std::size_t destPitch, const T& pattern, std::size_t width,
                          std::size_t height, detail::dependencies depEvents = {}) {
    return submit_after(
        depEvents, [&](handler& group) { group.ext_oneapi_fill2d(dest, destPitch, pattern, width, height); });
  }

  /// Explicit memory operations. The accessors are placeholders, which the shortcuts require.
  template <typename SrcT, int SrcDims, access_mode SrcMode, target SrcTgt,
            access::placeholder IsSrcPlaceholder, typename DestT>
  event copy(accessor<SrcT, SrcDims, SrcMode, SrcTgt, IsSrcPlaceholder> src, std::shared_ptr<DestT> dest) {
    return submit([&](handler& group) {
      group.require(src);
      group.copy(src, std::move(dest));
    });
  }
  template <typename SrcT, typename DestT, int DestDims, access_mode DestMode, target DestTgt,
            access::placeholder IsDestPlaceholder>
  event copy(std::shared_ptr<SrcT> src,
             accessor<DestT, DestDims, DestMode, DestTgt, IsDestPlaceholder> dest) {
    return submit([&](handler& group) {
      group.require(dest);
      group.copy(std::move(src), dest);
    });
  }
  template <typename SrcT, int SrcDims, access_mode SrcMode, target SrcTgt,
            access::placeholder IsSrcPlaceholder, typename DestT>
  event copy(accessor<SrcT, SrcDims, SrcMode, SrcTgt, IsSrcPlaceholder> src, DestT* dest) {
    return submit([&](handler& group) {
      group.require(src);
      group.copy(src, dest);
    });
  }
  template <typename SrcT, typename DestT, int DestDims, access_mode DestMode, target DestTgt,
            access::placeholder IsDestPlaceholder>
  event copy(const SrcT* src, accessor<DestT, DestDims, DestMode, DestTgt, IsDestPlaceholder> dest) {
    return submit([&](handler& group) {
      group.require(dest);
      group.copy(src, dest);
    });
  }
  template <typename SrcT, int SrcDims, access_mode SrcMode, target SrcTgt,
            access::placeholder IsSrcPlaceholder, typename DestT, int DestDims, access_mode DestMode,
            target DestTgt, access::placeholder IsDestPlaceholder>
  event copy(accessor<SrcT, SrcDims, SrcMode, SrcTgt, IsSrcPlaceholder> src,
             accessor<DestT, DestDims, DestMode, DestTgt, IsDestPlaceholder> dest) {
    return submit([&](handler& group) {
      group.require(src);
      group.require(dest);
      group.copy(src, dest);
    });
  }
  template <typename T, int Dims, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
  event fill(accessor<T, Dims, Mode, Tgt, IsPlaceholder> dest, const T& src) {
    return submit([&](handler& group) {
      group.require(dest);
      group.fill(dest, src);
    });
  }
  template <typename T, int Dims, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
  event update_host(accessor<T, Dims, Mode, Tgt, IsPlaceholder> acc) {
    return submit([&](handler& group) {
      group.require(acc);
      group.update_host(acc);
    });
  }

  /// Shortcuts of AdaptiveCpp's for handler::AdaptiveCpp_enqueue_custom_operation.
  template <class InteropFunction>
  event AdaptiveCpp_enqueue_custom_operation(InteropFunction op, detail::dependencies dependencies = {}) {
    return submit_after(dependencies,
                        [&](handler& group) { group.AdaptiveCpp_enqueue_custom_operation(std::move(op)); });
  }

  /// By their older name.
  template <class InteropFunction>
  event hipSYCL_enqueue_custom_operation(InteropFunction op, detail::dependencies dependencies = {}) {
    return AdaptiveCpp_enqueue_custom_operation(std::move(op), dependencies);
  }

  /// AdaptiveCpp's ACPP_EXT_QUEUE_WAIT_LIST: when all of these are complete, so is everything that was
  /// submitted to the queue. At most one event on an in-order queue.
  std::vector<event> get_wait_list() const;

  /// SYCL extension sycl_ext_oneapi_enqueue_barrier.
  event ext_oneapi_submit_barrier() {
    return submit([](handler& group) { group.ext_oneapi_barrier(); });
  }
  event ext_oneapi_submit_barrier(const std::vector<event>& waitList) {
    return submit([&](handler& group) { group.ext_oneapi_barrier(waitList); });
  }
  /// SYCL extension sycl_ext_oneapi_in_order_queue_events, for in-order queues without discard_events: others
  /// throw errc::invalid.
  ///
  /// The event of the command that was submitted last; nothing if there is none.
  std::optional<event> ext_oneapi_get_last_event() const;
  /// The next command comes after \p externalEvent, too; wait, if it is called before, waits for it instead.
  /// A later call replaces an earlier one.
  void ext_oneapi_set_external_event(const event& externalEvent);

  /// SYCL extension sycl_khr_queue_empty_query: true if all submitted work is complete, and then as wait.
  bool khr_empty() const;
  /// The same by the name of sycl_ext_oneapi_queue_empty.
  bool ext_oneapi_empty() const;
  /// SYCL extension sycl_khr_queue_flush: what was submitted makes progress, and completes, as if another
  /// thread called wait.
  void khr_flush() const;
  /// SYCL extension sycl_ext_oneapi_prod: a hint to begin with what was submitted, which khr_flush is more
  /// than.
  void ext_oneapi_prod() const { khr_flush(); }

  friend bool operator==(const queue& a, const queue& b) noexcept { return a.state_ == b.state_; }
  friend bool operator!=(const queue& a, const queue& b) noexcept { return a.state_ != b.state_; }

private:
  friend struct detail::internals;
  friend device_global_shortcuts;
  explicit queue(falx::handle<falx::queue_state> state) noexcept
      : state_(static_cast<falx::handle<falx::queue_state>&&>(state)) {}

  /// A command group with one command, which \p add puts there.
  template <class Function>
  event submit_after(const detail::dependencies& after, const Function& add) {
    return submit([&](handler& group) {
      after.add_to(group);
      add(group);
    });
  }

  event submit_function(detail::command_group_function function);
  event submit_function(detail::command_group_function function, const queue& secondary);
  event submit_function(detail::command_group_function function, const property_list& properties);
  const property_list& properties() const noexcept;
  static device select_among(const context& devices, detail::selector_reference selector);
  template <class Selector>
  static device select_among(const context& devices, const Selector& selector) {
    return select_among(devices, detail::selector_call<Selector>{selector}.reference());
  }

  template <class KernelName, class Space, class First, class... Rest>
  event submit_parallel_for(const Space& space, First&& first, Rest&&... rest) {
    return submit([&](handler& group) {
      if constexpr (detail::is_dependency_v<std::remove_cv_t<std::remove_reference_t<First>>>) {
        group.depends_on(first);
        group.parallel_for<KernelName>(space, static_cast<Rest&&>(rest)...);
      } else {
        group.parallel_for<KernelName>(space, static_cast<First&&>(first), static_cast<Rest&&>(rest)...);
      }
    });
  }

  falx::handle<falx::queue_state> state_;
  /// oneDPL keeps a flag and a function in the bytes of a queue, as a shared_ptr has room for them.
  [[maybe_unused]] const void* room_ = nullptr;
};

} // namespace sycl

template <>
struct std::hash<sycl::queue> {
  std::size_t operator()(const sycl::queue& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};
