// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"
#include "request/shared_libraries.hpp"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <ctime>

/// \file
/// What command lines of tools say of a request: target, processor, what is known of launches. To be included
/// by the one source file of a tool.

namespace options {
using namespace llvm;
static cl::opt<std::string> target("target", cl::desc("ptx or cpu"));
static cl::opt<std::string> cpu("cpu", cl::desc("Architecture; target cpu: the host's if there is none"));
static cl::opt<std::string> features("features", cl::desc("LLVM's features, such as +ptx83"));
static cl::opt<std::string> math_library("math-library", cl::desc("libdevice.10.bc"));
static cl::opt<bool> no_libraries("no-libraries", cl::desc("Target cpu: link with no libraries"));
static cl::opt<unsigned> sub_group("sub-group", cl::desc("Target cpu: work-items of a vector"));
static cl::opt<bool> must_pay("must-pay",
                              cl::desc("Target cpu: vectors only where they are estimated to be faster"));
static cl::opt<bool> other_form("other-form", cl::desc("Target cpu: with --must-pay, the form that is not"));
static cl::list<std::uint64_t> local_range("local", cl::CommaSeparated, cl::desc("The local range, x first"));
static cl::list<std::uint64_t> global_range("global", cl::CommaSeparated, cl::desc("Work-items, x first"));
static cl::opt<bool> narrow("narrow", cl::desc("Indices have 32 bits"));
static cl::opt<bool> no_offset("no-offset", cl::desc("The launch's offset is zero"));
static cl::opt<bool> linear_grid("linear-grid", cl::desc("The grid has one axis"));
static cl::list<unsigned> aspects("aspects", cl::CommaSeparated,
                                  cl::desc("What the device has: numbers of sycl::aspect. If there are none: "
                                           "fp16, fp64 and atomic64"));
static cl::opt<std::string> skip("skip", cl::desc("Passes to leave out, such as falx-interleave"));
static cl::opt<unsigned> level("level", cl::desc("Optimization level"), cl::init(2));
static cl::opt<unsigned> tier("tier",
                              cl::desc("Target cpu: 0 best code, 1 as is estimated for --expected, 2 quick"));
static cl::opt<std::uint64_t> expected("expected", cl::desc("Target cpu: work-items of the launch"));
} // namespace options

/// Ends the tool.
[[noreturn]] static void give_up(const llvm::Twine& sentence) {
  llvm::errs() << program_invocation_short_name << ": " << sentence << '\n';
  std::exit(1);
}

static std::unique_ptr<llvm::MemoryBuffer> read_file(const std::string& path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> opened = llvm::MemoryBuffer::getFile(path);
  if (!opened)
    give_up(path + ": " + opened.getError().message());
  return std::move(*opened);
}

static std::span<const unsigned char> bytes_of(const llvm::MemoryBuffer& file) {
  return {reinterpret_cast<const unsigned char*>(file.getBufferStart()), file.getBufferSize()};
}

/// Extents that are not given are 1 if any is, else \p otherwise.
static void copy_extents(const std::vector<std::uint64_t>& from, auto (&to)[3], unsigned otherwise) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    to[axis] = static_cast<std::remove_reference_t<decltype(to[axis])>>(axis < from.size() ? from[axis]
                                                                        : from.empty()     ? otherwise
                                                                                           : 1);
}

/// A copy, made behind ParseCommandLineOptions: lld, which links kernels for CPUs, sets LLVM's options back.
struct request_options {
  std::string target = options::target, cpu = options::cpu, features = options::features;
  std::string skipped_passes = options::skip;
  std::unique_ptr<llvm::MemoryBuffer> math_library =
      options::math_library.empty() ? nullptr : read_file(options::math_library);
  std::vector<falx::jit::found_library> libraries =
      options::no_libraries ? std::vector<falx::jit::found_library>() : falx::jit::find_cpu_libraries();
  std::vector<std::uint64_t> local_range = options::local_range, global_range = options::global_range;
  std::vector<unsigned> aspects =
      options::aspects.empty() ? std::vector<unsigned>{6, 7, 8} : std::vector<unsigned>(options::aspects);
  std::uint32_t tier = options::tier;
  bool takes_other_form = options::other_form;
  std::uint64_t expected_work_items = options::expected;
  falx::jit::configuration config = {.sub_group_size = options::sub_group,
                                     .vectors_must_pay = options::must_pay,
                                     .optimization_level = options::level,
                                     .narrow_indices = options::narrow,
                                     .no_offset = options::no_offset,
                                     .linear_grid = options::linear_grid};

  /// A request without the kernel and its images. It shows memory of this object.
  falx::jit::request request() const {
    falx::jit::request result;
    result.target = target;
    result.cpu = cpu;
    result.features = features;
    result.config = config;
    for (const unsigned aspect : aspects)
      result.aspects |= std::uint64_t{1} << aspect;
    result.tier = tier;
    result.takes_other_form = takes_other_form;
    result.expected_work_items = expected_work_items;
    if (math_library != nullptr)
      result.math_library.bytes = bytes_of(*math_library);
    for (const falx::jit::found_library& found : libraries)
      result.libraries.push_back({found.name, found.path, {}});
    return result;
  }
};

/// What others do on a shared machine does not count.
static double processor_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}
