// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../bench.hpp"

#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <regex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The same work written in different ways, which should take the same time. A row is a struct template over
/// the type of its numbers, with
///   NAME, WIDTH and HEIGHT (of the array of results), BOUND (what is constant or captured), and
///   item(i, x, y, bound, width, in, more, out), which computes element i = y * width + x,
/// in one body for all variants; bound and width are an integral_constant or a captured number.
///
/// Rows of bench/cpu that are written for a work-group with local memory or for sub-groups (bitonic sort,
/// prefix sum, histogram, binomial options, sub-group sums) have no variants: their form is what they
/// compute.
///
/// Variants take within 10 % of each other's time on one processor; docs/performance.md has the table, and
/// the reasons for those that do not.

namespace bench::variants {

enum class shape { range_1, range_2, range_3, groups_1, groups_2 };
enum class memory { usm, accessors };

struct variant {
  std::string name;
  std::function<void()> run;
  double milliseconds = std::numeric_limits<double>::max();
};

/// Time of the processor, all threads together, of one call: of as many as some milliseconds hold.
inline double time_of(const std::function<void()>& run) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  };
  const double start = now();
  int count = 0;
  double passed = 0;
  do {
    run();
    ++count;
    passed = now() - start;
  } while (passed < 6);
  return passed / count;
}

/// Each variant's least time. They take turns, as a machine's clock and its neighbours change within seconds.
inline void measure(std::vector<variant>& variants) {
  constexpr int ROUNDS = 15;
  for (const variant& each : variants)
    each.run();
  for (int round = 0; round < ROUNDS; ++round)
    for (variant& each : variants)
      each.milliseconds = std::min(each.milliseconds, time_of(each.run));
}

/// Calls \p item with x and y, and with the element's number, for each of them.
template <shape Shape, class Index, class Width, class Item>
void for_each_element(sycl::handler& handler, std::size_t columns, std::size_t rows, Width width, Item item) {
  const auto of_number = [=](std::size_t number) {
    const auto i = static_cast<Index>(number);
    item(i, static_cast<Index>(i % width), static_cast<Index>(i / width));
  };
  const auto of_place = [=](std::size_t x, std::size_t y) {
    const auto column = static_cast<Index>(x), row = static_cast<Index>(y);
    item(static_cast<Index>(row * width + column), column, row);
  };
  if constexpr (Shape == shape::range_1)
    handler.parallel_for(sycl::range<1>(columns * rows), [=](sycl::id<1> id) { of_number(id[0]); });
  else if constexpr (Shape == shape::range_2)
    handler.parallel_for(sycl::range<2>(rows, columns), [=](sycl::id<2> id) { of_place(id[1], id[0]); });
  else if constexpr (Shape == shape::range_3)
    handler.parallel_for(sycl::range<3>(2, rows / 2, columns),
                         [=](sycl::item<3> id) { of_place(id[2], id[0] * id.get_range(1) + id[1]); });
  else if constexpr (Shape == shape::groups_1)
    handler.parallel_for(sycl::nd_range<1>(columns * rows, 256),
                         [=](sycl::nd_item<1> id) { of_number(id.get_global_id(0)); });
  else
    handler.parallel_for(sycl::nd_range<2>({rows, columns}, {1, 256}),
                         [=](sycl::nd_item<2> id) { of_place(id.get_global_id(1), id.get_global_id(0)); });
}

/// The arrays of a row, in both kinds of memory.
template <template <class> class Row, class T>
class data {
public:
  static constexpr std::size_t COLUMNS = Row<T>::WIDTH, ROWS = Row<T>::HEIGHT, SIZE = COLUMNS * ROWS;

  template <shape Shape, memory Memory, bool is_captured, class Index>
  std::function<void()> launch() {
    const auto with_bound = [this](auto bound, auto width) {
      return [this, bound, width] {
        bench::queue()
            .submit([&](sycl::handler& handler) {
              const auto run = [&](auto in, auto more, auto out) {
                for_each_element<Shape, Index>(handler, COLUMNS, ROWS, width, [=](Index i, Index x, Index y) {
                  Row<T>::item(i, x, y, bound, width, in, more, out);
                });
              };
              if constexpr (Memory == memory::usm)
                run(static_cast<const T*>(in_.data()), static_cast<const T*>(more_.data()), out_.data());
              else
                run(sycl::accessor(in_buffer_, handler, sycl::read_only),
                    sycl::accessor(more_buffer_, handler, sycl::read_only),
                    sycl::accessor(out_buffer_, handler, sycl::write_only, sycl::no_init));
            })
            .wait();
      };
    };
    if constexpr (is_captured)
      return with_bound(static_cast<Index>(Row<T>::BOUND), static_cast<Index>(COLUMNS));
    else
      return with_bound(std::integral_constant<Index, static_cast<Index>(Row<T>::BOUND)>(),
                        std::integral_constant<Index, static_cast<Index>(COLUMNS)>());
  }

private:
  static T value(std::size_t i) { return static_cast<T>(i % 1021 + 1) / T(1024); }
  array<T> in_{SIZE + 2 * COLUMNS + 2, value}, more_{SIZE + 2 * COLUMNS + 2, value}, out_{SIZE};
  sycl::buffer<T> in_buffer_{in_.data(), sycl::range<1>(in_.size())};
  sycl::buffer<T> more_buffer_{more_.data(), sycl::range<1>(more_.size())};
  sycl::buffer<T> out_buffer_{sycl::range<1>(SIZE)};
};

/// One thing changed at a time.
template <bool is_captured, template <class> class Row, class T>
void add_all(data<Row, T>& row, std::vector<variant>& variants) {
  const std::string bound = is_captured ? "captured, " : "constant, ";
  const auto add = [&](const char* name, std::function<void()> run) {
    variants.push_back({bound + name, std::move(run)});
  };
  add("int, USM, range<1>", row.template launch<shape::range_1, memory::usm, is_captured, int>());
  add("size_t", row.template launch<shape::range_1, memory::usm, is_captured, std::size_t>());
  add("accessors", row.template launch<shape::range_1, memory::accessors, is_captured, int>());
  add("range<2>", row.template launch<shape::range_2, memory::usm, is_captured, int>());
  add("range<3>", row.template launch<shape::range_3, memory::usm, is_captured, int>());
  add("nd_range<1>", row.template launch<shape::groups_1, memory::usm, is_captured, int>());
  add("nd_range<2>", row.template launch<shape::groups_2, memory::usm, is_captured, int>());
}

template <template <class> class Row, class T>
void print_table(const char* type) {
  constexpr double TOLERATED = 1.1;
  std::vector<variant> variants;
  const auto row = std::make_unique<data<Row, T>>();
  add_all<false>(*row, variants);
  add_all<true>(*row, variants);
  measure(variants);
  double best = variants.front().milliseconds;
  for (const variant& each : variants)
    best = std::min(best, each.milliseconds);
  for (const variant& each : variants) {
    const double ratio = each.milliseconds / best;
    std::printf("%-14s %-7s %-30s %9.3f %6.2f%s\n", Row<T>::NAME, type, each.name.c_str(), each.milliseconds,
                ratio, ratio > TOLERATED ? "  <--" : "");
  }
  std::fflush(stdout);
}

template <template <class> class Row>
void print_tables(const std::regex& wanted) {
  if (!std::regex_search(Row<float>::NAME, wanted))
    return;
  print_table<Row, float>("float");
  print_table<Row, double>("double");
}

/// The rows whose names match.
void run_loops(const std::regex& wanted);
void run_streams(const std::regex& wanted);

} // namespace bench::variants
