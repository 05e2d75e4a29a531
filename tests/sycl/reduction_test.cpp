// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction kernels (SYCL 2020 §4.9.2).
#include "../shared_memory.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <tuple>
#include <utility>

namespace {

// The standard library's function objects are known as SYCL's are.
static_assert(sycl::known_identity_v<std::plus<>, int> == 0 &&
              sycl::known_identity_v<std::plus<int>, int> == 0);
static_assert(sycl::known_identity_v<std::multiplies<>, float> == 1);
static_assert(sycl::known_identity_v<std::bit_and<>, unsigned char> == 255);
static_assert(sycl::known_identity_v<std::bit_or<int>, int> == 0 &&
              sycl::known_identity_v<std::bit_xor<>, long> == 0);
static_assert(sycl::known_identity_v<std::logical_and<>, bool> &&
              !sycl::known_identity_v<std::logical_or<>, bool>);
static_assert(!sycl::has_known_identity_v<std::plus<float>, int>);
static_assert(!sycl::has_known_identity_v<std::minus<>, int>);
// A trait in the manner of <type_traits>, as DPC++ has it: its uses may combine it with others.
static_assert(std::conjunction<std::is_arithmetic<int>, sycl::has_known_identity<sycl::plus<>, int>>());
static_assert(std::is_same_v<sycl::ext::oneapi::plus<int>, sycl::plus<int>>);

TEST(reduction, takes_the_standard_librarys_function_objects) {
  sycl::queue queue;
  const shared<int> results(queue, 4);
  results[1] = 1;
  results[2] = -1;
  queue
      .parallel_for(sycl::range<1>(10), sycl::reduction(results.get(), std::plus<>()),
                    sycl::reduction(results.get() + 1, std::multiplies<int>()),
                    sycl::reduction(results.get() + 2, std::bit_and<>()),
                    sycl::reduction(results.get() + 3, sycl::ext::oneapi::maximum<>()),
                    [](sycl::id<1> i, auto& sum, auto& product, auto& bits, auto& largest) {
                      const int value = static_cast<int>(i) + 1;
                      sum += value;
                      product *= value;
                      bits &= value | 64;
                      largest.combine(value);
                    })
      .wait();
  EXPECT_EQ(results[0], 55);
  EXPECT_EQ(results[1], 3628800);
  EXPECT_EQ(results[2], 64);
  EXPECT_EQ(results[3], 10);
}

TEST(reduction, group_algorithms_take_the_standard_librarys_function_objects) {
  sycl::queue queue;
  const shared<int> results(queue, 3);
  queue
      .parallel_for(sycl::nd_range<1>(40, 40),
                    [out = results.get()](sycl::nd_item<1> item) {
                      const int self = static_cast<int>(item.get_local_id(0));
                      const int sum = sycl::reduce_over_group(item.get_group(), self, std::plus<>());
                      const int scan =
                          sycl::exclusive_scan_over_group(item.get_group(), self, std::plus<int>());
                      const int bits =
                          sycl::inclusive_scan_over_group(item.get_group(), self, std::bit_or<>());
                      if (self == 39) {
                        out[0] = sum;
                        out[1] = scan;
                        out[2] = bits;
                      }
                    })
      .wait();
  EXPECT_EQ(results[0], 780);
  EXPECT_EQ(results[1], 741);
  EXPECT_EQ(results[2], 63);
}

TEST(reduction, sums_over_ranges_of_any_length) {
  sycl::queue queue;
  const shared<long> sum(queue, 1);
  for (const std::size_t count : {0, 1, 15, 16, 17, 1000, 100003}) {
    sum[0] = 5;
    queue
        .parallel_for(sycl::range<1>(count), sycl::reduction(sum.get(), sycl::plus<>()),
                      [](sycl::id<1> i, auto& reducer) { reducer += static_cast<long>(i[0]); })
        .wait();
    const long n = static_cast<long>(count);
    EXPECT_EQ(sum[0], 5 + n * (n - 1) / 2) << count << " elements";
  }
}

TEST(reduction, visits_every_index_of_three_dimensions_once) {
  sycl::queue queue;
  const sycl::range<3> extent(7, 5, 19);
  const shared<int> visits(queue, extent.size());
  const shared<float> sum(queue, 1);
  for (std::size_t i = 0; i < extent.size(); ++i)
    visits[i] = 0;
  sum[0] = 100;
  int* counts = visits.get();
  queue
      .parallel_for(extent,
                    sycl::reduction(sum.get(), sycl::plus<float>(),
                                    sycl::property::reduction::initialize_to_identity()),
                    [=](sycl::item<3> item, auto& reducer) {
                      counts[item.get_linear_id()] += item.get_range(2) == 19;
                      reducer += 1.0f;
                    })
      .wait();
  EXPECT_EQ(sum[0], static_cast<float>(extent.size()));
  for (std::size_t i = 0; i < extent.size(); ++i)
    EXPECT_EQ(visits[i], 1);
}

TEST(reduction, into_a_buffer) {
  sycl::queue queue;
  sycl::buffer<int> in(sycl::range<1>(500)), largest(sycl::range<1>(1));
  {
    sycl::host_accessor values(in, sycl::write_only), initial(largest, sycl::write_only);
    for (int i = 0; i < 500; ++i)
      values[i] = i * 37 % 499;
    initial[0] = 490;
  }
  queue.submit([&](sycl::handler& group) {
    sycl::accessor values(in, group, sycl::read_only);
    group.parallel_for(sycl::range<1>(500), sycl::reduction(largest, group, sycl::maximum<>()),
                       [=](sycl::id<1> i, auto& most) { most.combine(values[i]); });
  });
  EXPECT_EQ(sycl::host_accessor(largest, sycl::read_only)[0], 498);
}

TEST(reduction, buffer_must_hold_one_element) {
  sycl::queue queue;
  sycl::buffer<int> two(sycl::range<1>(2));
  EXPECT_THROW(queue.submit([&](sycl::handler& group) {
    group.parallel_for(sycl::range<1>(4), sycl::reduction(two, group, sycl::plus<>()),
                       [](sycl::id<1>, auto& reducer) { ++reducer; });
  }),
               sycl::exception);
}

TEST(reduction, without_identity_an_operation_is_enough) {
  sycl::queue queue;
  const shared<int> best(queue, 1);
  const auto farther = [](int a, int b) { return (a < 0 ? -a : a) < (b < 0 ? -b : b) ? b : a; };
  best[0] = 3;
  queue
      .parallel_for(sycl::range<1>(1000), sycl::reduction(best.get(), farther),
                    [](sycl::id<1> i, auto& reducer) {
                      if (i[0] % 100 == 7)
                        reducer.combine(-static_cast<int>(i[0]));
                    })
      .wait();
  EXPECT_EQ(best[0], -907);
  // Nothing combined: the variable keeps its value.
  best[0] = 3;
  queue.parallel_for(sycl::range<1>(1000), sycl::reduction(best.get(), farther), [](sycl::id<1>, auto&) {})
      .wait();
  EXPECT_EQ(best[0], 3);
  EXPECT_THROW(sycl::reduction(best.get(), farther, sycl::property::reduction::initialize_to_identity()),
               sycl::exception);
}

/// The least value and where it is. libstdc++'s pair is device copyable, but not trivially.
using found = std::pair<float, int>;
struct lesser {
  found operator()(const found& a, const found& b) const { return b < a ? b : a; }
};

TEST(reduction, of_pairs_and_tuples) {
  constexpr int n = 1000;
  const auto value = [](int i) { return static_cast<float>((i * 7919 + 13) % 1009); };
  found expected(value(0), 0);
  for (int i = 1; i < n; ++i)
    expected = lesser()(expected, found(value(i), i));
  const found most(1e30f, -1);
  sycl::queue queue;
  found last = most;
  sycl::buffer<found> with(1), without(&last, 1);
  const sycl::property_list reset{sycl::property::reduction::initialize_to_identity()};
  queue.submit([&](sycl::handler& group) {
    group.parallel_for(sycl::range<1>(n), sycl::reduction(with, group, most, lesser(), reset),
                       sycl::reduction(without, group, lesser()),
                       [=](sycl::id<1> i, auto& first, auto& second) {
                         const int index = static_cast<int>(i[0]);
                         first.combine(found(value(index), index));
                         if (index % 7 == 3)
                           second.combine(found(-static_cast<float>(index), index));
                       });
  });
  const auto value_of = [](auto& variable) { return sycl::host_accessor(variable, sycl::read_only)[0]; };
  EXPECT_EQ(value_of(with), expected);
  EXPECT_EQ(value_of(without), found(-997, 997));

  using counts = std::tuple<int, double>;
  const auto add = [](const counts& a, const counts& b) {
    return counts(std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b));
  };
  sycl::buffer<counts> sums(1);
  queue.submit([&](sycl::handler& group) {
    group.parallel_for(sycl::nd_range<2>({20, 50}, {5, 10}),
                       sycl::reduction(sums, group, counts(0, 0), add, reset),
                       [](sycl::nd_item<2>, auto& sum) { sum.combine(counts(1, 0.5)); });
  });
  EXPECT_EQ(value_of(sums), counts(n, n / 2));
}

