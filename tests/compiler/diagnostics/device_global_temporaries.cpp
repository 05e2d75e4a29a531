// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of class device_global that are no variables, in every form.
// RUN: %falxpp -std=c++17 -fsyntax-only -Wno-unused -ferror-limit=0 -Xclang -verify %s
// RUN: %falxpp -std=c++20 -fsyntax-only -Wno-unused -ferror-limit=0 -Xclang -verify %s
#include <sycl/sycl.hpp>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

using namespace sycl::ext::oneapi::experimental;

device_global<int> variable;
device_global<int> from_value = device_global<int>();
inline device_global<int> braced{};
#ifdef __cpp_consteval
device_global<int> from_number{3};
device_global<int> from_conversion = device_global<int>(4);
#endif
template <class T>
device_global<T> of_type;

void discarded() {
  device_global<int>();       // expected-error {{a device_global must not be a temporary object}}
  (void)device_global<int>{}; // expected-error {{a device_global must not be a temporary object}}
}
void thrown() {
  throw device_global<int>(); // expected-error {{a device_global must not be a temporary object}}
}
template <class T>
T value() {
  return T(); // expected-error {{a device_global must not be a temporary object}}
}
void instantiated() {
  value<device_global<int>>(); // expected-error {{a device_global must not be a temporary object}}
}
device_global<int> declared();
int called() {
  return declared() + 1; // expected-error {{a device_global must not be a temporary object}}
}
alignas(8) char bytes[8];
void placed() {
  ::new (bytes) device_global<int>; // expected-error {{a device_global must not be a temporary object}}
}
auto captured = [x = device_global<int>()] {}; // expected-error {{a device_global must not be a local variable; declare 'x'}}
int in_expression = device_global<int>() + 1; // expected-error {{a device_global must not be a temporary object}}

std::vector<device_global<int>> vector(2); // expected-error {{a device_global must be a variable of its own; 'vector' is an object that holds one}}
std::deque<device_global<int>> deque;      // expected-error {{'deque' is an object that holds one}}
std::map<int, device_global<int>> map;     // expected-error {{'map' is an object that holds one}}
std::optional<device_global<int>> maybe;   // expected-error {{'maybe' is an object that holds one}}

// Pointers and references are no such objects.
std::vector<device_global<int>*> pointers{&variable};
device_global<int>& get() {
  return variable;
}
struct member {
  device_global<int>& reference;
};
member reference{get()};
void use() {
  get() = 1;
}

// What templates pass to bases and members that depend on their parameters has no type yet.
template <class Base>
struct derived : Base {
  derived(int a, int b) : Base(a, b), kept{a, b} {}
  Base kept;
};
template <class T>
struct holder {
  holder(T a) : kept{a, a} {}
  T kept[2];
};
