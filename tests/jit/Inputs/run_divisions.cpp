// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of run_divisions.py: calls each kernel in both forms with the same numbers, and compares.
#include "backends/cuda/cuda_derived_arguments.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>

using namespace falx;
namespace {

struct function_object {
  const void* in;
  std::uint64_t* out;
  std::uint64_t divisor, unused;
};
struct third_parameter {
  std::byte bytes[ptx::MOST_DERIVED_BYTES];
};

using plain_kernel = void(function_object, ptx::launch_arguments);
using transformed_kernel = void(function_object, ptx::launch_arguments, third_parameter);

} // namespace

#define DIVISIONS(number, names, words)                                                                      \
  extern "C" plain_kernel plain_##number;                                                                    \
  extern "C" transformed_kernel transformed_##number;
#include "divisions.inc"
#undef DIVISIONS

namespace {

/// Of all lengths, near powers of two, small and with a sign, and the same in both halves.
std::uint64_t make_number(std::mt19937_64& random) {
  const std::uint64_t number = random(), one = 1;
  switch (random() % 6) {
  case 0:
    return number >> (random() % 64);
  case 1:
    return (one << (random() % 64)) + random() % 5 - 2;
  case 2:
    return static_cast<std::uint64_t>(static_cast<std::int32_t>(number));
  case 3:
    return -(number >> (random() % 64));
  case 4:
    return (number >> (random() % 32) & 0xffffffff) * 0x100000001;
  default:
    return number;
  }
}

/// Is it no divisor in one of the forms that kernels have it in, or may it overflow?
bool is_left_out(std::uint64_t divisor, std::uint64_t dividend) {
  const auto low = static_cast<std::int32_t>(divisor), low_dividend = static_cast<std::int32_t>(dividend);
  if (divisor == 0 || (static_cast<std::uint32_t>(low) >> 1) == 0)
    return true;
  const bool is_minus_one = low == -1;
  const bool is_least = low_dividend == std::numeric_limits<std::int32_t>::min() || dividend << 1 == 0;
  return is_minus_one && is_least;
}

int check(const char* names, const std::string& words, plain_kernel* plain, transformed_kernel* transformed) {
  constexpr int CASES = 200'000;
  constexpr ptx::launch_arguments LAUNCH{{1, 1, 1}, {0, 0, 0}};
  const cuda_derived_arguments arguments(std::string(ptx::DERIVED_ARGUMENTS) + words + "\n");
  std::mt19937_64 random(1);
  for (int i = 0; i < CASES; ++i) {
    const std::uint64_t dividend = make_number(random), divisor = make_number(random);
    if (is_left_out(divisor, dividend))
      continue;
    std::uint64_t expected[4] = {}, found[4] = {};
    const function_object object{&dividend, expected, divisor, 0}, its_object{&dividend, found, divisor, 0};
    cuda_derived_arguments::results results;
    arguments.compute(&its_object, LAUNCH, results);
    third_parameter parameter;
    std::memcpy(&parameter, &results, sizeof(parameter));
    plain(object, LAUNCH);
    transformed(its_object, LAUNCH, parameter);
    if (std::memcmp(expected, found, sizeof(found)) != 0) {
      std::printf("%s: of %#llx and %#llx\n", names, static_cast<unsigned long long>(dividend),
                  static_cast<unsigned long long>(divisor));
      return 1;
    }
  }
  return 0;
}

} // namespace

int main() {
  int wrong = 0;
#define DIVISIONS(number, names, words) wrong += check(names, words, &plain_##number, &transformed_##number);
#include "divisions.inc"
#undef DIVISIONS
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
