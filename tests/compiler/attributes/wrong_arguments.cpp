// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that make no sense are errors where they stand; unknown attributes stay warnings.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

namespace sycl {
enum class aspect { cpu, gpu };
}

int variable;
template <int N>
void submit_with() {
  run([]() [[sycl::reqd_work_group_size(N)]] {}); // expected-error {{argument of attribute 'reqd_work_group_size' must be a positive integer constant}}
}
struct contradiction {
  [[sycl::reqd_sub_group_size(8)]] [[sycl::reqd_sub_group_size(16)]] void operator()() const {} // expected-error {{attribute 'reqd_sub_group_size' contradicts an earlier one on the same kernel}}
};

void submit() {
  submit_with<0>();
  submit_with<8>();
  run([]() [[sycl::reqd_sub_group_size(-1)]] {}); // expected-error {{argument of attribute 'reqd_sub_group_size' must be a positive integer constant}}
  run([]() [[sycl::reqd_work_group_size(1, 2, 3, 4)]] {}); // expected-error {{attribute 'reqd_work_group_size' takes one to three arguments}}
  run([]() [[sycl::reqd_sub_group_size()]] {}); // expected-error {{attribute 'reqd_sub_group_size' takes one argument}}
  run([]() [[sycl::named_sub_group_size(secondary)]] {}); // expected-error {{attribute 'named_sub_group_size' takes 'primary' or 'automatic'}}
  run(contradiction{});
  run([]() [[sycl::device_has(sycl::aspect::cpu, 1000)]] {}); // expected-error {{argument of attribute 'device_has' must be a value of sycl::aspect}}
  run([]() [[sycl::device_has(-1)]] {}); // expected-error {{argument of attribute 'device_has' must be a value of sycl::aspect}}
  run([]() [[sycl::device_has()]] [[sycl::device_has(sycl::aspect::gpu)]] {}); // expected-error {{attribute 'device_has' contradicts an earlier one on the same kernel}}
  run([]() [[sycl::device_has(0, 1)]] [[sycl::device_has(sycl::aspect::gpu, sycl::aspect::cpu)]] {});
  run([]() [[sycl::no_such_attribute(1)]] {}); // expected-warning {{unknown attribute 'sycl::no_such_attribute' ignored}}
  run([]() [[reqd_sub_group_size(1)]] {}); // expected-warning {{unknown attribute 'reqd_sub_group_size' ignored}}
}

[[sycl::reqd_sub_group_size(8)]] int not_a_function; // expected-warning {{attribute 'sycl::reqd_sub_group_size' only applies to functions}}
