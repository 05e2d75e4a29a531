// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// BabelStream's five kernels on arrays of doubles, limited by memory.
#include "../problems.hpp"
#include "falx_side.hpp"

namespace {

using problems::STREAM_SCALAR;

struct arrays {
  std::size_t size = problems::stream_size();
  bench::array<double> a{size}, b{size}, c{size};
  arrays() {
    double *pa = a.data(), *pb = b.data(), *pc = c.data();
    bench::queue().parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) {
      pa[i] = problems::stream_a(i);
      pb[i] = problems::stream_b(i);
      pc[i] = problems::stream_c(i);
    });
  }
};

/// \p launch writes \p output; \p expected gives its elements.
template <class Launch, class Expected>
rows::result measure(int arrays_moved, const arrays& all, const bench::array<double>& output, Launch launch,
                     Expected expected) {
  const double time = bench::time_of(launch);
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t i = problems::probe(which, all.size);
    check = rows::compare("an element", output.at(i), expected(i), 1e-15);
  }
  return rows::rate(static_cast<double>(all.size) * 8 * arrays_moved, time, "GB/s", 1e9, check);
}

const rows::add copy("copy f64 2^27", [] {
  const arrays all;
  const double* a = all.a.data();
  double* c = all.c.data();
  return measure(
      2, all, all.c,
      [&] {
        bench::queue().parallel_for(sycl::range<1>(all.size),
                                    [=](sycl::id<1> i) [[intel::kernel_args_restrict]] { c[i] = a[i]; });
      },
      problems::stream_a);
});

const rows::add mul("mul f64 2^27", [] {
  const arrays all;
  double* b = all.b.data();
  const double* c = all.c.data();
  return measure(
      2, all, all.b,
      [&] {
        bench::queue().parallel_for(sycl::range<1>(all.size),
                                    [=](sycl::id<1> i)
                                        [[intel::kernel_args_restrict]] { b[i] = STREAM_SCALAR * c[i]; });
      },
      [](std::size_t i) { return STREAM_SCALAR * problems::stream_c(i); });
});

const rows::add sum("add f64 2^27", [] {
  const arrays all;
  const double *a = all.a.data(), *b = all.b.data();
  double* c = all.c.data();
  return measure(
      3, all, all.c,
      [&] {
        bench::queue().parallel_for(sycl::range<1>(all.size),
                                    [=](sycl::id<1> i)
                                        [[intel::kernel_args_restrict]] { c[i] = a[i] + b[i]; });
      },
      [](std::size_t i) { return problems::stream_a(i) + problems::stream_b(i); });
});

const rows::add triad("triad f64 2^27", [] {
  const arrays all;
  double* a = all.a.data();
  const double *b = all.b.data(), *c = all.c.data();
  return measure(
      3, all, all.a,
      [&] {
        bench::queue().parallel_for(
            sycl::range<1>(all.size),
            [=](sycl::id<1> i) [[intel::kernel_args_restrict]] { a[i] = b[i] + STREAM_SCALAR * c[i]; });
      },
      [](std::size_t i) { return problems::stream_b(i) + STREAM_SCALAR * problems::stream_c(i); });
});

const rows::add dot("dot f64 2^27", [] {
  const arrays all;
  const double *a = all.a.data(), *b = all.b.data();
  bench::array<double> sum(1);
  const double time = bench::time_of([&] {
    bench::queue().parallel_for(sycl::range<1>(all.size),
                                sycl::reduction(sum.data(), sycl::plus<double>(),
                                                sycl::property::reduction::initialize_to_identity()),
                                [=](sycl::id<1> i, auto& result) { result += a[i] * b[i]; });
  });
  double expected = 0;
  for (std::size_t i = 0; i < all.size; ++i)
    expected += problems::stream_a(i) * problems::stream_b(i);
  return rows::rate(static_cast<double>(all.size) * 16, time, "GB/s", 1e9,
                    rows::compare("the sum", sum.at(0), expected, 1e-9));
});

} // namespace
