// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One chain of fused operations per point: without several chains at once the units wait. Limit: two vectors
// of operations a clock.
#include "row.hpp"

namespace {

constexpr std::size_t POINTS = std::size_t(1) << 18;
constexpr int DEGREE = 512;

inline float value_at(float x, const float* coefficients, int degree = DEGREE) {
  float value = coefficients[0];
  for (int i = 1; i < degree; ++i)
    value = value * x + coefficients[i];
  return value;
}

class polynomial : public bench::row {
public:
  void falx() override {
    const float *x = x_.data(), *coefficients = coefficients_.data();
    float* y = y_.data();
    bench::queue()
        .parallel_for(sycl::range<1>(POINTS), [=](sycl::id<1> i) { y[i] = value_at(x[i], coefficients); })
        .wait();
  }

  void openmp() override {
    const float *x = x_.data(), *coefficients = coefficients_.data();
    float* y = y_.data();
#pragma omp parallel for
    for (std::size_t i = 0; i < POINTS; ++i)
      y[i] = value_at(x[i], coefficients);
  }

  void by_hand() override {
#if FALX_BENCH_VECTOR_BYTES
    using bench::floats;
    constexpr std::size_t WIDTH = bench::lanes_of<floats>, VECTORS = 8, LANES = WIDTH * VECTORS;
    const float *x = x_.data(), *coefficients = coefficients_.data();
    float* y = y_.data();
#pragma omp parallel for
    for (std::size_t i = 0; i < POINTS; i += LANES) {
      floats value[VECTORS], at[VECTORS];
      for (std::size_t v = 0; v < VECTORS; ++v) {
        at[v] = bench::load<floats>(x + i + WIDTH * v);
        value[v] = floats{} + coefficients[0];
      }
      for (int k = 1; k < DEGREE; ++k) {
        const floats coefficient = floats{} + coefficients[k];
        for (std::size_t v = 0; v < VECTORS; ++v)
          value[v] = bench::multiply_add(value[v], at[v], coefficient);
      }
      for (std::size_t v = 0; v < VECTORS; ++v)
        bench::store(y + i + WIDTH * v, value[v]);
    }
#endif
  }

  void clear() override { y_.fill(-1.0f); }
  std::vector<double> results() const override {
    std::vector<double> all;
    y_.append_to(all);
    return all;
  }

protected:
  bench::array<float> x_{POINTS, [](std::size_t i) { return static_cast<float>(i) / POINTS; }};
  bench::array<float> y_{POINTS};
  bench::array<float> coefficients_{DEGREE, [](std::size_t i) { return 1.0f / static_cast<float>(i + 1); }};
};

class polynomial_in_groups final : public polynomial {
public:
  void falx() override {
    const float *x = x_.data(), *coefficients = coefficients_.data();
    float* y = y_.data();
    bench::queue()
        .parallel_for(sycl::nd_range<1>(POINTS, 256),
                      [=](sycl::nd_item<1> item) {
                        const std::size_t i = item.get_global_id(0);
                        y[i] = value_at(x[i], coefficients);
                      })
        .wait();
  }
};

class polynomial_captured final : public polynomial {
public:
  void falx() override {
    const float *x = x_.data(), *coefficients = coefficients_.data();
    float* y = y_.data();
    bench::queue()
        .parallel_for(sycl::range<1>(POINTS),
                      [=, degree = degree_](sycl::id<1> i) { y[i] = value_at(x[i], coefficients, degree); })
        .wait();
  }

  void openmp() override {
    const float *x = x_.data(), *coefficients = coefficients_.data();
    float* y = y_.data();
    const int degree = degree_;
#pragma omp parallel for
    for (std::size_t i = 0; i < POINTS; ++i)
      y[i] = value_at(x[i], coefficients, degree);
  }

  std::optional<bench::opencl::kernel> in_opencl() const override {
    static const char* const SOURCE = R"(
      kernel void row(global const float* x, global const float* coefficients, int degree, global float* y) {
        const size_t i = get_global_id(0);
        const float at = x[i];
        float value = coefficients[0];
        for (int k = 1; k < degree; ++k)
          value = value * at + coefficients[k];
        y[i] = value;
      })";
    using bench::opencl::memory;
    return bench::opencl::kernel{
        SOURCE, {memory(x_), memory(coefficients_), bench::opencl::value<int>(degree_), memory(y_)}, POINTS};
  }

private:
  volatile int degree_ = DEGREE;
};

} // namespace

std::unique_ptr<bench::row> bench::make_polynomial() {
  return std::make_unique<polynomial>();
}
std::unique_ptr<bench::row> bench::make_polynomial_in_groups() {
  return std::make_unique<polynomial_in_groups>();
}
std::unique_ptr<bench::row> bench::make_polynomial_captured() {
  return std::make_unique<polynomial_captured>();
}
