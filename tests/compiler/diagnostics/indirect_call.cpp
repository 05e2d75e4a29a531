// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls through pointers must be constant expressions.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

int twice(int x) { return 2 * x; }
struct object {
  int member() { return 1; }
};
template <auto Function>
int call_constant(int x) {
  return Function(x);
}
constexpr int (*TABLE[])(int) = {twice};

void submit(int (*function)(int), int (object::*member)()) {
  run([=] { // expected-note {{in kernel}}
    (void)function(1); // expected-error {{device code calls a function through a pointer that is not a constant expression}}
  });
  run([=] { // expected-note {{in kernel}}
    object o;
    (void)(o.*member)(); // expected-error {{device code calls a function through a pointer to member that is not a constant expression}}
  });
  run([=] {
    (void)call_constant<twice>(1);
    (void)TABLE[0](1);
    (void)[](int x) { return x; }(1);
  });
}
