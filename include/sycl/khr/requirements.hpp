// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/bundle_state.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/event.hpp"
#include "sycl/handler.hpp"
#include "sycl/queue.hpp"

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// What commands of sycl_khr_free_function_commands wait for, use and signal.

namespace sycl {
template <bundle_state State>
class kernel_bundle;
} // namespace sycl

namespace sycl::khr {

/// The event, one of make_event, stands for the command from its submission on.
struct signal_event {
  signal_event(const event& e) : value(e) {}
  event value;
};

/// The command begins after the event.
struct wait_event {
  wait_event(const event& e) : value(e) {}
  event value;
};

/// The command begins after all of the events.
struct wait_events {
  wait_events(const std::vector<event>& evts);
  std::vector<event> value;
};

/// Whether requirements may be made of a T: accessors for kernels and host tasks, executable kernel bundles,
/// and the structures above.
template <typename T>
struct is_requirement : std::false_type {};
template <typename DataT, int Dimensions, access_mode Mode, target Target, access::placeholder IsPlaceholder>
struct is_requirement<accessor<DataT, Dimensions, Mode, Target, IsPlaceholder>>
    : std::bool_constant<Target == target::device || Target == target::host_task> {};
template <>
struct is_requirement<kernel_bundle<bundle_state::executable>> : std::true_type {};
template <>
struct is_requirement<signal_event> : std::true_type {};
template <>
struct is_requirement<wait_event> : std::true_type {};
template <>
struct is_requirement<wait_events> : std::true_type {};

template <typename T>
inline constexpr bool is_requirement_v = is_requirement<T>::value;

namespace detail {

template <typename T>
inline constexpr bool is_bundle_v = std::is_same_v<T, kernel_bundle<bundle_state::executable>>;
template <typename T>
inline constexpr bool is_wait_v = std::is_same_v<T, wait_event> || std::is_same_v<T, wait_events>;

template <typename T>
struct is_accessor : std::false_type {};
template <typename DataT, int Dimensions, access_mode Mode, target Target, access::placeholder IsPlaceholder>
struct is_accessor<accessor<DataT, Dimensions, Mode, Target, IsPlaceholder>> : std::true_type {
  static constexpr sycl::target target = Target;
};

/// True for accessors of another target than \p Target.
template <typename T, target Target>
constexpr bool has_other_target() {
  if constexpr (is_accessor<T>::value)
    return is_accessor<T>::target != Target;
  else
    return false;
}

/// Throws errc::invalid if \p e is no event of make_event, or of another context than the queue.
void check_signal(const queue& q, const event& e);
/// \p made stands for the command of \p submitted from now on.
void put_in_place(const event& made, const event& submitted) noexcept;

struct requirement_access;

} // namespace detail

/// All that a command waits for, uses and signals.
template <typename... Requirements>
class requirements {
  static_assert((is_requirement_v<Requirements> && ...),
                "requirements are accessors for target::device or host_task, executable kernel bundles, "
                "wait_event, wait_events and signal_event");
  static_assert((std::size_t{detail::is_bundle_v<Requirements>} + ... + 0) <= 1,
                "a command uses one kernel bundle at most");
  static_assert((std::size_t{detail::is_wait_v<Requirements>} + ... + 0) <= 1,
                "a command has one wait_event or wait_events at most");
  static_assert((std::size_t{std::is_same_v<Requirements, signal_event>} + ... + 0) <= 1,
                "a command has one signal_event at most");

public:
  static constexpr bool has_bundle = (detail::is_bundle_v<Requirements> || ...);
  static constexpr bool has_accessor = (detail::is_accessor<Requirements>::value || ...);
  static constexpr bool has_waits = (detail::is_wait_v<Requirements> || ...);
  template <target Target>
  static constexpr bool has_accessor_other_than = (detail::has_other_target<Requirements, Target>() || ...);

  requirements(Requirements... values) : values_(std::move(values)...) {}

  /// These and one more.
  template <typename T>
  requirements<Requirements..., T> with(const T& more) const {
    return std::apply(
        [&](const auto&... values) { return requirements<Requirements..., T>(values..., more); }, values_);
  }

private:
  friend detail::requirement_access;
  std::tuple<Requirements...> values_;
};

namespace detail {

template <typename T>
struct is_requirements : std::false_type {};
template <typename... Requirements>
struct is_requirements<requirements<Requirements...>> : std::true_type {};

struct requirement_access {
  template <typename Function, typename... Requirements>
  static void submit(queue& q, const requirements<Requirements...>& reqs, const Function& function) {
    for_each_signal(reqs, [&](const signal_event& signal) { check_signal(q, signal.value); });
    const event submitted = q.submit([&](handler& h) {
      if constexpr (sizeof...(Requirements) > 0)
        std::apply([&](const auto&... values) { (add(h, values), ...); }, reqs.values_);
      function(h);
    });
    for_each_signal(reqs, [&](const signal_event& signal) { put_in_place(signal.value, submitted); });
  }

private:
  template <typename Function, typename... Requirements>
  static void for_each_signal(const requirements<Requirements...>& reqs, const Function& function) {
    if constexpr ((std::is_same_v<Requirements, signal_event> || ...))
      function(std::get<signal_event>(reqs.values_));
  }

  template <typename T>
  static void add(handler& h, const T& value) {
    if constexpr (is_accessor<T>::value)
      h.require(value);
    else if constexpr (is_bundle_v<T>)
      h.use_kernel_bundle(value);
    else if constexpr (is_wait_v<T>)
      h.depends_on(value.value);
  }
};

} // namespace detail

} // namespace sycl::khr
