// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/kernel_id.hpp"

#include "kernels/image_registry.hpp"
#include "kernels/kernel_state.hpp"
#include "sycl/exception.hpp"

#include <string>
#include <string_view>

namespace sycl {

namespace {

/// "K" from a __PRETTY_FUNCTION__ that ends in "[KernelName = K]".
std::string_view template_argument(std::string_view text) {
  const std::size_t equals = text.find(" = ");
  if (equals == std::string_view::npos || !text.ends_with(']'))
    return text;
  return text.substr(equals + 3, text.size() - equals - 4);
}

} // namespace

const falx::kernel_name* detail::defined_kernel(const falx::kernel_name* kernel, const char* pretty_name) {
  if (falx::kernels_named(kernel).empty())
    throw exception(errc::invalid, "no kernel of this program is named '" +
                                       std::string(template_argument(pretty_name)) +
                                       "': name the kernel where it is launched, and compile that file with "
                                       "falx++");
  return kernel;
}

const char* kernel_id::get_name() const noexcept {
  const std::vector<const falx::kernel_descriptor*> entries = falx::kernels_named(state_);
  if (entries.empty())
    return "(unloaded kernel)";
  try {
    return falx::metadata_of(*entries.front()).pretty_name.c_str();
  } catch (const exception&) {
    // The image cannot be read, which is said when the kernel is used; the descriptor has a name too.
    return entries.front()->name;
  }
}

std::vector<kernel_id> get_kernel_ids() {
  std::vector<kernel_id> ids;
  for (const falx::kernel_name* name : falx::all_kernel_names())
    ids.push_back(detail::internals::make<kernel_id>(name));
  return ids;
}

} // namespace sycl
