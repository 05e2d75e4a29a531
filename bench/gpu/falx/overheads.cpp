// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it costs to submit, to copy and to allocate.
#include "falx_side.hpp"

#include <string>
#include <vector>

namespace {

constexpr int BATCH = 1000;

rows::result microseconds(double time) {
  return {time, "us", "ok"};
}

const rows::add in_order("launch, in order", [] {
  const bench::array<int> value(1);
  int* p = value.data();
  return microseconds(rows::best_microseconds(BATCH, [&] {
    for (int i = 0; i < BATCH; ++i)
      bench::queue().single_task([=] { *p = 1; });
    bench::queue().wait();
  }));
});

const rows::add round_trip("launch, round trip", [] {
  const bench::array<int> value(1);
  int* p = value.data();
  return microseconds(rows::best_microseconds(BATCH, [&] {
    for (int i = 0; i < BATCH; ++i)
      bench::queue().single_task([=] { *p = 1; }).wait();
  }));
});

// Each kernel depends on the one before by its event.
const rows::add event_chain("launch, event chain", [] {
  sycl::queue queue;
  const bench::array<int> value(1);
  int* p = value.data();
  queue.memset(p, 0, sizeof(int)).wait();
  int launches = 0;
  const double time = rows::best_microseconds(BATCH, [&] {
    sycl::event last;
    for (int i = 0; i < BATCH; ++i)
      last = queue.single_task(last, [=] { *p += 1; });
    last.wait();
    launches += BATCH;
  });
  return rows::result{time, "us", rows::compare("the count", value.at(0), launches, 0)};
});

// The same by accessors to one buffer.
const rows::add accessor_chain("launch, accessor chain", [] {
  sycl::queue queue;
  sycl::buffer<int> buffer(sycl::range<1>(1));
  sycl::host_accessor(buffer, sycl::write_only)[0] = 0;
  int launches = 0;
  const double time = rows::best_microseconds(BATCH, [&] {
    for (int i = 0; i < BATCH; ++i)
      queue.submit([&](sycl::handler& group) {
        sycl::accessor value(buffer, group, sycl::read_write);
        group.single_task([=] { value[0] += 1; });
      });
    queue.wait();
    launches += BATCH;
  });
  return rows::result{
      time, "us", rows::compare("the count", sycl::host_accessor(buffer, sycl::read_only)[0], launches, 0)};
});

/// Copies one after the other, each waited for.
rows::result copy(std::size_t bytes, bool pinned, bool to_device) {
  const bench::array<char> device(bytes);
  std::vector<char> pageable(pinned ? 0 : bytes, 'x');
  char* const host = pinned ? sycl::malloc_host<char>(bytes, bench::queue()) : pageable.data();
  const char value = to_device ? 'a' : 'b';
  if (pinned || to_device)
    std::fill(host, host + bytes, value);
  bench::queue().memset(device.data(), value, bytes).wait();
  const int count = bytes <= 65536 ? 200 : bytes <= (1 << 24) ? 20 : 2;
  const double time = rows::best_microseconds(count, [&] {
    for (int i = 0; i < count; ++i)
      (to_device ? bench::queue().memcpy(device.data(), host, bytes)
                 : bench::queue().memcpy(host, device.data(), bytes))
          .wait();
  });
  const std::string check =
      rows::first_wrong({rows::compare("the last byte of the device", device.at(bytes - 1), value, 0),
                         rows::compare("the last byte of the host", host[bytes - 1], value, 0)});
  if (pinned)
    sycl::free(host, bench::queue());
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

rows::result allocate(sycl::usm::alloc kind) {
  constexpr int COUNT = 100;
  constexpr std::size_t bytes = 1 << 20;
  return microseconds(rows::best_microseconds(COUNT, [&] {
    for (int i = 0; i < COUNT; ++i)
      sycl::free(sycl::malloc(bytes, bench::queue(), kind), bench::queue());
  }));
}
const rows::add device("malloc_device and free, 1 MiB", [] { return allocate(sycl::usm::alloc::device); });
const rows::add host("malloc_host and free, 1 MiB", [] { return allocate(sycl::usm::alloc::host); });
const rows::add shared("malloc_shared and free, 1 MiB", [] { return allocate(sycl::usm::alloc::shared); });

} // namespace
