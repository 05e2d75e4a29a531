// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tiles in local memory: product of matrices, forces among all pairs of bodies.
#include "../problems.hpp"
#include "falx_side.hpp"

namespace {

using problems::BODY_TILE, problems::MATRIX_TILE;

// Indices are int, as on CUDA's side.
const rows::add matmul("tiled matmul f32 4096, 32x32", [] {
  const std::size_t edge = problems::matrix_edge();
  const int length = static_cast<int>(edge);
  const bench::array<float> left(edge * edge), right(edge * edge), product(edge * edge);
  float *a = left.data(), *b = right.data(), *c = product.data();
  bench::queue().parallel_for(sycl::range<1>(edge * edge), [=](sycl::id<1> i) {
    a[i] = problems::matrix_a(i);
    b[i] = problems::matrix_b(i);
  });
  const double time = bench::time_of([&] {
    bench::queue().submit([&](sycl::handler& group) {
      sycl::local_accessor<float, 2> tile_a({MATRIX_TILE, MATRIX_TILE}, group);
      sycl::local_accessor<float, 2> tile_b({MATRIX_TILE, MATRIX_TILE}, group);
      group.parallel_for(sycl::nd_range<2>({edge, edge}, {MATRIX_TILE, MATRIX_TILE}),
                         [=](sycl::nd_item<2> item) [[intel::kernel_args_restrict]] {
                           const int row = static_cast<int>(item.get_global_id(0));
                           const int column = static_cast<int>(item.get_global_id(1));
                           const std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
                           const int own_row = static_cast<int>(y), own_column = static_cast<int>(x);
                           float sum = 0;
                           for (int first = 0; first < length; first += MATRIX_TILE) {
                             tile_a[y][x] = a[row * length + first + own_column];
                             tile_b[y][x] = b[(first + own_row) * length + column];
                             sycl::group_barrier(item.get_group());
                             for (std::size_t k = 0; k < MATRIX_TILE; ++k)
                               sum += tile_a[y][k] * tile_b[k][x];
                             sycl::group_barrier(item.get_group());
                           }
                           c[row * length + column] = sum;
                         });
    });
  });
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t at = problems::probe(which, edge * edge);
    check = rows::compare("an element", static_cast<double>(product.at(at)),
                          problems::matrix_expected(at / edge, at % edge, edge), 1e-4);
  }
  const double n = static_cast<double>(edge);
  return rows::rate(2 * n * n * n, time, "TFLOP/s", 1e12, check);
});

/// \p inverse_root gives 1 / sqrt(x).
template <class T, class InverseRoot>
rows::result all_pairs(std::size_t count, InverseRoot inverse_root) {
  using body = sycl::vec<T, 4>;
  const bench::array<body> in(count), out(count);
  body *bodies = in.data(), *forces = out.data();
  bench::queue().parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
    bodies[i] = body(problems::body_coordinate(i, 0), problems::body_coordinate(i, 1),
                     problems::body_coordinate(i, 2), 1);
  });
  const double time = bench::time_of([&] {
    bench::queue().submit([&](sycl::handler& group) {
      sycl::local_accessor<body> tile(BODY_TILE, group);
      group.parallel_for(
          sycl::nd_range<1>(count, BODY_TILE), [=](sycl::nd_item<1> item) [[intel::kernel_args_restrict]] {
            const body own = bodies[item.get_global_id(0)];
            T x = 0, y = 0, z = 0;
            for (std::size_t first = 0; first < count; first += BODY_TILE) {
              tile[item.get_local_id(0)] = bodies[first + item.get_local_id(0)];
              sycl::group_barrier(item.get_group());
              for (int other = 0; other < BODY_TILE; ++other) {
                const body there = tile[other];
                const T dx = there.x() - own.x(), dy = there.y() - own.y(), dz = there.z() - own.z();
                const T inverse =
                    inverse_root(dx * dx + dy * dy + dz * dz + static_cast<T>(problems::SOFTENING));
                const T factor = there.w() * inverse * inverse * inverse;
                x += dx * factor;
                y += dy * factor;
                z += dz * factor;
              }
              sycl::group_barrier(item.get_group());
            }
            forces[item.get_global_id(0)] = body(x, y, z, 0);
          });
    });
  });
  std::string check = "ok";
  for (int which = 0; which < 3 && check == "ok"; ++which) {
    const std::size_t at = problems::probe(which, count);
    check = rows::compare("a force", static_cast<double>(out.at(at).x()),
                          problems::body_expected_x(at, count), sizeof(T) == 4 ? 1e-3 : 1e-9);
  }
  return {time * 1e3, "ms", check};
}

const rows::add nbody("n-body f32 65536", [] {
  return all_pairs<float>(problems::bodies(), [](float x) { return 1.0f / sycl::sqrt(x); });
});
const rows::add nbody_rsqrt("n-body f32 65536, rsqrt", [] {
  return all_pairs<float>(problems::bodies(), [](float x) { return sycl::rsqrt(x); });
});
const rows::add nbody_f64("n-body f64 32768, rsqrt", [] {
  return all_pairs<double>(problems::bodies_f64(), [](double x) { return sycl::rsqrt(x); });
});

} // namespace
