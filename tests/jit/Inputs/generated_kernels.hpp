// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What the kernels of generate_kernels.py share with those who run them.

struct record {
  float x;
  short y;
  signed char z, t;
  int w;
};
/// What kernels capture and write: each work-item has its own.
struct captured_state {
  int number;
  signed char small;
  unsigned long wide;
  double factor;
  int elements[8];
  float half_factor;
  unsigned char bytes[12];
  double rows[2][3];
};
/// Everything but sums, to which work-items add, and of_groups, is read by all or written by one.
struct kernel_arguments {
  const int* in;
  const record* records;
  const double* doubles;
  const unsigned char* bytes;
  mutable captured_state state;
  int* out;
  record* out_records;
  unsigned* sums;
  /// Eight for each work-item.
  int* exchanged;
  /// Four for each work-item, of its group.
  unsigned* of_groups;
  long count;
  long total;
  captured_state initial;
  /// 0, which the JIT does not know.
  float nothing;
  /// Whether functions of floats have the same results everywhere (generate_math.py).
  bool is_exact;
};
/// Four banks of sums: added to, exclusive or, or, largest.
constexpr int BANK = 8, BANKS = 4;

struct generated_kernel {
  const char* name;
  void (*function)(const kernel_arguments&);
  /// Number of falx::kernel_kind: range or nd_range.
  unsigned kind;
  unsigned sub_group_size;
};
extern "C" const generated_kernel GENERATED_KERNELS[];
extern "C" const unsigned GENERATED_KERNEL_COUNT;
