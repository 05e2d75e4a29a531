// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/backend.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

template <class T>
using of_cuda = sycl::backend_return_t<sycl::backend::cuda, T>;
using traits = sycl::backend_traits<sycl::backend::cuda>;
template <class T>
using input = sycl::backend_input_t<sycl::backend::cuda, T>;
template <class T>
auto native(const T& object) {
  return sycl::get_native<sycl::backend::cuda>(object);
}
template <class T>
auto made(const T& object) {
  return sycl::make_device<sycl::backend::cuda>(object);
}
static_assert(SYCL_BACKEND_CUDA == 1);
