// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices have no long double; literals that become double are fine.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

void submit() {
  run([] { // expected-note {{in kernel}}
    long double x = 1; // expected-error {{device code cannot use 'long double'}}
    x += 1;
  });
  run([] {
    double y = 0.1L;
    (void)y;
  });
}
