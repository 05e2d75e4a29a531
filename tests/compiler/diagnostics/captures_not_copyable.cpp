// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel takes along is device copyable (SYCL 2020 §3.13.1): which of it is not, why, and what to do.
// RUN: %falxpp -std=c++17 -O0 -fsyntax-only -Xclang -verify %s
// RUN: %falxpp -std=c++20 -O2 -fsyntax-only -Xclang -verify %s
#include <sycl/sycl.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

struct holds_vector {
  int size;
  std::vector<int> data; // expected-note 2 {{declared here}}
};
struct derived : holds_vector {};
struct counted {
  counted() = default;
  counted(const counted&) {}
  ~counted() {}
  int count = 0;
};
struct copied {
  copied() = default;
  copied(const copied& other) : value(other.value) {}
  int value = 0;
};
struct unique {
  unique() = default;
  unique(const unique&) = delete;
  unique(unique&&) {}
};
struct declared {
  declared(const declared&) {}
  declared() {}
  ~declared() {}
  int value = 0;
};
template <>
struct sycl::is_device_copyable<declared> : std::true_type {};
struct holds_tuple {
  std::tuple<int, float> values;
  std::pair<int, int> pair;
  declared more;
};
struct polymorphic {
  virtual ~polymorphic() = default;
};

struct function_object {
  void operator()() const { *out = static_cast<int>(data.size()); }
  int* out;
  std::vector<int> data; // expected-error {{kernel function object of type 'function_object', which is not device copyable: its member 'data' of type 'std::vector<int>' has a non-trivial destructor; capture a pointer to memory from sycl::malloc_shared}}
};
struct declared_function_object {
  void operator()() const {}
  std::vector<int> data;
};
template <>
struct sycl::is_device_copyable<declared_function_object> : std::true_type {};

void submit(sycl::queue q, int* p) {
  std::vector<int> v(16);
  std::string s = "hi";
  q.parallel_for(16, [=](sycl::id<1> i) {
    p[i] = v[i] + // expected-error {{kernel captures 'v' of type 'std::vector<int>', which is not device copyable: it has a non-trivial destructor; capture a pointer to memory from sycl::malloc_shared or sycl::malloc_device, or an accessor of a sycl::buffer, or a std::array}}
        s.size(); // expected-error {{kernel captures 's' of type 'std::string'}}
  });
  std::vector<int> many[2];
  q.single_task([=] { p[0] = many[0][0]; }); // expected-error {{kernel captures 'many' of type 'std::vector<int>[2]'}}
  holds_vector h;
  derived d;
  q.single_task([=] { p[0] = h.size; }); // expected-error {{kernel captures 'h' of type 'holds_vector', which is not device copyable: its member 'data' of type 'std::vector<int>' has a non-trivial destructor}}
  q.single_task([=] { p[0] = d.size; }); // expected-error {{kernel captures 'd' of type 'derived', which is not device copyable: its member 'data'}}
  counted c;
  q.single_task([=] { p[0] = c.count; }); // expected-error {{kernel captures 'c' of type 'counted', which is not device copyable: it has a non-trivial destructor; capture the members that the kernel needs, or, if a copy of its bytes is as good as the object, specialize sycl::is_device_copyable}}
  copied x;
  q.single_task([=] { p[0] = x.value; }); // expected-warning {{kernel captures 'x' of type 'copied', which is not device copyable: it has a non-trivial copy constructor, so devices get its bytes}}
  std::shared_ptr<int> owner;
  q.single_task([=] { p[0] = *owner; }); // expected-error {{capture the pointer itself, to USM memory}}
  std::function<int()> f;
  q.single_task([=] { p[0] = f(); }); // expected-error {{kernel captures 'f' of type 'std::function<int ()>'}} expected-error 0+ {{}} expected-note 0+ {{}}
  q.single_task([=] { (void)q.is_in_order(); }); // expected-error {{kernel captures 'q' of type 'sycl::queue'}} expected-error 0+ {{}} expected-note 0+ {{}}
  sycl::buffer<int> b(16);
  q.single_task([=] { p[0] = static_cast<int>(sizeof(b)); });
  q.single_task([b, p] { p[0] = 0; }); // expected-error {{kernel captures 'b' of type 'sycl::buffer<int>', which is not device copyable: it has a non-trivial destructor; make an accessor of it in the command group}}
  q.single_task(function_object{p, v});
  sycl::host_accessor on_host(b);
  q.single_task([=] { p[0] = on_host[0]; }); // expected-error {{kernel captures 'on_host' of type 'sycl::host_accessor<int, 1>', which is not device copyable: it has a non-trivial destructor; make a sycl::accessor}} expected-error 0+ {{}} expected-note 0+ {{}}
  sycl::unsampled_image<1> image(sycl::image_format::r8g8b8a8_sint, sycl::range<1>(1));
  q.single_task([=] { (void)image.size(); }); // expected-error {{kernel captures 'image' of type 'sycl::unsampled_image<1>', which is not device copyable: it has a non-trivial destructor; make an accessor of it}} expected-error 0+ {{}} expected-note 0+ {{}}
  sycl::host_unsampled_image_accessor<sycl::int4> pixels(image);
  q.single_task([=] { (void)pixels.size(); }); // expected-error {{kernel captures 'pixels' of type 'sycl::host_unsampled_image_accessor<sycl::int4>', which is not device copyable: it has a non-trivial destructor; make a sycl::unsampled_image_accessor in}} expected-error 0+ {{}} expected-note 0+ {{}}

  // What is device copyable.
  holds_tuple t;
  declared e;
  std::tuple<int, declared, std::optional<float>> nested;
  q.single_task([=] { p[0] = std::get<0>(t.values) + std::get<0>(nested) + t.pair.first + e.value; });
  q.single_task(declared_function_object{v});
  std::variant<int, float> variant;
  std::array<std::pair<int, float>, 2> array;
  std::string_view view = "abc";
  declared several[3];
  q.single_task([=] { p[0] = array[0].first + static_cast<int>(variant.index() + view.size()) + several[0].value; });
  q.submit([&](sycl::handler& h) {
    sycl::accessor a(b, h);
    sycl::local_accessor<int> l(16, h);
    sycl::stream out(64, 64, h);
    h.parallel_for(sycl::nd_range<1>(16, 16), sycl::reduction(p, sycl::plus<int>()), [=](sycl::nd_item<1> i, auto& sum) {
      l[0] = a[i.get_global_id(0)];
      sum += l[0];
      out << "x";
    });
  });
  q.submit([&](sycl::handler& h) { h.host_task([=] { p[0] = v[0]; }); });
}
