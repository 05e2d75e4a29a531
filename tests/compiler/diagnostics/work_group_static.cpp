// work_group_static is a variable of its own, at any scope.
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <sycl/sycl.hpp>
// expected-note@*:* 0+{{}}

using sycl::ext::oneapi::experimental::work_group_static;

struct holder {
  work_group_static<int> member;
};
work_group_static<int> several[2];
work_group_static<int> alone;

int main() {
  sycl::queue().parallel_for(sycl::nd_range<1>(1, 1), [](sycl::nd_item<1>) {
    holder here;
    // expected-error@+1 {{'holder::member' of class work_group_static is a member, a parameter or an array}}
    here.member = 1;
    // expected-error@+1 {{'several' of class work_group_static is a member, a parameter or an array}}
    several[1] = 1;
    alone = 1;
    work_group_static<int[3]> inside;
    inside[1] = 1;
  });
}
