// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_bundle_state.hpp"

#include "image_registry.hpp"
#include "kernel_state.hpp"
#include "launch_check.hpp"
#include "sycl/detail/internals.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace falx {
namespace {

template <sycl::bundle_state State>
void append_user_images(const kernel_bundle_state::image_list& images,
                        std::vector<sycl::device_image<State>>& user_images) {
  for (const handle<device_image_state>& image : images)
    user_images.push_back(sycl::detail::internals::make<sycl::device_image<State>>(image));
}

/// Whether every element of \p a is in \p b, by the test \p equal; both have no duplicates.
template <class List, class Equal>
bool same_set(const List& a, const List& b, const Equal& equal) {
  return a.size() == b.size() && std::ranges::all_of(a, [&](const auto& wanted) {
           return std::ranges::any_of(b, [&](const auto& other) { return equal(wanted, other); });
         });
}

} // namespace

bool is_compatible(const kernel_name* kernel, const device_state& device) {
  const std::vector<const kernel_descriptor*> entries = kernels_named(kernel);
  return !entries.empty() && std::ranges::all_of(entries, [&](const kernel_descriptor* entry) {
    const kernel_use use(*entry);
    return incompatibility(metadata_of(*entry), device.description()).empty();
  });
}

kernel_bundle_state::kernel_bundle_state(sycl::bundle_state state, handle<context_state> context,
                                         std::vector<handle<device_state>> devices, image_list images,
                                         specialization_constants constants)
    : state_(state), context_(std::move(context)), devices_(std::move(devices)), images_(std::move(images)),
      constants_(std::move(constants)) {
  if (state_ == sycl::bundle_state::input)
    append_user_images(images_, std::get<0>(user_images_));
  else if (state_ == sycl::bundle_state::object)
    append_user_images(images_, std::get<1>(user_images_));
  else
    append_user_images(images_, std::get<2>(user_images_));
}

bool kernel_bundle_state::has_device(const device_state& device) const noexcept {
  return std::ranges::any_of(devices_, [&](const auto& each) { return each.get() == &device; });
}

const device_image_state* kernel_bundle_state::find(const kernel_name* kernel) const noexcept {
  const auto found =
      std::ranges::find_if(images_, [&](const auto& each) { return each->kernel() == kernel; });
  return found != images_.end() ? found->get() : nullptr;
}

bool operator==(const kernel_bundle_state& a, const kernel_bundle_state& b) noexcept {
  return &a == &b || (a.state_ == b.state_ && a.context_ == b.context_ && a.constants_ == b.constants_ &&
                      same_set(a.devices_, b.devices_, std::equal_to<>()) &&
                      same_set(a.images_, b.images_, [](const auto& x, const auto& y) { return *x == *y; }));
}

std::size_t kernel_bundle_state::hash() const noexcept {
  // Sums, as the order does not count.
  std::size_t hash = std::hash<const void*>()(context_.get());
  for (const handle<device_state>& device : devices_)
    hash += std::hash<const void*>()(device.get());
  for (const handle<device_image_state>& image : images_)
    hash += std::hash<const void*>()(image->kernel());
  return hash;
}

void retain(kernel_bundle_state* bundle) noexcept {
  bundle->retain_reference();
}
void release(kernel_bundle_state* bundle) noexcept {
  bundle->release_reference();
}
void retain(device_image_state* image) noexcept {
  image->retain_reference();
}
void release(device_image_state* image) noexcept {
  image->release_reference();
}

} // namespace falx
