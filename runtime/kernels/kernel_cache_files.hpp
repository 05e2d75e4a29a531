// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process/owned_descriptor.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>

/// \file
/// Files of the kernel cache and their directories: making, trusting, reading and sweeping them.

namespace falx {

constexpr std::string_view ENTRY_SUFFIX = ".kernel";
/// Names of files that are being written; no entry begins so.
constexpr std::string_view TEMPORARY_PREFIX = ".new-";

/// Makes \p path and what leads to it, for the user alone. Says nothing on failure: opening will fail then.
void make_directories(const std::string& path);

/// The cache's directory, as long as no other user could rename what lies in it: it must belong to the user
/// or to root, and if others may write to it, then only with the sticky bit, like /tmp. The path is followed
/// once; a directory on it that is renamed cannot have another one taken for it later. Thread-safe.
class cache_directory {
public:
  explicit cache_directory(std::string path) : path_(std::move(path)) {}
  const std::string& path() const noexcept { return path_; }

  /// Null without such a directory. What is open stays so, for the paths that lead through it: those of
  /// loaded libraries, which debuggers follow.
  std::shared_ptr<const owned_descriptor> open();

private:
  const std::string path_;
  std::mutex mutex_; // guards what follows
  std::shared_ptr<const owned_descriptor> opened_;
  dev_t device_ = 0;
  ino_t number_ = 0;
};

/// A directory of entries, which must be the user's and writable by no other user.
owned_descriptor open_shard(const owned_descriptor& cache_directory, const std::string& name);

/// Makes a file \p name of \p directory that holds the parts, one after the other, in place of what is there.
/// It appears when it is complete; on failure, or if the process ends before, nothing is left where the file
/// system knows files without names, and elsewhere one that evict_oldest removes.
bool write_file(const owned_descriptor& directory, const std::string& name,
                std::span<const std::span<const unsigned char>> parts);

/// Removes entries, the oldest mtime first, until the rest take at most \p bytes, and temporary files that
/// no process is writing. Several processes may do so at once.
void evict_oldest(const owned_descriptor& cache_directory, std::uint64_t bytes);

} // namespace falx
