// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic functions and their definitions have to be named where they are passed.
// RUN: %clang -std=c++17 -I%root/include -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include <sycl/sycl.hpp>

using sycl::jit::dynamic_function;
using sycl::jit::dynamic_function_definition;

void operation(int*);
void more(int*);
void undefined(int*);
SYCL_EXTERNAL void elsewhere(int*);
inline void first(int* p) { *p = 1; }
void second(int* p) { *p = 2; }
void throws(int*) { // expected-note {{in 'throws', which may define a dynamic function}}
  throw 1; // expected-error {{throw}}
}
template <void (*Function)(int*)>
void define_from_parameter(sycl::jit::dynamic_function_config& c) {
  c.define(&operation, Function);
}
template <class Pointer>
void define_from_pointer(sycl::jit::dynamic_function_config& c, Pointer pointer) {
  c.define(&operation, pointer); // expected-error {{'define' needs a function that is named right here}}
}

void host(sycl::queue& queue, bool which, int* p) {
  sycl::jit::dynamic_function_config c;
  c.define(&operation, &first);
  c.define((operation), *second);
  c.define(&operation, &elsewhere);
  c.define_as_call_sequence(&more, {&first, second, &elsewhere});
  define_from_parameter<first>(c);

  void (*const pointer)(int*) = &first;
  c.define(&operation, pointer); // expected-error {{'define' needs a function that is named right here, such as &my_function}}
  c.define(which ? &operation : &more, &first); // expected-error {{'define' needs a function}}
  dynamic_function f{pointer}; // expected-error {{needs a function that is named right here}}
  dynamic_function_definition d{pointer}; // expected-error {{needs a function that is named right here}}
  c.define_as_call_sequence(&operation, {&first, pointer}); // expected-error {{needs a function that is named right here}}
  define_from_pointer(c, &first);
  c.define(&operation, &undefined); // expected-error {{'undefined' cannot define another function: it has no definition in this translation unit; define it, or declare it with SYCL_EXTERNAL}}
  c.define(&operation, &throws);
  // Functions that are known to be dynamic need no definition.
  queue.single_task(c.apply([=] {
    operation(p);
    more(p);
  }));
}
