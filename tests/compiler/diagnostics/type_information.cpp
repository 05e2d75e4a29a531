// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices have no run-time type information.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

#include <typeinfo>
struct base {
  virtual ~base() = default;
};
struct derived : base {};

void submit(base* b) {
  run([=] { // expected-note {{in kernel}}
    (void)typeid(*b); // expected-error {{device code cannot use typeid}}
  });
  run([=] { // expected-note {{in kernel}}
    (void)dynamic_cast<derived*>(b); // expected-error {{device code cannot use dynamic_cast}}
  });
}
