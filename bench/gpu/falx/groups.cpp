// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work of whole groups: prefix sum, histogram, sums of rows by sub-groups.
#include "../problems.hpp"
#include "falx_side.hpp"

#include <cstdint>

namespace {

constexpr std::size_t BLOCK = 256;

// Prefix sum in one pass over memory (Merrill and Garland: Single-pass Parallel Prefix Scan with Decoupled
// Look-back). Every group takes a tile, publishes the tile's sum, and adds up what the tiles before it
// published until it finds one that knows the sum of all before.
enum : std::uint64_t {
  NOTHING = 0,
  SUM_OF_TILE = std::uint64_t(1) << 32,
  SUM_OF_ALL = std::uint64_t(2) << 32
};

using published_sum = sycl::atomic_ref<std::uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                       sycl::access::address_space::global_space>;

/// By one sub-group: the sum of all tiles before \p tile.
inline unsigned look_back(sycl::sub_group sub, std::uint64_t* published, std::size_t tile) {
  const unsigned lane = sub.get_local_linear_id(), lanes = sub.get_local_linear_range();
  unsigned sum = 0;
  for (std::int64_t nearest = static_cast<std::int64_t>(tile) - 1;; nearest -= lanes) {
    const std::int64_t mine = nearest - lane;
    std::uint64_t seen = SUM_OF_ALL;
    while (mine >= 0 && (seen = published_sum(published[mine]).load()) == NOTHING) {
    }
    const unsigned last =
        sycl::reduce_over_group(sub, seen >= SUM_OF_ALL ? lane : lanes, sycl::minimum<unsigned>());
    sum +=
        sycl::reduce_over_group(sub, lane <= last ? static_cast<unsigned>(seen) : 0u, sycl::plus<unsigned>());
    if (last < lanes)
      return sum;
  }
}

/// Of four values: keeps what the work-items of a sub-group reach at once in different banks of local memory,
/// be it each its own sixteen bytes in a row or each the next sixteen bytes of its own values.
constexpr std::size_t spread(std::size_t i) {
  return i + i / 8;
}

/// For groups of \p BLOCK work-items with \p ITEMS values each. The tiles before a group's own have to be
/// done or under way. NVIDIA's GPUs start groups in the order of their numbers, on which CUB relies as well:
/// there \p IS_BY_NUMBER lets a group take the tile of its number. As SYCL does not promise that, groups take
/// \p next_tile elsewhere.
template <std::size_t BLOCK, std::size_t ITEMS, bool IS_BY_NUMBER>
void inclusive_scan(const sycl::uint4* in, sycl::uint4* out, std::uint64_t* published, unsigned* next_tile,
                    std::size_t tiles) {
  constexpr unsigned WIDTH = 32, SUB_GROUPS = BLOCK / WIDTH, FOURS = ITEMS / 4;
  bench::queue().memset(published, 0, (tiles + 1) * sizeof(std::uint64_t)); // next_tile lies behind
  bench::queue().submit([&](sycl::handler& group) {
    sycl::local_accessor<sycl::uint4> shared(spread(BLOCK * FOURS), group);
    sycl::local_accessor<unsigned> sums(SUB_GROUPS, group);
    sycl::local_accessor<unsigned> before(1, group);
    group.parallel_for(
        sycl::nd_range<1>(tiles * BLOCK, BLOCK),
        [=](sycl::nd_item<1> item) [[intel::kernel_args_restrict]] [[sycl::reqd_sub_group_size(WIDTH)]] {
          const auto self = item.get_group();
          const auto sub = item.get_sub_group();
          const unsigned lane = sub.get_local_linear_id(), which = sub.get_group_linear_id();
          std::size_t tile = self.get_group_linear_id();
          if constexpr (!IS_BY_NUMBER) {
            unsigned taken = 0;
            if (self.leader())
              taken = sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>(
                  *next_tile)++;
            tile = sycl::group_broadcast(self, taken);
          }
          // A sub-group's values lie together, so it turns them round in local memory by itself.
          const unsigned own = which * WIDTH * FOURS;
          const std::size_t first = tile * BLOCK * FOURS + own;
          sycl::uint4 loaded[FOURS];
          for (unsigned i = 0; i < FOURS; ++i)
            loaded[i] = in[first + i * WIDTH + lane];
          for (unsigned i = 0; i < FOURS; ++i)
            shared[spread(own + i * WIDTH + lane)] = loaded[i];
          sycl::group_barrier(sub);
          unsigned values[ITEMS], sum = 0;
          for (unsigned i = 0; i < FOURS; ++i) {
            const sycl::uint4 four = shared[spread(own + lane * FOURS + i)];
            for (int k = 0; k < 4; ++k)
              values[4 * i + k] = sum += four[k];
          }
          unsigned prefix = sycl::exclusive_scan_over_group(sub, sum, sycl::plus<unsigned>());
          if (lane == WIDTH - 1)
            sums[which] = prefix + sum;
          sycl::group_barrier(self);
          const unsigned of_sub_group = lane < SUB_GROUPS ? sums[lane] : 0;
          prefix += sycl::reduce_over_group(sub, lane < which ? of_sub_group : 0, sycl::plus<unsigned>());
          if (which == 0) {
            const unsigned total = sycl::reduce_over_group(sub, of_sub_group, sycl::plus<unsigned>());
            if (lane == 0)
              published_sum(published[tile]).store((tile == 0 ? SUM_OF_ALL : SUM_OF_TILE) | total);
            const unsigned earlier = look_back(sub, published, tile);
            if (lane == 0) {
              before[0] = earlier;
              published_sum(published[tile]).store(SUM_OF_ALL | (earlier + total));
            }
          }
          sycl::group_barrier(self);
          prefix += before[0];
          for (unsigned i = 0; i < FOURS; ++i)
            shared[spread(own + lane * FOURS + i)] =
                sycl::uint4(values[4 * i] + prefix, values[4 * i + 1] + prefix, values[4 * i + 2] + prefix,
                            values[4 * i + 3] + prefix);
          sycl::group_barrier(sub);
          for (unsigned i = 0; i < FOURS; ++i)
            out[first + i * WIDTH + lane] = shared[spread(own + i * WIDTH + lane)];
        });
  });
}

template <std::size_t BLOCK, std::size_t ITEMS>
rows::result measure_scan() {
  const std::size_t size = problems::scan_size(), tiles = size / (BLOCK * ITEMS);
  const bench::array<unsigned> in(size), out(size);
  const bench::array<std::uint64_t> published(tiles + 1);
  unsigned* values = in.data();
  bench::queue().parallel_for(sycl::range<1>(size),
                              [=](sycl::id<1> i) { values[i] = problems::scan_input(i); });
  const auto launch = bench::queue().get_device().is_gpu() ? &inclusive_scan<BLOCK, ITEMS, true>
                                                           : &inclusive_scan<BLOCK, ITEMS, false>;
  const double time = bench::time_of([&] {
    launch(reinterpret_cast<const sycl::uint4*>(in.data()), reinterpret_cast<sycl::uint4*>(out.data()),
           published.data(), reinterpret_cast<unsigned*>(published.data() + tiles), tiles);
  });
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t i = problems::probe(which, size);
    check = rows::compare("a sum", out.at(i), problems::scan_expected(i), 0);
  }
  return rows::rate(8.0 * static_cast<double>(size), time, "GB/s", 1e9, check);
}
const rows::add scan("prefix sum u32 2^28", measure_scan<512, 32>);

