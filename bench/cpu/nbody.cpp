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
#if FALX_BENCH_VECTOR_BYTES
  static bench::floats inverse_root(bench::floats x) { return 1.0f / bench::square_root(x); }
  static bench::doubles inverse_root(bench::doubles x) { return 1.0 / bench::square_root(x); }
#endif
};

/// Within 2 units in the last place, as SYCL has it.
struct fast {
  static float inverse_root(float x) { return sycl::rsqrt(x); }
#if FALX_BENCH_VECTOR_BYTES
  static bench::floats inverse_root(bench::floats x) { return bench::inverse_root(x); }
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

#if FALX_BENCH_VECTOR_BYTES
/// Accelerations of two vectors of bodies, from \p first on.
template <class Root, class T>
inline void attract_by_hand(const body<T>* bodies, std::size_t count, std::size_t first, body<T>* out) {
  using vector = typename bench::vector_of<T>::type;
  constexpr std::size_t VECTORS = 2, WIDTH = bench::lanes_of<vector>;
  vector own[VECTORS][3], sum[VECTORS][3] = {};
  T own_parts[3][VECTORS * WIDTH];
  for (std::size_t i = 0; i < VECTORS * WIDTH; ++i) {
    own_parts[0][i] = bodies[first + i].x;
    own_parts[1][i] = bodies[first + i].y;
    own_parts[2][i] = bodies[first + i].z;
  }
  for (std::size_t k = 0; k < VECTORS; ++k)
    for (std::size_t axis = 0; axis < 3; ++axis)
      own[k][axis] = bench::load<vector>(own_parts[axis] + k * WIDTH);
  for (std::size_t i = 0; i < count; ++i) {
    const body<T>& other = bodies[i];
    for (std::size_t k = 0; k < VECTORS; ++k) {
      const vector dx = other.x - own[k][0], dy = other.y - own[k][1], dz = other.z - own[k][2];
      const vector squares = bench::multiply_add(dy, dy, bench::multiply_add(dz, dz, vector{} + T(1e-3f)));
      const vector inverse = Root::inverse_root(bench::multiply_add(dx, dx, squares));
      const vector factor = (other.mass * inverse) * (inverse * inverse);
      sum[k][0] = bench::multiply_add(dx, factor, sum[k][0]);
      sum[k][1] = bench::multiply_add(dy, factor, sum[k][1]);
      sum[k][2] = bench::multiply_add(dz, factor, sum[k][2]);
    }
  }
  for (std::size_t k = 0; k < VECTORS; ++k)
    for (std::size_t axis = 0; axis < 3; ++axis)
      bench::store(own_parts[axis] + k * WIDTH, sum[k][axis]);
  for (std::size_t i = 0; i < VECTORS * WIDTH; ++i)
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
#if FALX_BENCH_VECTOR_BYTES
    constexpr std::size_t LANES = 2 * bench::lanes_of<typename bench::vector_of<T>::type>;
#pragma omp parallel for
    for (std::size_t i = 0; i < BODIES; i += LANES)
      attract_by_hand<Root>(bodies_.data(), BODIES, i, out_.data());
#endif
  }

  /// In OpenCL C, roots and quotients need not be rounded correctly unless it is asked for.
  std::optional<bench::opencl::kernel> in_opencl() const override {
    if (sizeof(T) != sizeof(float))
      return std::nullopt;
    static const char* const SOURCE = R"(
      kernel __attribute__((reqd_work_group_size(128, 1, 1)))
      void row(global const float4* bodies, int count, global float4* out) {
        local float4 tile[128];
        const float4 own = bodies[get_global_id(0)];
        float ax = 0, ay = 0, az = 0;
        for (int first = 0; first < count; first += 128) {
          tile[get_local_id(0)] = bodies[first + get_local_id(0)];
          barrier(CLK_LOCAL_MEM_FENCE);
          for (int i = 0; i < 128; ++i) {
            const float dx = tile[i].x - own.x, dy = tile[i].y - own.y, dz = tile[i].z - own.z;
            const float inverse = INVERSE_ROOT(dx * dx + (dy * dy + (dz * dz + 1e-3f)));
            const float factor = tile[i].w * inverse * inverse * inverse;
            ax += dx * factor;
            ay += dy * factor;
            az += dz * factor;
          }
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[get_global_id(0)] = (float4)(ax, ay, az, 0);
      })";
    static_assert(TILE == 128);
    using bench::opencl::memory;
    return bench::opencl::kernel{
        SOURCE,
        {memory(bodies_), bench::opencl::value(static_cast<int>(BODIES)), memory(out_)},
        BODIES,
        1,
        TILE,
        std::is_same_v<Root, fast>
            ? "-DINVERSE_ROOT(x)=rsqrt(x)"
            : "-DINVERSE_ROOT(x)=(1.0f/sqrt(x)) -cl-fp32-correctly-rounded-divide-sqrt"};
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
