// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::stream (SYCL 2020 §4.16).
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using sycl::detail::float_notation;

std::string format(double value, int precision, float_notation notation) {
  sycl::detail::stream_format how;
  how.precision = precision;
  how.notation = notation;
  sycl::detail::number_text text;
  sycl::detail::format_float(text, how, value);
  return std::string(text.text, text.text + text.length);
}

TEST(stream, numbers_are_rounded_as_the_c_library_does) {
  const double values[] = {0.0,
                           -0.0,
                           1.0,
                           0.5,
                           2.5,
                           0.05,
                           0.125,
                           9.5,
                           99.5,
                           0.999,
                           1e5,
                           1e6,
                           999999.5,
                           1e15,
                           1e22,
                           1e23,
                           123456,
                           0.0001,
                           1e-5,
                           1.0 / 3,
                           5e-324,
                           1e308,
                           1.7976931348623157e308,
                           2.2250738585072014e-308,
                           4294967296.0};
  for (const double value : values)
    for (int precision = 0; precision <= 20; ++precision) {
      char expected[512];
      std::snprintf(expected, sizeof(expected), "%.*g", precision, value);
      EXPECT_EQ(format(value, precision, float_notation::general), expected);
      std::snprintf(expected, sizeof(expected), "%.*f", precision, value);
      EXPECT_EQ(format(value, precision, float_notation::fixed), expected);
      std::snprintf(expected, sizeof(expected), "%.*e", precision, value);
      EXPECT_EQ(format(value, precision, float_notation::scientific), expected);
      std::snprintf(expected, sizeof(expected), "%a", value);
      EXPECT_EQ(format(value, precision, float_notation::hexadecimal), expected);
    }
  EXPECT_EQ(format(HUGE_VAL, 6, float_notation::general), "inf");
  EXPECT_EQ(format(-HUGE_VAL, 6, float_notation::fixed), "-inf");
  EXPECT_EQ(format(std::nan(""), 6, float_notation::general), "nan");
}

/// What \p command_group printed, from submission to completion.
template <class CommandGroup>
std::string printed_by(CommandGroup command_group) {
  testing::internal::CaptureStdout();
  sycl::queue queue;
  queue.submit(command_group);
  queue.wait();
  return testing::internal::GetCapturedStdout();
}

TEST(stream, prints_scalars_with_manipulators) {
  const std::string text = printed_by([](sycl::handler& group) {
    sycl::stream out(4096, 256, group);
    group.single_task([=] {
      out << "int " << -42 << ", unsigned " << 42u << ", char " << 'c' << ", bool " << true << sycl::endl;
      out << sycl::hex << 255 << ' ' << sycl::showbase << 255 << ' ' << -1 << ' ' << sycl::oct << 8 << ' '
          << sycl::dec << 8 << sycl::endl;
      out << 1.5f << ' ' << 1e10 << ' ' << sycl::setprecision(2) << sycl::fixed << 3.14159 << ' '
          << sycl::scientific << 1234.5 << sycl::endl;
      out << sycl::setw(6) << 7 << sycl::setw(0) << '|' << sycl::showpos << 7 << '\n';
    });
  });
  EXPECT_EQ(text, "int -42, unsigned 42, char c, bool 1\n"
                  "ff 0xff 0xffffffff 010 8\n"
                  "1.5 1e+10 3.14 1.23e+03\n"
                  "     7|+7\n");
}

TEST(stream, prints_bytes_as_numbers_and_swizzles_as_vectors) {
  const std::string text = printed_by([](sycl::handler& group) {
    sycl::stream out(4096, 256, group);
    group.single_task([=] {
      sycl::vec<std::uint8_t, 4> bytes(1, 2, 3, 255);
      out << static_cast<unsigned char>(123) << ' ' << static_cast<signed char>(-123) << ' ' << bytes << ' '
          << bytes.odd() << ' ' << sycl::hex << bytes.w() << ' ' << static_cast<signed char>(-1) << '\n';
      out << bytes.swizzle<1, 0>() << '\n';
    });
  });
  EXPECT_EQ(text, "123 -123 1, 2, 3, 255 2, 255 ff ff\n"
                  "2, 1\n");
}

TEST(stream, prints_vectors_and_indices) {
  const std::string text = printed_by([](sycl::handler& group) {
    sycl::stream out(4096, 256, group);
    group.parallel_for(sycl::nd_range<2>({1, 2}, {1, 2}), [=](sycl::nd_item<2> item) {
      if (item.get_global_id(1) == 1)
        out << sycl::vec<int, 3>(1, 2, 3) << ' ' << sycl::half(0.5f) << ' ' << item.get_global_id() << ' '
            << item.get_local_range() << '\n'
            << item << '\n'
            << item.get_nd_range() << '\n';
    });
  });
  EXPECT_EQ(text, "1, 2, 3 0.5 {0, 1} {1, 2}\n"
                  "nd_item(global_id: {0, 1}, local_id: {0, 1})\n"
                  "nd_range(global_range: {1, 2}, local_range: {1, 2}, offset: {0, 0})\n");
}

TEST(stream, statements_of_work_items_do_not_mix) {
  constexpr int count = 200;
  const std::string text = printed_by([](sycl::handler& group) {
    sycl::stream out(1 << 14, 64, group);
    group.parallel_for(sycl::range<1>(count),
                       [=](sycl::id<1> i) { out << "item " << i[0] << " of " << 200 << sycl::endl; });
  });
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    ASSERT_NE(end, std::string::npos);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  std::vector<std::string> expected;
  for (int i = 0; i < count; ++i)
    expected.push_back("item " + std::to_string(i) + " of 200");
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(lines, expected);
}

