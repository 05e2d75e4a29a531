// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/kernel.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace falx {
namespace {

/// Takes the first template argument off \p arguments, which are "Name = T, …" (Clang) or "Name = T; …"
/// (GCC), and gives back its value.
std::string_view take_argument(std::string_view& arguments) {
  int depth = 0; // of brackets, whose commas belong to the value
  std::size_t end = 0;
  for (; end < arguments.size(); ++end) {
    const char c = arguments[end];
    if (c == '(' || c == '<' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == '>' || c == ']' || c == '}')
      --depth;
    else if (depth == 0 && (c == ',' || c == ';'))
      break;
  }
  const std::string_view argument = arguments.substr(0, end);
  arguments.remove_prefix(std::min(end + 1, arguments.size()));
  const std::size_t equals = argument.find(" = ");
  return equals == std::string_view::npos ? argument : argument.substr(equals + 3);
}

/// What to call the kernel, from the __PRETTY_FUNCTION__ of sycl::detail::launch_kernel: its name, which is
/// the first template argument, or, if it has none, the type of its function object, which is the last. Text
/// of another form is returned as it is.
std::string_view displayed_name(std::string_view text) {
  const std::size_t begin = text.find('[');
  if (begin == std::string_view::npos || !text.ends_with(']'))
    return text;
  std::string_view arguments = text.substr(begin + 1, text.size() - begin - 2);
  std::string_view name = take_argument(arguments);
  if (name.find("unnamed_kernel") != std::string_view::npos)
    while (!arguments.empty())
      name = take_argument(arguments);
  return name;
}

} // namespace

extern "C" const kernel_descriptor* falx_kernel_descriptor_of(void (*)(const void*), const char* pretty_name,
                                                              const kernel_name*) {
  const std::string_view name = pretty_name != nullptr ? displayed_name(pretty_name) : "(unnamed)";
  throw sycl::exception(
      sycl::errc::kernel_not_supported,
      "kernel '" + std::string(name) +
          "' has no device code: compile this file with falx++, not with the host compiler");
}

} // namespace falx
