// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices do not allocate; objects may be made in memory that is there.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

#include <new>
#include <stdlib.h>
#include <vector>

void submit() {
  run([] { // expected-note {{in kernel}}
    (void)new int(1); // expected-error {{device code cannot allocate or free memory}}
  });
  run([] { // expected-note {{in kernel}}
    int* p = nullptr;
    delete p; // expected-error {{device code cannot allocate or free memory}}
  });
  run([] { // expected-note {{in kernel}}
    (void)malloc(3); // expected-error {{device code cannot allocate or free memory}}
  });
  run([] { // expected-note 2 {{in kernel}}
    std::vector<int> v; // expected-error {{device code cannot allocate or free memory}}
    v.push_back(1); // expected-error {{device code cannot allocate or free memory}}
    // expected-note@*:* 2 {{through library code, here}}
  });
  run([] {
    alignas(int) char memory[sizeof(int)];
    (void)new (memory) int(1);
  });
}
