// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace falx::compiler {

// Gives functions that tell where accessors lie in a host task's callable their body. Says whether there were
// any.
bool tell_host_task_accessors(llvm::Module& host);

} // namespace falx::compiler
