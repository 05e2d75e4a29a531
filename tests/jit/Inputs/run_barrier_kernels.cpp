// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barrier_kernels.hpp"
#include "falx/device_builtins.hpp"
#include "falx/kernel.hpp"
#include "jit.hpp"
#include "request/shared_libraries.hpp"
#include "targets/cpu/cpu_abi.hpp"

#include <algorithm>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// \file
/// run_barrier_kernels <libfalx-jit.so> <kernels.bc> [sub-group size [kernel]]: runs every kernel of
/// barrier_kernels.cpp compiled by the JIT and, as the reference, natively with one thread per work-item and
/// a real barrier; compares all memory.

namespace {

struct extent {
  std::uint64_t v[3];
  std::uint64_t size() const { return v[0] * v[1] * v[2]; }
};
struct geometry {
  unsigned dimensions;
  extent local, groups, offset;
  extent global() const {
    return {{local.v[0] * groups.v[0], local.v[1] * groups.v[1], local.v[2] * groups.v[2]}};
  }
};

unsigned sub_group_size = 1;
struct sub_group {
  explicit sub_group(std::uint32_t count) : size(count), barrier(std::ptrdiff_t(count)) {}
  std::uint32_t size;
  std::barrier<> barrier;
  std::uint64_t values[64]{};
};
/// The reference's work-item.
struct work_item {
  const geometry* launch;
  std::uint64_t local[3], group[3];
  std::barrier<>* barrier;
  sub_group* sub_group;
  void* local_memory;
  void* scratch;
};
thread_local work_item self;

std::uint64_t linear() {
  return self.local[0] + self.launch->local.v[0] * (self.local[1] + self.launch->local.v[1] * self.local[2]);
}

} // namespace

#define AXIS(letter, i)                                                                                      \
  std::size_t __falx_global_id_##letter() {                                                                  \
    return self.group[i] * self.launch->local.v[i] + self.local[i] + self.launch->offset.v[i];               \
  }                                                                                                          \
  std::size_t __falx_global_range_##letter() {                                                               \
    return self.launch->global().v[i];                                                                       \
  }                                                                                                          \
  std::size_t __falx_global_offset_##letter() {                                                              \
    return self.launch->offset.v[i];                                                                         \
  }                                                                                                          \
  std::size_t __falx_local_id_##letter() {                                                                   \
    return self.local[i];                                                                                    \
  }                                                                                                          \
  std::size_t __falx_local_range_##letter() {                                                                \
    return self.launch->local.v[i];                                                                          \
  }                                                                                                          \
  std::size_t __falx_group_id_##letter() {                                                                   \
    return self.group[i];                                                                                    \
  }                                                                                                          \
  std::size_t __falx_group_range_##letter() {                                                                \
    return self.launch->groups.v[i];                                                                         \
  }

extern "C" {
AXIS(x, 0)
AXIS(y, 1)
AXIS(z, 2)
void __falx_work_group_barrier() {
  self.barrier->arrive_and_wait();
}
void __falx_sub_group_barrier() {
  self.sub_group->barrier.arrive_and_wait();
}
std::uint32_t __falx_sub_group_local_id() {
  return std::uint32_t(linear()) % sub_group_size;
}
std::uint32_t __falx_sub_group_size() {
  return self.sub_group->size;
}
std::uint32_t __falx_sub_group_max_size() {
  return sub_group_size;
}
std::uint32_t __falx_sub_group_id() {
  return std::uint32_t(linear()) / sub_group_size;
}
std::uint32_t __falx_sub_group_count() {
  return (std::uint32_t(self.launch->local.size()) + sub_group_size - 1) / sub_group_size;
}
bool __falx_sub_groups_in_order() {
  return false;
}
bool __falx_work_group_votes() {
  return false;
}
std::uint32_t __falx_sub_group_shuffle_u32(std::uint32_t value, std::uint32_t lane) {
  return std::uint32_t(__falx_sub_group_shuffle_u64(value, lane));
}
std::uint64_t __falx_sub_group_shuffle_u64(std::uint64_t value, std::uint32_t lane) {
  sub_group& all = *self.sub_group;
  all.values[__falx_sub_group_local_id()] = value;
  all.barrier.arrive_and_wait();
  const std::uint64_t result = lane < all.size ? all.values[lane] : 0;
  all.barrier.arrive_and_wait();
  return result;
}
std::uint64_t __falx_sub_group_ballot(bool predicate) {
  std::uint64_t result = 0;
  for (std::uint32_t lane = 0; lane < self.sub_group->size; ++lane)
    result |= __falx_sub_group_shuffle_u64(predicate ? 1 : 0, lane) << lane;
  return result;
}
void* __falx_local_memory() {
  return self.local_memory;
}
void* __falx_group_scratch(std::size_t) {
  return self.scratch;
}
}

