// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/feature_test.hpp"

#include <cstddef>

/// \file
/// SYCL extension sycl_ext_oneapi_raw_kernel_arg: arguments of kernel objects as bytes, where the program
/// does not know their types.

namespace sycl {

class handler;

namespace ext::oneapi::experimental {

/// Says that the bytes are a pointer.
struct pointer_arg_t {
  explicit pointer_arg_t() = default;
};
inline constexpr pointer_arg_t pointer_arg{};

/// A view of bytes, which live longer; handler::set_arg copies them. As many as the argument's type has, else
/// the launch throws errc::kernel_argument.
class raw_kernel_arg {
public:
  raw_kernel_arg(const void* bytes, std::size_t count) noexcept : bytes_(bytes), count_(count) {}
  /// Of a pointer that lies at \p bytes.
  raw_kernel_arg(const void* bytes, pointer_arg_t) noexcept : bytes_(bytes), count_(sizeof(void*)) {}

private:
  friend class sycl::handler;
  [[maybe_unused]] const void* bytes_; // a friend reads both
  [[maybe_unused]] std::size_t count_;
};

} // namespace ext::oneapi::experimental

/// The document's place for the class; DPC++ has it in experimental.
namespace ext::oneapi {
using experimental::raw_kernel_arg;
} // namespace ext::oneapi

} // namespace sycl
