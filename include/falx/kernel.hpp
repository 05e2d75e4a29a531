// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/interface_version.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// What the compiler emits into a host object and what the headers hand to the runtime to launch a kernel.
/// The layouts are shared by compiler/ (which writes them as LLVM constants), include/sycl and runtime/.

namespace falx {

/// How the work-items of a kernel are formed, which decides how the JIT wraps its body.
enum class kernel_kind : std::uint32_t {
  /// One work-item (SYCL 2020 §4.9.4.2.1).
  single_task = 0,
  /// A basic range without groups (§4.9.4.2.2).
  range = 1,
  /// Work-groups with barriers and local memory (§4.9.4.2.3).
  nd_range = 2,
  /// Hierarchical: the body runs once per work-group, its work-item loops are in the body (§4.9.4.2.4).
  work_group = 3,
};

struct kernel_descriptor;

/// Registration of one translation unit's device image. The compiler emits one per object, in writable
/// memory, and passes it to falx_register_image from a static constructor and to falx_unregister_image from a
/// static destructor. Registration only links the record into a list: nothing is parsed before the first
/// launch.
struct image_registration {
  /// INTERFACE_VERSION of the headers and the compiler that the translation unit was compiled with. Stays
  /// first.
  std::uint64_t interface_version;
  /// The device image in the layout of LLVM's OffloadBinary.
  const unsigned char* begin;
  const unsigned char* end;
  /// For the runtime alone; zero at program start.
  void* runtime_state;
  image_registration* next;
  /// The descriptors of the image's kernels.
  const kernel_descriptor* const* kernels;
  std::size_t kernel_count;
  /// Addresses of the specialization_id objects that the image reads, in the order of its "falx.constants".
  const void* const* constants;
  std::size_t constant_count;
  /// Addresses of the device globals that the image uses or defines, in the order of its "falx.globals".
  /// Their objects hold the initial values.
  const void* const* device_globals;
  std::size_t device_global_count;
};

/// Names a kernel by its own address: there is one object per type that names a kernel (SYCL 2020 §5.2), and
/// as many as that type has linkage for. So kernels are told apart without comparing text.
struct kernel_name {
  char unused;
};

/// One kernel of one image. The compiler emits it next to the kernel entry with the entry's linkage, so a
/// kernel instantiated in several translation units has one descriptor per program or shared library.
struct kernel_descriptor {
  /// Mangled name of the entry function in the image.
  const char* name;
  image_registration* image;
  /// For the runtime alone (its kernel object, set on first use); zero at program start.
  void* runtime_state;
  /// What falx_kernel_descriptor_of was given. Several entries may share a name, as those of reductions.
  const struct kernel_name* kernel;
};

/// Extents by axis, the fastest-moving one first: axis 0 is the *last* SYCL dimension. Unused axes are 1
/// (0 for offsets). Everything below include/sycl uses this order.
struct extent3 {
  std::size_t x, y, z;
};

/// Bit of an extent of launch_geometry::local_range: the runtime chooses the extent, of no more than what the
/// other bits say.
constexpr std::size_t AUTOMATIC_EXTENT = ~(~std::size_t{0} >> 1);

/// The index space of one launch.
struct launch_geometry {
  kernel_kind kind;
  /// 1 to 3, as the user wrote the range.
  std::uint32_t dimensions;
  /// Number of work-items by axis. For kernel_kind::work_group: group range times local range.
  extent3 global_range;
  /// Work-items of a group by axis. All 1 for single_task. For range all 1, or the size that the user prefers
  /// where the backend needs groups (the runtime sets it). For kernel_kind::work_group, all 0 says
  /// that the runtime chooses (§4.9.4.2.4); global_range then holds the number of groups. For nd_range,
  /// AUTOMATIC_EXTENT lets the runtime choose (sycl_ext_oneapi_auto_local_range).
  extent3 local_range;
  /// Added to global ids (deprecated offset overloads), else 0.
  extent3 global_offset;
};

/// One kernel launch as the headers hand it over. The runtime copies the function object's bytes before it
/// returns.
struct kernel_launch {
  const kernel_descriptor* kernel;
  const void* function;
  std::size_t function_size;
  std::size_t function_alignment;
  launch_geometry geometry;
};

/// The first members of every sycl::accessor for target::device and target::host_task. The compiler records
/// the offsets of accessors inside a kernel's function object; at launch the runtime checks that each belongs
/// to the command group and gives placeholders their pointer.
struct accessor_core {
  /// First element of the buffer (not of the accessed range); null in a placeholder for kernels until launch.
  void* data;
  /// Names the requirement within the process; 0 for a default-constructed accessor.
  std::uint64_t requirement;
};

/// The same in one word, for accessors that say by their type that they are no placeholders: the address of
/// the buffer's first element, or, until launch, the requirement with LATE_REQUIREMENT set. The compiler adds
/// 1 to the offsets of these.
struct compact_accessor_core {
  std::uint64_t word;
};

/// Bits of a requirement: of compact_accessor_core::word, that it is a requirement and no address; of
/// accessor_core::requirement, that the launch has seen the accessor, which so is in a kernel.
constexpr std::uint64_t LATE_REQUIREMENT = std::uint64_t{1} << 61;
constexpr std::uint64_t BOUND_REQUIREMENT = std::uint64_t{1} << 60;

extern "C" {
/// Called from static constructors that the compiler emits. Cheap; never throws.
void falx_register_image(image_registration* image) noexcept;
/// Waits for running kernels of the image, then discards it. Called at exit and by dlclose.
void falx_unregister_image(image_registration* image) noexcept;

/// The descriptor of the kernel whose entry function is \p entry and whose name is \p kernel. falx++ replaces
/// calls of this function by the descriptor's address; so the runtime's definition is only reached from
/// objects compiled without falx++, and throws sycl::exception with errc::kernel_not_supported, naming \p
/// pretty_name and the remedy.
const kernel_descriptor* falx_kernel_descriptor_of(void (*entry)(const void*), const char* pretty_name,
                                                   const kernel_name* kernel = nullptr);
}

} // namespace falx
