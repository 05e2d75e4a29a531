// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/ext/oneapi/filter_selector.hpp"

#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace sycl::ext::oneapi {
namespace {

/// One part of a selector; what is empty names all.
struct device_filter_term {
  std::string_view backend, type;
  std::optional<std::size_t> number;
};

template <std::size_t N>
bool is_among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// Backends and device types of other implementations are known words that name no device of Falx.
constexpr std::array<std::string_view, 8> BACKENDS{"cpu",        "cuda", "host",       "opencl",
                                                   "level_zero", "hip",  "native_cpu", "*"};
constexpr std::array<std::string_view, 6> DEVICE_TYPES{"cpu", "gpu", "accelerator", "acc", "host", "*"};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

/// Each part says by its spelling which one it is. "cpu" is a device type, unless another one follows.
device_filter_term parse(std::string_view text, const std::string& whole) {
  const auto refuse = [&] {
    throw exception(
        errc::runtime,
        fmt::format("filter_selector: '{}' in '{}' does not name devices; a filter is "
                    "backend:device_type:number, of which parts may be missing, such as cuda:gpu:0, gpu "
                    "or 1, and several filters are separated by commas",
                    text, whole));
  };
  device_filter_term term;
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() > 3)
    refuse();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    const bool next_is_type = i + 1 < parts.size() && is_among(parts[i + 1], DEVICE_TYPES);
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    const bool is_number = error == std::errc() && end == part.data() + part.size();
    if (is_number && i + 1 == parts.size())
      term.number = number;
    else if (is_among(part, BACKENDS) && i == 0 && (next_is_type || !is_among(part, DEVICE_TYPES)))
      term.backend = part;
    else if (is_among(part, DEVICE_TYPES) && term.type.empty())
      term.type = part;
    else
      refuse();
  }
  return term;
}

bool names(const device_filter_term& term, const falx::device_state& device) {
  const std::string_view backend = device.platform().backend().name();
  // Falx's CPU device is what programs for other implementations reach by OpenCL.
  const bool is_backend = term.backend.empty() || term.backend == "*" || term.backend == backend ||
                          (backend == "cpu" && (term.backend == "opencl" || term.backend == "native_cpu"));
  const bool is_type = term.type.empty() || term.type == "*" ||
                       (term.type == "cpu" && device.description().is_cpu) ||
                       (term.type == "gpu" && device.description().is_gpu);
  return is_backend && is_type;
}

} // namespace

filter_selector::filter_selector(const std::string& filter) {
  for (const unsigned char c : filter)
    if (std::isspace(c) == 0)
      filter_ += static_cast<char>(std::tolower(c));
  for (const std::string_view text : split(filter_, ',')) {
    const device_filter_term term = parse(text, filter_);
    std::size_t index = 0;
    for (const falx::handle<falx::device_state>& each : falx::all_devices())
      if (names(term, *each) && (!term.number || *term.number == index++))
        named_.push_back(sycl::detail::internals::make<device>(each));
  }
}

int filter_selector::operator()(const device& dev) const {
  const auto found = std::ranges::find(named_, dev);
  if (found == named_.end())
    return -1;
  // Above what default_selector_v gives any device, as the program has asked for this one.
  return 1000 + static_cast<int>(named_.end() - found);
}

device filter_selector::select_device() const {
  if (named_.empty())
    throw exception(errc::runtime,
                    fmt::format("filter_selector: '{}' names none of the visible devices, which are {}",
                                filter_, falx::visible_devices_in_words()));
  return named_.front();
}

} // namespace sycl::ext::oneapi
