// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"

#include <cstddef>
#include <vector>

namespace sycl {

class kernel_id;

namespace detail {

/// What stands for the kernel that type \p Name names.
template <class Name>
inline falx::kernel_name kernel_name_of{};

/// \p kernel, if the program defines such a kernel. Throws errc::invalid if not; \p pretty_name is the
/// caller's __PRETTY_FUNCTION__.
const falx::kernel_name* defined_kernel(const falx::kernel_name* kernel, const char* pretty_name);

} // namespace detail

/// Identifies a kernel of the program (SYCL 2020 §4.11.4).
class kernel_id : public detail::owner_ordered<kernel_id> {
public:
  kernel_id() = delete;

  /// The function object's type. Lives as long as the program or shared library that defines the kernel.
  const char* get_name() const noexcept;

  friend bool operator==(const kernel_id& a, const kernel_id& b) noexcept { return a.state_ == b.state_; }
  friend bool operator!=(const kernel_id& a, const kernel_id& b) noexcept { return a.state_ != b.state_; }

private:
  friend struct detail::internals;
  explicit kernel_id(const falx::kernel_name* state) noexcept : state_(state) {}

  const falx::kernel_name* state_;
};

/// The kernel that \p KernelName names, in whichever translation unit it is defined. Throws errc::invalid if
/// the program has no such kernel.
template <typename KernelName>
kernel_id get_kernel_id() {
  return detail::internals::make<kernel_id>(
      detail::defined_kernel(&detail::kernel_name_of<KernelName>, __PRETTY_FUNCTION__));
}

/// All kernels of the program and the shared libraries that are loaded now.
std::vector<kernel_id> get_kernel_ids();

} // namespace sycl

template <>
struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object));
  }
};
