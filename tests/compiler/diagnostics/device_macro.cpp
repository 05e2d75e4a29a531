// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that tells the sides apart by __SYCL_DEVICE_ONLY__ hears what defines it when its device code is wrong for
// the lack of it. Where it is not wrong: one_pass.cpp.
// RUN: %falxpp -O0 -fsyntax-only -Xclang -verify %s
// RUN: %falxpp -O0 -fsyntax-only -Werror -fsycl-device-pass %s
// RUN: not %falxpp -O0 -fsyntax-only -fsycl-device-pass -DWRONG %s 2>&1 | FileCheck %s --implicit-check-not='told apart'
// CHECK: device code cannot throw
#include <sycl/khr/split_headers/queue.hpp>

inline int copies;

struct view {
  int* data;
  explicit view(int* data) : data(data) {}
  view(const view& other) : data(other.data) {
#if !defined(__SYCL_DEVICE_ONLY__) // expected-note {{device code is not told apart here: __SYCL_DEVICE_ONLY__ is defined with '-fsycl-device-pass' alone}}
    ++copies; // expected-error {{device code refers to 'copies'}}
#endif
  }
};
template <>
struct sycl::is_device_copyable<view> : std::true_type {};

void run(sycl::queue& queue, view original) {
  queue.single_task([=] { // expected-note {{in kernel}}
    view copy(original); // expected-note {{called}}
    *copy.data = 1;
#ifdef WRONG
    throw 1;
#endif
  });
}
