// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_libraries.hpp"

#include "diagnostics/environment.hpp"
#include "jit/request/shared_libraries.hpp"
#include "process/file_identity.hpp"

#include <memory>
#include <string>
#include <vector>

namespace falx {

std::span<const jit::shared_library> cpu_libraries() {
  struct known {
    std::vector<jit::found_library> found = jit::find_cpu_libraries(the_environment().library_path);
    std::vector<std::string> identities;
    std::vector<jit::shared_library> all;
  };
  // Never destroyed: static destructors of the program may still launch kernels.
  static const known& libraries = *[] {
    auto known_now = std::make_unique<known>();
    for (const jit::found_library& library : known_now->found)
      known_now->identities.push_back(file_identity(library.path));
    for (std::size_t i = 0; i < known_now->found.size(); ++i)
      known_now->all.push_back(
          {known_now->found[i].name, known_now->found[i].path, known_now->identities[i]});
    return known_now.release();
  }();
  return libraries.all;
}

} // namespace falx
