// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "falx/kernel_bundle.hpp"
#include "sycl/backend.hpp"
#include "sycl/bundle_state.hpp"
#include "sycl/context.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/device.hpp"
#include "sycl/device_image.hpp"
#include "sycl/kernel.hpp"
#include "sycl/kernel_id.hpp"
#include "sycl/property_list.hpp"
#include "sycl/specialization_id.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace sycl {

namespace detail {

/// What kernel bundles of all states have in common.
class kernel_bundle_base {
public:
  bool empty() const noexcept;
  backend get_backend() const noexcept;
  context get_context() const noexcept;
  std::vector<device> get_devices() const noexcept;

  bool has_kernel(const kernel_id& kernelId) const noexcept;
  bool has_kernel(const kernel_id& kernelId, const device& dev) const noexcept;
  template <typename KernelName>
  bool has_kernel() const noexcept {
    return has_kernel(internals::make<kernel_id>(&kernel_name_of<KernelName>));
  }
  template <typename KernelName>
  bool has_kernel(const device& dev) const noexcept {
    return has_kernel(internals::make<kernel_id>(&kernel_name_of<KernelName>), dev);
  }
  std::vector<kernel_id> get_kernel_ids() const;

  bool contains_specialization_constants() const noexcept;
  bool native_specialization_constant() const noexcept;
  template <auto& SpecName>
  bool has_specialization_constant() const noexcept {
    return has_constant(__builtin_addressof(SpecName));
  }
  template <auto& SpecName>
  specialization_value_t<SpecName> get_specialization_constant() const {
    return specialization_access::value<SpecName>(constant(__builtin_addressof(SpecName)));
  }

protected:
  explicit kernel_bundle_base(falx::handle<falx::kernel_bundle_state> state) noexcept
      : state_(static_cast<falx::handle<falx::kernel_bundle_state>&&>(state)) {}

  kernel kernel_of(const kernel_id& kernelId) const;
  bool has_constant(const void* id) const noexcept;
  const void* constant(const void* id) const noexcept;
  void set_constant(const void* id, const void* value, std::size_t bytes);
  bool equals(const kernel_bundle_base& other) const noexcept;
  std::size_t hash() const noexcept;

  falx::handle<falx::kernel_bundle_state> state_;
};

/// Defined in sycl/ext/oneapi/experimental/free_function_kernels.hpp.
template <auto* Func>
kernel_id kernel_id_of_function();

/// The bundle's device images; they live as long as the bundle.
template <bundle_state State>
const std::vector<device_image<State>>& images_of(const falx::kernel_bundle_state& bundle) noexcept;

} // namespace detail

/// Kernels with the context and the devices that they are for (SYCL 2020 §4.11.12). Copies share their state,
/// and so the values of their specialization constants.
template <bundle_state State>
class kernel_bundle : private detail::kernel_bundle_base, public detail::owner_ordered<kernel_bundle<State>> {
public:
  /// A multi-pass iterator over `const device_image<State>`.
  using device_image_iterator = const device_image<State>*;

  kernel_bundle() = delete;

  using kernel_bundle_base::contains_specialization_constants;
  using kernel_bundle_base::empty;
  using kernel_bundle_base::get_backend;
  using kernel_bundle_base::get_context;
  using kernel_bundle_base::get_devices;
  using kernel_bundle_base::get_kernel_ids;
  using kernel_bundle_base::get_specialization_constant;
  using kernel_bundle_base::has_kernel;
  using kernel_bundle_base::has_specialization_constant;
  using kernel_bundle_base::native_specialization_constant;

  /// Only for executable bundles. Throws errc::invalid if the bundle does not contain the kernel.
  template <bundle_state S = State, class = std::enable_if_t<S == bundle_state::executable>>
  kernel get_kernel(const kernel_id& kernelId) const {
    return kernel_of(kernelId);
  }
  template <typename KernelName, bundle_state S = State,
            class = std::enable_if_t<S == bundle_state::executable>>
  kernel get_kernel() const {
    return kernel_of(get_kernel_id<KernelName>());
  }

