// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group algorithms on sub-groups of every size, on any machine: this file defines the builtins of device code
// for the host. Each work-item is a thread, and what a sub-group does together goes through memory.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

/// Threads wait until all have come. std::barrier is C++20.
class meeting {
public:
  explicit meeting(std::size_t count) : count_(count) {}
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    const std::size_t turn = turn_;
    if (++here_ == count_) {
      here_ = 0;
      ++turn_;
      all_.notify_all();
      return;
    }
    all_.wait(lock, [&] { return turn_ != turn; });
  }

private:
  std::mutex mutex_;
  std::condition_variable all_;
  const std::size_t count_;
  std::size_t here_ = 0, turn_ = 0;
};

struct emulated_sub_group {
  explicit emulated_sub_group(std::uint32_t size) : meets(size), slots(size), size(size) {}
  meeting meets;
  std::vector<std::uint64_t> slots;
  std::uint32_t size;
};

struct emulated_group {
  emulated_group(std::uint32_t local, std::uint32_t width)
      : meets(local), local(local), width(width), scratch(std::size_t{local} * 64 / 8 + 8) {
    for (std::uint32_t first = 0; first < local; first += width)
      sub_groups.push_back(std::make_unique<emulated_sub_group>(std::min(width, local - first)));
  }
  meeting meets;
  std::uint32_t local, width;
  std::vector<std::unique_ptr<emulated_sub_group>> sub_groups;
  std::vector<std::uint64_t> scratch;
};

thread_local emulated_group* current_group = nullptr;
thread_local std::size_t current_group_id = 0, current_group_range = 1;
thread_local std::uint32_t current_id = 0;

std::uint32_t lane() {
  return current_id % current_group->width;
}
emulated_sub_group& sub_group() {
  return *current_group->sub_groups[current_id / current_group->width];
}

constexpr std::uint64_t GARBAGE = 0xabadcafeabadcafe;

/// What \p source passed; garbage if there is no such work-item.
std::uint64_t exchange(std::uint64_t value, std::uint32_t source) {
  emulated_sub_group& here = sub_group();
  here.slots[lane()] = value;
  here.meets.wait();
  const std::uint64_t result = source < here.size ? here.slots[source] : GARBAGE;
  here.meets.wait();
  return result;
}

template <class T, class Operation>
T combine(T value, Operation operation) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  emulated_sub_group& here = sub_group();
  here.slots[lane()] = word;
  here.meets.wait();
  T result = value;
  for (std::uint32_t i = 0; i < here.size; ++i) {
    T other;
    std::memcpy(&other, &here.slots[i], sizeof(T));
    result = i == 0 ? other : static_cast<T>(operation(result, other));
  }
  here.meets.wait();
  return result;
}

/// Runs \p work_item in groups of several sizes, on sub-groups of several sizes; partial ones are among them.
void for_all_shapes(const std::function<void(sycl::group<1>, std::uint32_t local)>& work_item) {
  for (const std::uint32_t width : {4u, 32u, 64u})
    for (const std::uint32_t local :
         {1u, width, width + 1, 3 * width - 1, width < 16 ? 11 * width : 2 * width}) {
      SCOPED_TRACE("sub-groups of " + std::to_string(width) + ", group of " + std::to_string(local));
      emulated_group group(local, width);
      std::vector<std::thread> threads;
      for (std::uint32_t i = 0; i < local; ++i)
        threads.emplace_back([&, i] {
          current_group = &group;
          current_id = i;
          work_item(sycl::khr::this_group<1>(), local);
        });
      for (std::thread& thread : threads)
        thread.join();
    }
}

/// Sums of 0 to n - 1.
constexpr long triangle(long n) {
  return n * (n - 1) / 2;
}

} // namespace

