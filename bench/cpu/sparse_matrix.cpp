// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// y = A x with A in compressed rows of 8 to 56 elements, the columns near the diagonal. A work-item, or a
// sub-group, has a row. Limit: the bandwidth of memory (8 bytes an element) or what gathers take.
#include "row.hpp"

namespace {

constexpr std::size_t ROWS = std::size_t(1) << 17;
constexpr unsigned WINDOW = 4096;

class sparse_matrix : public bench::row {
public:
  void openmp() override {
    const matrix a = view();
#pragma omp parallel for
    for (std::size_t row = 0; row < ROWS; ++row) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (unsigned i = a.starts[row]; i < a.starts[row + 1]; ++i)
        sum += a.values[i] * a.x[a.columns[i]];
      a.y[row] = sum;
    }
  }

  void clear() override { y_.fill(-1.0f); }
  std::vector<double> results() const override {
    std::vector<double> all;
    y_.append_to(all);
    return all;
  }

protected:
  struct matrix {
    const unsigned *starts, *columns;
    const float *values, *x;
    float* y;
  };
  matrix view() const { return {starts_.data(), columns_.data(), values_.data(), x_.data(), y_.data()}; }

private:
  static unsigned length(std::size_t row) { return 8 + bench::hash(static_cast<unsigned>(row)) % 49; }
  static unsigned start(std::size_t row) {
    static const std::vector<unsigned> starts = [] {
      std::vector<unsigned> all(1);
      for (std::size_t i = 0; i < ROWS; ++i)
        all.push_back(all.back() + length(i));
      return all;
    }();
    return starts[row];
  }
  bench::array<unsigned> starts_{ROWS + 1, start};
  bench::array<unsigned> columns_{start(ROWS), [row = std::size_t(0)](std::size_t i) mutable {
                                    while (start(row + 1) <= i)
                                      ++row;
                                    const unsigned near = bench::hash(static_cast<unsigned>(i)) % WINDOW;
                                    return (static_cast<unsigned>(row) + near) % unsigned(ROWS);
                                  }};
  bench::array<float> values_{start(ROWS), bench::random_number};
  bench::array<float> x_{ROWS, bench::random_number};
  bench::array<float> y_{ROWS};
};

class row_per_item final : public sparse_matrix {
public:
  void falx() override {
    const matrix a = view();
    bench::queue()
        .parallel_for(sycl::range<1>(ROWS),
                      [=](sycl::id<1> row) {
                        float sum = 0;
                        for (unsigned i = a.starts[row]; i < a.starts[row + 1]; ++i)
                          sum += a.values[i] * a.x[a.columns[i]];
                        a.y[row] = sum;
                      })
        .wait();
  }

  /// As for Falx, a row per lane.
  bool has_hand() const override { return FALX_BENCH_AVX512 != 0; }
  void by_hand() override {
#if FALX_BENCH_AVX512
    const matrix a = view();
#pragma omp parallel for
    for (std::size_t row = 0; row < ROWS; row += 16) {
      __m512i at = _mm512_load_si512(a.starts + row);
      const __m512i end = _mm512_loadu_si512(a.starts + row + 1);
      __m512 sum = _mm512_setzero_ps();
      for (__mmask16 live; (live = _mm512_cmplt_epu32_mask(at, end)) != 0;) {
        const __m512i column = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), live, at, a.columns, 4);
        const __m512 value = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), live, at, a.values, 4);
        const __m512 x = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), live, column, a.x, 4);
        sum = _mm512_fmadd_ps(value, x, sum);
        at = _mm512_add_epi32(at, _mm512_set1_epi32(1));
      }
      _mm512_store_ps(a.y + row, sum);
    }
#endif
  }
};

class row_per_sub_group final : public sparse_matrix {
public:
  void falx() override {
    const matrix a = view();
    bench::queue()
        .parallel_for(sycl::nd_range<1>(ROWS * 16, 128),
                      [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
                        const sycl::sub_group lanes = item.get_sub_group();
                        const std::size_t row = item.get_global_id(0) / 16;
                        const unsigned end = a.starts[row + 1];
                        float sum = 0;
                        for (unsigned i = a.starts[row] + lanes.get_local_linear_id(); i < end; i += 16)
                          sum += a.values[i] * a.x[a.columns[i]];
                        sum = sycl::reduce_over_group(lanes, sum, sycl::plus<float>());
                        if (lanes.leader())
                          a.y[row] = sum;
                      })
        .wait();
  }

  bool has_hand() const override { return FALX_BENCH_AVX512 != 0; }
  void by_hand() override {
#if FALX_BENCH_AVX512
    const matrix a = view();
#pragma omp parallel for
    for (std::size_t row = 0; row < ROWS; ++row) {
      __m512 sum = _mm512_setzero_ps();
      const unsigned end = a.starts[row + 1];
      for (unsigned i = a.starts[row]; i < end; i += 16) {
        const auto live = static_cast<__mmask16>(end - i >= 16 ? 0xFFFF : (1u << (end - i)) - 1);
        const __m512i column = _mm512_maskz_loadu_epi32(live, a.columns + i);
        const __m512 x = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), live, column, a.x, 4);
        sum = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(live, a.values + i), x, sum);
      }
      a.y[row] = _mm512_reduce_add_ps(sum);
    }
#endif
  }
};

} // namespace

std::unique_ptr<bench::row> bench::make_sparse_matrix() {
  return std::make_unique<row_per_item>();
}
std::unique_ptr<bench::row> bench::make_sparse_matrix_sub_groups() {
  return std::make_unique<row_per_sub_group>();
}
