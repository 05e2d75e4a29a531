// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "image/device_image.hpp"
#include "request_options.hpp"

#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

/// \file
/// falx-ptx: the PTX of the kernels in an object file or a program that falx++ made.
///   falx-ptx app.o --list
///   falx-ptx app --kernel=triad --cpu=sm_90 --local=256,1,1 --narrow --no-offset
///   falx-ptx app.o --directory=out
/// The last one writes a file per kernel and goes on after failures, which it lists.
/// The same kernels for CPUs, as shared objects that llvm-objdump -d shows:
///   falx-ptx app --target=cpu --cpu=haswell --sub-group=8 --directory=out
/// and what compiling costs, in milliseconds of the processor:
///   falx-ptx app --target=cpu --sub-group=16 --times
/// and which kernels share their code, as they have one content:
///   falx-ptx app --contents
/// With a directory these are written, as bitcode, to be compared.

using namespace llvm;

namespace options {
static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("<object file or program>"));
static cl::opt<bool> list("list", cl::desc("Only list the kernels"));
static cl::opt<std::string> wanted("kernel", cl::desc("Only kernels whose name holds this text"));
static cl::opt<bool> times("times", cl::desc("What compiling each kernel costs instead of its code"));
static cl::opt<bool> contents("contents",
                              cl::desc("The digest of each kernel's content instead of its code"));
static cl::list<std::uint64_t> captured("captured", cl::CommaSeparated,
                                        cl::desc("What the parts of the function object that kernels are "
                                                 "specialised on hold, in 64-bit words: extents and "
                                                 "offset of each local accessor, each sycl::specialized"));
static cl::list<std::uint64_t> aligned("aligned", cl::CommaSeparated,
                                       cl::desc("Offsets of pointers in the function object that are aligned "
                                                "to 16 bytes"));
static cl::list<std::uint64_t> disjoint("disjoint", cl::CommaSeparated,
                                        cl::desc("Offsets of pointers in the function object that lead to "
                                                 "different memory, in ascending order"));
static cl::list<std::uint64_t> integers("integers", cl::CommaSeparated,
                                        cl::desc("What integers are known as the program runs: offset in the "
                                                 "function object, bytes, value, offset, …"));
static cl::opt<std::string> directory("directory", cl::desc("Where to write a file per kernel"));
} // namespace options

/// The command line; a copy, as request_options.
struct settings {
  std::string input = options::input, wanted = options::wanted, directory = options::directory;
  bool list = options::list, times = options::times, contents = options::contents;
  std::vector<std::uint64_t> captured = options::captured, aligned = options::aligned,
                             disjoint = options::disjoint, integers = options::integers;
  request_options shared;
};

/// The images that lie one behind the other in the section; each says how long it is.
static std::vector<falx::image::device_image> images_in(StringRef section) {
  constexpr std::size_t LENGTH_OFFSET = 8, HEADER_BYTES = 16, ALIGNMENT = 8;
  std::vector<falx::image::device_image> images;
  while (section.size() >= HEADER_BYTES) {
    std::uint64_t length = 0;
    std::memcpy(&length, section.data() + LENGTH_OFFSET, sizeof(length));
    if (length < HEADER_BYTES || length > section.size())
      break;
    std::string error;
    const auto* bytes = reinterpret_cast<const unsigned char*>(section.data());
    if (std::optional<falx::image::device_image> image =
            falx::image::parse({bytes, static_cast<std::size_t>(length)}, error))
      images.push_back(std::move(*image));
    else
      give_up(error);
    section = section.drop_front(std::min<std::size_t>(alignTo(length, ALIGNMENT), section.size()));
  }
  return images;
}

/// The words of the command line, laid over the parts.
static std::vector<falx::jit::captured_bytes> captured_of(const falx::image::kernel_metadata& kernel,
                                                          const std::vector<std::uint64_t>& captured) {
  std::vector<falx::jit::captured_bytes> result;
  std::size_t next = 0;
  for (const falx::image::byte_part& part : kernel.specialized_parts) {
    falx::jit::captured_bytes known{part.offset, std::vector<unsigned char>(part.size)};
    for (std::size_t at = 0; at < part.size && next < captured.size(); at += sizeof(std::uint64_t), ++next)
      std::memcpy(known.bytes.data() + at, &captured[next], std::min(part.size - at, sizeof(std::uint64_t)));
    result.push_back(std::move(known));
  }
  return result;
}

/// Every device global that device code of some image uses: of those of one name, only static ones are
/// several variables, and the text looks the same.
static void add_device_globals(const std::vector<const falx::image::device_image*>& images,
                               falx::jit::request& request) {
  std::vector<std::string_view> names;
  for (std::size_t index = 0; index < images.size(); ++index)
    for (const falx::image::global_metadata& global : images[index]->globals) {
      if (global.kernels.empty() && !global.used_by_exports)
        continue;
      const auto known = llvm::find(names, global.symbol);
      request.device_globals.push_back({static_cast<std::uint32_t>(index), global.symbol,
                                        static_cast<std::uint32_t>(known - names.begin())});
      if (known == names.end())
        names.push_back(global.symbol);
    }
}

