// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays have a constant length.
// RUN: %clang -std=c++20 -fplugin=%plugin -Wno-vla-cxx-extension -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

void submit(int n) {
  run([=] { // expected-note {{in kernel}}
    int a[n]; // expected-error {{device code cannot have arrays of variable length}}
    (void)a;
  });
}
