// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "jit/targets/cpu_abi.hpp"

#include <memory>

namespace falx {

struct library_closer {
  void operator()(void* library) const noexcept;
};
/// A library opened with dlopen.
using loaded_library = std::unique_ptr<void, library_closer>;

/// A kernel for the CPU: a small shared object, loaded into the process.
class cpu_loaded_kernel final : public loaded_kernel {
public:
  /// \p properties lie in \p library.
  cpu_loaded_kernel(loaded_library library, const cpu::kernel_properties& properties) noexcept
      : library_(std::move(library)), properties_(properties) {}

  const cpu::kernel_properties& properties() const noexcept { return properties_; }

private:
  loaded_library library_;
  const cpu::kernel_properties& properties_;
};

} // namespace falx