extern "C" {

std::size_t __falx_local_id_x() {
  return current_id;
}
std::size_t __falx_local_range_x() {
  return current_group->local;
}
std::size_t __falx_group_id_x() {
  return current_group_id;
}
std::size_t __falx_group_range_x() {
  return current_group_range;
}
std::size_t __falx_global_id_x() {
  return current_group_id * current_group->local + current_id;
}
std::size_t __falx_global_range_x() {
  return current_group_range * current_group->local;
}
std::size_t __falx_global_offset_x() {
  return 0;
}
void __falx_work_group_barrier() {
  current_group->meets.wait();
}
void __falx_sub_group_barrier() {
  sub_group().meets.wait();
}
std::uint32_t __falx_sub_group_local_id() {
  return lane();
}
std::uint32_t __falx_sub_group_size() {
  return sub_group().size;
}
std::uint32_t __falx_sub_group_max_size() {
  return current_group->width;
}
std::uint32_t __falx_sub_group_id() {
  return current_id / current_group->width;
}
std::uint32_t __falx_sub_group_count() {
  return static_cast<std::uint32_t>(current_group->sub_groups.size());
}
bool __falx_sub_groups_in_order() {
  return false;
}
bool __falx_work_group_votes() {
  return false;
}
void* __falx_group_scratch(std::size_t) {
  return current_group->scratch.data();
}

#define FALX_EMULATE_SHUFFLE(type, suffix)                                                                   \
  type __falx_sub_group_shuffle_##suffix(type value, std::uint32_t source) {                                 \
    return static_cast<type>(exchange(value, source));                                                       \
  }                                                                                                          \
  type __falx_sub_group_shuffle_up_##suffix(type value, std::uint32_t distance) {                            \
    return static_cast<type>(exchange(value, lane() - distance));                                            \
  }                                                                                                          \
  type __falx_sub_group_shuffle_down_##suffix(type value, std::uint32_t distance) {                          \
    return static_cast<type>(exchange(value, lane() + distance));                                            \
  }                                                                                                          \
  type __falx_sub_group_shuffle_xor_##suffix(type value, std::uint32_t mask) {                               \
    return static_cast<type>(exchange(value, lane() ^ mask));                                                \
  }
FALX_EMULATE_SHUFFLE(std::uint32_t, u32)
FALX_EMULATE_SHUFFLE(std::uint64_t, u64)

bool __falx_sub_group_any(bool predicate) {
  return combine(predicate, [](bool a, bool b) { return a || b; });
}
bool __falx_sub_group_all(bool predicate) {
  return combine(predicate, [](bool a, bool b) { return a && b; });
}

#define FALX_EMULATE_REDUCE(operation, suffix, type, expression)                                             \
  type __falx_sub_group_reduce_##operation##_##suffix(type value) {                                          \
    return combine(value, [](type a, type b) { return expression; });                                        \
  }
#define FALX_EMULATE_NUMBERS(suffix, type)                                                                   \
  FALX_EMULATE_REDUCE(min, suffix, type, b < a ? b : a)                                                      \
  FALX_EMULATE_REDUCE(max, suffix, type, a < b ? b : a)
#define FALX_EMULATE_BITS(suffix, type)                                                                      \
  FALX_EMULATE_REDUCE(add, suffix, type, a + b)                                                              \
  FALX_EMULATE_REDUCE(and, suffix, type, a& b)                                                               \
  FALX_EMULATE_REDUCE(or, suffix, type, a | b)                                                               \
  FALX_EMULATE_REDUCE(xor, suffix, type, a ^ b)
FALX_EMULATE_NUMBERS(u32, std::uint32_t)
FALX_EMULATE_NUMBERS(u64, std::uint64_t)
FALX_EMULATE_NUMBERS(s32, std::int32_t)
FALX_EMULATE_NUMBERS(s64, std::int64_t)
FALX_EMULATE_NUMBERS(f32, float)
FALX_EMULATE_NUMBERS(f64, double)
FALX_EMULATE_BITS(u32, std::uint32_t)
FALX_EMULATE_BITS(u64, std::uint64_t)
FALX_EMULATE_REDUCE(add, f32, float, a + b)
FALX_EMULATE_REDUCE(add, f64, double, a + b)
}

