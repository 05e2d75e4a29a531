// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace falx::driver {

/// Precompiled headers on disk, for all compilers of a user that run at once, in a directory in which nobody
/// else can write. One is a file NAME.pch, and beside it
///   NAME.files     what it was made of: the key, then size, time and path of each header. Its own time is
///                  that of the last use.
///   NAME.wanted    somebody could have used it.
///   NAME.making    somebody makes it.
///   NAME.unusable  it could not be made.
/// Files appear by rename. What is evicted was not used for a while, so that no compiler is about to read it.
class header_store {
public:
  /// \p key is all that the header depends on, except the files that it includes.
  header_store(std::filesystem::path directory, std::string key);

  /// The header's path, if it is there and the files that it was made of are what they were. A use.
  std::optional<std::string> find() const;

  /// Whether the caller is to make it: not the first who would use it, nobody else makes it, and there is
  /// room. Who is told so calls make.
  bool is_to_be_made() const;

  /// Runs \p command, which gets -o and where dependencies go, then \p check, which gets -include-pch. The
  /// header's path, if both succeed.
  std::optional<std::string> make(std::vector<std::string> command, std::vector<std::string> check) const;

private:
  std::filesystem::path file(const char* suffix) const { return directory_ / (name_ + suffix); }
  bool is_current() const;
  bool has_room() const;

  const std::filesystem::path directory_;
  const std::string key_;
  const std::string name_;
};

} // namespace falx::driver
