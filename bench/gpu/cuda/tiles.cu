// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tiles in shared memory: product of matrices, forces among all pairs of bodies.
#include "../problems.hpp"
#include "cuda_side.cuh"

namespace {

using problems::BODY_TILE, problems::MATRIX_TILE;

__global__ void initialize_matrices(float* a, float* b, std::size_t size) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) {
    a[i] = problems::matrix_a(i);
    b[i] = problems::matrix_b(i);
  }
}

__global__ void multiply(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                         int edge) {
  __shared__ float tile_a[MATRIX_TILE][MATRIX_TILE], tile_b[MATRIX_TILE][MATRIX_TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * MATRIX_TILE + y, column = blockIdx.x * MATRIX_TILE + x;
  float sum = 0;
  for (int first = 0; first < edge; first += MATRIX_TILE) {
    tile_a[y][x] = a[row * edge + first + x];
    tile_b[y][x] = b[(first + y) * edge + column];
    __syncthreads();
    for (int k = 0; k < MATRIX_TILE; ++k)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * edge + column] = sum;
}

const rows::add matmul("tiled matmul f32 4096, 32x32", [] {
  const std::size_t edge = problems::matrix_edge();
  const bench::array<float> a(edge * edge), b(edge * edge), c(edge * edge);
  initialize_matrices<<<bench::blocks_for(edge * edge, 256), 256, 0, bench::stream()>>>(a.data(), b.data(),
                                                                                        edge * edge);
  const dim3 block(MATRIX_TILE, MATRIX_TILE);
  const dim3 grid(static_cast<unsigned>(edge / MATRIX_TILE), static_cast<unsigned>(edge / MATRIX_TILE));
  const double time = bench::time_of([&] {
    multiply<<<grid, block, 0, bench::stream()>>>(a.data(), b.data(), c.data(), static_cast<int>(edge));
  });
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t at = problems::probe(which, edge * edge);
    check = rows::compare("an element", static_cast<double>(c.at(at)),
                          problems::matrix_expected(at / edge, at % edge, edge), 1e-4);
  }
  const double n = static_cast<double>(edge);
  return rows::rate(2 * n * n * n, time, "TFLOP/s", 1e12, check);
});

template <class T>
struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) body {
  T x, y, z, w;
};
// Two ways to get 1 / sqrt(x).
struct by_division {
  __device__ float operator()(float x) const { return 1.0f / sqrtf(x); }
};
struct by_rsqrt {
  __device__ float operator()(float x) const { return rsqrtf(x); }
  __device__ double operator()(double x) const { return rsqrt(x); }
};

template <class T>
__global__ void initialize_bodies(body<T>* bodies, std::size_t count) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
    bodies[i] = {problems::body_coordinate(i, 0), problems::body_coordinate(i, 1),
                 problems::body_coordinate(i, 2), 1};
}

template <class InverseRoot, class T>
__global__ void attract(const body<T>* __restrict__ bodies, body<T>* __restrict__ forces, int count) {
  __shared__ body<T> tile[BODY_TILE];
  const int self = blockIdx.x * BODY_TILE + threadIdx.x;
  const body<T> own = bodies[self];
  T x = 0, y = 0, z = 0;
  for (int first = 0; first < count; first += BODY_TILE) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int other = 0; other < BODY_TILE; ++other) {
      const body<T> there = tile[other];
      const T dx = there.x - own.x, dy = there.y - own.y, dz = there.z - own.z;
      const T inverse = InverseRoot()(dx * dx + dy * dy + dz * dz + static_cast<T>(problems::SOFTENING));
      const T factor = there.w * inverse * inverse * inverse;
      x += dx * factor;
      y += dy * factor;
      z += dz * factor;
    }
    __syncthreads();
  }
  forces[self] = {x, y, z, 0};
}

template <class T, class InverseRoot>
rows::result all_pairs(std::size_t count) {
  const bench::array<body<T>> in(count), out(count);
  const unsigned blocks = bench::blocks_for(count, BODY_TILE);
  initialize_bodies<<<blocks, BODY_TILE, 0, bench::stream()>>>(in.data(), count);
  const double time = bench::time_of([&] {
    attract<InverseRoot>
        <<<blocks, BODY_TILE, 0, bench::stream()>>>(in.data(), out.data(), static_cast<int>(count));
  });
  std::string check = "ok";
  for (int which = 0; which < 3 && check == "ok"; ++which) {
    const std::size_t at = problems::probe(which, count);
    check = rows::compare("a force", static_cast<double>(out.at(at).x), problems::body_expected_x(at, count),
                          sizeof(T) == 4 ? 1e-3 : 1e-9);
  }
  return {time * 1e3, "ms", check};
}

const rows::add nbody("n-body f32 65536", [] { return all_pairs<float, by_division>(problems::bodies()); });
const rows::add nbody_rsqrt("n-body f32 65536, rsqrt",
                            [] { return all_pairs<float, by_rsqrt>(problems::bodies()); });
const rows::add nbody_f64("n-body f64 32768, rsqrt",
                          [] { return all_pairs<double, by_rsqrt>(problems::bodies_f64()); });

} // namespace
