// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backend.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "backends/cuda/cuda_device.hpp"
#include "falx/absent_backends.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace falx {
namespace {

/// What every backend offers: itself, or null and why, where its native API is missing or has no device.
struct backend_factory {
  const char* name;
  std::unique_ptr<backend> (*make)(std::string& problem);
};

/// The CPU is last, so that devices are listed by preference.
constexpr backend_factory FACTORIES[] = {
    {"cuda", make_cuda_backend},
    {"cpu", [](std::string&) { return make_cpu_backend(); }},
};

struct missing_backend {
  const char* name;
  std::string reason;
};

struct found_backends {
  std::vector<backend*> present;
  std::vector<missing_backend> absent;
};

found_backends make_backends() {
  found_backends result;
  for (const backend_factory& factory : FACTORIES) {
    std::string problem;
    // Not destroyed at exit: destructors of the program's static objects may still use queues.
    if (std::unique_ptr<backend> made = factory.make(problem); made != nullptr && !made->devices().empty())
      result.present.push_back(made.release());
    else
      result.absent.push_back({factory.name, std::move(problem)});
  }
  return result;
}

const found_backends& all_backends() {
  static const found_backends& all = *std::make_unique<found_backends>(make_backends()).release();
  return all;
}

} // namespace

// Weak, so that tests can define their own.
[[gnu::weak]] std::span<backend* const> backends() {
  return all_backends().present;
}

void visit_absent_backends(void (*visit)(void* data, const absent_backend& each), void* data) {
  for (const missing_backend& each : all_backends().absent)
    visit(data, {each.name, each.reason.c_str()});
}

} // namespace falx
