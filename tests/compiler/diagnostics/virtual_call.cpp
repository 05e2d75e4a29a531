// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A virtual call is an error unless the function that it reaches is known.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

struct base {
  virtual int f() { return 1; }
  virtual bool operator==(int) { return true; }
};
struct derived final : base {
  int f() override { return 2; }
};

void submit(base* b, derived* d) {
  run([=] { // expected-note {{in kernel '(lambda at}}
    b->f(); // expected-error {{device code calls virtual function 'base::f'}}
  });
  run([=] { // expected-note {{in kernel}}
    (void)(*b == 1); // expected-error {{device code calls virtual function 'base::operator=='}}
  });
  run([=] {
    d->f();
    b->base::f();
    derived local;
    local.f();
  });
}
