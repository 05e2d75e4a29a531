// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/cpu/cpu_device.hpp"
#include "fake_backend.hpp"

#include <span>

/// \file
/// For one source of a test program: a machine with two GPUs and a CPU. The definition of backends() here
/// takes the place of libfalx's, as the dynamic linker finds the program's first.

namespace {

falx::test::fake_backend& gpus() {
  static falx::test::fake_backend& made = falx::test::fake_backend::make(2, {.backend_name = "cuda"});
  return made;
}

} // namespace

namespace falx {

std::span<backend* const> backends() {
  static backend* const all[] = {&gpus(), make_cpu_backend().release()};
  return all;
}

} // namespace falx
