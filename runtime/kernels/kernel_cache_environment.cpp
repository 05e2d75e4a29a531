// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/environment.hpp"
#include "falx/cache.hpp"
#include "jit_loader.hpp"
#include "kernel_cache.hpp"
#include "kernel_cache_diagnosis.hpp"

#include <memory>

namespace falx {
namespace {

struct cache_place {
  std::string directory;
  /// Why there is none, if that is not what the user set.
  std::string problem;
};

cache_place place_of_cache() {
  const environment& chosen = the_environment();
  // The caller may be anybody, and neither the files of that user nor those of the program's owner are a
  // place for code that the program runs.
  if (!chosen.keeps_kernels || chosen.cache_size == 0 || chosen.is_privileged)
    return {};
  if (chosen.cache_directory)
    return {*chosen.cache_directory, ""};
  if (!chosen.caches_directory.empty())
    return {chosen.caches_directory + "/falx", ""};
  if (!chosen.home_directory.empty())
    return {chosen.home_directory + "/.cache/falx", ""};
  return {"",
          "neither XDG_CACHE_HOME nor HOME is set to an absolute path; set FALX_CACHE_DIR to a directory"};
}

} // namespace

kernel_cache& kernel_cache::instance() {
  // Never destroyed: static destructors of the program may still launch kernels.
  static kernel_cache& cache = [&]() -> kernel_cache& {
    const cache_place place = place_of_cache();
    if (!place.problem.empty())
      report_cache_problem(place.problem);
    return *std::make_unique<kernel_cache>(place.directory, the_environment().cache_size).release();
  }();
  return cache;
}

kernel_cache& usable_kernel_cache() {
  static kernel_cache& none = *std::make_unique<kernel_cache>(std::string(), 0).release();
  return jit_identity().empty() ? none : kernel_cache::instance();
}

void describe_kernel_cache(void (*take)(void* data, const kernel_cache_description& description),
                           void* data) {
  const cache_place place = place_of_cache();
  const std::string problem =
      place.directory.empty() ? place.problem : problem_of_cache(place.directory).value_or("");
  take(data, {place.directory.c_str(), problem.c_str()});
}

} // namespace falx
