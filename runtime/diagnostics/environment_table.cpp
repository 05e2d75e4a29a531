// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "environment_table.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace falx {
namespace {

using reader = environment_reader;

bool is_absolute(std::string_view path) {
  return path.starts_with('/');
}

/// "a, b or c".
std::string alternatives(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return text;
}

/// One of some words, each with the value of \p Member that it means.
template <auto Member, typename Value>
variable_description one_of(std::string name, std::vector<std::pair<std::string, Value>> words,
                            std::string unset, std::string meaning) {
  variable_description result{
      .name = std::move(name), .unset = std::move(unset), .meaning = std::move(meaning)};
  std::vector<std::string> names;
  names.reserve(words.size());
  for (const auto& [word, value] : words)
    names.push_back(word);
  result.takes = alternatives(names);
  result.read = [words = std::move(words), takes = result.takes](std::string_view text, environment& to) {
    const auto found =
        std::ranges::find(words, text, [](const auto& word) { return std::string_view(word.first); });
    if (found == words.end())
      throw std::invalid_argument("it takes " + takes);
    to.*Member = found->second;
  };
  return result;
}

template <auto Member>
variable_description on_or_off(std::string name, std::string unset, std::string meaning) {
  return one_of<Member, bool>(std::move(name), {{"on", true}, {"off", false}, {"1", true}, {"0", false}},
                              std::move(unset), std::move(meaning));
}

std::uint64_t bytes_of(std::string_view text) {
  constexpr const char* TAKES = "it takes a number of bytes below 2^64, such as 100000, 500M or 2G";
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view suffix(end, text.data() + text.size());
  const int shift = suffix.empty() ? 0 : suffix == "K" ? 10 : suffix == "M" ? 20 : suffix == "G" ? 30 : -1;
  if (failure != std::errc() || shift < 0 || number > (UINT64_MAX >> shift))
    throw std::invalid_argument(TAKES);
  return number << shift;
}

/// Where files of another standard are. What is no absolute path is not meant for Falx (the XDG base
/// directory specification has such values ignored) and so as good as not set.
template <auto Member>
variable_description foreign_directory(std::string name, std::string meaning) {
  return {.name = std::move(name),
          .takes = "an absolute path",
          .unset = "(none)",
          .meaning = std::move(meaning),
          .read = [](std::string_view text, environment& to) {
            if (is_absolute(text))
              to.*Member = text;
          }};
}

/// Kernels are loaded by path later, when the program may be in another directory.
std::string absolute(std::string_view path) {
  std::error_code error;
  const std::filesystem::path found = std::filesystem::absolute(path, error);
  if (error)
    throw std::invalid_argument(
        "it is a relative path, and the current directory is gone; it takes a directory");
  return found.string();
}

bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

std::string library_of(std::string_view text) {
  // Without a slash, the loader looks for it.
  if (text.find('/') != std::string_view::npos && !is_file(std::string(text)))
    throw std::invalid_argument(
        "there is no such file; it takes a library that has the functions of libcuda.so.1");
  return std::string(text);
}

std::string libdevice_of(std::string_view text) {
  for (const std::string& candidate : {std::string(text), std::string(text) + "/libdevice.10.bc"})
    if (is_file(candidate))
      return absolute(candidate);
  throw std::invalid_argument(
      "there is no such file; it takes a libdevice.10.bc, or the directory that it is in");
}

variable_description device_selector(const std::string& name, std::string meaning) {
  return {.name = name,
          .takes = "backend:devices, such as cpu, cuda:0 or *:gpu, several separated by semicolons",
          .unset = "*",
          .meaning = std::move(meaning),
          .read = [name](std::string_view text, environment& to) {
            to.devices = device_filter(text, text == "*" ? "" : fmt::format("{}={}", name, text));
          }};
}

variable_description of_development(std::string name, std::string meaning) {
  return {.name = std::move(name), .reader = reader::development, .meaning = std::move(meaning)};
}

std::vector<variable_description> make_table() {
  using e = environment;
  std::vector<variable_description> table;
  table.push_back(device_selector("FALX_DEVICE_SELECTOR", "which devices exist for the program"));
  table.push_back(device_selector("ONEAPI_DEVICE_SELECTOR", "the same, if FALX_DEVICE_SELECTOR is not set"));
  table.back().yields_to = "FALX_DEVICE_SELECTOR";

  table.push_back({.name = "FALX_CACHE_DIR",
                   .takes = "a directory, or nothing for no cache",
                   .unset = "($XDG_CACHE_HOME/falx, else ~/.cache/falx)",
                   .meaning = "where compiled kernels are kept",
                   .read = [](std::string_view text,
                              e& to) { to.cache_directory = text.empty() ? std::string() : absolute(text); },
                   .takes_nothing = true});
  table.push_back(
      on_or_off<&e::keeps_kernels>("FALX_CACHE", "on", "whether compiled kernels are kept on disk"));
  table.push_back({.name = "FALX_CACHE_SIZE",
                   .takes = "a number of bytes, such as 100000, 500M or 2G",
                   .unset = "1G",
                   .meaning = "how much is kept; what was not used for longest goes first",
                   .read = [](std::string_view text, e& to) { to.cache_size = bytes_of(text); }});

  table.push_back(on_or_off<&e::uses_compiled_kernels>(
      "FALX_AOT", "on", "whether kernels that falx++ --aot has compiled ahead of time are used"));

  table.push_back(on_or_off<&e::compiles_ahead>(
      "FALX_AHEAD", "on",
      "CPU: whether idle processors compile the kernels that follow on one that is launched; GPUs: whether "
      "kernels that earlier processes launched are loaded as soon as the device is ready"));

  table.push_back(one_of<&e::code_tier, code_tier>(
      "FALX_TIER", {{"auto", code_tier::automatic}, {"quick", code_tier::quick}, {"best", code_tier::best}},
      "auto",
      "CPU: how much is done for the code of kernels that must be compiled: little at first, where a launch "
      "is over sooner so, always little, or all"));

  table.push_back(one_of<&e::adaptivity, adaptivity>(
      "FALX_ADAPTIVITY", {{"0", adaptivity::off}, {"1", adaptivity::requested}, {"2", adaptivity::automatic}},
      "1",
      "how far kernels are compiled for what they are launched with: not at all, as far as the program asks, "
      "or whatever launches have in common"));

  table.push_back(one_of<&e::sub_group_size, std::uint32_t>(
      "FALX_SIMD", {{"auto", 0}, {"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}},
      "auto", "CPU: sub-group size of kernels that demand none"));
  table.push_back(
      on_or_off<&e::reports_scalar_kernels>("FALX_SIMD_REPORT", "off",
                                            "says on standard error which of the kernels that are compiled "
                                            "for CPUs cannot run as vectors, and why, "
                                            "and which kernels were timed in two forms"));
  table.push_back({.name = "FALX_CPU",
                   .takes = std::string(cpu_target_names()),
                   .unset = "native",
                   .meaning = "CPU: kernels use the instructions of this processor and no others",
                   .read = [](std::string_view text, e& to) { to.cpu = cpu_target_of(text); }});
  table.push_back(on_or_off<&e::reports_crashes>(
      "FALX_CRASH_REPORT", "on",
      "CPU: says on standard error which kernel accessed memory that is not there, before the program dies"));
  table.push_back(on_or_off<&e::verifies_kernels>(
      "FALX_VERIFY", "off",
      "LLVM's verifier looks at what Falx's passes make of each kernel that is compiled"));

  table.push_back({.name = "FALX_CUDA_DRIVER",
                   .takes = "a library",
                   .unset = "libcuda.so.1",
                   .meaning = "CUDA: the driver's library",
                   .read = [](std::string_view text, e& to) { to.cuda_driver = library_of(text); }});
  table.push_back(on_or_off<&e::explains_absent_cuda>("FALX_CUDA_TRACE", "off",
                                                      "CUDA: says on standard error why there is no device"));
  table.push_back(on_or_off<&e::cuda_kernels_overlap>(
      "FALX_CUDA_OVERLAP", "on",
      "CUDA: whether kernels of a queue are launched while the one before ends (compute capability 9.0)"));
  table.push_back(one_of<&e::cuda_wait, cuda_wait>(
      "FALX_CUDA_WAIT", {{"poll", cuda_wait::poll}, {"synchronize", cuda_wait::synchronize}}, "poll",
      "CUDA: how threads wait for the last command of a queue"));
  table.push_back({.name = "FALX_LIBDEVICE",
                   .takes = "libdevice.10.bc, or the directory that it is in",
                   .unset = "(that of a CUDA toolkit, else what is built in)",
                   .meaning = "CUDA: NVIDIA's math functions",
                   .read = [](std::string_view text, e& to) { to.libdevice = libdevice_of(text); }});

  table.push_back(
      foreign_directory<&e::caches_directory>("XDG_CACHE_HOME", "where caches of all programs are"));
  table.push_back(foreign_directory<&e::home_directory>("HOME", "the user's directory, which has .cache"));
  table.push_back(foreign_directory<&e::cuda_home>("CUDA_HOME", "CUDA: the toolkit whose libdevice is used"));
  table.push_back(foreign_directory<&e::cuda_path>("CUDA_PATH", "the same, if CUDA_HOME has none"));

  table.push_back(
      {.name = "LD_LIBRARY_PATH",
       .takes = "directories separated by colons",
       .unset = "(none)",
       .meaning = "CPU: where the dynamic linker, too, finds libraries that kernels are linked with",
       .read = [](std::string_view text, environment& to) { to.library_path = text; }});

  table.push_back({.name = "FALX_CLANGXX",
                   .reader = reader::driver,
                   .takes = "a program",
                   .unset = "clang++-22",
                   .meaning = "the clang++ of version 22 to run"});
  table.push_back({.name = "FALX_PCH",
                   .reader = reader::driver,
                   .takes = "on or off",
                   .unset = "on",
                   .meaning = "whether a precompiled sycl/sycl.hpp is made and used"});

  table.push_back(of_development("FALX_TEST_DEVICE", "the device that test programs test"));
  table.push_back(of_development("FALX_BUILD_DIR", "the build tree that tests test"));
  table.push_back(of_development("FALX_LLVM_BIN", "LLVM's programs for tests"));
  table.push_back(of_development("FALX_BUNDLE_DIR", "where a bundle of tests for GPUs is unpacked"));
  for (const char* name : {"FALX_SANITIZE_VARIANTS", "FALX_SANITIZE_DIR", "FALX_SANITIZE_JOBS"})
    table.push_back(of_development(name, "tests/sanitize"));
  for (const char* name :
       {"FALX_NIGHTLY_DIR", "FALX_NIGHTLY_KERNELS", "FALX_NIGHTLY_SEED", "FALX_NIGHTLY_JOBS"})
    table.push_back(of_development(name, "tests/nightly"));
  for (const char* name : {"FALX_JIT_TIMES", "FALX_JIT_TIMES_KERNEL", "FALX_JIT_TIMES_OF",
                           "FALX_JIT_TIMES_ROUNDS", "FALX_JIT_TIMES_WIDTH"})
    table.push_back(of_development(name, "bench/jit"));
  table.push_back(of_development("FALX_ROOT", "where CMake finds the package Falx"));
  return table;
}

/// How many letters to insert, leave out or exchange make one word of the other (Levenshtein).
std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t exchanged = diagonal + (one[i] != other[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({exchanged, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

} // namespace

std::span<const variable_description> environment_table() {
  // Never destroyed: static destructors of the program may still use the runtime.
  static const std::vector<variable_description>& table =
      *std::make_unique<std::vector<variable_description>>(make_table()).release();
  return table;
}

bool is_effective(const variable_description& variable, const variable_lookup& lookup) {
  const auto is_set = [&](const std::string& name, bool even_if_empty) {
    const char* const text = lookup(name);
    return text != nullptr && (even_if_empty || *text != '\0');
  };
  return variable.read && is_set(variable.name, variable.takes_nothing) &&
         (variable.yields_to.empty() || !is_set(std::string(variable.yields_to), false));
}

std::optional<std::string> problem_of(const variable_description& variable, const variable_lookup& lookup) {
  if (is_effective(variable, lookup)) {
    environment ignored;
    const char* const text = lookup(variable.name);
    try {
      variable.read(text, ignored);
    } catch (const std::invalid_argument& mistake) {
      return fmt::format("the environment variable {}={} is wrong: {}", variable.name, text, mistake.what());
    }
  }
  return std::nullopt;
}

environment read_environment(const variable_lookup& lookup, std::vector<std::string>& problems) {
  environment result;
  for (const variable_description& variable : environment_table())
    if (variable.has_default())
      variable.read(variable.unset, result);
  for (const variable_description& variable : environment_table())
    if (std::optional<std::string> problem = problem_of(variable, lookup))
      problems.push_back(std::move(*problem));
    else if (is_effective(variable, lookup))
      variable.read(lookup(variable.name), result);
  return result;
}

std::optional<std::string> unknown_variable(std::string_view definition) {
  constexpr std::string_view PREFIX = "FALX_";
  const std::string_view name = definition.substr(0, definition.find('='));
  if (!name.starts_with(PREFIX) ||
      std::ranges::find(environment_table(), name, &variable_description::name) != environment_table().end())
    return std::nullopt;
  const variable_description* nearest = nullptr;
  std::size_t least = (name.size() - PREFIX.size()) / 3 + 1; // more is another word
  for (const variable_description& candidate : environment_table())
    if (candidate.name.starts_with(PREFIX) && candidate.reader != reader::development)
      if (const std::size_t steps = distance(name, candidate.name); steps < least) {
        least = steps;
        nearest = &candidate;
      }
  return fmt::format("the environment variable {} is none of Falx's; {}", name,
                     nearest != nullptr ? fmt::format("did you mean {}?", nearest->name)
                                        : "falx-info --environment lists those there are");
}

} // namespace falx
