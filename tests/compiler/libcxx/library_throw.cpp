// Functions of libc++ that throw, or check themselves, end a kernel in its place, whichever way they are written.
// REQUIRES: libcxx
// RUN: %falxpp -stdlib=libc++ -O0 %s -o %t.exe
// RUN: env FALX_DEVICE_SELECTOR=cpu %t.exe | FileCheck %s
// RUN: not --crash env FALX_DEVICE_SELECTOR=cpu %t.exe beyond 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: %falxpp -stdlib=libc++ -O2 -std=c++20 -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_EXTENSIVE %s -o %t.hard.exe
// RUN: env FALX_DEVICE_SELECTOR=cpu %t.hard.exe | FileCheck %s
// BEYOND: device code does not throw std::out_of_range
#include <sycl/sycl.hpp>

#include <array>
#include <cstdio>
#include <optional>
#include <string_view>
#include <variant>

int main(int count, char**) {
  sycl::queue queue;
  int* const values = sycl::malloc_shared<int>(4, queue);
  const std::array<int, 4> table = {1, 2, 3, 4};
  const std::optional<int> number = 3;
  const std::variant<int, float> either = 2;
  const std::size_t beyond = count > 1 ? 4 : 0;
  queue
      .parallel_for(4,
                    [=](sycl::id<1> i) {
                      constexpr std::string_view text = "abcd";
                      values[i] = table.at(i[0] + beyond) + number.value() + std::get<0>(either) + table[i] +
                                  (text[i] - 'a') + (text.at(i) - 'a');
                    })
      .wait();
  // CHECK: 7 11 15 19
  std::printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
  sycl::free(values, queue);
}