class without_default {
public:
  explicit constexpr without_default(int value) : value_(value) {}
  int value() const { return value_; }

private:
  int value_;
};

TEST(reduction, needs_no_default_constructor) {
  const auto add = [](const without_default& a, const without_default& b) {
    return without_default(a.value() + b.value());
  };
  sycl::queue queue;
  without_default sum(10);
  {
    sycl::buffer<without_default> variable(&sum, 1);
    for (int turn = 0; turn < 2; ++turn)
      queue.submit([&](sycl::handler& group) {
        const auto kernel = [](sycl::nd_item<1>, auto& reducer) { reducer.combine(without_default(2)); };
        if (turn == 0)
          group.parallel_for(sycl::nd_range<1>(96, 48),
                             sycl::reduction(variable, group, without_default(0), add), kernel);
        else
          group.parallel_for(sycl::nd_range<1>(96, 48), sycl::reduction(variable, group, add), kernel);
      });
  }
  EXPECT_EQ(sum.value(), 10 + 2 * 2 * 96);
}

TEST(reduction, several_in_one_kernel) {
  sycl::queue queue;
  const shared<int> sum(queue, 1);
  const shared<double> product(queue, 1);
  const shared<unsigned> bits(queue, 1);
  sum[0] = 0;
  product[0] = 1;
  bits[0] = 0;
  queue
      .parallel_for(sycl::range<1>(40), sycl::reduction(sum.get(), sycl::plus<>()),
                    sycl::reduction(product.get(), 1.0, sycl::multiplies<>()),
                    sycl::reduction(bits.get(), sycl::bit_or<>()),
                    [](sycl::item<1> item, auto& s, auto& p, auto& b) {
                      s++;
                      p *= item.get_id(0) < 10 ? 2.0 : 1.0;
                      b |= 1u << (item.get_id(0) % 32);
                    })
      .wait();
  EXPECT_EQ(sum[0], 40);
  EXPECT_EQ(product[0], 1024.0);
  EXPECT_EQ(bits[0], 0xffffffffu);
}

