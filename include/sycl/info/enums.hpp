// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// \file
/// Enumerations that information queries return (SYCL 2020 §4.6.4.7).

namespace sycl::info {

enum class device_type {
  cpu,
  gpu,
  accelerator,
  custom,
  /// The default device of each platform.
  automatic,
  /// Deprecated: SYCL 2020 has no host device, so nothing is of this type.
  host,
  all
};

enum class partition_property {
  no_partition,
  partition_equally,
  partition_by_counts,
  partition_by_affinity_domain
};

enum class partition_affinity_domain {
  not_applicable,
  numa,
  L4_cache,
  L3_cache,
  L2_cache,
  L1_cache,
  next_partitionable
};

enum class local_mem_type { none, local, global };

enum class fp_config {
  denorm,
  inf_nan,
  round_to_nearest,
  round_to_zero,
  round_to_inf,
  fma,
  /// Deprecated by SYCL 2020.
  correctly_rounded_divide_sqrt,
  soft_float
};

enum class global_mem_cache_type { none, read_only, read_write };

/// Deprecated by SYCL 2020.
enum class execution_capability { exec_kernel, exec_native_kernel };

} // namespace sycl::info
