// What __falx_is_device() excludes from devices may do what host code may; what it leaves is checked.
// RUN: %clang -std=c++17 -O0 -fplugin=%plugin -fsyntax-only -Xclang -verify %s
#include "Inputs/kernel.hpp"

#include <vector>

extern "C" __attribute__((const, nothrow)) bool __falx_is_device();

int counter = 0;
int count() {
  return ++counter; // expected-error {{device code refers to 'counter'}}
}
void allocate(int n) { std::vector<int>(n).push_back(counter); }

int host_branch(int n) {
  if (!__falx_is_device())
    allocate(n);
  if (__falx_is_device() || n == 0)
    return 1;
  allocate(n);
  return n;
}
int operators(int n) {
  if (!__falx_is_device() && ++counter > n)
    throw n;
  return __falx_is_device() ? n : (allocate(n), counter);
}
int switches(int n) {
  switch (n) {
  case 1:
    if (__falx_is_device()) {
      return 2;
    }
    allocate(n);
    [[fallthrough]];
  case 2:
    return 3;
  }
  return 4;
}

int device_branch(int n) {
  if (__falx_is_device())
    return count(); // expected-note {{'count' is called here}}
  return 0;
}
int before_the_question(int n) {
  return ++counter > n && !__falx_is_device() ? counter : 0; // expected-error {{device code refers to 'counter'}}
}
int after_a_label(int n) {
  if (n == 2)
    goto last;
  if (__falx_is_device())
    return 0;
last:
  return ++counter; // expected-error {{device code refers to 'counter'}}
}

void user(int* p) {
  run([=] { p[0] = host_branch(p[0]) + operators(p[0]) + switches(p[0]); });
  run([=] { p[0] = device_branch(p[0]); });       // expected-note {{'device_branch' is called here}} expected-note {{in kernel}}
  run([=] { p[0] = before_the_question(p[0]); }); // expected-note {{'before_the_question' is called here}} expected-note {{in kernel}}
  run([=] { p[0] = after_a_label(p[0]); });       // expected-note {{'after_a_label' is called here}} expected-note {{in kernel}}
}
