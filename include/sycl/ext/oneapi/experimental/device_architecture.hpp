// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_architecture.hpp"
#include "falx/device_builtins.hpp"

#include <cstdint>

/// \file
/// SYCL extension sycl_ext_oneapi_device_architecture: code for kinds of devices. The answer is a constant
/// when a kernel is compiled, which is when it is first launched, so branches for other devices cost nothing;
/// no special target needs to be named when the program is compiled.

namespace sycl::ext::oneapi::experimental {

/// By the compiler's names. Falx has devices of x86_64 and of nvidia_gpu_*; what has no name here is unknown.
enum class architecture : std::uint32_t {
  unknown = falx::UNKNOWN_ARCHITECTURE,
  x86_64 = falx::X86_64_ARCHITECTURE,
  intel_gpu_bdw = falx::INTEL_GPU_ARCHITECTURES + 1,
  intel_gpu_skl = falx::INTEL_GPU_ARCHITECTURES + 2,
  intel_gpu_kbl = falx::INTEL_GPU_ARCHITECTURES + 3,
  intel_gpu_cfl = falx::INTEL_GPU_ARCHITECTURES + 4,
  intel_gpu_apl = falx::INTEL_GPU_ARCHITECTURES + 5,
  intel_gpu_glk = falx::INTEL_GPU_ARCHITECTURES + 6,
  intel_gpu_whl = falx::INTEL_GPU_ARCHITECTURES + 7,
  intel_gpu_aml = falx::INTEL_GPU_ARCHITECTURES + 8,
  intel_gpu_cml = falx::INTEL_GPU_ARCHITECTURES + 9,
  intel_gpu_icllp = falx::INTEL_GPU_ARCHITECTURES + 10,
  intel_gpu_ehl = falx::INTEL_GPU_ARCHITECTURES + 11,
  intel_gpu_tgllp = falx::INTEL_GPU_ARCHITECTURES + 12,
  intel_gpu_rkl = falx::INTEL_GPU_ARCHITECTURES + 13,
  intel_gpu_adl_s = falx::INTEL_GPU_ARCHITECTURES + 14,
  intel_gpu_rpl_s = falx::INTEL_GPU_ARCHITECTURES + 15,
  intel_gpu_adl_p = falx::INTEL_GPU_ARCHITECTURES + 16,
  intel_gpu_adl_n = falx::INTEL_GPU_ARCHITECTURES + 17,
  intel_gpu_dg1 = falx::INTEL_GPU_ARCHITECTURES + 18,
  intel_gpu_acm_g10 = falx::INTEL_GPU_ARCHITECTURES + 19,
  intel_gpu_acm_g11 = falx::INTEL_GPU_ARCHITECTURES + 20,
  intel_gpu_acm_g12 = falx::INTEL_GPU_ARCHITECTURES + 21,
  intel_gpu_pvc = falx::INTEL_GPU_ARCHITECTURES + 22,
  intel_gpu_pvc_vg = falx::INTEL_GPU_ARCHITECTURES + 23,
  intel_gpu_mtl_u = falx::INTEL_GPU_ARCHITECTURES + 24,
  intel_gpu_mtl_s = falx::INTEL_GPU_ARCHITECTURES + 25,
  intel_gpu_arl_u = falx::INTEL_GPU_ARCHITECTURES + 26,
  intel_gpu_arl_s = falx::INTEL_GPU_ARCHITECTURES + 27,
  intel_gpu_mtl_h = falx::INTEL_GPU_ARCHITECTURES + 28,
  intel_gpu_arl_h = falx::INTEL_GPU_ARCHITECTURES + 29,
  intel_gpu_bmg_g21 = falx::INTEL_GPU_ARCHITECTURES + 30,
  intel_gpu_lnl_m = falx::INTEL_GPU_ARCHITECTURES + 31,
  intel_gpu_8_0_0 = intel_gpu_bdw,
  intel_gpu_9_0_9 = intel_gpu_skl,
  intel_gpu_9_1_9 = intel_gpu_kbl,
  intel_gpu_9_2_9 = intel_gpu_cfl,
  intel_gpu_9_3_0 = intel_gpu_apl,
  intel_gpu_9_4_0 = intel_gpu_glk,
  intel_gpu_9_5_0 = intel_gpu_whl,
  intel_gpu_9_6_0 = intel_gpu_aml,
  intel_gpu_9_7_0 = intel_gpu_cml,
  intel_gpu_11_0_0 = intel_gpu_icllp,
  intel_gpu_12_0_0 = intel_gpu_tgllp,
  intel_gpu_12_10_0 = intel_gpu_dg1,
  intel_gpu_jsl = intel_gpu_ehl,
  intel_gpu_dg2_g10 = intel_gpu_acm_g10,
  intel_gpu_dg2_g11 = intel_gpu_acm_g11,
  intel_gpu_dg2_g12 = intel_gpu_acm_g12,
  nvidia_gpu_sm_50 = falx::NVIDIA_GPU_ARCHITECTURES + 50,
  nvidia_gpu_sm_52 = falx::NVIDIA_GPU_ARCHITECTURES + 52,
  nvidia_gpu_sm_53 = falx::NVIDIA_GPU_ARCHITECTURES + 53,
  nvidia_gpu_sm_60 = falx::NVIDIA_GPU_ARCHITECTURES + 60,
  nvidia_gpu_sm_61 = falx::NVIDIA_GPU_ARCHITECTURES + 61,
  nvidia_gpu_sm_62 = falx::NVIDIA_GPU_ARCHITECTURES + 62,
  nvidia_gpu_sm_70 = falx::NVIDIA_GPU_ARCHITECTURES + 70,
  nvidia_gpu_sm_72 = falx::NVIDIA_GPU_ARCHITECTURES + 72,
  nvidia_gpu_sm_75 = falx::NVIDIA_GPU_ARCHITECTURES + 75,
  nvidia_gpu_sm_80 = falx::NVIDIA_GPU_ARCHITECTURES + 80,
  nvidia_gpu_sm_86 = falx::NVIDIA_GPU_ARCHITECTURES + 86,
  nvidia_gpu_sm_87 = falx::NVIDIA_GPU_ARCHITECTURES + 87,
  nvidia_gpu_sm_89 = falx::NVIDIA_GPU_ARCHITECTURES + 89,
  nvidia_gpu_sm_90 = falx::NVIDIA_GPU_ARCHITECTURES + 90,
  nvidia_gpu_sm_100 = falx::NVIDIA_GPU_ARCHITECTURES + 100,
  nvidia_gpu_sm_101 = falx::NVIDIA_GPU_ARCHITECTURES + 101,
  nvidia_gpu_sm_103 = falx::NVIDIA_GPU_ARCHITECTURES + 103,
  nvidia_gpu_sm_120 = falx::NVIDIA_GPU_ARCHITECTURES + 120,
  nvidia_gpu_sm_121 = falx::NVIDIA_GPU_ARCHITECTURES + 121,
  /// What only code for compute capability 9.0 alone may use: no device says so here.
  nvidia_gpu_sm_90a = falx::NVIDIA_GPU_ARCHITECTURES + 0x1000 + 90,
  amd_gpu_gfx700 = falx::AMD_GPU_ARCHITECTURES + 0x700,
  amd_gpu_gfx701 = falx::AMD_GPU_ARCHITECTURES + 0x701,
  amd_gpu_gfx702 = falx::AMD_GPU_ARCHITECTURES + 0x702,
  amd_gpu_gfx801 = falx::AMD_GPU_ARCHITECTURES + 0x801,
  amd_gpu_gfx802 = falx::AMD_GPU_ARCHITECTURES + 0x802,
  amd_gpu_gfx803 = falx::AMD_GPU_ARCHITECTURES + 0x803,
  amd_gpu_gfx805 = falx::AMD_GPU_ARCHITECTURES + 0x805,
  amd_gpu_gfx810 = falx::AMD_GPU_ARCHITECTURES + 0x810,
  amd_gpu_gfx900 = falx::AMD_GPU_ARCHITECTURES + 0x900,
  amd_gpu_gfx902 = falx::AMD_GPU_ARCHITECTURES + 0x902,
  amd_gpu_gfx904 = falx::AMD_GPU_ARCHITECTURES + 0x904,
  amd_gpu_gfx906 = falx::AMD_GPU_ARCHITECTURES + 0x906,
  amd_gpu_gfx908 = falx::AMD_GPU_ARCHITECTURES + 0x908,
  amd_gpu_gfx909 = falx::AMD_GPU_ARCHITECTURES + 0x909,
  amd_gpu_gfx90a = falx::AMD_GPU_ARCHITECTURES + 0x90a,
  amd_gpu_gfx90c = falx::AMD_GPU_ARCHITECTURES + 0x90c,
  amd_gpu_gfx940 = falx::AMD_GPU_ARCHITECTURES + 0x940,
  amd_gpu_gfx941 = falx::AMD_GPU_ARCHITECTURES + 0x941,
  amd_gpu_gfx942 = falx::AMD_GPU_ARCHITECTURES + 0x942,
  amd_gpu_gfx1010 = falx::AMD_GPU_ARCHITECTURES + 0x1010,
  amd_gpu_gfx1011 = falx::AMD_GPU_ARCHITECTURES + 0x1011,
  amd_gpu_gfx1012 = falx::AMD_GPU_ARCHITECTURES + 0x1012,
  amd_gpu_gfx1013 = falx::AMD_GPU_ARCHITECTURES + 0x1013,
  amd_gpu_gfx1030 = falx::AMD_GPU_ARCHITECTURES + 0x1030,
  amd_gpu_gfx1031 = falx::AMD_GPU_ARCHITECTURES + 0x1031,
  amd_gpu_gfx1032 = falx::AMD_GPU_ARCHITECTURES + 0x1032,
  amd_gpu_gfx1033 = falx::AMD_GPU_ARCHITECTURES + 0x1033,
  amd_gpu_gfx1034 = falx::AMD_GPU_ARCHITECTURES + 0x1034,
  amd_gpu_gfx1035 = falx::AMD_GPU_ARCHITECTURES + 0x1035,
  amd_gpu_gfx1036 = falx::AMD_GPU_ARCHITECTURES + 0x1036,
  amd_gpu_gfx1100 = falx::AMD_GPU_ARCHITECTURES + 0x1100,
  amd_gpu_gfx1101 = falx::AMD_GPU_ARCHITECTURES + 0x1101,
  amd_gpu_gfx1102 = falx::AMD_GPU_ARCHITECTURES + 0x1102,
  amd_gpu_gfx1103 = falx::AMD_GPU_ARCHITECTURES + 0x1103,
  amd_gpu_gfx1150 = falx::AMD_GPU_ARCHITECTURES + 0x1150,
  amd_gpu_gfx1151 = falx::AMD_GPU_ARCHITECTURES + 0x1151,
  amd_gpu_gfx1200 = falx::AMD_GPU_ARCHITECTURES + 0x1200,
  amd_gpu_gfx1201 = falx::AMD_GPU_ARCHITECTURES + 0x1201
};

namespace info::device {
struct architecture {
  using return_type = experimental::architecture;
};
} // namespace info::device

namespace detail {

/// What if_architecture_is returns.
class architecture_branch {
public:
  constexpr explicit architecture_branch(bool has_run) noexcept : has_run_(has_run) {}

  template <architecture... Archs, typename T, typename... Args>
  architecture_branch else_if_architecture_is(T fn, Args... args) const {
    if (has_run_)
      return *this;
    return run_if<Archs...>(fn, args...);
  }
  template <typename T, typename... Args>
  void otherwise(T fn, Args... args) const {
    if (!has_run_)
      fn(args...);
  }

  template <architecture... Archs, typename T, typename... Args>
  static architecture_branch run_if(T& fn, Args&... args) {
    const auto here = static_cast<architecture>(__falx_device_architecture());
    const bool is_one = ((here == Archs) || ...);
    if (is_one)
      fn(args...);
    return architecture_branch(is_one);
  }

private:
  bool has_run_;
};

} // namespace detail

/// In kernels: calls \p fn with \p args if the device is of one of the kinds.
template <architecture... Archs, typename T, typename... Args>
detail::architecture_branch if_architecture_is(T fn, Args... args) {
  return detail::architecture_branch::run_if<Archs...>(fn, args...);
}

} // namespace sycl::ext::oneapi::experimental
