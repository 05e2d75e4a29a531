// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What extensions of DPC++ with functions and types for kernels do not take.
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <sycl/ext/oneapi/experimental/complex/complex.hpp>
#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi::experimental;

void print(sycl::float4 v) {
  syclex::printf("%f\n", v); // expected-note 0+{{}}
  // expected-error@*:* {{printf takes the elements of a vec or marray one by one}}
  // expected-error@*:* 0+{{cannot pass object of non-trivial type}}
}

struct pair {
  int a, b;
};
pair read(const pair* p) {
  return syclex::cuda::ldg(p); // expected-note 0+{{}}
  // expected-error@*:* {{ldg reads numbers and vectors of up to 16 bytes}}
}

syclex::complex<int> whole; // expected-note {{}}
// expected-error@*:* {{the parts of a complex number are of type sycl::half, float or double}}

using numbers = sycl::marray<syclex::complex<float>, 2>;
void order(numbers a, numbers b) {
  (void)(a < b); // expected-error {{invalid operands}}
  (void)(a && b); // expected-error {{invalid operands}} expected-error 0+{{}}
  ++a; // expected-error {{cannot increment}}
}
// expected-note@*:* 0+{{}}

void reduce(int* sum) {
  const auto add = [](int a, int b) { return a + b; };
  (void)sycl::reduction(sum, add, syclex::properties(syclex::initialize_to_identity)); // expected-note 0+{{}}
  // expected-error@*:* {{initialize_to_identity needs an identity: give one to sycl::reduction}}
}

void point(int* p) {
  const syclex::annotated_ptr pointer(p, syclex::alignment<12>);
  (void)static_cast<int>(pointer[0]); // expected-note 0+{{}}
  // expected-error@*:* {{an alignment is a power of two}}
  // expected-error@*:* 0+{{requested alignment is not a power of 2}}
}