static std::string code_of(const settings& chosen, const std::vector<falx::image::device_image>& images,
                           std::size_t of_kernel, const falx::image::kernel_metadata& kernel,
                           std::string& diagnostic) {
  falx::jit::request request = chosen.shared.request();
  std::vector<const falx::image::device_image*> in_order = {&images[of_kernel]};
  for (std::size_t index = 0; index < images.size(); ++index)
    if (index != of_kernel)
      in_order.push_back(&images[index]);
  for (const falx::image::device_image* image : in_order)
    request.images.push_back({image->bitcode, image->sha256});
  add_device_globals(in_order, request);
  request.device_globals_offset = llvm::alignTo(kernel.function_size, sizeof(std::uint64_t));
  request.kernel = kernel.name;
  request.kind = kernel.kind;
  request.dimensions = kernel.dimensions;
  if (request.target.empty())
    request.target = "ptx";
  const bool is_ptx = request.target == "ptx";
  if (is_ptx && request.cpu.empty())
    request.cpu = "sm_90";
  copy_extents(chosen.shared.local_range, request.config.local_range, 0);
  copy_extents(chosen.shared.global_range, request.global_range, 0);
  if (!chosen.captured.empty())
    request.captured = captured_of(kernel, chosen.captured);
  for (const std::uint64_t offset : chosen.aligned)
    request.aligned.push_back({offset, 16});
  request.disjoint = chosen.disjoint;
  request.keeps_results = !chosen.integers.empty();
  for (std::size_t i = 0; i + 2 < chosen.integers.size(); i += 3) {
    falx::jit::captured_bytes known{chosen.integers[i], std::vector<unsigned char>(chosen.integers[i + 1])};
    std::memcpy(known.bytes.data(), &chosen.integers[i + 2],
                std::min(known.bytes.size(), sizeof(std::uint64_t)));
    request.integers.push_back(std::move(known));
  }
  if (is_ptx || kernel.reqd_sub_group_size != 0)
    request.config.sub_group_size = kernel.reqd_sub_group_size;
  if (chosen.contents) {
    falx::jit::image_part part;
    falx::jit::falx_jit_interface()->find_part(request, part);
    if (!chosen.directory.empty())
      return {part.bitcode.begin(), part.bitcode.end()};
    return part.content.empty() ? "none" : part.content;
  }
  falx::jit::response response;
  // What --times tells is without the verifier, as in programs.
  falx::jit::falx_jit_interface()->compile(request, {!chosen.times, chosen.shared.skipped_passes.c_str()},
                                           response);
  if (!response.remark.empty() && !chosen.times)
    errs() << "falx-ptx: " << response.remark << '\n';
  diagnostic = response.diagnostic;
  return {response.binary.begin(), response.binary.end()};
}

int main(int argc, char** argv) {
  cl::ParseCommandLineOptions(argc, argv, "falx-ptx: the PTX of kernels\n");
  const settings chosen;
  const bool is_ptx = chosen.shared.target != "cpu";
  Expected<object::OwningBinary<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(chosen.input);
  if (!file)
    give_up(chosen.input + ": " + toString(file.takeError()));
  std::vector<falx::image::device_image> images;
  for (const object::SectionRef& section : file->getBinary()->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name || *name != ".llvm.offloading")
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      give_up(chosen.input + ": " + toString(contents.takeError()));
    images = images_in(*contents);
  }
  if (images.empty())
    give_up(chosen.input + " holds no device image: was it made by falx++?");
  unsigned failures = 0, number = 0;
  for (std::size_t index = 0; index < images.size(); ++index)
    for (const falx::image::kernel_metadata& kernel : images[index].kernels) {
      if (!chosen.wanted.empty() && !StringRef(kernel.name).contains(chosen.wanted) &&
          !StringRef(kernel.pretty_name).contains(chosen.wanted))
        continue;
      if (chosen.list) {
        outs() << kernel.kind << ' ' << kernel.dimensions << ' ' << kernel.name << ' ' << kernel.pretty_name
               << '\n';
        continue;
      }
      std::string diagnostic;
      const double before = processor_milliseconds();
      const std::string text = code_of(chosen, images, index, kernel, diagnostic);
      if (!diagnostic.empty()) {
        ++failures;
        errs() << "falx-ptx: " << diagnostic << '\n';
      } else if (chosen.contents && chosen.directory.empty()) {
        outs() << text << ' ' << kernel.pretty_name << '\n';
      } else if (chosen.times) {
        outs() << format("%9.1f ms %8zu bytes  ", processor_milliseconds() - before, text.size())
               << kernel.pretty_name << '\n';
      } else if (chosen.directory.empty()) {
        outs() << text;
      } else {
        std::error_code error;
        static_cast<void>(
            sys::fs::create_directories(chosen.directory)); // opening the file tells what is wrong
        raw_fd_ostream output(chosen.directory + "/" + std::to_string(number) +
                                  (chosen.contents ? ".bc"
                                   : is_ptx        ? ".ptx"
                                                   : ".so"),
                              error);
        if (is_ptx && !chosen.contents)
          output << "// " << kernel.pretty_name << '\n';
        output << text;
      }
      ++number;
    }
  if (number == 0 && !chosen.list)
    give_up("there is no such kernel in " + chosen.input);
  return failures == 0 ? 0 : 1;
}
