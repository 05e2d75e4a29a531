// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "falx/queue.hpp"
#include "sycl/backend.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sycl {

namespace info {

/// SYCL 2020 §4.6.6.6.
enum class event_command_status {
  submitted,
  running,
  complete,
  /// SYCL extension sycl_ext_oneapi_discard_queue_events; Falx's events always know better.
  ext_oneapi_unknown
};

namespace event {
struct command_execution_status {
  using return_type = event_command_status;
};
} // namespace event

/// Nanoseconds on a clock that all commands of a backend share (SYCL 2020 §4.6.6.5).
namespace event_profiling {
struct command_submit {
  using return_type = std::uint64_t;
};
struct command_start {
  using return_type = std::uint64_t;
};
struct command_end {
  using return_type = std::uint64_t;
};
} // namespace event_profiling

} // namespace info

/// The state of a submitted command (SYCL 2020 §4.6.6).
class event : public detail::owner_ordered<event> {
public:
  /// An event that is complete, of the default device's backend.
  event();

  backend get_backend() const noexcept;

  /// The commands this one waits for directly and that are not complete. Deprecated by SYCL 2020. Empty on an
  /// in-order queue, apart from those of depends_on and accessors.
  std::vector<event> get_wait_list();

  void wait();
  static void wait(const std::vector<event>& eventList);

  /// Also hands the errors that the queue has collected to its async handler.
  void wait_and_throw();
  static void wait_and_throw(const std::vector<event>& eventList);

  template <typename Param>
  typename Param::return_type get_info() const {
    static_assert(std::is_same_v<Param, info::event::command_execution_status>,
                  "event::get_info takes info::event::command_execution_status");
    return execution_status();
  }

  template <typename Param>
  typename Param::return_type get_backend_info() const {
    detail::throw_foreign_information("event");
  }

  /// Blocks until the time is known. Throws errc::invalid if the queue has no enable_profiling.
  template <typename Param>
  typename Param::return_type get_profiling_info() const {
    if constexpr (std::is_same_v<Param, info::event_profiling::command_submit>)
      return profiled_time(profiled::submit);
    else if constexpr (std::is_same_v<Param, info::event_profiling::command_start>)
      return profiled_time(profiled::start);
    else {
      static_assert(std::is_same_v<Param, info::event_profiling::command_end>,
                    "event::get_profiling_info takes a descriptor of info::event_profiling");
      return profiled_time(profiled::end);
    }
  }

  friend bool operator==(const event& lhs, const event& rhs) noexcept { return lhs.state_ == rhs.state_; }
  friend bool operator!=(const event& lhs, const event& rhs) noexcept { return !(lhs == rhs); }

private:
  friend struct detail::internals;
  enum class profiled { submit, start, end };
  explicit event(falx::handle<falx::command> state) noexcept
      : state_(static_cast<falx::handle<falx::command>&&>(state)) {}
  info::event_command_status execution_status() const;
  std::uint64_t profiled_time(profiled what) const;

  falx::handle<falx::command> state_;
};

} // namespace sycl

template <>
struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event& event) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(event).get());
  }
};
