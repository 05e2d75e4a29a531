// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "annotations.hpp"
#include "device_module.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace falx::compiler {

/// A specialization_id that device code reads.
struct device_constant {
  /// In the device module; the host's has the same name.
  llvm::GlobalVariable* variable;
  bool read_by_exports = false;
  /// The host's functions.
  llvm::SmallVector<const llvm::Function*> kernels;
};

/// Calls \p visit for the device module's copy of every kernel and SYCL_EXTERNAL definition, with the host's
/// function and all that the copy reaches.
void visit_roots(
    llvm::Module& device, const device_annotations& annotations,
    llvm::function_ref<void(const llvm::Function& root, bool is_kernel, const global_set& reached)> visit);

/// The specialization constants of a device module, and who may read them.
llvm::SmallVector<device_constant> find_constants(llvm::Module& device,
                                                  const device_annotations& annotations);

} // namespace falx::compiler
