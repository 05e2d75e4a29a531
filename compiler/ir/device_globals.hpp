// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "annotations.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace falx::compiler {

/// A device global of the translation unit, used by device code or not.
struct device_global {
  /// In the host module; the device's has the same name.
  llvm::GlobalVariable* variable;
  bool image_scope = false;
  bool used_by_exports = false;
  /// The host's functions.
  llvm::SmallVector<const llvm::Function*> kernels;
};

bool is_device_global(const llvm::GlobalVariable& variable);

/// The device globals that the host module defines or refers to, in the order of their names.
llvm::SmallVector<llvm::GlobalVariable*> device_globals_of(llvm::Module& host);

/// Those that the module defines or that the device module uses, and who may use them there.
llvm::SmallVector<device_global> find_device_globals(llvm::Module& device,
                                                     llvm::ArrayRef<llvm::GlobalVariable*> host_globals,
                                                     const device_annotations& annotations);

} // namespace falx::compiler
