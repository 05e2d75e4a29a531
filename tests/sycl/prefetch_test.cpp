// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_ext_oneapi_prefetch: which calls there are, and that kernels that make them compute what they did
// without. tests/compiler/programs/prefetch.cpp looks at the instructions.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace syclex = sycl::ext::oneapi::experimental;
using sycl::access::address_space;
using sycl::access::decorated;

static_assert(SYCL_EXT_ONEAPI_PREFETCH == 1);

static_assert(std::is_same_v<decltype(syclex::prefetch_hint_L1),
                             decltype(syclex::prefetch_hint<syclex::cache_level::L1, void>)>);
static_assert(std::is_same_v<decltype(syclex::prefetch_hint_L4_nt),
                             decltype(syclex::prefetch_hint<syclex::cache_level::L4, syclex::nontemporal>)>);
static_assert(std::is_same_v<
              syclex::prefetch_hint_key::value_t<syclex::cache_level::L2, syclex::nontemporal>,
              syclex::property_value<syclex::prefetch_hint_key,
                                     std::integral_constant<syclex::cache_level, syclex::cache_level::L2>,
                                     syclex::nontemporal>>);
static_assert(syclex::is_property_key_v<syclex::prefetch_hint_key>);

// "When no cache levels are specified, the default behavior is to prefetch into the lowest level cache".
template <class Properties>
constexpr std::uint32_t level(Properties) {
  return syclex::detail::prefetch_target_of<Properties>().level;
}
static_assert(level(syclex::properties{}) == 1);
static_assert(level(syclex::properties{syclex::prefetch_hint_L3}) == 3);

// Constraints: what is not available does not take part in overload resolution, or is deleted.
template <class, class... Arguments>
struct prefetches : std::false_type {};
template <class... Arguments>
struct prefetches<std::void_t<decltype(syclex::prefetch(std::declval<Arguments>()...))>, Arguments...>
    : std::true_type {};
template <class, class... Arguments>
struct joint_prefetches : std::false_type {};
template <class... Arguments>
struct joint_prefetches<std::void_t<decltype(syclex::joint_prefetch(std::declval<Arguments>()...))>,
                        Arguments...> : std::true_type {};
template <class... Arguments>
constexpr bool can_prefetch = prefetches<void, Arguments...>::value;
template <class... Arguments>
constexpr bool can_joint_prefetch = joint_prefetches<void, Arguments...>::value;

using hint = decltype(syclex::properties{syclex::prefetch_hint_L2});
template <address_space Space>
using pointer = sycl::multi_ptr<int, Space, decorated::no>;
template <address_space Space>
using untyped = sycl::multi_ptr<void, Space, decorated::yes>;
template <sycl::access_mode Mode, int Dimensions = 1>
using device_accessor = sycl::accessor<int, Dimensions, Mode, sycl::target::device>;

static_assert(can_prefetch<void*> && can_prefetch<void*, hint> && can_prefetch<void*, std::size_t, hint>);
static_assert(can_prefetch<int*> && can_prefetch<const int*, hint> && can_prefetch<int*, int, hint>);
static_assert(can_prefetch<const void*, hint> && can_prefetch<const volatile int*, int>);
static_assert(!can_prefetch<int*, const char*> && !can_prefetch<int*, int, float>);
static_assert(!can_prefetch<int*, sycl::property_list> && !can_prefetch<int>);
static_assert(can_prefetch<pointer<address_space::global_space>> &&
              can_prefetch<pointer<address_space::generic_space>, std::size_t, hint>);
static_assert(can_prefetch<untyped<address_space::global_space>, hint> &&
              can_prefetch<untyped<address_space::generic_space>, std::size_t>);
static_assert(!can_prefetch<pointer<address_space::local_space>> &&
              !can_prefetch<pointer<address_space::private_space>, std::size_t, hint>);
static_assert(!can_prefetch<untyped<address_space::local_space>> &&
              !can_prefetch<untyped<address_space::private_space>, std::size_t>);
static_assert(can_prefetch<device_accessor<sycl::access_mode::read>, sycl::id<1>> &&
              can_prefetch<device_accessor<sycl::access_mode::read_write>, std::size_t, std::size_t, hint>);
