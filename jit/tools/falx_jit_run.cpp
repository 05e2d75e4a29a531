// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "request_options.hpp"
#include "targets/cpu/cpu_abi.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/TargetSelect.h>

#include <dlfcn.h>
#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

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

using namespace llvm;
using namespace falx;

namespace options {
static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("<bitcode>"));
static cl::opt<std::string> kernel(cl::Positional, cl::Required, cl::desc("<kernel>"));
static cl::opt<unsigned> kind(cl::Positional, cl::Required, cl::desc("<kind>"));
static cl::opt<unsigned> dimensions(cl::Positional, cl::Required, cl::desc("<dimensions>"));
static cl::list<std::string> images("image", cl::desc("More bitcode"));
static cl::list<std::string> constants("constant",
                                       cl::desc("symbol=bytes in hex of a specialization constant"));
static cl::list<std::string> replacements("replace", cl::desc("function=definition,definition"));
static cl::opt<std::size_t> ints("ints", cl::desc("Elements of the buffer"), cl::init(16));
static cl::opt<unsigned> repeat("repeat", cl::desc("Compile so often"), cl::init(1));
static cl::opt<bool> fixed_local("fixed-local", cl::desc("The JIT knows the local range"));
static cl::opt<bool> properties("properties", cl::desc("Print what the shared object says of the kernel"));
static cl::opt<std::string> output("o", cl::desc("Where to write the code"));
} // namespace options

namespace {

/// symbol=bytes, the bytes as pairs of hex digits.
jit::specialization_constant parse_constant(StringRef text) {
  const auto [symbol, digits] = text.rsplit('=');
  const std::string bytes = fromHex(digits);
  return {0, symbol, {bytes.begin(), bytes.end()}};
}

/// From "function=definition,definition", all in the first image. The result points into the text.
jit::function_replacement parse_replacement(StringRef text) {
  const auto [function, definitions] = text.split('=');
  jit::function_replacement replacement{function, -1, {}};
  for (const StringRef definition : split(definitions, ','))
    if (!definition.empty())
      replacement.definitions.push_back({0, definition, false});
  return replacement;
}

const cpu::kernel_properties* load(const std::vector<unsigned char>& binary) {
  const int file = memfd_create("falx-jit-run", 0);
  if (file < 0 || write(file, binary.data(), binary.size()) != ssize_t(binary.size()))
    return nullptr;
  void* library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    errs() << dlerror() << '\n';
    return nullptr;
  }
  return static_cast<const cpu::kernel_properties*>(dlsym(library, cpu::KERNEL_PROPERTIES_SYMBOL));
}

/// The JIT itself makes code for the machine that it is on.
void initialize_other_targets() {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
}

void* aligned(std::size_t bytes) {
  return std::aligned_alloc(128, (bytes + 255) / 128 * 128);
}

/// Over \p global work-items, if the kernel's \p kind has them in groups, of \p local.
void run(const cpu::kernel_properties& properties, unsigned kind, const std::uint64_t (&global)[3],
         const std::uint64_t (&local)[3], std::vector<int>& data) {
  struct {
    int* data;
    long count;
  } function = {data.data(), long(data.size())};
  cpu::launch_arguments launch{&function, {}, {}, {}, {}};
  std::uint64_t begin[3] = {0, 0, 0}, end[3], work_items = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    launch.global_range[axis] = global[axis];
    launch.local_range[axis] = local[axis];
    launch.group_range[axis] = global[axis] / local[axis];
    work_items *= local[axis];
    const bool over_groups = kind == 2 || kind == 3;
    end[axis] = over_groups ? launch.group_range[axis] : global[axis];
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
  if (properties.has_other_form != 0)
    std::printf("has another form\n");
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
  cl::ParseCommandLineOptions(argc, argv, "falx-jit-run: compiles a kernel and runs it\n");
  initialize_other_targets();
  // Copies of what lld, when it links, sets back.
  const request_options shared;
  const unsigned kind = options::kind, repeat = options::repeat;
  const bool prints_properties = options::properties;
  const std::string output = options::output;
  const std::vector<std::string> constants = options::constants, replacements = options::replacements;
  std::uint64_t global[3], local[3];
  copy_extents(shared.global_range, global, 1);
  copy_extents(shared.local_range, local, 1);
  std::vector<int> data(options::ints);
  std::iota(data.begin(), data.end(), 0);

  std::vector<std::unique_ptr<MemoryBuffer>> images;
  images.push_back(read_file(options::input));
  for (const std::string& path : options::images)
    images.push_back(read_file(path));
  const std::string kernel = options::kernel;
  jit::request request = shared.request();
  for (const std::unique_ptr<MemoryBuffer>& image : images)
    request.images.push_back({bytes_of(*image), {}});
  request.kernel = kernel;
  request.kind = kind;
  request.dimensions = options::dimensions;
  if (request.target.empty())
    request.target = "cpu";
  if (options::fixed_local)
    copy_extents(shared.local_range, request.config.local_range, 1);
  for (const std::string& constant : constants)
    request.constants.push_back(parse_constant(constant));
  for (const std::string& replacement : replacements)
    request.functions.push_back(parse_replacement(replacement));

  jit::response response;
  for (unsigned round = 0; round < repeat; ++round) {
    const double before = processor_milliseconds();
    // What is repeated is measured, without the verifier as in programs.
    jit::falx_jit_interface()->compile(request, {repeat == 1, shared.skipped_passes.c_str()}, response);
    errs() << format("compile: %.1f ms, %zu bytes\n", processor_milliseconds() - before,
                     response.binary.size());
  }
  reportAndResetTimings();
  if (!response.ok)
    give_up(response.diagnostic);
  if (response.is_quick)
    errs() << "quick code\n";
  if (!response.remark.empty())
    errs() << "remark: " << response.remark << '\n';
  if (!output.empty() || request.target != "cpu") {
    std::error_code error;
    raw_fd_ostream(output.empty() ? "-" : output, error) << toStringRef(ArrayRef(response.binary));
    return error ? 1 : 0;
  }
  const cpu::kernel_properties* properties = load(response.binary);
  if (properties == nullptr)
    return 1;
  if (prints_properties) {
    print(*properties);
    return 0;
  }
  run(*properties, kind, global, local, data);
  outs() << join(map_range(data, [](int value) { return std::to_string(value); }), " ") << '\n';
  return 0;
}