TEST(stream, what_a_work_item_writes_between_flushes_does_not_mix) {
  constexpr int count = 64;
  const std::string text = printed_by([](sycl::handler& group) {
    sycl::stream out(1 << 14, 64, group);
    group.parallel_for(sycl::nd_range<1>(count, count), [=](sycl::nd_item<1> item) {
      const sycl::vec<std::size_t, 4> numbers(item.get_global_id(0));
      out << "item ";
      sycl::group_barrier(item.get_group());
      out << numbers.swizzle<1>();
      sycl::group_barrier(item.get_group());
      out << sycl::endl << "left ";
      sycl::group_barrier(item.get_group());
      out << numbers.swizzle<2>() << '\n';
    });
  });
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  ASSERT_EQ(lines.size(), 2u * count);
  // All of the first come before all of the others, which end with the kernel.
  std::sort(lines.begin(), lines.begin() + count);
  std::sort(lines.begin() + count, lines.end());
  std::vector<std::string> expected;
  for (const char* word : {"item ", "left "}) {
    for (int i = 0; i < count; ++i)
      expected.push_back(word + std::to_string(i));
    std::sort(expected.end() - count, expected.end());
  }
  EXPECT_EQ(lines, expected);
}

/// The lines of \p text, sorted.
std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(stream, work_items_of_hierarchical_kernels_have_a_record_each) {
  constexpr int groups = 3, local = 40;
  const std::string text = printed_by([](sycl::handler& group) {
    sycl::stream out(1 << 14, 64, group);
    group.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(local), [=](sycl::group<1> group) {
      out << "group " << group.get_group_id(0) << sycl::endl;
      group.parallel_for_work_item([&](sycl::h_item<1> item) { out << "item " << item.get_global_id(0); });
      group.parallel_for_work_item([&](sycl::h_item<1> item) { out << " of " << item.get_global_range(0); });
      group.parallel_for_work_item([&](sycl::h_item<1>) { out << '.' << sycl::endl << "left"; });
      group.parallel_for_work_item([&](sycl::h_item<1>) { out << '\n'; });
    });
  });
  std::vector<std::string> expected(std::size_t(groups) * local, "left");
  for (int i = 0; i < groups * local; ++i)
    expected.push_back("item " + std::to_string(i) + " of 120.");
  for (int i = 0; i < groups; ++i)
    expected.push_back("group " + std::to_string(i));
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(sorted_lines(text), expected);
}

TEST(stream, logical_work_items_write_as_their_physical_one) {
  constexpr int logical = 10;
  const sycl::range<2> physical(2, 3);
  const std::string text = printed_by([=](sycl::handler& group) {
    sycl::stream out(1 << 14, 64, group);
    group.parallel_for_work_group(sycl::range<2>(1, 2), physical, [=](sycl::group<2> group) {
      group.parallel_for_work_item(sycl::range<2>(2, logical), [&](sycl::h_item<2> item) {
        if (item.get_logical_local_id(1) == item.get_physical_local_id(1))
          out << group.get_group_linear_id() << ':' << item.get_physical_local().get_linear_id();
        out << ' ' << item.get_logical_local().get_linear_id();
      });
      group.parallel_for_work_item([&](sycl::h_item<2>) { out << sycl::endl; });
    });
  });
  std::vector<std::string> expected;
  for (int group = 0; group < 2; ++group)
    for (int item = 0; item < 6; ++item) {
      std::string line = std::to_string(group) + ':' + std::to_string(item);
      for (int i = item % 3; i < logical; i += 3)
        line += ' ' + std::to_string(item / 3 * logical + i);
      expected.push_back(line);
    }
  EXPECT_EQ(sorted_lines(text), expected);
}

TEST(stream, characters_may_be_flushed_one_by_one) {
  constexpr int count = 4096;
  const std::string text = printed_by([](sycl::handler& group) {
    sycl::stream out(count, 8, group);
    group.single_task([=] {
      for (int i = 0; i < count; ++i) {
        out << 'x';
        out << sycl::flush;
      }
    });
  });
  EXPECT_EQ(text, std::string(count, 'x'));
}

TEST(stream, cuts_off_at_the_buffer_size) {
  const std::string text = printed_by([](sycl::handler& group) {
    sycl::stream out(10, 64, group);
    EXPECT_EQ(out.size(), 10u);
    EXPECT_EQ(out.get_work_item_buffer_size(), 64u);
    group.single_task([=] { out << "0123456" << sycl::endl << "789abc" << sycl::endl; });
  });
  EXPECT_EQ(text, "0123456\n78");
}

struct point {
  int x, y;
};
const sycl::stream& operator<<(const sycl::stream& out, const point& p) {
  return out << '(' << p.x << ", " << p.y << ')';
}

TEST(stream, takes_operators_of_the_users) {
  const std::string text = printed_by([](sycl::handler& group) {
    sycl::stream out(1024, 256, group);
    group.single_task([=] { out << "from " << point{1, 2} << " to " << point{3, 4} << sycl::endl; });
  });
  EXPECT_EQ(text, "from (1, 2) to (3, 4)\n");
}

} // namespace
