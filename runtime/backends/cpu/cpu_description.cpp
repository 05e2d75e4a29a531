// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_description.hpp"

#include "falx/device_architecture.hpp"
#include "sycl/version.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <unistd.h>
#include <xxhash.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace falx {
namespace {

/// The value of the first line "key : value" of /proc/cpuinfo; empty if there is none.
std::string cpuinfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key))
      continue;
    const auto colon = line.find(':');
    if (colon == std::string::npos || line.find_first_not_of(" \t", key.size()) != colon)
      continue;
    const auto value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string::npos ? std::string() : line.substr(value);
  }
  return {};
}

/// Drops blanks at both ends and runs of them inside: brand strings are padded.
std::string without_padding(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '\0')
      break;
    if (c != ' ' || (!result.empty() && result.back() != ' '))
      result += c;
  }
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

#if defined(__x86_64__)
struct cpuid_words {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All zero for leaves that the CPU does not have.
cpuid_words cpuid(unsigned leaf, unsigned subleaf = 0) {
  cpuid_words words;
  __get_cpuid_count(leaf, subleaf, &words.eax, &words.ebx, &words.ecx, &words.edx);
  return words;
}

std::string cpu_vendor() {
  const cpuid_words words = cpuid(0);
  char text[12];
  std::memcpy(text, &words.ebx, 4);
  std::memcpy(text + 4, &words.edx, 4);
  std::memcpy(text + 8, &words.ecx, 4);
  return std::string(text, sizeof text);
}

std::string cpu_name() {
  char text[48] = {};
  for (unsigned i = 0; i < 3; ++i) {
    const cpuid_words words = cpuid(0x80000002 + i);
    std::memcpy(text + i * sizeof words, &words, sizeof words);
  }
  return without_padding({text, sizeof text});
}

/// Words that say which instructions exist, and what the kernel saves on a context switch (XCR0).
std::string feature_words() {
  std::string words;
  const auto add = [&](std::initializer_list<unsigned> values) {
    for (unsigned value : values)
      words.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  // Leaf 1: ebx is left out, it holds the number of the core this runs on.
  const cpuid_words basic = cpuid(1);
  add({basic.eax, basic.ecx, basic.edx});
  for (unsigned subleaf = 0; subleaf < 2; ++subleaf) {
    const cpuid_words extended = cpuid(7, subleaf);
    add({extended.eax, extended.ebx, extended.ecx, extended.edx});
  }
  const cpuid_words saving = cpuid(0xd, 1);
  const cpuid_words amd = cpuid(0x80000001);
  add({saving.eax, cpuid(0x14).ebx, cpuid(0x19).ebx, cpuid(0x1e, 1).eax, cpuid(0x24).ebx, cpuid(0x29).ebx});
  add({amd.ecx, amd.edx, cpuid(0x80000008).ebx, cpuid(0x80000021).eax});
  if ((basic.ecx & bit_OSXSAVE) != 0) {
    unsigned low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    add({low, high});
  }
  return words;
}
#else
std::string cpu_vendor() {
  return cpuinfo("CPU implementer");
}
std::string cpu_name() {
  const std::string name = cpuinfo("model name");
  return name.empty() ? "CPU" : name;
}
std::string feature_words() {
  return cpuinfo("CPU part") + ' ' + cpuinfo("CPU variant") + ' ' + cpuinfo("Features");
}
#endif

std::uint64_t system_value(int name) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

void describe_vendor(device_description& cpu) {
  cpu.vendor = cpu_vendor();
  // The numbers are PCI vendor ids, as info::device::vendor_id wants them.
  if (cpu.vendor == "GenuineIntel") {
    cpu.vendor = "Intel Corporation";
    cpu.vendor_id = 0x8086;
  } else if (cpu.vendor == "AuthenticAMD") {
    cpu.vendor = "Advanced Micro Devices, Inc.";
    cpu.vendor_id = 0x1022;
  }
}

/// \p chosen is the size of sub-groups of kernels that demand none; 0: as many 32-bit values as a vector
/// register holds.
void describe_sub_groups(device_description& cpu, std::uint32_t chosen) {
  cpu.sub_group_sizes = {1, 2, 4, 8, 16, 32, 64};
  cpu.sub_group_size = chosen != 0 ? chosen : cpu.vector_bytes / 4;
}

void describe_memory(device_description& cpu) {
  cpu.global_memory = system_value(_SC_PHYS_PAGES) * system_value(_SC_PAGESIZE);
  cpu.max_allocation = cpu.global_memory;
  const std::uint64_t second_level = system_value(_SC_LEVEL2_CACHE_SIZE);
  cpu.global_cache = std::max(system_value(_SC_LEVEL3_CACHE_SIZE), second_level);
  if (const std::uint64_t line = system_value(_SC_LEVEL1_DCACHE_LINESIZE))
    cpu.cache_line = static_cast<std::uint32_t>(line);
  // Local memory pays while it stays in the core's own cache, next to what the kernel streams through.
  cpu.local_memory = std::clamp<std::uint64_t>(second_level / 2, 64 << 10, 1 << 20);
  cpu.unified_memory = true;
  cpu.usm_atomic_host = cpu.usm_atomic_shared = cpu.usm_system = true;
}

} // namespace

std::uint32_t cpu_clock_frequency() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  if (std::uint64_t kilohertz = 0; file >> kilohertz)
    return static_cast<std::uint32_t>(kilohertz / 1000);
  return static_cast<std::uint32_t>(std::lround(std::strtod(cpuinfo("cpu MHz").c_str(), nullptr)));
}

device_description describe_cpu(const cpu_target& target, std::uint32_t sub_group_size,
                                std::uint32_t processors) {
  device_description cpu;
  cpu.name = cpu_name();
  describe_vendor(cpu);
  cpu.version =
      target.instruction_set.empty() ? cpuinfo("CPU architecture") : std::string(target.instruction_set);
  cpu.driver_version = FALX_VERSION_STRING;
#ifdef __x86_64__
  cpu.architecture = X86_64_ARCHITECTURE;
#endif
  cpu.is_cpu = true;
  cpu.compute_units = processors;
  cpu.max_work_group_size = 1024;
  // Their work-items have to be counted.
  cpu.max_work_groups = std::numeric_limits<std::size_t>::max() / cpu.max_work_group_size;
  std::fill(std::begin(cpu.max_work_item_sizes), std::end(cpu.max_work_item_sizes), cpu.max_work_group_size);
  describe_memory(cpu);
  cpu.vector_bytes = target.vector_bytes;
  describe_sub_groups(cpu, sub_group_size);
  cpu.has_fp16 = true; // computed in float and rounded, where there are no half instructions
  cpu.has_fp64 = true;
  cpu.has_atomic64 = true;
  cpu.has_async_barrier = true;
  return cpu;
}

std::string cpu_digest(const cpu_target& target) {
  const std::string words = feature_words();
  return fmt::format("{}-{:016x}{}{}", cpu_vendor(), XXH3_64bits(words.data(), words.size()),
                     target.name.empty() ? "" : "-", target.name);
}

} // namespace falx
