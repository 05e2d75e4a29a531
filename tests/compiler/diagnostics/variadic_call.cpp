// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C-style variadic functions cannot be called; variadic templates can.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

void log(const char* format, ...);
template <class... T>
int sum(T... values) {
  return (values + ...);
}

void submit() {
  run([] { // expected-note {{in kernel}}
    log("%d", 1); // expected-error {{device code calls variadic function 'log'}}
  });
  run([] { (void)sum(1, 2, 3); });
}
