// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of an object on the host are a frequent reason for invalid addresses on a GPU; with USM they are fine.
// RUN: %clang -std=c++17 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
// RUN: %clang -std=c++20 -Wno-deprecated-this-capture -fplugin=%plugin -fsyntax-only -Xclang -verify=silent %s
#include "Inputs/kernel.hpp"

// silent-no-diagnostics
struct solver {
  int* data;
  int n;
  void step() {
    run([=] { // expected-note 0+ {{}}
      data[0] = n; // expected-warning {{kernel captures 'this' and reads members of 'solver' through it, which devices can only if the object is in USM memory; copy the members to local variables and capture those, or capture [*this]}}
    });
    run([=, *this] { data[0] = n; });
    run([data = data, n = n] { data[0] = n; });
    const auto on_host = [this] { data[0] = n; };
    on_host();
  }
  template <class T>
  void step(T value) const {
    run([this, value] { // expected-warning {{kernel captures 'this'}}
      data[0] = n + value;
    });
  }
};

void submit(solver s) {
  s.step();
  s.step(1);
  s.step('1');
}
