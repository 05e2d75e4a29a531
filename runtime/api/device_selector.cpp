// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/device_selector.hpp"

#include "devices/device_state.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/acpp/multi_device_selector.hpp"

#include <algorithm>
#include <vector>

namespace sycl {
namespace {

// Scores leave room above, for selectors that add to a predefined one.
constexpr int GPU_SCORE = 500;
constexpr int CPU_SCORE = 300;
constexpr int OTHER_SCORE = 100;
constexpr int REJECTED = -1;

int preference(const device& dev) {
  if (dev.is_gpu())
    return GPU_SCORE;
  return dev.is_cpu() ? CPU_SCORE : OTHER_SCORE;
}

} // namespace

namespace detail {

falx::handle<falx::device_state> select_device(selector_reference selector) {
  falx::handle<falx::device_state> best;
  int best_score = REJECTED;
  for (const falx::handle<falx::device_state>& candidate : falx::all_devices()) {
    const int score = selector.score(selector.selector, internals::make<device>(candidate));
    if (score > best_score) {
      best = candidate;
      best_score = score;
    }
  }
  if (!best)
    throw exception(make_error_code(errc::runtime),
                    "no device satisfies the device selector: " + falx::visible_devices_in_words());
  return best;
}

std::vector<device> select_devices(selector_reference selector, selection_policy policy) {
  std::vector<device> result;
  int best = 0;
  for (const falx::handle<falx::device_state>& candidate : falx::all_devices()) {
    const device dev = internals::make<device>(candidate);
    const int score = selector.score(selector.selector, dev);
    if (score < 0 || (policy == selection_policy::best && score < best))
      continue;
    if (policy == selection_policy::best && score > best)
      result.clear();
    best = std::max(best, score);
    result.push_back(dev);
  }
  if (result.empty())
    throw exception(make_error_code(errc::runtime),
                    "no device satisfies the multi_device_selector: " + falx::visible_devices_in_words());
  return result;
}

int default_selector_type::operator()(const device& dev) const {
  return preference(dev);
}
int cpu_selector_type::operator()(const device& dev) const {
  return dev.is_cpu() ? CPU_SCORE : REJECTED;
}
int gpu_selector_type::operator()(const device& dev) const {
  return dev.is_gpu() ? GPU_SCORE : REJECTED;
}
int accelerator_selector_type::operator()(const device& dev) const {
  return dev.is_accelerator() ? OTHER_SCORE : REJECTED;
}

int aspect_selector_type::operator()(const device& dev) const {
  const auto has = [&](aspect each) { return dev.has(each); };
  const bool fits = std::all_of(required_.begin(), required_.end(), has) &&
                    std::none_of(denied_.begin(), denied_.end(), has);
  return fits ? preference(dev) : REJECTED;
}

} // namespace detail

device_selector::~device_selector() = default;

device device_selector::select_device() const {
  return device(*this);
}

int default_selector::operator()(const device& dev) const {
  return default_selector_v(dev);
}
int cpu_selector::operator()(const device& dev) const {
  return cpu_selector_v(dev);
}
int gpu_selector::operator()(const device& dev) const {
  return gpu_selector_v(dev);
}
int accelerator_selector::operator()(const device& dev) const {
  return accelerator_selector_v(dev);
}

} // namespace sycl
