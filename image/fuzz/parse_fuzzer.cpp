// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/device_image.hpp"

#include <cstdlib>

/// \file
/// libFuzzer target: parse answers every input with an image or a sentence, reads only the input's bytes, and
/// metadata that it accepts survives being written and read again.

namespace {

void require(bool holds) {
  if (!holds)
    std::abort();
}

bool inside(const unsigned char* begin, std::size_t size, std::span<const unsigned char> bytes) {
  return size == 0 || (begin >= bytes.data() && begin + size <= bytes.data() + bytes.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::span<const unsigned char> bytes(data, size);
  std::string error;
  const std::optional<falx::image::device_image> image = falx::image::parse(bytes, error);
  require(image.has_value() == error.empty());
  if (!image)
    return 0;
  require(inside(image->bitcode.data(), image->bitcode.size(), bytes));
  for (std::string_view symbol : image->exports)
    require(inside(reinterpret_cast<const unsigned char*>(symbol.data()), symbol.size(), bytes));
  for (const falx::image::kernel_metadata& kernel : image->kernels) {
    const std::string line = falx::image::format_kernel_line(kernel);
    require(line.find('\n') == std::string::npos);
    require(line.starts_with(kernel.name + '\t') && line.ends_with('\t' + kernel.pretty_name));
  }
  return 0;
}
