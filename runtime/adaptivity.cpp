// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adaptivity.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace falx {
namespace {

adaptivity read_level() noexcept {
  const char* const setting = std::getenv("FALX_ADAPTIVITY");
  if (setting == nullptr)
    return adaptivity::requested;
  const std::string_view text(setting);
  unsigned level = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (failure != std::errc() || end != text.data() + text.size())
    return adaptivity::requested;
  return level == 0 ? adaptivity::off : adaptivity::requested;
}

} // namespace

adaptivity adaptivity_level() noexcept {
  static const adaptivity level = read_level();
  return level;
}

} // namespace falx
