// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "checksum.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace falx {

/// Compiled kernels on disk, shared by all processes of a user.
///
/// An entry is a file <directory>/<2 hex digits>/<30 hex digits>.kernel named by its key: the binary, so that
/// it can be loaded from where it lies, and behind it a trailer with length and checksum. Entries appear by
/// rename, are never changed, and may vanish at any time. Nothing here fails: a cache that cannot be read or
/// written is an empty one, and the process says why on standard error, once. Thread-safe.
class kernel_cache {
public:
  struct entry {
    std::string path;
    /// Bytes of the file that are the binary; the trailer follows.
    std::size_t size = 0;
  };

  /// An empty \p directory or a \p capacity of 0 bytes makes a cache that is always empty. Touches no file.
  kernel_cache(std::string directory, std::uint64_t capacity);

  /// The process's cache, as the environment says (falx/cache.hpp).
  static kernel_cache& instance();

  const std::string& directory() const noexcept { return directory_; }

  /// The entry of \p key, if it is there, is the user's own and has the right checksum. Counts as a use.
  std::optional<entry> find(const digest128& key) const;

  /// The binary of an entry that was just found; nothing if it is gone.
  static std::vector<unsigned char> read(const entry& found);

  /// Writes an entry, replacing what is there, and now and then evicts others. Nothing if that did not work,
  /// which is reported.
  std::optional<entry> store(const digest128& key, std::span<const unsigned char> binary) const;

  /// Removes the entries whose last use is longest ago until the rest take 7/8 of the capacity, and what
  /// crashed processes left behind.
  void evict() const;

private:
  std::optional<entry> try_to_store(const digest128& key, std::span<const unsigned char> binary) const;

  std::string directory_;
  std::uint64_t capacity_;
};

} // namespace falx
