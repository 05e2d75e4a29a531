// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL extensions sycl_ext_oneapi_non_uniform_groups, sycl_ext_oneapi_tangle and
// sycl_ext_oneapi_sub_group_mask: group functions of parts of sub-groups, in converged and in divergent
// control flow.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <map>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace oneapi = sycl::ext::oneapi::experimental;

static_assert(SYCL_EXT_ONEAPI_NON_UNIFORM_GROUPS == 1 && SYCL_EXT_ONEAPI_TANGLE == 1);
static_assert(SYCL_EXT_ONEAPI_SUB_GROUP_MASK == 2);
static_assert(sycl::is_group_v<oneapi::ballot_group<sycl::sub_group>> &&
              sycl::is_group_v<oneapi::chunk<4, sycl::sub_group>> &&
              oneapi::is_user_constructed_group_v<oneapi::opportunistic_group> &&
              oneapi::is_fixed_topology_group_v<sycl::group<2>> &&
              !oneapi::is_fixed_topology_group_v<oneapi::tangle_group<sycl::sub_group>>);

/// Composition of affine maps is associative, but not commutative.
struct affine {
  unsigned a, b;
  friend bool operator==(const affine& f, const affine& g) { return f.a == g.a && f.b == g.b; }
};
struct compose {
  affine operator()(const affine& f, const affine& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

unsigned value_of(unsigned self) {
  return self * 7 % 11 + 1;
}

/// What a work-item finds out in its group.
struct outcome {
  unsigned sub_group, lane; // where it is
  unsigned group, rank, size;
  unsigned sum, most, odd_bits, exclusive, from_second, left, right, exchanged, joint_sum, joint_last;
  unsigned any, all;
  float float_sum;
  double least;
  affine composed, scanned;
};

constexpr unsigned elements = 21;

/// Machine code of all takes a while.
enum class functions { some, all };

/// \p in holds the numbers from 0, \p out as many for each work-item.
template <functions Functions = functions::some, class Group>
outcome measure(sycl::nd_item<1> item, Group g, const unsigned* in, unsigned* out) {
  const auto sub_group = item.get_sub_group();
  const unsigned lane = sub_group.get_local_linear_id();
  const unsigned x = value_of(lane);
  outcome result{};
  result.sub_group = sub_group.get_group_linear_id();
  result.lane = lane;
  result.group = g.get_group_linear_id();
  result.rank = g.get_local_linear_id();
  result.size = g.get_local_linear_range();
  result.sum = sycl::reduce_over_group(g, x, sycl::plus<>());
  result.float_sum = sycl::reduce_over_group(g, static_cast<float>(x), sycl::plus<>());
  result.from_second = sycl::group_broadcast(g, x, result.size > 1 ? 1 : 0);
  result.left = sycl::shift_group_left(g, x, 2);
  result.any = sycl::any_of_group(g, x == 5);
  result.joint_sum = sycl::joint_reduce(g, in, in + elements, sycl::plus<>());
  if constexpr (Functions == functions::all) {
    result.most = sycl::reduce_over_group(g, x, sycl::maximum<>());
    result.odd_bits = sycl::reduce_over_group(g, x, sycl::bit_xor<>());
    result.least = sycl::reduce_over_group(g, static_cast<double>(x), sycl::minimum<>());
    result.exclusive = sycl::exclusive_scan_over_group(g, x, sycl::plus<>());
    result.composed = sycl::reduce_over_group(g, affine{x, lane}, compose());
    result.scanned = sycl::inclusive_scan_over_group(g, affine{x, lane}, compose());
    result.right = sycl::shift_group_right(g, x);
    result.exchanged = sycl::permute_group_by_xor(g, x, 1);
    result.all = sycl::all_of_group(g, x < 9);
    unsigned* own = out + (result.sub_group * 64 + result.group) * elements;
    sycl::group_barrier(g);
    sycl::joint_inclusive_scan(g, in, in + elements, own, sycl::plus<>());
    result.joint_last = own[elements - 1] + own[1];
  }
  return result;
}

/// Who says which part it belongs to: a number for each lane.
using split = unsigned (*)(unsigned);
constexpr split splits[] = {[](unsigned lane) { return lane % 3 == 0 ? 1u : 0u; },
                            [](unsigned lane) { return lane < 5 ? 1u : 0u; }};

/// \p kernel gives the outcome of each work-item, in groups of \p local.
template <class Kernel>
std::vector<outcome> run(std::size_t local, Kernel kernel) {
  sycl::queue queue;
  outcome* out = sycl::malloc_shared<outcome>(2 * local, queue);
  unsigned* in = sycl::malloc_shared<unsigned>(elements, queue);
  unsigned* scratch = sycl::malloc_shared<unsigned>(2 * local * 64 * elements, queue);
  for (unsigned i = 0; i < elements; ++i)
    in[i] = i;
  queue
      .parallel_for(sycl::nd_range<1>(2 * local, local),
                    [=](sycl::nd_item<1> item) {
                      out[item.get_global_linear_id()] =
                          kernel(item, in, scratch + item.get_group_linear_id() * local * 64 * elements);
                    })
      .wait();
  std::vector<outcome> result(out, out + 2 * local);
  sycl::free(scratch, queue);
  sycl::free(in, queue);
  sycl::free(out, queue);
  return result;
}

/// Compares with what each part, whose number \p part_of gives, should find.
template <functions Functions = functions::some, class PartOf>
void expect_right(const std::vector<outcome>& outcomes, std::size_t local, PartOf part_of,
                  bool checks_group = true) {
  using key = std::pair<std::size_t, std::pair<unsigned, unsigned>>;
  std::map<key, std::vector<const outcome*>> parts;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    parts[{i / local, {outcomes[i].sub_group, part_of(outcomes[i].lane)}}].push_back(&outcomes[i]);
  for (const auto& part : parts) {
    const std::vector<const outcome*>& members = part.second;
    const unsigned size = static_cast<unsigned>(members.size());
    unsigned sum = 0, most = 0, odd_bits = 0;
    bool any = false, all = true;
    double least = 1e9;
    affine composed{1, 0};
    for (const outcome* member : members) {
      const unsigned x = value_of(member->lane);
      sum += x;
      most = std::max(most, x);
      least = std::min<double>(least, x);
      odd_bits ^= x;
      any |= x == 5;
      all &= x < 9;
      composed = compose()(composed, {x, member->lane});
    }
    unsigned before = 0;
    affine scanned{1, 0};
    const auto value = [&](std::size_t rank) { return value_of(members[rank]->lane); };
    for (unsigned rank = 0; rank < size; ++rank) {
      const outcome& mine = *members[rank];
      scanned = compose()(scanned, {value(rank), mine.lane});
      if (checks_group) {
        EXPECT_EQ(mine.group, part.first.second.second);
      }
      EXPECT_EQ(mine.rank, rank);
      EXPECT_EQ(mine.size, size);
      EXPECT_EQ(mine.sum, sum) << "lane " << mine.lane;
      EXPECT_EQ(mine.float_sum, static_cast<float>(sum));
      EXPECT_EQ(mine.from_second, value(size > 1 ? 1 : 0));
      if (rank + 2 < size) {
        EXPECT_EQ(mine.left, value(rank + 2));
      }
      EXPECT_EQ(mine.any, any);
      EXPECT_EQ(mine.joint_sum, elements * (elements - 1) / 2);
      if constexpr (Functions == functions::all) {
        EXPECT_EQ(mine.most, most);
        EXPECT_EQ(mine.odd_bits, odd_bits);
        EXPECT_EQ(mine.least, least);
        EXPECT_EQ(mine.exclusive, before);
        EXPECT_EQ(mine.composed, composed);
        EXPECT_EQ(mine.scanned, scanned);
        if (rank > 0) {
          EXPECT_EQ(mine.right, value(rank - 1));
        }
        if ((rank ^ 1u) < size) {
          EXPECT_EQ(mine.exchanged, value(rank ^ 1u));
        }
        EXPECT_EQ(mine.all, all);
        EXPECT_EQ(mine.joint_last, elements * (elements - 1) / 2 + 1);
      }
      before += value(rank);
    }
  }
}

constexpr std::size_t local = 37;

template <unsigned Split>
void test_ballots() {
  // Both parts at the same place.
  constexpr functions here = Split == 0 ? functions::all : functions::some;
  expect_right<here>(run(local,
                         [](sycl::nd_item<1> item, const unsigned* in, unsigned* out) {
                           const auto sub_group = item.get_sub_group();
                           const bool which = splits[Split](sub_group.get_local_linear_id()) != 0;
                           return measure<here>(item, oneapi::get_ballot_group(sub_group, which), in, out);
                         }),
                     local, splits[Split]);
  // Each on its own way.
  constexpr functions there = Split == 1 ? functions::all : functions::some;
  expect_right<there>(run(local,
                          [](sycl::nd_item<1> item, const unsigned* in, unsigned* out) {
                            const auto sub_group = item.get_sub_group();
                            const bool which = splits[Split](sub_group.get_local_linear_id()) != 0;
                            const auto fragment = oneapi::binary_partition(sub_group, which);
                            outcome result;
                            if (which) {
                              result = measure<there>(item, fragment, in, out);
                            } else {
                              result = measure<there>(item, fragment, in, out);
                              result.lane += 0;
                            }
                            return result;
                          }),
                      local, splits[Split]);
}

TEST(non_uniform_groups, ballots_of_scattered_work_items) {
  test_ballots<0>();
}
TEST(non_uniform_groups, ballots_of_neighbours) {
  test_ballots<1>();
}

TEST(non_uniform_groups, fragments_of_fragments) {
  expect_right(run(local,
                   [](sycl::nd_item<1> item, const unsigned* in, unsigned* out) {
                     const auto sub_group = item.get_sub_group();
                     const unsigned lane = sub_group.get_local_linear_id();
                     const auto outer = oneapi::binary_partition(sub_group, lane % 2 == 1);
                     outcome result{};
                     if (lane % 2 == 1) {
                       result = measure(item, oneapi::binary_partition(outer, lane % 4 == 1), in, out);
                       result.group += 2;
                     } else {
                       result = measure(item, outer, in, out);
                     }
                     return result;
                   }),
               local, [](unsigned lane) { return lane % 2 == 1 ? 2u + (lane % 4 == 1) : 0u; });
}

TEST(non_uniform_groups, tangles) {
  if (!sycl::queue().get_device().has(sycl::aspect::ext_oneapi_tangle))
    GTEST_SKIP() << "the device has no tangles";
  expect_right(run(local,
                   [](sycl::nd_item<1> item, const unsigned* in, unsigned* out) {
                     const auto sub_group = item.get_sub_group();
                     if (sub_group.get_local_linear_id() % 3 == 0)
                       return measure(item, oneapi::get_tangle_group(sub_group), in, out + elements);
                     return measure(item, oneapi::entangle(sub_group), in, out);
                   }),
               local, splits[0], false);
}

/// Who meets whom is the device's choice, but for those that do it must be true.
TEST(non_uniform_groups, opportunistic_groups) {
  sycl::queue queue;
  constexpr unsigned count = 300;
  unsigned* taken = sycl::malloc_shared<unsigned>(count, queue);
  unsigned* next = sycl::malloc_shared<unsigned>(1, queue);
  *next = 0;
  queue
      .parallel_for(
          sycl::nd_range<1>(count, 100),
          [=](sycl::nd_item<1> item) {
            const unsigned self = static_cast<unsigned>(item.get_global_linear_id());
            taken[self] = ~0u;
            if (self % 3 == 0) {
              const auto here = oneapi::this_kernel::get_opportunistic_group();
              unsigned first = 0;
              if (here.leader())
                first =
                    sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>(*next)
                        .fetch_add(static_cast<unsigned>(here.get_local_linear_range()));
              taken[self] = sycl::group_broadcast(here, first) + here.get_local_linear_id();
            }
          })
      .wait();
  std::vector<int> seen(count / 3, 0);
  for (unsigned i = 0; i < count; ++i)
    if (i % 3 == 0) {
      ASSERT_LT(taken[i], count / 3);
      ++seen[taken[i]];
    } else {
      EXPECT_EQ(taken[i], ~0u);
    }
  EXPECT_EQ(*next, count / 3);
  for (const int times : seen)
    EXPECT_EQ(times, 1);
  sycl::free(next, queue);
  sycl::free(taken, queue);
}

template <unsigned Size>
void test_chunks() {
  const auto lane_counts = sycl::queue().get_device().get_info<sycl::info::device::sub_group_sizes>();
  constexpr std::size_t whole = 64;
  unsigned width = 0;
  for (const outcome& one : run(whole, [](sycl::nd_item<1> item, const unsigned*, unsigned*) {
         outcome result{};
         result.size = static_cast<unsigned>(item.get_sub_group().get_max_local_range()[0]);
         return result;
       }))
    width = one.size;
  if (width < Size)
    return;
  expect_right<functions::all>(
      run(whole,
          [](sycl::nd_item<1> item, const unsigned* in, unsigned* out) {
            const auto sub_group = item.get_sub_group();
            const auto chunk = oneapi::chunked_partition<Size>(sub_group);
            outcome result = measure<functions::all>(item, chunk, in, out);
            const sycl::ext::oneapi::experimental::fragment<sycl::sub_group> same = chunk;
            if (same.get_local_linear_id() != chunk.get_local_linear_id() ||
                same.get_group_linear_range() != sub_group.get_local_linear_range() / Size)
              result.size = 0;
            return result;
          }),
      whole, [](unsigned lane) { return lane / Size; });
}
TEST(non_uniform_groups, chunks) {
  test_chunks<1>();
  test_chunks<2>();
  test_chunks<4>();
  test_chunks<16>();
}

TEST(sub_group_mask, ballot_and_bits) {
  const auto outcomes = run(64, [](sycl::nd_item<1> item, const unsigned*, unsigned*) {
    const auto sub_group = item.get_sub_group();
    const unsigned lane = sub_group.get_local_linear_id(), size = sub_group.get_max_local_range()[0];
    outcome result{};
    sycl::ext::oneapi::sub_group_mask even = sycl::ext::oneapi::group_ballot(sub_group, lane % 2 == 0);
    result.rank = even.count() == (size + 1) / 2 && even.size() == size && even.find_low() == 0 &&
                  even[lane] == (lane % 2 == 0);
    auto odd = ~even;
    const unsigned last = static_cast<unsigned>(odd.find_high()[0]);
    result.group = size == 1 ? last == 1 && odd.none() : last == size - 1 && odd.any() && !odd.all();
    unsigned bits = 0;
    even.extract_bits(bits);
    result.sum = bits;
    sycl::ext::oneapi::sub_group_mask made(0b1011ull);
    made <<= 1;
    made.reset_low();
    made[0] = true;
    sycl::marray<unsigned char, 8> bytes;
    (made | made).extract_bits(bytes);
    result.most = bytes[0] + bytes[1];
    result.size = size;
    return result;
  });
  for (const outcome& one : outcomes) {
    EXPECT_EQ(one.rank, 1u);
    EXPECT_EQ(one.group, 1u);
    const unsigned all = one.size >= 32 ? ~0u : (1u << one.size) - 1;
    EXPECT_EQ(one.sum, 0x55555555u & all);
    // 0b10110 without its lowest bit, but with bit 0.
    EXPECT_EQ(one.most, one.size == 1 ? 1u : (0b10110u & all & (all - 2)) == 0 ? 1u : (0b10100u & all) | 1u);
  }
}

} // namespace