// DPC++ has them of vectors.
TEST(reduction, vectors_of_integers_are_incremented) {
  sycl::queue queue;
  const shared<sycl::int2> sum(queue, 1);
  sum[0] = {0, 1};
  queue
      .parallel_for(sycl::nd_range<1>(16, 4), sycl::reduction(sum.get(), std::plus<>()),
                    [](sycl::nd_item<1>, auto& s) {
                      ++s;
                      s++;
                    })
      .wait();
  EXPECT_EQ(sum[0][0], 32);
  EXPECT_EQ(sum[0][1], 33);
}

TEST(reduction, arrays_are_independent_variables) {
  sycl::queue queue;
  const shared<int> histogram(queue, 8);
  for (int i = 0; i < 8; ++i)
    histogram[i] = i;
  queue
      .parallel_for(sycl::range<1>(1000),
                    sycl::reduction(sycl::span<int, 8>(histogram.get(), 8), sycl::plus<>()),
                    [](sycl::id<1> i, auto& bins) { bins[i[0] % 8] += 1; })
      .wait();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(histogram[i], i + 125);
}

TEST(reduction, nd_range_keeps_groups_and_barriers) {
  sycl::queue queue;
  const shared<int> sum(queue, 1), least(queue, 1);
  const shared<int> bins(queue, 4);
  sum[0] = 1;
  least[0] = 1000;
  for (int i = 0; i < 4; ++i)
    bins[i] = 0;
  queue.submit([&](sycl::handler& group) {
    sycl::local_accessor<int> local(12, group);
    group.parallel_for(sycl::nd_range<2>({8, 9}, {4, 3}), sycl::reduction(sum.get(), sycl::plus<>()),
                       sycl::reduction(least.get(), [](int a, int b) { return a < b ? a : b; }),
                       sycl::reduction(sycl::span<int, 4>(bins.get(), 4), 0, sycl::plus<>()),
                       [=](sycl::nd_item<2> item, auto& s, auto& l, auto& b) {
                         const std::size_t self = item.get_local_linear_id();
                         local[self] = static_cast<int>(item.get_global_linear_id());
                         sycl::group_barrier(item.get_group());
                         const int other = local[11 - self];
                         s += other;
                         l.combine(other + 10);
                         b[other % 4].combine(1);
                       });
  });
  queue.wait();
  EXPECT_EQ(sum[0], 1 + 72 * 71 / 2);
  EXPECT_EQ(least[0], 10);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(bins[i], 18);
}

