// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "jit.hpp"
#include "request/shared_libraries.hpp"
#include "targets/cpu/cpu_abi.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#ifndef FALX_CALLS
#define FALX_CALLS "library_calls.hpp"
#endif
#include FALX_CALLS

/// \file
/// run_library_calls <libfalx-jit.so> <kernels.bc> <level> <width> [kernel]: runs every kernel of
/// library_calls.cpp, or of what FALX_CALLS names, compiled by the JIT, as vectors of <width> work-items, and
/// natively, and compares what they return. With "ptx" for the width: only compiles them, and fails if
/// anything stays undefined.

namespace {

using namespace falx;

std::size_t native_index;

constexpr std::size_t WORK_ITEMS = 37;

struct test_case {
  const char* name;
  double tolerance;
  void (*native)(const library_call_arguments&);
};

bool agree(double got, double expected, double tolerance) {
  if (std::isnan(expected) || std::isinf(expected))
    return std::isnan(expected) ? std::isnan(got) : got == expected;
  return std::fabs(got - expected) <= tolerance * std::fmax(std::fabs(expected), 1.0);
}

const cpu::kernel_properties* load(const std::vector<unsigned char>& binary) {
  const int file = memfd_create("kernel", 0);
  if (file < 0 || write(file, binary.data(), binary.size()) != ssize_t(binary.size()))
    return nullptr;
  // The file stays open: the next one must get another name.
  void* library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return nullptr;
  }
  return static_cast<const cpu::kernel_properties*>(dlsym(library, cpu::KERNEL_PROPERTIES_SYMBOL));
}

bool run(const test_case& test, const jit::interface& jit, const std::vector<char>& bitcode, unsigned level,
         const std::string& width) {
  jit::request request;
  request.images.push_back({{reinterpret_cast<const unsigned char*>(bitcode.data()), bitcode.size()}, {}});
  static const std::vector<jit::found_library> libraries = jit::find_cpu_libraries();
  for (const jit::found_library& found : libraries)
    request.libraries.push_back({found.name, found.path, {}});
  request.kernel = test.name;
  request.kind = std::uint32_t(kernel_kind::range);
  request.target = width == "ptx" ? "ptx" : "cpu";
  request.config.optimization_level = level;
  if (width != "ptx")
    request.config.sub_group_size = std::uint32_t(std::stoul(width));
  jit::response response;
  jit.compile(request, {.verify = true}, response);
  if (!response.ok) {
    std::printf("%s\n", response.diagnostic.c_str());
    return false;
  }
  if (width == "ptx") {
    const std::string text(response.binary.begin(), response.binary.end());
    // The driver has __assertfail, for library functions that throw.
    // The driver has __assertfail, which library functions that throw end with.
    constexpr std::string_view MISSING = ".extern .func";
    bool is_complete = true;
    for (std::size_t at = text.find(MISSING); at != std::string::npos; at = text.find(MISSING, at + 1))
      is_complete = is_complete && text.compare(at + MISSING.size(), 14, " __assertfail\n") == 0;
    if (!is_complete)
      std::printf("%s calls what is not there\n", test.name);
    return is_complete;
  }
  const cpu::kernel_properties* properties = load(response.binary);
  if (properties == nullptr)
    return false;

  std::vector<double> in, got(WORK_ITEMS), expected(WORK_ITEMS);
  for (std::size_t i = 0; i < WORK_ITEMS; ++i)
    in.push_back(0.3 + 0.26 * double(i));
  const library_call_arguments compiled = {in.data(), got.data()}, native = {in.data(), expected.data()};
  const cpu::launch_arguments launch{&compiled, {WORK_ITEMS, 1, 1}, {}, {1, 1, 1}, {WORK_ITEMS, 1, 1}};
  const std::uint64_t begin[3] = {}, end[3] = {WORK_ITEMS, 1, 1};
  cpu::worker_memory memory{};
  properties->function(&launch, begin, end, &memory);
  for (native_index = 0; native_index < WORK_ITEMS; ++native_index)
    test.native(native);
  for (std::size_t i = 0; i < WORK_ITEMS; ++i)
    if (!agree(got[i], expected[i], test.tolerance)) {
      std::printf("%s(%g) is %.17g, should be %.17g\n", test.name, in[i], got[i], expected[i]);
      return false;
    }
  return true;
}

} // namespace

extern "C" {
std::size_t __falx_global_id_x() {
  return native_index;
}
#define CALL(name, tolerance, expression) void name##_kernel(const library_call_arguments&);
LIBRARY_CALLS(CALL)
#undef CALL
}

int main(int argc, char** argv) {
  if (argc < 5)
    return 2;
  static constexpr test_case TESTS[] = {
#define CALL(name, tolerance, expression) {#name "_kernel", tolerance, name##_kernel},
      LIBRARY_CALLS(CALL)};
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  const auto jit =
      reinterpret_cast<decltype(&jit::falx_jit_interface)>(dlsym(library, "falx_jit_interface"))();
  std::ifstream file(argv[2], std::ios::binary);
  const std::vector<char> bitcode{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  unsigned passed = 0, failed = 0;
  for (const test_case& test : TESTS)
    if (argc < 6 || std::string(test.name) == argv[5])
      ++(run(test, *jit, bitcode, unsigned(std::atoi(argv[3])), argv[4]) ? passed : failed);
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
