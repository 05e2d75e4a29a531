// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Draws the Mandelbrot set into a PNG file, compares it with a computation on the host.
// Usage: mandelbrot [file.png]
#include <sycl/sycl.hpp>

#include <png.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int WIDTH = 1024;
constexpr int HEIGHT = 1024;
constexpr int MAX_ITERATIONS = 400;

int iterations_at(int column, int row) {
  const float cx = -2.2f + 3.0f * static_cast<float>(column) / WIDTH;
  const float cy = -1.5f + 3.0f * static_cast<float>(row) / HEIGHT;
  float x = 0, y = 0;
  int iteration = 0;
  while (iteration < MAX_ITERATIONS && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++iteration;
  }
  return iteration;
}

bool write_png(const char* path, const std::vector<int>& iterations) {
  std::vector<std::uint8_t> pixels(std::size_t(3) * WIDTH * HEIGHT);
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    const int n = iterations[i];
    pixels[3 * i + 0] = static_cast<std::uint8_t>(n == MAX_ITERATIONS ? 0 : (n * 5) % 256);
    pixels[3 * i + 1] = static_cast<std::uint8_t>(n == MAX_ITERATIONS ? 0 : (n * 9) % 256);
    pixels[3 * i + 2] = static_cast<std::uint8_t>(n == MAX_ITERATIONS ? 0 : 64 + (n * 3) % 192);
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = WIDTH;
  image.height = HEIGHT;
  image.format = PNG_FORMAT_RGB;
  return png_image_write_to_file(&image, path, 0, pixels.data(), 0, nullptr) != 0;
}

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "mandelbrot.png";
  sycl::queue queue;
  int* iterations = sycl::malloc_shared<int>(std::size_t(WIDTH) * HEIGHT, queue);

  auto draw = [&] {
    queue
        .parallel_for(sycl::range<2>(HEIGHT, WIDTH),
                      [=](sycl::item<2> item) {
                        iterations[item.get_linear_id()] =
                            iterations_at(static_cast<int>(item[1]), static_cast<int>(item[0]));
                      })
        .wait();
  };
  draw(); // The first launch compiles the kernel.
  const auto start = std::chrono::steady_clock::now();
  draw();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;

  // The device may fuse multiplications and additions, which moves a few pixels of the chaotic border.
  std::vector<int> image(iterations, iterations + std::size_t(WIDTH) * HEIGHT);
  sycl::free(iterations, queue);
  std::size_t different = 0;
  for (int row = 0; row < HEIGHT; ++row)
    for (int column = 0; column < WIDTH; ++column)
      different += image[std::size_t(row) * WIDTH + column] != iterations_at(column, row);
  const bool verified = different < image.size() / 100;
  if (!write_png(path, image)) {
    std::fprintf(stderr, "mandelbrot: cannot write '%s'\n", path);
    return 1;
  }
  std::printf("Mandelbrot: %dx%d on %s, %.2f ms, %s, picture in %s\n", WIDTH, HEIGHT,
              queue.get_device().get_info<sycl::info::device::name>().c_str(), time.count(),
              verified ? "verified" : "WRONG", path);
  return verified ? 0 : 1;
}
