// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/compiled_target.hpp"
#include "checksum.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Kernels that were compiled ahead of time, as they stand in a program: lines of text, then entries of the
/// kernel cache (cache_entry.hpp).
///
///   falx kernels 1
///   size of all in bytes
///   code_identity()
///   jit_identity()
///   number of targets, and a line for each: name, jit_target, cpu, host, sub_group_size
///   number of kernels, and a line for each: key, number of its target, offset and size of its entry, what is
///     known of launches, name
///
/// Fields are separated by tabs. Entries begin behind the last line, at offset 0; several kernels may share
/// one.

namespace falx {

/// Names what decides which code is made of a kernel, and how the runtime calls it: the sources of the JIT,
/// of the image and of the interface between them and the runtime, LLVM and how they were built. Known
/// without the JIT, unlike jit_identity.
std::string_view code_identity() noexcept;

struct compiled_kernel {
  digest128 key;
  std::size_t target = 0;
  /// Of the entry, behind the text.
  std::size_t offset = 0, size = 0;
  std::string_view configuration;
  std::string_view name;
};

/// Views are of the bytes that were parsed.
struct compiled_bundle {
  std::string_view code_identity, jit_identity;
  std::vector<compiled_target> targets;
  /// In the order of their keys.
  std::vector<compiled_kernel> kernels;
  std::span<const unsigned char> entries;

  const compiled_kernel* find(const digest128& key, std::size_t target) const noexcept;
  /// The binary of an entry, if it is intact.
  std::optional<std::span<const unsigned char>> binary_of(const compiled_kernel& kernel) const noexcept;
  /// Whether this build of Falx uses its code.
  bool is_usable() const;
};

/// Trusts no byte. Nothing, and a sentence in \p error, if they are no bundle.
std::optional<compiled_bundle> parse_bundle(std::span<const unsigned char> bytes, std::string& error);

/// Gathers kernels for a bundle of this build.
class bundle_writer {
public:
  explicit bundle_writer(std::vector<compiled_target> targets) : targets_(std::move(targets)) {}
  bool has(const digest128& key) const noexcept;
  bool empty() const noexcept { return rows_.empty(); }
  void add(const digest128& key, std::size_t target, std::string configuration, std::string name,
           std::span<const unsigned char> binary);
  std::vector<unsigned char> finish() const;

private:
  struct row {
    digest128 key;
    std::size_t target, offset, size;
    std::string configuration, name;
  };
  const std::vector<compiled_target> targets_;
  std::vector<row> rows_;
  std::vector<unsigned char> entries_;
};

} // namespace falx
