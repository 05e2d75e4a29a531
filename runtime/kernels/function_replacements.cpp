// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "function_replacements.hpp"

#include "checksum.hpp"
#include "function_addresses.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace falx {
namespace {

/// Whether two descriptors, which may come from different translation units, mean one function.
bool is_same(const function_descriptor& a, const function_descriptor& b) noexcept {
  return a.is_local == b.is_local && (a.is_local == 0 || a.image == b.image) &&
         std::string_view(a.name) == b.name;
}

void add_to(std::array<std::uint64_t, 2>& digest, const function_descriptor& function) noexcept {
  const auto image = reinterpret_cast<std::uintptr_t>(function.image);
  for (std::uint64_t& half : digest) {
    half =
        checksum64({reinterpret_cast<const unsigned char*>(function.name), std::strlen(function.name)}, half);
    half = checksum64({reinterpret_cast<const unsigned char*>(&image), sizeof(image)}, half);
  }
}

} // namespace

function_replacements::function_replacements(const function_replacements* before, replacement added) {
  if (before != nullptr)
    replacements_ = before->replacements_;
  const auto same = std::ranges::find_if(
      replacements_, [&](const replacement& some) { return is_same(*some.function, *added.function); });
  if (same != replacements_.end())
    *same = std::move(added);
  else
    replacements_.push_back(std::move(added));
  digest_ = {1, 2}; // seeds
  for (const replacement& each : replacements_) {
    add_to(digest_, *each.function);
    const std::uint64_t count = each.definitions.size();
    for (std::uint64_t& half : digest_)
      half = checksum64({reinterpret_cast<const unsigned char*>(&count), sizeof(count)}, half);
    for (const function_descriptor* definition : each.definitions)
      add_to(digest_, *definition);
  }
  digest_[0] |= 1; // 0 says that nothing is replaced
}

bool function_replacements::replaces(std::string_view symbol) const noexcept {
  return std::ranges::any_of(replacements_, [&](const replacement& each) {
    return each.function->is_local == 0 && symbol == each.function->name;
  });
}

void retain(function_replacements* replacements) noexcept {
  replacements->retain_reference();
}
void release(function_replacements* replacements) noexcept {
  replacements->release_reference();
}

const function_descriptor* descriptor_of(any_function function, const char* interface) {
  if (function != nullptr) {
    // Of code that the compiler has not seen, these are the function's first bytes.
    function_descriptor found;
    const auto* const descriptor = reinterpret_cast<const function_descriptor*>(function);
    std::memcpy(&found.mark, &descriptor->mark, sizeof(found.mark));
    if (found.mark == FUNCTION_DESCRIPTOR_MARK)
      return descriptor;
    if (const function_descriptor* const registered = find_function(function))
      return registered;
  }
  throw sycl::exception(sycl::errc::invalid,
                        std::string("sycl::jit::") + interface +
                            ": the compiler has not seen which function this is: compile the file with "
                            "falx++, and name the function where it is passed, such as &my_function, or "
                            "declare it with SYCL_EXTERNAL");
}

void replace_function(handle<function_replacements>& replacements, const function_descriptor* function,
                      const function_descriptor* const* definitions, std::size_t count) {
  function_replacements::replacement added{function, {definitions, definitions + count}};
  if (function == nullptr || std::ranges::find(added.definitions, nullptr) != added.definitions.end())
    throw sycl::exception(sycl::errc::invalid,
                          "sycl::jit::dynamic_function_config: a dynamic_function_id that was constructed "
                          "without a function names none; take it from dynamic_function::id or "
                          "dynamic_function_definition::id");
  replacements =
      handle<function_replacements>::adopt(new function_replacements(replacements.get(), std::move(added)));
}

} // namespace falx
