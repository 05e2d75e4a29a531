// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel takes nothing along by reference (SYCL 2020 §4.12.4). Lambdas within it, and those of command groups and
// host tasks, may.
// RUN: %clang -std=c++17 -O0 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
// RUN: %clang -std=c++20 -O2 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

#include <functional>

struct holds_reference {
  int value;
  int& reference; // expected-note 2 {{declared here}}
};
struct derived : holds_reference {};
struct view {
  const int* data;
};
struct function_object {
  void operator()() const {}
  int& reference; // expected-error {{kernel function object of type 'function_object', which is not device copyable: its member 'reference' of type 'int &' is a reference}}
};

template <class Function>
void host_task(const Function& function) {
  function();
}

template <class T>
void in_template(T value) {
  run([&] { // expected-error {{kernel captures 'value' by reference}}
    (void)value; // expected-note {{'value' is captured by reference because it is used here}}
  });
}

void submit(int* out) {
  int n = 5, m = 6;
  constexpr int five = 5;
  int& alias = n;
  run([&] { // expected-error {{kernel captures 'out' and 2 other variables by reference, but devices cannot refer to variables of the host; capture by value: write [=] in place of [&]}}
    out[0] = n + m; // expected-note {{'out' is captured by reference}} expected-note {{'n' is captured by reference}} expected-note {{'m' is captured by reference}}
  });
  run([&] { // expected-error {{kernel captures 'out' and another variable by reference}}
    out[0] = alias; // expected-note {{'out' is captured by reference}} expected-note {{'alias' is captured by reference}}
  });
  run([=,
       &m] { // expected-error {{kernel captures 'm' by reference}}
    out[0] = n + m;
  });
  run([out, &r = n] { *out = r; }); // expected-error {{kernel captures 'r' by reference}}
  auto by_reference = [&](int i) { return i + n; }; // expected-note {{declared here}}
  run([=] { *out = by_reference(1); }); // expected-error {{kernel captures 'by_reference' of type '(lambda}}
  holds_reference h{1, n};
  derived d{{1, n}};
  run([=] { *out = h.value; }); // expected-error {{kernel captures 'h' of type 'holds_reference', which is not device copyable: its member 'reference' of type 'int &' is a reference}}
  run([=] { *out = d.value; }); // expected-error {{kernel captures 'd' of type 'derived'}}
  run(function_object{n});
  in_template(3);
  in_template(3.f);

  // What is allowed.
  run([&] {});
  run([&] { (void)(five + sizeof(n)); });
  run([=] { *out = alias; });
  run([=] {
    int sum = 0;
    auto add = [&](int i) { sum += i + n; };
    add(1);
    *out = sum;
  });
  auto by_value = [=](int i) { return i + n; };
  run([=] { *out = by_value(1); });
  const auto reference = std::ref(*out);
  run([=] { reference.get() = 1; });
  run([v = view{out}, out] { *out = *v.data; });
  const auto command_group = [&] { run([=] { *out = n; }); };
  command_group();
  host_task([&] { *out = n; });
}