// Every 32 work-items count in a histogram of their own in local memory.
constexpr std::size_t COPIES = BLOCK / 32;
template <sycl::memory_scope scope, sycl::access::address_space space>
using counter = sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, scope, space>;
using local_counter = counter<sycl::memory_scope::work_group, sycl::access::address_space::local_space>;
using global_counter = counter<sycl::memory_scope::device, sycl::access::address_space::global_space>;

void count_bytes(const sycl::uint4* in, std::size_t vectors, unsigned* bins) {
  bench::queue().memset(bins, 0, problems::BINS * sizeof(unsigned));
  bench::queue().submit([&](sycl::handler& group) {
    sycl::local_accessor<unsigned, 2> counts({COPIES, problems::BINS}, group);
    const std::size_t groups =
        8 * bench::queue().get_device().get_info<sycl::info::device::max_compute_units>();
    group.parallel_for(sycl::nd_range<1>(groups * BLOCK, BLOCK), [=](sycl::nd_item<1> item) {
      const std::size_t me = item.get_local_id(0);
      for (std::size_t copy = 0; copy < COPIES; ++copy)
        counts[copy][me] = 0;
      sycl::group_barrier(item.get_group());
      for (std::size_t i = item.get_global_id(0); i < vectors; i += item.get_global_range(0)) {
        const sycl::uint4 four = in[i];
        for (int word = 0; word < 4; ++word)
          for (int byte = 0; byte < 4; ++byte)
            local_counter(counts[me / 32][four[word] >> (8 * byte) & 0xff])++;
      }
      sycl::group_barrier(item.get_group());
      unsigned sum = 0;
      for (std::size_t copy = 0; copy < COPIES; ++copy)
        sum += counts[copy][me];
      global_counter(bins[me]) += sum;
    });
  });
}

