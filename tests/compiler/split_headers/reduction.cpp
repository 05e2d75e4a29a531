// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/reduction.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

auto sum(int* result) { return sycl::reduction(result, sycl::plus<>(), sycl::property::reduction::initialize_to_identity()); }
template <class Reducer>
void add(Reducer& reducer) {
  reducer += 1;
}
template <class T, class Operation>
using of = sycl::reducer<T, Operation, 0>;
