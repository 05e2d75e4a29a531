// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SYCL 2020 §5.8: an attribute stands on the first declaration of a device function, others may repeat it as it is; §5.10.1
// says the same of SYCL_EXTERNAL, which is for functions that other files can call.
// RUN: %falxpp -std=c++17 -fsyntax-only -Xclang -verify %s
#include <sycl/sycl.hpp>

using sycl::aspect;

int late(int); // expected-note {{the first declaration is here}}
[[sycl::device_has(aspect::fp64)]] int late(int x) { return x; } // expected-error {{attribute 'device_has' must stand on the first declaration of 'late' in the file}}

[[sycl::device_has(aspect::fp64)]] int other(int); // expected-note {{the first declaration is here}}
[[sycl::device_has(aspect::fp16)]] int other(int x) { return x; } // expected-error {{attribute 'device_has' of 'other' contradicts that of an earlier declaration}}

[[sycl::device_has(aspect::fp64, aspect::cpu)]] int same(int);
[[sycl::device_has(aspect::cpu, aspect::fp64, aspect::cpu)]] int same(int x);
int same(int x) { return x; }

template <class T>
[[sycl::device_has()]] T of_template(T);
template <class T>
[[sycl::device_has()]] T of_template(T x) {
  return x;
}

struct holder {
  int member(int) const; // expected-note {{the first declaration is here}}
};
[[sycl::device_has()]] int holder::member(int x) const { return x; } // expected-error {{attribute 'device_has' must stand on the first declaration of 'member' in the file}}

int exported_late(int); // expected-note {{the first declaration is here}}
SYCL_EXTERNAL int exported_late(int x) { return x; } // expected-error {{SYCL_EXTERNAL must stand on the first declaration of 'exported_late' in the file}}
SYCL_EXTERNAL int exported(int);
int exported(int x) { return x; }
SYCL_EXTERNAL static int internal(int x) { return x; } // expected-error {{'internal' is SYCL_EXTERNAL, but has no external linkage}}
namespace {
SYCL_EXTERNAL int unnamed(int x) { return x; } // expected-error {{'unnamed' is SYCL_EXTERNAL, but has no external linkage}}
} // namespace

/// No device function: what stands on it is nobody's concern.
int on_the_host(int);
[[sycl::device_has()]] int on_the_host(int x) { return x; }

void submit(sycl::queue& queue) {
  queue.single_task([=] {
    const int x = late(1) + other(2) + same(3) + of_template(4) + holder().member(5) + internal(6) + unnamed(7);
    static_cast<void>(x);
  });
  on_the_host(1);
}
