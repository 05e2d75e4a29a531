// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tiles in local memory between barriers. Limits per vector of pairs: with a correctly rounded square root
// and quotient what the divider takes (float: some 26 clocks on Sapphire Rapids), with rsqrt 16 operations,
// two a clock.
#include "row.hpp"

#include <cmath>

namespace {

constexpr std::size_t TILE = 128;

template <class T>
struct body {
  T x, y, z, mass;
};

struct exact {
  template <class T>
  static T inverse_root(T x) {
    return T(1) / std::sqrt(x);
  }
#if FALX_BENCH_AVX512
  static __m512 inverse_root(__m512 x) { return _mm512_div_ps(_mm512_set1_ps(1.0f), _mm512_sqrt_ps(x)); }
  static __m512d inverse_root(__m512d x) { return _mm512_div_pd(_mm512_set1_pd(1.0), _mm512_sqrt_pd(x)); }
#endif
};

/// Within 2 units in the last place, as SYCL has it.
struct fast {
  static float inverse_root(float x) { return sycl::rsqrt(x); }
#if FALX_BENCH_AVX512
  static __m512 inverse_root(__m512 x) {
    const __m512 guess = _mm512_rsqrt14_ps(x);
    const __m512 half = _mm512_mul_ps(_mm512_mul_ps(x, _mm512_set1_ps(0.5f)), guess);
    return _mm512_mul_ps(guess, _mm512_fnmadd_ps(half, guess, _mm512_set1_ps(1.5f)));
  }
#endif
};

template <class Root, class T>
inline void attract(const body<T>& own, const body<T>& other, T& ax, T& ay, T& az) {
  const T dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
  const T inverse = Root::inverse_root(dx * dx + (dy * dy + (dz * dz + T(1e-3f))));
  const T factor = other.mass * inverse * inverse * inverse;
  ax += dx * factor;
  ay += dy * factor;
  az += dz * factor;
}

#if FALX_BENCH_AVX512
/// Vectors of T, so that the code below serves both types.
template <class T>
struct vectors;
template <>
struct vectors<float> {
  static constexpr std::size_t LANES = 16;
  using vector = __m512;
  static vector set(float x) { return _mm512_set1_ps(x); }
  static vector load(const float* p) { return _mm512_loadu_ps(p); }
  static void store(float* p, vector x) { _mm512_storeu_ps(p, x); }
  static vector sub(vector a, vector b) { return _mm512_sub_ps(a, b); }
  static vector mul(vector a, vector b) { return _mm512_mul_ps(a, b); }
  static vector fma(vector a, vector b, vector c) { return _mm512_fmadd_ps(a, b, c); }
};
template <>
struct vectors<double> {
  static constexpr std::size_t LANES = 8;
  using vector = __m512d;
  static vector set(double x) { return _mm512_set1_pd(x); }
  static vector load(const double* p) { return _mm512_loadu_pd(p); }
  static void store(double* p, vector x) { _mm512_storeu_pd(p, x); }
  static vector sub(vector a, vector b) { return _mm512_sub_pd(a, b); }
  static vector mul(vector a, vector b) { return _mm512_mul_pd(a, b); }
  static vector fma(vector a, vector b, vector c) { return _mm512_fmadd_pd(a, b, c); }
};

/// Accelerations of two vectors of bodies, from \p first on.
template <class Root, class T>
inline void attract_by_hand(const body<T>* bodies, std::size_t count, std::size_t first, body<T>* out) {
  using v = vectors<T>;
  using vector = typename v::vector;
  constexpr std::size_t VECTORS = 2;
  vector own[VECTORS][3], sum[VECTORS][3];
  T own_parts[3][VECTORS * v::LANES];
  for (std::size_t i = 0; i < VECTORS * v::LANES; ++i) {
    own_parts[0][i] = bodies[first + i].x;
    own_parts[1][i] = bodies[first + i].y;
    own_parts[2][i] = bodies[first + i].z;
  }
  for (std::size_t k = 0; k < VECTORS; ++k)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      own[k][axis] = v::load(own_parts[axis] + k * v::LANES);
      sum[k][axis] = v::set(0);
    }
  for (std::size_t i = 0; i < count; ++i) {
    const vector x = v::set(bodies[i].x), y = v::set(bodies[i].y), z = v::set(bodies[i].z);
    const vector mass = v::set(bodies[i].mass);
    for (std::size_t k = 0; k < VECTORS; ++k) {
      const vector dx = v::sub(x, own[k][0]), dy = v::sub(y, own[k][1]), dz = v::sub(z, own[k][2]);
      const vector square = v::fma(dx, dx, v::fma(dy, dy, v::fma(dz, dz, v::set(T(1e-3f)))));
      const vector inverse = Root::inverse_root(square);
      const vector factor = v::mul(v::mul(mass, inverse), v::mul(inverse, inverse));
      sum[k][0] = v::fma(dx, factor, sum[k][0]);
      sum[k][1] = v::fma(dy, factor, sum[k][1]);
      sum[k][2] = v::fma(dz, factor, sum[k][2]);
    }
  }
  for (std::size_t k = 0; k < VECTORS; ++k)
    for (std::size_t axis = 0; axis < 3; ++axis)
      v::store(own_parts[axis] + k * v::LANES, sum[k][axis]);
  for (std::size_t i = 0; i < VECTORS * v::LANES; ++i)
    out[first + i] = {own_parts[0][i], own_parts[1][i], own_parts[2][i], T(0)};
}
#endif

