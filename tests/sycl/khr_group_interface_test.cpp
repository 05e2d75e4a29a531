// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_khr_group_interface and sycl_khr_work_item_queries: what the new classes say beside what the old ones
// say.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

using namespace sycl;

static_assert(SYCL_KHR_GROUP_INTERFACE == 1 && SYCL_KHR_WORK_ITEM_QUERIES == 1);

template <class Group, class Id, class LinearId, class Range, class Size, memory_scope Scope>
constexpr bool has_members() {
  return std::is_same_v<typename Group::id_type, Id> &&
         std::is_same_v<typename Group::linear_id_type, LinearId> &&
         std::is_same_v<typename Group::range_type, Range> &&
         std::is_same_v<typename Group::size_type, Size> && Group::fence_scope == Scope &&
         !std::is_default_constructible_v<Group> && std::is_trivially_copyable_v<Group>;
}
static_assert(
    has_members<khr::work_group<2>, id<2>, std::size_t, range<2>, std::size_t, memory_scope::work_group>());
static_assert(
    has_members<khr::sub_group, id<1>, std::uint32_t, range<1>, std::uint32_t, memory_scope::sub_group>());
static_assert(has_members<khr::member_item<khr::work_group<3>>, id<3>, std::size_t, range<3>, std::size_t,
                          memory_scope::work_item>());
static_assert(has_members<khr::member_item<khr::sub_group>, id<1>, std::uint32_t, range<1>, std::uint32_t,
                          memory_scope::work_item>());
static_assert(std::is_convertible_v<group<2>, khr::work_group<2>> &&
              std::is_convertible_v<khr::work_group<2>, group<2>>);
static_assert(std::is_convertible_v<sycl::sub_group, khr::sub_group> &&
              std::is_convertible_v<khr::sub_group, sycl::sub_group>);

template <class T, class = void>
constexpr bool has_member_items = false;
template <class T>
constexpr bool has_member_items<T, std::void_t<decltype(khr::get_member_item(std::declval<const T&>()))>> =
    true;
static_assert(has_member_items<khr::work_group<1>> && has_member_items<khr::sub_group>);
static_assert(!has_member_items<group<1>> && !has_member_items<khr::member_item<khr::sub_group>>);

/// Bit i of the result is set if statement i does not hold.
template <int Dimensions>
std::uint64_t violations(const nd_item<Dimensions>& item) {
  std::uint64_t wrong = 0;
  int number = 0;
  const auto holds = [&](bool statement) { wrong |= std::uint64_t{!statement} << number++; };

  const group<Dimensions> old_group = item.get_group();
  const khr::work_group<Dimensions> whole = old_group;
  holds(whole.id() == old_group.get_group_id());
  holds(whole.linear_id() == old_group.get_group_linear_id());
  holds(whole.range() == old_group.get_group_range());
  holds(whole.size() == old_group.get_local_linear_range());
  holds(khr::leader_of(whole) == old_group.leader());
  holds(group<Dimensions>(whole) == old_group);

  const sycl::sub_group old_sub = item.get_sub_group();
  const khr::sub_group sub = old_sub;
  holds(sub.id() == old_sub.get_group_id());
  holds(sub.linear_id() == old_sub.get_group_linear_id());
  holds(sub.range() == old_sub.get_group_range());
  holds(sub.size() == old_sub.get_local_linear_range());
  holds(sub.max_size() == old_sub.get_max_local_range()[0]);
  holds(khr::leader_of(sub) == old_sub.leader());

  const khr::member_item in_group = get_member_item(whole);
  holds(in_group.id() == old_group.get_local_id());
  holds(in_group.linear_id() == old_group.get_local_linear_id());
  holds(in_group.range() == old_group.get_local_range());
  holds(in_group.size() == 1 && khr::leader_of(in_group));
  holds(in_group == khr::get_member_item(whole) && !(in_group != khr::get_member_item(whole)));

  const khr::member_item in_sub = get_member_item(sub);
  holds(in_sub.id() == old_sub.get_local_id());
  holds(in_sub.linear_id() == old_sub.get_local_linear_id());
  holds(in_sub.range() == old_sub.get_local_range());
  holds(in_sub.size() == 1 && khr::leader_of(in_sub));

  holds(khr::this_nd_item<Dimensions>() == item);
  holds(khr::this_group<Dimensions>() == old_group);
  holds(khr::this_sub_group() == old_sub);

#ifdef __cpp_lib_mdspan
  bool same_extents =
      whole.rank() == Dimensions && whole.rank_dynamic() == Dimensions && in_group.rank_dynamic() == 0;
  for (int d = 0; d < Dimensions; ++d)
    same_extents = same_extents && whole.extent(d) == old_group.get_local_range(d) && in_group.extent(d) == 1;
  holds(same_extents);
  holds(sub.extents().extent(0) == sub.size());
#endif
  return wrong;
}

template <int Dimensions>
void expect_agreement(const nd_range<Dimensions>& space) {
  std::vector<std::uint64_t> wrong(space.get_global_range().size(), ~std::uint64_t{0});
  {
    queue q;
    buffer<std::uint64_t> results(wrong);
    q.submit([&](handler& cgh) {
      accessor out(results, cgh, write_only, no_init);
      cgh.parallel_for(
          space, [=](nd_item<Dimensions> item) { out[item.get_global_linear_id()] = violations(item); });
    });
  }
  EXPECT_EQ(wrong, std::vector<std::uint64_t>(wrong.size(), 0));
}

TEST(group_interface, agrees_with_the_old_one) {
  expect_agreement(nd_range<1>(100, 10));
  expect_agreement(nd_range<2>({10, 12}, {2, 3}));
  expect_agreement(nd_range<3>({3, 10, 12}, {1, 2, 3}));
}

/// The document's example, smaller.
TEST(group_interface, distributes_loops) {
  constexpr std::size_t N = 24, M = 50;
  queue q;
  std::vector<int> in(N * M), out(N);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i % 97);
  {
    buffer<int> source(in), sums(out);
    q.submit([&](handler& cgh) {
      accessor from(source, cgh, read_only);
      accessor to(sums, cgh, write_only, no_init);
      cgh.parallel_for(nd_range<1>{64, 32}, [=](nd_item<1> ndit) {
        khr::work_group<1> g = ndit.get_group();
        khr::member_item it = get_member_item(g);
        for (std::size_t i = g.linear_id(); i < N; i += g.range().size()) {
          int sum = 0;
          for (std::size_t j = it.linear_id(); j < M; j += it.range().size())
            sum += from[i * M + j];
          sum = reduce_over_group(group<1>(g), sum, plus<>());
          if (khr::leader_of(g))
            to[i] = sum;
        }
      });
    });
  }
  for (std::size_t i = 0; i < N; ++i) {
    int sum = 0;
    for (std::size_t j = 0; j < M; ++j)
      sum += in[i * M + j];
    EXPECT_EQ(out[i], sum) << i;
  }
}

} // namespace
