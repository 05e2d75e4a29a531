// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables with static storage duration must be constants.
// RUN: %clang -std=c++20 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

int global = 1;
struct record {
  static int member;
  static constexpr int CONSTANT = 2;
};
int record::member = 1;
int initial_value();
const int dynamic = initial_value();
const float pi = 3.14f;
const char* const text = "text";
constexpr int table[] = {1, 2};
thread_local int per_thread;

void submit() {
  static int outer = 0;
  run([] { // expected-note {{in kernel}}
    global = 2; // expected-error {{device code refers to 'global', a variable with static storage duration that is neither constexpr nor const}}
  });
  run([] { // expected-note {{in kernel}}
    record::member = 2; // expected-error {{device code refers to 'record::member'}}
  });
  run([] { // expected-note {{in kernel}}
    int copy = dynamic; // expected-error {{device code refers to 'dynamic'}}
    (void)copy;
  });
  run([] { // expected-note {{in kernel}}
    ++outer; // expected-error {{device code refers to 'outer'}}
  });
  run([] { // expected-note {{in kernel}}
    per_thread = 1; // expected-error {{device code refers to thread-local variable 'per_thread'}}
  });
  run([] { // expected-note {{in kernel}}
    static int count = 0; // expected-error {{static local variable 'count' in device code must be constexpr, or const with a constant initializer}}
    ++count;
  });
  run([] {
    static const int fixed = 3;
    float sum = pi + text[0] + table[fixed - 2] + record::CONSTANT + sizeof(global);
    (void)sum;
  });
}
