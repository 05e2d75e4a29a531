// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An error leads back to the kernel, and stands once however many kernels and instantiations reach it.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

int global;
template <class T>
T third(T x) {
  return x + global; // expected-error {{device code refers to 'global'}}
}
int second() {
  return third(1) + third(1L); // expected-note {{'third<int>' is called here}}
}
struct first {
  int value = second(); // expected-note {{'second' is called here}}
  operator int() const { return value; }
};

void submit() {
  run([] { // expected-note {{in kernel '(lambda at}}
    int x = first(); // expected-note {{'first::first' is called here}}
    (void)x;
  });
  run([] { (void)first(); });
}
