// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A filter whose width and weights come from the command line and are constants in the kernel: the loop over
// the weights is unrolled, and weights of 0 cost nothing.
//   falx++ -O2 specialized.cpp -o filter && ./filter 0 1 1 0.5
#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

struct filter {
  int width;
  std::array<float, 16> weights;
};

int main(int argc, char** argv) {
  filter chosen{3, {0.25f, 0.5f, 0.25f}};
  if (argc > 1) {
    chosen.width = argc - 1 < 16 ? argc - 1 : 16;
    for (int i = 0; i < chosen.width; ++i)
      chosen.weights[static_cast<unsigned>(i)] = std::strtof(argv[i + 1], nullptr);
  }

  constexpr std::size_t count = 1 << 20;
  sycl::queue queue;
  float* in = sycl::malloc_shared<float>(count + 16, queue);
  float* out = sycl::malloc_shared<float>(count, queue);
  for (std::size_t i = 0; i < count + 16; ++i)
    in[i] = static_cast<float>(i % 7);

  const sycl::specialized<filter> constant = chosen;
  queue
      .parallel_for(sycl::range<1>(count),
                    [=](sycl::id<1> i) {
                      const filter f = constant;
                      float sum = 0;
                      for (int k = 0; k < f.width; ++k)
                        sum += f.weights[static_cast<unsigned>(k)] * in[i[0] + static_cast<unsigned>(k)];
                      out[i] = sum;
                    })
      .wait();

  float expected = 0;
  for (int k = 0; k < chosen.width; ++k)
    expected += chosen.weights[static_cast<unsigned>(k)] * in[5 + k];
  const bool ok = std::fabs(out[5] - expected) <= 1e-5f * (1 + std::fabs(expected));
  std::printf("%s: %g\n", ok ? "filtered" : "WRONG", static_cast<double>(out[5]));
  sycl::free(in, queue);
  sycl::free(out, queue);
  return ok ? 0 : 1;
}
