// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace falx {

/// How much kernels are fitted to what they are launched with: FALX_ADAPTIVITY, read once.
enum class adaptivity {
  /// 0: one version for all captured values.
  off,
  /// 1, the default: versions by the values of sycl::specialized objects, the sizes of local accessors, and
  /// which pointers and accessors lead to different memory.
  requested,
  /// 2: also by whatever launches have in common (learned_launches.hpp).
  automatic,
};

/// Throws as the_environment does (diagnostics/environment.hpp); not where there is a device.
adaptivity adaptivity_level();

} // namespace falx
