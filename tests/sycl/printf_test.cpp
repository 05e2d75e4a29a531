// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

// sycl::ext::oneapi::experimental::printf, and the C library's in kernels.

namespace {

namespace experimental = sycl::ext::oneapi::experimental;

/// The lines that \p print writes to standard output, in order.
template <class Print>
std::vector<std::string> lines_of(const Print& print) {
  testing::internal::CaptureStdout();
  print();
  std::fflush(stdout);
  std::istringstream text(testing::internal::GetCapturedStdout());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

// As programs for DPC++ have it; clang knows the attribute in C++, too.
#define CONSTANT __attribute__((opencl_constant))
static const CONSTANT char FORMAT[] = "work-item %d of %s\n";
static const char* const NAME = "group";

TEST(printf, prints_a_line_for_each_work_item) {
  sycl::queue queue;
  const auto lines = lines_of([&] {
    queue
        .parallel_for(sycl::nd_range<1>(48, 16),
                      [](sycl::nd_item<1> item) {
                        experimental::printf(FORMAT, static_cast<int>(item.get_global_id(0)), "group");
                      })
        .wait();
  });
  std::vector<std::string> expected;
  for (int i = 0; i < 48; ++i)
    expected.push_back("work-item " + std::to_string(i) + " of " + NAME);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(lines, expected);
}

TEST(printf, takes_numbers_of_every_kind) {
  sycl::queue queue;
  const auto lines = lines_of([&] {
    queue
        .single_task([] {
          experimental::printf("%c%hhd %hd %u %lld %lx|", 'a', static_cast<signed char>(-3),
                               static_cast<short>(-300), 4000000000u, -(1LL << 40), 0xfedcba987654321ul);
          experimental::printf("%zu %td %hhu|", static_cast<std::size_t>(1) << 40,
                               static_cast<std::ptrdiff_t>(-5), 300);
          experimental::printf("%.3f %g %e|", 0.5f, 1e100, 2.0);
          experimental::printf("%g %g|", sycl::half(1.5f), sycl::ext::oneapi::bfloat16(2.5f));
          experimental::printf("%5d|%-5d|%05d|%%\n", 42, 42, 42);
        })
        .wait();
  });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "a-3 -300 4000000000 -1099511627776 fedcba987654321|1099511627776 -5 44|"
                      "0.500 1e+100 2.000000e+00|1.5 2.5|   42|42   |00042|%");
}

TEST(printf, is_the_c_librarys_too) {
  sycl::queue queue;
  const auto lines = lines_of([&] {
    queue
        .parallel_for(sycl::range<1>(10),
                      [](sycl::id<1> i) {
                        if (i % 3 == 1)
                          std::printf("std %d\n", static_cast<int>(i));
                        else if (i % 3 == 2)
                          ::printf("one\n"); // which compilers make puts of
                        else if (i == 9)
                          std::puts("nine");
                      })
        .wait();
  });
  EXPECT_EQ(lines, (std::vector<std::string>{"nine", "one", "one", "one", "std 1", "std 4", "std 7"}));
}

TEST(printf, prints_before_a_barrier_and_in_loops) {
  sycl::queue queue;
  const auto lines = lines_of([&] {
    queue
        .parallel_for(sycl::nd_range<1>(8, 8),
                      [](sycl::nd_item<1> item) {
                        const int self = static_cast<int>(item.get_local_id(0));
                        for (int i = 0; i < self; ++i)
                          if (i == 6)
                            experimental::printf("%d reaches %d\n", self, i);
                        sycl::group_barrier(item.get_group());
                        if (self == 0)
                          experimental::printf("end\n");
                      })
        .wait();
  });
  EXPECT_EQ(lines, (std::vector<std::string>{"7 reaches 6", "end"}));
}

TEST(printf, works_on_the_host) {
  int length = 0;
  const auto lines = lines_of([&] { length = experimental::printf("%d and %s\n", 1, "two"); });
  EXPECT_EQ(lines, std::vector<std::string>{"1 and two"});
  EXPECT_EQ(length, 10);
}

} // namespace
