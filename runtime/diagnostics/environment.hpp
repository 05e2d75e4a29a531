// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "adaptivity/adaptivity.hpp"
#include "backends/cpu/cpu_target.hpp"
#include "devices/device_filter.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// \file
/// What users set for Falx by environment variables. No other file of the runtime or the JIT reads the
/// environment (tests/compiler/environment/one-reader.test sees to that); a new variable is a member here and
/// a line in environment_table.cpp, from which parsing, messages, falx-info's list and the test of
/// docs/usage.md follow.

namespace falx {

/// How a thread waits for the last command of a CUDA stream.
enum class cuda_wait {
  /// It polls the driver before it sleeps.
  poll,
  /// The driver waits, however long it takes: for comparisons.
  synchronize,
};

/// How much is done for the code of kernels.
enum class code_tier {
  /// Little, where a launch is over sooner so; better code follows for what runs long or often.
  automatic,
  quick,
  best,
};

/// The environment as values. The names of the variables, what they take and what holds if they are not set
/// are in environment_table.cpp.
struct environment {
  /// FALX_DEVICE_SELECTOR, else ONEAPI_DEVICE_SELECTOR.
  device_filter devices;

  /// FALX_CACHE.
  bool keeps_kernels = false;
  /// FALX_CACHE_DIR, as an absolute path; empty: no kernels are kept.
  std::optional<std::string> cache_directory;
  /// FALX_CACHE_SIZE, in bytes.
  std::uint64_t cache_size = 0;
  /// XDG_CACHE_HOME and HOME; empty if they are no absolute paths.
  std::string caches_directory, home_directory;

  /// FALX_AOT: kernels that were compiled ahead of time are used.
  bool uses_compiled_kernels = false;

  /// FALX_AHEAD: idle processors compile kernels that are going to be launched.
  bool compiles_ahead = false;

  /// FALX_TIER.
  falx::code_tier code_tier = falx::code_tier::automatic;

  /// FALX_ADAPTIVITY.
  falx::adaptivity adaptivity = falx::adaptivity::off;

  /// FALX_CPU.
  cpu_target cpu;
  /// FALX_SIMD: sub-group size of kernels on the CPU that demand none; 0: as many 32-bit values as a vector
  /// register holds.
  std::uint32_t sub_group_size = 0;
  /// FALX_SIMD_REPORT.
  bool reports_scalar_kernels = false;
  /// FALX_CRASH_REPORT.
  bool reports_crashes = false;
  /// FALX_VERIFY.
  bool verifies_kernels = false;

  /// FALX_CUDA_DRIVER: a path, or a name that the loader looks for.
  std::string cuda_driver;
  /// FALX_CUDA_TRACE.
  bool explains_absent_cuda = false;
  /// FALX_CUDA_OVERLAP.
  bool cuda_kernels_overlap = false;
  /// FALX_CUDA_WAIT.
  falx::cuda_wait cuda_wait = falx::cuda_wait::poll;
  /// FALX_LIBDEVICE: a file; empty if that of a CUDA toolkit is meant.
  std::string libdevice;
  /// CUDA_HOME and CUDA_PATH; empty if they are no absolute paths.
  std::string cuda_home, cuda_path;

  /// LD_LIBRARY_PATH, as the dynamic linker read it.
  std::string library_path;

  /// A user with fewer rights than the program has may have started it (set-user-id, set-group-id, file
  /// capabilities). Then nothing of the environment holds, and nothing is kept on disk.
  bool is_privileged = false;
};

/// The environment of this process, read when this is called for the first time: the first use of the
/// runtime, as looking for devices needs it. Unknown variables that begin with FALX_ are reported on
/// standard error then. Throws sycl::exception with errc::invalid, each time, if a variable is wrong: the
/// sentence names all that are. So what has a device can be sure that this does not throw. Thread-safe.
const environment& the_environment();

} // namespace falx
