// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of kernels (sycl_ext_oneapi_kernel_properties) that contradict an attribute, each other or the launch.
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify=lists %s
// RUN: %falxpp -std=c++17 -fsyntax-only -Xclang -verify=kernels -DKERNELS %s
#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi::experimental;

struct with_attribute { // kernels-error {{attribute 'reqd_work_group_size' contradicts an earlier one on the same kernel}}
  [[sycl::reqd_work_group_size(8)]] void operator()(sycl::nd_item<1>) const {}
};
struct with_the_same_attribute {
  [[sycl::reqd_work_group_size(4)]] void operator()(sycl::nd_item<1>) const {}
};
struct embedding {
  void operator()(sycl::nd_item<1>) const {}
  auto get(syclex::properties_tag) const { return syclex::properties{syclex::sub_group_size<8>}; }
};
struct no_list {
  void operator()() const {}
  int get(syclex::properties_tag) const { return 0; }
};

using sycl::aspect;
#ifdef KERNELS
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::device_has<aspect::fp16, aspect::atomic64>))
SYCL_EXTERNAL int function_with_property(int x) { // kernels-note {{in SYCL_EXTERNAL function 'function_with_property'}}
  return static_cast<int>(x * 0.5); // kernels-warning {{device code uses aspect::fp64, which attribute device_has of 'function_with_property' does not list}}
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::device_has<aspect::fp64>))
SYCL_EXTERNAL double function_that_may(double x) {
  return x * 2;
}
#endif

void submit(sycl::handler& group) {
  const sycl::nd_range<1> items(16, 4);
  const syclex::properties four{syclex::work_group_size<4>};
#ifdef KERNELS
  group.parallel_for(items, four, with_attribute());
  group.parallel_for(items, four, with_the_same_attribute());
  double* data = nullptr;
  group.single_task(syclex::properties{syclex::device_has<aspect::fp64>}, [=] { data[0] *= 2; });
  group.single_task(syclex::properties{syclex::device_has<aspect::fp16>}, [=] { // kernels-note {{in kernel}}
    data[0] *= 2; // kernels-warning {{device code uses aspect::fp64, which attribute device_has}}
  });
  group.parallel_for(items, syclex::properties{syclex::sub_group_size<8>}, embedding());
#else
  // lists-error@*:* {{a property of the launch contradicts one that the kernel's class has}}
  group.parallel_for(items, syclex::properties{syclex::sub_group_size<16>}, embedding());
  // lists-error@*:* {{property work_group_size has as many extents as the range of the launch has dimensions}}
  group.parallel_for(items, syclex::properties{syclex::work_group_size<4, 4>}, [=](sycl::nd_item<1>) {});
  // lists-error@*:* {{a work-group has at least one work-item in each dimension}}
  // lists-error@*:* {{constexpr variable 'work_group_size<0>' must be initialized by a constant expression}}
  group.parallel_for(items, syclex::properties{syclex::work_group_size<0>}, [=](sycl::nd_item<1>) {});
  // lists-error@*:* {{get(properties_tag) of a kernel's class gives an object of class properties}}
  group.single_task(no_list());
  // lists-error@*:* 0+{{no type named 'type'}}
  // lists-note@*:* 0+{{}}
#endif
}
