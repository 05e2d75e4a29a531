// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/cache.hpp"
#include "kernel_cache.hpp"

#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <unistd.h>

namespace falx {
namespace {

constexpr std::uint64_t DEFAULT_CAPACITY = std::uint64_t{1} << 30;

/// Value of an environment variable; null if unset, and in set-user-id programs, whose callers must not
/// choose the code that they run.
const char* variable(const char* name) {
  return ::secure_getenv(name);
}

bool is_absolute(const char* path) {
  return path != nullptr && path[0] == '/';
}

/// Kernels are loaded by path later, when the program may be in another directory.
std::string absolute(const char* path) {
  if (is_absolute(path))
    return path;
  const std::unique_ptr<char, decltype(&std::free)> here(::getcwd(nullptr, 0), &std::free);
  return here ? std::string(here.get()) + '/' + path : std::string();
}

std::string directory_from_environment() {
  const char* use = variable("FALX_CACHE");
  if (use != nullptr && std::string_view(use) == "off")
    return {};
  if (const char* directory = variable("FALX_CACHE_DIR"))
    return *directory == '\0' ? std::string() : absolute(directory);
  // The XDG base directory specification has relative paths ignored.
  if (const char* caches = variable("XDG_CACHE_HOME"); is_absolute(caches))
    return std::string(caches) + "/falx";
  if (const char* home = variable("HOME"); is_absolute(home))
    return std::string(home) + "/.cache/falx";
  return {};
}

std::uint64_t capacity_from_environment() {
  const char* value = variable("FALX_CACHE_SIZE");
  if (value == nullptr)
    return DEFAULT_CAPACITY;
  const std::string_view text(value);
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view suffix(end, text.data() + text.size() - end);
  const int shift = suffix.empty() ? 0 : suffix == "K" ? 10 : suffix == "M" ? 20 : suffix == "G" ? 30 : -1;
  if (failure != std::errc() || shift < 0 || number > (UINT64_MAX >> shift))
    return DEFAULT_CAPACITY;
  return number << shift;
}

} // namespace

kernel_cache& kernel_cache::instance() {
  // Never destroyed: static destructors of the program may still launch kernels.
  static kernel_cache& cache =
      *std::make_unique<kernel_cache>(directory_from_environment(), capacity_from_environment()).release();
  return cache;
}

std::string kernel_cache_directory() {
  return kernel_cache::instance().directory();
}

} // namespace falx
