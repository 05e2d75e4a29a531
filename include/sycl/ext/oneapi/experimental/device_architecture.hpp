// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_architecture.hpp"
#include "falx/device_builtins.hpp"
#include "sycl/ext/oneapi/experimental/device_if.hpp"
#include "sycl/feature_test.hpp"

#include <cstdint>

/// \file
/// SYCL extension sycl_ext_oneapi_device_architecture: code for kinds of devices. The answer is a constant
/// when a kernel is compiled, which is when it is first launched, so branches for other devices cost nothing;
/// no special target needs to be named when the program is compiled.

namespace sycl::ext::oneapi::experimental {

/// By the compiler's names, in families whose members are ordered. Falx has devices of x86_64 and of
/// nvidia_gpu_*; what has no name here is unknown.
enum class architecture : std::uint32_t {
  unknown = falx::UNKNOWN_ARCHITECTURE,
  x86_64 = falx::X86_64_ARCHITECTURE,
  /// No device says that it is one of these: they are x86_64.
  intel_cpu_spr = falx::X86_64_ARCHITECTURE + 8,
  intel_cpu_gnr = falx::X86_64_ARCHITECTURE + 9,
  intel_cpu_dmr = falx::X86_64_ARCHITECTURE + 16,
  intel_gpu_bdw = falx::intel_gpu_architecture(8, 0),
  intel_gpu_8_0_0 = intel_gpu_bdw,
  intel_gpu_skl = falx::intel_gpu_architecture(9, 0),
  intel_gpu_9_0_9 = intel_gpu_skl,
  intel_gpu_kbl = falx::intel_gpu_architecture(9, 1),
  intel_gpu_9_1_9 = intel_gpu_kbl,
  intel_gpu_cfl = falx::intel_gpu_architecture(9, 2),
  intel_gpu_9_2_9 = intel_gpu_cfl,
  intel_gpu_apl = falx::intel_gpu_architecture(9, 3),
  intel_gpu_bxt = intel_gpu_apl,
  intel_gpu_9_3_0 = intel_gpu_apl,
  intel_gpu_glk = falx::intel_gpu_architecture(9, 4),
  intel_gpu_9_4_0 = intel_gpu_glk,
  intel_gpu_whl = falx::intel_gpu_architecture(9, 5),
  intel_gpu_9_5_0 = intel_gpu_whl,
  intel_gpu_aml = falx::intel_gpu_architecture(9, 6),
  intel_gpu_9_6_0 = intel_gpu_aml,
  intel_gpu_cml = falx::intel_gpu_architecture(9, 7),
  intel_gpu_9_7_0 = intel_gpu_cml,
  intel_gpu_icllp = falx::intel_gpu_architecture(11, 0),
  intel_gpu_icl = intel_gpu_icllp,
  intel_gpu_11_0_0 = intel_gpu_icllp,
  intel_gpu_ehl = falx::intel_gpu_architecture(11, 2),
  intel_gpu_jsl = intel_gpu_ehl,
  intel_gpu_11_2_0 = intel_gpu_ehl,
  intel_gpu_tgllp = falx::intel_gpu_architecture(12, 0),
  intel_gpu_tgl = intel_gpu_tgllp,
  intel_gpu_12_0_0 = intel_gpu_tgllp,
  intel_gpu_rkl = falx::intel_gpu_architecture(12, 1),
  intel_gpu_12_1_0 = intel_gpu_rkl,
  intel_gpu_adl_s = falx::intel_gpu_architecture(12, 2),
  intel_gpu_rpl_s = intel_gpu_adl_s,
  intel_gpu_12_2_0 = intel_gpu_adl_s,
  intel_gpu_adl_p = falx::intel_gpu_architecture(12, 3),
  intel_gpu_12_3_0 = intel_gpu_adl_p,
  intel_gpu_adl_n = falx::intel_gpu_architecture(12, 4),
  intel_gpu_12_4_0 = intel_gpu_adl_n,
  intel_gpu_dg1 = falx::intel_gpu_architecture(12, 10),
  intel_gpu_12_10_0 = intel_gpu_dg1,
  intel_gpu_acm_g10 = falx::intel_gpu_architecture(12, 55),
  intel_gpu_dg2_g10 = intel_gpu_acm_g10,
  intel_gpu_12_55_8 = intel_gpu_acm_g10,
  intel_gpu_acm_g11 = falx::intel_gpu_architecture(12, 56),
  intel_gpu_dg2_g11 = intel_gpu_acm_g11,
  intel_gpu_12_56_5 = intel_gpu_acm_g11,
  intel_gpu_acm_g12 = falx::intel_gpu_architecture(12, 57),
  intel_gpu_dg2_g12 = intel_gpu_acm_g12,
  intel_gpu_12_57_0 = intel_gpu_acm_g12,
  intel_gpu_pvc = falx::intel_gpu_architecture(12, 60),
  intel_gpu_12_60_7 = intel_gpu_pvc,
  intel_gpu_pvc_vg = falx::intel_gpu_architecture(12, 61),
  intel_gpu_12_61_7 = intel_gpu_pvc_vg,
  intel_gpu_mtl_u = falx::intel_gpu_architecture(12, 70),
  intel_gpu_mtl_s = intel_gpu_mtl_u,
  intel_gpu_arl_u = intel_gpu_mtl_u,
  intel_gpu_arl_s = intel_gpu_mtl_u,
  intel_gpu_12_70_4 = intel_gpu_mtl_u,
  intel_gpu_mtl_h = falx::intel_gpu_architecture(12, 71),
  intel_gpu_12_71_4 = intel_gpu_mtl_h,
  intel_gpu_arl_h = falx::intel_gpu_architecture(12, 74),
  intel_gpu_12_74_4 = intel_gpu_arl_h,
  intel_gpu_bmg_g21 = falx::intel_gpu_architecture(20, 1),
  intel_gpu_20_1_4 = intel_gpu_bmg_g21,
  intel_gpu_bmg_g31 = falx::intel_gpu_architecture(20, 2),
  intel_gpu_20_2_0 = intel_gpu_bmg_g31,
  intel_gpu_lnl_m = falx::intel_gpu_architecture(20, 4),
  intel_gpu_20_4_4 = intel_gpu_lnl_m,
  intel_gpu_ptl_h = falx::intel_gpu_architecture(30, 0),
  intel_gpu_30_0_4 = intel_gpu_ptl_h,
  intel_gpu_ptl_u = falx::intel_gpu_architecture(30, 1),
  intel_gpu_30_1_1 = intel_gpu_ptl_u,
  intel_gpu_wcl = falx::intel_gpu_architecture(30, 3),
  intel_gpu_30_3_0 = intel_gpu_wcl,
  intel_gpu_nvl_s = falx::intel_gpu_architecture(30, 4),
  intel_gpu_nvl_hx = intel_gpu_nvl_s,
  intel_gpu_nvl_ul = intel_gpu_nvl_s,
  intel_gpu_30_4_0 = intel_gpu_nvl_s,
  intel_gpu_nvl_u = falx::intel_gpu_architecture(30, 5),
  intel_gpu_nvl_h = intel_gpu_nvl_u,
  intel_gpu_30_5_0 = intel_gpu_nvl_u,
  intel_gpu_nvl_p = falx::intel_gpu_architecture(35, 10),
  intel_gpu_35_10_0 = intel_gpu_nvl_p,
  nvidia_gpu_sm_50 = falx::nvidia_gpu_architecture(50),
  nvidia_gpu_sm_52 = falx::nvidia_gpu_architecture(52),
  nvidia_gpu_sm_53 = falx::nvidia_gpu_architecture(53),
  nvidia_gpu_sm_60 = falx::nvidia_gpu_architecture(60),
  nvidia_gpu_sm_61 = falx::nvidia_gpu_architecture(61),
  nvidia_gpu_sm_62 = falx::nvidia_gpu_architecture(62),
  nvidia_gpu_sm_70 = falx::nvidia_gpu_architecture(70),
  nvidia_gpu_sm_72 = falx::nvidia_gpu_architecture(72),
  nvidia_gpu_sm_75 = falx::nvidia_gpu_architecture(75),
  nvidia_gpu_sm_80 = falx::nvidia_gpu_architecture(80),
  nvidia_gpu_sm_86 = falx::nvidia_gpu_architecture(86),
  nvidia_gpu_sm_87 = falx::nvidia_gpu_architecture(87),
  nvidia_gpu_sm_89 = falx::nvidia_gpu_architecture(89),
  nvidia_gpu_sm_90 = falx::nvidia_gpu_architecture(90),
  /// What only code for compute capability 9.0 alone may use: no device says so here.
  nvidia_gpu_sm_90a = falx::nvidia_gpu_architecture(90, 10),
  nvidia_gpu_sm_100 = falx::nvidia_gpu_architecture(100),
  nvidia_gpu_sm_101 = falx::nvidia_gpu_architecture(101),
  nvidia_gpu_sm_103 = falx::nvidia_gpu_architecture(103),
  nvidia_gpu_sm_120 = falx::nvidia_gpu_architecture(120),
  nvidia_gpu_sm_121 = falx::nvidia_gpu_architecture(121),
  amd_gpu_gfx700 = falx::AMD_GPU_ARCHITECTURES + 0x700,
  amd_gpu_gfx701 = falx::AMD_GPU_ARCHITECTURES + 0x701,
  amd_gpu_gfx702 = falx::AMD_GPU_ARCHITECTURES + 0x702,
  amd_gpu_gfx703 = falx::AMD_GPU_ARCHITECTURES + 0x703,
  amd_gpu_gfx704 = falx::AMD_GPU_ARCHITECTURES + 0x704,
  amd_gpu_gfx705 = falx::AMD_GPU_ARCHITECTURES + 0x705,
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

/// All architectures of a family.
enum class arch_category : std::uint32_t {
  intel_gpu = falx::INTEL_GPU_ARCHITECTURES,
  nvidia_gpu = falx::NVIDIA_GPU_ARCHITECTURES,
  amd_gpu = falx::AMD_GPU_ARCHITECTURES
};

namespace info::device {
struct architecture {
  using return_type = experimental::architecture;
};
} // namespace info::device

namespace detail {

constexpr std::uint32_t family_of(architecture arch) noexcept {
  return falx::family_of_architecture(static_cast<std::uint32_t>(arch));
}
/// Whether \p here is between both, which are of one family.
constexpr bool lies_between(architecture here, architecture first, architecture last) noexcept {
  return family_of(here) == family_of(first) && here >= first && here <= last;
}
/// The ends of a family.
constexpr architecture first_of_family(architecture arch) noexcept {
  return static_cast<architecture>(family_of(arch));
}
constexpr architecture last_of_family(architecture arch) noexcept {
  return static_cast<architecture>(family_of(arch) | 0xffff);
}

template <architecture... Archs>
constexpr bool matches_any(architecture here) noexcept {
  return ((here == Archs) || ...);
}
template <arch_category... Categories>
constexpr bool matches_any(architecture here) noexcept {
  return ((family_of(here) == static_cast<std::uint32_t>(Categories)) || ...);
}
template <architecture Arch>
constexpr bool is_below(architecture here) noexcept {
  return here != Arch && lies_between(here, first_of_family(Arch), Arch);
}
template <architecture Arch>
constexpr bool is_above(architecture here) noexcept {
  return here != Arch && lies_between(here, Arch, last_of_family(Arch));
}
template <architecture First, architecture Last>
constexpr bool is_between(architecture here) noexcept {
  static_assert(family_of(First) == family_of(Last), "both architectures must be of the same family");
  return lies_between(here, First, Last);
}

/// In kernels: the device's.
inline architecture this_architecture() noexcept {
  return static_cast<architecture>(__falx_device_architecture());
}

/// What if_architecture_is and its like return.
class architecture_branch : public device_branch {
public:
  using device_branch::device_branch;

