// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "cuda_context.hpp"
#include "cuda_description.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace falx {

/// Throws sycl::exception with errc::build.
[[noreturn]] void cannot_build(const cuda_context& context, const kernel_names& names,
                               std::string_view reason);

/// Where the driver's assembler writes what it has to say.
class assembler_logs {
public:
  static constexpr unsigned COUNT = 4;
  cuda::jit_option* options() noexcept { return options_.data(); }
  void** values() noexcept { return values_.data(); }

  /// What \p result means, and the logs.
  std::string text(cuda::result result) const;

private:
  static constexpr std::size_t BYTES = 8192;
  std::array<char, BYTES> infos_{}, errors_{};
  std::array<cuda::jit_option, COUNT> options_{
      cuda::jit_option::info_log_buffer, cuda::jit_option::info_log_bytes, cuda::jit_option::error_log_buffer,
      cuda::jit_option::error_log_bytes};
  std::array<void*, COUNT> values_{infos_.data(), reinterpret_cast<void*>(BYTES - 1), errors_.data(),
                                   reinterpret_cast<void*>(BYTES - 1)};
};

/// A use of the driver's assembler, a library that the driver loads with its first use. So exit ends it
/// before it destroys objects of the program that were made earlier. In their destructors cuLinkCreate would
/// wait for ever for a lock of the ended library (seen on driver 580 in libnvidia-ptxjitcompiler's
/// __cuda_CallJitEntryPoint). The constructor throws sycl::exception with errc::build if that has happened.
class assembler_use {
public:
  assembler_use(const cuda_context& context, const kernel_names& names);
  ~assembler_use();
  assembler_use(const assembler_use&) = delete;
};

/// What the driver says of a kernel; 0 if it does not know.
int cuda_attribute(cuda::function_handle function, cuda::function_attribute attribute) noexcept;

/// The driver's machine code for PTX with one kernel. Throws sycl::exception with errc::build.
std::vector<unsigned char> assemble_ptx(cuda_context& context, const cuda_limits& limits,
                                        std::span<const unsigned char> ptx, const kernel_names& names);

/// Whether \p ptx, which does what \p own does, gives the same results however it is assembled, and no
/// work-item of it can wait for others.
bool may_replace(std::span<const unsigned char> own, std::span<const unsigned char> ptx) noexcept;

/// The same kernel with registers chosen otherwise: of each work-item fewer, where the assembler would take
/// all that one group leaves; more, where it would save them. Empty if there is no such choice, or the
/// results could differ. Throws like assemble_ptx.
std::vector<unsigned char> assemble_ptx_otherwise(cuda_context& context, std::span<const unsigned char> ptx,
                                                  const kernel_names& names);

} // namespace falx
