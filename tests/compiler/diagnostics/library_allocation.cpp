// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What allocates in library code is an error at each of the user's calls, in C++17 (whose allocators call a builtin)
// and later, at each -O level alike; the sentence names the function and what to use in its place.
// RUN: %clang -std=c++17 -O0 -fplugin=%plugin -fsyntax-only -ferror-limit=0 -Wno-deprecated-declarations -Xclang -verify %s
// RUN: %clang -std=c++17 -O2 -fplugin=%plugin -fsyntax-only -ferror-limit=0 -Wno-deprecated-declarations -Xclang -verify %s
// RUN: %clang -std=c++20 -O0 -fplugin=%plugin -fsyntax-only -ferror-limit=0 -Wno-deprecated-declarations -Xclang -verify %s
// RUN: not %clang -std=c++17 -O2 -fplugin=%plugin -fsyntax-only -ferror-limit=0 -Wno-deprecated-declarations -DCHAIN %s 2>&1 | FileCheck %s
#include "Inputs/kernel.hpp"

#include <algorithm>
#include <any>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

// expected-note@*:* 0+ {{through library code, here}}

#ifdef CHAIN
void add(std::vector<int>& v, int i) {
  // CHECK: [[@LINE+2]]:5: error: device code cannot allocate or free memory, as 'std::vector<int>::push_back' does; use std::array
  // CHECK: note: through library code, here
  v.push_back(i);
}
void add_twice(std::vector<int>& v, int i) {
  // CHECK: [[@LINE+1]]:3: note: 'add' is called here
  add(v, i);
  add(v, i);
}
void submit(std::vector<int>* v) {
  // CHECK: [[@LINE+2]]:13: note: 'add_twice' is called here
  // CHECK: [[@LINE+1]]:7: note: in kernel
  run([=] { add_twice(*v, 1); });
}
// CHECK: 1 error generated.
#else

template <class T>
T sum_of(T n) {
  std::vector<T> v(n); // expected-error {{as 'std::vector<}}
  return v[0];
}

void submit(int* p) {
  run([=] { // expected-note 2 {{in kernel}}
    std::vector<int> v(4); // expected-error {{device code cannot allocate or free memory, as 'std::vector<int>::vector' does; use std::array or an array of fixed size, or memory that the host allocated (USM or a buffer)}}
    v.push_back(1); // expected-error {{device code cannot allocate or free memory, as 'std::vector<int>::push_back' does; use std::array}}
    *p = v.at(*p);
  });
  // Not only where it is met first.
  run([=] { // expected-note 2 {{in kernel}}
    std::vector<int> v; // expected-error {{as 'std::vector<int>::~vector' does}}
    v.push_back(2); // expected-error {{as 'std::vector<int>::push_back' does}}
  });
  run([=] { // expected-note {{in kernel}}
    std::vector<int> v{1, 2}; // expected-error {{as 'std::vector<int>::vector' does}}
    *p = v.back();
  });
  run([=] { // expected-note {{in kernel}}
    std::string s("hi"); // expected-error {{device code cannot allocate or free memory, as 'std::basic_string<char>::}} 
    *p = s[0];
  });
  run([=] { // expected-note {{in kernel}}
    *p = std::to_string(*p)[0]; // expected-error {{as 'std::to_string' does; use std::string_view or an array of characters}}
  });
  run([=] { // expected-note 2 {{in kernel}}
    std::map<int, int> m; // expected-error {{as 'std::map<int, int>::~map' does}}
    m[1] = 2; // expected-error {{as 'std::map<int, int>::operator[]' does; use std::array}}
  });
  run([=] { // expected-note {{in kernel}}
    std::deque<int> d; // expected-error {{as 'std::deque<int>::}}
  });
  run([=] { // expected-note {{in kernel}}
    auto owner = std::make_unique<int>(1); // expected-error {{as 'std::make_unique<int, int>' does; use a variable of the work-item, or USM memory that the host allocated}}
    *p = *owner;
  });
  run([=] { // expected-note {{in kernel}}
    auto owner = std::make_shared<int>(1); // expected-error {{as 'std::make_shared<int, int>' does}}
    *p = *owner;
  });
  run([=] { // expected-note {{in kernel}}
    const int k = *p;
    std::function<int()> f = [k] { return k; }; // expected-error {{device code cannot use run-time type information, as 'std::function<int ()>::function}}
    *p = f();
  });
  run([=] { // expected-note 2 {{in kernel}}
    std::any a = 3; // expected-error {{device code cannot use run-time type information, as 'std::any::any}}
    *p = std::any_cast<int>(a); // expected-error {{device code cannot use run-time type information, as 'std::any_cast<int>' does}}
  });
  run([=] { // expected-note {{in kernel}}
    std::stable_sort(p, p + 4); // expected-error {{as 'std::stable_sort<int *>' does; use an array of fixed size, a local_accessor}}
  });
  run([=] { // expected-note {{in kernel}}
    std::sort(p, p + 4); // expected-error {{device code cannot call 'std::sort<int *>', which calls 'std::__introsort_loop<}}
  });
  run([=] { // expected-note {{in kernel}}
    std::allocator<int> a;
    (void)a.allocate(3); // expected-error {{allocate' does}}
  });
  run([=] { // expected-note {{in kernel}}
    (void)__builtin_operator_new(3); // expected-error {{device code cannot allocate or free memory; use an array of fixed size}}
  });
  run([=] { // expected-note {{in kernel}}
    std::for_each(p, p + 4, [](int& i) {
      i = std::vector<int>(1)[0]; // expected-error {{as 'std::vector<int>::vector' does}}
    }); // expected-note@-2 0+ {{is called here}}
  });
  run([=] { *p = sum_of(*p); }); // expected-note {{in kernel}} expected-note 0+ {{is called here}}
  run([=] { *p = static_cast<int>(sum_of(2L)); }); // the same place

  // What a constant excludes is not called, at any -O level.
  run([=] {
    if constexpr (sizeof(int) == 1)
      std::vector<int> v(4);
    if (false)
      std::vector<int> v(4);
    if (sizeof(int) == 4 || *p == 1) {
    } else {
      std::vector<int> v(4);
    }
    *p = sizeof(int) == 4 ? 1 : *std::make_unique<int>(1);
    *p = sizeof(int) == 1 && std::vector<int>(1)[0];
    while (false)
      ;
    (void)sizeof(std::vector<int>(3));
  });
  run([=] { // expected-note {{in kernel}}
    goto inside;
    if (false) {
    inside:
      std::vector<int> v(4); // expected-error {{as 'std::vector<int>::vector' does}}
    }
  });
}
#endif
