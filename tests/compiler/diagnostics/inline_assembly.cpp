// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No assembly for one machine in code for all.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

void submit() {
  run([] { // expected-note {{in kernel}}
    asm volatile("nop"); // expected-error {{device code cannot contain inline assembly}}
  });
}
