// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_libraries.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace falx::jit {
namespace {

/// Debian's and others'.
constexpr std::string_view DEFAULT_DIRECTORIES =
#if defined(__x86_64__)
    "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:"
#elif defined(__aarch64__)
    "/lib/aarch64-linux-gnu:/usr/lib/aarch64-linux-gnu:"
#endif
    "/lib64:/usr/lib64:/lib:/usr/lib";

/// Empty if it is in none of the directories.
std::string find_in(std::string_view directories, std::string_view name) {
  while (!directories.empty()) {
    const std::size_t end = directories.find_first_of(":;");
    std::string path(directories.substr(0, end));
    if (!path.empty() && ::access(path.append("/").append(name).c_str(), R_OK) == 0)
      return path;
    directories.remove_prefix(end == std::string_view::npos ? directories.size() : end + 1);
  }
  return {};
}

/// As the dynamic linker has it, which stays so. Empty if it has no such library.
std::string loaded_path(const char* name, int flags) {
  void* const library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL | flags);
  link_map* map = nullptr;
  return library != nullptr && ::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr ? map->l_name
                                                                                               : "";
}

/// Where the dynamic linker finds the library, as far as \p search_path and the system's usual directories
/// say. Empty if it is not there.
std::string find_library(std::string_view name, std::string_view search_path) {
  std::string path = find_in(search_path, name);
  return path.empty() ? find_in(DEFAULT_DIRECTORIES, name) : path;
}

} // namespace

std::vector<found_library> find_cpu_libraries(std::string_view search_path) {
  std::vector<found_library> found;
  for (const char* const name : CPU_LIBRARIES) {
    std::string path = loaded_path(name, RTLD_NOLOAD);
    if (path.empty())
      path = find_library(name, search_path);
    if (path.empty()) // where the system's configuration says, perhaps
      path = loaded_path(name, 0);
    if (!path.empty())
      found.push_back({name, std::move(path)});
  }
  return found;
}

} // namespace falx::jit
