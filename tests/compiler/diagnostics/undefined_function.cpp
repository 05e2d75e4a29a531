// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function needs a definition here or SYCL_EXTERNAL; both kinds of roots are checked.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

int undefined(int);
SYCL_EXTERNAL int elsewhere(int);
extern "C" float sinf(float);
extern "C" int __falx_builtin();
void default_argument(int = undefined(1)) {} // expected-error {{device code calls 'undefined', which has no definition in this translation unit; define it, or declare it with SYCL_EXTERNAL}}

void submit() {
  run([] { // expected-note {{in kernel}}
    (void)undefined(1); // expected-error {{device code calls 'undefined', which has no definition in this translation unit}}
  });
  run([] { default_argument(); }); // expected-note {{in kernel}}
  run([] { (void)(elsewhere(1) + sinf(1) + __builtin_expf(1) + __falx_builtin()); });
}

namespace inner {
SYCL_EXTERNAL int exported(int x) { // expected-note {{in SYCL_EXTERNAL function 'inner::exported'}}
  return undefined(x); // expected-error {{device code calls 'undefined'}}
}
} // namespace inner

void host() { (void)undefined(1); }
