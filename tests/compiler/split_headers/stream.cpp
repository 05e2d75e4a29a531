// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/stream.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

void print(const sycl::stream& out) {
  out << sycl::setprecision(3) << sycl::setw(8) << 1.5f << sycl::hex << 17 << sycl::flush << sycl::endl;
}
static_assert(sycl::stream_manipulator::endl != sycl::stream_manipulator::flush);
