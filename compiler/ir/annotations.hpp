// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace falx::compiler {

/// What the entry's annotation `falx.kernel` says.
struct kernel_annotation {
  std::uint32_t kind = 0;
  std::uint32_t dimensions = 1;
};

/// The functions of a module that matter to device code, in module order.
struct device_annotations {
  llvm::MapVector<llvm::Function*, kernel_annotation> kernels;
  /// Functions marked SYCL_EXTERNAL: definitions and declarations.
  llvm::SetVector<llvm::Function*> externals;
  /// What [[sycl::device_has]] lists on functions: numbers of sycl::aspect.
  llvm::MapVector<llvm::Function*, llvm::SmallVector<std::uint32_t, 2>> declared_aspects;
  /// Functions whose calls may be for other devices than the kernel's (if_device_has): "falx.optional".
  llvm::SetVector<llvm::Function*> optional_code;
  /// Functions that the program names as dynamic ones or as their definitions.
  llvm::SmallVector<llvm::Function*> dynamic_functions;
};

/// Reads the `falx.*` entries of llvm.global.annotations and takes them out; the user's own entries stay.
device_annotations take_device_annotations(llvm::Module& host);

} // namespace falx::compiler
