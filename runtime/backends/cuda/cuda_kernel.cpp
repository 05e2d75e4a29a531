// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_kernel.hpp"

#include "cuda_assembly.hpp"
#include "diagnostics/environment.hpp"
#include "jit/targets/ptx/ptx_abi.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <stdexcept>
#include <string_view>

namespace falx {
namespace {

/// The code, ended by a zero as PTX must be.
std::vector<unsigned char> with_end(const cuda_context& context, const kernel_binary& binary,
                                    const kernel_names& names) {
  if (binary.bytes.empty())
    cannot_build(context, names, "it has no code");
  std::vector<unsigned char> code = binary.bytes;
  code.push_back(0);
  return code;
}

/// How long the launches of a kernel with so many bytes of code take together when it is assembled once more,
/// in nanoseconds: some ten times as long as that takes (ptxas 13: 2 to 3 µs a byte of what it makes, 4 to 6
/// of PTX, so half of that for kernels that stay PTX).
std::uint64_t time_worth_assembling(std::size_t bytes) noexcept {
  constexpr std::uint64_t LEAST = 100'000'000, OF_A_BYTE = 25'000;
  return std::max(LEAST, OF_A_BYTE * bytes);
}

cuda_derived_arguments read_derived_arguments(const cuda_context& context,
                                              const std::vector<unsigned char>& code,
                                              const kernel_names& names) {
  try {
    return cuda_derived_arguments(
        derived_arguments_line({reinterpret_cast<const char*>(code.data()), code.size()}));
  } catch (const std::invalid_argument& error) {
    cannot_build(context, names, error.what());
  }
}

bool overlap_is_wanted() noexcept {
  // Does not throw: the environment was right when the device was found.
  static const bool wanted = the_environment().cuda_kernels_overlap;
  return wanted;
}

} // namespace

cuda_kernel::cuda_kernel(cuda_context& context, const cuda_limits& limits, const kernel_binary& binary,
                         const kernel_names& names)
    : context_(context), limits_(limits) {
  const std::vector<unsigned char> code = with_end(context, binary, names);
  code_bytes_ = code.size();
  derived_ = read_derived_arguments(context, code, names);
  const cuda_current_context current(context);
  load_module(context, code, names);
  // Both PTX and assembled code name what they call.
  constexpr std::string_view PRINT = "vprintf";
  prints_ = std::search(code.begin(), code.end(), PRINT.begin(), PRINT.end()) != code.end();
  const std::string entry = ptx::ptx_entry_name(names.symbol);
  const cuda::result result = cuda::api().cuModuleGetFunction(&function_, module_, entry.c_str());
  if (result != cuda::result::success) {
    cuda::api().cuModuleUnload(module_);
    cannot_build(context, names, fmt::format("its code has no entry '{}': {}", entry, cuda::text_of(result)));
  }
  registers_ = cuda_attribute(function_, cuda::function_attribute::registers);
  max_threads_ =
      static_cast<std::uint64_t>(cuda_attribute(function_, cuda::function_attribute::max_threads_per_block));
  static_shared_ =
      static_cast<std::uint64_t>(cuda_attribute(function_, cuda::function_attribute::shared_bytes));
  private_ = static_cast<std::uint64_t>(cuda_attribute(function_, cuda::function_attribute::local_bytes));
  may_overlap_ = overlap_is_wanted() && ptx::waits_for_prerequisites(static_cast<unsigned>(
                                            cuda_attribute(function_, cuda::function_attribute::ptx_target)));
  dynamic_limit_ = limits.shared_per_block > static_shared_ ? limits.shared_per_block - static_shared_ : 0;
}

void cuda_kernel::load_module(const cuda_context& context, const std::vector<unsigned char>& code,
                              const kernel_names& names) {
  constexpr std::string_view ELF = "\x7f"
                                   "ELF";
  const bool is_assembled = code.size() > ELF.size() && std::equal(ELF.begin(), ELF.end(), code.begin());
  if (is_assembled) { // options would be for the assembler
    const cuda::result result = cuda::api().cuModuleLoadDataEx(&module_, code.data(), 0, nullptr, nullptr);
    if (result != cuda::result::success)
      cannot_build(context, names, cuda::text_of(result));
    return;
  }
  const assembler_use use(context, names);
  assembler_logs logs;
  const cuda::result result = cuda::api().cuModuleLoadDataEx(&module_, code.data(), assembler_logs::COUNT,
                                                             logs.options(), logs.values());
  if (result != cuda::result::success)
    cannot_build(context, names, logs.text(result));
}

cuda_kernel::~cuda_kernel() {
  if (context_.is_lost() || cuda::is_forked_child())
    return;
  const cuda_current_context current(context_);
  cuda::api().cuModuleUnload(module_);
}

void cuda_kernel::expect_other_form(std::unique_ptr<other_code> other) {
  trial_ = std::make_unique<cuda_form_trial>(context_, *this, time_worth_assembling(code_bytes_),
                                             std::move(other));
}

void cuda_kernel::prepare_launch(std::uint64_t threads, std::size_t dynamic_shared, const char* name) {
  if (threads > max_threads_) [[unlikely]]
    throw sycl::exception(
        sycl::make_error_code(sycl::errc::nd_range),
        fmt::format("kernel '{}' cannot run with work-groups of {} work-items on device '{}': with its {} "
                    "registers per work-item at most {} fit; use smaller groups, or "
                    "[[sycl::reqd_work_group_size]] so that it is compiled for this size",
                    name, threads, context_.device_name(), registers_, max_threads_));
  if (dynamic_shared <= dynamic_limit_.load(std::memory_order_acquire)) [[likely]]
    return;
  if (dynamic_shared + static_shared_ > limits_.shared_per_block_optin)
    throw sycl::exception(sycl::make_error_code(sycl::errc::memory_allocation),
                          fmt::format("kernel '{}' needs {} bytes of local memory per work-group ({} of them "
                                      "of its own), device '{}' has {}; use smaller local accessors",
                                      name, dynamic_shared + static_shared_, static_shared_,
                                      context_.device_name(), limits_.shared_per_block_optin));
  const std::uint64_t most = limits_.shared_per_block_optin - static_shared_;
  context_.check(cuda::api().cuFuncSetAttribute(function_, cuda::function_attribute::max_dynamic_shared_bytes,
                                                static_cast<int>(most)),
                 "raising the limit of local memory", name);
  dynamic_limit_.store(most, std::memory_order_release);
}

std::size_t cuda_kernel::blocks_per_processor(std::uint64_t threads, std::size_t dynamic_shared) {
  if (threads > max_threads_ || dynamic_shared + static_shared_ > limits_.shared_per_block_optin)
    return 0;
  prepare_launch(threads, dynamic_shared, "a kernel"); // which the answer depends on
  int blocks = 0;
  context_.check(cuda::api().cuOccupancyMaxActiveBlocksPerMultiprocessor(
                     &blocks, function_, static_cast<int>(threads), dynamic_shared),
                 "counting resident work-groups", "a kernel");
  return static_cast<std::size_t>(std::max(blocks, 0));
}

} // namespace falx
