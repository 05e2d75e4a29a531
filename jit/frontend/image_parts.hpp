// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace falx::jit {

/// What \p symbols reach of the image, as bitcode of its own; symbols that the image lacks are left out. So
/// the kernels of an image do not each read all of it: from its second kernel on, the image is kept, parsed,
/// for as long as it is among those that were used last. None for an image without an identity, for its first
/// kernel, for small ones, and where a part could differ from what the image says (debug information, taken
/// addresses of blocks). Thread-safe.
image_part part_of_image(const identified_bytes& image, llvm::ArrayRef<llvm::StringRef> symbols);

} // namespace falx::jit
