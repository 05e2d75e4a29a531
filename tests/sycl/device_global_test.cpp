// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sycl_ext_oneapi_device_global, in C++17. Every test has variables of its own, as they keep their state.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <array>
#include <functional>
#include <numeric>
#include <type_traits>
#include <vector>

#if SYCL_EXT_ONEAPI_DEVICE_GLOBAL != 1 || SYCL_EXT_ONEAPI_PROPERTIES != 1
#error "feature-test macros are missing"
#endif

namespace experimental = sycl::ext::oneapi::experimental;
using experimental::device_global;
using sycl::access::decorated;

namespace {

struct flagged {
  bool flag;
  int number;
};
struct arrow {
  int value;
  int* operator->() const = delete;
  arrow* operator->() { return this; }
};
static_assert(std::is_trivially_default_constructible_v<arrow>);

/// What a kernel computes from nothing but device globals.
template <class Result, class Function>
Result from_kernel(sycl::queue& queue, const Function& function) {
  sycl::buffer<Result> result(sycl::range<1>(1));
  queue.submit([&](sycl::handler& group) {
    sycl::accessor out(result, group, sycl::write_only);
    group.single_task([=] { out[0] = function(); });
  });
  return result.get_host_access()[0];
}

} // namespace

// The examples of the document: dm1 and dm2.
device_global<flagged> dm1;
static device_global<int[4]> dm2;

TEST(device_global, example_reads_zeros) {
  sycl::queue queue;
  const int x = from_kernel<int>(queue, [] {
    int y = 5;
    if (!dm1.get().flag)
      y = dm2[0];
    return y;
  });
  EXPECT_EQ(x, 0);
}

// Every way to declare one.
device_global<int> at_namespace_scope;
static device_global<int> with_static;
inline device_global<int> with_inline;
namespace {
device_global<int> in_unnamed;
}
namespace outer::inner {
device_global<int> in_nested;
}
inline namespace inlined {
device_global<int> in_inline;
}
struct holder {
  static device_global<int> member;
  static inline device_global<int> inline_member;
  template <class T>
  static device_global<T> member_template;
};
device_global<int> holder::member;
template <class T>
device_global<T> holder::member_template;
template <class T>
device_global<T> variable_template;
template <class T>
struct class_template {
  static inline device_global<T> member;
};
// The same name in three scopes.
device_global<int> same_name;
namespace outer {
device_global<int> same_name;
}
namespace outer::inner {
static device_global<int> same_name;
}

TEST(device_global, declarations_are_objects_of_their_own) {
  sycl::queue queue;
  queue
      .single_task([] {
        at_namespace_scope = 1;
        with_static = 2;
        with_inline = 3;
        in_unnamed = 4;
        outer::inner::in_nested = 5;
        in_inline = 6;
        holder::member = 7;
        holder::inline_member = 8;
        holder::member_template<short> = 9;
        variable_template<long> = 10;
        variable_template<int> = 11;
        class_template<int>::member = 12;
        same_name = 13;
        outer::same_name = 14;
        outer::inner::same_name = 15;
      })
      .wait();
  const auto values = from_kernel<std::array<int, 15>>(queue, [] {
    return std::array<int, 15>{at_namespace_scope,
                               with_static,
                               with_inline,
                               in_unnamed,
                               outer::inner::in_nested,
                               in_inline,
                               holder::member,
                               holder::inline_member,
                               holder::member_template<short>,
                               static_cast<int>(variable_template<long>.get()),
                               variable_template<int>,
                               class_template<int>::member,
                               same_name,
                               outer::same_name,
                               outer::inner::same_name};
  });
  std::array<int, 15> expected;
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(values, expected);
  long ten = 0;
  short nine = 0;
  queue.copy(variable_template<long>, &ten).wait();
  queue.copy(holder::member_template<short>, &nine).wait();
  EXPECT_EQ(ten, 10);
  EXPECT_EQ(nine, 9);
}

// Members.
device_global<int> number;
const device_global<int> constant_number;
device_global<int[2][3]> matrix;
device_global<sycl::vec<int, 4>> vector;
device_global<int*> pointer;
device_global<arrow> with_arrow;
device_global<flagged> structure;

void add(device_global<int>& to, int by) {
  to = to + by;
}
void operator+=(flagged& left, int right) {
  left.number += right;
}

