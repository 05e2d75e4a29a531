// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace falx {

/// Which devices a program sees, by the user's choice in the environment. Terms are separated by semicolons:
///
///   cuda:0        the first device of a backend       cpu           a backend or a type of device
///   cuda:0,1      several                             *:gpu         a type of device of any backend
///   !cuda         all but those                       cuda:*        all of a backend
///
/// A device is visible if a term matches it, or all terms start with '!', and no term with '!' matches it.
/// Backends that the machine does not have, or that other implementations of SYCL have, match nothing.
class device_filter {
public:
  /// Admits all.
  device_filter() = default;
  /// \p origin is where the text comes from, for messages: "FALX_DEVICE_SELECTOR=cuda:0". Throws
  /// std::invalid_argument, with a sentence, if the text makes no sense.
  explicit device_filter(std::string_view text, std::string origin = {});

  /// \p index counts the devices of the backend.
  bool admits(std::string_view backend, const device_description& device, std::size_t index) const;

  /// Empty if there is no choice.
  const std::string& origin() const noexcept { return origin_; }

private:
  struct term {
    bool excludes = false;
    std::string backend;
    std::vector<std::string> devices;
  };
  static term parse_term(std::string_view text);
  static bool matches(const term& candidate, std::string_view backend, const device_description& device,
                      std::size_t index);

  std::string origin_;
  std::vector<term> terms_;
};

} // namespace falx
