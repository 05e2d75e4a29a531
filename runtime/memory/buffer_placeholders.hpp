// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Placeholder accessors are plain bytes, so what they stand for is kept here, by number, while their buffer
/// lives.

namespace falx {

/// What a placeholder stands for.
struct placeholder {
  handle<buffer_state> buffer;
  access_request request;
};

/// A number that no other accessor of the process has.
std::uint64_t new_requirement_number() noexcept;

/// Gives the placeholder's number. Thread-safe, as is what follows.
std::uint64_t insert_placeholder(buffer_state& buffer, const access_request& request);
/// Throws errc::invalid if there is no such placeholder, or no longer.
placeholder find_placeholder(std::uint64_t id);
void erase_placeholders(const std::vector<std::uint64_t>& ids) noexcept;

} // namespace falx
