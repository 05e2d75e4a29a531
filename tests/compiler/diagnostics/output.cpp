// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who prints in a kernel learns of sycl::stream, and of the extension's printf if the program declares it: one error
// for each statement.
// RUN: %clang -std=c++17 -O0 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
// RUN: %clang -std=c++20 -O2 -fplugin=%plugin -fsyntax-only -Xclang -verify -DEXTENSION %s
#include "Inputs/kernel.hpp"

#include <cstdio>
#include <iostream>
#include <sstream>

#ifdef EXTENSION
namespace sycl {
inline namespace v1 {
namespace ext::oneapi::experimental {
template <class... Ts>
int printf(const char*, Ts...) {
  return 0;
}
} // namespace ext::oneapi::experimental
} // namespace v1
} // namespace sycl
#endif

struct value {
  int x;
};
inline std::ostream& operator<<(std::ostream& out, const value& v) { return out << v.x; }

void submit(int* p) {
  run([=] { // expected-note {{in kernel}}
    ::printf("%d\n", *p); // expected-error {{device code cannot write to the host's streams and files, as 'printf' does; use a sycl::stream}}
  });
  run([=] { // expected-note {{in kernel}}
    std::printf("%d\n", *p); // expected-error {{as 'printf' does; use a sycl::stream}}
  });
  run([=] { // expected-note 3 {{in kernel}}
    fprintf(stderr, "%d\n", *p); // expected-error {{as 'fprintf' does; use a sycl::stream}}
    puts("x"); // expected-error {{as 'puts' does; use a sycl::stream}}
    __builtin_printf("x"); // expected-error {{as '__builtin_printf' does; use a sycl::stream}}
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
// The sentence with the extension:
// RUN: not %clang -std=c++20 -fplugin=%plugin -fsyntax-only -DEXTENSION %s 2>&1 | FileCheck %s
// CHECK: as 'printf' does; use a sycl::stream or sycl::ext::oneapi::experimental::printf
