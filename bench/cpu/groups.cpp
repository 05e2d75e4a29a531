// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels whose work-groups compute together.
#include "row.hpp"

#include <numeric>

namespace {

/// Inclusive sums of 2^22 numbers: sums of blocks, sums of these, and the blocks again. Limit: 12 bytes a
/// number.
class prefix_sum final : public bench::row {
  static constexpr std::size_t SIZE = std::size_t(1) << 22, BLOCK = 4096, BLOCKS = SIZE / BLOCK, GROUP = 128;

public:
  void falx() override {
    const unsigned* in = in_.data();
    unsigned *out = out_.data(), *sums = sums_.data();
    bench::queue().parallel_for(sycl::nd_range<1>(BLOCKS * GROUP, GROUP), [=](sycl::nd_item<1> item) {
      const unsigned* first = in + item.get_group(0) * BLOCK;
      const unsigned sum =
          sycl::joint_reduce(item.get_group(), first, first + BLOCK, 0u, sycl::plus<unsigned>());
      if (item.get_local_id(0) == 0)
        sums[item.get_group(0)] = sum;
    });
    bench::queue().parallel_for(sycl::nd_range<1>(GROUP, GROUP), [=](sycl::nd_item<1> item) {
      sycl::joint_exclusive_scan(item.get_group(), sums, sums + BLOCKS, sums, 0u, sycl::plus<unsigned>());
    });
    bench::queue()
        .parallel_for(sycl::nd_range<1>(BLOCKS * GROUP, GROUP),
                      [=](sycl::nd_item<1> item) {
                        const std::size_t first = item.get_group(0) * BLOCK;
                        sycl::joint_inclusive_scan(item.get_group(), in + first, in + first + BLOCK,
                                                   out + first, sycl::plus<unsigned>(),
                                                   sums[item.get_group(0)]);
                      })
        .wait();
  }

  void openmp() override {
    const unsigned* in = in_.data();
    unsigned *out = out_.data(), *sums = sums_.data();
#pragma omp parallel for
    for (std::size_t block = 0; block < BLOCKS; ++block)
      sums[block] = std::accumulate(in + block * BLOCK, in + (block + 1) * BLOCK, 0u);
    std::exclusive_scan(sums, sums + BLOCKS, sums, 0u);
#pragma omp parallel for
    for (std::size_t block = 0; block < BLOCKS; ++block) {
      unsigned sum = sums[block];
      for (std::size_t i = block * BLOCK; i < (block + 1) * BLOCK; ++i)
        out[i] = sum += in[i];
    }
  }

  bool has_hand() const override { return FALX_BENCH_AVX512 != 0; }
  void by_hand() override {
#if FALX_BENCH_AVX512
    const unsigned* in = in_.data();
    unsigned *out = out_.data(), *sums = sums_.data();
#pragma omp parallel for
    for (std::size_t block = 0; block < BLOCKS; ++block) {
      __m512i sum[4] = {};
      for (std::size_t i = block * BLOCK; i < (block + 1) * BLOCK; i += 64)
        for (std::size_t v = 0; v < 4; ++v)
          sum[v] = _mm512_add_epi32(sum[v], _mm512_load_si512(in + i + 16 * v));
      const __m512i all =
          _mm512_add_epi32(_mm512_add_epi32(sum[0], sum[1]), _mm512_add_epi32(sum[2], sum[3]));
      sums[block] = static_cast<unsigned>(_mm512_reduce_add_epi32(all));
    }
    std::exclusive_scan(sums, sums + BLOCKS, sums, 0u);
    const __m512i zero = _mm512_setzero_si512();
#pragma omp parallel for
    for (std::size_t block = 0; block < BLOCKS; ++block) {
      __m512i before = _mm512_set1_epi32(static_cast<int>(sums[block]));
      for (std::size_t i = block * BLOCK; i < (block + 1) * BLOCK; i += 16) {
        __m512i x = _mm512_load_si512(in + i);
        x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
        x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
        x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
        x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
        x = _mm512_add_epi32(x, before);
        _mm512_store_si512(out + i, x);
        before = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), x);
      }
    }
#endif
  }

  void clear() override { out_.fill(~0u); }
  std::vector<double> results() const override {
    std::vector<double> all;
    out_.append_to(all);
    return all;
  }
  double tolerance() const override { return 0; }

private:
  bench::array<unsigned> in_{SIZE, [](std::size_t i) { return bench::hash(static_cast<unsigned>(i)) % 100; }};
  bench::array<unsigned> out_{SIZE}, sums_{BLOCKS};
};

