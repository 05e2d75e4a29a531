// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_forecast.hpp"

#include "adaptivity/adaptivity.hpp"
#include "adaptivity/disjoint_pointers.hpp"
#include "ahead_compiler.hpp"
#include "compiled_kernels.hpp"
#include "diagnostics/environment.hpp"
#include "image_registry.hpp"
#include "jit_loader.hpp"
#include "kernel_cache.hpp"
#include "kernel_request.hpp"
#include "kernel_state.hpp"
#include "launch_check.hpp"
#include "process/idle_threads.hpp"
#include "request_digest.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace falx {
namespace {

/// Of the images of one kernel: they are copied, and read anew for each of their kernels.
constexpr std::size_t MOST_BITCODE = std::size_t{32} << 20;

bool has_local_range(kernel_kind kind) noexcept {
  return kind == kernel_kind::nd_range || kind == kernel_kind::work_group;
}

std::size_t bitcode_size(std::span<const kernel_use> images) noexcept {
  std::size_t size = 0;
  for (const kernel_use& use : images)
    size += use.image()->image().bitcode.size();
  return size;
}

bool reads_constants(std::span<const kernel_use> images, const image::kernel_metadata& kernel) {
  for (std::size_t index = 0; index < images.size(); ++index)
    for (const image::constant_metadata& constant : images[index].image()->image().constants)
      if (may_use(kernel.name, index, constant.kernels, images.size() > 1 && constant.read_by_exports))
        return true;
  return false;
}

} // namespace

launch_forecast::launch_forecast(const std::vector<image::kernel_metadata>& kernels,
                                 std::vector<std::uint32_t> appearance)
    : kernels_(kernels), appearance_(std::move(appearance)), is_known_(appearance_.size()) {}

std::optional<jit::configuration> launch_forecast::likely_configuration(const image::kernel_metadata& kernel,
                                                                        const backend_device& device) const {
  if (!kernel.specialized_parts.empty() && adaptivity_level() != adaptivity::off)
    return std::nullopt;
  const auto kind = static_cast<kernel_kind>(kernel.kind);
  const std::uint32_t dimensions = std::clamp<std::uint32_t>(kernel.dimensions, 1, 3);
  launch_geometry geometry{kind, dimensions, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  if (has_local_range(kind)) {
    std::array<std::uint32_t, 3> local = local_ranges_[dimensions - 1];
    if (!kernel.reqd_work_group_size.empty()) {
      local = {1, 1, 1};
      std::copy_n(kernel.reqd_work_group_size.begin(),
                  std::min<std::size_t>(kernel.reqd_work_group_size.size(), 3), local.begin());
    }
    if (local[0] == 0)
      return std::nullopt;
    geometry.global_range = geometry.local_range = {local[0], local[1], local[2]};
  }
  return configuration_of(kernel, geometry, device);
}

void launch_forecast::compile_ahead(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
                                    const jit::configuration& configuration, bool estimates,
                                    const backend_device& device) {
  jit::request request = make_kernel_request(images, kernel, nullptr, nullptr).request;
  add_target(device, request);
  request.config = configuration;
  if (expects_disjoint_pointers_)
    add_disjoint(request, kernel, disjoint_pointers::expected(kernel));
  // As long as nothing is known of ranges, the best code serves all.
  const bool is_task = static_cast<kernel_kind>(kernel.kind) == kernel_kind::single_task;
  if (const std::uint64_t expected = is_task ? 1 : latest_work_items_; estimates && expected != 0) {
    request.tier = jit::tier::estimated;
    request.expected_work_items = expected;
  }
  const digest128 key = digest_of(request, jit_identity());
  const digest128 best_key = digest_of(for_best_code(request), jit_identity());
  std::vector<std::shared_ptr<const owned_request::bytes>> bitcode;
  for (const kernel_use& use : images)
    bitcode.push_back(use.image()->copy_of_bitcode());
  ahead_compiler::instance().add(key, own(std::move(request), std::move(bitcode)), [key, best_key] {
    return usable_kernel_cache().find(best_key).has_value() || usable_kernel_cache().find(key).has_value();
  });
}

void launch_forecast::see(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
                          const jit::request& request, backend_device& device) {
  const jit::configuration& configuration = request.config;
  if (!device.compiles_ahead() || !the_environment().compiles_ahead || has_compiled_kernels() ||
      most_idle_threads() == 0 || bitcode_size(images) > MOST_BITCODE)
    return;
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::uint32_t>(&kernel - kernels_.data());
  const auto here = static_cast<std::size_t>(std::ranges::find(appearance_, index) - appearance_.begin());
  is_known_[here] = true;
  if (disjoint_pointers::expected(kernel) != 0)
    expects_disjoint_pointers_ = !request.disjoint.empty();
  if (request.tier == jit::tier::estimated &&
      static_cast<kernel_kind>(kernel.kind) != kernel_kind::single_task)
    latest_work_items_ = request.expected_work_items;
  if (has_local_range(static_cast<kernel_kind>(kernel.kind)))
    std::ranges::copy(configuration.local_range,
                      local_ranges_[std::clamp<std::uint32_t>(kernel.dimensions, 1, 3) - 1].begin());
  // Enough for all threads until the next kernel is asked for, and not more: what comes then may say more.
  std::size_t wanted = std::min(ahead_compiler::instance().room(), 2 * most_idle_threads());
  for (std::size_t step = 1; step < appearance_.size() && wanted != 0; ++step) {
    const std::size_t place = (here + step) % appearance_.size();
    const image::kernel_metadata& next = kernels_[appearance_[place]];
    if (is_known_[place] || !incompatibility(next, device.description()).empty() ||
        reads_constants(images, next))
      continue;
    const std::optional<jit::configuration> likely = likely_configuration(next, device);
    if (!likely)
      continue;
    is_known_[place] = true;
    try {
      compile_ahead(images, next, *likely, request.tier == jit::tier::estimated, device);
    } catch (const sycl::exception&) {
      // Its launch would say the same.
    }
    --wanted;
  }
}

} // namespace falx
