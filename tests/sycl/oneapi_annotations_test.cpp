// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../shared_memory.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

// What programs for DPC++ say of pointers, arguments and reductions: sycl_ext_oneapi_annotated_ptr,
// sycl_ext_oneapi_annotated_arg, sycl_ext_intel_usm_address_spaces, sycl_ext_oneapi_reduction_properties,
// sycl_ext_oneapi_prod.

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
namespace intel = sycl::ext::intel;
using experimental::alignment;
using experimental::annotated_arg;
using experimental::annotated_ptr;
using experimental::properties;
using sycl::access::address_space;

static_assert(SYCL_EXT_ONEAPI_ANNOTATED_PTR == 1 && SYCL_EXT_ONEAPI_ANNOTATED_ARG == 1);
static_assert(SYCL_EXT_INTEL_USM_ADDRESS_SPACES == 3 && SYCL_EXT_ONEAPI_REDUCTION_PROPERTIES == 1);
static_assert(SYCL_EXT_ONEAPI_PROD == 1);

using aligned = decltype(properties{alignment<16>});
using aligned_alone = decltype(properties{alignment<16>, experimental::restrict});
using aligned_ptr = annotated_ptr<int, aligned>;
static_assert(std::is_trivially_copyable_v<aligned_ptr> && sizeof(aligned_ptr) == sizeof(int*));
static_assert(
    std::is_same_v<decltype(annotated_ptr(static_cast<int*>(nullptr), alignment<16>)), aligned_ptr>);
static_assert(std::is_same_v<decltype(annotated_ptr(static_cast<int*>(nullptr), properties{alignment<16>})),
                             aligned_ptr>);
static_assert(std::is_same_v<decltype(annotated_ptr(static_cast<int*>(nullptr))), annotated_ptr<int>>);
static_assert(std::is_same_v<decltype(annotated_ptr(aligned_ptr(), properties{experimental::restrict})),
                             annotated_ptr<int, aligned_alone>>);
static_assert(aligned_ptr::has_property<experimental::alignment_key>());
static_assert(!aligned_ptr::has_property<experimental::restrict_key>());
static_assert(aligned_ptr::get_property<experimental::alignment_key>() == alignment<16>);
static_assert(!std::is_convertible_v<aligned_ptr, int*> && !std::is_convertible_v<int*, aligned_ptr>);
static_assert(std::is_constructible_v<annotated_ptr<const int, aligned_alone>, aligned_ptr>);
static_assert(sycl::is_device_copyable_v<annotated_arg<float, aligned>>);

TEST(annotated_ptr, reads_and_writes_what_it_points_to) {
  sycl::queue queue;
  const shared<int> data(queue, 64);
  for (int i = 0; i < 64; ++i)
    data[i] = i;
  const auto pointer = annotated_ptr(data.get(), alignment<16>);
  queue
      .parallel_for(sycl::range<1>(32),
                    [=](sycl::id<1> i) {
                      const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(i[0]);
                      pointer[place] = pointer[place] * 2;
                      pointer[place] += 1;
                      *(pointer + (32 + i[0])) <<= 1;
                    })
      .wait();
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(data[i], 2 * i + 1);
    EXPECT_EQ(data[32 + i], 2 * (32 + i));
  }
  annotated_ptr<int> moving(data.get());
  EXPECT_EQ((++moving).get(), data.get() + 1);
  EXPECT_EQ(moving++.get(), data.get() + 1);
  EXPECT_EQ(moving - annotated_ptr<int>(data.get()), 2);
  EXPECT_EQ((*--moving)++, 3);
  EXPECT_EQ(data[1], 4);
  moving[0] = moving[2];
  EXPECT_EQ(data[1], 7) << "data[3] was 7";
  EXPECT_TRUE(bool(moving) && !annotated_ptr<int>());
}

TEST(annotated_arg, is_the_argument) {
  struct kernel {
    annotated_arg<int, aligned> a;
    annotated_arg<int> b;
    annotated_arg<int*, aligned> out;
    void operator()() const {
      *out = a + b;
      out[1] = a * 2;
    }
  };
  sycl::queue queue;
  const shared<int> out(queue, 2);
  queue.single_task(kernel{2, 5, out.get()}).wait();
  EXPECT_EQ(out[0], 7);
  EXPECT_EQ(out[1], 4);
  const annotated_arg<double, aligned> converted(annotated_arg<int, aligned>(3));
  EXPECT_EQ(converted, 3.0);
}

