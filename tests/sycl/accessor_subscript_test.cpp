// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SYCL 2020 §4.7.6.9 to §4.7.6.12: what every way to an element gives, for all kinds of accessors and all
// dimensions. With access_mode::atomic, deprecated, no way leads past the sycl::atomic.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <type_traits>
#include <utility>
#include <vector>

namespace {

using sycl::access_mode;
using sycl::target;
using sycl::access::address_space;
using sycl::access::decorated;
using sycl::access::placeholder;

template <class A, class B>
inline constexpr bool same = std::is_same_v<A, B>;

template <class Accessor, class Index>
using subscripted = decltype(std::declval<const Accessor&>()[std::declval<Index>()]);

/// The type behind \p D subscripts.
template <class Accessor, int D>
struct chain {
  using type = typename chain<subscripted<Accessor, std::size_t>, D - 1>::type;
};
template <class Accessor>
struct chain<Accessor, 0> {
  using type = Accessor;
};

template <class Accessor, class Element>
constexpr bool leads_to(std::integral_constant<int, 0>) {
  return std::is_convertible_v<const Accessor&, Element>;
}
/// By an id, an item with and without offset, and numbers.
template <class Accessor, class Element, int D, bool TakesItems = true>
constexpr bool leads_to(std::integral_constant<int, D>) {
  if constexpr (TakesItems)
    static_assert(same<subscripted<Accessor, sycl::item<D, true>>, Element> &&
                  same<subscripted<Accessor, sycl::item<D, false>>, Element>);
  return same<subscripted<Accessor, sycl::id<D>>, Element> &&
         same<typename chain<Accessor, D>::type, Element>;
}

template <class T, int D, access_mode Mode, target Target, placeholder P, class Element>
constexpr bool device_accessor_gives() {
  using accessor = sycl::accessor<T, D, Mode, Target, P>;
  return leads_to<accessor, Element>(std::integral_constant<int, D>());
}
template <class T, access_mode Mode, target Target, placeholder P, class Element>
constexpr bool device_accessors_give() {
  return device_accessor_gives<T, 0, Mode, Target, P, Element>() &&
         device_accessor_gives<T, 1, Mode, Target, P, Element>() &&
         device_accessor_gives<T, 2, Mode, Target, P, Element>() &&
         device_accessor_gives<T, 3, Mode, Target, P, Element>();
}
template <access_mode Mode, class Element>
constexpr bool buffer_accessors_give() {
  return device_accessors_give<int, Mode, target::device, placeholder::false_t, Element>() &&
         device_accessors_give<int, Mode, target::device, placeholder::true_t, Element>() &&
         device_accessors_give<int, Mode, target::host_task, placeholder::false_t, Element>() &&
         device_accessors_give<int, Mode, target::device, sycl::accessor_variant::ranged, Element>() &&
         device_accessors_give<int, Mode, target::device, sycl::accessor_variant::unranged, Element>();
}
using global_atomic = sycl::atomic<int, address_space::global_space>;
using local_atomic = sycl::atomic<int, address_space::local_space>;
static_assert(buffer_accessors_give<access_mode::read, const int&>());
static_assert(buffer_accessors_give<access_mode::write, int&>());
static_assert(buffer_accessors_give<access_mode::read_write, int&>());
static_assert(buffer_accessors_give<access_mode::discard_write, int&>());
static_assert(buffer_accessors_give<access_mode::discard_read_write, int&>());
static_assert(buffer_accessors_give<access_mode::atomic, global_atomic>());
static_assert(
    device_accessors_give<const int, access_mode::read, target::device, placeholder::false_t, const int&>());
static_assert(device_accessors_give<int, access_mode::read, target::constant_buffer, placeholder::false_t,
                                    const int&>());
static_assert(
    device_accessors_give<int, access_mode::read_write, target::local, placeholder::false_t, int&>());
static_assert(
    device_accessors_give<int, access_mode::atomic, target::local, placeholder::false_t, local_atomic>());
static_assert(device_accessor_gives<int, 0, access_mode::atomic, target::device, sycl::accessor_variant::raw,
                                    global_atomic>());
static_assert(device_accessor_gives<int, 1, access_mode::atomic, target::device, sycl::accessor_variant::raw,
                                    global_atomic>());
static_assert(device_accessor_gives<int, 1, access_mode::read, target::device, sycl::accessor_variant::raw,
                                    const int&>());

template <class T>
constexpr bool local_accessors_give() {
  return leads_to<sycl::local_accessor<T, 0>, T&>(std::integral_constant<int, 0>()) &&
         leads_to<sycl::local_accessor<T, 1>, T&>(std::integral_constant<int, 1>()) &&
         leads_to<sycl::local_accessor<T, 2>, T&>(std::integral_constant<int, 2>()) &&
         leads_to<sycl::local_accessor<T, 3>, T&>(std::integral_constant<int, 3>());
}
static_assert(local_accessors_give<int>() && local_accessors_give<const int>());

template <class T, access_mode Mode, class Element>
constexpr bool host_accessors_give() {
  using zero = std::integral_constant<int, 0>;
  using one = std::integral_constant<int, 1>;
  using two = std::integral_constant<int, 2>;
  using three = std::integral_constant<int, 3>;
  return leads_to<sycl::host_accessor<T, 0, Mode>, Element>(zero()) &&
         leads_to<sycl::host_accessor<T, 1, Mode>, Element, 1, false>(one()) &&
         leads_to<sycl::host_accessor<T, 2, Mode>, Element, 2, false>(two()) &&
         leads_to<sycl::host_accessor<T, 3, Mode>, Element, 3, false>(three()) &&
         leads_to<sycl::accessor<T, 0, Mode, target::host_buffer>, Element>(zero()) &&
         leads_to<sycl::accessor<T, 1, Mode, target::host_buffer>, Element, 1, false>(one()) &&
         leads_to<sycl::accessor<T, 3, Mode, target::host_buffer>, Element, 3, false>(three());
}
static_assert(host_accessors_give<int, access_mode::read, const int&>());
static_assert(host_accessors_give<int, access_mode::write, int&>());
static_assert(host_accessors_give<int, access_mode::read_write, int&>());
static_assert(host_accessors_give<const int, access_mode::read, const int&>());

// Nothing of an atomic accessor is a plain element.
template <target Target>
using atomic_accessor = sycl::accessor<int, 0, access_mode::atomic, Target>;
static_assert(!std::is_convertible_v<atomic_accessor<target::device>, int&>);
static_assert(!std::is_convertible_v<atomic_accessor<target::local>, int&>);
static_assert(!std::is_assignable_v<atomic_accessor<target::device>&, int>);
static_assert(!std::is_assignable_v<atomic_accessor<target::local>&, int>);

// Pointers.
template <class Accessor>
using pointer_of = decltype(std::declval<const Accessor&>().get_pointer());
template <class Accessor>
using multi_ptr_of = decltype(std::declval<const Accessor&>().template get_multi_ptr<decorated::yes>());
static_assert(same<pointer_of<sycl::accessor<int, 2>>, sycl::global_ptr<int>>);
static_assert(same<pointer_of<sycl::accessor<int, 3, access_mode::read>>, sycl::global_ptr<const int>>);
static_assert(same<pointer_of<sycl::accessor<int, 1, access_mode::write, target::host_task>>, int*>);
static_assert(same<pointer_of<sycl::accessor<int, 1, access_mode::read, target::host_task>>, const int*>);
static_assert(same<pointer_of<sycl::accessor<int, 1, access_mode::read, target::constant_buffer>>,
                   sycl::constant_ptr<int>>);
static_assert(
    same<pointer_of<sycl::accessor<int, 2, access_mode::read_write, target::local>>, sycl::local_ptr<int>>);
static_assert(
    same<pointer_of<sycl::accessor<int, 2, access_mode::atomic, target::local>>, sycl::local_ptr<int>>);
static_assert(same<pointer_of<sycl::accessor<int, 2, access_mode::read, target::host_buffer>>, const int*>);
static_assert(same<pointer_of<sycl::host_accessor<int, 3>>, int*>);
static_assert(same<pointer_of<sycl::local_accessor<const int, 1>>, sycl::local_ptr<const int>>);
static_assert(same<multi_ptr_of<sycl::accessor<int, 1, access_mode::read>>,
                   sycl::multi_ptr<const int, address_space::global_space, decorated::yes>>);
static_assert(same<multi_ptr_of<sycl::local_accessor<int, 3>>,
                   sycl::multi_ptr<int, address_space::local_space, decorated::yes>>);

TEST(accessor_subscript, subscripts_of_atomic_accessors_lose_no_update) {
  constexpr int items = 10000;
  std::vector<int> two(4 * 5), three(2 * 3 * 4), one(3), zero(1);
  {
    sycl::buffer<int, 0 + 1> b0(zero.data(), 1), b1(one.data(), 3);
    sycl::buffer<int, 2> b2(two.data(), {4, 5});
    sycl::buffer<int, 3> b3(three.data(), {2, 3, 4});
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor<int, 0, access_mode::atomic> a0(b0, h);
      auto a1 = b1.get_access<access_mode::atomic>(h);
      auto a2 = b2.get_access<access_mode::atomic>(h);
      // Ranged: subscripts count from {1, 1, 1}.
      auto a3 = b3.get_access<access_mode::atomic>(h, {1, 2, 3}, {1, 1, 1});
      h.parallel_for(items, [=](sycl::item<1> item) {
        global_atomic only = a0;
        only.fetch_add(1);
        a1[item.get_linear_id() % 3].fetch_add(1);
        a2[item.get_linear_id() % 2][2].fetch_add(1);
        a2[sycl::id<2>(3, 4)].fetch_add(1);
        a3[0][1][item.get_linear_id() % 2].fetch_add(1);
        sycl::atomic_fetch_add(a3[sycl::id<3>(0, 0, 2)], 1);
      });
    });
  }
  EXPECT_EQ(zero[0], items);
  EXPECT_EQ(one[0] + one[1] + one[2], items);
  EXPECT_EQ(two[2], items / 2);
  EXPECT_EQ(two[5 + 2], items / 2);
  EXPECT_EQ(two[3 * 5 + 4], items);
  EXPECT_EQ(three[(1 * 3 + 2) * 4 + 1], items / 2);
  EXPECT_EQ(three[(1 * 3 + 2) * 4 + 2], items / 2);
  EXPECT_EQ(three[(1 * 3 + 1) * 4 + 3], items);
}