namespace {

/// Every work-item gets what \p expected says, twice in a row: the second must not disturb the first.
template <class T, class Operation, class Value>
void check_reduce(Operation operation, Value value_of, const char* what) {
  for_all_shapes([&](sycl::group<1> group, std::uint32_t local) {
    const auto expected_of = [&](std::uint32_t first, std::uint32_t end) {
      T result = value_of(first);
      for (std::uint32_t i = first + 1; i < end; ++i)
        result = static_cast<T>(operation(result, value_of(i)));
      return result;
    };
    const T mine = value_of(current_id);
    for (int round = 0; round < 2; ++round)
      EXPECT_EQ(sycl::reduce_over_group(group, mine, operation), expected_of(0, local)) << what;
    const std::uint32_t first = current_id - lane();
    EXPECT_EQ(sycl::reduce_over_group(sycl::khr::this_sub_group(), mine, operation),
              expected_of(first, first + sub_group().size))
        << what;
  });
}

TEST(wide_sub_groups, reduce_numbers) {
  check_reduce<int>(sycl::plus<>(), [](std::uint32_t i) { return static_cast<int>(i) - 20; }, "int");
  check_reduce<signed char>(
      sycl::plus<signed char>(), [](std::uint32_t i) { return static_cast<signed char>(i * 37); }, "char");
  check_reduce<unsigned short>(
      sycl::maximum<>(), [](std::uint32_t i) { return static_cast<unsigned short>(i * 40503u); }, "short");
  check_reduce<long>(
      sycl::minimum<long>(), [](std::uint32_t i) { return static_cast<long>(i) * -10000000000; }, "long");
  check_reduce<double>(sycl::plus<double>(), [](std::uint32_t i) { return i * 0.5; }, "double");
  check_reduce<float>(
      sycl::minimum<>(), [](std::uint32_t i) { return 7.0f - static_cast<float>(i); }, "float");
  check_reduce<sycl::half>(
      sycl::maximum<sycl::half>(), [](std::uint32_t i) { return sycl::half(i % 13); }, "half maximum");
  check_reduce<sycl::half>(
      sycl::plus<sycl::half>(), [](std::uint32_t i) { return sycl::half(i % 3); }, "half sum");
  check_reduce<unsigned>(sycl::multiplies<>(), [](std::uint32_t i) { return 2 * i + 1; }, "product");
}

TEST(wide_sub_groups, reduce_bits_and_truth) {
  check_reduce<unsigned long>(sycl::bit_or<>(), [](std::uint32_t i) { return 1ul << (i % 64); }, "bit_or");
  check_reduce<int>(sycl::bit_and<int>(), [](std::uint32_t i) { return ~(1 << (i % 5)); }, "bit_and");
  check_reduce<unsigned char>(
      sycl::bit_xor<>(), [](std::uint32_t i) { return static_cast<unsigned char>(i * 7); }, "bit_xor");
  check_reduce<bool>(sycl::logical_and<bool>(), [](std::uint32_t i) { return i != 5; }, "logical_and");
  check_reduce<bool>(sycl::logical_or<>(), [](std::uint32_t i) { return i == 5; }, "logical_or");
  check_reduce<bool>(sycl::bit_xor<>(), [](std::uint32_t i) { return i % 3 == 0; }, "bit_xor of bool");
}

/// Composition is associative, but not commutative; the type is larger than one word.
struct affine_map {
  std::uint32_t a, b, unused;
  friend bool operator==(const affine_map& x, const affine_map& y) { return x.a == y.a && x.b == y.b; }
};
affine_map compose(const affine_map& f, const affine_map& g) {
  return {f.a * g.a, f.b * g.a + g.b, 0};
}
affine_map map_of(std::uint32_t i) {
  return {2 * i + 1, i, 0};
}

TEST(wide_sub_groups, reductions_and_scans_of_other_types_keep_order) {
  check_reduce<affine_map>(compose, map_of, "composition");
  for_all_shapes([&](sycl::group<1> group, std::uint32_t) {
    affine_map expected = map_of(0);
    for (std::uint32_t i = 1; i <= current_id; ++i)
      expected = compose(expected, map_of(i));
    EXPECT_TRUE(sycl::inclusive_scan_over_group(group, map_of(current_id), compose) == expected);
  });
}

TEST(wide_sub_groups, scans) {
  for_all_shapes([&](sycl::group<1> group, std::uint32_t) {
    const long self = current_id;
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(sycl::inclusive_scan_over_group(group, self, sycl::plus<>()), triangle(self + 1));
      EXPECT_EQ(sycl::exclusive_scan_over_group(group, self, sycl::plus<>()), triangle(self));
      EXPECT_EQ(sycl::exclusive_scan_over_group(group, self, 10l, sycl::plus<>()), 10 + triangle(self));
    }
    const long first = self - lane();
    EXPECT_EQ(sycl::exclusive_scan_over_group(sycl::khr::this_sub_group(), self, sycl::plus<>()),
              triangle(self) - triangle(first));
  });
}