TEST(device_global, members) {
  static_assert(std::is_same_v<device_global<int[2][3]>::element_type, int[3]>);
  static_assert(std::is_same_v<device_global<int>::element_type, int>);
  static_assert(std::is_same_v<decltype(number.get()), int&>);
  static_assert(std::is_same_v<decltype(constant_number.get()), const int&>);
  static_assert(std::is_same_v<decltype(matrix[0]), int (&)[3]>);
  static_assert(std::is_same_v<decltype(pointer.operator->()), int*&>);
  static_assert(
      std::is_same_v<decltype(number.get_multi_ptr<decorated::yes>()),
                     sycl::multi_ptr<int, sycl::access::address_space::global_space, decorated::yes>>);
  static_assert(
      std::is_same_v<decltype(constant_number.get_multi_ptr<decorated::no>()),
                     sycl::multi_ptr<const int, sycl::access::address_space::global_space, decorated::no>>);
  sycl::queue queue;
  queue
      .single_task([] {
        number = 20;
        int& reference = number;
        reference += 1;
        *number.get_multi_ptr<decorated::no>() += 1;
        add(number, 3);
        matrix[1][2] = 7;
        (*matrix.get_multi_ptr<decorated::yes>().get_raw())[0][1] = number;
        vector[2] = 4;
        vector.get().w() = vector[2] + 1;
        pointer = &matrix[1][2];
        with_arrow->value = 6;
        structure.get().flag = true;
        structure += 8; // by conversion
      })
      .wait();
  const auto values = from_kernel<std::array<int, 8>>(queue, [] {
    const device_global<int>& alias = number;
    return std::array<int, 8>{alias,    constant_number,        matrix[0][1],         vector.get().w(),
                              *pointer, with_arrow.get().value, structure.get().flag, structure.get().number};
  });
  EXPECT_EQ(values, (std::array<int, 8>{25, 0, 25, 5, 7, 6, 1, 8}));
}

// One allocation for all kernels, whichever way they come to it.
device_global<int> counter;
device_global<int[64]> slots;
device_global<int*> published;

TEST(device_global, kernels_share_the_allocation_also_through_pointers) {
  sycl::queue queue{sycl::property::queue::in_order()};
  constexpr int n = 1000;
  queue.parallel_for(n, [](sycl::id<1> i) {
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(counter.get()) += 1;
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(slots[i % 64]) +=
        static_cast<int>(i);
  });
  queue.single_task([] { published = &slots[3]; });
  queue.single_task([] { *published.get() += 1'000'000; });
  int* remembered = sycl::malloc_shared<int>(3, queue);
  queue.parallel_for(sycl::nd_range<1>(128, 64), [=](sycl::nd_item<1> item) {
    if (item.get_local_id(0) == 5)
      slots[40 + item.get_group(0)] = -1;
    sycl::group_barrier(item.get_group());
    if (item.get_local_id(0) == 6 && slots[40 + item.get_group(0)] == -1)
      slots[50 + item.get_group(0)] = -2;
  });
  queue
      .single_task([=] {
        remembered[0] = counter;
        remembered[1] = published.get() == &slots[3];
        remembered[2] = *published.get();
      })
      .wait();
  EXPECT_EQ(remembered[0], n);
  EXPECT_EQ(remembered[1], 1);
  int expected = 1'000'000;
  for (int i = 3; i < n; i += 64)
    expected += i;
  EXPECT_EQ(remembered[2], expected);
  std::array<int, 64> all;
  queue.copy(slots, all.data()).wait();
  EXPECT_EQ(all[40], -1);
  EXPECT_EQ(all[41], -1);
  EXPECT_EQ(all[50], -2);
  EXPECT_EQ(all[51], -2);
  sycl::free(remembered, queue);
}

// Per device and context.
device_global<int> per_context;

TEST(device_global, contexts_have_allocations_of_their_own) {
  const sycl::device device;
  sycl::queue first{sycl::context(device), device}, second{sycl::context(device), device};
  sycl::queue also_first{first.get_context(), device};
  first.single_task([] { per_context = 5; }).wait();
  second.single_task([] { per_context = per_context + 1; }).wait();
  int of_first = 0, of_second = 0;
  also_first.copy(per_context, &of_first).wait();
  second.copy(per_context, &of_second).wait();
  EXPECT_EQ(of_first, 5);
  EXPECT_EQ(of_second, 1);
  { // a context that ends takes its allocations along
    sycl::queue third{sycl::context(device), device};
    third.single_task([] { per_context = 7; });
  }
  EXPECT_EQ(from_kernel<int>(first, [] { return per_context.get(); }), 5);
}

// Kernel bundles and specialization constants leave it alone.
device_global<int> kept;
device_global<int*> kept_address;
constexpr sycl::specialization_id<int> step(1);
class keeping;

