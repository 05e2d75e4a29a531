// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang itself rejects arguments that are no constants.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

int variable; // expected-note {{declared here}}
void submit() {
  run([]() [[sycl::reqd_sub_group_size(variable)]] {}); // expected-error {{attribute requires parameter 1 to be a constant expression}} expected-note {{read of non-const variable}}
}
