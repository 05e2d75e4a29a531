// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// The rows of the table that Falx and CUDA are compared by. Two programs are built from this header, one per
/// side, with rows of the same names; tools/gpu-bundle-run starts both and puts them side by side. Each
/// prints a line per row: "row", name, value, unit and "ok" or what is wrong with the results, separated by
/// tabs.

namespace rows {

struct result {
  double value;
  const char* unit; // of time (smaller is better) or of a rate
  std::string check = "ok";
};

struct row {
  std::string name;
  std::function<result()> measure;
};

inline std::vector<row>& all() {
  static std::vector<row> every;
  return every;
}

/// Adds a row before main starts.
struct add {
  add(std::string name, std::function<result()> measure) {
    all().push_back({std::move(name), std::move(measure)});
  }
};

/// True with --small: sizes at which a CPU checks the programs within seconds. Times mean nothing then.
inline bool& small() {
  static bool is_small = false;
  return is_small;
}
inline std::size_t size(std::size_t full, std::size_t reduced) {
  return small() ? reduced : full;
}

using seconds = std::chrono::duration<double>;

/// The best time of one call of \p launch, in seconds, over several batches with one \p wait each. A batch is
/// long enough for the wait not to matter.
template <class Launch, class Wait>
double best_time(Launch launch, Wait wait, int repetitions = 8) {
  using clock = std::chrono::steady_clock;
  for (int i = 0; i < 2; ++i) { // compiles, touches all memory, wakes the device
    launch();
    wait();
  }
  const auto time = [&](int batch) {
    const auto start = clock::now();
    for (int i = 0; i < batch; ++i)
      launch();
    wait();
    return seconds(clock::now() - start).count() / batch;
  };
  double best = time(1);
  const double batch_length = small() ? 0.0 : 0.02;
  const int batch = static_cast<int>(std::min(1000.0, std::max(1.0, batch_length / best)));
  for (int i = 0; i < repetitions; ++i)
    best = std::min(best, time(batch));
  return best;
}

/// The best time per operation of \p body, which does \p count of them and waits, in microseconds.
template <class Body>
double best_microseconds(int count, Body body, int repetitions = 8) {
  body();
  double best = 1e30;
  for (int i = 0; i < (small() ? 1 : repetitions); ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    best = std::min(best, seconds(std::chrono::steady_clock::now() - start).count());
  }
  return best / count * 1e6;
}

inline result rate(double amount, double time, const char* unit, double scale, std::string check) {
  return {amount / time / scale, unit, std::move(check)};
}

/// "ok", or what differs: \p value against \p expected by more than \p tolerance, relative.
inline std::string compare(const char* what, double value, double expected, double tolerance) {
  if (std::fabs(value - expected) <= tolerance * std::max(1.0, std::fabs(expected)))
    return "ok";
  char text[160];
  std::snprintf(text, sizeof(text), "WRONG: %s is %.9g, not %.9g", what, value, expected);
  return text;
}

/// The first check that is not "ok".
inline std::string first_wrong(const std::vector<std::string>& checks) {
  for (const std::string& each : checks)
    if (each != "ok")
      return each;
  return "ok";
}

/// A pseudo-random number from \p i, the same on host and device.
#ifdef __CUDACC__
__host__ __device__
#endif
    constexpr unsigned hash(unsigned i) {
  i ^= i >> 16;
  i *= 0x7feb352du;
  i ^= i >> 15;
  i *= 0x846ca68bu;
  return i ^ (i >> 16);
}

/// Arguments: --list, --small, names of rows (default: all). After an error in one row the program ends with
/// status 3, as errors of a device can outlast it; its caller goes on with the next row.
inline int main(int argc, char** argv) {
  std::vector<std::string> chosen;
  bool list = false;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--list") == 0)
      list = true;
    else if (std::strcmp(argv[i], "--small") == 0)
      small() = true;
    else
      chosen.emplace_back(argv[i]);
  for (const row& each : all()) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), each.name) == chosen.end())
      continue;
    if (list) {
      std::printf("%s\n", each.name.c_str());
      continue;
    }
    result measured{0, ""};
    bool failed = false;
    try {
      measured = each.measure();
    } catch (const std::exception& error) {
      measured.check = std::string("ERROR: ") + error.what();
      std::replace_if(
          measured.check.begin(), measured.check.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
      failed = true;
    }
    std::printf("row\t%s\t%.6g\t%s\t%s\n", each.name.c_str(), measured.value, measured.unit,
                measured.check.c_str());
    std::fflush(stdout);
    if (failed)
      return 3;
  }
  return 0;
}

} // namespace rows