/// How often each byte occurs among 2^24. Limit: one load and store a clock and byte.
class histogram final : public bench::row {
  static constexpr std::size_t SIZE = std::size_t(1) << 24, BINS = 256, GROUP = 256, SHARE = 512;

public:
  void falx() override {
    const unsigned char* in = in_.data();
    unsigned* bins = bins_.data();
    bench::queue().fill(bins, 0u, BINS);
    bench::queue()
        .submit([&](sycl::handler& group) {
          sycl::local_accessor<unsigned> counts(BINS, group);
          group.parallel_for(sycl::nd_range<1>(SIZE / SHARE, GROUP), [=](sycl::nd_item<1> item) {
            const std::size_t self = item.get_local_id(0);
            using local_counter =
                sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                                 sycl::access::address_space::local_space>;
            using global_counter =
                sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                 sycl::access::address_space::global_space>;
            counts[self] = 0;
            sycl::group_barrier(item.get_group());
            const std::size_t first = item.get_group(0) * GROUP * SHARE + self;
            for (std::size_t i = 0; i < SHARE; ++i)
              local_counter(counts[in[first + i * GROUP]]).fetch_add(1);
            sycl::group_barrier(item.get_group());
            global_counter(bins[self]).fetch_add(counts[self]);
          });
        })
        .wait();
  }

  void openmp() override {
    const unsigned char* in = in_.data();
    unsigned counts[BINS] = {};
#pragma omp parallel for reduction(+ : counts)
    for (std::size_t i = 0; i < SIZE; ++i)
      ++counts[in[i]];
    std::copy_n(counts, BINS, bins_.data());
  }

  /// Four tables, so that equal neighbours do not wait for each other; vectors cannot help.
  void by_hand() override {
    const unsigned char* in = in_.data();
    unsigned counts[BINS] = {};
#pragma omp parallel reduction(+ : counts)
    {
      unsigned tables[4][BINS] = {};
#pragma omp for
      for (std::size_t i = 0; i < SIZE; i += 8) {
        unsigned long long bytes;
        __builtin_memcpy(&bytes, in + i, 8);
        for (unsigned k = 0; k < 8; ++k, bytes >>= 8)
          ++tables[k % 4][bytes & 255];
      }
      for (std::size_t bin = 0; bin < BINS; ++bin)
        counts[bin] += tables[0][bin] + tables[1][bin] + tables[2][bin] + tables[3][bin];
    }
    std::copy_n(counts, BINS, bins_.data());
  }

  void clear() override { bins_.fill(~0u); }
  std::vector<double> results() const override {
    std::vector<double> all;
    bins_.append_to(all);
    return all;
  }
  double tolerance() const override { return 0; }

private:
  bench::array<unsigned char> in_{
      SIZE, [](std::size_t i) { return static_cast<unsigned char>(bench::hash(static_cast<unsigned>(i))); }};
  bench::array<unsigned> bins_{BINS};
};

/// Sums of rows of 256 floats, each by a sub-group. Limit: 4 bytes an element.
class sub_group_sums final : public bench::row {
  static constexpr std::size_t ROWS = std::size_t(1) << 15, LENGTH = 256;

public:
  void falx() override {
    const float* in = in_.data();
    float* out = out_.data();
    bench::queue()
        .parallel_for(sycl::nd_range<1>(ROWS * 16, 256),
                      [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
                        const sycl::sub_group lanes = item.get_sub_group();
                        const std::size_t row = item.get_global_id(0) / 16;
                        float sum = 0;
                        for (std::size_t i = lanes.get_local_linear_id(); i < LENGTH; i += 16)
                          sum += in[row * LENGTH + i];
                        sum = sycl::reduce_over_group(lanes, sum, sycl::plus<float>());
                        if (lanes.leader())
                          out[row] = sum;
                      })
        .wait();
  }

  void openmp() override {
    const float* in = in_.data();
    float* out = out_.data();
#pragma omp parallel for
    for (std::size_t row = 0; row < ROWS; ++row) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t i = 0; i < LENGTH; ++i)
        sum += in[row * LENGTH + i];
      out[row] = sum;
    }
  }

  void by_hand() override {
#if FALX_BENCH_VECTOR_BYTES
    using bench::floats;
    constexpr std::size_t WIDTH = bench::lanes_of<floats>;
    const float* in = in_.data();
#pragma omp parallel for
    for (std::size_t row = 0; row < ROWS; ++row) {
      floats sum[4] = {};
      for (std::size_t i = 0; i < LENGTH; i += 4 * WIDTH)
        for (std::size_t v = 0; v < 4; ++v)
          sum[v] += bench::load<floats>(in + row * LENGTH + i + WIDTH * v);
      out_.data()[row] = bench::sum_of((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
#endif
  }

  void clear() override { out_.fill(-1.0f); }
  std::vector<double> results() const override {
    std::vector<double> all;
    out_.append_to(all);
    return all;
  }

private:
  bench::array<float> in_{ROWS * LENGTH, bench::random_number};
  bench::array<float> out_{ROWS};
};

} // namespace

std::unique_ptr<bench::row> bench::make_prefix_sum() {
  return std::make_unique<prefix_sum>();
}
std::unique_ptr<bench::row> bench::make_histogram() {
  return std::make_unique<histogram>();
}
std::unique_ptr<bench::row> bench::make_sub_group_sums() {
  return std::make_unique<sub_group_sums>();
}
