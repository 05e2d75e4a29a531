// What the standard library throws in a kernel ends the program with a sentence that names it, at every -O level alike;
// throwing code that is not reached does no harm.
// RUN: %falxpp -std=c++17 -O0 -g %s -o %t.0g && not --crash %t.0g at 2>&1 | FileCheck %s --check-prefixes=AT,LINE
// RUN: %falxpp -std=c++20 -O2 %s -o %t.2 && not --crash %t.2 at 2>&1 | FileCheck %s --check-prefix=AT
// RUN: not --crash %t.0g value 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not --crash %t.2 value 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not --crash %t.2 get 2>&1 | FileCheck %s --check-prefix=GET
// RUN: %falxpp -std=c++17 -O0 -D_GLIBCXX_ASSERTIONS %s -o %t.a
// RUN: not --crash %t.a index 2>&1 | FileCheck %s --check-prefix=ASSERTION
// RUN: %t.0g none | FileCheck %s --check-prefix=NONE
// RUN: %t.2 none | FileCheck %s --check-prefix=NONE
#include <sycl/sycl.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <variant>

// LINE: array:{{[1-9][0-9]*}}:
// AT: std::array<int, 4{{(ul)?}}>::at(unsigned long){{.*}}: global id: [{{[0-3]}},0,0] Assertion `device code does not throw std::out_of_range` failed.
// VALUE: std::optional<int>::value(){{.*}}: {{.*}} Assertion `device code does not throw std::bad_optional_access` failed.
// GET: Assertion `device code does not throw std::bad_variant_access` failed.
// ASSERTION: array:{{[1-9][0-9]*}}: {{.*}}operator[]{{.*}}: {{.*}} Assertion `__n < this->size()` failed.
// NONE: 9 9 9 9
int main(int, char** arguments) {
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  sycl::queue queue{sycl::cpu_selector_v};
  int* values = sycl::malloc_shared<int>(4, queue);
  const std::size_t beyond = is("at") ? 4 : 0;
  const std::size_t index = is("index") ? 4 : 0;
  const std::optional<int> number = is("value") ? std::nullopt : std::optional<int>(3);
  const std::variant<int, float> either = is("get") ? std::variant<int, float>(1.f) : std::variant<int, float>(2);
  queue.parallel_for(4, [=](sycl::id<1> i) {
    std::array<int, 4> table{4, 4, 4, 4};
    values[i] = index == 0 ? 0 : table[i[0] + index];
    values[i] += table.at(i[0] + beyond) + number.value() + std::get<0>(either);
  }).wait();
  std::printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
  sycl::free(values, queue);
}
