// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// \file
/// A request to the JIT. The code that it makes depends on the request and on the build of the JIT, and
/// on nothing else: neither on the environment nor on what is installed. So whoever has digested all members
/// of a request (request_digest.hpp), which members_of gives, has a key for the code.

namespace falx::jit {

/// What a kernel is specialised on. Zero means "not known at compile time".
struct configuration {
  /// Target ptx: of kinds range and single_task, the extents of the thread block.
  std::uint32_t local_range[3] = {0, 0, 0};
  /// Target cpu: 0 and 1 mean one work-item after the other; others, powers of two up to 64, mean vectors of
  /// that many work-items if the kernel can be brought into that form.
  std::uint32_t sub_group_size = 0;
  /// Fail rather than use another sub-group size.
  bool sub_group_size_is_required = false;
  /// Target cpu: nobody asked for vectors. Code that runs one work-item after the other is made where that is
  /// estimated to be faster and the kernel cannot tell.
  bool vectors_must_pay = false;
  /// 0 to 3; 2 is the default of the runtime.
  std::uint32_t optimization_level = 2;
  /// Every index, range and offset of the launch, and every product of ranges, is below 2^31.
  bool narrow_indices = false;
  /// The launch's offset is zero.
  bool no_offset = false;
  /// Target ptx: the grid has one axis, as y or z would exceed the device's limits; work-groups are numbered
  /// x fastest.
  bool linear_grid = false;
  bool operator==(const configuration&) const = default;
};

/// The value of a specialization constant that is not the default value.
struct specialization_constant {
  /// Index in request::images of the image that reads it.
  std::uint32_t image = 0;
  /// The variable whose bytes are replaced.
  std::string_view symbol;
  std::vector<unsigned char> bytes;
};

/// A device global that the kernel may use. Its address is known when the kernel is launched: the launch
/// stores the addresses of all of them behind the function object, at request::device_globals_offset.
struct device_global {
  /// Index in request::images of an image that refers to it.
  std::uint32_t image = 0;
  /// Its name there.
  std::string_view symbol;
  /// Which of the addresses is its own: the same for all symbols of one variable, from 0 on without gaps.
  std::uint32_t slot = 0;
};

/// Bytes of the function object that are known when the kernel is compiled.
struct captured_bytes {
  std::uint64_t offset = 0;
  std::vector<unsigned char> bytes;
};

/// A pointer in the function object whose alignment is known when the kernel is compiled.
struct captured_alignment {
  std::uint64_t offset = 0;
  /// A power of two.
  std::uint64_t alignment = 1;
};

/// A function of device code, by its name in one of request::images.
struct image_function {
  std::uint32_t image = 0;
  std::string_view symbol;
  /// Images know each other's functions of that name (SYCL_EXTERNAL); image may just import it.
  bool is_exported = false;
};

/// Calls of a function become calls of others.
struct function_replacement {
  std::string_view function;
  /// Index in request::images of the only one whose function of that name is meant; -1 for all.
  std::int64_t only_image = -1;
  /// Called one after the other.
  std::vector<image_function> definitions;
};

/// Bytes with a name that no other bytes have, so that they need no digest.
struct identified_bytes {
  std::span<const unsigned char> bytes;
  /// May be empty where no digest is wanted.
  std::string_view identity;
};

/// A library of the system with which kernels may be linked.
struct shared_library {
  /// By which the dynamic linker finds it, "libm.so.6".
  std::string_view name;
  std::string_view path;
  /// Tells its versions apart. May be empty where no digest is wanted.
  std::string_view identity;
};

/// How much is done for the code (request::tier).
enum tier : std::uint32_t {
  /// All that there is.
  best,
  /// Target cpu: little, where a launch of request::expected_work_items is estimated to be over sooner so.
  /// The response says whether.
  estimated,
  /// Target cpu: little.
  quick,
};

struct request {
  /// Bitcode of the images that define the kernel and what it imports; the kernel's image first.
  std::vector<identified_bytes> images;
  std::string_view kernel;
  /// Number of falx::kernel_kind and dimensions, from the image's metadata.
  std::uint32_t kind = 0;
  std::uint32_t dimensions = 1;
  /// "cpu" (a shared object for this process's instruction set) or "ptx" (PTX text,
  /// jit/targets/ptx/ptx_abi.hpp).
  std::string_view target;
  /// CPU name and features in LLVM's spelling ("sapphirerapids", "+avx2,…"; "sm_90", "+ptx83"); empty means
  /// the host's, and for ptx sm_70.
  std::string_view cpu;
  std::string_view features;
  /// Tells machines apart on which an empty cpu means different things.
  std::string_view host;
  /// Bitcode of math functions (libdevice) for targets that have such libraries; empty means the one that is
  /// built in.
  identified_bytes math_library;
  /// Target cpu: what of shared_libraries.hpp there is. Code for vectors calls SLEEF if it is among them.
  std::vector<shared_library> libraries;
  configuration config;
  std::uint32_t tier = tier::best;
  std::uint64_t expected_work_items = 0;
  /// Target cpu, if configuration::vectors_must_pay: of vectors and one work-item after the other the form
  /// that is estimated to be slower. Estimates err, and whoever has both forms can time them.
  bool takes_other_form = false;
  std::vector<specialization_constant> constants;
  std::vector<captured_bytes> captured;
  std::vector<captured_alignment> aligned;
  /// Target ptx: what the kernel computes is to be the same, bit for bit but of what is no number, as by code
  /// that knows less. If that cannot be promised, the response says not_supported.
  bool keeps_results = false;
  /// Target ptx, with keeps_results: integers that the function object holds, as bytes of it. Other bytes of
  /// these do no harm.
  std::vector<captured_bytes> integers;
  /// Offsets of pointers in the function object of which each leads to memory that none of the others leads
  /// to, for all work-items of the launch; in ascending order.
  std::vector<std::uint64_t> disjoint;
  /// The launch's number of work-items by axis; all 0 if that is not known.
  std::uint64_t global_range[3] = {0, 0, 0};
  std::vector<function_replacement> functions;
  std::vector<device_global> device_globals;
  /// What the device has, a bit for each number of sycl::aspect; 0 if that is not known, and kernels that ask
  /// are not compiled.
  std::uint64_t aspects = 0;
  /// A multiple of 8, not less than the size of the function object.
  std::uint64_t device_globals_offset = 0;
};

} // namespace falx::jit
