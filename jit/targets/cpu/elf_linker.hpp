// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "request/request.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace falx::jit {

/// What becomes a shared object.
struct link_input {
  llvm::ArrayRef<char> code;
  /// Another relocatable object, of data that belongs to the code; may be empty.
  llvm::ArrayRef<char> data;
  /// Symbols that stand for numbers.
  std::vector<std::pair<llvm::StringRef, std::uint64_t>> numbers;
};

/// Links relocatable objects into a shared object with lld, in this process and in memory. Symbols that are
/// left undefined must be those of \p libraries: otherwise fails with a sentence that names them and \p
/// kernel. Thread-safe; the same input and libraries give the same bytes.
llvm::Expected<std::vector<unsigned char>> link_shared_object(const link_input& objects,
                                                              llvm::StringRef kernel,
                                                              llvm::ArrayRef<shared_library> libraries);

} // namespace falx::jit
