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

#if FALX_BENCH_AVX512
/// The same for 16 neighbours.
inline __m512 trace_by_hand(const sphere* spheres, int column, int row) {
  const auto set = [](float x) { return _mm512_set1_ps(x); };
  const auto dot = [](const __m512(&a)[3], const __m512(&b)[3]) {
    return _mm512_fmadd_ps(a[2], b[2], _mm512_fmadd_ps(a[0], b[0], _mm512_mul_ps(a[1], b[1])));
  };
  const __m512 ramp = _mm512_set_ps(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  __m512 d[3] = {
      _mm512_div_ps(_mm512_add_ps(ramp, set(static_cast<float>(column) - 0.5f * WIDTH)), set(HEIGHT)),
      set((static_cast<float>(row) - 0.5f * HEIGHT) / HEIGHT), set(1)};
  const __m512 scale = _mm512_div_ps(set(1), _mm512_sqrt_ps(dot(d, d)));
  for (__m512& part : d)
    part = _mm512_mul_ps(part, scale);
  __m512 o[3] = {set(0), set(0), set(-4)}, light = set(0), weight = set(1);
  __mmask16 live = 0xFFFF;
  for (int bounce = 0; bounce < BOUNCES && live != 0; ++bounce) {
    __m512 nearest = set(FAR);
    __m512i hit = _mm512_set1_epi32(-1);
    for (int i = 0; i < SPHERES; ++i) {
      const sphere& s = spheres[i];
      const __m512 c[3] = {_mm512_sub_ps(set(s.x), o[0]), _mm512_sub_ps(set(s.y), o[1]),
                           _mm512_sub_ps(set(s.z), o[2])};
      const __m512 along = dot(c, d);
      const __m512 inside = _mm512_add_ps(_mm512_fmsub_ps(along, along, dot(c, c)), set(s.radius * s.radius));
      const __mmask16 meets = _mm512_mask_cmp_ps_mask(live, inside, set(0), _CMP_GT_OQ);
      if (meets == 0)
        continue;
      const __m512 distance = _mm512_sub_ps(along, _mm512_sqrt_ps(inside));
      const __mmask16 behind = _mm512_mask_cmp_ps_mask(meets, distance, set(NEAR), _CMP_GT_OQ);
      const __mmask16 closer = _mm512_mask_cmp_ps_mask(behind, distance, nearest, _CMP_LT_OQ);
      nearest = _mm512_mask_mov_ps(nearest, closer, distance);
      hit = _mm512_mask_mov_epi32(hit, closer, _mm512_set1_epi32(i));
    }
    const __mmask16 hits = _mm512_mask_cmpge_epi32_mask(live, hit, _mm512_setzero_si512());
    const __mmask16 leaves = live & static_cast<__mmask16>(~hits);
    const __m512 sky = _mm512_fmadd_ps(set(0.5f), d[1], set(0.5f));
    light = _mm512_mask3_fmadd_ps(weight, sky, light, leaves);
    live = hits;
    if (live == 0)
      break;
    const __m512i at = _mm512_mullo_epi32(hit, _mm512_set1_epi32(sizeof(sphere) / sizeof(float)));
    const auto* base = &spheres->x;
    const auto field = [&](int index) {
      return _mm512_mask_i32gather_ps(set(1), live, at, base + index, sizeof(float));
    };
    const __m512 radius = field(3), brightness = field(4);
    __m512 n[3];
    for (int axis = 0; axis < 3; ++axis) {
      o[axis] = _mm512_fmadd_ps(nearest, d[axis], o[axis]);
      n[axis] = _mm512_div_ps(_mm512_sub_ps(o[axis], field(axis)), radius);
    }
    const __m512 facing = _mm512_sub_ps(set(0), dot(n, d));
    light = _mm512_mask3_fmadd_ps(_mm512_mul_ps(weight, brightness), facing, light, live);
    weight = _mm512_mul_ps(weight, set(0.5f));
    const __m512 twice = _mm512_add_ps(facing, facing);
    for (int axis = 0; axis < 3; ++axis)
      d[axis] = _mm512_fmadd_ps(twice, n[axis], d[axis]);
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
#if FALX_BENCH_AVX512
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < HEIGHT; ++row)
      for (int column = 0; column < WIDTH; column += 16)
        _mm512_store_ps(image_.data() + row * WIDTH + column, trace_by_hand(spheres_.data(), column, row));
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
