// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device.hpp"
#include "sycl/feature_test.hpp"

#include <string>
#include <vector>

namespace sycl::ext::oneapi {

/// A device selector (sycl_ext_oneapi_filter_selector) for "backend:device_type:number", of which any part
/// but one may be missing, and for several of these separated by commas, of which the first that names a
/// device counts. The number counts the devices that the other parts name. Backends are cpu, cuda and those
/// of other implementations, which Falx has no devices of; device types are cpu, gpu and accelerator. Throws
/// errc::runtime for a filter that is spelled otherwise.
class filter_selector {
public:
  filter_selector(const std::string& filter);
  /// Negative for devices that no filter names.
  int operator()(const device& dev) const;
  /// Throws errc::runtime if no device is named.
  device select_device() const;

private:
  std::vector<device> named_;
  std::string filter_;
};

} // namespace sycl::ext::oneapi

namespace sycl::ONEAPI {
using ext::oneapi::filter_selector;
} // namespace sycl::ONEAPI
