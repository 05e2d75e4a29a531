// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that run long get code that knows what their launches have in common, on devices that time it
// (runtime/adaptivity): results are the same, and launches that differ are right.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

/// Long enough for a trial of two forms on a GPU.
constexpr auto ENOUGH = std::chrono::milliseconds(1500);

/// Sums of elements that a number of captured integers choose: what a compiler unrolls if it knows them.
struct sums {
  const float* from;
  float* to;
  int terms, stride, offset;
  float factor;
  void operator()(sycl::id<1> id) const {
    const auto i = static_cast<int>(id[0]);
    float sum = 0;
    for (int k = 0; k < terms; ++k)
      sum = sum * factor + from[(i * stride + k + offset) % 4096] / (1.0f + static_cast<float>(k * terms));
    to[i] = sum;
  }
};

class learned_code : public testing::Test {
protected:
  static constexpr std::size_t SIZE = std::size_t{1} << 20;
  void SetUp() override {
    for (std::size_t i = 0; i < 4096 + 1; ++i)
      from_[i] = static_cast<float>(i % 97) * 0.37f - 11;
    is_short_ = !queue_.get_device().is_gpu(); // nothing is learned elsewhere
  }
  void TearDown() override {
    sycl::free(from_, queue_);
    sycl::free(to_, queue_);
  }
  std::vector<float> result_of(const sums& kernel) {
    queue_.parallel_for(sycl::range<1>(SIZE), kernel).wait();
    return {to_, to_ + SIZE};
  }
  sums with(int terms, int stride, int offset, float factor, std::size_t moved = 0) const {
    return {from_ + moved, to_, terms, stride, offset, factor};
  }

  sycl::queue queue_{sycl::property::queue::in_order{}};
  float* from_ = sycl::malloc_shared<float>(4096 + 1, queue_);
  float* to_ = sycl::malloc_shared<float>(SIZE, queue_);
  bool is_short_ = false;
};

TEST_F(learned_code, gives_the_same_results) {
  const sums usual = with(100, 3, 5, 0.75f);
  const std::vector<float> expected = result_of(usual);
  const auto start = clock_type::now();
  std::size_t launches = 0;
  do {
    for (int i = 0; i < 200 && !is_short_; ++i, ++launches)
      queue_.parallel_for(sycl::range<1>(SIZE), usual);
    ASSERT_EQ(result_of(usual), expected) << "after " << launches << " launches";
  } while (!is_short_ && clock_type::now() - start < ENOUGH);
}

TEST_F(learned_code, is_for_launches_that_agree) {
  const sums usual = with(90, 7, 1, 0.5f);
  const sums others[] = {with(91, 7, 1, 0.5f), with(90, 8, 1, 0.5f), with(90, 7, 2, 0.5f),
                         with(90, 7, 1, 0.25f), with(90, 7, 1, 0.5f, 1)};
  std::vector<std::vector<float>> expected;
  for (const sums& other : others)
    expected.push_back(result_of(other));
  const std::vector<float> of_usual = result_of(usual);
  const auto start = clock_type::now();
  do {
    for (int i = 0; i < 300 && !is_short_; ++i)
      queue_.parallel_for(sycl::range<1>(SIZE), usual);
    ASSERT_EQ(result_of(usual), of_usual);
    for (std::size_t other = 0; other < std::size(others); ++other) {
      ASSERT_EQ(result_of(others[other]), expected[other]) << other;
      ASSERT_EQ(result_of(usual), of_usual);
    }
  } while (!is_short_ && clock_type::now() - start < 2 * ENOUGH);
}

/// As programs do whose kernels count their launches.
TEST_F(learned_code, of_a_number_that_changes_each_time) {
  const auto start = clock_type::now();
  int step = 0;
  do {
    for (int i = 0; i < 100; ++i, ++step) {
      const float* const from = from_;
      float* const to = to_;
      const int terms = 64;
      queue_.parallel_for(sycl::range<1>(SIZE / 64), [=](sycl::id<1> id) {
        float sum = static_cast<float>(step);
        for (int k = 0; k < terms * 64; ++k)
          sum += from[(k + static_cast<int>(id[0])) % 4096];
        to[id] = id[0] == 0 ? static_cast<float>(step) : sum;
      });
    }
    queue_.wait();
    ASSERT_EQ(to_[0], static_cast<float>(step - 1));
  } while (!is_short_ && clock_type::now() - start < ENOUGH);
}

} // namespace
