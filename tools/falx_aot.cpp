// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// falx-aot: compiles kernels ahead of time. The compiler (compiler/ir/ahead_of_time.cpp) runs it on the
/// image of a translation unit, falx-ld on a linked program, for kernels that need several units. Says what
/// it leaves out on standard output, a sentence a line, and what is wrong on standard error.

#include "falx/ahead_of_time.hpp"
#include "program_file.hpp"
#include "sycl/exception.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct written_results {
  std::string path;
  bool fails = false;
};

void write_bundle(void* data, const unsigned char* bytes, std::size_t size) {
  auto& results = *static_cast<written_results*>(data);
  std::ofstream file(results.path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  file.close();
  results.fails = !file;
}

void print_remark(void*, const char* sentence) {
  fmt::print("{}\n", sentence);
}

std::vector<unsigned char> contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error(fmt::format("'{}' cannot be read", path));
  return std::vector<unsigned char>(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void compile(const std::vector<falx::byte_range>& images, const std::vector<falx::byte_range>& known,
             const std::string& targets, bool is_linked, const std::string& output) {
  written_results results{output};
  falx::compile_ahead_of_time(images.data(), images.size(), targets.c_str(), known.data(), known.size(),
                              is_linked, {&results, &write_bundle, &print_remark});
  if (results.fails)
    throw std::runtime_error(fmt::format("'{}' cannot be written", output));
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app("Compiles kernels ahead of time; falx++ --aot calls it.");
  std::string image, program, targets, output;
  auto* const image_option = app.add_option("--image", image, "A device image");
  app.add_option("--program", program, "A program or a shared library: what it lacks")
      ->excludes(image_option);
  app.add_option("--targets", targets, "Such as native,x86-64-v3,sm_90")->required();
  app.add_option("-o", output, "Where the kernels go; no file is written if there are none")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    if (!image.empty()) {
      const std::vector<unsigned char> bytes = contents_of(image);
      compile({{bytes.data(), bytes.data() + bytes.size()}}, {}, targets, false, output);
    } else {
      const falx::program_file file(program);
      compile(file.images(), file.compiled_kernels(), targets, true, output);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
