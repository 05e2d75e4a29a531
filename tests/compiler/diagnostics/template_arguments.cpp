// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that classes of SYCL do not take.
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <sycl/sycl.hpp>

#include <string>

void buffers() {
  sycl::buffer<std::string> strings(3); // expected-note 0+{{}}
  // expected-note@*:* 0+{{}}
  // expected-error@*:* {{the elements of a sycl::buffer are device copyable (SYCL 2020 §3.13.1)}}
  sycl::buffer<std::pair<int, float>> pairs(3);
}

// Trivial to copy but for a user's constructor, as AdaptiveCpp's users write.
struct copied {
  copied(const copied& other) : value(other.value) {}
  int value;
};
void buffers_of_classes() {
  sycl::buffer<copied> values(3);
}

void vectors() {
  sycl::vec<int, 5> five; // expected-note 0+{{}}
  // expected-error@*:* {{a sycl::vec has 1, 2, 3, 4, 8 or 16 elements}}
}

void orders(int& value) {
  sycl::atomic_ref<int, sycl::memory_order::release, sycl::memory_scope::device> reference(value); // expected-note 0+{{}}
  // expected-error@*:* {{the default order of an atomic_ref is relaxed, acq_rel or seq_cst}}
}
