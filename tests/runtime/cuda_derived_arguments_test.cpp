// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/cuda_derived_arguments.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace falx;
namespace {

__extension__ using uint128 = unsigned __int128;

struct captured {
  std::int32_t negative = -5;
  std::uint32_t seven = 7;
  double half = 0.5;
  std::int64_t large = 10'000'000'000;
  float third = 1.0f / 3;
};

cuda_derived_arguments::results computed(const std::string& words, const captured& function = {}) {
  const ptx::launch_arguments launch{{1000, 20, 3}, {0, 0, 0}};
  cuda_derived_arguments::results results{};
  cuda_derived_arguments(std::string(ptx::DERIVED_ARGUMENTS) + words + "\n")
      .compute(&function, launch, results);
  return results;
}

template <class T>
T at(const cuda_derived_arguments::results& results, std::size_t place = 0) {
  T value;
  std::memcpy(&value, results.data() + place, sizeof(value));
  return value;
}

template <class T>
T result_of(const std::string& words) {
  return at<T>(computed(words + " result:" + std::to_string(8 * sizeof(T))));
}

TEST(cuda_derived_arguments, are_the_last_line_of_the_code) {
  EXPECT_EQ(derived_arguments_line("PTX"), "");
  const std::string line = "// falx-derived-arguments: constant:32:1 result:32\n";
  EXPECT_EQ(derived_arguments_line("PTX\n" + line), line);
  EXPECT_EQ(derived_arguments_line("\x7f"
                                   "ELF // falx-derived-arguments: no\n" +
                                   line + '\0'),
            line);
  EXPECT_EQ(derived_arguments_line(line + "PTX"), ""); // somebody's text
  EXPECT_TRUE(cuda_derived_arguments(derived_arguments_line("PTX")).is_empty());
}

TEST(cuda_derived_arguments, are_computed_with_so_many_bits) {
  EXPECT_EQ(result_of<std::uint32_t>(" function:32:4 constant:32:10 sub:32"), std::uint32_t(-3));
  EXPECT_EQ(result_of<std::uint64_t>(" function:32:4 constant:64:10 sub:64"), std::uint64_t(-3));
  EXPECT_EQ(result_of<std::int32_t>(" function:32:0 constant:32:2 sdiv:32"), -2);
  EXPECT_EQ(result_of<std::int32_t>(" function:32:0 constant:32:2 srem:32"), -1);
  EXPECT_EQ(result_of<std::int64_t>(" function:32:0 sext:32 trunc:64 function:64:16 mul:64"),
            -50'000'000'000);
  EXPECT_EQ(result_of<std::uint32_t>(" function:64:16 trunc:32"), std::uint32_t(10'000'000'000));
  EXPECT_EQ(result_of<std::uint32_t>(" function:8:0"), 0xfbu);
  EXPECT_EQ(result_of<std::uint32_t>(" function:8:0 sext:8 trunc:32"), std::uint32_t(-5));
  EXPECT_EQ(result_of<std::uint64_t>(" launch:64:0 launch:64:8 udiv:64 launch:64:16 urem:64"), 2u);
  EXPECT_EQ(result_of<std::int32_t>(" function:32:0 constant:32:1 ashr:32"), -3);
  EXPECT_EQ(result_of<std::uint32_t>(" function:32:0 constant:32:28 lshr:32"), 15u);
  EXPECT_EQ(result_of<std::int32_t>(" function:32:0 function:32:4 smin:32"), -5);
  EXPECT_EQ(result_of<std::uint32_t>(" function:32:0 function:32:4 umin:32"), 7u);
  EXPECT_EQ(result_of<std::uint32_t>(" function:32:0 abs:32"), 5u);
  EXPECT_EQ(result_of<std::uint32_t>(" constant:32:2147483648 abs:32"), 0x80000000u);
}

TEST(cuda_derived_arguments, are_numbers_where_the_kernel_would_not_compute_them) {
  EXPECT_EQ(result_of<std::uint32_t>(" function:32:4 constant:32:0 udiv:32"), 0u);
  EXPECT_EQ(result_of<std::uint32_t>(" function:32:4 constant:32:0 srem:32"), 0u);
  EXPECT_EQ(
      result_of<std::uint64_t>(" constant:64:9223372036854775808 constant:32:0 constant:64:1 sub:64 sdiv:64"),
      std::uint64_t{1} << 63);
  EXPECT_EQ(result_of<std::uint32_t>(" function:32:4 constant:32:32 shl:32"), 0u);
  for (const char* what : {"half_multiplier", "half_shift", "whole_multiplier", "whole_shift"})
    for (const char* bits : {"32", "64"})
      EXPECT_EQ(result_of<std::uint64_t>(std::string(" constant:64:0 ") + what + ":" + bits), 0u);
}

TEST(cuda_derived_arguments, of_floating_point_are_rounded_to_nearest) {
  EXPECT_EQ(result_of<double>(" function:32:4 uitofp32:64 function:64:8 fdiv:64"), 14.0);
  EXPECT_EQ(result_of<double>(" function:32:24 fpext:64"), double(1.0f / 3));
  EXPECT_EQ(result_of<float>(" function:64:8 fsqrt:64 fptrunc:32 fneg:32"), -0.70710678f);
  EXPECT_EQ(result_of<float>(" function:64:16 sitofp64:32 function:32:0 sitofp32:32 fadd:32"), 1e10f);
  const std::string least = " constant:32:1 constant:32:1082130432 fmul:32"; // a subnormal number, four times
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
#ifdef __SSE__
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040); // as with -ffast-math
#endif
    const float third = result_of<float>(" constant:32:1065353216 constant:32:1077936128 fdiv:32");
    const float four = result_of<float>(least);
    EXPECT_EQ(std::fegetround(), mode);
#ifdef __SSE__
    EXPECT_EQ(__builtin_ia32_stmxcsr() | 63, before | 0x8040 | 63);
    __builtin_ia32_ldmxcsr(before);
#endif
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(third), 0x3eaaaaabu);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(four), 4u);
  }
}

