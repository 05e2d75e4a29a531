// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What the kernels of barrier_kernels.cpp and their two executors share.

struct kernel_arguments {
  const int* in;
  int* out;
  long count;
  long total;
};
struct kernel_entry {
  const char* name;
  void (*function)(const kernel_arguments&);
};
#define KERNEL(name) void kernel_##name(const kernel_arguments& a)
#define ENTRY(name) {"kernel_" #name, kernel_##name}

extern "C" const kernel_entry BARRIER_KERNELS[];
extern "C" const unsigned BARRIER_KERNEL_COUNT;
