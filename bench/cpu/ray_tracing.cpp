// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Spheres that mirror: lanes part at every sphere that is hit, and when a ray leaves the scene. Limit: 10
// operations for each sphere and ray, two a clock, on whole vectors until the last ray of each has left.
#include "row.hpp"

#include <cmath>

namespace {

constexpr int WIDTH = 1024, HEIGHT = 768, SPHERES = 64, BOUNCES = 4;
constexpr float FAR = 1e30f, NEAR = 1e-3f;

struct sphere {
  float x, y, z, radius, brightness;
};

/// The light that comes back along a ray from the eye through a pixel.
inline float trace(const sphere* spheres, int column, int row) {
  float dx = (static_cast<float>(column) - 0.5f * WIDTH) / HEIGHT;
  float dy = (static_cast<float>(row) - 0.5f * HEIGHT) / HEIGHT;
  float dz = 1.0f;
  const float scale = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz);
  dx *= scale, dy *= scale, dz *= scale;
  float ox = 0, oy = 0, oz = -4, light = 0, weight = 1;
  for (int bounce = 0; bounce < BOUNCES; ++bounce) {
    float nearest = FAR;
    int hit = -1;
    for (int i = 0; i < SPHERES; ++i) {
      const sphere& s = spheres[i];
      const float cx = s.x - ox, cy = s.y - oy, cz = s.z - oz;
      const float along = cx * dx + cy * dy + cz * dz;
      const float inside = along * along - (cx * cx + cy * cy + cz * cz) + s.radius * s.radius;
      if (inside > 0) {
        const float distance = along - std::sqrt(inside);
        if (distance > NEAR && distance < nearest) {
          nearest = distance;
          hit = i;
        }
      }
    }
    if (hit < 0) {
      light += weight * (0.5f + 0.5f * dy);
      break;
    }
    const sphere& s = spheres[hit];
    ox += nearest * dx, oy += nearest * dy, oz += nearest * dz;
    const float nx = (ox - s.x) / s.radius, ny = (oy - s.y) / s.radius, nz = (oz - s.z) / s.radius;
    const float facing = -(nx * dx + ny * dy + nz * dz);
    light += weight * s.brightness * facing;
    weight *= 0.5f;
    dx += 2 * facing * nx, dy += 2 * facing * ny, dz += 2 * facing * nz;
  }
  return light;
}

#if FALX_BENCH_VECTOR_BYTES
using bench::floats, bench::ints, bench::lanes, bench::select, bench::multiply_add;
constexpr int LANES = bench::lanes_of<floats>;

inline floats dot(const floats (&a)[3], const floats (&b)[3]) {
  return multiply_add(a[2], b[2], multiply_add(a[0], b[0], a[1] * b[1]));
}

/// The same for as many neighbours as a vector has.
inline floats trace_by_hand(const sphere* spheres, int column, int row) {
  floats d[3] = {(bench::ramp() + (static_cast<float>(column) - 0.5f * WIDTH)) / float(HEIGHT),
                 floats{} + (static_cast<float>(row) - 0.5f * HEIGHT) / HEIGHT, floats{} + 1.0f};
  const floats scale = 1.0f / bench::square_root(dot(d, d));
  for (floats& part : d)
    part *= scale;
  floats o[3] = {floats{}, floats{}, floats{} - 4.0f}, light{}, weight = floats{} + 1.0f;
  lanes live = bench::all_lanes();
  for (int bounce = 0; bounce < BOUNCES && bench::any(live); ++bounce) {
    floats nearest = floats{} + FAR;
    ints hit = ints{} - 1;
    for (int i = 0; i < SPHERES; ++i) {
      const sphere& s = spheres[i];
      const floats c[3] = {s.x - o[0], s.y - o[1], s.z - o[2]};
      const floats along = dot(c, d);
      const floats inside = multiply_add(along, along, -dot(c, c)) + s.radius * s.radius;
      const lanes meets = live & bench::less(floats{}, inside);
      if (!bench::any(meets))
        continue;
      const floats distance = along - bench::square_root(inside);
      const lanes closer = meets & bench::less(floats{} + NEAR, distance) & bench::less(distance, nearest);
      nearest = select(closer, distance, nearest);
      hit = select(closer, ints{} + i, hit);
    }
    const lanes leaves = live & bench::less(hit, ints{});
    light = select(leaves, multiply_add(weight, multiply_add(floats{} + 0.5f, d[1], floats{} + 0.5f), light),
                   light);
    live = bench::without(live, leaves);
    if (!bench::any(live))
      break;
    const ints at = select(live, hit, ints{}) * int(sizeof(sphere) / sizeof(float));
    const auto field = [&](int index) { return bench::gather(&spheres->x + index, at); };
    const floats radius = field(3), brightness = field(4);
    floats n[3];
    for (int axis = 0; axis < 3; ++axis) {
      o[axis] = multiply_add(nearest, d[axis], o[axis]);
      n[axis] = (o[axis] - field(axis)) / radius;
    }
    const floats facing = -dot(n, d);
    light = select(live, multiply_add(weight * brightness, facing, light), light);
    weight *= 0.5f;
    for (int axis = 0; axis < 3; ++axis)
      d[axis] = multiply_add(facing + facing, n[axis], d[axis]);
  }
  return light;
}
#endif

class ray_tracing final : public bench::row {
public:
  void falx() override {
    const sphere* spheres = spheres_.data();
    float* out = image_.data();
    bench::queue()
        .parallel_for(sycl::range<2>(HEIGHT, WIDTH),
                      [=](sycl::item<2> item) {
                        out[item.get_linear_id()] =
                            trace(spheres, static_cast<int>(item[1]), static_cast<int>(item[0]));
                      })
        .wait();
  }

  void openmp() override {
    const sphere* spheres = spheres_.data();
    float* out = image_.data();
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < HEIGHT; ++row)
      for (int column = 0; column < WIDTH; ++column)
        out[row * WIDTH + column] = trace(spheres, column, row);
  }

  void by_hand() override {
#if FALX_BENCH_VECTOR_BYTES
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < HEIGHT; ++row)
      for (int column = 0; column < WIDTH; column += LANES)
        bench::store(image_.data() + row * WIDTH + column, trace_by_hand(spheres_.data(), column, row));
#endif
  }

  void clear() override { image_.fill(-1.0f); }
  /// The mean of tiles: at the edge of a sphere rounding decides what a ray hits.
  std::vector<double> results() const override {
    constexpr int TILE = 32;
    std::vector<double> means(std::size_t(WIDTH / TILE) * (HEIGHT / TILE));
    for (int row = 0; row < HEIGHT; ++row)
      for (int column = 0; column < WIDTH; ++column)
        means[std::size_t(row / TILE * (WIDTH / TILE) + column / TILE)] +=
            static_cast<double>(image_.data()[row * WIDTH + column]) / (TILE * TILE);
    return means;
  }
  double tolerance() const override { return 1e-3; }

private:
  static sphere sphere_at(std::size_t i) {
    const auto number = [i](std::size_t which) { return bench::random_number(8 * i + which); };
    return {6 * number(0) - 3, 4 * number(1) - 2, 6 * number(2), 0.2f + 0.4f * number(3), number(4)};
  }
  bench::array<sphere> spheres_{SPHERES, sphere_at};
  bench::array<float> image_{std::size_t(WIDTH) * HEIGHT};
};

} // namespace

std::unique_ptr<bench::row> bench::make_ray_tracing() {
  return std::make_unique<ray_tracing>();
}
