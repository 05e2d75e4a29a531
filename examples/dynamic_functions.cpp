// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A chain of image filters put together on the command line and run as one kernel: each pixel is read and
// written once, whatever the length of the chain.
//   falx++ -O2 dynamic_functions.cpp -o chain && ./chain brighten invert gamma
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

void filter(float& pixel); // defined by what is launched

static void brighten(float& pixel) {
  pixel = sycl::fmin(pixel * 1.25f, 1.0f);
}
static void invert(float& pixel) {
  pixel = 1 - pixel;
}
static void gamma(float& pixel) {
  pixel = sycl::sqrt(pixel);
}

int main(int argc, char** argv) {
  using definition = sycl::jit::dynamic_function_definition<void, float&>;
  const struct {
    const char* name;
    void (*on_host)(float&);
    definition in_kernel;
  } filters[] = {{"brighten", brighten, &brighten}, {"invert", invert, &invert}, {"gamma", gamma, &gamma}};

  std::vector<definition> chain;
  float expected = 0.25f;
  const char* const usual[] = {"brighten", "invert"};
  const char* const* const names = argc > 1 ? argv + 1 : usual;
  for (int i = 0; i < (argc > 1 ? argc - 1 : 2); ++i)
    for (const auto& each : filters)
      if (std::strcmp(names[i], each.name) == 0) {
        chain.push_back(each.in_kernel);
        each.on_host(expected);
      }

  sycl::jit::dynamic_function_config config;
  config.define_as_call_sequence(sycl::jit::dynamic_function{&filter}, chain);

  constexpr std::size_t count = 1 << 20;
  sycl::queue queue;
  float* image = sycl::malloc_shared<float>(count, queue);
  for (std::size_t i = 0; i < count; ++i)
    image[i] = 0.25f;
  queue.parallel_for(sycl::range<1>(count), config.apply([=](sycl::id<1> i) { filter(image[i]); })).wait();
  const bool ok = std::fabs(image[count - 1] - expected) < 1e-6f;
  std::printf("%s: %g\n", ok ? "filtered" : "WRONG", static_cast<double>(image[count - 1]));
  sycl::free(image, queue);
  return ok ? 0 : 1;
}
