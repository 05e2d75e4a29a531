// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions must not call themselves, at once or through others.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1); // expected-error {{device code calls 'factorial' recursively}}
}
int odd(int n);
int even(int n) {
  return n == 0 ? 1 : odd(n - 1); // expected-note {{'odd' is called here}}
}
int odd(int n) {
  return n == 0 ? 0 : even(n - 1); // expected-error {{device code calls 'even' recursively}}
}
template <int N>
int unrolled() {
  if constexpr (N == 0)
    return 0;
  else
    return 1 + unrolled<N - 1>();
}
constexpr int constant_factorial(int n) { return n < 2 ? 1 : n * constant_factorial(n - 1); }

void submit() {
  run([] { // expected-note {{in kernel}}
    (void)factorial(3); // expected-note {{'factorial' is called here}}
  });
  run([] { // expected-note {{in kernel}}
    (void)even(3); // expected-note {{'even' is called here}}
  });
  run([] {
    (void)unrolled<4>();
    constexpr int value = constant_factorial(4);
    (void)value;
  });
}
