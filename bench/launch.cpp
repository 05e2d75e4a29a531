// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a launch costs. The kernel does next to nothing; each run is a batch, so that times are per launch.
#include "bench.hpp"

#include <benchmark/benchmark.h>

namespace {

constexpr int BATCH = 1000;

// Submission of a stream of kernels whose events are not used, and one wait at the end.
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
  sycl::queue queue(sycl::cpu_selector_v);
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
  sycl::queue queue(sycl::cpu_selector_v);
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

// Kernels over few work-items, which vectors should not make slower: FALX_SIMD=1 is what to compare with.
template <class Launch>
void few_items(benchmark::State& state, Launch launch) {
  const auto count = static_cast<std::size_t>(state.range(0));
  bench::array<float> x(count, [](std::size_t i) { return float(i % 17); }), y(count);
  launch(x.data(), y.data(), count);
  bench::queue().wait();
  for (auto _ : state) {
    for (int i = 0; i < BATCH; ++i)
      launch(x.data(), y.data(), count);
    bench::queue().wait();
  }
  state.SetItemsProcessed(state.iterations() * BATCH);
}

void few_sums(benchmark::State& state) {
  few_items(state, [](const float* x, float* y, std::size_t count) {
    bench::queue().parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { y[i] = 2 * x[i] + y[i]; });
  });
}

// As many steps as the work-item's number says.
void few_loops(benchmark::State& state) {
  few_items(state, [](const float* x, float* y, std::size_t count) {
    bench::queue().parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
      float left = x[i], steps = 0;
      for (; left > 1; left = left * 0.75f - 0.125f)
        steps += left;
      y[i] = steps;
    });
  });
}

// A row of the matrix to a column: two divisions, a gather.
void few_transposed(benchmark::State& state) {
  few_items(state, [](const float* x, float* y, std::size_t count) {
    bench::queue().parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
      const unsigned at = static_cast<unsigned>(i), columns = static_cast<unsigned>(count / 7 + 1);
      const std::size_t from = std::size_t(at % columns) * 7 + at / columns;
      y[i] = from < count ? x[from] : 0;
    });
  });
}

void few_in_groups(benchmark::State& state) {
  few_items(state, [](const float* x, float* y, std::size_t count) {
    bench::queue().submit([&](sycl::handler& group) {
      sycl::local_accessor<float> local(count, group);
      group.parallel_for(sycl::nd_range<1>(count, count), [=](sycl::nd_item<1> item) {
        const std::size_t self = item.get_local_id(0);
        local[self] = x[self];
        sycl::group_barrier(item.get_group());
        y[self] = local[item.get_local_range(0) - 1 - self];
      });
    });
  });
}

void with_few_items(benchmark::internal::Benchmark* row) {
  row->Arg(1)->Arg(7)->Arg(64)->Arg(1000)->MeasureProcessCPUTime()->UseRealTime()->Unit(
      benchmark::kMicrosecond);
}

} // namespace

BENCHMARK(in_order)->Name("launch/in order")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(round_trip)->Name("launch/round trip")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(event_chain)->Name("launch/event chain")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(accessor_chain)->Name("launch/accessor chain")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(few_sums)->Name("launch/few sums")->Apply(with_few_items);
BENCHMARK(few_loops)->Name("launch/few loops")->Apply(with_few_items);
BENCHMARK(few_transposed)->Name("launch/few transposed")->Apply(with_few_items);
BENCHMARK(few_in_groups)->Name("launch/few in groups")->Apply(with_few_items);

BENCHMARK_MAIN();
