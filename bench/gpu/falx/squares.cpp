// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A five-point stencil and the Mandelbrot set: one work-item per point of a square.
#include "../problems.hpp"
#include "falx_side.hpp"

namespace {

struct squares {
  std::size_t edge = problems::stencil_edge();
  bench::array<float> in{edge * edge}, out{edge * edge};
  squares() {
    float *from = in.data(), *to = out.data();
    bench::queue().parallel_for(sycl::range<1>(edge * edge), [=](sycl::id<1> i) {
      from[i] = problems::stencil_input(i);
      to[i] = 0;
    });
  }
};

// Indices are int, as on CUDA's side.
inline void stencil_at(const float* in, float* out, int row, int column, int edge) {
  if (row == 0 || column == 0 || row >= edge - 1 || column >= edge - 1)
    return;
  const int at = row * edge + column;
  out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - edge] + in[at + edge]);
}

template <class Launch>
rows::result measure(const squares& all, Launch launch) {
  const double time = bench::time_of(launch);
  std::string check = "ok";
  for (int which = 1; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t row = 1 + rows::hash(static_cast<unsigned>(which)) % (all.edge - 2);
    const std::size_t at = row * all.edge + 1 + rows::hash(static_cast<unsigned>(row)) % (all.edge - 2);
    check = rows::compare("a point", static_cast<double>(all.out.at(at)),
                          problems::stencil_expected(at, all.edge), 1e-6);
  }
  return rows::rate(2.0 * sizeof(float) * static_cast<double>(all.edge * all.edge), time, "GB/s", 1e9, check);
}

const rows::add ranged("2-D stencil f32 8192^2, range", [] {
  const squares all;
  const float* in = all.in.data();
  float* out = all.out.data();
  const std::size_t edge = all.edge;
  return measure(all, [&] {
    bench::queue().parallel_for(
        sycl::range<2>(edge, edge), [=](sycl::item<2> item) [[intel::kernel_args_restrict]] {
          stencil_at(in, out, static_cast<int>(item[0]), static_cast<int>(item[1]), static_cast<int>(edge));
        });
  });
});

const rows::add grouped("2-D stencil f32 8192^2, 8x32 groups", [] {
  const squares all;
  const float* in = all.in.data();
  float* out = all.out.data();
  const std::size_t edge = all.edge;
  return measure(all, [&] {
    bench::queue().parallel_for(sycl::nd_range<2>({edge, edge}, {8, 32}),
                                [=](sycl::nd_item<2> item) [[intel::kernel_args_restrict]] {
                                  stencil_at(in, out, static_cast<int>(item.get_global_id(0)),
                                             static_cast<int>(item.get_global_id(1)), static_cast<int>(edge));
                                });
  });
});

const rows::add mandelbrot("Mandelbrot 8192^2 x 400", [] {
  const int edge = problems::image_edge();
  const float step = 3.0f / static_cast<float>(edge);
  const std::size_t size = static_cast<std::size_t>(edge);
  const bench::array<int> image(size * size);
  int* out = image.data();
  const double time = bench::time_of([&] {
    bench::queue().parallel_for(sycl::range<2>(size, size), [=](sycl::item<2> item) {
      out[item.get_linear_id()] =
          problems::mandelbrot_at(static_cast<int>(item[1]), static_cast<int>(item[0]), step);
    });
  });
  const std::string check =
      rows::first_wrong({rows::compare("a point inside", image.at(size * size / 2 + size * 2 / 3), 400, 0),
                         rows::compare("a corner", image.at(0), problems::mandelbrot_at(0, 0, step), 0)});
  return rows::result{time * 1e3, "ms", check};
});

} // namespace
