// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "generated_kernels.hpp"
#include "jit.hpp"
#include "native_groups.hpp"
#include "targets/cpu_abi.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

/// \file
/// run_generated_kernels <libfalx-jit.so> <kernels.bc> <number of the first> <from> [width]: runs the kernels
/// of generate_kernels.py that it is linked with natively, and as the JIT compiles them from bitcode,
/// beginning with number <from>; all memory must be equal. What varies goes by the kernel's number: sub-group
/// size, geometry, optimisation level, processor, and whether the JIT knows the local range.

namespace {

using falx::kernel_kind;

struct geometry {
  unsigned dimensions;
  std::uint64_t local[3], groups[3], offset[3];
  std::uint64_t group_size() const { return local[0] * local[1] * local[2]; }
  std::uint64_t total() const { return group_size() * groups[0] * groups[1] * groups[2]; }
};
const geometry OF_GROUPS[] = {
    {1, {16, 1, 1}, {2, 1, 1}, {0, 0, 0}}, {1, {19, 1, 1}, {2, 1, 1}, {5, 0, 0}},
    {2, {5, 4, 1}, {1, 2, 1}, {0, 0, 0}},  {2, {16, 2, 1}, {2, 1, 1}, {0, 3, 0}},
    {3, {3, 2, 3}, {2, 1, 1}, {1, 2, 3}},  {1, {38, 1, 1}, {1, 1, 1}, {0, 0, 0}},
    {3, {8, 1, 3}, {1, 2, 1}, {0, 0, 0}},  {1, {1, 1, 1}, {7, 1, 1}, {0, 0, 0}},
};
const geometry OF_RANGES[] = {
    {1, {1, 1, 1}, {45, 1, 1}, {0, 0, 0}}, {2, {1, 1, 1}, {7, 5, 1}, {3, 0, 0}},
    {2, {1, 1, 1}, {33, 2, 1}, {0, 4, 0}}, {3, {1, 1, 1}, {5, 3, 3}, {1, 1, 1}},
    {1, {1, 1, 1}, {2, 1, 1}, {0, 0, 0}},
};
constexpr unsigned WIDTHS[] = {4, 16, 8, 2, 32, 16, 64};
/// Empty: this machine's. Those with fewer instructions run on it, too.
constexpr const char* PROCESSORS[] = {"", "haswell", "", "nehalem", ""};
constexpr std::size_t LOCAL_BYTES = 4096;

/// What is to be run how.
struct plan {
  const generated_kernel& kernel;
  unsigned number;
  const geometry& launch;
  unsigned width;
  const char* processor;
};

std::string current; // for the handler of signals
void say_and_exit(int signal, siginfo_t* info, void*) {
  char text[400];
  if (signal == SIGPROF)
    std::snprintf(text, sizeof text, "FAILED %s: does not end\n", current.c_str());
  else
    std::snprintf(text, sizeof text, "FAILED %s: signal %d at %p\n", current.c_str(), signal, info->si_addr);
  (void)!write(STDOUT_FILENO, text, std::strlen(text));
  _exit(1);
}

/// Of the processor, in seconds: SIGPROF comes after it. 0: none.
void limit_time(int seconds) {
  const itimerval limit = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

struct memory {
  std::vector<int> in;
  std::vector<record> records, out_records;
  std::vector<double> doubles;
  std::vector<unsigned char> bytes;
  std::vector<int> out;
  std::vector<unsigned> sums;
  char* local;

  explicit memory(std::size_t total)
      : in(total), records(total), out_records(total), doubles(total), bytes(total), out(total, -77),
        sums(BANK * BANKS, 3), local(static_cast<char*>(std::aligned_alloc(128, LOCAL_BYTES))) {
    unsigned state = 12345;
    const auto next = [&] { return int((state = state * 1664525u + 1013904223u) >> 20) - 1000; };
    std::memset(out_records.data(), 0x33, total * sizeof(record));
    std::memset(local, 0xA5, LOCAL_BYTES);
    for (std::size_t i = 0; i < total; ++i) {
      in[i] = next();
      records[i] = {float(next()) * 0.25f, short(next()), static_cast<signed char>(next()),
                    static_cast<signed char>(next()), next()};
      doubles[i] = next() * 0.125;
      bytes[i] = static_cast<unsigned char>(next());
    }
  }
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;
  ~memory() { std::free(local); }
  kernel_arguments arguments() {
    return {in.data(),      records.data(),     doubles.data(), bytes.data(),
            out.data(),     out_records.data(), sums.data(),    4,
            long(in.size())};
  }
  bool equals(const memory& other) const {
    return out == other.out && sums == other.sums && std::memcmp(local, other.local, LOCAL_BYTES) == 0 &&
           std::memcmp(out_records.data(), other.out_records.data(), out_records.size() * sizeof(record)) ==
               0;
  }
};

void run_reference(const plan& run, memory& data) {
  const geometry& g = run.launch;
  const native_launch launch = {kernel_kind(run.kernel.kind),
                                g.dimensions,
                                {g.local[0], g.local[1], g.local[2]},
                                {g.groups[0], g.groups[1], g.groups[2]},
                                {g.offset[0], g.offset[1], g.offset[2]},
                                run.width};
  const kernel_arguments arguments = data.arguments();
  run_natively(launch, [&] { run.kernel.function(arguments); }, data.local);
}

void run_compiled(const falx::cpu::kernel_properties& properties, const plan& run, memory& data) {
  const geometry& launch = run.launch;
  const kernel_arguments function = data.arguments();
  falx::cpu::launch_arguments arguments{};
  arguments.function = &function;
  for (int axis = 0; axis < 3; ++axis) {
    arguments.global_range[axis] = launch.local[axis] * launch.groups[axis];
    arguments.global_offset[axis] = launch.offset[axis];
    arguments.local_range[axis] = launch.local[axis];
    arguments.group_range[axis] = launch.groups[axis];
  }
  const auto allocate = [](std::uint64_t bytes) {
    return std::aligned_alloc(128, (bytes + 511) / 128 * 128);
  };
  falx::cpu::worker_memory memory{};
  memory.local_memory = data.local;
  memory.group_scratch = allocate(properties.scratch_bytes_per_work_item * launch.group_size());
  memory.work_item_context =
      allocate(properties.context_bytes_per_work_item * ((launch.group_size() + 63) / 64 * 64));
  // In two boxes, as threads would share them. Those of basic ranges begin at multiples of 128 in x
  // (cpu_abi.hpp).
  const unsigned axis = launch.dimensions - 1;
  const std::uint64_t grain = axis == 0 && kernel_kind(run.kernel.kind) == kernel_kind::range ? 128 : 1;
  std::uint64_t begin[3] = {0, 0, 0}, end[3] = {launch.groups[0], launch.groups[1], launch.groups[2]};
  end[axis] = std::min((launch.groups[axis] + 2 * grain - 1) / (2 * grain) * grain, launch.groups[axis]);
  properties.function(&arguments, begin, end, &memory);
  begin[axis] = end[axis];
  end[axis] = launch.groups[axis];
  if (begin[axis] < end[axis])
    properties.function(&arguments, begin, end, &memory);
  std::free(memory.group_scratch);
  std::free(memory.work_item_context);
}

falx::jit::response compile(const falx::jit::interface& jit, const std::vector<char>& bitcode,
                            const plan& run) {
  falx::jit::request request;
  request.images = {{reinterpret_cast<const unsigned char*>(bitcode.data()), bitcode.size()}};
  request.kernel = run.kernel.name;
  request.kind = run.kernel.kind;
  request.dimensions = run.launch.dimensions;
  request.target = "cpu";
  request.cpu = run.processor;
  request.config.optimization_level = run.number % 3;
  request.config.sub_group_size = run.width;
  request.config.sub_group_size_is_required = true;
  if (run.number % 2 != 0 && kernel_kind(run.kernel.kind) == kernel_kind::nd_range)
    for (int axis = 0; axis < 3; ++axis)
      request.config.local_range[axis] = std::uint32_t(run.launch.local[axis]);
  falx::jit::response response;
  jit.compile(request, response);
  return response;
}

/// Why the kernel is wrong; empty if it is not.
std::string check(const falx::jit::interface& jit, const std::vector<char>& bitcode, const plan& run) {
  const falx::jit::response compiled = compile(jit, bitcode, run);
  if (!compiled.ok)
    return compiled.diagnostic;
  const int file = memfd_create("kernel", 0);
  if (write(file, compiled.binary.data(), compiled.binary.size()) != ssize_t(compiled.binary.size()))
    return "no memory for its code";
  void* library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  if (library == nullptr)
    return dlerror();
  memory expected(run.launch.total()), got(run.launch.total());
  run_reference(run, expected);
  run_compiled(
      *static_cast<const falx::cpu::kernel_properties*>(dlsym(library, falx::cpu::KERNEL_PROPERTIES_SYMBOL)),
      run, got);
  dlclose(library);
  return got.equals(expected) ? "" : "other results than natively";
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 5)
    return 2;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  using interface_function = const falx::jit::interface* (*)();
  const falx::jit::interface& jit =
      *reinterpret_cast<interface_function>(dlsym(library, "falx_jit_interface"))();
  std::ifstream file(argv[2], std::ios::binary);
  const std::vector<char> bitcode((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const unsigned first = unsigned(std::atoi(argv[3]));
  const unsigned from = unsigned(std::atoi(argv[4])), width = argc > 5 ? unsigned(std::atoi(argv[5])) : 0;
  struct sigaction action{};
  action.sa_sigaction = say_and_exit;
  action.sa_flags = SA_SIGINFO;
  for (int signal : {SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGABRT, SIGPROF})
    sigaction(signal, &action, nullptr);

  unsigned passed = 0, failed = 0;
  for (unsigned index = 0; index < GENERATED_KERNEL_COUNT; ++index) {
    const unsigned number = first + index;
    if (number < from)
      continue;
    const generated_kernel& kernel = GENERATED_KERNELS[index];
    const bool is_range = kernel_kind(kernel.kind) == kernel_kind::range;
    const geometry& launch =
        is_range ? OF_RANGES[number % std::size(OF_RANGES)] : OF_GROUPS[number % std::size(OF_GROUPS)];
    const plan run = {kernel, number, launch, width > 0 ? width : WIDTHS[number % std::size(WIDTHS)],
                      PROCESSORS[number / 3 % std::size(PROCESSORS)]};
    current = "kernel " + std::to_string(number) + ", width " + std::to_string(run.width) + ", level " +
              std::to_string(number % 3) + (*run.processor != '\0' ? ", " : "") + run.processor;
    limit_time(60);
    const std::string wrong = check(jit, bitcode, run);
    limit_time(0);
    if (!wrong.empty())
      std::printf("FAILED %s: %s\n", current.c_str(), wrong.c_str());
    ++(wrong.empty() ? passed : failed);
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