static_assert(can_prefetch<device_accessor<sycl::access_mode::read, 3>, sycl::id<3>, std::size_t>);
static_assert(!can_prefetch<device_accessor<sycl::access_mode::write>, sycl::id<1>> &&
              !can_prefetch<device_accessor<sycl::access_mode::read, 0>, sycl::id<1>>);
static_assert(!can_prefetch<sycl::host_accessor<int, 1>, sycl::id<1>> &&
              !can_prefetch<sycl::local_accessor<int, 1>, sycl::id<1>>);

static_assert(can_joint_prefetch<sycl::group<2>, void*> && can_joint_prefetch<sycl::sub_group, int*, hint>);
static_assert(can_joint_prefetch<sycl::sub_group, const int*, int, hint>);
static_assert(!can_joint_prefetch<sycl::nd_item<1>, int*> && !can_joint_prefetch<int, int*>);
static_assert(!can_joint_prefetch<sycl::sub_group, int*, const char*>);
static_assert(can_joint_prefetch<sycl::sub_group, pointer<address_space::global_space>, std::size_t> &&
              can_joint_prefetch<sycl::group<1>, untyped<address_space::generic_space>, std::size_t, hint>);
static_assert(!can_joint_prefetch<sycl::sub_group, pointer<address_space::local_space>> &&
              !can_joint_prefetch<sycl::group<1>, untyped<address_space::private_space>>);
static_assert(
    can_joint_prefetch<sycl::group<1>, device_accessor<sycl::access_mode::read>, std::size_t> &&
    can_joint_prefetch<sycl::sub_group, device_accessor<sycl::access_mode::read_write>, int, int, hint> &&
    !can_joint_prefetch<sycl::sub_group, device_accessor<sycl::access_mode::write>, int>);

struct odd_sized {
  char bytes[150];
};

// The document's first two examples: hints as properties in a loop.
TEST(prefetch, work_items_prefetch_what_they_read_later) {
  sycl::queue q;
  constexpr std::size_t N = 100, M = 1000;
  int* data = sycl::malloc_shared<int>(M + 100, q);
  int* sums = sycl::malloc_shared<int>(N, q);
  std::iota(data, data + M + 100, 0);
  q.parallel_for(N, [=](auto i) {
     int sum = 0;
     for (std::size_t j = 0; j < M; ++j) {
       syclex::prefetch(&data[j + 10], syclex::properties{syclex::prefetch_hint_L1});
       syclex::prefetch(&data[j + 100], syclex::properties{syclex::prefetch_hint_L3});
       syclex::prefetch(
           &data[j + 10],
           syclex::properties{syclex::prefetch_hint<syclex::cache_level::L1, syclex::nontemporal>});
       sum += data[j];
     }
     sums[i] = sum + static_cast<int>(i);
   }).wait();
  for (std::size_t i = 0; i < N; ++i)
    EXPECT_EQ(sums[i], static_cast<int>(M * (M - 1) / 2 + i));
  sycl::free(data, q);
  sycl::free(sums, q);
}

// The third one: sub-groups prefetch for their next step.
TEST(prefetch, sub_groups_prefetch_together) {
  sycl::queue q;
  constexpr std::size_t N = 128, L = 64, M = 777;
  int* data = sycl::malloc_shared<int>(M + 200, q);
  int* sums = sycl::malloc_shared<int>(N, q);
  std::iota(data, data + M + 200, 0);
  q.parallel_for(sycl::nd_range{sycl::range{N}, sycl::range{L}}, [=](sycl::nd_item<1> it) {
     auto sg = it.get_sub_group();
     int sum = 0;
     // All work-items of the sub-group make as many steps.
     for (std::size_t first = 0; first < M; first += sg.get_max_local_range()[0]) {
       syclex::joint_prefetch(sg, &data[first + 100], sg.get_max_local_range()[0],
                              syclex::properties{syclex::prefetch_hint_L3});
       const std::size_t j = first + sg.get_local_id()[0];
       sum += sycl::reduce_over_group(sg, j < M ? data[j] : 0, sycl::plus<>());
     }
     sums[it.get_global_linear_id()] = sum;
   }).wait();
  for (std::size_t i = 0; i < N; ++i)
    EXPECT_EQ(sums[i], static_cast<int>(M * (M - 1) / 2));
  sycl::free(data, q);
  sycl::free(sums, q);
}

