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
#if FALX_BENCH_VECTOR_BYTES
    using namespace bench;
    // As many vectors at once as the registers hold.
    constexpr int WIDTH = lanes_of<floats>, VECTORS = FALX_BENCH_AVX512 ? 4 : 2, LANES = WIDTH * VECTORS;
    int* out = image_.data();
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < EDGE; ++row) {
      const floats cy = floats{} + (TOP + STEP * static_cast<float>(row));
      for (int column = 0; column < EDGE; column += LANES) {
        floats cx[VECTORS], x[VECTORS], y[VECTORS];
        ints count[VECTORS];
        lanes live[VECTORS];
        for (int v = 0; v < VECTORS; ++v) {
          const floats number = ramp() + static_cast<float>(column + WIDTH * v);
          cx[v] = multiply_add(number, floats{} + STEP, floats{} + LEFT);
          x[v] = y[v] = floats{};
          count[v] = ints{};
          live[v] = all_lanes();
        }
        for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
          lanes left{};
          for (int v = 0; v < VECTORS; ++v) {
            const floats square = y[v] * y[v];
            const floats length = multiply_add(x[v], x[v], square);
            live[v] &= less_equal(length, floats{} + 4.0f);
            count[v] = increment(live[v], count[v]);
            const floats next = multiply_add(x[v], x[v], -square) + cx[v];
            y[v] = multiply_add(x[v] + x[v], y[v], cy);
            x[v] = next;
            left |= live[v];
          }
          if (!any(left))
            break;
        }
        for (int v = 0; v < VECTORS; ++v)
          store(out + row * EDGE + column + WIDTH * v, count[v]);
      }
    }
#endif
  }

  std::optional<bench::opencl::kernel> in_opencl() const override {
    static const char* const SOURCE = R"(
      kernel void row(global int* out) {
        const int column = get_global_id(0), row = get_global_id(1);
        const float step = 3.0f / 1024;
        const float cx = -2.2f + step * column, cy = -1.5f + step * row;
        float x = 0, y = 0;
        int iteration = 0;
        while (iteration < 400 && x * x + y * y <= 4.0f) {
          const float next = x * x - y * y + cx;
          y = 2.0f * x * y + cy;
          x = next;
          ++iteration;
        }
        out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = iteration;
      })";
    static_assert(EDGE == 1024 && ITERATIONS == 400);
    return bench::opencl::kernel{SOURCE, {bench::opencl::memory(image_)}, EDGE, EDGE};
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
