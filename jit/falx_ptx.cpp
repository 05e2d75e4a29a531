// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "image/device_image.hpp"
#include "jit.hpp"

#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

/// \file
/// falx-ptx: the PTX of the kernels in an object file or a program that falx++ made.
///   falx-ptx app.o --list
///   falx-ptx app --kernel=triad --cpu=sm_90 --local=256,1,1 --narrow
///   falx-ptx app.o --directory=out
/// The last one writes a file per kernel and goes on after failures, which it lists.

using namespace llvm;

static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("<object file or program>"));
static cl::opt<bool> list("list", cl::desc("Only list the kernels"));
static cl::opt<std::string> wanted("kernel", cl::desc("Only kernels whose name holds this text"));
static cl::opt<std::string> cpu("cpu", cl::desc("Architecture"), cl::init("sm_90"));
static cl::opt<std::string> features("features", cl::desc("LLVM's features, such as +ptx83"));
static cl::opt<std::string> math_library("math-library", cl::desc("libdevice.10.bc"));
static cl::list<unsigned> local_range("local", cl::CommaSeparated,
                                      cl::desc("The known local range, x first"));
static cl::list<std::uint64_t> captured("captured", cl::CommaSeparated,
                                        cl::desc("What the parts of the function object that kernels are "
                                                 "specialised on hold, in 64-bit words: extents and "
                                                 "offset of each local accessor, each sycl::specialized"));
static cl::opt<bool> narrow("narrow", cl::desc("Indices have 32 bits"));
static cl::opt<bool> linear_grid("linear-grid", cl::desc("The grid has one axis"));
static cl::opt<unsigned> level("level", cl::desc("Optimization level"), cl::init(2));
static cl::opt<std::string> directory("directory", cl::desc("Where to write a file per kernel"));

[[noreturn]] static void give_up(const Twine& sentence) {
  errs() << "falx-ptx: " << sentence << '\n';
  std::exit(1);
}

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
static std::vector<falx::jit::captured_bytes> captured_of(const falx::image::kernel_metadata& kernel) {
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

static std::string ptx_of(const std::vector<falx::image::device_image>& images, std::size_t of_kernel,
                          const falx::image::kernel_metadata& kernel, std::string& diagnostic) {
  falx::jit::request request;
  request.images.push_back(images[of_kernel].bitcode);
  for (std::size_t index = 0; index < images.size(); ++index)
    if (index != of_kernel)
      request.images.push_back(images[index].bitcode);
  request.kernel = kernel.name;
  request.kind = kernel.kind;
  request.dimensions = kernel.dimensions;
  request.target = "ptx";
  request.cpu = cpu.getValue();
  request.features = features.getValue();
  std::unique_ptr<MemoryBuffer> library;
  if (!math_library.empty()) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> opened = MemoryBuffer::getFile(math_library);
    if (!opened)
      give_up(math_library + ": " + opened.getError().message());
    library = std::move(*opened);
    request.math_library = {reinterpret_cast<const unsigned char*>(library->getBufferStart()),
                            library->getBufferSize()};
  }
  for (std::size_t axis = 0; axis < 3 && !local_range.empty(); ++axis)
    request.config.local_range[axis] = axis < local_range.size() ? local_range[axis] : 1;
  if (!captured.empty())
    request.captured = captured_of(kernel);
  request.config.sub_group_size = kernel.reqd_sub_group_size;
  request.config.optimization_level = level;
  request.config.narrow_indices = narrow;
  request.config.linear_grid = linear_grid;
  falx::jit::response response;
  falx::jit::falx_jit_interface()->compile(request, response);
  diagnostic = response.diagnostic;
  return {response.binary.begin(), response.binary.end()};
}

int main(int argc, char** argv) {
  cl::ParseCommandLineOptions(argc, argv, "falx-ptx: the PTX of kernels\n");
  Expected<object::OwningBinary<object::ObjectFile>> file = object::ObjectFile::createObjectFile(input);
  if (!file)
    give_up(input + ": " + toString(file.takeError()));
  std::vector<falx::image::device_image> images;
  for (const object::SectionRef& section : file->getBinary()->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name || *name != ".llvm.offloading")
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      give_up(input + ": " + toString(contents.takeError()));
    images = images_in(*contents);
  }
  if (images.empty())
    give_up(input + " holds no device image: was it made by falx++?");
  unsigned failures = 0, number = 0;
  for (std::size_t index = 0; index < images.size(); ++index)
    for (const falx::image::kernel_metadata& kernel : images[index].kernels) {
      if (!wanted.empty() && !StringRef(kernel.name).contains(wanted) &&
          !StringRef(kernel.pretty_name).contains(wanted))
        continue;
      if (list) {
        outs() << kernel.kind << ' ' << kernel.dimensions << ' ' << kernel.name << ' ' << kernel.pretty_name
               << '\n';
        continue;
      }
      std::string diagnostic;
      const std::string text = ptx_of(images, index, kernel, diagnostic);
      if (!diagnostic.empty()) {
        ++failures;
        errs() << "falx-ptx: " << diagnostic << '\n';
      } else if (directory.empty()) {
        outs() << text;
      } else {
        std::error_code error;
        sys::fs::create_directories(directory);
        raw_fd_ostream output(directory + "/" + std::to_string(number) + ".ptx", error);
        output << "// " << kernel.pretty_name << '\n' << text;
      }
      ++number;
    }
  if (number == 0 && !list)
    give_up("there is no such kernel in " + input);
  return failures == 0 ? 0 : 1;
}
