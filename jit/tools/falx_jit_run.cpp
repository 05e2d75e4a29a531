// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "jit.hpp"
#include "request/shared_libraries.hpp"
#include "targets/cpu/cpu_abi.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/Pass.h>
#include <llvm/Support/TargetSelect.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

/// \file
/// falx-jit-run: compiles one kernel of a bitcode file for this CPU, and runs it over a buffer of integers.
///   falx-jit-run kernel.bc <kernel> <kind> <dimensions> [--global=x,y,z] [--local=x,y,z] [--ints=n] [-o
///   out.so] [--properties] [--constant=symbol=bytes in hex]... [--replace=function=definition,definition]...
/// With --properties it prints what the shared object says of the kernel instead of running it.
/// Bitcode for AArch64 can be compiled, too, with -o and --cpu.
/// Or prints its PTX:
///   falx-jit-run kernel.bc <kernel> <kind> <dimensions> --target=ptx [--cpu=sm_90] [--features=+ptx83]
///   [--math-library=libdevice.10.bc] [--local=x,y,z --fixed-local] [--narrow] [--linear-grid]
/// The function object is { int* data; long count; }; data[i] starts as i and is printed afterwards.

namespace {

using namespace falx;

struct options {
  std::string input, kernel, output, target = "cpu", cpu, features, math_library;
  std::vector<std::string> more_images, constants, replacements;
  jit::configuration config;
  unsigned kind = 0, dimensions = 1;
  std::uint64_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
  std::size_t ints = 16;
  unsigned repeat = 1;
  bool fixed_local = false, without_libraries = false;
  bool properties = false;
};

void parse_extent(const char* text, std::uint64_t (&extent)[3]) {
  for (unsigned axis = 0; axis < 3 && *text != '\0'; ++axis) {
    char* end = nullptr;
    extent[axis] = std::strtoull(text, &end, 10);
    text = *end == ',' ? end + 1 : end;
  }
}

/// symbol=bytes, the bytes as pairs of hex digits.
jit::specialization_constant parse_constant(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  jit::specialization_constant result{0, text.substr(0, equals), {}};
  for (std::size_t digit = equals + 1; digit + 1 < text.size(); digit += 2)
    result.bytes.push_back(
        static_cast<unsigned char>(std::stoi(std::string(text.substr(digit, 2)), nullptr, 16)));
  return result;
}

bool parse(int argc, char** argv, options& result) {
  if (argc < 5)
    return false;
  result.input = argv[1];
  result.kernel = argv[2];
  result.kind = unsigned(std::atoi(argv[3]));
  result.dimensions = unsigned(std::atoi(argv[4]));
  for (int index = 5; index < argc; ++index) {
    const std::string argument = argv[index];
    if (argument.rfind("--global=", 0) == 0)
      parse_extent(argv[index] + 9, result.global);
    else if (argument.rfind("--local=", 0) == 0)
      parse_extent(argv[index] + 8, result.local);
    else if (argument.rfind("--ints=", 0) == 0)
      result.ints = std::strtoull(argv[index] + 7, nullptr, 10);
    else if (argument.rfind("--level=", 0) == 0)
      result.config.optimization_level = unsigned(std::atoi(argv[index] + 8));
    else if (argument.rfind("--repeat=", 0) == 0)
      result.repeat = unsigned(std::atoi(argv[index] + 9));
    else if (argument.rfind("--target=", 0) == 0)
      result.target = argv[index] + 9;
    else if (argument.rfind("--cpu=", 0) == 0)
      result.cpu = argument.substr(6);
    else if (argument.rfind("--features=", 0) == 0)
      result.features = argument.substr(11);
    else if (argument.rfind("--math-library=", 0) == 0)
      result.math_library = argument.substr(15);
    else if (argument.rfind("--sub-group=", 0) == 0)
      result.config.sub_group_size = unsigned(std::atoi(argv[index] + 12));
    else if (argument == "--narrow")
      result.config.narrow_indices = true;
    else if (argument == "--no-offset")
      result.config.no_offset = true;
    else if (argument == "--linear-grid")
      result.config.linear_grid = true;
    else if (argument.rfind("--image=", 0) == 0)
      result.more_images.push_back(argument.substr(8));
    else if (argument == "--time-passes")
      llvm::TimePassesIsEnabled = true;
    else if (argument.rfind("--constant=", 0) == 0)
      result.constants.push_back(argument.substr(11));
    else if (argument.rfind("--replace=", 0) == 0)
      result.replacements.push_back(argument.substr(10));
    else if (argument == "--no-libraries")
      result.without_libraries = true;
    else if (argument == "--fixed-local")
      result.fixed_local = true;
    else if (argument == "--properties")
      result.properties = true;
    else if (argument == "-o" && index + 1 < argc)
      result.output = argv[++index];
    else
      return false;
  }
  if (result.fixed_local)
    for (unsigned axis = 0; axis < 3; ++axis)
      result.config.local_range[axis] = std::uint32_t(result.local[axis]);
  return true;
}

/// From "function=definition,definition", all in the first image. The result points into the text.
jit::function_replacement parse_replacement(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  jit::function_replacement replacement;
  replacement.function = text.substr(0, equals);
  for (std::string_view rest = text.substr(std::min(equals + 1, text.size())); !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    replacement.definitions.push_back({0, rest.substr(0, comma), false});
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return replacement;
}

std::vector<char> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const cpu::kernel_properties* load(const std::vector<unsigned char>& binary) {
  const int file = memfd_create("falx-jit-run", 0);
  if (file < 0 || write(file, binary.data(), binary.size()) != ssize_t(binary.size()))
    return nullptr;
  void* library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return nullptr;
  }
  return static_cast<const cpu::kernel_properties*>(dlsym(library, cpu::KERNEL_PROPERTIES_SYMBOL));
}

/// The JIT itself makes code for the machine that it is on.
void initialize_other_targets() {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
}

void* aligned(std::size_t bytes) {
  return std::aligned_alloc(128, (bytes + 255) / 128 * 128);
}

void run(const cpu::kernel_properties& properties, const options& options, std::vector<int>& data) {
  struct {
    int* data;
    long count;
  } function = {data.data(), long(data.size())};
  cpu::launch_arguments launch{&function, {}, {}, {}, {}};
  std::uint64_t begin[3] = {0, 0, 0}, end[3], work_items = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    launch.global_range[axis] = options.global[axis];
    launch.local_range[axis] = options.local[axis];
    launch.group_range[axis] = options.global[axis] / options.local[axis];
    work_items *= options.local[axis];
    const bool over_groups = options.kind == 2 || options.kind == 3;
    end[axis] = over_groups ? launch.group_range[axis] : options.global[axis];
  }
  cpu::worker_memory memory{};
  memory.local_memory = aligned(1 << 16);
  memory.group_scratch = aligned(properties.scratch_bytes_per_work_item * work_items);
  memory.work_item_context = aligned(properties.context_bytes_per_work_item * ((work_items + 63) / 64 * 64));
  properties.function(&launch, begin, end, &memory);
  std::free(memory.local_memory);
  std::free(memory.group_scratch);
  std::free(memory.work_item_context);
}