TEST(accessor_subscript, subscripts_of_atomic_local_accessors_lose_no_update) {
  constexpr std::size_t group_size = 64, groups = 4;
  std::vector<int> sums(groups * 4);
  {
    sycl::buffer<int, 2> b(sums.data(), {groups, 4});
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor out(b, h, sycl::write_only);
      sycl::accessor<int, 0, access_mode::atomic, target::local> l0(h);
      sycl::accessor<int, 1, access_mode::atomic, target::local> l1(2, h);
      sycl::accessor<int, 2, access_mode::atomic, target::local> l2({2, 3}, h);
      sycl::accessor<int, 3, access_mode::atomic, target::local> l3({2, 3, 4}, h);
      h.parallel_for(sycl::nd_range<1>(groups * group_size, group_size), [=](sycl::nd_item<1> item) {
        const std::size_t self = item.get_local_linear_id();
        local_atomic only = l0;
        if (self == 0) {
          only.store(0);
          l1[1].store(0);
          l2[1][2].store(0);
          l3[1][2][3].store(0);
        }
        sycl::group_barrier(item.get_group());
        only.fetch_add(1);
        l1[sycl::id<1>(1)].fetch_add(2);
        l2[1][2].fetch_add(3);
        l3[sycl::id<3>(1, 2, 3)].fetch_add(2);
        l3[1][2][3].fetch_add(2);
        sycl::group_barrier(item.get_group());
        if (self == 0) {
          const std::size_t group = item.get_group_linear_id();
          out[group][0] = only.load();
          out[group][1] = l1[1].load();
          out[group][2] = l2[sycl::id<2>(1, 2)].load();
          out[group][3] = l3[1][2][3].load();
        }
      });
    });
  }
  for (std::size_t group = 0; group < groups; ++group)
    for (std::size_t which = 0; which < 4; ++which)
      EXPECT_EQ(sums[group * 4 + which], static_cast<int>((which + 1) * group_size));
}

