// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barrier_kernels.hpp"
#include "falx/kernel.hpp"
#include "jit.hpp"
#include "targets/cpu_abi.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

/// \file
/// run_generated_kernels <libfalx-jit.so> <kernels.bc> <count> [widths [kernel number]]: runs
/// kernel_generated_0, 1, ... of generate_kernels.py compiled for one work-item at a time, and as vectors of
/// one of the comma-separated widths in turn (of all, if a kernel is named); all memory must be equal.

namespace {

struct geometry {
  falx::kernel_kind kind;
  unsigned dimensions;
  std::uint64_t local[3], groups[3];
  std::uint64_t work_items() const { return local[0] * local[1] * local[2]; }
};
constexpr auto GROUPS = falx::kernel_kind::nd_range;
const geometry GEOMETRIES[] = {
    {GROUPS, 1, {16, 1, 1}, {2, 1, 1}}, {GROUPS, 1, {19, 1, 1}, {2, 1, 1}}, {GROUPS, 2, {5, 4, 1}, {1, 2, 1}},
    {GROUPS, 2, {16, 2, 1}, {2, 1, 1}}, {GROUPS, 3, {3, 2, 3}, {2, 1, 1}},
};
const geometry RANGE = {falx::kernel_kind::range, 1, {1, 1, 1}, {45, 1, 1}};

struct loaded {
  void* library = nullptr;
  const falx::cpu::kernel_properties* properties = nullptr;
};

loaded compile(const falx::jit::interface& jit, const std::vector<char>& bitcode, const std::string& kernel,
               const geometry& launch, bool fixed, unsigned level, unsigned width) {
  falx::jit::request request;
  request.images = {{reinterpret_cast<const unsigned char*>(bitcode.data()), bitcode.size()}};
  request.kernel = kernel;
  request.kind = std::uint32_t(launch.kind);
  request.dimensions = launch.dimensions;
  request.target = "cpu";
  request.config.optimization_level = level;
  request.config.sub_group_size = width;
  request.config.sub_group_size_is_required = width > 1;
  if (fixed && launch.kind == GROUPS)
    for (int axis = 0; axis < 3; ++axis)
      request.config.local_range[axis] = std::uint32_t(launch.local[axis]);
  falx::jit::response response;
  jit.compile(request, response);
  if (!response.ok) {
    std::printf("FAILED %s, width %u: %s\n", kernel.c_str(), width, response.diagnostic.c_str());
    return {};
  }
  const int file = memfd_create("kernel", 0);
  if (write(file, response.binary.data(), response.binary.size()) != ssize_t(response.binary.size()))
    return {};
  loaded result;
  result.library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  if (result.library == nullptr)
    std::printf("FAILED %s: %s\n", kernel.c_str(), dlerror());
  else
    result.properties = static_cast<const falx::cpu::kernel_properties*>(
        dlsym(result.library, falx::cpu::KERNEL_PROPERTIES_SYMBOL));
  return result;
}

void* filled(std::size_t bytes) {
  bytes = (bytes + 511) / 128 * 128;
  void* memory = std::aligned_alloc(128, bytes);
  std::memset(memory, 0xA5, bytes);
  return memory;
}

/// out and then local memory.
std::vector<int> run(const falx::cpu::kernel_properties& properties, const geometry& launch) {
  const std::uint64_t group = launch.work_items();
  const std::uint64_t total = group * launch.groups[0] * launch.groups[1] * launch.groups[2];
  std::vector<int> in(total), out(total, -77);
  unsigned state = 12345;
  for (int& value : in)
    value = int((state = state * 1664525u + 1013904223u) >> 20) - 1000;
  const kernel_arguments function = {in.data(), out.data(), 4, long(total)};
  falx::cpu::launch_arguments arguments{};
  arguments.function = &function;
  const std::uint64_t begin[3] = {0, 0, 0};
  for (int axis = 0; axis < 3; ++axis) {
    arguments.global_range[axis] = launch.local[axis] * launch.groups[axis];
    arguments.local_range[axis] = launch.local[axis];
    arguments.group_range[axis] = launch.groups[axis];
  }
  falx::cpu::worker_memory memory{};
  memory.local_memory = filled(4096);
  memory.group_scratch = filled(properties.scratch_bytes_per_work_item * group);
  memory.work_item_context = filled(properties.context_bytes_per_work_item * ((group + 63) / 64 * 64));
  properties.function(&arguments, begin, launch.groups, &memory);
  const int* local = static_cast<const int*>(memory.local_memory);
  out.insert(out.end(), local, local + group);
  std::free(memory.local_memory);
  std::free(memory.group_scratch);
  std::free(memory.work_item_context);
  return out;
}

std::vector<unsigned> parse_widths(const char* text) {
  std::vector<unsigned> widths;
  for (char* end = nullptr; *text != '\0'; text = *end == ',' ? end + 1 : end)
    widths.push_back(unsigned(std::strtoul(text, &end, 10)));
  return widths;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4)
    return 2;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  using interface_function = const falx::jit::interface* (*)();
  const falx::jit::interface& jit =
      *reinterpret_cast<interface_function>(dlsym(library, "falx_jit_interface"))();
  std::ifstream file(argv[2], std::ios::binary);
  const std::vector<char> bitcode((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::vector<unsigned> widths = parse_widths(argc > 4 ? argv[4] : "4,16,8");
  const int only = argc > 5 ? std::atoi(argv[5]) : -1;
  const unsigned count = unsigned(std::atoi(argv[3]));

  unsigned passed = 0, failed = 0;
  for (unsigned number = 0; number < count; ++number) {
    if (only >= 0 && number != unsigned(only))
      continue;
    const std::string kernel = "kernel_generated_" + std::to_string(number);
    // Every fourth has no barriers.
    const geometry& launch = number % 4 == 1 ? RANGE : GEOMETRIES[number % std::size(GEOMETRIES)];
    const bool fixed = number % 2 != 0;
    const loaded scalar = compile(jit, bitcode, kernel, launch, fixed, 1, 1);
    if (scalar.properties == nullptr) {
      ++failed;
      continue;
    }
    const std::vector<int> expected = run(*scalar.properties, launch);
    for (std::size_t choice = 0; choice < (only >= 0 ? widths.size() : 1); ++choice) {
      const unsigned width = widths[(number + choice) % widths.size()];
      const loaded vector = compile(jit, bitcode, kernel, launch, fixed, number % 3, width);
      const bool is_right = vector.properties != nullptr && run(*vector.properties, launch) == expected;
      if (!is_right && vector.properties != nullptr)
        std::printf("FAILED %s, width %u: other results than one by one\n", kernel.c_str(), width);
      ++(is_right ? passed : failed);
      if (vector.library != nullptr)
        dlclose(vector.library);
    }
    dlclose(scalar.library);
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