void print(const cpu::kernel_properties& properties) {
  std::printf("sub-group size: %u\nstack: %llu bytes%s\n", properties.sub_group_size,
              static_cast<unsigned long long>(properties.stack_bytes),
              properties.has_unbounded_stack != 0 ? " and more" : "");
  if (properties.lines == nullptr)
    return;
  const auto* const base = reinterpret_cast<const char*>(properties.lines);
  for (std::uint32_t i = 0; i < properties.lines->count; ++i) {
    const cpu::source_line& line = properties.lines->lines()[i];
    std::printf("%+d %s:%u\n", line.code, line.line != 0 ? base + line.file : "", line.line);
  }
}

} // namespace

int main(int argc, char** argv) {
  options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr, "usage: falx-jit-run kernel.bc <kernel> <kind> <dimensions> [--global=x,y,z] "
                         "[--local=x,y,z] [--ints=n] [--sub-group=n] [--level=0..3] [--fixed-local] "
                         "[--repeat=n] [--time-passes] "
                         "[--image=more.bc]... [--target=t] [--cpu=c] [--features=f] "
                         "[--math-library=l.bc] [--narrow] [--no-offset] [--linear-grid] "
                         "[--no-libraries] [--properties] [-o out.so]\n");
    return 2;
  }
  initialize_other_targets();
  std::vector<std::vector<char>> images = {read(options.input)};
  for (const std::string& path : options.more_images)
    images.push_back(read(path));
  jit::request request;
  for (const std::vector<char>& image : images)
    request.images.push_back({{reinterpret_cast<const unsigned char*>(image.data()), image.size()}, {}});
  request.kernel = options.kernel;
  request.kind = options.kind;
  request.dimensions = options.dimensions;
  request.target = options.target;
  request.cpu = options.cpu;
  request.features = options.features;
  const std::vector<char> math_library =
      options.math_library.empty() ? std::vector<char>() : read(options.math_library);
  request.math_library.bytes = {reinterpret_cast<const unsigned char*>(math_library.data()),
                                math_library.size()};
  const std::vector<jit::found_library> libraries =
      options.without_libraries ? std::vector<jit::found_library>() : jit::find_cpu_libraries();
  for (const jit::found_library& library : libraries)
    request.libraries.push_back({library.name, library.path, {}});
  request.config = options.config;
  for (const std::string& constant : options.constants)
    request.constants.push_back(parse_constant(constant));
  for (const std::string& replacement : options.replacements)
    request.functions.push_back(parse_replacement(replacement));

  const auto milliseconds = [](const timespec& time) {
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
  };
  jit::response response;
  for (unsigned round = 0; round < options.repeat; ++round) {
    // Time of the processor: what others do on a shared machine does not count.
    timespec start{}, end{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    // What is repeated is measured, without the verifier as in programs.
    jit::falx_jit_interface()->compile(request, {.verify = options.repeat == 1}, response);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    std::fprintf(stderr, "compile: %.1f ms, %zu bytes\n", milliseconds(end) - milliseconds(start),
                 response.binary.size());
  }
  llvm::reportAndResetTimings();
  if (!response.ok) {
    std::fprintf(stderr, "falx-jit-run: %s\n", response.diagnostic.c_str());
    return 1;
  }
  if (!response.remark.empty())
    std::fprintf(stderr, "remark: %s\n", response.remark.c_str());
  if (!options.output.empty()) {
    std::ofstream(options.output, std::ios::binary)
        .write(reinterpret_cast<const char*>(response.binary.data()),
               std::streamsize(response.binary.size()));
    return 0;
  }
  if (options.target != "cpu") {
    std::fwrite(response.binary.data(), 1, response.binary.size(), stdout);
    return 0;
  }
  const cpu::kernel_properties* properties = load(response.binary);
  if (properties == nullptr)
    return 1;
  if (options.properties) {
    print(*properties);
    return 0;
  }
  std::vector<int> data(options.ints);
  for (std::size_t index = 0; index < data.size(); ++index)
    data[index] = int(index);
  run(*properties, options, data);
  for (std::size_t index = 0; index < data.size(); ++index)
    std::printf("%d%c", data[index], index + 1 == data.size() ? '\n' : ' ');
  return 0;
}
