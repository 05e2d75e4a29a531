// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A five-point stencil and the Mandelbrot set: one thread per point of a square.
#include "../problems.hpp"
#include "cuda_side.cuh"

namespace {

struct squares {
  std::size_t edge = problems::stencil_edge();
  bench::array<float> in{edge * edge}, out{edge * edge};
  squares();
};

__global__ void initialize(float* in, float* out, std::size_t size) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) {
    in[i] = problems::stencil_input(i);
    out[i] = 0;
  }
}
squares::squares() {
  initialize<<<bench::blocks_for(edge * edge, 256), 256, 0, bench::stream()>>>(in.data(), out.data(),
                                                                               edge * edge);
  bench::launched();
}

__global__ void stencil(const float* __restrict__ in, float* __restrict__ out, int edge) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row == 0 || column == 0 || row >= edge - 1 || column >= edge - 1)
    return;
  const int at = row * edge + column;
  out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - edge] + in[at + edge]);
}

__global__ void mandelbrot_kernel(int* out, int edge, float step) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < edge && column < edge)
    out[std::size_t(row) * edge + column] = problems::mandelbrot_at(column, row, step);
}

rows::result measure_stencil() {
  const squares all;
  const dim3 block(32, 8);
  const dim3 grid(bench::blocks_for(all.edge, 32), bench::blocks_for(all.edge, 8));
  const double time = bench::time_of([&] {
    stencil<<<grid, block, 0, bench::stream()>>>(all.in.data(), all.out.data(), static_cast<int>(all.edge));
  });
  std::string check = "ok";
  for (int which = 1; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t row = 1 + rows::hash(static_cast<unsigned>(which)) % (all.edge - 2);
    const std::size_t at = row * all.edge + 1 + rows::hash(static_cast<unsigned>(row)) % (all.edge - 2);
    check = rows::compare("a point", static_cast<double>(all.out.at(at)),
                          problems::stencil_expected(at, all.edge), 1e-6);
  }
  return rows::rate(2.0 * sizeof(float) * static_cast<double>(all.edge * all.edge), time, "GB/s", 1e9, check);
}
// CUDA has one way to write what SYCL has two for.
const rows::add ranged("2-D stencil f32 8192^2, range", measure_stencil);
const rows::add grouped("2-D stencil f32 8192^2, 8x32 groups", measure_stencil);

const rows::add mandelbrot("Mandelbrot 8192^2 x 400", [] {
  const int edge = problems::image_edge();
  const float step = 3.0f / static_cast<float>(edge);
  const std::size_t size = static_cast<std::size_t>(edge);
  const bench::array<int> image(size * size);
  const dim3 block(32, 8);
  const dim3 grid(bench::blocks_for(size, 32), bench::blocks_for(size, 8));
  const double time = bench::time_of(
      [&] { mandelbrot_kernel<<<grid, block, 0, bench::stream()>>>(image.data(), edge, step); });
  const std::string check =
      rows::first_wrong({rows::compare("a point inside", image.at(size * size / 2 + size * 2 / 3), 400, 0),
                         rows::compare("a corner", image.at(0), problems::mandelbrot_at(0, 0, step), 0)});
  return rows::result{time * 1e3, "ms", check};
});

} // namespace