TEST(accessor_subscript, every_way_reaches_the_same_element) {
  std::vector<int> data(2 * 3 * 4), seen(6);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<int>(i);
  {
    sycl::buffer<int, 3> b(data.data(), {2, 3, 4});
    sycl::buffer<int> s(seen);
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor<int, 3, access_mode::read, target::constant_buffer> constant(b, h);
      sycl::accessor<const int, 3> read(b, h, sycl::range<3>(1, 2, 2), sycl::id<3>(1, 1, 2));
      sycl::accessor out(s, h, sycl::write_only);
      sycl::accessor<int, 3, access_mode::read_write, target::local> old({1, 2, 2}, h);
      sycl::local_accessor<int, 2> local({3, 2}, h);
      h.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) {
        out[0] = constant[1][2][3];
        out[1] = constant[sycl::id<3>(1, 2, 3)];
        out[2] = read[0][1][1];
        old[0][1][1] = read[sycl::id<3>(0, 1, 1)];
        out[3] = old.get_pointer()[3];
        local[2][1] = old[sycl::id<3>(0, 1, 1)];
        out[4] = local[sycl::id<2>(2, 1)];
        out[5] = read.get_pointer()[23]; // counts from the buffer's start
      });
    });
    sycl::accessor<int, 3, access_mode::read, target::host_buffer> host(b);
    EXPECT_EQ(host[1][2][3], 23);
    EXPECT_EQ(host[sycl::id<3>(1, 2, 3)], 23);
  }
  EXPECT_EQ(seen, std::vector<int>(6, 23));
}

} // namespace
