// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/cuda_kernel.hpp"

#include "jit/targets/ptx_abi.hpp"
#include "kernel_cache_files.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace falx {
namespace {

[[noreturn]] void cannot_build(const cuda_context& context, const kernel_names& names,
                               std::string_view reason) {
  throw sycl::exception(sycl::make_error_code(sycl::errc::build),
                        fmt::format("kernel '{}' could not be loaded on device '{}': {}", names.pretty,
                                    context.device_name(), reason));
}

/// Where the driver's assembler writes what it has to say.
class assembler_logs {
public:
  static constexpr unsigned COUNT = 4;
  cuda::jit_option* options() noexcept { return options_.data(); }
  void** values() noexcept { return values_.data(); }

  /// Two sentences at most, ended.
  std::string text(cuda::result result) const {
    std::string words = cuda::text_of(result);
    for (const std::string_view log : {std::string_view(errors_.data()), std::string_view(infos_.data())})
      if (!log.empty())
        words += fmt::format("\n{}", log);
    return words;
  }

private:
  static constexpr std::size_t BYTES = 8192;
  std::array<char, BYTES> infos_{}, errors_{};
  std::array<cuda::jit_option, COUNT> options_{
      cuda::jit_option::info_log_buffer, cuda::jit_option::info_log_bytes, cuda::jit_option::error_log_buffer,
      cuda::jit_option::error_log_bytes};
  std::array<void*, COUNT> values_{infos_.data(), reinterpret_cast<void*>(BYTES - 1), errors_.data(),
                                   reinterpret_cast<void*>(BYTES - 1)};
};

/// The code, ended by a zero as PTX must be.
std::vector<unsigned char> read_code(const cuda_context& context, const kernel_binary& binary,
                                     const kernel_names& names) {
  std::vector<unsigned char> code = binary.path.empty() ? binary.bytes : read_file(binary.path, binary.size);
  if (code.empty())
    cannot_build(context, names, "its file in the kernel cache cannot be read");
  code.push_back(0);
  return code;
}

int attribute_of(cuda::function_handle function, cuda::function_attribute attribute) noexcept {
  int value = 0;
  cuda::api().cuFuncGetAttribute(&value, attribute, function);
  return value;
}

} // namespace

cuda_kernel::cuda_kernel(cuda_context& context, const cuda_limits& limits, const kernel_binary& binary,
                         const kernel_names& names)
    : context_(context), limits_(limits) {
  const std::vector<unsigned char> code = read_code(context, binary, names);
  const cuda_current_context current(context);
  assembler_logs logs;
  cuda::result result = cuda::api().cuModuleLoadDataEx(&module_, code.data(), assembler_logs::COUNT,
                                                       logs.options(), logs.values());
  if (result != cuda::result::success)
    cannot_build(context, names, logs.text(result));
  const std::string entry = ptx::ptx_entry_name(names.symbol);
  result = cuda::api().cuModuleGetFunction(&function_, module_, entry.c_str());
  if (result != cuda::result::success) {
    cuda::api().cuModuleUnload(module_);
    cannot_build(context, names, fmt::format("its code has no entry '{}': {}", entry, cuda::text_of(result)));
  }
  registers_ = attribute_of(function_, cuda::function_attribute::registers);
  max_threads_ =
      static_cast<std::uint64_t>(attribute_of(function_, cuda::function_attribute::max_threads_per_block));
  static_shared_ =
      static_cast<std::uint64_t>(attribute_of(function_, cuda::function_attribute::shared_bytes));
  dynamic_limit_ = limits.shared_per_block > static_shared_ ? limits.shared_per_block - static_shared_ : 0;
}

cuda_kernel::~cuda_kernel() {
  if (context_.is_lost() || cuda::is_forked_child())
    return;
  const cuda_current_context current(context_);
  cuda::api().cuModuleUnload(module_);
}

void cuda_kernel::prepare_launch(std::uint64_t threads, std::size_t dynamic_shared, const char* name) {
  if (threads > max_threads_) [[unlikely]]
    throw sycl::exception(
        sycl::make_error_code(sycl::errc::nd_range),
        fmt::format("kernel '{}' cannot run with work-groups of {} work-items on device '{}': with its {} "
                    "registers per work-item at most {} fit; use smaller groups, or "
                    "[[sycl::reqd_work_group_size]] so that it is compiled for this size",
                    name, threads, context_.device_name(), registers_, max_threads_));
  if (dynamic_shared <= dynamic_limit_.load(std::memory_order_acquire)) [[likely]] {
    if (dynamic_shared != carved_for_.load(std::memory_order_relaxed)) [[unlikely]]
      prefer_shared_memory(threads, dynamic_shared);
    return;
  }
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
  prefer_shared_memory(threads, dynamic_shared);
}

void cuda_kernel::prefer_shared_memory(std::uint64_t threads, std::uint64_t dynamic_shared) noexcept {
  carved_for_.store(dynamic_shared, std::memory_order_relaxed);
  if (dynamic_shared == 0 || limits_.shared_per_processor == 0)
    return;
  constexpr std::uint64_t OF_THE_DRIVER = 1024; // per block
  const std::uint64_t blocks = std::max<std::uint64_t>(limits_.threads_per_processor / threads, 1);
  const std::uint64_t wanted = blocks * (dynamic_shared + static_shared_ + OF_THE_DRIVER);
  const std::uint64_t percent = std::min<std::uint64_t>(
      (100 * wanted + limits_.shared_per_processor - 1) / limits_.shared_per_processor, 100);
  // Only a preference: without it the kernel runs as well, with fewer blocks at a time.
  cuda::api().cuFuncSetAttribute(function_, cuda::function_attribute::preferred_shared_carveout,
                                 static_cast<int>(percent));
}

std::vector<unsigned char> assemble_ptx(cuda_context& context, std::span<const unsigned char> ptx,
                                        const kernel_names& names) {
  const cuda_current_context current(context);
  std::vector<unsigned char> text(ptx.begin(), ptx.end());
  text.push_back(0);
  assembler_logs logs;
  cuda::link_handle link = nullptr;
  const cuda::driver_functions& api = cuda::api();
  cuda::result result = api.cuLinkCreate(assembler_logs::COUNT, logs.options(), logs.values(), &link);
  if (result != cuda::result::success)
    cannot_build(context, names, logs.text(result));
  std::vector<unsigned char> cubin;
  void* bytes = nullptr;
  std::size_t size = 0;
  result = api.cuLinkAddData(link, cuda::jit_input::ptx, text.data(), text.size(),
                             std::string(names.symbol).c_str(), 0, nullptr, nullptr);
  if (result == cuda::result::success)
    result = api.cuLinkComplete(link, &bytes, &size);
  if (result == cuda::result::success)
    cubin.assign(static_cast<unsigned char*>(bytes), static_cast<unsigned char*>(bytes) + size);
  const std::string logged = result != cuda::result::success ? logs.text(result) : std::string();
  api.cuLinkDestroy(link);
  if (result != cuda::result::success)
    cannot_build(context, names, logged);
  return cubin;
}

} // namespace falx
