// What SYCL 2020 does not allow kernels and SYCL_EXTERNAL functions, and Falx can do: the results of kernels (§5.4), attributes for
// other dimensions, and calls of other files that cannot know a required size (§5.8.1), hierarchical kernels and
// SYCL_EXTERNAL (§5.10.1). All warnings of -Wnonportable-sycl.
// RUN: %falxpp -std=c++17 -fsyntax-only -Wno-deprecated-declarations -Xclang -verify %s
// RUN: %falxpp -std=c++17 -fsyntax-only -Wno-deprecated-declarations -Wnonportable-sycl -Xclang -verify=expected,asked %s
// RUN: %falxpp -std=c++20 -fsyntax-only -Wno-deprecated-declarations -Wno-nonportable-sycl -Xclang -verify=silent %s
// silent-no-diagnostics
#include <sycl/sycl.hpp>

struct returns_sum {
  int operator()(sycl::item<1> item) const { // expected-warning {{the function of a kernel returns 'int', which nobody gets; it has to return void}}
    return static_cast<int>(item.get_linear_id());
  }
  void operator()(sycl::nd_item<1>) const {}
};
struct returns_nothing {
  void operator()(sycl::item<1>) const {}
  int operator()(int) const { return 0; } // another overload
};

void results(sycl::queue& queue) {
  queue.parallel_for(sycl::range<1>(1), returns_sum());
  queue.parallel_for(sycl::nd_range<1>(1, 1), returns_sum());
  queue.parallel_for(sycl::range<1>(1), returns_nothing());
  queue.single_task([] { return 1; }); // expected-warning {{the function of a kernel returns 'int'}}
  queue.single_task([] { return; });
  queue.single_task([]() -> void { return static_cast<void>(1); });
  queue.submit([&](sycl::handler& group) { group.host_task([] { return 1; }); });
}

void extents(sycl::queue& queue) {
  // expected-warning@+1 {{attribute 'reqd_work_group_size' has 2 arguments, but the kernel is launched over 1 dimension; give it one argument for each dimension}}
  queue.parallel_for(sycl::nd_range<1>(8, 8), [](sycl::nd_item<1>) [[sycl::reqd_work_group_size(1, 8)]] {});
  // expected-warning@+1 {{attribute 'work_group_size_hint' has 1 argument, but the kernel is launched over 2 dimensions}}
  queue.parallel_for(sycl::range<2>(8, 8), [](sycl::item<2>) [[sycl::work_group_size_hint(8)]] {});
  queue.parallel_for(sycl::nd_range<2>({8, 8}, {1, 8}), [](sycl::nd_item<2>) [[sycl::work_group_size_hint(1, 8)]] {});
  queue.single_task([]() [[sycl::reqd_work_group_size(1, 1, 1)]] {});
}

SYCL_EXTERNAL int elsewhere(int);
SYCL_EXTERNAL int here(int value) { return value; }
inline int between(int value) { return elsewhere(value); } // expected-warning {{a kernel with attribute reqd_work_group_size or reqd_sub_group_size calls 'elsewhere', which another file defines, and compiles without knowing that size; define the function in this file}}

void other_files(sycl::queue& queue, int* out) {
  queue.parallel_for(sycl::range<1>(1), [=](sycl::item<1>) { *out = between(1) + elsewhere(1); });
  // expected-note@+1 {{in kernel '(lambda}}
  queue.parallel_for(sycl::range<1>(1), [=](sycl::item<1>) [[sycl::reqd_sub_group_size(8)]] { *out = between(2); });
  // expected-note@+1 {{in kernel}}
  queue.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) [[sycl::reqd_work_group_size(8)]] {
    *out = here(3);
    if constexpr (sizeof(int) == 1)
      *out = elsewhere(4);
    *out = elsewhere(5); // expected-warning {{calls 'elsewhere'}}
  });
}

SYCL_EXTERNAL void hierarchy(const sycl::group<1>& group) { // expected-note {{in SYCL_EXTERNAL function 'hierarchy'}}
  group.parallel_for_work_item([](sycl::h_item<1>) {});     // expected-warning {{a SYCL_EXTERNAL function calls group::parallel_for_work_item, which SYCL wants in functions of the kernel's file alone; leave out SYCL_EXTERNAL}}
}
inline void of_this_file(const sycl::group<1>& group) {
  group.parallel_for_work_item([](sycl::h_item<1>) { here(6); });
}

void groups(sycl::queue& queue) {
  queue.submit([&](sycl::handler& handler) {
    // asked-note@+1 {{in kernel}}
    handler.parallel_for_work_group(sycl::range<1>(1), sycl::range<1>(8), [](sycl::group<1> group) {
      of_this_file(group);
      here(7); // asked-warning {{SYCL_EXTERNAL function 'here' is called for a whole group of parallel_for_work_group; call it in parallel_for_work_item, or launch the kernel with an nd_range}}
      group.parallel_for_work_item(sycl::range<1>(4), [](sycl::h_item<1>) { elsewhere(8); });
    });
  });
}
