// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cpu_kernels [--rounds N] [regular expression]
// Runs the sides of each row in turn and prints a line per row and side: row, side, median of the wall-clock
// time, least time of the processor (all threads together), both in ms, and "ok" or what differs from
// OpenMP's results; separated by tabs. A side "opencl: NAME" is that of an OpenCL runtime, which is only
// asked where Falx compiles for the processor at hand, as it does.
#include "row.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>
#include <regex>
#include <string>
#include <thread>

namespace {

struct entry {
  const char* name;
  std::unique_ptr<bench::row> (*make)();
};

constexpr entry ROWS[] = {
    {"Mandelbrot 1024^2 x 400", bench::make_mandelbrot},
    {"polynomial 512, 2^18", bench::make_polynomial},
    {"polynomial 512, 2^18, groups of 256", bench::make_polynomial_in_groups},
    {"polynomial 512, 2^18, degree captured", bench::make_polynomial_captured},
    {"n-body 8192, tiles", bench::make_nbody},
    {"n-body 8192, tiles, rsqrt", bench::make_nbody_rsqrt},
    {"n-body f64 4096, tiles", bench::make_nbody_double},
    {"Black-Scholes 2^22", bench::make_black_scholes},
    {"2-D stencil f32 4096^2", bench::make_stencil},
    {"ray tracing, 64 spheres", bench::make_ray_tracing},
    {"binomial options, 64 steps", bench::make_binomial_options},
    {"bitonic sort, 1024 of 2^20", bench::make_bitonic_sort},
    {"SpMV, row per item", bench::make_sparse_matrix},
    {"SpMV, row per sub-group", bench::make_sparse_matrix_sub_groups},
    {"prefix sum u32 2^22", bench::make_prefix_sum},
    {"histogram of bytes 2^24", bench::make_histogram},
    {"sub-group sums of rows", bench::make_sub_group_sums},
    {"sum f32 2^25", bench::make_sum},
    {"triad f64 2^24", bench::make_triad},
};

struct side {
  std::string name;
  std::function<void()> run;
};

/// OpenMP's first, whose results the others are compared with.
std::vector<side> sides_of(bench::row& row) {
  std::vector<side> sides = {{"openmp", [&] { row.openmp(); }}, {"falx", [&] { row.falx(); }}};
  if (row.has_hand())
    sides.push_back({"hand", [&] { row.by_hand(); }});
  const auto kernel = std::getenv("FALX_CPU") == nullptr ? row.in_opencl() : std::nullopt;
  if (kernel)
    for (const auto& device : bench::opencl::devices())
      try {
        sides.push_back({"opencl: " + device->name(),
                         [compiled = std::shared_ptr(device->compile(*kernel))] { compiled->run(); }});
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", device->name().c_str(), error.what());
      }
  return sides;
}

/// What a running thread has used counts for the process only after it stops, or at the next tick of the
/// kernel's clock (4 ms if that has 250 Hz): without the pause, a thread that still looks for work when the
/// result is there seems to have used nothing.
double processor_time() {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double wall_time() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

struct sample {
  double wall, processor;
};

/// Of one call, in ms. The wall clock's starts once threads have woken and spread over the processors, which
/// takes the system some milliseconds; the processor's is that of these calls, too. Long calls hide them.
sample measure(const side& which) {
  constexpr double LEAST = 4;
  const double processor = processor_time();
  int count = 0;
  const auto run = [&] {
    const double start = wall_time();
    for (int mine = 1;; ++mine) {
      which.run();
      ++count;
      if (const double passed = wall_time() - start; passed > LEAST)
        return passed / mine;
    }
  };
  double wall = run();
  if (wall < 5 * LEAST)
    wall = run();
  return {wall, (processor_time() - processor) / count};
}

std::string compare(const std::vector<double>& results, const std::vector<double>& expected,
                    double tolerance) {
  if (results.size() != expected.size())
    return "WRONG: number of results";
  double largest = 0;
  for (const double each : expected)
    largest = std::max(largest, std::fabs(each));
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!(std::fabs(results[i] - expected[i]) <= tolerance * largest)) {
      char text[160];
      std::snprintf(text, sizeof(text), "WRONG: result %zu is %.9g, not %.9g", i, results[i], expected[i]);
      return text;
    }
  return "ok";
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

bool run(const entry& which, int rounds) {
  const std::unique_ptr<bench::row> row = which.make();
  const std::vector<side> sides = sides_of(*row);
  std::vector<std::string> checks;
  std::vector<double> expected;
  for (const side& each : sides) {
    row->clear();
    each.run();
    std::vector<double> results = row->results();
    if (expected.empty())
      expected = results;
    checks.push_back(compare(results, expected, row->tolerance()));
  }
  std::vector<std::vector<double>> wall(sides.size()), processor(sides.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const sample taken = measure(sides[i]);
      wall[i].push_back(taken.wall);
      processor[i].push_back(taken.processor);
    }
  bool all_right = true;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    std::printf("%s\t%s\t%.6g\t%.6g\t%s\n", which.name, sides[i].name.c_str(), median(wall[i]),
                *std::min_element(processor[i].begin(), processor[i].end()), checks[i].c_str());
    all_right &= checks[i] == "ok";
  }
  std::fflush(stdout);
  return all_right;
}

} // namespace

int main(int argc, char** argv) {
  int rounds = 15;
  std::regex filter(".");
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
      rounds = std::max(1, std::atoi(argv[++i]));
    else
      filter = argv[i];
  // Idle OpenMP threads must not spin while Falx is measured.
  setenv("KMP_BLOCKTIME", "0", 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);
  bool all_right = true;
  for (const entry& each : ROWS)
    if (std::regex_search(each.name, filter))
      all_right &= run(each, rounds);
  return all_right ? 0 : 1;
}
