// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code that is chosen by __SYCL_DEVICE_ONLY__ is the host's in one pass, and may do nothing: the program hears
// of it once. What system headers test is theirs, and without device code there is nothing to say.
// RUN: %falxpp -O0 -fsyntax-only -Xclang -verify %s
// RUN: %falxpp -O0 -fsyntax-only -Werror -Wno-nonportable-sycl %s
// RUN: %falxpp -O0 -fsyntax-only -Werror -fsycl-device-pass %s
// RUN: %falxpp -O0 -fsyntax-only -Werror -DNO_KERNEL %s
// RUN: rm -rf %t && mkdir %t && cp %s %t/one_pass.hpp && echo '#include <one_pass.hpp>' > %t/main.cpp
// RUN: %falxpp -O0 -fsyntax-only -Werror -isystem %t %t/main.cpp
#include <sycl/khr/split_headers/queue.hpp>

#if defined(__SYCL_DEVICE_ONLY__) && defined(__SPIR__) // expected-warning {{device code takes the side of this test that is for the host: __SYCL_DEVICE_ONLY__ is defined with '-fsycl-device-pass' alone}}
constexpr bool IS_DEVICE = true;
#else
constexpr bool IS_DEVICE = false;
#endif
#ifdef __SYCL_DEVICE_ONLY__
#endif

#ifndef NO_KERNEL
inline void run(sycl::queue& queue, int* data) {
  queue.single_task([=] { *data = IS_DEVICE; });
}
#endif
