// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

/// \file
/// Files of the kernel cache and their directories: making, trusting, reading and sweeping them.

namespace falx {

constexpr std::string_view ENTRY_SUFFIX = ".kernel";
/// Names of files that are being written; no entry begins so.
constexpr std::string_view TEMPORARY_PREFIX = ".new-";

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

/// The first \p size bytes of a file that is no link; nothing if it is shorter or cannot be read.
std::vector<unsigned char> read_file(const std::string& path, std::size_t size);

/// Whether all bytes were written.
bool write_all(const owned_descriptor& file, std::span<const unsigned char> bytes);

/// Makes \p path and what leads to it, for the user alone. Says nothing on failure: opening will fail then.
void make_directories(const std::string& path);

/// The cache's directory, unless another user could rename what lies in it: it must belong to the user or to
/// root, and if others may write to it, then only with the sticky bit, like /tmp.
owned_descriptor open_cache_directory(const std::string& path);

/// A directory of entries, which must be the user's and writable by nobody else.
owned_descriptor open_shard(const owned_descriptor& cache_directory, const std::string& name);

/// Removes entries, the oldest mtime first, until the rest take at most \p bytes, and temporary files that
/// have not been written to for an hour. Several processes may do so at once.
void evict_oldest(const owned_descriptor& cache_directory, std::uint64_t bytes);

} // namespace falx
