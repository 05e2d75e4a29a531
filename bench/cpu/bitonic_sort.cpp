// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks of 1024 keys, each sorted by one work-group in local memory, with a barrier behind each of 55 steps.
// Limit: a minimum, a maximum and (where the distance is less than a vector) shuffles per vector and step.
#include "row.hpp"

#include <algorithm>

namespace {

constexpr std::size_t KEYS = std::size_t(1) << 20;
constexpr unsigned BLOCK = 1024, PAIRS = BLOCK / 2;

#if FALX_BENCH_AVX512
/// One step at a distance below 16: every key meets that of lane ^ Distance.
template <unsigned Distance>
inline __m512i step_in_vector(__m512i keys, __mmask16 takes_larger) {
  __m512i others;
  if constexpr (Distance == 8)
    others = _mm512_shuffle_i64x2(keys, keys, 0x4E);
  else if constexpr (Distance == 4)
    others = _mm512_shuffle_i64x2(keys, keys, 0xB1);
  else if constexpr (Distance == 2)
    others = _mm512_shuffle_epi32(keys, _MM_PERM_BADC);
  else
    others = _mm512_shuffle_epi32(keys, _MM_PERM_CDAB);
  return _mm512_mask_max_epu32(_mm512_min_epu32(keys, others), takes_larger, keys, others);
}

/// Lanes whose number has the bit \p distance, where blocks of \p size go up; the others where they go down.
inline __mmask16 larger_lanes(unsigned vector, unsigned size, unsigned distance) {
  constexpr unsigned NUMBERS_WITH[] = {0xAAAA, 0xCCCC, 0, 0xF0F0, 0, 0, 0, 0xFF00};
  const unsigned upper = NUMBERS_WITH[distance - 1];
  const unsigned goes_down = size < 16 ? NUMBERS_WITH[size - 1] : (vector * 16 & size) != 0 ? 0xFFFF : 0;
  return static_cast<__mmask16>(upper ^ goes_down);
}

inline void sort_block_by_hand(__m512i* keys) {
  constexpr unsigned VECTORS = BLOCK / 16;
  for (unsigned size = 2; size <= BLOCK; size *= 2) {
    for (unsigned distance = size / 2; distance >= 16; distance /= 2)
      for (unsigned pair = 0; pair < VECTORS / 2; ++pair) {
        const unsigned apart = distance / 16, first = (pair / apart * 2) * apart + pair % apart;
        const __m512i a = keys[first], b = keys[first + apart];
        const bool goes_down = (first * 16 & size) != 0;
        const __m512i low = _mm512_min_epu32(a, b), high = _mm512_max_epu32(a, b);
        keys[first] = goes_down ? high : low;
        keys[first + apart] = goes_down ? low : high;
      }
    for (unsigned vector = 0; vector < VECTORS; ++vector) {
      __m512i mine = keys[vector];
      if (size >= 16)
        mine = step_in_vector<8>(mine, larger_lanes(vector, size, 8));
      if (size >= 8)
        mine = step_in_vector<4>(mine, larger_lanes(vector, size, 4));
      if (size >= 4)
        mine = step_in_vector<2>(mine, larger_lanes(vector, size, 2));
      keys[vector] = step_in_vector<1>(mine, larger_lanes(vector, size, 1));
    }
  }
}
#endif

class bitonic_sort final : public bench::row {
public:
  void falx() override {
    const unsigned* in = in_.data();
    unsigned* out = out_.data();
    bench::queue()
        .submit([&](sycl::handler& group) {
          sycl::local_accessor<unsigned> keys(BLOCK, group);
          group.parallel_for(sycl::nd_range<1>(KEYS / 2, PAIRS), [=](sycl::nd_item<1> item) {
            const auto self = static_cast<unsigned>(item.get_local_id(0));
            const std::size_t first = item.get_group(0) * BLOCK;
            keys[self] = in[first + self];
            keys[self + PAIRS] = in[first + self + PAIRS];
            for (unsigned size = 2; size <= BLOCK; size *= 2)
              for (unsigned distance = size / 2; distance > 0; distance /= 2) {
                sycl::group_barrier(item.get_group());
                const unsigned low = 2 * self - (self & (distance - 1));
                const bool goes_down = (low & size) != 0;
                const unsigned a = keys[low], b = keys[low + distance];
                keys[low] = goes_down ? std::max(a, b) : std::min(a, b);
                keys[low + distance] = goes_down ? std::min(a, b) : std::max(a, b);
              }
            sycl::group_barrier(item.get_group());
            out[first + self] = keys[self];
            out[first + self + PAIRS] = keys[self + PAIRS];
          });
        })
        .wait();
  }

  void openmp() override {
    const unsigned* in = in_.data();
    unsigned* out = out_.data();
#pragma omp parallel for
    for (std::size_t first = 0; first < KEYS; first += BLOCK) {
      unsigned keys[BLOCK];
      std::copy_n(in + first, BLOCK, keys);
      for (unsigned size = 2; size <= BLOCK; size *= 2)
        for (unsigned distance = size / 2; distance > 0; distance /= 2)
          for (unsigned self = 0; self < PAIRS; ++self) {
            const unsigned low = 2 * self - (self & (distance - 1));
            const bool goes_down = (low & size) != 0;
            const unsigned a = keys[low], b = keys[low + distance];
            keys[low] = goes_down ? std::max(a, b) : std::min(a, b);
            keys[low + distance] = goes_down ? std::min(a, b) : std::max(a, b);
          }
      std::copy_n(keys, BLOCK, out + first);
    }
  }

  bool has_hand() const override { return FALX_BENCH_AVX512 != 0; }
  void by_hand() override {
#if FALX_BENCH_AVX512
#pragma omp parallel for
    for (std::size_t first = 0; first < KEYS; first += BLOCK) {
      __m512i keys[BLOCK / 16];
      for (unsigned i = 0; i < BLOCK / 16; ++i)
        keys[i] = _mm512_load_si512(in_.data() + first + 16 * i);
      sort_block_by_hand(keys);
      for (unsigned i = 0; i < BLOCK / 16; ++i)
        _mm512_store_si512(out_.data() + first + 16 * i, keys[i]);
    }
#endif
  }

  void clear() override { out_.fill(0); }
  std::vector<double> results() const override {
    std::vector<double> all;
    out_.append_to(all);
    return all;
  }
  double tolerance() const override { return 0; }

private:
  bench::array<unsigned> in_{KEYS, [](std::size_t i) { return bench::hash(static_cast<unsigned>(i)); }};
  bench::array<unsigned> out_{KEYS};
};

} // namespace

std::unique_ptr<bench::row> bench::make_bitonic_sort() {
  return std::make_unique<bitonic_sort>();
}
