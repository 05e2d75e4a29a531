// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/property_list.hpp"

#include "sycl/exception.hpp"

#include <string>
#include <string_view>

namespace sycl::detail {

void throw_missing_property(const char* key) {
  // The key is the signature of property_key<T>: "... [T = sycl::property::queue::in_order]".
  std::string_view name = key;
  if (const auto begin = name.rfind("[T = "); begin != std::string_view::npos && name.ends_with(']'))
    name = name.substr(begin + 5, name.size() - begin - 6);
  throw exception(make_error_code(errc::invalid),
                  "get_property was called for property " + std::string(name) +
                      ", which the object was not constructed with; ask has_property first");
}

} // namespace sycl::detail