TEST(reduction, many_groups_of_an_nd_range) {
  sycl::queue queue;
  const shared<long> sum(queue, 1);
  // Scratch memory is used again: whatever the first kernel leaves must do for the others.
  for (const std::size_t groups : {3000, 5, 1024, 1025, 3000}) {
    sum[0] = 1;
    queue
        .parallel_for(
            sycl::nd_range<1>(groups * 8, 8), sycl::reduction(sum.get(), sycl::plus<>()),
            [](sycl::nd_item<1> item, auto& reducer) { reducer += static_cast<long>(item.get_global_id(0)); })
        .wait();
    const long n = static_cast<long>(groups) * 8;
    EXPECT_EQ(sum[0], 1 + n * (n - 1) / 2) << groups << " groups";
  }
}

TEST(reduction, launches_in_flight_do_not_share_scratch_memory) {
  constexpr std::size_t launches = 200, count = 5000;
  sycl::queue out_of_order, in_order{sycl::property::queue::in_order()}, other;
  sycl::queue* const queues[] = {&out_of_order, &in_order, &other};
  const shared<long> sums(out_of_order, launches);
  for (std::size_t i = 0; i < launches; ++i)
    sums[i] = 0;
  for (std::size_t i = 0; i < launches; ++i) {
    const long step = static_cast<long>(i);
    queues[i % 3]->parallel_for(
        sycl::range<1>(count), sycl::reduction(sums.get() + i, sycl::plus<>()),
        [=](sycl::id<1> index, auto& reducer) { reducer += static_cast<long>(index[0]) + step; });
  }
  for (sycl::queue* queue : queues)
    queue->wait();
  for (std::size_t i = 0; i < launches; ++i)
    EXPECT_EQ(sums[i], static_cast<long>(count * (count - 1) / 2 + count * i)) << "launch " << i;
}

} // namespace
