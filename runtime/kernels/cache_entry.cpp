// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache_entry.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace falx {
namespace {

/// Native byte order: the checksum is wrong anyway on a machine that it is not for.
struct trailer {
  std::uint64_t magic;
  std::uint64_t size;
  /// Of the binary, seeded with half of the key, so that an entry under a wrong name is found out.
  std::uint64_t checksum;
};
static_assert(sizeof(trailer) == TRAILER_BYTES);
constexpr std::uint64_t MAGIC = 0x316E72656B786C66; // "flxkern1"

} // namespace

std::array<unsigned char, TRAILER_BYTES> trailer_of(std::span<const unsigned char> binary,
                                                    const digest128& key) noexcept {
  return std::bit_cast<std::array<unsigned char, TRAILER_BYTES>>(
      trailer{MAGIC, binary.size(), checksum64(binary, key.low)});
}

std::optional<std::size_t> check_entry(std::span<const unsigned char> entry, const digest128& key) noexcept {
  if (entry.size() < sizeof(trailer))
    return std::nullopt;
  const std::size_t size = entry.size() - sizeof(trailer);
  trailer end;
  std::memcpy(&end, entry.data() + size, sizeof end);
  if (end.magic != MAGIC || end.size != size || end.checksum != checksum64(entry.first(size), key.low))
    return std::nullopt;
  return size;
}

} // namespace falx
