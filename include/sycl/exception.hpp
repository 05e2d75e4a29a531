// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "sycl/detail/internals.hpp"

#include <cstddef>
#include <exception>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>
// std::function alone: all of <functional> would add a tenth of a second to every translation unit.
#if __has_include(<bits/std_function.h>)
#include <bits/std_function.h>
#else
#include <functional>
#endif

namespace falx {
/// Message and context of a sycl::exception; copies of an exception share it, so that copying cannot throw.
class exception_state;
void retain(exception_state*) noexcept;
void release(exception_state*) noexcept;
} // namespace falx

namespace sycl {

class context;

/// Error codes of sycl_category() (SYCL 2020 §4.13.2).
enum class errc : unsigned {
  success = 0,
  runtime,
  kernel,
  accessor,
  nd_range,
  event,
  kernel_argument,
  build,
  invalid,
  memory_allocation,
  platform,
  profiling,
  feature_not_supported,
  kernel_not_supported,
  backend_mismatch
};

std::error_code make_error_code(errc e) noexcept;

/// The category named "sycl", whose values are those of sycl::errc.
const std::error_category& sycl_category() noexcept;

/// What SYCL throws (SYCL 2020 §4.13.2). what() contains the given text, or, without one, the code's message.
class exception : public virtual std::exception {
public:
  exception(std::error_code ec, const std::string& what_arg);
  exception(std::error_code ec, const char* what_arg);
  exception(std::error_code ec);
  exception(int ev, const std::error_category& ecat, const std::string& what_arg);
  exception(int ev, const std::error_category& ecat, const char* what_arg);
  exception(int ev, const std::error_category& ecat);

  exception(context ctx, std::error_code ec, const std::string& what_arg);
  exception(context ctx, std::error_code ec, const char* what_arg);
  exception(context ctx, std::error_code ec);
  exception(context ctx, int ev, const std::error_category& ecat, const std::string& what_arg);
  exception(context ctx, int ev, const std::error_category& ecat, const char* what_arg);
  exception(context ctx, int ev, const std::error_category& ecat);

  exception(const exception&) noexcept = default;
  exception& operator=(const exception&) noexcept = default;
  ~exception() override;

  const std::error_code& code() const noexcept;
  const std::error_category& category() const noexcept;

  const char* what() const noexcept override;

  bool has_context() const noexcept;
  /// Throws errc::invalid if the exception has no context.
  context get_context() const;

private:
  std::error_code code_;
  falx::handle<falx::exception_state> state_;
};

/// Asynchronous errors, oldest first, as an async_handler gets them (SYCL 2020 §4.13.2).
class exception_list {
public:
  using value_type = std::exception_ptr;
  using reference = value_type&;
  using const_reference = const value_type&;
  using size_type = std::size_t;
  using iterator = std::vector<std::exception_ptr>::const_iterator;
  using const_iterator = iterator;

  exception_list() = default;

  size_type size() const { return state_.size(); }
  iterator begin() const { return state_.begin(); }
  iterator end() const { return state_.end(); }

private:
  friend struct detail::internals; // state() is how the runtime fills a list
  std::vector<std::exception_ptr> state_;
};

/// Called with asynchronous errors (SYCL 2020 §4.13.1.1).
using async_handler = std::function<void(sycl::exception_list)>;

} // namespace sycl

template <>
struct std::is_error_code_enum<sycl::errc> : std::true_type {};
