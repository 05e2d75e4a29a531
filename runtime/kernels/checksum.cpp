// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checksum.hpp"

// Inlined, so that starting a program does not load one more library.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace falx {

std::string digest128::hex() const {
  constexpr char DIGITS[] = "0123456789abcdef";
  std::string text;
  for (std::uint64_t half : {high, low})
    for (int shift = 60; shift >= 0; shift -= 4)
      text += DIGITS[(half >> shift) & 0xF];
  return text;
}

digest_builder& digest_builder::add(std::string_view text) {
  add(text.size());
  fields_ += text;
  return *this;
}

digest_builder& digest_builder::add(std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8)
    fields_ += static_cast<char>(number >> shift);
  return *this;
}

digest128 digest_builder::finish() const {
  const XXH128_hash_t hash = XXH3_128bits(fields_.data(), fields_.size());
  return {hash.high64, hash.low64};
}

digest128 digest_of(std::span<const unsigned char> bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::uint64_t checksum64(std::span<const unsigned char> bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

} // namespace falx
