// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The device image: LLVM's OffloadBinary with bitcode and string metadata. compiler/ writes it with LLVM;
/// the reader here needs no LLVM and trusts no length and no offset.
///
/// String keys: "triple" (host triple), "arch" ("generic"), "producer" ("falx"), "falx.abi" ("1"),
/// "falx.sha256" (64 hex digits over the bitcode), "falx.kernels", "falx.exports", "falx.imports".
///
/// "falx.kernels" holds one line per kernel, fields separated by one tab:
///   mangled name, kind (number of falx::kernel_kind), dimensions, function size, function alignment,
///   accessor offsets (comma separated), reqd_work_group_size (comma separated, x fastest first),
///   work_group_size_hint (likewise), reqd_sub_group_size (0: none), offsets and sizes of the parts of the
///   function object that the kernel is specialised on (comma separated), aspects that its device must have
///   (numbers of sycl::aspect, comma separated), offsets and sizes of other values in the function object
///   (likewise), offsets of pointers in it (likewise), pretty name (no tabs or newlines).
/// "falx.exports" and "falx.imports" hold one mangled SYCL_EXTERNAL symbol per line.
/// "falx.constants", which may be missing, holds one line per specialization_id that device code reads:
///   symbol of the variable in the bitcode, size in bytes, 1 if a SYCL_EXTERNAL function may read it (else
///   0), and the mangled name of every kernel of the image that may read it, one field each.
/// "falx.globals", which may be missing, holds one line per device global that the image uses or its
///   translation unit defines: symbol of the variable in the bitcode, size, alignment, 1 if it has property
///   device_image_scope (else 0), 1 if a SYCL_EXTERNAL function may use it (else 0), and the mangled name of
///   every kernel of the image that may use it, one field each.

namespace falx::image {

/// Bytes of an object.
struct byte_part {
  std::size_t offset = 0;
  std::size_t size = 0;
  bool operator==(const byte_part&) const = default;
};

struct kernel_metadata {
  std::string name;
  std::uint32_t kind = 0;
  std::uint32_t dimensions = 1;
  std::size_t function_size = 0;
  std::size_t function_alignment = 1;
  /// Of accessors in the function object, plus 1 for those of one word (falx::compact_accessor_core).
  std::vector<std::size_t> accessor_offsets;
  std::vector<std::size_t> reqd_work_group_size;
  std::vector<std::size_t> work_group_size_hint;
  std::uint32_t reqd_sub_group_size = 0;
  /// Parts of the function object that are constants for the JIT: by offset, without overlap.
  std::vector<byte_part> specialized_parts;
  /// Numbers of sycl::aspect: what the attribute device_has lists, and optional features that code uses.
  std::vector<std::size_t> aspects;
  /// Other values of the function object without padding, in the same order, and offsets of its pointers that
  /// are not in accessors.
  std::vector<byte_part> captured_values;
  std::vector<std::size_t> captured_pointers;
  std::string pretty_name;
  /// The function object holds a sycl::local_accessor, or a compiler wrote the line that did not say.
  bool has_local_accessors = false;
};

/// A specialization constant that device code reads.
struct constant_metadata {
  std::string_view symbol;
  std::size_t size = 0;
  bool read_by_exports = false;
  std::vector<std::string_view> kernels;
};

/// A variable that lives on devices.
struct global_metadata {
  std::string_view symbol;
  std::size_t size = 0;
  std::size_t alignment = 1;
  bool image_scope = false;
  bool used_by_exports = false;
  std::vector<std::string_view> kernels;
};

/// A parsed image. Views point into the bytes given to parse, which must outlive it.
struct device_image {
  std::span<const unsigned char> bitcode;
  /// 64 lower-case hex digits; identifies the bitcode in cache keys.
  std::string_view sha256;
  std::string_view triple;
  std::vector<kernel_metadata> kernels;
  std::vector<std::string_view> exports;
  std::vector<std::string_view> imports;
  std::vector<constant_metadata> constants;
  std::vector<global_metadata> globals;
};

/// Reads an image. On any malformed byte returns nothing and puts a sentence that says what is wrong into
/// \p error. Does not hash the bitcode.
std::optional<device_image> parse(std::span<const unsigned char> bytes, std::string& error);

/// The metadata line of one kernel, without newline. Inverse of what parse does with "falx.kernels".
std::string format_kernel_line(const kernel_metadata& kernel);
/// The same for a constant and "falx.constants".
std::string format_constant_line(const constant_metadata& constant);
/// The same for a device global and "falx.globals".
std::string format_global_line(const global_metadata& global);

} // namespace falx::image
