// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "generated_kernels.hpp"
#include "jit.hpp"
#include "native_groups.hpp"
#include "request/shared_libraries.hpp"
#include "targets/cpu/cpu_abi.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <pthread.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

/// \file
/// run_generated_kernels <libfalx-jit.so> <kernels.bc> <number of the first> <from> [width [processor]]: runs
/// the kernels of generate_kernels.py that it is linked with natively, and as the JIT compiles them from
/// bitcode, beginning with number <from>; all memory must be equal. What varies goes by the kernel's number:
/// geometry, optimisation level, processor, whether indices are narrow, and whether the JIT knows the local
/// range; if it does not, the code is tried with all of as many dimensions. A <width> of 0 is the kernel's.

namespace {

using falx::kernel_kind;

struct geometry {
  unsigned dimensions;
  std::uint64_t local[3], groups[3], offset[3];
  std::uint64_t group_size() const { return local[0] * local[1] * local[2]; }
  std::uint64_t total() const { return group_size() * groups[0] * groups[1] * groups[2]; }
};
/// Those of as many dimensions stand together.
const geometry OF_GROUPS[] = {
    {1, {16, 1, 1}, {2, 1, 1}, {0, 0, 0}}, {1, {19, 1, 1}, {2, 1, 1}, {5, 0, 0}},
    {1, {38, 1, 1}, {1, 1, 1}, {0, 0, 0}}, {1, {1, 1, 1}, {7, 1, 1}, {0, 0, 0}},
    {2, {5, 4, 1}, {1, 2, 1}, {0, 0, 0}},  {2, {16, 2, 1}, {2, 1, 1}, {0, 3, 0}},
    {2, {8, 4, 1}, {2, 1, 1}, {0, 0, 0}},  {2, {4, 4, 1}, {1, 2, 1}, {1, 0, 0}},
    {3, {3, 2, 3}, {2, 1, 1}, {1, 2, 3}},  {3, {8, 1, 3}, {1, 2, 1}, {0, 0, 0}},
};
const geometry OF_RANGES[] = {
    {1, {1, 1, 1}, {45, 1, 1}, {0, 0, 0}}, {1, {1, 1, 1}, {2, 1, 1}, {0, 0, 0}},
    {2, {1, 1, 1}, {7, 5, 1}, {3, 0, 0}},  {2, {1, 1, 1}, {33, 2, 1}, {0, 4, 0}},
    {3, {1, 1, 1}, {5, 3, 3}, {1, 1, 1}},
};
constexpr unsigned LEVELS[] = {2, 0, 1, 0, 2};

/// Whether it is the turn of quick code, at some kernels of each level and width.
constexpr bool is_quick(unsigned number) {
  return number % 3 == 1;
}
/// Empty: this machine's. Those with fewer instructions run on it, too; skylake gathers with AVX2, which LLVM
/// finds too slow on haswell.
constexpr const char* PROCESSORS[] = {"", "haswell", "", "nehalem", "", "skylake", "skylake-avx512"};
constexpr std::size_t LOCAL_BYTES = 4096;

/// What is to be run how.
struct plan {
  const generated_kernel& kernel;
  unsigned number;
  std::span<const geometry> launches;
  bool knows_local_range;
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

/// Elements behind which there is no memory, so that who goes too far is caught there.
template <class T>
class guarded {
public:
  explicit guarded(std::size_t size, T value = T{})
      : size_(size), bytes_((size * sizeof(T) + PAGE - 1) / PAGE * PAGE + PAGE),
        base_(static_cast<char*>(
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(base_ + bytes_ - PAGE, PAGE, PROT_NONE);
    std::fill(data(), data() + size, value);
  }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  ~guarded() { munmap(base_, bytes_); }
  T* data() const { return reinterpret_cast<T*>(base_ + bytes_ - PAGE) - size_; }
  T& operator[](std::size_t i) const { return data()[i]; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  bool equals(const guarded& other) const { return std::memcmp(data(), other.data(), bytes()) == 0; }

private:
  static constexpr std::size_t PAGE = 4096;
  std::size_t size_, bytes_;
  char* base_;
};

captured_state initial_state() {
  return {9, -3, 1ul << 40, 0.75, {1, 2, 3, 4, 5}, 1.5f, {3, 1, 4, 1, 5}, {{1, 2, 3}, {4, 5, 6}}};
}

struct memory {
  guarded<int> in;
  guarded<record> records, out_records;
  guarded<double> doubles;
  guarded<unsigned char> bytes;
  guarded<int> out;
  guarded<unsigned> sums;
  guarded<int> exchanged;
  guarded<unsigned> of_groups;
  guarded<char> local;
  long total;

  explicit memory(std::size_t total)
      : in(total), records(total), out_records(total), doubles(total), bytes(total), out(total, -77),
        sums(BANK * BANKS, 3), exchanged(total * 8, 11), of_groups(total * 4, 5),
        local(LOCAL_BYTES, char(0xA5)), total(long(total)) {
    unsigned state = 12345;
    const auto next = [&] { return int((state = state * 1664525u + 1013904223u) >> 20) - 1000; };
    std::memset(out_records.data(), 0x33, out_records.bytes());
    for (std::size_t i = 0; i < total; ++i) {
      in[i] = next();
      records[i] = {float(next()) * 0.25f, short(next()), static_cast<signed char>(next()),
                    static_cast<signed char>(next()), next()};
      doubles[i] = next() * 0.125;
      bytes[i] = static_cast<unsigned char>(next());
    }
  }
  kernel_arguments arguments(bool is_exact) const {
    const captured_state state = initial_state();
    return {in.data(),
            records.data(),
            doubles.data(),
            bytes.data(),
            state,
            out.data(),
            out_records.data(),
            sums.data(),
            exchanged.data(),
            of_groups.data(),
            4,
            total,
            state,
            0.0f,
            is_exact};
  }
  bool equals(const memory& other) const {
    return out.equals(other.out) && sums.equals(other.sums) && exchanged.equals(other.exchanged) &&
           of_groups.equals(other.of_groups) && local.equals(other.local) &&
           out_records.equals(other.out_records);
  }
};

/// Functions of floats are then the JIT's own, else SLEEF's and the C library's.
bool has_fma([[maybe_unused]] const std::string& processor) {
#if defined(__x86_64__)
  static constexpr std::string_view without[] = {"x86-64",   "x86-64-v2",   "core2",    "nehalem",
                                                 "westmere", "sandybridge", "ivybridge"};
  return std::ranges::find(without, processor) == std::end(without) && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

void run_reference(const plan& run, const geometry& g, memory& data) {
  const native_launch launch = {kernel_kind(run.kernel.kind),
                                g.dimensions,
                                {g.local[0], g.local[1], g.local[2]},
                                {g.groups[0], g.groups[1], g.groups[2]},
                                {g.offset[0], g.offset[1], g.offset[2]},
                                run.width};
  const kernel_arguments arguments = data.arguments(has_fma(run.processor));
  const auto work_item = [&] {
    const kernel_arguments own = arguments;
    run.kernel.function(own);
  };
  run_natively(launch, work_item, data.local.data());
}

/// Runs a function on a stack as large as the kernel says that it needs, so that one that says too little is
/// caught: below it is as much that cannot be accessed.
template <class Function>
void run_with_stack(const falx::cpu::kernel_properties& properties, Function function) {
  constexpr std::size_t OF_CALLEES = 64 << 10, OF_RECURSION = 8 << 20;
  struct errand {
    Function& function;
    char signal_stack[64 << 10];
  };
  const auto mine = std::make_unique<errand>(errand{function, {}});
  const auto run = [](void* argument) -> void* {
    auto& self = *static_cast<errand*>(argument);
    stack_t stack{};
    stack.ss_sp = self.signal_stack;
    stack.ss_size = sizeof(self.signal_stack);
    sigaltstack(&stack, nullptr);
    self.function();
    return nullptr;
  };
  const std::size_t bytes =
      properties.stack_bytes + OF_CALLEES + (properties.has_unbounded_stack != 0 ? OF_RECURSION : 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setguardsize(&attributes, bytes); // on top of the stack's size
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread{};
  if (pthread_create(&thread, &attributes, run, mine.get()) != 0) {
    std::perror("pthread_create");
    std::exit(1);
  }
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

void run_compiled(const falx::cpu::kernel_properties& properties, const plan& run, const geometry& launch,
                  memory& data) {
  const kernel_arguments function = data.arguments(has_fma(run.processor));
  falx::cpu::launch_arguments arguments{};
  arguments.function = &function;
  for (int axis = 0; axis < 3; ++axis) {
    arguments.global_range[axis] = launch.local[axis] * launch.groups[axis];
    arguments.global_offset[axis] = launch.offset[axis];
    arguments.local_range[axis] = launch.local[axis];
    arguments.group_range[axis] = launch.groups[axis];
  }
  const auto rounded = [](std::uint64_t bytes) { return (bytes + 127) / 128 * 128; };
  const guarded<char> scratch(rounded(properties.scratch_bytes_per_work_item * launch.group_size()));
  const guarded<char> context(
      rounded(properties.context_bytes_per_work_item * ((launch.group_size() + 63) / 64 * 64)));
  falx::cpu::worker_memory memory{};
  memory.local_memory = data.local.data();
  memory.group_scratch = scratch.data();
  memory.work_item_context = context.data();
  // In two boxes, as threads would share them. Those of basic ranges begin at multiples of 128 in x
  // (cpu_abi.hpp).
  const unsigned axis = launch.dimensions - 1;
  const std::uint64_t grain = axis == 0 && kernel_kind(run.kernel.kind) == kernel_kind::range ? 128 : 1;
  std::uint64_t begin[3] = {0, 0, 0}, end[3] = {launch.groups[0], launch.groups[1], launch.groups[2]};
  end[axis] = std::min((launch.groups[axis] + 2 * grain - 1) / (2 * grain) * grain, launch.groups[axis]);
  run_with_stack(properties, [&] {
    properties.function(&arguments, begin, end, &memory);
    begin[axis] = end[axis];
    end[axis] = launch.groups[axis];
    if (begin[axis] < end[axis])
      properties.function(&arguments, begin, end, &memory);
  });
}

falx::jit::response compile(const falx::jit::interface& jit, const std::vector<char>& bitcode,
                            const plan& run) {
  falx::jit::request request;
  request.images.push_back({{reinterpret_cast<const unsigned char*>(bitcode.data()), bitcode.size()}, {}});
  static const std::vector<falx::jit::found_library> libraries = falx::jit::find_cpu_libraries();
  for (const falx::jit::found_library& found : libraries)
    request.libraries.push_back({found.name, found.path, {}});
  request.kernel = run.kernel.name;
  request.kind = run.kernel.kind;
  request.dimensions = run.launches[0].dimensions;
  request.target = "cpu";
  request.cpu = run.processor;
  request.config.optimization_level = LEVELS[run.number % std::size(LEVELS)];
  request.tier = is_quick(run.number) ? falx::jit::tier::quick : falx::jit::tier::best;
  request.config.sub_group_size = run.width;
  request.config.sub_group_size_is_required = true;
  request.config.vectors_must_pay = run.number % 3 == 1; // of kernels that do not know sub-groups
  request.takes_other_form = run.number % 6 == 4;
  request.config.narrow_indices = run.number % 4 != 0;
  request.config.no_offset =
      std::all_of(run.launches.begin(), run.launches.end(), [](const geometry& launch) {
        return launch.offset[0] == 0 && launch.offset[1] == 0 && launch.offset[2] == 0;
      });
  if (run.knows_local_range)
    for (int axis = 0; axis < 3; ++axis)
      request.config.local_range[axis] = std::uint32_t(run.launches[0].local[axis]);
  if (run.number % 5 < 3) // that they lead to different memory is left unsaid of the others
    request.disjoint = {offsetof(kernel_arguments, in),       offsetof(kernel_arguments, records),
                        offsetof(kernel_arguments, doubles),  offsetof(kernel_arguments, bytes),
                        offsetof(kernel_arguments, out),      offsetof(kernel_arguments, out_records),
                        offsetof(kernel_arguments, sums),     offsetof(kernel_arguments, exchanged),
                        offsetof(kernel_arguments, of_groups)};
  falx::jit::response response;
  jit.compile(request, {.verify = true}, response);
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
  const auto& properties =
      *static_cast<const falx::cpu::kernel_properties*>(dlsym(library, falx::cpu::KERNEL_PROPERTIES_SYMBOL));
  std::string wrong;
  for (const geometry& launch : run.launches) {
    memory expected(launch.total()), got(launch.total());
    run_reference(run, launch, expected);
    run_compiled(properties, run, launch, got);
    if (!got.equals(expected)) {
      wrong = "other results than natively, local range " + std::to_string(launch.local[0]) + " " +
              std::to_string(launch.local[1]) + " " + std::to_string(launch.local[2]);
      break;
    }
  }
  dlclose(library);
  return wrong;
}

/// All of as many dimensions as the kernel's.
std::span<const geometry> choose_launches(std::span<const geometry> all, unsigned number) {
  const auto [begin, end] = std::equal_range(
      all.begin(), all.end(), all[number % all.size()],
      [](const geometry& left, const geometry& right) { return left.dimensions < right.dimensions; });
  return {begin, end};
}

/// Whether this machine has the instructions.
bool runs_here(const std::string& processor) {
  if (processor == "haswell")
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  if (processor == "skylake-avx512")
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw");
  return true;
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
  const char* processor = argc > 6 ? argv[6] : nullptr;
  struct sigaction action{};
  action.sa_sigaction = say_and_exit;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGABRT, SIGPROF})
    sigaction(signal, &action, nullptr);

  unsigned passed = 0, failed = 0;
  for (unsigned index = 0; index < GENERATED_KERNEL_COUNT; ++index) {
    const unsigned number = first + index;
    if (number < from)
      continue;
    const generated_kernel& kernel = GENERATED_KERNELS[index];
    const bool is_range = kernel_kind(kernel.kind) == kernel_kind::range;
    const std::span<const geometry> all =
        is_range ? std::span<const geometry>(OF_RANGES) : std::span<const geometry>(OF_GROUPS);
    plan run = {kernel,
                number,
                choose_launches(all, number),
                !is_range && number / all.size() % 2 != 0,
                width > 0 ? width : kernel.sub_group_size,
                processor != nullptr ? processor : PROCESSORS[number / 3 % std::size(PROCESSORS)]};
    if (run.knows_local_range)
      run.launches = all.subspan(number % all.size(), 1);
    if (!runs_here(run.processor))
      run.processor = "";
    current = "kernel " + std::to_string(number) + ", width " + std::to_string(run.width) + ", level " +
              std::to_string(LEVELS[number % std::size(LEVELS)]) + (is_quick(number) ? " (quick)" : "") +
              (*run.processor != '\0' ? ", " : "") + run.processor;
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
