// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_ext_oneapi_kernel_properties, sycl_ext_oneapi_auto_local_range, sycl_ext_oneapi_get_kernel_info and
// launches by sycl_ext_oneapi_enqueue_functions.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace sycl;
namespace syclex = sycl::ext::oneapi::experimental;

static_assert(SYCL_EXT_ONEAPI_KERNEL_PROPERTIES == 1 && SYCL_EXT_ONEAPI_AUTO_LOCAL_RANGE == 1 &&
              SYCL_EXT_ONEAPI_GET_KERNEL_INFO == 1 && SYCL_EXT_ONEAPI_ENQUEUE_FUNCTIONS == 1);

static_assert(syclex::work_group_size<8, 4>[0] == 8 && syclex::work_group_size<8, 4>[1] == 4);
static_assert(syclex::work_group_size<8>[0] == 8 && syclex::sub_group_size<16>.value == 16);
static_assert(syclex::device_has<aspect::fp64, aspect::cpu>.value.size() == 2);
static_assert(syclex::max_linear_work_group_size<64>.value == 64 &&
              syclex::max_work_group_size<4, 2>[1] == 2);
static_assert(syclex::is_property_key_v<syclex::sub_group_size_key>);
static_assert(syclex::is_property_value_v<decltype(syclex::work_group_size_hint<1, 2, 3>)> &&
              syclex::properties{syclex::sub_group_size<8>, syclex::work_group_size<8>}
                  .has_property<syclex::work_group_size_key>());

template <class Action>
errc code_of(const Action& action) {
  try {
    action();
  } catch (const exception& error) {
    return static_cast<errc>(error.code().value());
  }
  return errc::success;
}

/// A size that sub-groups of the queue's device can have.
bool has_sub_group_size(const queue& q, std::size_t size) {
  const auto sizes = q.get_device().get_info<info::device::sub_group_sizes>();
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

TEST(kernel_properties, demand_work_group_sizes_of_launches) {
  queue q;
  const syclex::properties demand{syclex::work_group_size<4, 2>};
  const auto launch = [&](const range<2>& local) {
    q.parallel_for(nd_range<2>({8, 4}, local), demand, [=](nd_item<2>) {}).wait();
  };
  EXPECT_NO_THROW(launch({4, 2}));
  EXPECT_EQ(code_of([&] { launch({2, 4}); }), errc::nd_range);
  // The same kernel function without the property is another kernel.
  const auto function = [=](nd_item<2>) {};
  EXPECT_NO_THROW(q.parallel_for(nd_range<2>({8, 4}, {2, 4}), function).wait());
  EXPECT_EQ(code_of([&] { q.parallel_for(nd_range<2>({8, 4}, {2, 4}), demand, function); }), errc::nd_range);
}

TEST(kernel_properties, set_sub_group_sizes) {
  queue q;
  unsigned* const size = malloc_shared<unsigned>(1, q);
  if (has_sub_group_size(q, 32)) {
    q.parallel_for(nd_range<1>(64, 64), syclex::properties{syclex::sub_group_size<32>}, [=](nd_item<1> it) {
       if (it.get_global_id(0) == 0)
         *size = it.get_sub_group().get_max_local_range()[0];
     }).wait();
    EXPECT_EQ(*size, 32u);
  }
  EXPECT_EQ(code_of([&] {
              q.parallel_for(nd_range<1>(64, 64), syclex::properties{syclex::sub_group_size<3>},
                             [=](nd_item<1>) {});
            }),
            errc::kernel_not_supported);
  sycl::free(size, q);
}

TEST(kernel_properties, demand_aspects) {
  queue q;
  const errc expected = q.get_device().has(aspect::accelerator) ? errc::success : errc::kernel_not_supported;
  EXPECT_EQ(
      code_of([&] { q.single_task(syclex::properties{syclex::device_has<aspect::accelerator>}, [] {}); }),
      expected);
}

} // namespace

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::device_has<aspect::accelerator>))
SYCL_EXTERNAL int needs_an_accelerator(int x);
int needs_an_accelerator(int x) {
  return x + 1;
}

