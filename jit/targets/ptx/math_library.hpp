// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <string>

namespace falx::jit {

/// The architecture from which on GPUs have an instruction for tanh of floats that may be approximated.
constexpr unsigned HAS_APPROXIMATE_TANH = 75;

/// libdevice or libclc, read as far as it is needed: functions of <math.h> for float and double under the
/// library's names.
class math_library {
public:
  /// \p bitcode lives at least as long as the library.
  static llvm::Expected<math_library> open(llvm::Module& module, llvm::StringRef bitcode);

  /// Of the function whose name for double in <math.h> is \p name. Null if the library has no such function.
  /// Signatures are those of <math.h>; sincos stores both results.
  llvm::Value* call(llvm::StringRef name, llvm::ArrayRef<llvm::Value*> operands, llvm::Type* result,
                    llvm::IRBuilder<>& builder);
  /// Puts the functions that were called into the module, to be inlined. The library's questions about its
  /// target are answered for an architecture \p sm, and by whether the kernel takes denormal floats for 0.
  llvm::Error link(unsigned sm, bool flushes_denormals);

private:
  math_library(llvm::Module& module, std::unique_ptr<llvm::Module> library);

  std::string symbol(llvm::StringRef name, llvm::Type* type) const;
  llvm::Value* call_with_pointer_to_cosine(llvm::ArrayRef<llvm::Value*> operands, llvm::IRBuilder<>& builder);

  llvm::Module* module_;
  std::unique_ptr<llvm::Module> library_;
  bool is_libdevice_;
  bool called_ = false;
};

} // namespace falx::jit
