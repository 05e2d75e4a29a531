// The same program at every optimisation level, with and without debug information, and with host sanitizers.
// RUN: %falxpp -O0 %s -o %t.0 && %t.0 | FileCheck %s
// RUN: %falxpp -O0 -g %s -o %t.0g && %t.0g | FileCheck %s
// RUN: %falxpp -O1 %s -o %t.1 && %t.1 | FileCheck %s
// RUN: %falxpp -O2 -g %s -o %t.2g && %t.2g | FileCheck %s
// RUN: %falxpp -O3 -march=native -ffast-math %s -o %t.3 && %t.3 | FileCheck %s
// RUN: %falxpp -O1 -fsanitize=undefined %s -o %t.ubsan && %t.ubsan | FileCheck %s
// RUN: %falxpp -O1 -fsanitize=address %s -o %t.asan && env ASAN_OPTIONS=detect_leaks=0 %t.asan | FileCheck %s
// RUN: %falxpp -std=c++20 -O2 -fno-exceptions -DNO_EXCEPTIONS %s -o %t.noexc && %t.noexc | FileCheck %s
// RUN: %falxpp -O2 -flto=thin -fuse-ld=lld %s -o %t.lto && %t.lto | FileCheck %s
#include <sycl/sycl.hpp>

#include <array>
#include <cstdio>
#include <optional>
#include <tuple>
#include <variant>

template <class T>
struct scaled {
  T factor;
  T* out;
  void operator()(sycl::item<2> item) const {
    std::array<T, 3> weights{T(1), T(2), T(3)};
    std::optional<T> extra = item[0] == 1 ? std::optional<T>(T(10)) : std::nullopt;
    std::variant<int, T> either = item[1] == 0 ? std::variant<int, T>(int(1)) : std::variant<int, T>(T(2));
    const auto [a, b] = std::tuple(weights[item[1] % 3], extra.value_or(T(0)));
    out[item.get_linear_id()] = factor * a + b + (either.index() == 0 ? T(100) : std::get<1>(either));
  }
};

int main() {
  sycl::queue queue;
  auto* values = sycl::malloc_shared<double>(6, queue);
  queue.parallel_for(sycl::range<2>(2, 3), scaled<double>{0.5, values}).wait();
  // CHECK: 100.5 3.0 3.5 110.5 13.0 13.5
  for (int i = 0; i < 6; ++i)
    std::printf("%.1f ", values[i]);
  sycl::free(values, queue);
}