  template <architecture... Archs, typename T, typename... Args>
  architecture_branch else_if_architecture_is(T fn, Args... args) const {
    return architecture_branch(next(matches_any<Archs...>(this_architecture()), fn, args...));
  }
  template <arch_category Category, arch_category... Categories, typename T, typename... Args>
  architecture_branch else_if_architecture_is(T fn, Args... args) const {
    return architecture_branch(next(matches_any<Category, Categories...>(this_architecture()), fn, args...));
  }
  template <architecture Arch, typename T>
  architecture_branch else_if_architecture_is_lt(T fn) const {
    return architecture_branch(next(is_below<Arch>(this_architecture()), fn));
  }
  template <architecture Arch, typename T>
  architecture_branch else_if_architecture_is_le(T fn) const {
    return architecture_branch(next(is_between<first_of_family(Arch), Arch>(this_architecture()), fn));
  }
  template <architecture Arch, typename T>
  architecture_branch else_if_architecture_is_gt(T fn) const {
    return architecture_branch(next(is_above<Arch>(this_architecture()), fn));
  }
  template <architecture Arch, typename T>
  architecture_branch else_if_architecture_is_ge(T fn) const {
    return architecture_branch(next(is_between<Arch, last_of_family(Arch)>(this_architecture()), fn));
  }
  template <architecture First, architecture Last, typename T>
  architecture_branch else_if_architecture_is_between(T fn) const {
    return architecture_branch(next(is_between<First, Last>(this_architecture()), fn));
  }
};

} // namespace detail

/// In kernels: calls \p fn if the device's architecture is one of these. The earlier form passes arguments.
template <architecture... Archs, typename T, typename... Args>
detail::architecture_branch if_architecture_is(T fn, Args... args) {
  return detail::architecture_branch(false).else_if_architecture_is<Archs...>(fn, args...);
}
/// … if it is in one of these categories.
template <arch_category Category, arch_category... Categories, typename T, typename... Args>
detail::architecture_branch if_architecture_is(T fn, Args... args) {
  return detail::architecture_branch(false).else_if_architecture_is<Category, Categories...>(fn, args...);
}
/// … if it is of the same family as \p Arch and comes before it.
template <architecture Arch, typename T>
detail::architecture_branch if_architecture_is_lt(T fn) {
  return detail::architecture_branch(false).else_if_architecture_is_lt<Arch>(fn);
}
/// … before it, or is it.
template <architecture Arch, typename T>
detail::architecture_branch if_architecture_is_le(T fn) {
  return detail::architecture_branch(false).else_if_architecture_is_le<Arch>(fn);
}
/// … behind it.
template <architecture Arch, typename T>
detail::architecture_branch if_architecture_is_gt(T fn) {
  return detail::architecture_branch(false).else_if_architecture_is_gt<Arch>(fn);
}
/// … behind it, or is it.
template <architecture Arch, typename T>
detail::architecture_branch if_architecture_is_ge(T fn) {
  return detail::architecture_branch(false).else_if_architecture_is_ge<Arch>(fn);
}
/// … if it is one of both, which are of one family, or between them.
template <architecture First, architecture Last, typename T>
detail::architecture_branch if_architecture_is_between(T fn) {
  return detail::architecture_branch(false).else_if_architecture_is_between<First, Last>(fn);
}

} // namespace sycl::ext::oneapi::experimental
