// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is worth that the JIT knows values and functions of a launch. Each pair computes the same: kernels
// put together from dynamic functions beside one written by hand and one kernel per step, and random numbers
// by a recurrence whose numbers are captured, are sycl::specialized, or stand in the source. With
// FALX_ADAPTIVITY=2 those that are captured are found to be constants.
//   falx++ -O3 bench/specialization.cpp -o specialization -lbenchmark -lpthread
#include "bench.hpp"

#include <benchmark/benchmark.h>
#include <cstdint>

void step(float& value); // defined by launches

namespace {

constexpr std::size_t COUNT = std::size_t(1) << 18;

void scale(float& value) {
  value *= 1.0001f;
}
void shift(float& value) {
  value += 0.5f;
}
void bound(float& value) {
  value = sycl::fmin(value, 1000.0f);
}
void soften(float& value) {
  value = value / (1 + sycl::fabs(value) * 0.001f);
}

bench::array<float>& data() {
  static bench::array<float> values(COUNT + 64, [](std::size_t i) { return static_cast<float>(i % 1000); });
  return values;
}

template <class Launch>
void measure(benchmark::State& state, const Launch& launch) {
  for (int i = 0; i < 30; ++i) // compiled, and all learned that can be
    launch().wait();
  for (auto _ : state)
    launch().wait();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(COUNT));
}

void chain_by_hand(benchmark::State& state) {
  float* const values = data().data();
  measure(state, [=] {
    return bench::queue().parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) {
      scale(values[i]);
      shift(values[i]);
      soften(values[i]);
      bound(values[i]);
    });
  });
}

void chain_of_dynamic_functions(benchmark::State& state) {
  float* const values = data().data();
  sycl::jit::dynamic_function_config config;
  config.define_as_call_sequence(&step, {&scale, &shift, &soften, &bound});
  measure(state, [&] {
    return bench::queue().parallel_for(sycl::range<1>(COUNT),
                                       config.apply([=](sycl::id<1> i) { step(values[i]); }));
  });
}

void chain_of_kernels(benchmark::State& state) {
  float* const values = data().data();
  measure(state, [=] {
    const sycl::range<1> all(COUNT);
    bench::queue().parallel_for(all, [=](sycl::id<1> i) { scale(values[i]); });
    bench::queue().parallel_for(all, [=](sycl::id<1> i) { shift(values[i]); });
    bench::queue().parallel_for(all, [=](sycl::id<1> i) { soften(values[i]); });
    return bench::queue().parallel_for(all, [=](sycl::id<1> i) { bound(values[i]); });
  });
}

struct generator {
  std::uint32_t factor, increment, modulus;
  int rounds;
};

// Random numbers from a recurrence. Remainders of what is known are multiplications.
template <class Generator>
void measure_generator(benchmark::State& state) {
  static bench::array<std::uint32_t> result(COUNT);
  std::uint32_t* const out = result.data();
  generator chosen{16807, 11, 65521, 8};
  benchmark::DoNotOptimize(chosen); // known at run time only
  const Generator captured = chosen;
  measure(state, [=] {
    return bench::queue().parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) {
      const generator g = captured;
      auto number = static_cast<std::uint32_t>(i[0]);
      for (int round = 0; round < g.rounds; ++round)
        number = (number * g.factor + g.increment) % g.modulus;
      out[i] = number;
    });
  });
}

// The same numbers.
struct constant_generator {
  constant_generator(const generator&) {}
  operator generator() const { return {16807, 11, 65521, 8}; }
};

void generator_by_hand(benchmark::State& state) {
  measure_generator<constant_generator>(state);
}
void generator_read(benchmark::State& state) {
  measure_generator<generator>(state);
}
void generator_specialized(benchmark::State& state) {
  measure_generator<sycl::specialized<generator>>(state);
}

} // namespace

BENCHMARK(chain_by_hand)->MeasureProcessCPUTime();
BENCHMARK(chain_of_dynamic_functions)->MeasureProcessCPUTime();
BENCHMARK(chain_of_kernels)->MeasureProcessCPUTime();
BENCHMARK(generator_by_hand)->MeasureProcessCPUTime();
BENCHMARK(generator_read)->MeasureProcessCPUTime();
BENCHMARK(generator_specialized)->MeasureProcessCPUTime();
BENCHMARK_MAIN();