  /// The kernel that the function \p Func is (sycl_ext_oneapi_free_function_kernels).
  template <auto* Func>
  bool ext_oneapi_has_kernel() const {
    return has_kernel(detail::kernel_id_of_function<Func>());
  }
  template <auto* Func>
  bool ext_oneapi_has_kernel(const device& dev) const {
    return has_kernel(detail::kernel_id_of_function<Func>(), dev);
  }
  /// Only for executable bundles. Throws errc::invalid if the bundle does not contain the kernel.
  template <auto* Func, bundle_state S = State, class = std::enable_if_t<S == bundle_state::executable>>
  kernel ext_oneapi_get_kernel() const {
    return kernel_of(detail::kernel_id_of_function<Func>());
  }

  /// Only for input bundles. The value holds for the bundles that are compiled from this one afterwards.
  template <auto& SpecName, bundle_state S = State, class = std::enable_if_t<S == bundle_state::input>>
  void set_specialization_constant(detail::specialization_value_t<SpecName> value) {
    set_constant(__builtin_addressof(SpecName), __builtin_addressof(value), sizeof(value));
  }

  device_image_iterator begin() const { return detail::images_of<State>(*state_).data(); }
  device_image_iterator end() const { return begin() + detail::images_of<State>(*state_).size(); }

  /// Equal if they have the same context, the same devices and the same device images.
  friend bool operator==(const kernel_bundle& a, const kernel_bundle& b) noexcept { return a.equals(b); }
  friend bool operator!=(const kernel_bundle& a, const kernel_bundle& b) noexcept { return !a.equals(b); }

private:
  friend struct detail::internals;
  friend struct std::hash<kernel_bundle>;
  explicit kernel_bundle(falx::handle<falx::kernel_bundle_state> state) noexcept
      : kernel_bundle_base(static_cast<falx::handle<falx::kernel_bundle_state>&&>(state)) {}
};

namespace detail {

using bundle_handle = falx::handle<falx::kernel_bundle_state>;

/// All kernels of the program that one of the devices can run.
bundle_handle make_bundle(bundle_state state, const context& ctxt, const std::vector<device>& devs);
/// The given kernels.
bundle_handle make_bundle(bundle_state state, const context& ctxt, const std::vector<device>& devs,
                          const std::vector<kernel_id>& kernels);
/// The bundle with those of its images for which \p wanted says true.
bundle_handle filter_bundle(const bundle_handle& bundle, const std::vector<char>& wanted);
bool has_bundle(bundle_state state, const context& ctxt, const std::vector<device>& devs);
bool has_bundle(bundle_state state, const context& ctxt, const std::vector<device>& devs,
                const std::vector<kernel_id>& kernels);
bundle_handle join_bundles(const std::vector<const falx::kernel_bundle_state*>& bundles, bundle_state state);

template <bundle_state State, class Selector>
kernel_bundle<State> select_images(const context& ctxt, const std::vector<device>& devs, Selector selector) {
  bundle_handle all = make_bundle(State, ctxt, devs);
  std::vector<char> wanted;
  for (const device_image<State>& image : images_of<State>(*all))
    wanted.push_back(static_cast<bool>(selector(image)));
  return internals::make<kernel_bundle<State>>(filter_bundle(all, wanted));
}

template <bundle_state State, class Selector>
using if_image_selector = std::enable_if_t<std::is_invocable_v<Selector&, const device_image<State>&>>;

} // namespace detail

/// SYCL 2020 §4.11.6. Bundles of named kernels are compiled here if they are to be executable, except for
/// what depends on the work-group size; those of all kernels are compiled when their kernels are launched.
/// All overloads throw errc::invalid if \p devs is empty or holds a device that is not in the context, if a
/// requested kernel runs on none of the devices, or if a device lacks the online compiler or linker that
/// \p State needs; and errc::build if compilation fails.
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context& ctxt, const std::vector<device>& devs) {
  return detail::internals::make<kernel_bundle<State>>(detail::make_bundle(State, ctxt, devs));
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context& ctxt, const std::vector<device>& devs,
                                       const std::vector<kernel_id>& kernelIds) {
  return detail::internals::make<kernel_bundle<State>>(detail::make_bundle(State, ctxt, devs, kernelIds));
}
/// \p selector is called once for every device image.
template <bundle_state State, typename Selector, class = detail::if_image_selector<State, Selector>>
kernel_bundle<State> get_kernel_bundle(const context& ctxt, const std::vector<device>& devs,
                                       Selector selector) {
  return detail::select_images<State>(ctxt, devs, selector);
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context& ctxt) {
  return get_kernel_bundle<State>(ctxt, ctxt.get_devices());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context& ctxt, const std::vector<kernel_id>& kernelIds) {
  return get_kernel_bundle<State>(ctxt, ctxt.get_devices(), kernelIds);
}
template <bundle_state State, typename Selector, class = detail::if_image_selector<State, Selector>>
kernel_bundle<State> get_kernel_bundle(const context& ctxt, Selector selector) {
  return detail::select_images<State>(ctxt, ctxt.get_devices(), selector);
}
template <typename KernelName, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context& ctxt, const std::vector<device>& devs) {
  return get_kernel_bundle<State>(ctxt, devs, std::vector<kernel_id>{get_kernel_id<KernelName>()});
}
template <typename KernelName, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context& ctxt) {
  return get_kernel_bundle<KernelName, State>(ctxt, ctxt.get_devices());
}

