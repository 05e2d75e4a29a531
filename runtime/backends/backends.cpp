// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/backend.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "backends/cuda/cuda_device.hpp"

#include <memory>
#include <vector>

namespace falx {
namespace {

/// What every backend offers: itself, or null where its native API is missing or has no device.
using backend_factory = std::unique_ptr<backend> (*)();

/// The CPU is last, so that devices are listed by preference.
constexpr backend_factory FACTORIES[] = {make_cuda_backend, make_cpu_backend};

std::vector<backend*> make_backends() {
  std::vector<backend*> result;
  for (const backend_factory make : FACTORIES)
    // Not destroyed at exit: destructors of the program's static objects may still use queues.
    if (std::unique_ptr<backend> made = make(); made != nullptr && !made->devices().empty())
      result.push_back(made.release());
  return result;
}

} // namespace

std::span<backend* const> backends() {
  static const std::vector<backend*>& all =
      *std::make_unique<std::vector<backend*>>(make_backends()).release();
  return all;
}

} // namespace falx
