// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels limited by arithmetic. Limit of the machine: operations over cores times vector lanes times two
// fused units times clock; a scalar loop reaches a sixteenth of it with AVX-512 floats.
#include "bench.hpp"

#include <cmath>

namespace {

constexpr int EDGE = 1024;
constexpr int ITERATIONS = 400;
constexpr std::size_t POINTS = std::size_t(1) << 18;
constexpr int DEGREE = 512;
constexpr std::size_t OPTIONS = std::size_t(1) << 22;
constexpr std::size_t BODIES = 8192;
constexpr std::size_t TILE = 128;

inline int mandelbrot_at(int column, int row) {
  const float cx = -2.2f + 3.0f * static_cast<float>(column) / EDGE;
  const float cy = -1.5f + 3.0f * static_cast<float>(row) / EDGE;
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

void mandelbrot_falx(benchmark::State& state) {
  bench::array<int> image(std::size_t(EDGE) * EDGE, [](std::size_t) { return 0; });
  int* out = image.data();
  bench::measure(state, "pixel", double(EDGE) * EDGE, [&] {
    bench::queue()
        .parallel_for(sycl::range<2>(EDGE, EDGE),
                      [=](sycl::item<2> item) {
                        out[item.get_linear_id()] =
                            mandelbrot_at(static_cast<int>(item[1]), static_cast<int>(item[0]));
                      })
        .wait();
  });
}

void mandelbrot_openmp(benchmark::State& state) {
  bench::array<int> image(std::size_t(EDGE) * EDGE, [](std::size_t) { return 0; });
  int* out = image.data();
  bench::measure(state, "pixel", double(EDGE) * EDGE, [&] {
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < EDGE; ++row)
      for (int column = 0; column < EDGE; ++column)
        out[row * EDGE + column] = mandelbrot_at(column, row);
  });
}

inline float polynomial_at(float x, const float* coefficients) {
  float value = coefficients[0];
  for (int i = 1; i < DEGREE; ++i)
    value = value * x + coefficients[i];
  return value;
}

struct polynomial_arrays {
  bench::array<float> x{POINTS, [](std::size_t i) { return float(i) / float(POINTS); }};
  bench::array<float> y{POINTS, [](std::size_t) { return 0.0f; }};
  bench::array<float> coefficients{DEGREE, [](std::size_t i) { return 1.0f / float(i + 1); }};
};

void polynomial_falx(benchmark::State& state) {
  polynomial_arrays arrays;
  const float *x = arrays.x.data(), *coefficients = arrays.coefficients.data();
  float* y = arrays.y.data();
  bench::measure(state, "flop", 2.0 * DEGREE * POINTS, [&] {
    bench::queue()
        .parallel_for(sycl::range<1>(POINTS),
                      [=](sycl::id<1> i) { y[i] = polynomial_at(x[i], coefficients); })
        .wait();
  });
}

void polynomial_openmp(benchmark::State& state) {
  polynomial_arrays arrays;
  const float *x = arrays.x.data(), *coefficients = arrays.coefficients.data();
  float* y = arrays.y.data();
  bench::measure(state, "flop", 2.0 * DEGREE * POINTS, [&] {
#pragma omp parallel for
    for (std::size_t i = 0; i < POINTS; ++i)
      y[i] = polynomial_at(x[i], coefficients);
  });
}

inline float normal_cdf(float x) {
  return 0.5f * std::erfc(-x * 0.70710678f);
}

inline void price_option(float spot, float strike, float years, float& call, float& put) {
  constexpr float rate = 0.02f, volatility = 0.3f;
  const float root = volatility * std::sqrt(years);
  const float d1 = (std::log(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / root;
  const float d2 = d1 - root;
  const float discounted = strike * std::exp(-rate * years);
  const float n1 = normal_cdf(d1), n2 = normal_cdf(d2);
  call = spot * n1 - discounted * n2;
  put = discounted * (1.0f - n2) - spot * (1.0f - n1);
}

struct option_arrays {
  bench::array<float> spot{OPTIONS, [](std::size_t i) { return 5.0f + float(i % 25); }};
  bench::array<float> strike{OPTIONS, [](std::size_t i) { return 1.0f + float(i % 99); }};
  bench::array<float> years{OPTIONS, [](std::size_t i) { return 0.25f + float(i % 39) * 0.25f; }};
  bench::array<float> call{OPTIONS, [](std::size_t) { return 0.0f; }};
  bench::array<float> put{OPTIONS, [](std::size_t) { return 0.0f; }};
};

void black_scholes_falx(benchmark::State& state) {
  option_arrays arrays;
  const float *spot = arrays.spot.data(), *strike = arrays.strike.data(), *years = arrays.years.data();
  float *call = arrays.call.data(), *put = arrays.put.data();
  bench::measure(state, "option", double(OPTIONS), [&] {
    bench::queue()
        .parallel_for(sycl::range<1>(OPTIONS),
                      [=](sycl::id<1> i) { price_option(spot[i], strike[i], years[i], call[i], put[i]); })
        .wait();
  });
}

void black_scholes_openmp(benchmark::State& state) {
  option_arrays arrays;
  const float *spot = arrays.spot.data(), *strike = arrays.strike.data(), *years = arrays.years.data();
  float *call = arrays.call.data(), *put = arrays.put.data();
  bench::measure(state, "option", double(OPTIONS), [&] {
#pragma omp parallel for
    for (std::size_t i = 0; i < OPTIONS; ++i)
      price_option(spot[i], strike[i], years[i], call[i], put[i]);
  });
}

struct body {
  float x, y, z, mass;
};

inline void attract(const body& own, const body& other, float& ax, float& ay, float& az) {
  const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
  const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
  const float factor = other.mass * inverse * inverse * inverse;
  ax += dx * factor;
  ay += dy * factor;
  az += dz * factor;
}

body body_at(std::size_t i) {
  const float t = static_cast<float>(i);
  return {std::sin(t), std::cos(2 * t), std::sin(3 * t), 1.0f};
}

void nbody_falx(benchmark::State& state) {
  bench::array<body> all(BODIES, body_at);
  bench::array<body> result(BODIES, [](std::size_t) { return body{0, 0, 0, 0}; });
  const body* bodies = all.data();
  body* out = result.data();
  bench::measure(state, "pair", double(BODIES) * BODIES, [&] {
    bench::queue()
        .submit([&](sycl::handler& group) {
          sycl::local_accessor<body> tile(TILE, group);
          group.parallel_for(sycl::nd_range<1>(BODIES, TILE), [=](sycl::nd_item<1> item) {
            const body own = bodies[item.get_global_id(0)];
            float ax = 0, ay = 0, az = 0;
            for (std::size_t first = 0; first < BODIES; first += TILE) {
              tile[item.get_local_id(0)] = bodies[first + item.get_local_id(0)];
              sycl::group_barrier(item.get_group());
              for (std::size_t other = 0; other < TILE; ++other)
                attract(own, tile[other], ax, ay, az);
              sycl::group_barrier(item.get_group());
            }
            out[item.get_global_id(0)] = {ax, ay, az, 0.0f};
          });
        })
        .wait();
  });
}

void nbody_openmp(benchmark::State& state) {
  bench::array<body> all(BODIES, body_at);
  bench::array<body> result(BODIES, [](std::size_t) { return body{0, 0, 0, 0}; });
  const body* bodies = all.data();
  body* out = result.data();
  bench::measure(state, "pair", double(BODIES) * BODIES, [&] {
#pragma omp parallel for
    for (std::size_t i = 0; i < BODIES; ++i) {
      float ax = 0, ay = 0, az = 0;
      for (std::size_t other = 0; other < BODIES; ++other)
        attract(bodies[i], bodies[other], ax, ay, az);
      out[i] = {ax, ay, az, 0.0f};
    }
  });
}

} // namespace

BENCHMARK(mandelbrot_falx)
    ->Name("Mandelbrot 1024^2 x 400/falx")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(mandelbrot_openmp)
    ->Name("Mandelbrot 1024^2 x 400/openmp")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(polynomial_falx)->Name("polynomial 512, 2^18/falx")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(polynomial_openmp)
    ->Name("polynomial 512, 2^18/openmp")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(nbody_falx)->Name("n-body 8192, barriers/falx")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(nbody_openmp)->Name("n-body 8192, barriers/openmp")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(black_scholes_falx)->Name("Black-Scholes 2^22/falx")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(black_scholes_openmp)
    ->Name("Black-Scholes 2^22/openmp")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
