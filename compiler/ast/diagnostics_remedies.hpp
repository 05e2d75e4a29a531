// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
class QualType;
class Sema;
} // namespace clang

/// \file
/// What to write instead of what devices cannot do: the halves of sentences behind the semicolon.

namespace falx::compiler {

struct copy_obstacle;
enum class restriction : unsigned char;

/// For what a kernel cannot take along.
std::string remedy_for_capture(const copy_obstacle& obstacle);

/// For a call of a library function that does \p what.
std::string remedy_for_library_function(restriction what, const clang::FunctionDecl& function);

/// For output: sycl::stream, and what else the program could call where it stands.
std::string remedy_for_output(clang::Sema& sema);

/// True for classes of namespace sycl, which stand for something on the host: queues and buffers, say.
bool is_host_object(clang::QualType type);

} // namespace falx::compiler
