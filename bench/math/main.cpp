// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Nanoseconds that a mathematical function takes for an element, on one processor and in its first cache:
/// in a kernel, and SLEEF's functions for AVX-512 with errors of 1 and 3.5 units, called in a loop. Loads and
/// stores included: the first row has no function.
#include "../bench.hpp"

#include <cstdio>
#if defined(__AVX512F__)
#include <sleef.h>
#define SLEEF(function) [](__m512 x) { return Sleef_##function##avx512f(x); }
#define SLEEF_WIDE(function) [](__m512d x) { return Sleef_##function##avx512f(x); }
#else
#define SLEEF(function) nullptr
#define SLEEF_WIDE(function) nullptr
#endif

namespace {

constexpr std::size_t ELEMENTS = 2048, REPETITIONS = 50, ROUNDS = 400, ITEMS = 64;

template <class Function>
double nanoseconds_of_element(const Function& function) {
  return bench::least_nanoseconds(ROUNDS, function) / (ELEMENTS * REPETITIONS);
}

template <class T>
class measurement {
public:
  explicit measurement(sycl::queue& queue)
      : queue_(queue), in_(sycl::aligned_alloc_shared<T>(64, ELEMENTS, queue)),
        out_(sycl::aligned_alloc_shared<T>(64, ELEMENTS, queue)) {}
  measurement(const measurement&) = delete;
  measurement& operator=(const measurement&) = delete;
  ~measurement() {
    sycl::free(in_, queue_);
    sycl::free(out_, queue_);
  }

  template <class Kernel, class First, class Second>
  void row(const char* name, T from, T to, Kernel kernel, First exact, Second less_exact) {
    for (std::size_t i = 0; i < ELEMENTS; ++i)
      in_[i] = from + (to - from) * static_cast<T>(i) / static_cast<T>(ELEMENTS);
    const T* const in = in_;
    T* const out = out_;
    const double falx = nanoseconds_of_element([&] {
      queue_
          .parallel_for(sycl::nd_range<1>(ITEMS, ITEMS),
                        [=](sycl::nd_item<1> item) {
                          for (std::size_t k = 0; k < REPETITIONS; ++k)
                            for (std::size_t i = item.get_global_id(0); i < ELEMENTS; i += ITEMS)
                              out[i] = kernel(in[i]) + static_cast<T>(k);
                        })
          .wait();
    });
    std::printf("| %s | %s | %.3f |", name, sizeof(T) == 4 ? "float" : "double", falx);
    by_sleef(exact);
    by_sleef(less_exact);
    std::printf("\n");
    std::fflush(stdout);
  }

private:
  void by_sleef(std::nullptr_t) { std::printf(" |"); }
#if defined(__AVX512F__)
  static __m512 load(const float* p) { return _mm512_load_ps(p); }
  static __m512d load(const double* p) { return _mm512_load_pd(p); }
  static void store(float* p, __m512 x, float k) { _mm512_store_ps(p, _mm512_add_ps(x, _mm512_set1_ps(k))); }
  static void store(double* p, __m512d x, double k) {
    _mm512_store_pd(p, _mm512_add_pd(x, _mm512_set1_pd(k)));
  }

  template <class Function>
  void by_sleef(Function function) {
    std::printf(" %.3f |", nanoseconds_of_element([&] {
                  for (std::size_t k = 0; k < REPETITIONS; ++k)
                    for (std::size_t i = 0; i < ELEMENTS; i += 64 / sizeof(T))
                      store(out_ + i, function(load(in_ + i)), static_cast<T>(k));
                }));
  }
#endif

  sycl::queue& queue_;
  T *in_, *out_;
};

} // namespace

