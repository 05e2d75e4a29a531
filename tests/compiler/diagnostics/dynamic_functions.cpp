// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic functions and their definitions have to be named where they are passed.
// RUN: %clang -std=c++17 -I%root/include -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include <sycl/sycl.hpp>

#include <memory>
#include <vector>

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
void also_throws(int*) { // expected-note {{in 'also_throws', which may define a dynamic function}}
  throw 1; // expected-error {{throw}}
}
void overloaded(int*);
void overloaded(float*);
inline void implementation(int*) {}
inline void implementation(float*) {}
extern void (*pointer_to_float)(float*);
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
  // Functions in lists are definitions as well, and so is what library code hands on; dynamic functions are not.
  c.define_as_call_sequence(&operation, std::vector<void (*)(int*)>{&first, &undefined}); // expected-error {{'undefined' cannot define another function}}
  const std::vector<void (*)(int*)> list{&first, &also_throws};
  c.define_as_call_sequence(&operation, list);
  std::vector<dynamic_function_definition<void, int*>> definitions;
  definitions.emplace_back(&first);
  definitions.emplace_back(&undefined); // expected-error {{'undefined' cannot define another function}}
  (void)std::make_shared<dynamic_function_definition<void, int*>>(second);
  std::vector<dynamic_function<void, int*>> functions;
  functions.push_back(&operation);
  functions.emplace_back(&operation); // expected-error {{'emplace_back' hands the function on to a dynamic_function, which has to be constructed where the function is named, as in dynamic_function(&operation)}}
  // One of several overloads.
  c.define(static_cast<void (*)(int*)>(&overloaded), static_cast<void (*)(int*)>(implementation));
  c.define((void (*)(float*))overloaded, static_cast<void (*)(float*)>(pointer_to_float)); // expected-error {{'define' needs a function}}
  // Functions that are known to be dynamic need no definition.
  queue.single_task(c.apply([=] {
    operation(p);
    more(p);
    overloaded(p);
  }));
}