TEST(wide_sub_groups, joint_algorithms) {
  for (const std::uint32_t count : {1u, 5u, 64u, 333u}) {
    std::vector<long> in(count), inclusive(count), exclusive(count);
    for (std::uint32_t i = 0; i < count; ++i)
      in[i] = i;
    for_all_shapes([&](sycl::group<1> group, std::uint32_t local) {
      const long* const first = in.data();
      const long* const last = first + count;
      EXPECT_EQ(sycl::joint_reduce(group, first, last, sycl::plus<>()), triangle(count));
      EXPECT_EQ(sycl::joint_inclusive_scan(group, first, last, inclusive.data(), sycl::plus<>()),
                inclusive.data() + count);
      sycl::joint_exclusive_scan(group, first, last, exclusive.data(), 100l, sycl::plus<>());
      sycl::group_barrier(group);
      for (std::uint32_t i = current_id; i < count; i += local) {
        EXPECT_EQ(inclusive[i], triangle(i + 1));
        EXPECT_EQ(exclusive[i], 100 + triangle(i));
      }
      EXPECT_EQ(sycl::joint_any_of(group, first, last, [=](long x) { return x == count - 1; }), true);
      EXPECT_EQ(sycl::joint_all_of(group, first, last, [=](long x) { return x != count - 1; }), false);
      sycl::group_barrier(group);
    });
  }
}

TEST(wide_sub_groups, broadcasts_votes_and_permutations) {
  for_all_shapes([&](sycl::group<1> group, std::uint32_t local) {
    const std::uint32_t self = current_id;
    EXPECT_EQ(sycl::group_broadcast(group, self), 0u);
    EXPECT_EQ(sycl::group_broadcast(group, self, local - 1), local - 1);
    EXPECT_EQ(sycl::select_from_group(group, self, sycl::id<1>((self + 3) % local)), (self + 3) % local);
    const std::uint32_t left = sycl::shift_group_left(group, self, 2);
    EXPECT_TRUE(self + 2 >= local || left == self + 2);
    const std::uint32_t right = sycl::shift_group_right(group, self);
    EXPECT_TRUE(self < 1 || right == self - 1);
    EXPECT_EQ(sycl::any_of_group(group, self == local - 1), true);
    EXPECT_EQ(sycl::all_of_group(group, self != local - 1), false);
    EXPECT_EQ(sycl::none_of_group(group, self >= local), true);

    const sycl::sub_group sub = sycl::khr::this_sub_group();
    const std::uint32_t size = sub_group().size, first = self - lane();
    const affine_map other = sycl::permute_group_by_xor(sub, map_of(self), 1);
    EXPECT_TRUE((lane() ^ 1) >= size || other == map_of(first + (lane() ^ 1)));
    EXPECT_EQ(sycl::group_broadcast(sub, self, size - 1), first + size - 1);
    const std::uint32_t next = sycl::shift_group_left(sub, self);
    EXPECT_TRUE(lane() + 1 >= size || next == self + 1);
    EXPECT_EQ(sycl::all_of_group(sub, lane() + 1 < size), false);
  });
}

/// The last work-item of the group comes later than all others.
void come_late(std::chrono::microseconds by) {
  if (current_id + 1 == current_group->local)
    std::this_thread::sleep_for(by);
}

