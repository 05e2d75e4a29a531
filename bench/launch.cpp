// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a launch costs. The kernel does next to nothing; each run is a batch, so that times are per launch.
#include "bench.hpp"

#include <benchmark/benchmark.h>

namespace {

constexpr int BATCH = 1000;

// Submission of a stream of kernels whose events nobody looks at, and one wait at the end.
void in_order(benchmark::State& state) {
  bench::array<int> value(1, [](std::size_t) { return 0; });
  int* p = value.data();
  bench::queue().single_task([=] { *p = 1; }).wait();
  for (auto _ : state) {
    for (int i = 0; i < BATCH; ++i)
      bench::queue().single_task([=] { *p = 1; });
    bench::queue().wait();
  }
  state.SetItemsProcessed(state.iterations() * BATCH);
}

void round_trip(benchmark::State& state) {
  bench::array<int> value(1, [](std::size_t) { return 0; });
  int* p = value.data();
  bench::queue().single_task([=] { *p = 2; }).wait();
  for (auto _ : state)
    for (int i = 0; i < BATCH; ++i)
      bench::queue().single_task([=] { *p = 2; }).wait();
  state.SetItemsProcessed(state.iterations() * BATCH);
}

// Each kernel of an out-of-order queue depends on the one before by its event.
void event_chain(benchmark::State& state) {
  sycl::queue queue;
  bench::array<int> value(1, [](std::size_t) { return 0; });
  int* p = value.data();
  queue.single_task([=] { *p += 1; }).wait();
  for (auto _ : state) {
    sycl::event last;
    for (int i = 0; i < BATCH; ++i)
      last = queue.single_task(last, [=] { *p += 1; });
    last.wait();
  }
  state.SetItemsProcessed(state.iterations() * BATCH);
}

// The same by an accessor to one buffer.
void accessor_chain(benchmark::State& state) {
  sycl::queue queue;
  sycl::buffer<int> buffer(sycl::range<1>(1));
  auto submit = [&] {
    return queue.submit([&](sycl::handler& group) {
      sycl::accessor value(buffer, group, sycl::read_write);
      group.single_task([=] { value[0] += 1; });
    });
  };
  submit().wait();
  for (auto _ : state) {
    for (int i = 0; i < BATCH; ++i)
      submit();
    queue.wait();
  }
  state.SetItemsProcessed(state.iterations() * BATCH);
}

} // namespace

BENCHMARK(in_order)->Name("launch/in order")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(round_trip)->Name("launch/round trip")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(event_chain)->Name("launch/event chain")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(accessor_chain)->Name("launch/accessor chain")->UseRealTime()->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
