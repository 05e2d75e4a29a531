// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/kernel.hpp"

#include "falx/function_kernel.hpp"
#include "kernels/image_registry.hpp"
#include "kernels/kernel_bundle_state.hpp"
#include "kernels/kernel_state.hpp"
#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"
#include "sycl/kernel_bundle.hpp"
#include "sycl/range.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace sycl {

using falx::device_description;
using falx::image::kernel_metadata;

namespace {

/// A kernel on a device, for device-specific queries.
struct kernel_on_device {
  const falx::kernel_descriptor& entry;
  const kernel_metadata& metadata;
  falx::device_state& device;
  const falx::specialization_constants& constants;
  const device_description& description() const { return device.description(); }
};

/// The entry that stands for the kernel. The user's function is the same in all of them.
const falx::kernel_descriptor& first_entry(const kernel_id& id) {
  const std::vector<const falx::kernel_descriptor*> entries =
      falx::kernels_named(detail::internals::state(id));
  if (entries.empty())
    throw exception(errc::invalid, "the shared library that a sycl::kernel came from was unloaded");
  return *entries.front();
}

[[noreturn]] void throw_not_for_kernel_functions(const char* query, const kernel_id& id) {
  throw exception(errc::invalid,
                  fmt::format("{} is for built-in kernels and those of backend interoperability; "
                              "'{}' is a SYCL kernel function",
                              query, id.get_name()));
}

std::string extents(const std::vector<std::size_t>& fastest_first) {
  std::string text;
  for (auto extent = fastest_first.rbegin(); extent != fastest_first.rend(); ++extent)
    text += (text.empty() ? "" : ",") + std::to_string(*extent);
  return text;
}

std::size_t smallest_sub_group(const kernel_on_device& on) {
  if (on.metadata.reqd_sub_group_size != 0)
    return on.metadata.reqd_sub_group_size;
  const std::vector<std::size_t>& sizes = on.description().sub_group_sizes;
  return sizes.empty() ? 1 : *std::min_element(sizes.begin(), sizes.end());
}
std::size_t largest_sub_group(const kernel_on_device& on) {
  if (on.metadata.reqd_sub_group_size != 0)
    return on.metadata.reqd_sub_group_size;
  if (on.description().sub_group_size != 0)
    return on.description().sub_group_size;
  const std::vector<std::size_t>& sizes = on.description().sub_group_sizes;
  return sizes.empty() ? 1 : *std::max_element(sizes.begin(), sizes.end());
}
/// No more than a number can say.
std::size_t required_group(const kernel_on_device& on) {
  std::size_t size = 1;
  for (const std::size_t extent : on.metadata.reqd_work_group_size)
    if (__builtin_mul_overflow(size, extent, &size))
      return std::numeric_limits<std::size_t>::max();
  return size;
}
std::uint32_t sub_groups_of(std::size_t work_items, std::size_t size) {
  return static_cast<std::uint32_t>(
      std::min<std::size_t>((work_items - 1) / size + 1, std::numeric_limits<std::uint32_t>::max()));
}

namespace queries = info::kernel_device_specific;

std::size_t query(queries::work_group_size, const kernel_on_device& on) {
  return on.metadata.reqd_work_group_size.empty() ? on.description().max_work_group_size : required_group(on);
}
range<3> query(queries::compile_work_group_size, const kernel_on_device& on) {
  const std::vector<std::size_t>& required = on.metadata.reqd_work_group_size;
  if (required.empty())
    return range<3>(0, 0, 0);
  range<3> result(1, 1, 1);
  for (std::size_t i = 0; i < required.size(); ++i)
    result[static_cast<int>(i)] = required[required.size() - 1 - i];
  return result;
}
std::size_t query(queries::preferred_work_group_size_multiple, const kernel_on_device& on) {
  return std::min(largest_sub_group(on), query(queries::work_group_size(), on));
}
/// What a work-item keeps across barriers and in registers is not known before the work-group size is.
std::size_t query(queries::private_mem_size, const kernel_on_device&) {
  return 0;
}
std::uint32_t query(queries::max_num_sub_groups, const kernel_on_device& on) {
  const std::size_t size = smallest_sub_group(on);
  return sub_groups_of(query(queries::work_group_size(), on), size);
}
std::uint32_t query(queries::compile_num_sub_groups, const kernel_on_device& on) {
  const std::uint32_t size = on.metadata.reqd_sub_group_size;
  if (size == 0 || on.metadata.reqd_work_group_size.empty())
    return 0;
  return sub_groups_of(required_group(on), size);
}
std::uint32_t query(queries::max_sub_group_size, const kernel_on_device& on) {
  return static_cast<std::uint32_t>(largest_sub_group(on));
}
std::uint32_t query(queries::compile_sub_group_size, const kernel_on_device& on) {
  return on.metadata.reqd_sub_group_size;
}

} // namespace

