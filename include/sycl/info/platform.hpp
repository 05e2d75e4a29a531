// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <string>
#include <vector>

/// \file
/// Descriptors for platform::get_info (SYCL 2020 §4.6.2.4).

namespace sycl::info::platform {

struct version {
  using return_type = std::string;
};
struct name {
  using return_type = std::string;
};
struct vendor {
  using return_type = std::string;
};
/// SYCL 1.2.1's.
struct profile {
  using return_type = std::string;
};
/// Deprecated: ask a device for info::device::aspects.
struct extensions {
  using return_type = std::vector<std::string>;
};

} // namespace sycl::info::platform