TEST(device_global, keeps_state_over_specialization_constants_and_bundles) {
  sycl::queue queue;
  int* same_address = sycl::malloc_shared<int>(1, queue);
  *same_address = 0;
  const auto launch = [&](const std::function<void(sycl::handler&)>& prepare) {
    queue
        .submit([&](sycl::handler& group) {
          prepare(group);
          group.single_task<keeping>([=](sycl::kernel_handler kernel) {
            kept = kept + kernel.get_specialization_constant<step>();
            *same_address += kept_address.get() == nullptr || kept_address.get() == &kept.get();
            kept_address = &kept.get();
          });
        })
        .wait();
  };
  launch([](sycl::handler&) {});
  launch([](sycl::handler& group) { group.set_specialization_constant<step>(10); });
  launch([](sycl::handler& group) { group.set_specialization_constant<step>(100); });
  for (int value : {1000, 10000}) {
    auto input = sycl::get_kernel_bundle<keeping, sycl::bundle_state::input>(queue.get_context());
    input.set_specialization_constant<step>(value);
    const auto bundle = sycl::build(input);
    launch([&](sycl::handler& group) { group.use_kernel_bundle(bundle); });
  }
  int value = 0;
  queue.copy(kept, &value).wait();
  EXPECT_EQ(value, 11111);
  EXPECT_EQ(*same_address, 5);
  sycl::free(same_address, queue);
}

// Copies.
device_global<int[6]> array;
device_global<double> scalar;
device_global<short[2][3]> two_dimensions;
device_global<int[4], decltype(experimental::properties{experimental::host_access_read})> read_only;
device_global<int[4], decltype(experimental::properties{experimental::host_access_write,
                                                        experimental::init_mode_reset,
                                                        experimental::implement_in_csr_on})>
    write_only;

TEST(device_global, queue_copies) {
  sycl::queue queue;
  const std::array<int, 6> values = {1, 2, 3, 4, 5, 6};
  std::array<int, 6> back{};
  // Before any kernel: the initial value.
  queue.copy(array, back.data()).wait();
  EXPECT_EQ(back, (std::array<int, 6>{}));
  sycl::event done = queue.copy(values.data(), array);
  done = queue.copy(values.data(), array, 2, 3, done);
  done = queue.copy(&values[5], array, 1, 5, std::vector<sycl::event>{done});
  done = queue.copy(array, back.data(), 6, 0, done);
  done.wait();
  EXPECT_EQ(back, (std::array<int, 6>{1, 2, 3, 1, 2, 6}));
  queue.copy(array, back.data(), 2, 4).wait();
  EXPECT_EQ(back, (std::array<int, 6>{2, 6, 3, 1, 2, 6}));
  queue.copy(array, &back[3], 1, 2, std::vector<sycl::event>{done}).wait();
  EXPECT_EQ(back[3], 3);

  done = queue.memcpy(array, values.data());
  done = queue.memcpy(array, &values[4], sizeof(int), 2 * sizeof(int), done);
  done = queue.memcpy(array, &values[0], 2, 10 * 2, std::vector<sycl::event>{done}); // half an int
  done = queue.memcpy(back.data(), array, sizeof(back), 0, done);
  done.wait();
  EXPECT_EQ(back, (std::array<int, 6>{1, 2, 5, 4, 5, 1}));
  queue.memcpy(back.data(), array, 8, 8, std::vector<sycl::event>{done}).wait();
  EXPECT_EQ(back[0], 5);
  queue.memcpy(back.data(), array).wait();
  EXPECT_EQ(back[0], 1);

  const double pi = 3.14;
  double scalar_back = 0;
  queue.copy<double>(&pi, scalar).wait();
  queue.copy<double>(scalar, &scalar_back).wait();
  EXPECT_EQ(scalar_back, pi);

  // Elements of the innermost type.
  const short row[3] = {7, 8, 9};
  short all[6];
  queue.copy(row, two_dimensions, 3, 3).wait();
  queue.copy(two_dimensions, all).wait();
  EXPECT_EQ(all[2], 0);
  EXPECT_EQ(all[5], 9);
}