namespace {

constexpr std::size_t MEMORY = 1 << 16;

struct freeing {
  void operator()(void* memory) const { std::free(memory); }
};
using memory_block = std::unique_ptr<void, freeing>;
memory_block block(std::size_t bytes) {
  bytes = (bytes + 255) / 128 * 128;
  memory_block memory(std::aligned_alloc(128, bytes));
  std::memset(memory.get(), 0xA5, bytes);
  return memory;
}

void run_reference(const kernel_entry& kernel, const geometry& launch, const kernel_arguments& arguments) {
  for (std::uint64_t group = 0; group < launch.groups.size(); ++group) {
    memory_block local = block(MEMORY), scratch = block(MEMORY);
    std::barrier<> barrier(std::ptrdiff_t(launch.local.size()));
    std::vector<std::unique_ptr<sub_group>> sub_groups;
    for (std::uint64_t rest = launch.local.size(); rest > 0;
         rest -= std::min<std::uint64_t>(rest, sub_group_size))
      sub_groups.push_back(
          std::make_unique<sub_group>(std::uint32_t(std::min<std::uint64_t>(rest, sub_group_size))));
    std::vector<std::thread> threads;
    for (std::uint64_t item = 0; item < launch.local.size(); ++item)
      threads.emplace_back([&, item] {
        const auto split = [](std::uint64_t index, const extent& range, std::uint64_t (&result)[3]) {
          result[0] = index % range.v[0];
          result[1] = index / range.v[0] % range.v[1];
          result[2] = index / range.v[0] / range.v[1];
        };
        self.launch = &launch;
        split(item, launch.local, self.local);
        split(group, launch.groups, self.group);
        self.barrier = &barrier;
        self.sub_group = sub_groups[item / sub_group_size].get();
        self.local_memory = local.get();
        self.scratch = scratch.get();
        kernel.function(arguments);
        barrier.arrive_and_drop();
        self.sub_group->barrier.arrive_and_drop();
      });
    for (std::thread& thread : threads)
      thread.join();
  }
}

void run_compiled(const falx::cpu::kernel_properties& properties, const geometry& launch,
                  const kernel_arguments& arguments) {
  falx::cpu::launch_arguments passed{};
  passed.function = &arguments;
  for (int axis = 0; axis < 3; ++axis) {
    passed.global_range[axis] = launch.global().v[axis];
    passed.global_offset[axis] = launch.offset.v[axis];
    passed.local_range[axis] = launch.local.v[axis];
    passed.group_range[axis] = launch.groups.v[axis];
  }
  const std::uint64_t items = launch.local.size();
  memory_block local = block(MEMORY), scratch = block(properties.scratch_bytes_per_work_item * items),
               context = block(properties.context_bytes_per_work_item * ((items + 63) / 64 * 64));
  falx::cpu::worker_memory worker{};
  worker.local_memory = local.get();
  worker.group_scratch = scratch.get();
  worker.work_item_context = context.get();
  // Two boxes, as two threads would run it.
  std::uint64_t begin[3] = {0, 0, 0}, middle[3], end[3];
  std::memcpy(middle, launch.groups.v, sizeof(middle));
  std::memcpy(end, launch.groups.v, sizeof(end));
  middle[0] = end[0] / 2;
  properties.function(&passed, begin, middle, &worker);
  begin[0] = middle[0];
  properties.function(&passed, begin, end, &worker);
}

struct loaded {
  void* library = nullptr;
  const falx::cpu::kernel_properties* properties = nullptr;
};
loaded load(const std::vector<unsigned char>& binary) {
  const int file = memfd_create("kernel", 0);
  loaded result;
  if (write(file, binary.data(), binary.size()) == ssize_t(binary.size()))
    result.library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  if (result.library == nullptr) {
    std::printf("%s\n", dlerror());
    return result;
  }
  result.properties = static_cast<const falx::cpu::kernel_properties*>(
      dlsym(result.library, falx::cpu::KERNEL_PROPERTIES_SYMBOL));
  return result;
}

/// Compiles for one configuration; prints and gives nothing on failure.
loaded compile(const falx::jit::interface& jit, const std::vector<char>& bitcode, const kernel_entry& kernel,
               const geometry& launch, unsigned level, bool fixed) {
  falx::jit::request request;
  request.images.push_back({{reinterpret_cast<const unsigned char*>(bitcode.data()), bitcode.size()}, {}});
  static const std::vector<falx::jit::found_library> libraries = falx::jit::find_cpu_libraries();
  for (const falx::jit::found_library& found : libraries)
    request.libraries.push_back({found.name, found.path, {}});
  request.kernel = kernel.name;
  request.kind = std::uint32_t(falx::kernel_kind::nd_range);
  request.dimensions = launch.dimensions;
  request.target = "cpu";
  request.config.optimization_level = level;
  request.config.sub_group_size = sub_group_size;
  request.config.sub_group_size_is_required = sub_group_size > 1;
  if (fixed)
    for (int axis = 0; axis < 3; ++axis)
      request.config.local_range[axis] = std::uint32_t(launch.local.v[axis]);
  falx::jit::response response;
  jit.compile(request, {.verify = true}, response);
  if (!response.ok) {
    std::printf("FAILED %s: %s\n", kernel.name, response.diagnostic.c_str());
    return {};
  }
  return load(response.binary);
}

struct buffers {
  std::vector<int> in, out;
  explicit buffers(std::uint64_t total) : in(total), out(total, -77) {
    unsigned state = 12345;
    for (int& value : in)
      value = int((state = state * 1664525u + 1013904223u) >> 20);
  }
  kernel_arguments arguments() { return {in.data(), out.data(), 4, long(in.size())}; }
};

bool compare(const kernel_entry& kernel, const geometry& launch, unsigned level,
             const std::vector<int>& expected, const falx::cpu::kernel_properties& properties) {
  buffers memory(launch.global().size());
  run_compiled(properties, launch, memory.arguments());
  for (std::size_t index = 0; index < expected.size(); ++index)
    if (memory.out[index] != expected[index]) {
      std::printf("FAILED %s: local %lu,%lu,%lu, level %u: work-item %zu has %d, expected %d\n", kernel.name,
                  launch.local.v[0], launch.local.v[1], launch.local.v[2], level, index, memory.out[index],
                  expected[index]);
      return false;
    }
  return true;
}

const geometry GEOMETRIES[] = {
    {1, {{8, 1, 1}}, {{3, 1, 1}}, {{0, 0, 0}}},  {1, {{1, 1, 1}}, {{4, 1, 1}}, {{0, 0, 0}}},
    {1, {{19, 1, 1}}, {{2, 1, 1}}, {{5, 0, 0}}}, {2, {{4, 3, 1}}, {{2, 2, 1}}, {{0, 0, 0}}},
    {3, {{3, 2, 2}}, {{2, 1, 2}}, {{1, 2, 3}}},
};

} // namespace