/// §4.11.7. Throw errc::invalid if \p devs is empty or holds a device that is not in the context.
template <bundle_state State>
bool has_kernel_bundle(const context& ctxt, const std::vector<device>& devs) {
  return detail::has_bundle(State, ctxt, devs);
}
template <bundle_state State>
bool has_kernel_bundle(const context& ctxt, const std::vector<device>& devs,
                       const std::vector<kernel_id>& kernelIds) {
  return detail::has_bundle(State, ctxt, devs, kernelIds);
}
template <bundle_state State>
bool has_kernel_bundle(const context& ctxt) {
  return detail::has_bundle(State, ctxt, ctxt.get_devices());
}
template <bundle_state State>
bool has_kernel_bundle(const context& ctxt, const std::vector<kernel_id>& kernelIds) {
  return detail::has_bundle(State, ctxt, ctxt.get_devices(), kernelIds);
}
template <typename KernelName, bundle_state State>
bool has_kernel_bundle(const context& ctxt, const std::vector<device>& devs) {
  return detail::has_bundle(State, ctxt, devs, {get_kernel_id<KernelName>()});
}
template <typename KernelName, bundle_state State>
bool has_kernel_bundle(const context& ctxt) {
  return has_kernel_bundle<KernelName, State>(ctxt, ctxt.get_devices());
}

/// Whether the device can run all of the kernels (§4.11.8).
bool is_compatible(const std::vector<kernel_id>& kernelIds, const device& dev);
template <typename KernelName>
bool is_compatible(const device& dev) {
  return is_compatible({get_kernel_id<KernelName>()}, dev);
}

/// The union of the device images (§4.11.9); of no bundles, an empty bundle of the default context. Throws
/// errc::invalid if the contexts or devices differ.
template <bundle_state State>
kernel_bundle<State> join(const std::vector<kernel_bundle<State>>& bundles) {
  std::vector<const falx::kernel_bundle_state*> states;
  for (const kernel_bundle<State>& bundle : bundles)
    states.push_back(detail::internals::state(bundle).get());
  return detail::internals::make<kernel_bundle<State>>(detail::join_bundles(states, State));
}

/// §4.11.11. Machine code is made by link and build, with the same exceptions as for get_kernel_bundle. Throw
/// errc::invalid if a device is not one of the bundle's, or there is none, and errc::build if compilation
/// fails. No property is known.
kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input>& inputBundle,
                                            const std::vector<device>& devs,
                                            const property_list& propList = {});
kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input>& inputBundle,
                                            const property_list& propList = {});
/// Throws errc::invalid also if the bundles have different contexts.
kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>>& objectBundles, const std::vector<device>& devs,
     const property_list& propList = {});
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object>& objectBundle,
                                             const std::vector<device>& devs,
                                             const property_list& propList = {});
kernel_bundle<bundle_state::executable>
link(const std::vector<kernel_bundle<bundle_state::object>>& objectBundles,
     const property_list& propList = {});
kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object>& objectBundle,
                                             const property_list& propList = {});
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input>& inputBundle,
                                              const std::vector<device>& devs,
                                              const property_list& propList = {});
kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input>& inputBundle,
                                              const property_list& propList = {});

} // namespace sycl

template <sycl::bundle_state State>
struct std::hash<sycl::kernel_bundle<State>> {
  std::size_t operator()(const sycl::kernel_bundle<State>& object) const noexcept { return object.hash(); }
};
