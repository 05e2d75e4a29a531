// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_kernels.hpp"

#include "compiled_bundle.hpp"
#include "diagnostics/environment.hpp"
#include "falx/ahead_of_time.hpp"
#include "process/owned_mutex.hpp"
#include "request_digest.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace falx {
namespace {

/// Guards the list and what its members point to.
constinit owned_mutex registry_mutex;
constinit std::atomic<compiled_kernels_registration*> first_bundle = nullptr;

/// What a registration's runtime_state is.
struct parsed_bundle {
  std::optional<compiled_bundle> bundle;
};

/// Null if the bundle is not to be used. The caller holds registry_mutex.
const compiled_bundle* bundle_of(compiled_kernels_registration& registration) {
  if (registration.interface_version != INTERFACE_VERSION)
    return nullptr;
  if (registration.runtime_state == nullptr) {
    auto parsed = std::make_unique<parsed_bundle>();
    std::string ignored; // falx-info says it
    parsed->bundle = parse_bundle({registration.begin, registration.end}, ignored);
    if (parsed->bundle && !parsed->bundle->is_usable())
      parsed->bundle.reset();
    registration.runtime_state = parsed.release();
  }
  const std::optional<compiled_bundle>& bundle =
      static_cast<parsed_bundle*>(registration.runtime_state)->bundle;
  return bundle ? &*bundle : nullptr;
}

bool knows_local_range(const jit::configuration& configuration) {
  return configuration.local_range[0] != 0;
}

/// Whether code for \p known serves a launch of \p launch.
bool serves(const jit::configuration& known, const jit::configuration& launch) {
  if (known.optimization_level != launch.optimization_level || known.linear_grid != launch.linear_grid ||
      (known.narrow_indices && !launch.narrow_indices) || (known.no_offset && !launch.no_offset) ||
      (knows_local_range(known) && !std::ranges::equal(known.local_range, launch.local_range)))
    return false;
  // Without a demand of the kernel's or the user's, sub-groups have the size that suits the code.
  const bool is_demanded = known.sub_group_size_is_required || launch.sub_group_size_is_required ||
                           the_environment().sub_group_size != 0;
  return !is_demanded ||
         (known.sub_group_size == launch.sub_group_size && known.vectors_must_pay == launch.vectors_must_pay);
}

/// A target of a bundle that a device runs.
struct candidate {
  unsigned suitability;
  const compiled_bundle* bundle;
  std::size_t target;
};

/// The caller holds registry_mutex.
std::vector<candidate> candidates_for(const backend_device& device) {
  std::vector<candidate> candidates;
  for (compiled_kernels_registration* each = first_bundle.load(); each != nullptr; each = each->next)
    if (const compiled_bundle* const bundle = bundle_of(*each))
      for (std::size_t target = 0; target < bundle->targets.size(); ++target)
        if (const unsigned suitability = device.suitability(bundle->targets[target]); suitability != 0)
          candidates.push_back({suitability, bundle, target});
  std::ranges::sort(candidates, std::greater(), &candidate::suitability);
  return candidates;
}

} // namespace

std::vector<jit::configuration> configurations_ahead_of_time(const image::kernel_metadata& kernel,
                                                             const compiled_target& target) {
  jit::configuration base;
  base.sub_group_size = kernel.reqd_sub_group_size != 0 ? kernel.reqd_sub_group_size : target.sub_group_size;
  base.sub_group_size_is_required = kernel.reqd_sub_group_size != 0;
  base.vectors_must_pay =
      target.jit_target == "cpu" && kernel.reqd_sub_group_size == 0 && the_environment().sub_group_size == 0;
  using local_range = std::array<std::uint32_t, 3>;
  std::vector<local_range> local_ranges =
      usual_local_ranges(target, kernel_kind(kernel.kind), kernel.dimensions);
  if (!kernel.reqd_work_group_size.empty() && kernel_kind(kernel.kind) != kernel_kind::range &&
      kernel_kind(kernel.kind) != kernel_kind::single_task) {
    local_range required{1, 1, 1};
    std::copy_n(kernel.reqd_work_group_size.begin(),
                std::min<std::size_t>(kernel.reqd_work_group_size.size(), 3), required.begin());
    local_ranges = {required};
  }
  std::vector<jit::configuration> configurations;
  for (const local_range& local : local_ranges) {
    std::ranges::copy(local, base.local_range);
    // Nearly all launches are so, and for one work-item after the other it makes no difference.
    if (target.jit_target != "cpu" || base.sub_group_size > 1) {
      configurations.push_back(base);
      configurations.back().narrow_indices = configurations.back().no_offset = true;
    }
    configurations.push_back(base);
  }
  return configurations;
}

digest128 key_ahead_of_time(const jit::request& request, const compiled_target& target,
                            const jit::configuration& configuration) {
  jit::request key_request = request;
  key_request.target = target.jit_target;
  key_request.cpu = target.cpu;
  key_request.features = {};
  key_request.host = target.host;
  key_request.math_library = {};
  key_request.aspects = 0;
  key_request.libraries.clear();
  key_request.config = configuration;
  key_request.captured.clear();
  key_request.aligned.clear();
  key_request.disjoint.clear();
  std::ranges::fill(key_request.global_range, 0);
  return digest_of(key_request, code_identity());
}

bool has_compiled_kernels() noexcept {
  return first_bundle.load(std::memory_order_acquire) != nullptr && the_environment().uses_compiled_kernels;
}

std::vector<compiled_code> compiled_code_for(const jit::request& request,
                                             const image::kernel_metadata& kernel,
                                             const backend_device& device) {
  std::vector<compiled_code> codes;
  if (!request.functions.empty())
    return codes; // replaced in this launch
  const std::lock_guard lock(registry_mutex);
  for (const candidate& each : candidates_for(device))
    for (const compiled_target& target = each.bundle->targets[each.target];
         const jit::configuration& known : configurations_ahead_of_time(kernel, target)) {
      if (!serves(known, request.config))
        continue;
      const digest128 key = key_ahead_of_time(request, target, known);
      if (const compiled_kernel* const found = each.bundle->find(key, each.target))
        if (const auto binary = each.bundle->binary_of(*found))
          codes.push_back({key, {binary->begin(), binary->end()}});
    }
  return codes;
}

extern "C" void falx_register_compiled_kernels(compiled_kernels_registration* kernels) noexcept {
  const std::lock_guard lock(registry_mutex);
  kernels->next = first_bundle.load(std::memory_order_relaxed);
  first_bundle.store(kernels, std::memory_order_release);
}

extern "C" void falx_unregister_compiled_kernels(compiled_kernels_registration* kernels) noexcept {
  const std::lock_guard lock(registry_mutex);
  if (first_bundle.load(std::memory_order_relaxed) == kernels)
    first_bundle.store(kernels->next, std::memory_order_relaxed);
  for (compiled_kernels_registration* each = first_bundle.load(std::memory_order_relaxed); each != nullptr;
       each = each->next)
    if (each->next == kernels)
      each->next = kernels->next;
  const std::unique_ptr<parsed_bundle> parsed(static_cast<parsed_bundle*>(kernels->runtime_state));
  kernels->runtime_state = nullptr;
}

} // namespace falx
