// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "checksum.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

/// \file
/// What a compiled kernel is on disk and in programs: the binary, and behind it a trailer by which a damaged
/// one, or one under a wrong key, is found out.

namespace falx {

constexpr std::size_t TRAILER_BYTES = 24;

/// What stands behind \p binary in the entry of \p key.
std::array<unsigned char, TRAILER_BYTES> trailer_of(std::span<const unsigned char> binary,
                                                    const digest128& key) noexcept;

/// Says whether the bytes are an intact entry of \p key, and how long its binary is, with which it begins.
std::optional<std::size_t> check_entry(std::span<const unsigned char> entry, const digest128& key) noexcept;

} // namespace falx