TEST(device_global, handler_copies_between_kernels_and_usm) {
  sycl::queue queue{sycl::property::queue::in_order()};
  int* const device_memory = sycl::malloc_device<int>(6, queue);
  int* const shared_memory = sycl::malloc_shared<int>(6, queue);
  queue.parallel_for(6, [=](sycl::id<1> i) { device_memory[i] = 10 * static_cast<int>(i); });
  queue.submit([&](sycl::handler& group) { group.copy(device_memory, array); });
  queue.submit([&](sycl::handler& group) { group.copy(device_memory + 1, array, 1, 0); });
  queue.parallel_for(6, [](sycl::id<1> i) { array[i] += 1; });
  queue.submit([&](sycl::handler& group) { group.copy(array, shared_memory); });
  queue.submit([&](sycl::handler& group) { group.memcpy(device_memory, array, 4, 4); });
  queue.submit([&](sycl::handler& group) { group.memcpy(array, device_memory, 4, 20); });
  int last = 0;
  queue.submit([&](sycl::handler& group) { group.copy(array, &last, 1, 5); });
  queue.wait();
  EXPECT_EQ(std::vector<int>(shared_memory, shared_memory + 6), (std::vector<int>{11, 11, 21, 31, 41, 51}));
  EXPECT_EQ(last, 11);
  sycl::free(device_memory, queue);
  sycl::free(shared_memory, queue);

  const int values[4] = {1, 2, 3, 4};
  int back[4];
  queue.copy(values, write_only);
  queue.parallel_for(4, [](sycl::id<1> i) { read_only[i] = write_only[i] * 2; });
  queue.copy(read_only, back).wait();
  EXPECT_EQ(back[3], 8);
}

template <class Function>
void expect_invalid(sycl::queue& queue, const char* words, const Function& function) {
  try {
    queue.submit([&](sycl::handler& group) { function(group); });
    ADD_FAILURE() << "no exception: " << words;
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::invalid);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(device_global, copies_beyond_the_end_throw) {
  sycl::queue queue;
  std::array<int, 8> memory{};
  expect_invalid(
      queue, "copy: 7 elements from index 0 on reach beyond the end of device global 'array', which has 6",
      [&](sycl::handler& group) { group.copy(memory.data(), array, 7); });
  expect_invalid(queue, "copy: 1 elements from index 6",
                 [&](sycl::handler& group) { group.copy(array, memory.data(), 1, 6); });
  expect_invalid(queue, "memcpy: 4 bytes from offset 21",
                 [&](sycl::handler& group) { group.memcpy(array, memory.data(), 4, 21); });
  expect_invalid(
      queue, "memcpy: 25 bytes from offset 0 on reach beyond the end of device global 'array', which has 24",
      [&](sycl::handler& group) { group.memcpy(memory.data(), array, 25); });
  // No sum overflows.
  expect_invalid(queue, "from index 2",
                 [&](sycl::handler& group) { group.copy(memory.data(), array, std::size_t(-1), 2); });
  expect_invalid(queue, "from offset 18446744073709551615",
                 [&](sycl::handler& group) { group.memcpy(memory.data(), array, 2, std::size_t(-1)); });
  expect_invalid(queue, "null", [&](sycl::handler& group) { group.copy(static_cast<int*>(nullptr), array); });
  EXPECT_THROW(queue.copy(array, memory.data(), 6, 1), sycl::exception);
  EXPECT_THROW(queue.memcpy(memory.data(), array, 24, 1, sycl::event()), sycl::exception);
  // The end itself is in reach.
  queue.copy(array, memory.data(), 0, 6).wait();
}

// Property device_image_scope, with one translation unit.
device_global<int, decltype(experimental::properties(experimental::device_image_scope))> scoped;
device_global<int, decltype(experimental::properties(experimental::device_image_scope))> unused_scoped;

TEST(device_global, device_image_scope) {
  sycl::queue queue;
  int value = 4;
  queue.copy(&value, scoped).wait(); // before any kernel
  queue.single_task([] { scoped = scoped + 3; }).wait();
  queue.single_task([] { scoped = scoped * 2; }).wait();
  queue.copy(scoped, &value).wait();
  EXPECT_EQ(value, 14);
  try {
    queue.copy(unused_scoped, &value);
    ADD_FAILURE();
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::kernel_not_supported) << error.what();
    EXPECT_NE(std::string(error.what()).find("unused_scoped"), std::string::npos) << error.what();
  }
}

// Vectorised kernels.
device_global<float> scale;
device_global<float[256]> lanes;

TEST(device_global, in_kernels_with_sub_groups) {
  sycl::queue queue;
  const float factor = 1.5f;
  queue.copy(&factor, scale).wait();
  queue
      .parallel_for(sycl::nd_range<1>(256, 64),
                    [](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(32)]] {
                      const std::size_t i = item.get_global_id(0);
                      const float count =
                          sycl::reduce_over_group(item.get_sub_group(), scale.get(), sycl::plus<>());
                      if (i % 3 != 0)
                        lanes[i] = scale * static_cast<float>(i);
                      sycl::group_barrier(item.get_group());
                      if (i % 3 == 0)
                        lanes[i] = lanes[i ^ 1] + count;
                    })
      .wait();
  std::array<float, 256> values;
  queue.copy(lanes, values.data()).wait();
  EXPECT_EQ(values[4], 6.0f);
  EXPECT_EQ(values[6], 7 * 1.5f + 48);
}