TEST(prefetch, every_overload_leaves_memory_alone) {
  sycl::queue q;
  constexpr std::size_t size = 64, groups = 2;
  std::vector<int> numbers(3 * 5 * 64);
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::vector<int> before = numbers;
  std::vector<int> sums(size * groups);
  odd_sized* odd = sycl::malloc_device<odd_sized>(300, q);
  {
    sycl::buffer<int, 3> cube(numbers.data(), {3, 5, 64});
    sycl::buffer<int> flat(numbers.data(), numbers.size()), out(sums);
    q.submit([&](sycl::handler& group) {
      sycl::accessor in(flat, group, sycl::read_write);
      sycl::accessor in_cube(cube, group, sycl::read_only);
      sycl::accessor to(out, group, sycl::write_only);
      group.parallel_for(sycl::nd_range<1>(size * groups, size), [=](sycl::nd_item<1> item) {
        constexpr auto second = syclex::properties{syclex::prefetch_hint_L2_nt};
        const std::size_t self = item.get_local_linear_id();
        int* raw = &in[0];
        void* bytes = raw;
        auto global = sycl::address_space_cast<address_space::global_space, decorated::no>(raw + self);
        sycl::multi_ptr<void, address_space::global_space, decorated::no> untyped_global(global);
        auto generic = sycl::address_space_cast<address_space::generic_space, decorated::no>(raw + self);
        syclex::prefetch(bytes);
        syclex::prefetch(bytes, second);
        syclex::prefetch(bytes, 1000);
        syclex::prefetch(bytes, 0, second);
        const void* const constant = bytes;
        syclex::prefetch(constant);
        syclex::prefetch(constant, 1000, second);
        syclex::prefetch(raw + self);
        syclex::prefetch(raw, self, second);
        syclex::prefetch(odd + self, 3, second);
        syclex::prefetch(global);
        syclex::prefetch(generic, second);
        syclex::prefetch(global, 33);
        syclex::prefetch(untyped_global);
        syclex::prefetch(untyped_global, 77, second);
        syclex::prefetch(in, self);
        syclex::prefetch(in, sycl::id<1>(self), 40, second);
        syclex::prefetch(in_cube, sycl::id<3>(1, 2, self), second);
        syclex::prefetch(in_cube, {2, 3, 4}, 10);
        for (int which = 0; which < 2; ++which) {
          const auto together = [&](auto g) {
            syclex::joint_prefetch(g, bytes);
            syclex::joint_prefetch(g, bytes, 10000, second);
            syclex::joint_prefetch(g, bytes, 0);
            syclex::joint_prefetch(g, constant, 1000);
            syclex::joint_prefetch(g, raw, second);
            syclex::joint_prefetch(g, raw + 3, 100);
            syclex::joint_prefetch(g, odd + 5, 20, second);
            syclex::joint_prefetch(g, sycl::global_ptr<int>(raw));
            syclex::joint_prefetch(g, sycl::global_ptr<int>(raw), 50, second);
            syclex::joint_prefetch(g, sycl::global_ptr<void>(bytes), second);
            syclex::joint_prefetch(g, sycl::global_ptr<void>(bytes), 1234);
            syclex::joint_prefetch(g, in, 17, second);
            syclex::joint_prefetch(g, in, 17, 200);
            syclex::joint_prefetch(g, in_cube, sycl::id<3>(0, 1, 2));
            syclex::joint_prefetch(g, in_cube, sycl::id<3>(0, 1, 2), 300, second);
          };
          if (which == 0)
            together(item.get_group());
          else
            together(item.get_sub_group());
        }
        global.prefetch(5); // SYCL 2020's own
        to[item.get_global_linear_id()] = in[self] + in_cube[0][0][self];
      });
    });
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    EXPECT_EQ(sums[i], static_cast<int>(2 * (i % size)));
  EXPECT_EQ(numbers, before);
  sycl::free(odd, q);
}

// Outside kernels the functions are hints to the host's cache.
TEST(prefetch, works_in_host_code) {
  std::vector<int> data(1000, 1);
  syclex::prefetch(data.data(), data.size(), syclex::properties{syclex::prefetch_hint_L2});
  EXPECT_EQ(std::accumulate(data.begin(), data.end(), 0), 1000);
}

} // namespace
