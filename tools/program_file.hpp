// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/ahead_of_time.hpp"

#include <filesystem>
#include <vector>

namespace falx {

/// What an object, a program or a shared library, in the ELF format, carries for Falx. Throws
/// std::runtime_error, with a sentence, if the file cannot be read or is none.
class program_file {
public:
  explicit program_file(const std::filesystem::path& path);

  /// Views of this object's bytes, in the order in which they lie in the file, which is that of linking.
  const std::vector<byte_range>& images() const noexcept { return images_; }
  const std::vector<byte_range>& compiled_kernels() const noexcept { return compiled_kernels_; }

private:
  std::vector<unsigned char> bytes_;
  std::vector<byte_range> images_, compiled_kernels_;
};

} // namespace falx
