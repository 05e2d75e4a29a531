// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_filter.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace falx {
namespace {

/// Lower case, without blanks.
std::string normalized(std::string_view text) {
  std::string result;
  for (unsigned char c : text)
    if (!std::isspace(c))
      result += static_cast<char>(std::tolower(c));
  return result;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// Words that choose devices within a backend. Accelerators are understood, though Falx has none.
bool is_device_word(std::string_view text) {
  return text == "*" || text == "cpu" || text == "gpu" || text == "acc" || text == "fpga" || is_number(text);
}

/// Falx's backends and those of other implementations: a selector may be meant for all of them.
bool is_backend(std::string_view text) {
  constexpr std::string_view NAMES[] = {"*",          "cpu", "cuda",           "native_cpu", "opencl",
                                        "level_zero", "hip", "esimd_emulator", "offload",    "host"};
  return std::ranges::find(NAMES, text) != std::end(NAMES);
}

} // namespace

device_filter::device_filter(std::string_view text, std::string origin) : origin_(std::move(origin)) {
  for (const std::string& part : split(normalized(text), ';'))
    if (!part.empty())
      terms_.push_back(parse_term(part));
}

device_filter::term device_filter::parse_term(std::string_view text) {
  term result;
  result.excludes = text.starts_with('!');
  const std::vector<std::string> sides = split(std::string(text.substr(result.excludes ? 1 : 0)), ':');
  const auto malformed = [&] {
    return std::invalid_argument(fmt::format("'{}' does not name devices; it takes backend:devices, such as "
                                             "cuda:0, *:gpu or cpu, with several devices "
                                             "separated by commas and several terms by semicolons",
                                             text));
  };
  if (sides.size() > 2 || sides[0].empty())
    throw malformed();
  if (sides.size() == 2) {
    result.backend = sides[0];
    result.devices = split(sides[1], ',');
    // Sub-devices are written 0.1 elsewhere; Falx's devices have none, so those match nothing.
    for (const std::string& device : result.devices)
      if (device.empty() || !is_device_word(device.substr(0, device.find('.'))))
        throw malformed();
  } else if (sides[0] == "gpu" || sides[0] == "acc" || sides[0] == "fpga" || is_number(sides[0])) {
    result.backend = "*";
    result.devices = {sides[0]};
  } else {
    result.backend = sides[0];
    result.devices = {"*"};
  }
  if (!is_backend(result.backend))
    throw std::invalid_argument(
        fmt::format("'{}' is no backend; Falx has cpu and cuda, and * means both", result.backend));
  if (result.backend == "native_cpu")
    result.backend = "cpu";
  return result;
}

bool device_filter::matches(const term& candidate, std::string_view backend, const device_description& device,
                            std::size_t index) {
  if (candidate.backend != "*" && candidate.backend != backend)
    return false;
  return std::any_of(candidate.devices.begin(), candidate.devices.end(), [&](const std::string& word) {
    return word == "*" || (word == "cpu" && device.is_cpu) || (word == "gpu" && device.is_gpu) ||
           word == std::to_string(index);
  });
}

bool device_filter::admits(std::string_view backend, const device_description& device,
                           std::size_t index) const {
  bool admitted = std::all_of(terms_.begin(), terms_.end(), [](const term& t) { return t.excludes; });
  for (const term& candidate : terms_) {
    if (!matches(candidate, backend, device, index))
      continue;
    if (candidate.excludes)
      return false;
    admitted = true;
  }
  return admitted;
}

} // namespace falx
