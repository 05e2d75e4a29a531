// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/dynamic_functions.hpp"

namespace sycl::detail {

/// What dynamic_function_config::apply gives: a kernel function with the definitions of the dynamic functions
/// that it calls. Launches take it apart, so the kernel is the same one, with the same name, as without.
template <class Kernel>
struct configured_kernel {
  Kernel kernel;
  falx::handle<falx::function_replacements> functions;
};

template <class T>
inline constexpr bool is_configured_kernel_v = false;
template <class Kernel>
inline constexpr bool is_configured_kernel_v<configured_kernel<Kernel>> = true;

/// The function that is launched.
template <class Kernel>
const Kernel& take_configuration(falx::command_group&, const Kernel& kernel) noexcept {
  return kernel;
}
template <class Kernel>
const Kernel& take_configuration(falx::command_group& group, const configured_kernel<Kernel>& configured) {
  falx::set_function_replacements(group, configured.functions.get());
  return configured.kernel;
}

} // namespace sycl::detail