backend kernel::get_backend() const noexcept {
  return get_context().get_backend();
}
context kernel::get_context() const {
  return detail::internals::make<context>(state_->context());
}
kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const {
  return detail::internals::make<kernel_bundle<bundle_state::executable>>(state_);
}

bool kernel::equals(const kernel& other) const noexcept {
  return id_ == other.id_ && *state_ == *other.state_;
}

template <>
std::uint32_t kernel::get_info<info::kernel::num_args>() const {
  const falx::kernel_name* const name = detail::internals::state(id_);
  if (name->unused == falx::FUNCTION_KERNEL)
    return static_cast<const falx::function_kernel_name*>(name)->argument_count;
  throw_not_for_kernel_functions("info::kernel::num_args", id_);
}
template <>
std::string kernel::get_info<info::kernel::attributes>() const {
  const kernel_metadata& metadata = falx::metadata_of(first_entry(id_));
  std::string text;
  const auto append = [&](std::string_view name, const std::string& argument) {
    text += fmt::format("{}{}({})", text.empty() ? "" : " ", name, argument);
  };
  if (!metadata.reqd_work_group_size.empty())
    append("reqd_work_group_size", extents(metadata.reqd_work_group_size));
  if (!metadata.work_group_size_hint.empty())
    append("work_group_size_hint", extents(metadata.work_group_size_hint));
  if (metadata.reqd_sub_group_size != 0)
    append("reqd_sub_group_size", std::to_string(metadata.reqd_sub_group_size));
  return text;
}

template <typename Param>
typename Param::return_type kernel::get_info(const device& dev) const {
  falx::device_state& state = *detail::internals::state(dev);
  if (!falx::is_compatible(detail::internals::state(id_), state))
    throw exception(errc::invalid, fmt::format("kernel '{}' is not compatible with {} (sycl::is_compatible)",
                                               id_.get_name(), state.description().name));
  if constexpr (std::is_same_v<Param, queries::global_work_size>) {
    throw_not_for_kernel_functions("info::kernel_device_specific::global_work_size", id_);
  } else {
    const falx::kernel_descriptor& entry = first_entry(id_);
    return query(Param(), {entry, falx::metadata_of(entry), state,
                           state_->find(detail::internals::state(id_))->constants()});
  }
}

template range<3> kernel::get_info<queries::global_work_size>(const device&) const;
template std::size_t kernel::get_info<queries::work_group_size>(const device&) const;
template range<3> kernel::get_info<queries::compile_work_group_size>(const device&) const;
template std::size_t kernel::get_info<queries::preferred_work_group_size_multiple>(const device&) const;
template std::size_t kernel::get_info<queries::private_mem_size>(const device&) const;
template std::uint32_t kernel::get_info<queries::max_num_sub_groups>(const device&) const;
template std::uint32_t kernel::get_info<queries::compile_num_sub_groups>(const device&) const;
template std::uint32_t kernel::get_info<queries::max_sub_group_size>(const device&) const;
template std::uint32_t kernel::get_info<queries::compile_sub_group_size>(const device&) const;

} // namespace sycl
