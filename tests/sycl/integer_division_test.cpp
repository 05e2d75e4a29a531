// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients and remainders of integers in kernels are C++'s, wherever they come close to the next integer.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

template <class T>
class integer_division : public testing::Test {};
using types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                             std::uint32_t, std::int64_t>;
TYPED_TEST_SUITE(integer_division, types, );

template <class T>
struct division {
  T dividend, divisor, quotient, rest;
};

/// Pairs around products: the quotient is just an integer, or just not.
template <class T>
std::vector<division<T>> divisions() {
  using limits = std::numeric_limits<T>;
  std::vector<T> numbers = {1,
                            2,
                            3,
                            7,
                            T(-1),
                            T(-2),
                            limits::min(),
                            T(limits::min() + 1),
                            limits::max(),
                            T(limits::max() - 1),
                            T(limits::max() / 2),
                            T(limits::max() / 2 + 1)};
  std::uint64_t state = 1;
  for (unsigned bits = 1; bits <= 64; bits += 3)
    numbers.push_back(T((state = state * 6364136223846793005u + 1442695040888963407u) >> (64 - bits)));
  std::vector<division<T>> result;
  for (const T divisor : numbers)
    for (const T factor : numbers)
      for (int distance = -1; distance <= 1; ++distance) {
        const T dividend = T(std::uint64_t(divisor) * std::uint64_t(factor) + std::uint64_t(distance));
        const bool overflows = std::is_signed_v<T> && divisor == T(-1) && dividend == limits::min();
        if (divisor != 0 && !overflows)
          result.push_back({dividend, divisor, 0, 0});
      }
  return result;
}

TYPED_TEST(integer_division, is_exact) {
  std::vector<division<TypeParam>> all = divisions<TypeParam>();
  {
    sycl::queue queue;
    sycl::buffer<division<TypeParam>> buffer(all.data(), all.size());
    queue.submit([&](sycl::handler& group) {
      sycl::accessor on_device(buffer, group, sycl::read_write);
      group.parallel_for(sycl::range<1>(all.size()), [=](sycl::id<1> i) {
        division<TypeParam>& mine = on_device[i];
        mine.quotient = TypeParam(mine.dividend / mine.divisor);
        mine.rest = TypeParam(mine.dividend % mine.divisor);
      });
    });
  }
  for (const division<TypeParam>& each : all) {
    EXPECT_EQ(each.quotient, TypeParam(each.dividend / each.divisor))
        << +each.dividend << " / " << +each.divisor;
    EXPECT_EQ(each.rest, TypeParam(each.dividend % each.divisor)) << +each.dividend << " % " << +each.divisor;
  }
}

} // namespace
