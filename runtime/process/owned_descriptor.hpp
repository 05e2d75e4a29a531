// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace falx {

/// A file descriptor that is closed with its owner; empty when opening failed.
class owned_descriptor {
public:
  owned_descriptor() noexcept = default;
  explicit owned_descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  owned_descriptor(owned_descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  owned_descriptor& operator=(owned_descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~owned_descriptor() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }

  explicit operator bool() const noexcept { return descriptor_ >= 0; }
  int get() const noexcept { return descriptor_; }
  /// Gives the descriptor to the caller.
  int detach() noexcept { return std::exchange(descriptor_, -1); }

private:
  int descriptor_ = -1;
};

/// A path to what is open, for this process and for those that may debug it, under a name that this process
/// has never used: the dynamic linker takes equal names for one library, but the numbers of files come back
/// once they are closed. Needs /proc.
std::string unique_path_to(const owned_descriptor& file);

/// The first \p size bytes of a file; nothing if it is shorter or cannot be read.
std::vector<unsigned char> read_file(const owned_descriptor& file, std::size_t size);

/// Whether all bytes were written; if not, errno says why. No signal comes of it (SIGXFSZ).
bool write_all(const owned_descriptor& file, std::span<const unsigned char> bytes);

} // namespace falx
