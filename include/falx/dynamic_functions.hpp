// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "falx/kernel.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Functions whose definition a launch chooses (AdaptiveCpp, DYNAMIC_FUNCTIONS). The compiler sees where the
/// program names such a function and puts the address of a function_descriptor in the place of the
/// function's.

/// On a function: its arguments that point to functions have to name them directly. The first \p functions of
/// them are functions to be replaced; the others are definitions, which the device image has to hold.
#if defined(__clang__)
#define FALX_NAMES_FUNCTIONS(functions) [[clang::annotate("falx.names_functions", functions)]]
#else
#define FALX_NAMES_FUNCTIONS(functions)
#endif

namespace falx {

/// One function of device code, by name. The compiler emits it.
struct function_descriptor {
  /// FUNCTION_DESCRIPTOR_MARK; code that falx++ has not seen passes addresses of functions.
  std::uint64_t mark;
  /// Mangled name.
  const char* name;
  /// The image of a translation unit that names the function and, for a definition, holds or imports it.
  image_registration* image;
  /// 1 if the function has internal linkage, so that its name means it in that image only.
  std::uint64_t is_local;
};
constexpr std::uint64_t FUNCTION_DESCRIPTOR_MARK = 0x6E6F6974636E7546;

using any_function = void (*)();

/// A function that the program names also where the compiler puts no descriptor, as in a container.
struct function_address {
  any_function function;
  const function_descriptor* descriptor;
};
extern "C" {
/// Called from static constructors and destructors that the compiler emits.
void falx_register_functions(const function_address* table, std::size_t count) noexcept;
void falx_unregister_functions(const function_address* table) noexcept;
}

/// The descriptor that the compiler put in the place of \p function, or that a table has for its address.
/// Throws errc::invalid if there is none: the file was compiled without falx++, or device code does not have
/// the function. \p interface names what the function was passed to, for the message.
const function_descriptor* descriptor_of(any_function function, const char* interface);

/// Which functions are replaced by which.
class function_replacements;
void retain(function_replacements*) noexcept;
void release(function_replacements*) noexcept;

/// Has calls of \p function call the \p count definitions, one after the other; what was said of \p function
/// before is forgotten. Others that share \p replacements, which may be null, do not see the change. Throws
/// errc::invalid for null pointers.
void replace_function(handle<function_replacements>& replacements, const function_descriptor* function,
                      const function_descriptor* const* definitions, std::size_t count);

class command_group;
/// For the kernel that is launched next; null for none.
void set_function_replacements(command_group& group, function_replacements* replacements);

} // namespace falx
