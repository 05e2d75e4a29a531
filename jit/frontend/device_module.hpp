// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <memory>

namespace falx::jit {

/// The part of the only image that the request is about (part_of_image); an empty one if there is none. The
/// request with it in place of the image, without identity, is compiled to the same code.
image_part part_for(const request& request);

/// Links what \p kernel reaches out of the bitcode of several images into one module, leaving the rest of
/// each image unread, and gives the variables behind specialization constants their values, those not in
/// request.constants their default values. Device globals become variables that lower_device_globals knows.
/// Calls of request.functions become calls of their definitions. Everything but the kernel becomes internal.
/// Fails with a sentence that names the image's defect, or the kernel if no image defines it. Symbols that
/// stay undefined are the linker's to judge: they may be the C library's.
llvm::Expected<std::unique_ptr<llvm::Module>> load_device_module(llvm::LLVMContext& context,
                                                                 llvm::ArrayRef<llvm::StringRef> bitcode,
                                                                 const request& request,
                                                                 llvm::StringRef kernel);

} // namespace falx::jit
