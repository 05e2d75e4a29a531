// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/event.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

auto status(const sycl::event& e) { return e.get_info<sycl::info::event::command_execution_status>(); }
auto start(const sycl::event& e) { return e.get_profiling_info<sycl::info::event_profiling::command_start>(); }
static_assert(sycl::info::event_command_status::complete != sycl::info::event_command_status::running);