template <class To, class From>
constexpr bool only_explicitly = std::is_constructible_v<To, From> && !std::is_convertible_v<From, To>;
static_assert(intel::raw_device_ptr<int>::address_space == address_space::ext_intel_global_device_space);
static_assert(only_explicitly<sycl::raw_global_ptr<int>, intel::raw_device_ptr<int>>);
static_assert(only_explicitly<sycl::raw_global_ptr<const int>, intel::raw_host_ptr<int>>);
static_assert(!std::is_constructible_v<sycl::raw_local_ptr<int>, intel::raw_device_ptr<int>>);
static_assert(!std::is_constructible_v<intel::raw_host_ptr<int>, intel::raw_device_ptr<int>>);
static_assert(std::is_convertible_v<intel::raw_device_ptr<int>, sycl::raw_generic_ptr<int>>);

TEST(usm_address_spaces, are_parts_of_the_global_one) {
  sycl::queue queue;
  int* const device = sycl::malloc_device<int>(4, queue);
  int* const host = sycl::malloc_host<int>(4, queue);
  std::memset(host, 0, 4 * sizeof(int));
  sycl::buffer<int> buffer(sycl::range<1>(1));
  queue
      .submit([&](sycl::handler& group) {
        const sycl::accessor from(buffer, group, sycl::write_only, sycl::no_init);
        group.single_task([=] {
          const intel::device_ptr<int> d(device);
          const intel::host_ptr<int> h(host);
          d[0] = 5;
          h[0] = *d + 1;
          const sycl::raw_global_ptr<int> g(d);
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device,
                           address_space::ext_intel_global_device_space>(d[0]) += 2;
          h[1] = g[0];
          h[2] = sycl::address_space_cast<address_space::ext_intel_global_host_space,
                                          sycl::access::decorated::no>(host) == host;
          const intel::raw_device_ptr<int> of_buffer(from);
          of_buffer[0] = 9;
        });
      })
      .wait();
  queue.ext_oneapi_prod();
  EXPECT_EQ(host[0], 6);
  EXPECT_EQ(host[1], 7);
  EXPECT_EQ(host[2], 1);
  EXPECT_EQ(sycl::host_accessor(buffer)[0], 9);
  sycl::free(device, queue);
  sycl::free(host, queue);
}

TEST(reduction_properties, give_the_same_result_each_time) {
  sycl::queue queue;
  constexpr std::size_t count = 100000;
  const shared<float> data(queue, count), sum(queue, 3);
  for (std::size_t i = 0; i < count; ++i)
    data[i] = 1.0f / static_cast<float>(i + 1) * (i % 3 == 0 ? -1e4f : 1.0f);
  const auto once = [&](std::size_t place) {
    sum[place] = 1000;
    queue
        .parallel_for(
            sycl::range<1>(count),
            sycl::reduction(sum.get() + place, sycl::plus<>(),
                            properties(experimental::deterministic, experimental::initialize_to_identity)),
            [in = data.get()](sycl::id<1> i, auto& reducer) { reducer += in[i]; })
        .wait();
  };
  once(0);
  for (int i = 0; i < 20; ++i) {
    once(1);
    EXPECT_EQ(sycl::bit_cast<std::uint32_t>(sum[0]), sycl::bit_cast<std::uint32_t>(sum[1]));
  }
  EXPECT_LT(sum[0], 0) << "it began at 0";
}

TEST(reduction_properties, are_taken_by_every_overload) {
  sycl::queue queue;
  const shared<int> out(queue, 6);
  for (int i = 0; i < 6; ++i)
    out[i] = 100;
  sycl::buffer<int> first(sycl::range<1>(1)), second(sycl::range<1>(1));
  const properties fresh(experimental::initialize_to_identity);
  const properties same(experimental::deterministic);
  const auto add = [](int a, int b) { return a + b; };
  queue.submit([&](sycl::handler& group) {
    group.parallel_for(sycl::range<1>(10), sycl::reduction(out.get(), sycl::plus<int>(), same),
                       sycl::reduction(out.get() + 1, 0, add, fresh),
                       sycl::reduction(sycl::span<int, 2>(out.get() + 2, 2), sycl::plus<>(), fresh),
                       sycl::reduction(sycl::span<int, 2>(out.get() + 4, 2), 0, add, same),
                       sycl::reduction(first, group, sycl::plus<>(), fresh),
                       sycl::reduction(second, group, 0, add, fresh),
                       [](sycl::id<1>, auto& a, auto& b, auto& c, auto& d, auto& e, auto& f) {
                         a += 1;
                         b.combine(1);
                         c[0] += 1;
                         d[1].combine(1);
                         e += 1;
                         f.combine(1);
                       });
  });
  queue.wait();
  EXPECT_EQ(out[0], 110);
  EXPECT_EQ(out[1], 10);
  EXPECT_EQ(out[2], 10);
  EXPECT_EQ(out[3], 0);
  EXPECT_EQ(out[4], 100);
  EXPECT_EQ(out[5], 110);
  EXPECT_EQ(sycl::host_accessor(first)[0], 10);
  EXPECT_EQ(sycl::host_accessor(second)[0], 10);
}

} // namespace
