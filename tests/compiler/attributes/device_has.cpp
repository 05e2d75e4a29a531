// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SYCL 2020 §5.8: code behind device_has uses the optional features that the attribute lists, and no other. What the
// compiler evaluates itself is no use. It is a warning, as the program is not ill-formed.
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <sycl/sycl.hpp>

#define HAS(...) [[sycl::device_has(__VA_ARGS__)]]
using sycl::aspect;

int halve(int x) {
  return static_cast<int>(x * 0.5); // expected-warning {{device code uses aspect::fp64, which attribute device_has of 'in_a_function' does not list}}
}
HAS() SYCL_EXTERNAL int in_a_function(int x) { // expected-note {{in SYCL_EXTERNAL function 'in_a_function'}}
  return halve(x); // expected-note {{'halve' is called here}}
}

HAS(aspect::fp64) SYCL_EXTERNAL double defined_elsewhere(int);

template <class T>
T twice(T x) {
  return x + x;
}

void submit(sycl::handler& group) {
  float* f = nullptr;
  group.single_task([=]() HAS() { // expected-note 0+{{in kernel}}
    constexpr double third = 1.0 / 3;
    float x = 0.25;
    x = x * static_cast<float>(third) + float(sizeof(double));
    if constexpr (sizeof(f) == 1)
      x = float(double(x) + 1);
    *f = x;
  });
}
void submit_double(sycl::handler& group) {
  double* d = nullptr;
  group.single_task([=]() HAS(aspect::fp16, aspect::cpu) { *d += 1; }); // expected-warning {{device code uses aspect::fp64}} expected-note {{in kernel}}
}
void submit_listed(sycl::handler& group) {
  double* d = nullptr;
  sycl::half* h = nullptr;
  long* l = nullptr;
  group.single_task([=]() HAS(aspect::fp64, aspect::fp16, aspect::atomic64) {
    *d = sycl::sqrt(twice(*d));
    *h += sycl::half(1);
    sycl::atomic_ref<long, sycl::memory_order::relaxed, sycl::memory_scope::device>(*l) += 1;
    *d += defined_elsewhere(3);
  });
}
void submit_half(sycl::handler& group) {
  sycl::vec<sycl::half, 2>* h = nullptr;
  group.single_task([=]() HAS(aspect::fp64) { // expected-note {{in kernel}}
    *h = *h * *h; // expected-warning {{device code uses aspect::fp16}}
  });
}
void submit_atomic(sycl::handler& group) {
  long* l = nullptr;
  group.single_task([=]() HAS(aspect::fp64) { // expected-note {{in kernel}}
    sycl::atomic_ref<long, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(*l); // expected-warning {{device code uses aspect::atomic64}}
    sum += 1;
  });
}
void submit_elsewhere(sycl::handler& group) {
  group.single_task([=]() HAS(aspect::fp16) { // expected-note {{in kernel}}
    defined_elsewhere(3); // expected-warning {{device code uses aspect::fp64}}
  });
}
void submit_template(sycl::handler& group) {
  int* i = nullptr;
  group.single_task([=]() HAS(aspect::fp16) { // expected-note {{in kernel}}
    *i = static_cast<int>(twice<double>(*i) > 3); // expected-warning {{device code uses aspect::fp64}}
  });
}
void submit_barrier(sycl::handler& group) {
  sycl::local_accessor<sycl::ext::oneapi::experimental::cuda::barrier> all(1, group);
  group.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) HAS() { // expected-note {{in kernel}}
    all[0].initialize(1); // expected-warning {{device code uses aspect::ext_oneapi_cuda_async_barrier}}
    // expected-note@sycl/ext/oneapi/experimental/cuda/barrier.hpp:* {{through library code, here}}
  });
}
