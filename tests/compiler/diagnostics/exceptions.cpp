// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code neither throws nor catches; code that is discarded or never called may.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

void never_called() { throw 1; }
struct throws_at_end {
  ~throws_at_end() noexcept(false) { throw 1; } // expected-error {{device code cannot throw exceptions}}
};
struct holder { // expected-note {{throws_at_end::~throws_at_end' is called here}}
  throws_at_end member;
};

void submit() {
  run([] { // expected-note {{in kernel}}
    throw 1; // expected-error {{device code cannot throw exceptions}}
  });
  run([] { // expected-note {{in kernel}}
    try { // expected-error {{device code cannot handle exceptions}}
    } catch (...) {
    }
  });
  run([] { // expected-note {{in kernel}}
    holder h; // expected-note {{'holder::~holder' is called here}}
    (void)h;
  });
  run([] {
    if constexpr (sizeof(int) == 1)
      never_called();
    auto unused = [] { throw 1; };
    (void)sizeof(never_called(), 1);
    (void)noexcept(never_called());
  });
}
