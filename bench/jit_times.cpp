// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "jit/jit.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cxxabi.h>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <string>

/// \file
/// What the JIT takes for the kernels of a program, as vectors and as scalar code. Under the name of
/// libfalx-jit.so beside the libfalx.so of the program (bench/jit does so), it stands in the place of the
/// JIT, FALX_JIT_TIMES_OF, which compiles what the program launches, exactly as the launch has it, several
/// times scalar and as vectors. Appends lines to the file FALX_JIT_TIMES: milliseconds of the processor
/// scalar and as vectors (each the least of FALX_JIT_TIMES_ROUNDS), the lanes that were requested, bytes of
/// code of both, kernel; separated by tabs. FALX_JIT_TIMES_KERNEL: only kernels whose name holds it.
/// FALX_JIT_TIMES_WIDTH=1 or 16: only so, for a profiler.

namespace {

using namespace falx;

/// The JIT that is measured.
const jit::interface& measured_jit() {
  static const jit::interface* const measured = [] {
    const char* path = std::getenv("FALX_JIT_TIMES_OF");
    void* library = ::dlopen(path != nullptr ? path : "", RTLD_NOW | RTLD_LOCAL);
    using entry_point = const jit::interface* (*)();
    const auto entry =
        library == nullptr ? nullptr : reinterpret_cast<entry_point>(::dlsym(library, "falx_jit_interface"));
    if (entry == nullptr) {
      std::fputs("jit_times: FALX_JIT_TIMES_OF names no JIT\n", stderr);
      std::exit(2);
    }
    return entry();
  }();
  return *measured;
}

/// What others do on a shared machine does not count.
double processor_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

std::string demangled(std::string name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? std::string(text.get()) : name;
}

struct measurement {
  double milliseconds = 0;
  std::size_t bytes = 0;
};

void measure(const jit::request& request, measurement& least) {
  const double before = processor_milliseconds();
  jit::response response;
  measured_jit().compile(request, {}, response);
  const double taken = processor_milliseconds() - before;
  if (least.bytes == 0 || taken < least.milliseconds)
    least = {taken, response.binary.size()};
}

void compare(const jit::request& request, std::FILE& output) {
  const char* rounds_wanted = std::getenv("FALX_JIT_TIMES_ROUNDS");
  const int rounds = rounds_wanted == nullptr ? 3 : std::max(1, std::atoi(rounds_wanted));
  const char* width_wanted = std::getenv("FALX_JIT_TIMES_WIDTH");
  const int width = width_wanted == nullptr ? 0 : std::atoi(width_wanted);
  jit::request one_by_one = request;
  one_by_one.config.sub_group_size = 1;
  one_by_one.config.sub_group_size_is_required = false;
  measurement scalar, vectors;
  for (int round = 0; round < rounds; ++round) {
    if (width <= 1)
      measure(one_by_one, scalar);
    if (width != 1)
      measure(request, vectors);
  }
  std::fprintf(&output, "%.2f\t%.2f\t%u\t%zu\t%zu\t%s\n", scalar.milliseconds, vectors.milliseconds,
               request.config.sub_group_size, scalar.bytes, vectors.bytes,
               demangled(std::string(request.kernel)).c_str());
  std::fflush(&output);
}

void compile(const jit::request& request, const jit::diagnostic_options& options, jit::response& response) {
  static std::mutex mutex;
  static std::FILE* const output = [] {
    const char* path = std::getenv("FALX_JIT_TIMES");
    return path == nullptr ? nullptr : std::fopen(path, "a");
  }();
  const std::lock_guard lock(mutex);
  // The first compilation of a process also initialises LLVM; it is not among those that count.
  measured_jit().compile(request, options, response);
  const char* wanted = std::getenv("FALX_JIT_TIMES_KERNEL");
  const bool has_items = request.kind == std::uint32_t(kernel_kind::range) ||
                         request.kind == std::uint32_t(kernel_kind::nd_range);
  if (output != nullptr && response.ok && request.target == "cpu" && has_items &&
      request.config.sub_group_size > 1 &&
      (wanted == nullptr || demangled(std::string(request.kernel)).find(wanted) != std::string::npos))
    compare(request, *output);
}

void find_part(const jit::request& request, jit::image_part& part) {
  measured_jit().find_part(request, part);
}

} // namespace

const falx::jit::interface* falx::jit::falx_jit_interface() {
  return &INTERFACE_TO<compile, find_part>;
}
