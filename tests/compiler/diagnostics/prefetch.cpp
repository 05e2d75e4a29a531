// Hints of prefetches that no property list takes. sycl_ext_oneapi_properties: "two compile-time constant property values
// of the same property class T cannot belong to the same properties, whether the property value is the same or different."
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi::experimental;

void levels(int* p) {
  syclex::prefetch(p, syclex::properties{syclex::prefetch_hint_L1, syclex::prefetch_hint_L4}); // expected-note 0+{{}}
  // expected-error@*:* {{a property list takes each property once}}
}

syclex::prefetch_hint_key::value_t<syclex::cache_level::L1, int> hint; // expected-note 0+{{}}
// expected-error@*:* {{the second argument of prefetch_hint is void or nontemporal}}

void spaces(sycl::multi_ptr<int, sycl::access::address_space::local_space, sycl::access::decorated::no> local,
            sycl::sub_group group) {
  syclex::prefetch(local); // expected-error {{call to deleted function 'prefetch'}}
  syclex::joint_prefetch(group, local, 4); // expected-error {{call to deleted function 'joint_prefetch'}}
  // expected-note@*:* 0+{{}}
}
