// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_assembly.hpp"

#include "cuda_derived_arguments.hpp"

#include "jit/targets/ptx/ptx_abi.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <span>
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
/// block then often has the multiprocessor for itself and waits at its barriers with no other block to fill
/// in. Such kernels are assembled a second time, with as many groups demanded as the multiprocessor has
/// threads for; that code is taken if it spills nothing that the other one does not. Smaller groups with
/// barriers are, too, with as many groups as a few registers less make room for (HeCBench's debayer 1.31,
/// scatterAdd 1.29). Without barriers that is no rule: of 19 programs two gain a tenth, six lose a twentieth
/// to a third, as loads overlap in the registers. So kernels that run long are assembled once more, without
/// what makes the assembler take that many registers, and both are timed (cuda_form_trial).

namespace falx {
namespace {

/// Groups of this size and below leave enough steps between one and the most groups per multiprocessor.
constexpr std::uint64_t SMALL_GROUP = 512;
/// Every GPU runs so many groups per multiprocessor, if they find room.
constexpr std::uint64_t MOST_GROUPS = 16;

/// Instructions that are a sequence of others and call a subroutine.
constexpr std::string_view WITH_SUBROUTINES[] = {"\tdiv.r",   "\tsqrt.r",  "\trcp.r",   "\trsqrt.approx.f64",
                                                 "\tdiv.u64", "\tdiv.s64", "\trem.u64", "\trem.s64"};

bool has_any_of(std::string_view text, std::span<const std::string_view> parts) noexcept {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool has_subroutines(std::string_view text) noexcept {
  return has_any_of(text, WITH_SUBROUTINES);
}

bool has_barriers(std::string_view text) noexcept {
  constexpr std::string_view BARRIERS[] = {"\tbar.sync", "\tbar.red"};
  return has_any_of(text, BARRIERS);
}

/// Products that the assembler may contract with sums, which it need not do in the same places each time.
bool may_be_contracted(std::string_view text) noexcept {
  constexpr std::string_view PRODUCTS[] = {"mul.f", "mul.ftz.f", "mul.bf", "div.full", "div.approx"};
  return has_any_of(text, PRODUCTS);
}

/// Accesses by which work-items wait for others, as they may where all groups run at once.
bool may_wait(std::string_view text) noexcept {
  constexpr std::string_view STRONG[] = {"\tatom.", "\tld.acquire", "\tld.relaxed", "\tld.volatile"};
  return has_any_of(text, STRONG);
}

/// Set by exit.
constinit std::atomic<bool> assembler_has_ended{false};

/// Within an assembler_use.
std::vector<unsigned char> assemble_once(cuda_context& context, std::string text, bool when_loaded,
                                         const kernel_names& names) {
  if (when_loaded) {
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
  // Nothing reads what is behind the code but ourselves.
  const std::string_view derived = derived_arguments_line(text);
  cubin.insert(cubin.end(), derived.begin(), derived.end());
  const std::string logged = result != cuda::result::success ? logs.text(result) : std::string();
  api.cuLinkDestroy(link);
  if (result != cuda::result::success)
    cannot_build(context, names, logged);
  return cubin;
}

struct resources {
  std::uint64_t registers = 0, local_bytes = 0;
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
    found = {value(cuda::function_attribute::registers), value(cuda::function_attribute::local_bytes)};
  }
  api.cuModuleUnload(module);
  return found;
}

/// The directive of a kernel whose group size is known: ".reqntid 32, 8, 1".
struct group_size {
  /// 0 if it is not known.
  std::uint64_t threads = 0;
  /// The line, without its end, behind which further directives go.
  std::size_t begin = std::string_view::npos, end = begin;
};

group_size group_size_in(std::string_view text) noexcept {
  constexpr std::string_view DIRECTIVE = "\n.reqntid ";
  const std::size_t begin = text.find(DIRECTIVE);
  const std::size_t end = begin == std::string_view::npos ? begin : text.find('\n', begin + DIRECTIVE.size());
  if (end == std::string_view::npos)
    return {};
  std::uint64_t threads = 1;
  const char* next = text.data() + begin + DIRECTIVE.size();
  for (const char* const last = text.data() + end; next < last;) {
    std::uint64_t extent = 0;
    next = std::from_chars(next, last, extent).ptr;
    threads *= extent;
    next = std::find_if(next, last, [](char c) { return c >= '0' && c <= '9'; });
  }
  return {threads, begin, end};
}

std::string with_groups_per_processor(std::string_view text, const group_size& size, std::uint64_t groups) {
  return fmt::format("{}\n.minnctapersm {}{}", text.substr(0, size.end), groups, text.substr(size.end));
}

std::string without_group_size(std::string_view text, const group_size& size) {
  return fmt::format("{}{}", text.substr(0, size.begin), text.substr(size.end));
}

/// The most groups of \p threads at once that a quarter of the registers less, at most, makes room for, and
/// in proportion half as many more groups as registers less.
std::uint64_t groups_for_few_registers(const cuda_limits& limits, std::uint64_t threads,
                                       std::uint64_t registers) noexcept {
  const std::uint64_t now = groups_at_once(limits, threads, registers);
  std::uint64_t most = now;
  for (std::uint64_t left = registers; left != 0 && 4 * left >= 3 * registers; --left) {
    const std::uint64_t groups = std::min(groups_at_once(limits, threads, left), MOST_GROUPS);
    if (groups > most && 2 * (groups - now) * registers >= 3 * (registers - left) * now)
      most = groups;
  }
  return most;
}

/// The code with more groups at once demanded, if it spills nothing that \p plain does not: of a large group
/// as many as there are threads for, of a small one, which is to wait at barriers, as many as cost few
/// registers. How much local memory launches ask for is not known here.
std::vector<unsigned char> with_more_groups(cuda_context& context, const cuda_limits& limits,
                                            std::string_view text, const group_size& size, bool when_loaded,
                                            std::vector<unsigned char> plain, const kernel_names& names) {
  const std::optional<resources> free = resources_of(plain, names);
  if (!free)
    return plain;
  const std::uint64_t most = std::min(limits.threads_per_processor / size.threads, MOST_GROUPS);
  const std::uint64_t wanted =
      size.threads > SMALL_GROUP ? most : groups_for_few_registers(limits, size.threads, free->registers);
  if (groups_at_once(limits, size.threads, free->registers) >= wanted)
    return plain;
  // What spills with two groups demanded may not with four: the assembler begins in another way then.
  for (std::uint64_t groups = wanted; groups != 0; groups = groups == most ? 0 : most) {
    std::vector<unsigned char> dense =
        assemble_once(context, with_groups_per_processor(text, size, groups), when_loaded, names);
    const std::optional<resources> bound = resources_of(dense, names);
    if (bound && bound->local_bytes <= free->local_bytes)
      return dense;
  }
  if (when_loaded)
    return plain;
  // As many as the assembler leaves room for by itself (HeCBench's quantAQLM: three groups instead of one).
  std::vector<unsigned char> unbound =
      assemble_once(context, without_group_size(text, size), /*when_loaded=*/false, names);
  const std::optional<resources> its = resources_of(unbound, names);
  const bool is_better = its && its->local_bytes <= free->local_bytes &&
                         groups_at_once(limits, size.threads, its->registers) >
                             groups_at_once(limits, size.threads, free->registers);
  return is_better ? unbound : plain;
}

/// Without the linker the assembler saves registers for more groups than one. What spills then is better off
/// with more registers; so is what waits at barriers, but not with fewer groups beside it: where groups would
/// be lost, and nothing is spilled without the demand, the code stays \p plain.
std::vector<unsigned char> with_more_registers(cuda_context& context, const cuda_limits& limits,
                                               std::string_view text, const group_size& size,
                                               std::vector<unsigned char> plain, const kernel_names& names) {
  const bool waits = has_barriers(text);
  const std::optional<resources> saved = resources_of(plain, names);
  if (!saved || (saved->local_bytes == 0 && !waits))
    return plain;
  std::vector<unsigned char> greedy =
      assemble_once(context, with_groups_per_processor(text, size, 1), /*when_loaded=*/true, names);
  const std::optional<resources> taken = resources_of(greedy, names);
  if (!taken)
    return plain;
  if (taken->local_bytes < saved->local_bytes)
    return greedy;
  const bool loses_groups = groups_at_once(limits, size.threads, taken->registers) <
                            groups_at_once(limits, size.threads, saved->registers);
  return loses_groups || !waits ? plain : greedy;
}

} // namespace

assembler_use::assembler_use(const cuda_context& context, const kernel_names& names) {
  if (assembler_has_ended.load(std::memory_order_relaxed))
    cannot_build(context, names,
                 "the process is ending, and the driver's assembler has ended before; launch the kernel once "
                 "before exit, or in an earlier run with the kernel cache");
}

assembler_use::~assembler_use() {
  static const int registered = std::atexit([] { assembler_has_ended.store(true); });
  static_cast<void>(registered); // at worst it is used too late, as without us
}

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
  const assembler_use use(context, names); // by the driver as well, as it loads PTX
  const std::string text(reinterpret_cast<const char*>(ptx.data()), ptx.size());
  const group_size size = group_size_in(text);
  const bool when_loaded = has_subroutines(text);
  std::vector<unsigned char> code = assemble_once(context, text, when_loaded, names);
  if (size.threads != 0 && when_loaded)
    code = with_more_registers(context, limits, text, size, std::move(code), names);
  if (size.threads > SMALL_GROUP || (size.threads != 0 && !when_loaded && has_barriers(text)))
    code = with_more_groups(context, limits, text, size, when_loaded, std::move(code), names);
  return code;
}

bool may_replace(std::span<const unsigned char> own, std::span<const unsigned char> ptx) noexcept {
  for (const std::span<const unsigned char> code : {own, ptx}) {
    const std::string_view text(reinterpret_cast<const char*>(code.data()), code.size());
    // With more registers fewer groups run at once.
    if (may_be_contracted(text) || may_wait(text))
      return false;
  }
  return true;
}

std::vector<unsigned char> assemble_ptx_otherwise(cuda_context& context, std::span<const unsigned char> ptx,
                                                  const kernel_names& names) {
  const std::string_view text(reinterpret_cast<const char*>(ptx.data()), ptx.size());
  const group_size size = group_size_in(text);
  const bool when_loaded = has_subroutines(text), waits_in_group = has_barriers(text);
  // What is assembled when it is loaded has had the choice if it waits at barriers.
  if (size.threads == 0 || (when_loaded && waits_in_group) || may_be_contracted(text))
    return {};
  // With more registers fewer groups run at once.
  if ((when_loaded || waits_in_group) && may_wait(text))
    return {};
  const cuda_current_context current(context);
  const assembler_use use(context, names);
  return assemble_once(
      context, when_loaded ? with_groups_per_processor(text, size, 1) : without_group_size(text, size),
      when_loaded, names);
}

} // namespace falx