const rows::add histogram("histogram of bytes, 256 bins, 2^28", [] {
  static_assert(BLOCK == problems::BINS);
  const std::size_t size = problems::histogram_size();
  const bench::array<unsigned char> in(size);
  const bench::array<unsigned> bins(problems::BINS);
  unsigned char* bytes = in.data();
  bench::queue().parallel_for(sycl::range<1>(size),
                              [=](sycl::id<1> i) { bytes[i] = problems::histogram_input(i); });
  const double time = bench::time_of(
      [&] { count_bytes(reinterpret_cast<const sycl::uint4*>(in.data()), size / 16, bins.data()); });
  const std::vector<unsigned> expected = problems::histogram_expected();
  std::string check = "ok";
  for (std::size_t bin = 0; bin < expected.size() && check == "ok"; ++bin)
    check = rows::compare("a bin", bins.at(bin), expected[bin], 0);
  return rows::rate(static_cast<double>(size), time, "GB/s", 1e9, check);
});

const rows::add row_sums("sub-group sums of rows f32 2^19 x 512", [] {
  const std::size_t count = problems::row_count(), size = count * problems::ROW_LENGTH;
  const bench::array<float> in(size), out(count);
  float *values = in.data(), *sums = out.data();
  bench::queue().parallel_for(sycl::range<1>(size),
                              [=](sycl::id<1> i) { values[i] = problems::row_input(i); });
  const std::size_t lanes =
      bench::queue().get_device().get_info<sycl::info::device::sub_group_sizes>().back();
  const double time = bench::time_of([&] {
    bench::queue().parallel_for(sycl::nd_range<1>(count * lanes, BLOCK),
                                [=](sycl::nd_item<1> item) [[intel::kernel_args_restrict]] {
                                  const sycl::sub_group sub = item.get_sub_group();
                                  const std::size_t row = item.get_group(0) * sub.get_group_linear_range() +
                                                          sub.get_group_linear_id();
                                  float sum = 0;
                                  for (std::size_t i = sub.get_local_linear_id(); i < problems::ROW_LENGTH;
                                       i += sub.get_local_linear_range())
                                    sum += values[row * problems::ROW_LENGTH + i];
                                  sum = sycl::reduce_over_group(sub, sum, sycl::plus<float>());
                                  if (sub.leader())
                                    sums[row] = sum;
                                });
  });
  std::string check = "ok";
  for (int which = 0; which < problems::PROBES && check == "ok"; ++which) {
    const std::size_t row = problems::probe(which, count);
    check = rows::compare("a sum", static_cast<double>(out.at(row)), problems::row_expected(row), 1e-6);
  }
  return rows::rate(4.0 * static_cast<double>(size), time, "GB/s", 1e9, check);
});

} // namespace