/// Calls \p call, whose result says whether it has seen \p count elements with the value that it is given,
/// right behind writes to these and right before writes to them, and reads in between what another work-item
/// has written. ThreadSanitizer watches.
template <class Group, class Call>
void check_order(Group group, int* in, const char* what, Call call, int turns) {
  const auto self = static_cast<int>(group.get_local_linear_id());
  const auto size = static_cast<int>(group.get_local_linear_range());
  const int count = 2 * size + 1;
  const auto fill = [&](int value) {
    for (int i = count - 1 - self; i >= 0; i -= size)
      in[i] = value;
  };
  for (int turn = 1; turn <= turns; ++turn) {
    come_late(std::chrono::microseconds(200));
    fill(turn);
    EXPECT_TRUE(call(group, in, count, turn)) << what;
    EXPECT_EQ(in[(self + 1) % size], turn) << what;
    EXPECT_TRUE(call(group, in, count, turn)) << what << " once more";
    fill(-1);
  }
  sycl::group_barrier(group);
}

template <class Call>
void check_order(const char* what, Call call, int turns = 2) {
  // Of sub-groups of four a group has up to eleven, of which one takes 18 elements to read and 18 to write.
  std::vector<int> shared(4 * 192 + 2 * 64), parts(4 * 192 + 2 * 64);
  for_all_shapes([&](sycl::group<1> group, std::uint32_t) {
    check_order(group, shared.data(), what, call, turns);
    const std::uint32_t index = __falx_sub_group_id();
    check_order(sycl::khr::this_sub_group(), parts.data() + index * (4 * current_group->width + 2), what,
                call, turns);
  });
}

TEST(wide_sub_groups, ranges_are_read_behind_writes_of_others_and_before_them) {
  check_order("joint_reduce", [](auto group, const int* in, int count, int value) {
    return sycl::joint_reduce(group, in, in + count, sycl::plus<int>()) == count * value;
  });
  check_order("joint_reduce of few", [](auto group, const int* in, int, int value) {
    return sycl::joint_reduce(group, in, in + 1, 5, sycl::plus<int>()) == 5 + value;
  });
  check_order("joint_any_of", [](auto group, const int* in, int count, int value) {
    return !sycl::joint_any_of(group, in, in + count, [=](int x) { return x != value; });
  });
  check_order("joint_all_of", [](auto group, const int* in, int count, int value) {
    return sycl::joint_all_of(group, in, in + count, [=](int x) { return x == value; });
  });
}

TEST(wide_sub_groups, scans_are_there_for_others) {
  // Who writes last has not done so when the others have.
  const auto slow_sum = [](int a, int b) {
    come_late(std::chrono::microseconds(10));
    return a + b;
  };
  check_order(
      "joint_inclusive_scan",
      [=](auto group, int* in, int count, int value) {
        int* const out = in + count;
        sycl::joint_inclusive_scan(group, in, in + count, out, slow_sum);
        const int other = count - 1 - static_cast<int>(group.get_local_linear_id());
        return out[other] == value * (other + 1);
      },
      1);
}

TEST(wide_sub_groups, functions_of_values_and_of_nothing_wait) {
  check_order("reduce_over_group", [](auto group, const int*, int, int) {
    return sycl::reduce_over_group(group, 2, sycl::plus<int>()) ==
           2 * static_cast<int>(group.get_local_linear_range());
  });
  check_order("exclusive_scan_over_group", [](auto group, const int*, int, int) {
    return sycl::exclusive_scan_over_group(group, 2, sycl::plus<int>()) ==
           2 * static_cast<int>(group.get_local_linear_id());
  });
  check_order("group_broadcast", [](auto group, const int*, int, int value) {
    return sycl::group_broadcast(group, value) == value;
  });
  check_order("shift_group_left", [](auto group, const int*, int, int value) {
    const int other = sycl::shift_group_left(group, value);
    return group.get_local_linear_id() + 1 == group.get_local_linear_range() || other == value;
  });
  check_order("any_of_group",
              [](auto group, const int*, int, int) { return !sycl::any_of_group(group, false); });
  check_order("joint_reduce of nothing", [](auto group, const int* in, int, int) {
    return sycl::joint_reduce(group, in, in, 7, sycl::plus<int>()) == 7;
  });
  check_order("joint_inclusive_scan of nothing", [](auto group, int* in, int, int) {
    return sycl::joint_inclusive_scan(group, in, in, in, sycl::plus<int>()) == in;
  });
}