int main(int argc, char** argv) {
  if (argc < 3)
    return 2;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  using interface_function = const falx::jit::interface* (*)();
  const falx::jit::interface& jit =
      *reinterpret_cast<interface_function>(dlsym(library, "falx_jit_interface"))();
  std::ifstream file(argv[2], std::ios::binary);
  const std::vector<char> bitcode((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());

  if (argc > 3)
    sub_group_size = unsigned(std::atoi(argv[3]));
  unsigned passed = 0, failed = 0;
  for (unsigned index = 0; index < BARRIER_KERNEL_COUNT; ++index) {
    const kernel_entry& kernel = BARRIER_KERNELS[index];
    if (argc > 4 && std::string(kernel.name) != argv[4])
      continue;
    for (unsigned shape = 0; shape < std::size(GEOMETRIES); ++shape) {
      const geometry& launch = GEOMETRIES[shape];
      buffers reference(launch.global().size());
      run_reference(kernel, launch, reference.arguments());
      const unsigned level = shape % 4 == 3 ? 0 : shape % 4;
      const loaded code = compile(jit, bitcode, kernel, launch, shape == 0 ? 2 : level, shape == 2);
      if (code.properties != nullptr && compare(kernel, launch, level, reference.out, *code.properties))
        ++passed;
      else
        ++failed;
      if (code.library != nullptr)
        dlclose(code.library);
    }
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
