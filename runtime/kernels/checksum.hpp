// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace falx {

/// 128 bits that identify what was hashed.
struct digest128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const digest128&, const digest128&) = default;

  /// 32 lower-case hex digits, high half first.
  std::string hex() const;
};

/// Collects fields and hashes them with XXH3. Fields keep their borders: ("ab", "c") differs from ("a",
/// "bc").
class digest_builder {
public:
  digest_builder& add(std::string_view text);
  digest_builder& add(std::uint64_t number);
  digest128 finish() const;

private:
  std::string fields_;
};

/// XXH3-128 of \p bytes.
digest128 digest_of(std::span<const unsigned char> bytes) noexcept;

/// XXH3-64 of \p bytes.
std::uint64_t checksum64(std::span<const unsigned char> bytes, std::uint64_t seed) noexcept;

} // namespace falx