TEST(cuda_derived_arguments, are_aligned_one_behind_the_other) {
  const cuda_derived_arguments::results results = computed(
      " constant:32:1 result:32 constant:64:2 result:64 constant:32:3 result:32 constant:32:4 result:32");
  EXPECT_EQ(at<std::uint32_t>(results), 1u);
  EXPECT_EQ(at<std::uint64_t>(results, 8), 2u);
  EXPECT_EQ(at<std::uint32_t>(results, 16), 3u);
  EXPECT_EQ(at<std::uint32_t>(results, 20), 4u);
}

/// As the code of a kernel divides by \p divisor.
template <class T, class Wide>
void check_multipliers(T divisor, const std::vector<T>& dividends) {
  constexpr unsigned BITS = 8 * sizeof(T);
  const std::string bits = std::to_string(BITS), by = " constant:" + bits + ":" + std::to_string(divisor);
  const auto value = [&](const char* operation) { return result_of<T>(by + " " + operation + ":" + bits); };
  const T half = value("half_multiplier"), whole = value("whole_multiplier");
  const unsigned half_shift = static_cast<unsigned>(value("half_shift"));
  const unsigned whole_shift = static_cast<unsigned>(value("whole_shift"));
  const auto high = [](T a, T b) { return static_cast<T>(static_cast<Wide>(a) * b >> BITS); };
  ASSERT_LT(half_shift, BITS);
  for (const T x : dividends) {
    const T t = high(x, whole);
    ASSERT_EQ(static_cast<T>((((x - t) >> std::min(whole_shift, 1u)) + t) >> (std::max(whole_shift, 1u) - 1)),
              x / divisor)
        << x << " / " << divisor;
    if (x >> (BITS - 1) == 0) {
      ASSERT_EQ(static_cast<T>(high(static_cast<T>(x << 1), half) >> half_shift), x / divisor)
          << x << " / " << divisor;
    }
  }
}

template <class T, class Wide>
void check_all_multipliers() {
  std::mt19937_64 random(3);
  std::vector<T> numbers = {1, 2, 3, 5, 6, 7, 10, 641, std::numeric_limits<T>::max()};
  for (unsigned power = 2; power < 8 * sizeof(T); ++power)
    for (int near = -2; near <= 2; ++near)
      numbers.push_back(static_cast<T>((T{1} << power) + static_cast<T>(near)));
  for (int i = 0; i < 300; ++i)
    numbers.push_back(static_cast<T>(random()) >> (random() % (8 * sizeof(T))));
  for (const T divisor : numbers) {
    if (divisor == 0)
      continue;
    // Where quotients change, too.
    std::vector<T> dividends = numbers;
    for (const T number : numbers)
      for (int near = -1; near <= 1; ++near)
        dividends.push_back(static_cast<T>(number / divisor * divisor + static_cast<T>(near)));
    check_multipliers<T, Wide>(divisor, dividends);
  }
}

TEST(cuda_derived_arguments, are_what_divisions_are_made_of) {
  check_all_multipliers<std::uint32_t, std::uint64_t>();
  check_all_multipliers<std::uint64_t, uint128>();
}

TEST(cuda_derived_arguments, that_nobody_understands_are_refused) {
  for (const std::string words :
       {" divide:32", " add:32", " constant:32", " constant:24:1", " constant:32:1:2", " constant:32:x",
        " fadd:16", " constant:32:1 add:32", " result:32", " constant", " :32", " constant:-8:1"})
    EXPECT_THROW(computed(words), std::invalid_argument) << words;
  std::string many;
  for (std::size_t i = 0; i < ptx::MOST_DERIVED_BYTES / 8; ++i)
    many += " constant:64:1 result:64";
  EXPECT_NO_THROW(computed(many));
  EXPECT_THROW(computed(many + " constant:64:1 result:64"), std::invalid_argument);
  std::string deep;
  for (std::size_t i = 0; i < ptx::MOST_DERIVED_OPERANDS; ++i)
    deep += " constant:64:1";
  EXPECT_NO_THROW(computed(deep));
  EXPECT_THROW(computed(deep + " constant:64:1"), std::invalid_argument);
}

} // namespace
