// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/cuda_assembly.hpp"

#include "jit/targets/ptx_abi.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

/// \file
/// PTX to machine code, by the driver's linker, which hands it out. The linker makes the subroutines of
/// quotients, roots and 64-bit divisions, which every such operation calls for rare operands, functions with
/// a calling convention, around which the kernel has to arrange its registers. Kernels with these stay PTX:
/// the driver assembles them as it loads them, with private subroutines, and keeps the result in its own
/// cache.
///
/// Where a kernel's group size is known, the driver's assembler takes all registers that
/// one group leaves to each work-item. A group of more than half the threads of a multiprocessor's largest
/// block then often has the multiprocessor for itself and waits at its barriers with nobody to fill in. Such
/// kernels are assembled a second time, with as many groups demanded as the multiprocessor has threads for;
/// that code is taken if it spills nothing that the other one does not.

namespace falx {
namespace {

/// Groups of this size and below leave enough steps between one and the most groups per multiprocessor.
constexpr std::uint64_t SMALL_GROUP = 512;
/// The hardware hands out registers in such portions per thread.
constexpr std::uint64_t REGISTER_PORTION = 8;

/// Instructions that are a sequence of others and call a subroutine.
constexpr std::string_view WITH_SUBROUTINES[] = {"\tdiv.rn.f",         "\tsqrt.rn.f", "\trcp.rn.f",
                                                 "\trsqrt.approx.f64", "\tdiv.u64",   "\tdiv.s64",
                                                 "\trem.u64",          "\trem.s64"};

bool has_subroutines(std::string_view text) noexcept {
  return std::ranges::any_of(
      WITH_SUBROUTINES, [&](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

std::vector<unsigned char> assemble_once(cuda_context& context, std::string& text,
                                         const kernel_names& names) {
  if (has_subroutines(text)) {
    std::vector<unsigned char> assembled_when_loaded(text.begin(), text.end());
    assembled_when_loaded.push_back(0);
    return assembled_when_loaded;
  }
  assembler_logs logs;
  cuda::link_handle link = nullptr;
  const cuda::driver_functions& api = cuda::api();
  cuda::result result = api.cuLinkCreate(assembler_logs::COUNT, logs.options(), logs.values(), &link);
  if (result != cuda::result::success)
    cannot_build(context, names, logs.text(result));
  std::vector<unsigned char> cubin;
  void* bytes = nullptr;
  std::size_t size = 0;
  // The terminating zero counts.
  result = api.cuLinkAddData(link, cuda::jit_input::ptx, text.data(), text.size() + 1,
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

struct resources {
  std::uint64_t threads = 0, registers = 0, local_bytes = 0;
};

/// What one group of the kernel takes; nothing if the driver does not load it, which its user will be told.
std::optional<resources> resources_of(const std::vector<unsigned char>& cubin, const kernel_names& names) {
  const cuda::driver_functions& api = cuda::api();
  cuda::module_handle module = nullptr;
  if (api.cuModuleLoadDataEx(&module, cubin.data(), 0, nullptr, nullptr) != cuda::result::success)
    return std::nullopt;
  std::optional<resources> found;
  cuda::function_handle function = nullptr;
  if (api.cuModuleGetFunction(&function, module, ptx::ptx_entry_name(names.symbol).c_str()) ==
      cuda::result::success) {
    const auto value = [&](cuda::function_attribute attribute) {
      return static_cast<std::uint64_t>(cuda_attribute(function, attribute));
    };
    found = {value(cuda::function_attribute::max_threads_per_block),
             value(cuda::function_attribute::registers), value(cuda::function_attribute::local_bytes)};
  }
  api.cuModuleUnload(module);
  return found;
}

/// Where the directives that follow the known group size go; npos if it is not known.
std::size_t end_of_group_size(std::string_view text) noexcept {
  const std::size_t begin = text.find("\n.reqntid");
  return begin == std::string_view::npos ? begin : text.find('\n', begin + 1);
}

} // namespace

void cannot_build(const cuda_context& context, const kernel_names& names, std::string_view reason) {
  throw sycl::exception(sycl::make_error_code(sycl::errc::build),
                        fmt::format("kernel '{}' could not be loaded on device '{}': {}", names.pretty,
                                    context.device_name(), reason));
}

std::string assembler_logs::text(cuda::result result) const {
  std::string words = cuda::text_of(result);
  for (const std::string_view log : {std::string_view(errors_.data()), std::string_view(infos_.data())})
    if (!log.empty())
      words += fmt::format("\n{}", log);
  return words;
}

int cuda_attribute(cuda::function_handle function, cuda::function_attribute attribute) noexcept {
  int value = 0;
  cuda::api().cuFuncGetAttribute(&value, attribute, function);
  return value;
}

std::vector<unsigned char> assemble_ptx(cuda_context& context, const cuda_limits& limits,
                                        std::span<const unsigned char> ptx, const kernel_names& names) {
  const cuda_current_context current(context);
  std::string text(reinterpret_cast<const char*>(ptx.data()), ptx.size());
  std::vector<unsigned char> cubin = assemble_once(context, text, names);
  const std::size_t place = end_of_group_size(text);
  if (place == std::string::npos)
    return cubin;
  const std::optional<resources> free = resources_of(cubin, names);
  if (!free || free->threads <= SMALL_GROUP)
    return cubin;
  const std::uint64_t wanted = limits.threads_per_processor / free->threads;
  const std::uint64_t portions = (free->registers + REGISTER_PORTION - 1) / REGISTER_PORTION;
  if (wanted * free->threads * portions * REGISTER_PORTION <= limits.registers_per_processor)
    return cubin;
  text.insert(place, fmt::format("\n.minnctapersm {}", wanted));
  std::vector<unsigned char> dense = assemble_once(context, text, names);
  const std::optional<resources> bound = resources_of(dense, names);
  return bound && bound->local_bytes <= free->local_bytes ? dense : cubin;
}

} // namespace falx
