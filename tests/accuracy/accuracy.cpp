// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Prints the largest error of each function of one argument in kernels on the CPU, for docs/accuracy.md: of
/// float over all 2^32 numbers, of double over samples of all of them and of each function's usual range.
///
///     accuracy [--step N] [--doubles N] [NAME…]
///
/// --step N: every Nth float. --doubles N: samples of double, 2^22 else.

#include "errors.hpp"

#include <sycl/sycl.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t BLOCK = std::size_t(1) << 22;

struct options {
  std::uint64_t step = 1, doubles = std::uint64_t(1) << 22;
  std::vector<std::string> names;

  bool wants(const std::string& name) const {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  }
};

/// Number \p index of \p count in all.
float argument(std::uint64_t index, std::uint64_t, float, float) {
  return from_bits<float>(static_cast<std::uint32_t>(index));
}
double argument(std::uint64_t index, std::uint64_t count, double from, double to) {
  const std::uint64_t hash = (index + 1) * 0x9e3779b97f4a7c15u;
  const std::uint64_t mixed = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
  if (index % 2 == 0)
    return from_bits<double>(mixed ^ mixed >> 32);
  return from + (to - from) * (static_cast<double>(index) + static_cast<double>(mixed >> 40) * 0x1p-24) /
                    static_cast<double>(count);
}

/// Runs \p function(thread) on all processors.
template <class Function>
void on_all_processors(const Function& function) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
    threads.emplace_back(function);
  for (std::thread& thread : threads)
    thread.join();
}

template <class T, class Kernel, class Reference>
worst_case<T> worst_of(sycl::queue& queue, T* in, T* out, std::uint64_t count, std::uint64_t step, T from,
                       T to, Kernel kernel, Reference reference) {
  worst_case<T> worst;
  for (std::uint64_t begin = 0; begin < count; begin += BLOCK * step) {
    const std::size_t size = std::min<std::uint64_t>(BLOCK, (count - begin + step - 1) / step);
    for (std::size_t i = 0; i < size; ++i)
      in[i] = argument(begin + i * step, count, from, to);
    queue.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { out[i] = kernel(in[i]); }).wait();
    std::atomic<std::size_t> next{0};
    std::vector<worst_case<T>> found(1024);
    constexpr std::size_t PART = BLOCK / 1024;
    on_all_processors([&] {
      for (std::size_t part; (part = next++) * PART < size;)
        for (std::size_t i = part * PART; i < std::min(size, (part + 1) * PART); ++i)
          found[part].add(in[i], out[i], reference(static_cast<reference_of<T>>(in[i])));
    });
    for (const worst_case<T>& each : found)
      worst.add(each);
  }
  return worst;
}

template <class T>
void print(const char* name, double limit, const worst_case<T>& worst) {
  std::printf("| %s | %s | %g | %.2f | %a |%s\n", name, sizeof(T) == 4 ? "float" : "double", limit,
              worst.error, static_cast<double>(worst.argument),
              worst.error > limit ? " **over the limit**" : "");
  std::fflush(stdout);
}

} // namespace

int main(int count, char** arguments) {
  options chosen;
  for (int i = 1; i < count; ++i)
    if (const std::string word = arguments[i]; word == "--step" && i + 1 < count)
      chosen.step = std::strtoull(arguments[++i], nullptr, 0);
    else if (word == "--doubles" && i + 1 < count)
      chosen.doubles = std::strtoull(arguments[++i], nullptr, 0);
    else
      chosen.names.push_back(word);
  sycl::queue queue(sycl::cpu_selector_v);
  auto* in32 = sycl::malloc_shared<float>(BLOCK, queue);
  auto* out32 = sycl::malloc_shared<float>(BLOCK, queue);
  auto* in64 = sycl::malloc_shared<double>(BLOCK, queue);
  auto* out64 = sycl::malloc_shared<double>(BLOCK, queue);
  std::printf("| function | type | limit | error | of |\n|---|---|---|---|---|\n");
#define MEASURE(function, reference, from, to, limit)                                                        \
  if ((limit) > 0 && chosen.wants(#function)) {                                                              \
    const auto exact = [](auto x) { return static_cast<decltype(x)>(reference); };                           \
    print(#function, limit,                                                                                  \
          worst_of<float>(                                                                                   \
              queue, in32, out32, std::uint64_t(1) << 32, chosen.step, 0.0f, 0.0f,                           \
              [](float x) { return sycl::function(x); }, exact));                                            \
    print(#function, limit,                                                                                  \
          worst_of<double>(                                                                                  \
              queue, in64, out64, chosen.doubles, 1, static_cast<double>(from), static_cast<double>(to),     \
              [](double x) { return sycl::function(x); }, exact));                                           \
  }
  ELEMENTARY_FUNCTIONS(MEASURE)
  for (void* memory : {static_cast<void*>(in32), static_cast<void*>(out32), static_cast<void*>(in64),
                       static_cast<void*>(out64)})
    sycl::free(memory, queue);
}
