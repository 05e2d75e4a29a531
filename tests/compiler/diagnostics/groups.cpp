// What the extensions of groups refuse, by static assertions.
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <sycl/sycl.hpp>
// expected-note@*:* 0+{{}}
// expected-error@*:* 0+{{no matching function for call to 'member}}
// expected-error@*:* 0+{{does not provide a call operator}}

namespace oneapi = sycl::ext::oneapi;
namespace syclex = sycl::ext::oneapi::experimental;

struct guard {
  ~guard() {}
};
struct alignas(128) wide {
  int x;
};

void memory(sycl::group<1> group, sycl::sub_group sub_group) {
  oneapi::group_local_memory<int>(sub_group);
  // expected-error@*:* {{local memory belongs to a work-group: pass a sycl::group}}
  oneapi::group_local_memory_for_overwrite<guard>(group);
  // expected-error@*:* {{nobody would destroy an object in local memory}}
  oneapi::group_local_memory<wide>(group);
  // expected-error@*:* {{local memory is aligned to at most 64 bytes}}
}

void parts(sycl::group<1> group, sycl::sub_group sub_group) {
  syclex::binary_partition(group, true);
  // expected-error@*:* {{binary_partition takes a sub_group or a fragment}}
  syclex::get_ballot_group(group, true);
  // expected-error@*:* {{get_ballot_group takes a sub_group}}
  syclex::entangle(group);
  // expected-error@*:* {{entangle takes a sub_group, a fragment or a tangle}}
  syclex::chunked_partition<3>(sub_group);
  // expected-error@*:* {{the size of a chunk is a power of two of at most 64}}
  syclex::chunked_partition<8>(syclex::chunked_partition<4>(sub_group));
  // expected-error@*:* {{a chunk of a chunk is not larger than that one}}
  oneapi::group_ballot(group);
  // expected-error@*:* {{group_ballot takes a sub_group}}
}

void sorts(sycl::sub_group group, sycl::span<std::byte> scratch) {
  struct point {
    int x;
  };
  using sorter = syclex::radix_sorters::group_sorter<point>;
  syclex::sort_over_group(group, point{1}, sorter(scratch));
  // expected-error@*:* 0+{{radix sorters sort numbers; use a default sorter with a comparison}}
}
