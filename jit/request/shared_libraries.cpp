// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_libraries.hpp"

#include <dlfcn.h>
#include <link.h>

namespace falx::jit {

std::vector<found_library> find_cpu_libraries() {
  std::vector<found_library> found;
  for (const char* const name : CPU_LIBRARIES) {
    void* const library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    link_map* map = nullptr;
    if (library != nullptr && ::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr)
      found.push_back({name, map->l_name});
  }
  return found;
}

} // namespace falx::jit