namespace {

TEST(kernel_properties, of_functions_demand_aspects_of_kernels_that_call_them) {
  queue q;
  int* const result = malloc_shared<int>(1, q);
  const errc expected = q.get_device().has(aspect::accelerator) ? errc::success : errc::kernel_not_supported;
  EXPECT_EQ(code_of([&] { q.single_task([=] { *result = needs_an_accelerator(1); }); }), expected);
  q.wait();
  sycl::free(result, q);
}

TEST(kernel_properties, limit_work_groups) {
  queue q;
  const auto launch = [&](const range<2>& local, auto properties) {
    q.parallel_for(nd_range<2>({16, 16}, local), properties, [=](nd_item<2>) {}).wait();
  };
  const syclex::properties box{syclex::max_work_group_size<4, 8>};
  EXPECT_NO_THROW(launch({4, 8}, box));
  EXPECT_EQ(code_of([&] { launch({8, 4}, box); }), errc::nd_range);
  const syclex::properties linear{syclex::max_linear_work_group_size<16>};
  EXPECT_NO_THROW(launch({4, 4}, linear));
  EXPECT_NO_THROW(launch({2, 8}, linear));
  EXPECT_EQ(code_of([&] { launch({4, 8}, linear); }), errc::nd_range);
}

class embedding_kernel {
public:
  embedding_kernel(unsigned* result) : result_(result) {}
  void operator()(nd_item<1> it) const {
    if (it.get_global_id(0) == 0)
      *result_ = it.get_local_range(0);
  }
  auto get(syclex::properties_tag) { return syclex::properties{syclex::work_group_size<8>}; }

private:
  unsigned* result_;
};

TEST(kernel_properties, are_part_of_a_kernels_class) {
  queue q;
  unsigned* const result = malloc_shared<unsigned>(1, q);
  q.parallel_for(nd_range<1>(16, 8), embedding_kernel(result)).wait();
  EXPECT_EQ(*result, 8u);
  EXPECT_EQ(code_of([&] { q.parallel_for(nd_range<1>(16, 4), embedding_kernel(result)); }), errc::nd_range);
  // With others of the launch, and with the same one once more.
  const syclex::properties more{syclex::max_linear_work_group_size<8>, syclex::work_group_size<8>};
  EXPECT_NO_THROW(q.parallel_for(nd_range<1>(16, 8), more, embedding_kernel(result)).wait());
  using hint = info::kernel::attributes;
  EXPECT_EQ((ext::oneapi::get_kernel_info<embedding_kernel, hint>(q.get_context())),
            "reqd_work_group_size(8)");
  using size = info::kernel_device_specific::work_group_size;
  EXPECT_EQ((ext::oneapi::get_kernel_info<embedding_kernel, size>(q)), 8u);
  EXPECT_EQ((ext::oneapi::get_kernel_info<embedding_kernel, size>(q.get_context(), q.get_device())), 8u);
  sycl::free(result, q);
}

TEST(kernel_properties, stand_in_front_of_reductions_and_behind_events) {
  queue q;
  int* const sums = malloc_shared<int>(2, q);
  sums[0] = sums[1] = 0;
  const syclex::properties hint{syclex::work_group_size_hint<16>};
  const event first = q.parallel_for(range<1>(100), hint, reduction(sums, plus<int>()),
                                     [=](id<1> i, auto& sum) { sum += static_cast<int>(i[0]); });
  q.parallel_for(nd_range<1>(64, 16), first, syclex::properties{syclex::work_group_size<16>},
                 reduction(sums + 1, plus<int>()), [=](nd_item<1>, auto& sum) { sum += 1; })
      .wait();
  q.single_task(first, syclex::properties{}, [=] { sums[1] += sums[0]; }).wait();
  EXPECT_EQ(sums[0], 4950);
  EXPECT_EQ(sums[1], 5014);
  q.submit([&](handler& h) {
     h.parallel_for_work_group(range<1>(2), range<1>(4), syclex::properties{syclex::work_group_size<4>},
                               [=](group<1> g) {
                                 g.parallel_for_work_item([&](h_item<1> it) {
                                   if (it.get_global_id(0) == 7)
                                     sums[0] = 7;
                                 });
                               });
   }).wait();
  EXPECT_EQ(sums[0], 7);
  sycl::free(sums, q);
}

template <int D>
void check_automatic(queue& q, const range<D>& items) {
  const std::size_t count = items.size();
  unsigned* const hits = malloc_shared<unsigned>(count, q);
  std::fill(hits, hits + count, 0u);
  q.parallel_for(nd_range<D>(items, syclex::auto_range<D>()), [=](nd_item<D> it) {
     const unsigned members = reduce_over_group(it.get_group(), 1u, plus<unsigned>());
     hits[it.get_global_linear_id()] += members == it.get_local_range().size() ? 1 : 2;
   }).wait();
  EXPECT_TRUE(std::all_of(hits, hits + count, [](unsigned n) { return n == 1; })) << count;
  unsigned* const sum = hits;
  *sum = 0;
  q.parallel_for(nd_range<D>(items, syclex::auto_range<D>()), reduction(sum, plus<unsigned>()),
                 [=](nd_item<D>, auto& total) { total += 1u; })
      .wait();
  EXPECT_EQ(*sum, count);
  sycl::free(hits, q);
}

TEST(auto_local_range, runs_every_work_item_once) {
  queue q;
  for (const std::size_t n : {1, 12, 200, 211, 4096})
    check_automatic(q, range<1>(n));
  check_automatic(q, range<2>(10, 2));
  check_automatic(q, range<2>(7, 64));
  check_automatic(q, range<3>(1, 2, 3));
  check_automatic(q, range<3>(6, 5, 128));
  EXPECT_NO_THROW(q.parallel_for(nd_range<1>(0, syclex::auto_range<1>()), [=](nd_item<1>) {}).wait());
}

TEST(auto_local_range, keeps_what_kernels_demand) {
  queue q;
  std::size_t* const size = malloc_shared<std::size_t>(1, q);
  const auto automatic = nd_range<2>({8, 8}, syclex::auto_range<2>());
  const auto function = [=](nd_item<2> it) {
    if (it.get_global_linear_id() == 0)
      *size = it.get_local_range(0) * 100 + it.get_local_range(1);
  };
  q.parallel_for(automatic, syclex::properties{syclex::work_group_size<2, 4>}, function).wait();
  EXPECT_EQ(*size, 204u);
  q.parallel_for(automatic, syclex::properties{syclex::max_work_group_size<1, 4>}, function).wait();
  EXPECT_EQ(*size, 104u);
  q.parallel_for(automatic, syclex::properties{syclex::max_linear_work_group_size<2>}, function).wait();
  EXPECT_EQ(*size, 102u);
  sycl::free(size, q);
}

TEST(enqueue_functions, launch_kernels) {
  queue q{property::queue::in_order()};
  constexpr int SIZE = 64;
  int* const data = malloc_shared<int>(SIZE, q);
  std::iota(data, data + SIZE, 0);
  int* const sum = malloc_shared<int>(1, q);
  *sum = 0;
  syclex::single_task(q, [=] { data[0] = 1; });
  syclex::submit(q,
                 [&](handler& h) { syclex::single_task<class named_task>(h, [=] { data[1] += data[0]; }); });
  syclex::parallel_for(q, SIZE, [=](id<1> i) { data[i] *= 2; });
  syclex::parallel_for(q, range<2>(8, 8), [=](item<2> i) { data[i.get_linear_id()] += 1; });
  syclex::parallel_for(
      q, range<1>(SIZE), [=](id<1> i, auto& total) { total += data[i]; }, reduction(sum, plus<int>()));
  event last = syclex::submit_with_event(q, [&](handler& h) {
    syclex::nd_launch(
        h, nd_range<1>(SIZE, 8), [=](nd_item<1> it, auto& total) { total += data[it.get_global_id()]; },
        reduction(sum, plus<int>()));
  });
  last.wait();
  // 0 to 63, of which the first two became 1 and 2, doubled and one more, twice.
  EXPECT_EQ(*sum, 2 * (2 * (63 * 64 / 2 + 2) + SIZE));
  const syclex::launch_config over{nd_range<1>(SIZE, 8), syclex::properties{syclex::work_group_size<8>}};
  syclex::nd_launch(q, over, [=](nd_item<1> it) { data[it.get_global_id()] = 5; });
  syclex::nd_launch(q, nd_range<1>(SIZE, 8), [=](nd_item<1> it) { data[it.get_global_id()] += 1; });
  syclex::parallel_for(q, syclex::launch_config{range<1>(SIZE)}, [=](id<1> i) { data[i] += 1; });
  q.wait();
  EXPECT_TRUE(std::all_of(data, data + SIZE, [](int value) { return value == 7; }));
  sycl::free(data, q);
  sycl::free(sum, q);
}

} // namespace
