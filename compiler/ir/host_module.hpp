// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "annotations.hpp"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Constant;
class GlobalVariable;
} // namespace llvm

namespace falx::compiler {

/// Puts the device image into the host module, registers it at program start, gives every kernel its
/// descriptor, and removes the kernel bodies, so that they are not compiled twice. \p constants are the
/// host's specialization_id objects, \p globals its device globals, both in the order of the image's
/// metadata.
void rewrite_host_module(llvm::Module& host, const device_annotations& annotations, llvm::StringRef image,
                         llvm::ArrayRef<llvm::Function*> imports, llvm::ArrayRef<llvm::Constant*> constants,
                         llvm::ArrayRef<llvm::Constant*> globals);

/// Has functions of the runtime called with \p object, before every constructor of the user and behind every
/// destructor, each from a function of that name.
void register_object(llvm::Module& host, llvm::GlobalVariable* object, llvm::StringRef registrar,
                     llvm::StringRef runtime_function, llvm::StringRef unregistrar,
                     llvm::StringRef ending_runtime_function);

} // namespace falx::compiler
