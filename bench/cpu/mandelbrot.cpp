// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lanes leave the loop one by one, and each iteration waits for the last. Limit: 8 operations an iteration,
// two a clock, on whole vectors until the last lane leaves.
#include "row.hpp"

namespace {

constexpr int EDGE = 1024;
constexpr int ITERATIONS = 400;
constexpr float STEP = 3.0f / EDGE, LEFT = -2.2f, TOP = -1.5f;

inline int iterations_at(int column, int row) {
  const float cx = LEFT + STEP * static_cast<float>(column);
  const float cy = TOP + STEP * static_cast<float>(row);
  float x = 0, y = 0;
  int iteration = 0;
  while (iteration < ITERATIONS && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++iteration;
  }
  return iteration;
}

class mandelbrot final : public bench::row {
public:
  void falx() override {
    int* out = image_.data();
    bench::queue()
        .parallel_for(sycl::range<2>(EDGE, EDGE),
                      [=](sycl::item<2> item) {
                        out[item.get_linear_id()] =
                            iterations_at(static_cast<int>(item[1]), static_cast<int>(item[0]));
                      })
        .wait();
  }

  void openmp() override {
    int* out = image_.data();
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < EDGE; ++row)
      for (int column = 0; column < EDGE; ++column)
        out[row * EDGE + column] = iterations_at(column, row);
  }

  void by_hand() override {
#if FALX_BENCH_AVX512
    constexpr int VECTORS = 4, LANES = 16 * VECTORS;
    int* out = image_.data();
    const __m512 ramp = _mm512_set_ps(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < EDGE; ++row) {
      const __m512 cy = _mm512_set1_ps(TOP + STEP * static_cast<float>(row));
      for (int column = 0; column < EDGE; column += LANES) {
        __m512 cx[VECTORS], x[VECTORS], y[VECTORS];
        __m512i count[VECTORS];
        for (int v = 0; v < VECTORS; ++v) {
          const __m512 number = _mm512_add_ps(ramp, _mm512_set1_ps(static_cast<float>(column + 16 * v)));
          cx[v] = _mm512_fmadd_ps(number, _mm512_set1_ps(STEP), _mm512_set1_ps(LEFT));
          x[v] = y[v] = _mm512_setzero_ps();
          count[v] = _mm512_setzero_si512();
        }
        __mmask16 live[VECTORS] = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
        for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
          unsigned any = 0;
          for (int v = 0; v < VECTORS; ++v) {
            const __m512 square = _mm512_mul_ps(y[v], y[v]);
            const __m512 length = _mm512_fmadd_ps(x[v], x[v], square);
            live[v] = _mm512_mask_cmp_ps_mask(live[v], length, _mm512_set1_ps(4.0f), _CMP_LE_OQ);
            count[v] = _mm512_mask_add_epi32(count[v], live[v], count[v], _mm512_set1_epi32(1));
            const __m512 next = _mm512_add_ps(_mm512_fmsub_ps(x[v], x[v], square), cx[v]);
            y[v] = _mm512_fmadd_ps(_mm512_add_ps(x[v], x[v]), y[v], cy);
            x[v] = next;
            any |= live[v];
          }
          if (any == 0)
            break;
        }
        for (int v = 0; v < VECTORS; ++v)
          _mm512_storeu_si512(out + row * EDGE + column + 16 * v, count[v]);
      }
    }
#endif
  }

  void clear() override { image_.fill(-1); }
  std::vector<double> results() const override {
    std::vector<double> all;
    image_.append_to(all);
    return all;
  }
  // Chaos at the border: contraction differs.
  double tolerance() const override { return 0.0; }

private:
  bench::array<int> image_{std::size_t(EDGE) * EDGE};
};

} // namespace

std::unique_ptr<bench::row> bench::make_mandelbrot() {
  return std::make_unique<mandelbrot>();
}
