// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gravitational accelerations of n bodies; a work-group loads tiles of bodies into local memory.
#include <sycl/sycl.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr std::size_t BODIES = 4096;
constexpr std::size_t TILE = 128;
constexpr float SOFTENING = 1e-3f;

int main() {
  sycl::queue queue;
  auto* bodies = sycl::malloc_shared<sycl::float4>(BODIES, queue); // x, y, z, mass
  auto* acceleration = sycl::malloc_shared<sycl::float4>(BODIES, queue);
  for (std::size_t i = 0; i < BODIES; ++i) {
    const float t = static_cast<float>(i);
    bodies[i] =
        sycl::float4(std::sin(t), std::cos(2.0f * t), std::sin(3.0f * t), 1.0f + std::sin(5.0f * t) * 0.5f);
  }

  auto step = [&] {
    queue
        .submit([&](sycl::handler& group) {
          sycl::local_accessor<sycl::float4> tile(TILE, group);
          group.parallel_for(sycl::nd_range<1>(BODIES, TILE), [=](sycl::nd_item<1> item) {
            const sycl::float4 own = bodies[item.get_global_id(0)];
            const std::size_t local = item.get_local_id(0);
            sycl::float4 sum(0.0f);
            for (std::size_t first = 0; first < BODIES; first += TILE) {
              tile[local] = bodies[first + local];
              sycl::group_barrier(item.get_group());
              for (std::size_t other = 0; other < TILE; ++other) {
                const sycl::float4 body = tile[other];
                const float dx = body.x() - own.x(), dy = body.y() - own.y(), dz = body.z() - own.z();
                const float inverse = sycl::rsqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
                const float factor = body.w() * inverse * inverse * inverse;
                sum += sycl::float4(dx * factor, dy * factor, dz * factor, 0.0f);
              }
              sycl::group_barrier(item.get_group());
            }
            acceleration[item.get_global_id(0)] = sum;
          });
        })
        .wait();
  };
  step(); // The first launch compiles the kernel.
  const auto start = std::chrono::steady_clock::now();
  step();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;

  double worst = 0;
  for (std::size_t i = 0; i < BODIES; i += 97) {
    double x = 0, magnitude = 0;
    for (std::size_t j = 0; j < BODIES; ++j) {
      const double dx = bodies[j].x() - bodies[i].x(), dy = bodies[j].y() - bodies[i].y(),
                   dz = bodies[j].z() - bodies[i].z();
      const double inverse = 1.0 / std::sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
      const double term = bodies[j].w() * inverse * inverse * inverse * dx;
      x += term;
      magnitude += std::fabs(term);
    }
    worst = std::fmax(worst, std::fabs(acceleration[i].x() - x) / magnitude);
  }
  const bool verified = worst < 1e-5;
  std::printf("n-body: %zu bodies on %s, %.2f ms, largest relative error %.1e, %s\n", BODIES,
              queue.get_device().get_info<sycl::info::device::name>().c_str(), time.count(), worst,
              verified ? "verified" : "WRONG");
  sycl::free(bodies, queue);
  sycl::free(acceleration, queue);
  return verified ? 0 : 1;
}
