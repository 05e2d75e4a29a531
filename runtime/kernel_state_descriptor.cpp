// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "sycl/exception.hpp"

#include <string>
#include <string_view>

namespace falx {
namespace {

/// The kernel's type in the text of a __PRETTY_FUNCTION__ like "… f() [Kernel = T, Other = U]" (Clang) or
/// "… f() [with Kernel = T; Other = U]" (GCC): the first argument. Other text is returned as it is.
std::string_view kernel_type(std::string_view text) {
  const std::size_t list = text.find('[');
  const std::size_t begin = text.find(" = ", list == std::string_view::npos ? text.size() : list);
  if (begin == std::string_view::npos || !text.ends_with(']'))
    return text;
  std::string_view type = text.substr(begin + 3);
  type.remove_suffix(1);
  int depth = 0; // of brackets inside the type, whose commas are its own
  for (std::size_t i = 0; i < type.size(); ++i) {
    const char c = type[i];
    if (c == '(' || c == '<' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == '>' || c == ']' || c == '}')
      --depth;
    else if (depth == 0 && (c == ',' || c == ';'))
      return type.substr(0, i);
  }
  return type;
}

} // namespace

extern "C" const kernel_descriptor* falx_kernel_descriptor_of(void (*)(const void*),
                                                              const char* pretty_name) {
  const std::string_view name = pretty_name != nullptr ? kernel_type(pretty_name) : "(unnamed)";
  throw sycl::exception(
      sycl::errc::kernel_not_supported,
      "kernel '" + std::string(name) +
          "' has no device code: compile this file with falx++, not with the host compiler");
}

} // namespace falx
