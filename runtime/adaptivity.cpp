// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adaptivity.hpp"

#include "sycl/exception.hpp"

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

namespace falx {
namespace {

adaptivity read_level() {
  const char* const setting = std::getenv("FALX_ADAPTIVITY");
  if (setting == nullptr || *setting == '\0')
    return adaptivity::requested;
  const std::string_view text(setting);
  unsigned level = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (failure != std::errc() || end != text.data() + text.size())
    throw sycl::exception(sycl::errc::invalid, "the environment variable FALX_ADAPTIVITY=" +
                                                   std::string(text) + " is no level; write 0, 1 or 2");
  return level == 0 ? adaptivity::off : level == 1 ? adaptivity::requested : adaptivity::automatic;
}

} // namespace

adaptivity adaptivity_level() {
  static const adaptivity level = read_level();
  return level;
}

} // namespace falx
