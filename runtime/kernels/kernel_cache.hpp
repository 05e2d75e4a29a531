// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "checksum.hpp"
#include "kernel_cache_files.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace falx {

/// Compiled kernels on disk, shared by all processes of a user.
///
/// An entry is a file <directory>/<2 hex digits>/<30 hex digits>.kernel named by its key: the binary, so that
/// it can be loaded from where it lies, and behind it a trailer with length and checksum. Entries appear by
/// link or rename, are never changed, and may vanish at any time. Nothing here fails: a cache that cannot be
/// read or written is an empty one, and the process says why on standard error, once. Thread-safe.
///
/// Only the user (and root) can have anything in the cache taken for an entry: a file, the directory
/// that it is in, and the cache's directory are opened each in the one before, and looked at once they are
/// open.
class kernel_cache {
public:
  /// A file whose beginning is the binary.
  struct entry {
    /// Leads through the cache's directory as it was opened, so that it means that file, whatever becomes of
    /// the directories above.
    std::string path;
    /// Open as long as the path is to be used.
    std::shared_ptr<const owned_descriptor> directory;
  };

  /// An empty \p directory or a \p capacity of 0 bytes makes a cache that is always empty. Touches no file.
  kernel_cache(std::string directory, std::uint64_t capacity);

  /// The process's cache, as the environment says (falx/cache.hpp).
  static kernel_cache& instance();

  const std::string& directory() const noexcept { return directory_.path(); }

  /// The entry of \p key, if it is there, is the user's own and has the right checksum. Counts as a use.
  std::optional<entry> find(const digest128& key);

  /// The binary of such an entry, the very bytes that have the right checksum. Counts as a use.
  std::vector<unsigned char> read(const digest128& key);

  /// Writes an entry, replacing what is there, and now and then evicts others. Nothing if that did not work,
  /// which is reported.
  std::optional<entry> store(const digest128& key, std::span<const unsigned char> binary);

  /// Removes the entries whose last use is longest ago until the rest take 7/8 of the capacity, and what
  /// crashed processes left behind.
  void evict();

private:
  std::optional<entry> try_to_store(const digest128& key, std::span<const unsigned char> binary);
  std::shared_ptr<const owned_descriptor> open() {
    return directory_.path().empty() ? nullptr : directory_.open();
  }
  static entry entry_in(std::shared_ptr<const owned_descriptor> directory, const digest128& key);

  cache_directory directory_;
  const std::uint64_t capacity_;
};

/// The process's cache; an empty one if it is not known which JIT would make the kernels, or has made them.
kernel_cache& usable_kernel_cache();

} // namespace falx