/// Runs \p kernel as a GPU would run a reduction: \p groups groups of \p local work-items, one after another.
template <class Kernel>
void run_groups(const Kernel& kernel, std::size_t groups, std::uint32_t local) {
  for (std::size_t g = 0; g < groups; ++g) {
    emulated_group group(local, 32);
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < local; ++i)
      threads.emplace_back([&, i, g] {
        current_group = &group;
        current_id = i;
        current_group_id = g;
        current_group_range = groups;
        kernel();
      });
    for (std::thread& thread : threads)
      thread.join();
  }
}

/// Twice with the same scratch memory, as launches share it.
template <int D, class Operation, class T>
void check_reduction_kernel(sycl::range<D> extent, std::size_t groups, T expected, Operation operation,
                            std::size_t cluster = 0) {
  T result{};
  std::vector<int> visits(extent.size());
  const auto kernel = [&](sycl::item<D> item, auto& reducer) {
    ++visits[item.get_linear_id()];
    reducer.combine(static_cast<T>(item.get_linear_id() % 1000));
  };
  auto reduction = sycl::reduction(&result, operation);
  using descriptor = decltype(reduction);
  std::vector<typename descriptor::slot_type> partials(groups);
  std::vector<std::uint32_t> finished(1 + groups);
  reduction.partials = partials.data();
  using wrapped = sycl::detail::range_reduction_kernel<D, true, decltype(kernel), descriptor>;
  const auto shape =
      sycl::detail::reduction_groups::make(finished.data(), groups, cluster == 0 ? groups : cluster);
  const wrapped function{kernel, {{{reduction}}, shape}, extent};
  for (int launch = 1; launch <= 2; ++launch) {
    result = T(3);
    run_groups(function, groups, 64);
    EXPECT_EQ(result, operation(T(3), expected)) << extent.size() << " elements, " << groups << " groups";
    for (const std::uint32_t count : finished)
      EXPECT_EQ(count, 0u);
    for (const int count : visits)
      ASSERT_EQ(count, launch);
  }
}

TEST(wide_sub_groups, reduction_kernels_take_each_element_once) {
  const auto sum = [](std::size_t count) {
    long result = 0;
    for (std::size_t i = 0; i < count; ++i)
      result += static_cast<long>(i % 1000);
    return result;
  };
  for (const std::size_t count : {1u, 64u, 500u, 1300u, 2000u})
    for (const std::size_t groups : {1u, 2u, 3u}) {
      check_reduction_kernel(sycl::range<1>(count), groups, sum(count), sycl::plus<long>());
      // Without an identity, partial results may be empty.
      const auto either = [](long a, long b) { return a > b ? a : b; };
      check_reduction_kernel(sycl::range<1>(count), groups, static_cast<long>(count < 1000 ? count - 1 : 999),
                             either);
    }
  // Clusters of groups, the last of which may be smaller.
  check_reduction_kernel(sycl::range<1>(2000), 7, sum(2000), sycl::plus<>(), 3);
  check_reduction_kernel(sycl::range<1>(2000), 6, sum(2000), sycl::plus<>(), 2);
  check_reduction_kernel(sycl::range<2>(37, 11), 2, sum(37 * 11), sycl::plus<>());
  check_reduction_kernel(sycl::range<2>(3, 701), 2, sum(3 * 701), sycl::plus<>());
  check_reduction_kernel(sycl::range<3>(7, 5, 19), 1, sum(7 * 5 * 19), sycl::plus<long>());
  check_reduction_kernel(sycl::range<3>(5, 1, 300), 3, sum(1500), sycl::plus<long>());
}

} // namespace
