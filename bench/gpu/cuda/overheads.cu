// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it costs to submit, to copy and to allocate.
#include "cuda_side.cuh"

#include <string>
#include <vector>

namespace {

constexpr int BATCH = 1000;

rows::result microseconds(double time) {
  return {time, "us", "ok"};
}

__global__ void store(int* p) {
  *p = 1;
}
__global__ void increment(int* p) {
  *p += 1;
}

const rows::add in_order("launch, in order", [] {
  const bench::array<int> value(1);
  return microseconds(rows::best_microseconds(BATCH, [&] {
    for (int i = 0; i < BATCH; ++i)
      store<<<1, 1, 0, bench::stream()>>>(value.data());
    bench::launched();
    bench::wait();
  }));
});

const rows::add round_trip("launch, round trip", [] {
  const bench::array<int> value(1);
  return microseconds(rows::best_microseconds(BATCH, [&] {
    for (int i = 0; i < BATCH; ++i) {
      store<<<1, 1, 0, bench::stream()>>>(value.data());
      bench::wait();
    }
    bench::launched();
  }));
});

// Each kernel waits for an event of the other stream, where the one before is.
const rows::add event_chain("launch, event chain", [] {
  cudaStream_t streams[2];
  std::vector<cudaEvent_t> events(BATCH);
  for (cudaStream_t& each : streams)
    BENCH_CHECK(cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking));
  for (cudaEvent_t& each : events)
    BENCH_CHECK(cudaEventCreateWithFlags(&each, cudaEventDisableTiming));
  const bench::array<int> value(1);
  BENCH_CHECK(cudaMemset(value.data(), 0, sizeof(int)));
  int launches = 0;
  const double time = rows::best_microseconds(BATCH, [&] {
    for (int i = 0; i < BATCH; ++i) {
      if (i > 0)
        BENCH_CHECK(cudaStreamWaitEvent(streams[i % 2], events[i - 1]));
      increment<<<1, 1, 0, streams[i % 2]>>>(value.data());
      BENCH_CHECK(cudaEventRecord(events[i], streams[i % 2]));
    }
    BENCH_CHECK(cudaEventSynchronize(events.back()));
    launches += BATCH;
  });
  bench::launched();
  const std::string check = rows::compare("the count", value.at(0), launches, 0);
  for (cudaEvent_t each : events)
    cudaEventDestroy(each);
  for (cudaStream_t each : streams)
    cudaStreamDestroy(each);
  return rows::result{time, "us", check};
});

/// Copies one after the other, each waited for.
rows::result copy(std::size_t bytes, bool pinned, bool to_device) {
  const bench::array<char> device(bytes);
  std::vector<char> pageable(pinned ? 0 : bytes, 'x');
  char* host = pageable.data();
  if (pinned)
    BENCH_CHECK(cudaMallocHost(&host, bytes));
  const char value = to_device ? 'a' : 'b';
  if (pinned || to_device)
    std::fill(host, host + bytes, value);
  BENCH_CHECK(cudaMemset(device.data(), value, bytes));
  BENCH_CHECK(cudaDeviceSynchronize());
  const int count = bytes <= 65536 ? 200 : bytes <= (1 << 24) ? 20 : 2;
  const double time = rows::best_microseconds(count, [&] {
    for (int i = 0; i < count; ++i) {
      if (to_device)
        BENCH_CHECK(cudaMemcpyAsync(device.data(), host, bytes, cudaMemcpyHostToDevice, bench::stream()));
      else
        BENCH_CHECK(cudaMemcpyAsync(host, device.data(), bytes, cudaMemcpyDeviceToHost, bench::stream()));
      bench::wait();
    }
  });
  const std::string check =
      rows::first_wrong({rows::compare("the last byte of the device", device.at(bytes - 1), value, 0),
                         rows::compare("the last byte of the host", host[bytes - 1], value, 0)});
  if (pinned)
    cudaFreeHost(host);
  return {static_cast<double>(bytes) / time / 1e3, "GB/s", check};
}

struct copies {
  copies() {
    constexpr std::pair<std::size_t, const char*> sizes[] = {
        {1 << 10, "1 KiB"}, {1 << 16, "64 KiB"}, {1 << 24, "16 MiB"}, {1 << 28, "256 MiB"}};
    for (const bool to_device : {true, false})
      for (const bool pinned : {true, false})
        for (const auto& [bytes, name] : sizes)
          rows::add(std::string(to_device ? "host to device, " : "device to host, ") +
                        (pinned ? "pinned, " : "pageable, ") + name,
                    [bytes = bytes, pinned, to_device] { return copy(bytes, pinned, to_device); });
  }
} const all_copies;

/// Pairs of \p allocate and \p release of 1 MiB.
template <class Allocate, class Release>
rows::result allocations(Allocate allocate, Release release) {
  constexpr int COUNT = 100;
  constexpr std::size_t bytes = 1 << 20;
  return microseconds(rows::best_microseconds(COUNT, [&] {
    for (int i = 0; i < COUNT; ++i) {
      void* block = nullptr;
      BENCH_CHECK(allocate(&block, bytes));
      BENCH_CHECK(release(block));
    }
  }));
}
const rows::add device("malloc_device and free, 1 MiB", [] {
  return allocations([](void** p, std::size_t n) { return cudaMalloc(p, n); },
                     [](void* p) { return cudaFree(p); });
});
const rows::add host("malloc_host and free, 1 MiB", [] {
  return allocations([](void** p, std::size_t n) { return cudaMallocHost(p, n); },
                     [](void* p) { return cudaFreeHost(p); });
});
const rows::add shared("malloc_shared and free, 1 MiB", [] {
  return allocations([](void** p, std::size_t n) { return cudaMallocManaged(p, n); },
                     [](void* p) { return cudaFree(p); });
});

} // namespace
