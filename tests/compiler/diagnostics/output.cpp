// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who writes to streams or files in a kernel learns of sycl::stream, and of printf if the program declares it: one error
// for each statement.
// RUN: %clang -std=c++17 -O0 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
// RUN: %clang -std=c++20 -O2 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

#include <cstdio>
#include <iostream>
#include <sstream>

struct value {
  int x;
};
inline std::ostream& operator<<(std::ostream& out, const value& v) { return out << v.x; }

void submit(int* p) {
  run([=] { // devices have these
    ::printf("%d\n", *p);
    std::printf("%d\n", *p);
    __builtin_printf("x");
    puts("x");
    std::putchar('x');
  });
  run([=] { // expected-note 2 {{in kernel}}
    fprintf(stderr, "%d\n", *p); // expected-error {{device code cannot write to the host's streams and files, as 'fprintf' does; use a sycl::stream}}
    fputs("x", stdout); // expected-error {{as 'fputs' does; use a sycl::stream}}
  });
  run([=] { // expected-note 3 {{in kernel}}
    std::cout << "x = " << *p << std::hex << value{*p} << std::endl; // expected-error {{device code cannot write to the host's streams and files, as 'std::cout' does; use a sycl::stream}}
    std::cerr << "y"; // expected-error {{as 'std::cerr' does; use a sycl::stream}}
    std::cout.put('x').flush(); // expected-error {{as 'std::cout' does; use a sycl::stream}}
  });
  run([=] { // expected-note {{in kernel}}
    if (*p == 3)
      std::cout << *p; // expected-error {{as 'std::cout' does; use a sycl::stream}}
  });
  run([=] { // expected-note {{in kernel}}
    std::ostream* out = &std::cout; // expected-error {{as 'std::cout' does; use a sycl::stream}}
    (void)out;
  });
  run([=] { // expected-note 0+ {{in kernel}}
    std::stringstream out; // expected-error {{use a sycl::stream}} expected-note@*:* 0+ {{through library code, here}}
  });
}
// RUN: not %clang -std=c++20 -fplugin=%plugin -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: as 'fprintf' does; use a sycl::stream or printf