#define ROW(name, from, to, exact, less_exact)                                                               \
  floats.row(#name, from, to, [](float x) { return sycl::name(x); }, exact, less_exact)
#define NATIVE(name, from, to)                                                                               \
  floats.row("native::" #name, from, to, [](float x) { return sycl::native::name(x); }, nullptr, nullptr)
#define WIDE(name, from, to, exact, less_exact)                                                              \
  doubles.row(#name, from, to, [](double x) { return sycl::name(x); }, exact, less_exact)

int main() {
  sycl::queue queue(sycl::cpu_selector_v);
  measurement<float> floats(queue);
  measurement<double> doubles(queue);
  std::printf("| function | type | Falx | SLEEF, 1 unit | SLEEF, 3.5 |\n|---|---|--:|--:|--:|\n");
  floats.row("none", -10, 10, [](float x) { return x; }, nullptr, nullptr);
  ROW(exp, -10, 10, SLEEF(expf16_u10), nullptr);
  ROW(exp2, -10, 10, SLEEF(exp2f16_u10), SLEEF(exp2f16_u35));
  ROW(exp10, -10, 10, SLEEF(exp10f16_u10), SLEEF(exp10f16_u35));
  ROW(expm1, -10, 10, SLEEF(expm1f16_u10), nullptr);
  ROW(log, 0.01f, 10, SLEEF(logf16_u10), SLEEF(logf16_u35));
  ROW(log2, 0.01f, 10, SLEEF(log2f16_u10), SLEEF(log2f16_u35));
  ROW(log10, 0.01f, 10, SLEEF(log10f16_u10), nullptr);
  ROW(log1p, 0.01f, 10, SLEEF(log1pf16_u10), nullptr);
  ROW(sin, -10, 10, SLEEF(sinf16_u10), SLEEF(sinf16_u35));
  ROW(cos, -10, 10, SLEEF(cosf16_u10), SLEEF(cosf16_u35));
  ROW(tan, -10, 10, SLEEF(tanf16_u10), SLEEF(tanf16_u35));
  ROW(sinh, -10, 10, SLEEF(sinhf16_u10), SLEEF(sinhf16_u35));
  ROW(cosh, -10, 10, SLEEF(coshf16_u10), SLEEF(coshf16_u35));
  ROW(tanh, -10, 10, SLEEF(tanhf16_u10), SLEEF(tanhf16_u35));
  ROW(asinh, -10, 10, SLEEF(asinhf16_u10), nullptr);
  ROW(acosh, 1, 10, SLEEF(acoshf16_u10), nullptr);
  ROW(atanh, -1, 1, SLEEF(atanhf16_u10), nullptr);
  ROW(asin, -1, 1, SLEEF(asinf16_u10), SLEEF(asinf16_u35));
  ROW(acos, -1, 1, SLEEF(acosf16_u10), SLEEF(acosf16_u35));
  ROW(atan, -10, 10, SLEEF(atanf16_u10), SLEEF(atanf16_u35));
  ROW(cbrt, -10, 10, SLEEF(cbrtf16_u10), SLEEF(cbrtf16_u35));
  ROW(erf, -3, 3, SLEEF(erff16_u10), nullptr);
  ROW(erfc, -3, 3, SLEEF(erfcf16_u15), nullptr);
  ROW(tgamma, 0.5f, 8, SLEEF(tgammaf16_u10), nullptr);
#if defined(__AVX512F__)
  const auto power = [](__m512 x) { return Sleef_powf16_u10avx512f(x, _mm512_set1_ps(1.7f)); };
#else
  const auto power = nullptr;
#endif
  floats.row("pow(x, 1.7)", 0.01f, 10, [](float x) { return sycl::pow(x, 1.7f); }, power, nullptr);
  NATIVE(exp, -10, 10);
  NATIVE(log, 0.01f, 10);
  NATIVE(sin, -10, 10);
  WIDE(exp, -10, 10, SLEEF_WIDE(expd8_u10), nullptr);
  WIDE(exp2, -10, 10, SLEEF_WIDE(exp2d8_u10), SLEEF_WIDE(exp2d8_u35));
  WIDE(exp10, -10, 10, SLEEF_WIDE(exp10d8_u10), SLEEF_WIDE(exp10d8_u35));
  WIDE(expm1, -10, 10, SLEEF_WIDE(expm1d8_u10), nullptr);
  WIDE(log, 0.01, 10, SLEEF_WIDE(logd8_u10), SLEEF_WIDE(logd8_u35));
  WIDE(log2, 0.01, 10, SLEEF_WIDE(log2d8_u10), SLEEF_WIDE(log2d8_u35));
  WIDE(log10, 0.01, 10, SLEEF_WIDE(log10d8_u10), nullptr);
  WIDE(log1p, 0.01, 10, SLEEF_WIDE(log1pd8_u10), nullptr);
  WIDE(sin, -10, 10, SLEEF_WIDE(sind8_u10), SLEEF_WIDE(sind8_u35));
  WIDE(cos, -10, 10, SLEEF_WIDE(cosd8_u10), SLEEF_WIDE(cosd8_u35));
  WIDE(tan, -10, 10, SLEEF_WIDE(tand8_u10), SLEEF_WIDE(tand8_u35));
  WIDE(sinh, -10, 10, SLEEF_WIDE(sinhd8_u10), SLEEF_WIDE(sinhd8_u35));
  WIDE(cosh, -10, 10, SLEEF_WIDE(coshd8_u10), SLEEF_WIDE(coshd8_u35));
  WIDE(tanh, -10, 10, SLEEF_WIDE(tanhd8_u10), SLEEF_WIDE(tanhd8_u35));
  WIDE(asinh, -10, 10, SLEEF_WIDE(asinhd8_u10), nullptr);
  WIDE(acosh, 1, 10, SLEEF_WIDE(acoshd8_u10), nullptr);
  WIDE(atanh, -1, 1, SLEEF_WIDE(atanhd8_u10), nullptr);
  WIDE(atan, -10, 10, SLEEF_WIDE(atand8_u10), SLEEF_WIDE(atand8_u35));
#if defined(__AVX512F__)
  const auto wide_power = [](__m512d x) { return Sleef_powd8_u10avx512f(x, _mm512_set1_pd(1.7)); };
#else
  const auto wide_power = nullptr;
#endif
  doubles.row("pow(x, 1.7)", 0.01, 10, [](double x) { return sycl::pow(x, 1.7); }, wide_power, nullptr);
}
