// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_target.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <vector>

namespace falx {
namespace {

#if defined(__x86_64__)
cpu_target machine() {
  const std::uint32_t bytes = __builtin_cpu_supports("avx512f") ? 64
                              : __builtin_cpu_supports("avx")   ? 32
                                                                : 16;
  if (__builtin_cpu_supports("x86-64-v4"))
    return {"", "x86-64-v4", bytes};
  if (__builtin_cpu_supports("x86-64-v3"))
    return {"", "x86-64-v3", bytes};
  return {"", __builtin_cpu_supports("x86-64-v2") ? "x86-64-v2" : "x86-64", bytes};
}

struct choice {
  cpu_target target;
  bool runs_here;
};

/// One for each width of vectors, those that gather with AVX2, and those where halves are numbers to compute
/// with.
constexpr std::string_view NAMES =
    "native, x86-64, x86-64-v2, nehalem, x86-64-v3, haswell, skylake, x86-64-v4, "
    "skylake-avx512 or sapphirerapids";

/// In the order of what they have.
std::vector<choice> choices() {
  const bool v2 = __builtin_cpu_supports("x86-64-v2"), v3 = __builtin_cpu_supports("x86-64-v3"),
             v4 = __builtin_cpu_supports("x86-64-v4");
  return {{{"x86-64", "x86-64", 16}, true},
          {{"x86-64-v2", "x86-64-v2", 16}, v2},
          {{"nehalem", "x86-64-v2", 16}, v2},
          {{"x86-64-v3", "x86-64-v3", 32}, v3},
          {{"haswell", "x86-64-v3", 32}, v3},
          {{"skylake", "x86-64-v3", 32}, v3},
          {{"x86-64-v4", "x86-64-v4", 64}, v4},
          {{"skylake-avx512", "x86-64-v4", 64}, v4},
          {{"sapphirerapids", "x86-64-v4", 64}, v4 && __builtin_cpu_supports("avx512fp16")}};
}
#else
cpu_target machine() {
  return {};
}

struct choice {
  cpu_target target;
  bool runs_here = false;
};
constexpr std::string_view NAMES = "native";

std::vector<choice> choices() {
  return {};
}
#endif

choice find(std::string_view name) {
  for (const choice& each : choices())
    if (each.target.name == name)
      return each;
  return {};
}

} // namespace

cpu_target cpu_target_of(std::string_view name) {
  if (name == "native")
    return machine();
  const choice found = find(name);
  if (found.target.name.empty())
    throw std::invalid_argument(fmt::format("it takes {}", NAMES));
  if (!found.runs_here)
    throw std::invalid_argument(
        fmt::format("this machine does not have the instructions of that processor; it takes {}", NAMES));
  return found.target;
}

std::optional<cpu_target> known_cpu_target(std::string_view name) {
  if (name == "native")
    return machine();
  const choice found = find(name);
  return found.target.name.empty() ? std::nullopt : std::optional(found.target);
}

unsigned suitability_of_cpu(std::string_view name, const cpu_target& allowed) {
  const std::vector<choice> all = choices();
  const auto place = [&](std::string_view wanted) {
    return static_cast<unsigned>(
        std::ranges::find(all, wanted, [](const choice& each) { return each.target.name; }) - all.begin());
  };
  const unsigned code = place(name);
  if (code == all.size() || !all[code].runs_here)
    return 0;
  // Of processors in their order, a later one has what an earlier one has.
  return allowed.name.empty() || code <= place(allowed.name) ? code + 1 : 0;
}

std::string_view cpu_target_names() {
  return NAMES;
}

} // namespace falx