template <class Root, class T, std::size_t BODIES>
class nbody final : public bench::row {
public:
  void falx() override {
    const body<T>* bodies = bodies_.data();
    body<T>* out = out_.data();
    bench::queue()
        .submit([&](sycl::handler& group) {
          sycl::local_accessor<body<T>> tile(TILE, group);
          group.parallel_for(sycl::nd_range<1>(BODIES, TILE), [=](sycl::nd_item<1> item) {
            const body<T> own = bodies[item.get_global_id(0)];
            T ax = 0, ay = 0, az = 0;
            for (std::size_t first = 0; first < BODIES; first += TILE) {
              tile[item.get_local_id(0)] = bodies[first + item.get_local_id(0)];
              sycl::group_barrier(item.get_group());
              for (std::size_t other = 0; other < TILE; ++other)
                attract<Root>(own, tile[other], ax, ay, az);
              sycl::group_barrier(item.get_group());
            }
            out[item.get_global_id(0)] = {ax, ay, az, 0};
          });
        })
        .wait();
  }

  void openmp() override {
    const body<T>* bodies = bodies_.data();
    body<T>* out = out_.data();
#pragma omp parallel for
    for (std::size_t i = 0; i < BODIES; ++i) {
      T ax = 0, ay = 0, az = 0;
      for (std::size_t other = 0; other < BODIES; ++other)
        attract<Root>(bodies[i], bodies[other], ax, ay, az);
      out[i] = {ax, ay, az, 0};
    }
  }

  void by_hand() override {
#if FALX_BENCH_AVX512
    constexpr std::size_t LANES = 2 * vectors<T>::LANES;
#pragma omp parallel for
    for (std::size_t i = 0; i < BODIES; i += LANES)
      attract_by_hand<Root>(bodies_.data(), BODIES, i, out_.data());
#endif
  }

  void clear() override { out_.fill({-1, -1, -1, -1}); }
  std::vector<double> results() const override {
    std::vector<double> all;
    for (std::size_t i = 0; i < BODIES; ++i)
      for (const T part : {out_.data()[i].x, out_.data()[i].y, out_.data()[i].z})
        all.push_back(static_cast<double>(part));
    return all;
  }
  double tolerance() const override { return sizeof(T) == 4 ? 1e-4 : 1e-11; }

private:
  static body<T> body_at(std::size_t i) {
    const T t = static_cast<T>(i);
    return {std::sin(t), std::cos(2 * t), std::sin(3 * t), T(1)};
  }
  bench::array<body<T>> bodies_{BODIES, body_at};
  bench::array<body<T>> out_{BODIES};
};

} // namespace

std::unique_ptr<bench::row> bench::make_nbody() {
  return std::make_unique<nbody<exact, float, 8192>>();
}
std::unique_ptr<bench::row> bench::make_nbody_rsqrt() {
  return std::make_unique<nbody<fast, float, 8192>>();
}
std::unique_ptr<bench::row> bench::make_nbody_double() {
  return std::make_unique<nbody<exact, double, 4096>>();
}
