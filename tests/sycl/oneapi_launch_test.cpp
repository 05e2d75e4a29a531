// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extensions of oneAPI for what a launch has: sycl_ext_oneapi_root_group, _launch_queries,
// _work_group_static, _work_group_scratch_memory, _free_function_kernels, _raw_kernel_arg; and for what
// objects refer to: _weak_object.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>
#include <vector>

namespace {

using namespace sycl;
namespace syclex = sycl::ext::oneapi::experimental;
namespace launch_info = syclex::info::kernel_queue_specific;
using ext::oneapi::owner_less;
using ext::oneapi::weak_object;

static_assert(SYCL_EXT_ONEAPI_ROOT_GROUP == 1 && SYCL_EXT_ONEAPI_LAUNCH_QUERIES == 1 &&
              SYCL_EXT_ONEAPI_WORK_GROUP_STATIC == 1 && SYCL_EXT_ONEAPI_WORK_GROUP_SCRATCH_MEMORY == 1 &&
              SYCL_EXT_ONEAPI_FREE_FUNCTION_KERNELS == 1 && SYCL_EXT_ONEAPI_WEAK_OBJECT == 1);

class measures;
class waits_once;

template <class Action>
errc code_of(const Action& action) {
  try {
    action();
  } catch (const exception& error) {
    return static_cast<errc>(error.code().value());
  }
  return errc::success;
}

/// Shared memory that frees itself.
template <class T>
class values {
public:
  values(std::size_t count, const queue& q) : queue_(q), data_(malloc_shared<T>(count, q)), count_(count) {
    std::fill_n(data_, count, T());
  }
  ~values() { sycl::free(data_, queue_); }
  values(const values&) = delete;
  T* data() const { return data_; }
  std::vector<T> get() const { return {data_, data_ + count_}; }

private:
  queue queue_;
  T* data_;
  std::size_t count_;
};

template <class Name>
kernel kernel_named(const queue& q) {
  return get_kernel_bundle<bundle_state::executable>(q.get_context()).template get_kernel<Name>();
}

// sycl_ext_oneapi_root_group

TEST(root_group, waits_for_all_work_items_of_the_launch) {
  queue q;
  const range<1> local(6);
  const std::size_t groups =
      kernel_named<class sums_all>(q).ext_oneapi_get_info<launch_info::max_num_work_groups>(q, local);
  ASSERT_GE(groups, 1u);
  const int count = static_cast<int>(groups * local[0]);
  values<int> data(count, q);
  int* const p = data.data();
  const nd_range<1> space(count, local);
  for (int round = 0; round < 3; ++round) {
    q.parallel_for<class sums_all>(space, syclex::properties{syclex::use_root_sync}, [=](nd_item<1> item) {
       const auto root = item.ext_oneapi_get_root_group();
       p[root.get_local_linear_id()] = round + 1;
       group_barrier(root);
       int sum = 0;
       for (int i = count - 1; i >= 0; --i)
         sum += p[i];
       group_barrier(root);
       p[root.get_local_linear_id()] = sum;
     }).wait();
    EXPECT_EQ(data.get(), std::vector<int>(count, count * (round + 1)));
  }
  q.parallel_for(nd_range<1>(count, local), [=](nd_item<1> item) {
     p[item.get_global_linear_id()] = 0;
   }).wait();
}

TEST(root_group, refuses_more_groups_than_run_at_once) {
  queue q;
  const std::size_t groups =
      kernel_named<waits_once>(q).ext_oneapi_get_info<launch_info::max_num_work_groups>(q, range<2>(2, 4));
  const auto launch = [&](std::size_t count) {
    q.parallel_for<waits_once>(nd_range<2>({2 * count, 4}, {2, 4}), syclex::properties{syclex::use_root_sync},
                               [=](nd_item<2> item) { group_barrier(item.ext_oneapi_get_root_group()); })
        .wait();
  };
  EXPECT_EQ(code_of([&] { launch(groups); }), errc::success);
  EXPECT_EQ(code_of([&] { launch(groups + 1); }), errc::nd_range);
}

struct pipeline_kernel {
  int* p;
  auto get(syclex::properties_tag) const { return syclex::properties{syclex::use_root_sync}; }
  void operator()(nd_item<3>) const {
    const auto root = syclex::this_work_item::get_root_group<3>();
    using scope = syclex::execution_scope;
    if (root.leader())
      p[0] = static_cast<int>(root.get_linear_range<scope::work_group>());
    group_barrier(root);
    const int groups = p[0];
    group_barrier(root);
    if (root.get_linear_id<scope::work_group>() == root.get_linear_range<scope::work_group>() - 1)
      p[0] = groups + 100;
    group_barrier(root);
    p[1 + root.get_linear_id<scope::work_item>()] =
        p[0] + (root.get_range<scope::sub_group>().size() > root.get_id<scope::sub_group>()[0]);
  }
};

TEST(root_group, may_be_asked_for_by_the_class_of_a_kernel) {
  queue q;
  values<int> data(9, q);
  q.parallel_for(nd_range<3>({1, 2, 4}, {1, 2, 4}), pipeline_kernel{data.data()}).wait();
  EXPECT_EQ(data.get(), (std::vector<int>{101, 102, 102, 102, 102, 102, 102, 102, 102}));
}

TEST(root_group, does_not_wait_without_the_property) {
  queue q;
  EXPECT_EQ(code_of([&] {
              q.parallel_for(nd_range<1>(4, 4),
                             [=](nd_item<1> item) { group_barrier(item.ext_oneapi_get_root_group()); });
            }),
            errc::build);
}

// sycl_ext_oneapi_launch_queries

TEST(launch_queries, tell_the_limits_of_a_kernel) {
  queue q;
  values<std::uint32_t> sizes(2, q);
  std::uint32_t* const p = sizes.data();
  const range<1> local(24);
  q.parallel_for<measures>(nd_range<1>(local, local), [=](nd_item<1> item) {
     p[0] = item.get_sub_group().get_max_local_range()[0];
     p[1] = item.get_sub_group().get_group_linear_range();
   }).wait();
  const kernel object = kernel_named<measures>(q);
  namespace queries = syclex::info::kernel;
  EXPECT_EQ(object.ext_oneapi_get_info<queries::max_sub_group_size>(q, local), p[0]);
  EXPECT_EQ(object.ext_oneapi_get_info<queries::num_sub_groups>(q, local), p[1]);
  const device dev = q.get_device();
  const id<3> extents = object.ext_oneapi_get_info<queries::max_work_item_sizes<3>>(q);
  EXPECT_EQ(extents, dev.get_info<info::device::max_work_item_sizes<3>>());
  const std::size_t size = object.ext_oneapi_get_info<queries::max_work_group_size>(q);
  EXPECT_EQ(size, dev.get_info<info::device::max_work_group_size>());
  EXPECT_EQ(object.ext_oneapi_get_info<queries::max_num_work_groups>(q, range<1>(size + 1)), 0u);
  EXPECT_GE(object.ext_oneapi_get_info<queries::max_num_work_groups>(q, range<3>(1, 2, 3), 1024), 1u);
  EXPECT_EQ(object.ext_oneapi_get_info<queries::max_num_work_groups>(
                q, range<1>(1), dev.get_info<info::device::local_mem_size>() + 1),
            0u);
  EXPECT_EQ(code_of([&] { object.ext_oneapi_get_info<queries::max_num_work_groups>(q, range<2>(0, 1)); }),
            errc::invalid);
}

// sycl_ext_oneapi_work_group_static

syclex::work_group_static<int[16]> of_program;
struct holder {
  static inline syclex::work_group_static<int> of_class;
};

/// All calls of an instantiation mean one variable.
template <class T>
T exchange(T value, const nd_item<1>& item) {
  syclex::work_group_static<T> common;
  group_barrier(item.get_group());
  if (item.get_local_id(0) == 0)
    common = value;
  group_barrier(item.get_group());
  return common;
}

TEST(work_group_static, is_memory_of_the_group_wherever_it_is_declared) {
  queue q;
  values<int> data(64, q);
  int* const p = data.data();
  q.parallel_for(nd_range<1>(64, 16), [=](nd_item<1> item) {
     const int i = static_cast<int>(item.get_local_id(0)), g = static_cast<int>(item.get_group(0));
     static syclex::work_group_static<int> of_block;
     of_program[i] = 10 * i;
     if (i == 3) {
       of_block = g;
       holder::of_class = 1000;
       *&holder::of_class += g;
     }
     group_barrier(item.get_group());
     int sum = of_program[15 - i] + of_block + holder::of_class;
     {
       syclex::work_group_static<int> inner;
       if (i == 5)
         inner = 7;
       group_barrier(item.get_group());
       sum += inner;
     }
     {
       syclex::work_group_static<int> inner;
       if (i == 6)
         inner = 100;
       group_barrier(item.get_group());
       sum += inner;
     }
     sum += exchange(g, item) + exchange(2 * g, item);
     p[item.get_global_id(0)] = sum;
   }).wait();
  std::vector<int> expected(64);
  for (int i = 0; i < 64; ++i)
    expected[i] = 10 * (15 - i % 16) + 1107 + 5 * (i / 16);
  EXPECT_EQ(data.get(), expected);
}

// sycl_ext_oneapi_work_group_scratch_memory

int* scratch() {
  return static_cast<int*>(syclex::get_work_group_scratch_memory());
}

TEST(work_group_scratch_memory, is_as_large_as_the_launch_says) {
  queue q;
  for (const std::size_t local : {8, 24}) {
    values<int> data(2 * local, q);
    int* const p = data.data();
    q.submit([&](handler& h) {
       local_accessor<int> before(3, h); // which is somewhere else
       h.parallel_for(nd_range<1>(2 * local, local),
                      syclex::properties{syclex::work_group_scratch_size(local * sizeof(int))},
                      [=](nd_item<1> item) {
                        const std::size_t i = item.get_local_id(0);
                        before[i % 3] = -1;
                        group_barrier(item.get_group());
                        scratch()[i] = static_cast<int>(item.get_global_id(0));
                        group_barrier(item.get_group());
                        p[item.get_global_id(0)] = scratch()[local - 1 - i] + before[0];
                      });
     }).wait();
    for (std::size_t i = 0; i < 2 * local; ++i)
      EXPECT_EQ(p[i], static_cast<int>(i / local * local + local - 2 - i % local)) << i;
  }
}

TEST(work_group_scratch_memory, goes_with_a_launch_config) {
  queue q;
  values<int> data(1, q);
  int* const p = data.data();
  const syclex::launch_config config{nd_range<1>(4, 4),
                                     syclex::properties{syclex::work_group_scratch_size(16)}};
  syclex::nd_launch(q, config, [=](nd_item<1> item) {
    scratch()[item.get_local_id(0)] = 3;
    group_barrier(item.get_group());
    if (item.get_group().leader())
      p[0] = scratch()[0] + scratch()[3];
  });
  q.wait();
  EXPECT_EQ(p[0], 6);
}

TEST(work_group_scratch_memory, is_counted_and_missed) {
  queue q;
  const std::size_t most = q.get_device().get_info<info::device::local_mem_size>();
  const auto touch = [](nd_item<1>) { *scratch() = 1; };
  EXPECT_EQ(code_of([&] {
              q.parallel_for(nd_range<1>(1, 1), syclex::properties{syclex::work_group_scratch_size(most + 1)},
                             touch);
            }),
            errc::memory_allocation);
  EXPECT_EQ(code_of([&] { q.parallel_for(nd_range<1>(1, 1), [](nd_item<1>) { *scratch() = 2; }); }),
            errc::build);
}

// sycl_ext_oneapi_free_function_kernels

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void counts(float start, float* ptr) {
  const std::size_t i = ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();
  start += static_cast<float>(i); // its own copy
  ptr[i] = start;
}

template <typename T>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::work_group_size<2, 4>))
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<2>)) void fills(T value, T* ptr) {
  ptr[ext::oneapi::this_work_item::get_nd_item<2>().get_global_linear_id()] = value;
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void overloaded(float* x) {
  *x = 1.5f;
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void overloaded(int* x) {
  *x = 42;
}

struct scope {
  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
  static void sums(accessor<int> out, local_accessor<int> common, int factor) {
    const auto item = ext::oneapi::this_work_item::get_nd_item<1>();
    common[item.get_local_id(0)] = static_cast<int>(item.get_local_id(0));
    group_barrier(item.get_group());
    out[item.get_global_id(0)] = factor * common[item.get_local_range(0) - 1 - item.get_local_id(0)];
  }
};

void no_kernel(int*) {}

static_assert(syclex::is_nd_range_kernel_v<counts, 1> && !syclex::is_nd_range_kernel_v<counts, 2> &&
              !syclex::is_single_task_kernel_v<counts> && syclex::is_kernel_v<counts>);
static_assert(syclex::is_nd_range_kernel_v<fills<int>, 2> && syclex::is_nd_range_kernel_v<scope::sums, 1>);
static_assert(syclex::is_single_task_kernel_v<(void (*)(int*))overloaded> && !syclex::is_kernel_v<no_kernel>);

std::vector<float> counted_from(float start) {
  std::vector<float> expected(64);
  std::iota(expected.begin(), expected.end(), start);
  return expected;
}

TEST(free_function_kernels, are_launched_with_arguments) {
  queue q;
  values<float> data(64, q);
  values<int> numbers(16, q);
  const nd_range<1> space(64, 16);
  syclex::nd_launch(q, space, syclex::kernel_function<counts>, 3, data.data()); // an int converts
  q.wait();
  EXPECT_EQ(data.get(), counted_from(3));
  syclex::nd_launch(q, syclex::launch_config(space), syclex::kernel_function<counts>, 4.0f, data.data());
  q.wait();
  EXPECT_EQ(data.get(), counted_from(4));
  const auto fill = [&](std::size_t local) {
    syclex::nd_launch(q, nd_range<2>({4, 4}, {local, 4}), syclex::kernel_function<fills<int>>, 7,
                      numbers.data());
    q.wait();
  };
  fill(2);
  EXPECT_EQ(numbers.get(), std::vector<int>(16, 7));
  EXPECT_EQ(code_of([&] { fill(4); }), errc::nd_range);
  syclex::single_task(q, syclex::kernel_function<(void (*)(float*))overloaded>, data.data());
  q.submit([&](handler& h) {
    syclex::single_task(h, syclex::kernel_function<(void (*)(int*))overloaded>, numbers.data());
  });
  q.wait();
  EXPECT_EQ(data.data()[0], 1.5f);
  EXPECT_EQ(numbers.data()[0], 42);
  overloaded(numbers.data() + 1);
  EXPECT_EQ(numbers.data()[1], 42);
}

TEST(free_function_kernels, take_accessors) {
  queue q;
  buffer<int> data(range<1>(32));
  q.submit([&](handler& h) {
    syclex::nd_launch(h, nd_range<1>(32, 8), syclex::kernel_function<scope::sums>, accessor<int>(data, h),
                      local_accessor<int>(8, h), 10);
  });
  const host_accessor result(data);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(result[i], 10 * (7 - i % 8)) << i;
}

TEST(free_function_kernels, are_kernels_of_bundles) {
  queue q;
  values<float> data(64, q);
  const nd_range<1> space(64, 16);
  const auto bundle = syclex::get_kernel_bundle<counts, bundle_state::executable>(q.get_context());
  EXPECT_TRUE(bundle.ext_oneapi_has_kernel<counts>());
  EXPECT_TRUE(bundle.ext_oneapi_has_kernel<counts>(q.get_device()));
  EXPECT_FALSE(bundle.ext_oneapi_has_kernel<fills<int>>());
  EXPECT_TRUE(syclex::is_compatible<counts>(q.get_device()));
  const kernel object = bundle.ext_oneapi_get_kernel<counts>();
  EXPECT_EQ(object.get_info<info::kernel::num_args>(), 2u);
  EXPECT_EQ((syclex::get_kernel_info<fills<int>, info::kernel_device_specific::work_group_size>(q)), 8u);
  q.submit([&](handler& h) {
     h.set_arg(1, data.data());
     h.set_arg(0, 10.0f);
     h.parallel_for(space, object);
   }).wait();
  EXPECT_EQ(data.get(), counted_from(10));
  syclex::nd_launch(q, space, object, 20.0f, data.data());
  q.wait();
  EXPECT_EQ(data.get(), counted_from(20));
  const auto launch = [&](auto... arguments) {
    return code_of([&] {
      q.submit([&](handler& h) {
        h.set_args(arguments...);
        h.parallel_for(space, object);
      });
    });
  };
  EXPECT_EQ(launch(1.0f), errc::kernel_argument);
  EXPECT_EQ(launch(1.0, data.data()), errc::kernel_argument); // a double
  EXPECT_EQ(code_of([&] {
              q.submit([&](handler& h) {
                h.set_args(1.0f, data.data());
                h.single_task(object);
              });
            }),
            errc::invalid);
  const auto ids = get_kernel_ids();
  EXPECT_NE(std::find(ids.begin(), ids.end(), syclex::get_kernel_id<counts>()), ids.end());
}

// sycl_ext_oneapi_weak_object

template <class Make>
void check_weak_object(const Make& make) {
  using object_type = decltype(make());
  weak_object<object_type> weak;
  EXPECT_TRUE(weak.expired());
  {
    const object_type object = make(), other = make();
    weak = object;
    EXPECT_FALSE(weak.expired());
    EXPECT_TRUE(weak.lock() == object);
    EXPECT_TRUE(weak.try_lock().value() == object);
    weak_object<object_type> copy(weak), second(other);
    EXPECT_TRUE(copy.lock() == object);
    EXPECT_FALSE(copy.owner_before(weak) || weak.owner_before(copy) || copy.owner_before(object) ||
                 object.ext_oneapi_owner_before(copy));
    EXPECT_NE(weak.owner_before(second), second.owner_before(weak));
    EXPECT_EQ(object.ext_oneapi_owner_before(other), weak.owner_before(second));
    EXPECT_TRUE(weak_object<object_type>().owner_before(object));
    copy.swap(second);
    EXPECT_TRUE(copy.lock() == other && second.lock() == object);
    const weak_object<object_type> moved(std::move(second));
    EXPECT_TRUE(moved.lock() == object);
    EXPECT_EQ((std::set<object_type, owner_less<object_type>>{object, other, object}.size()), 2u);
  }
  EXPECT_TRUE(weak.expired());
  EXPECT_FALSE(weak.try_lock());
  EXPECT_EQ(code_of([&] { weak.lock(); }), errc::invalid);
  const weak_object<object_type> copy(weak);
  EXPECT_TRUE(copy.expired());
  EXPECT_FALSE(copy.owner_before(weak) || weak.owner_before(copy)); // it keeps its place
}

TEST(weak_object, ends_with_the_last_copy_of_the_object) {
  check_weak_object([] { return queue(); });
  check_weak_object([] { return context(); });
  check_weak_object([] { return event(); });
  check_weak_object([] { return buffer<int>(range<1>(1)); });
  buffer<int> first(range<1>(1));
  weak_object<host_accessor<int>> weak;
  {
    const host_accessor access(first);
    weak = access;
    EXPECT_TRUE(weak.lock() == access);
  }
  EXPECT_TRUE(weak.expired());
}

TEST(weak_object, of_a_queue_ends_though_commands_run) {
  weak_object<queue> weak;
  {
    queue q;
    weak = q;
    q.single_task([] {});
    weak.lock().wait();
  }
  EXPECT_TRUE(weak.expired());
}

TEST(weak_object, tells_kernels_of_a_bundle_apart) {
  queue q;
  const auto bundle = get_kernel_bundle<bundle_state::executable>(q.get_context());
  const kernel a = bundle.get_kernel<measures>(), b = bundle.get_kernel<waits_once>();
  const weak_object<kernel> weak(a);
  EXPECT_TRUE(weak.lock() == a);
  EXPECT_FALSE(weak.owner_before(a) || a.ext_oneapi_owner_before(weak));
  EXPECT_NE(weak.owner_before(b), b.ext_oneapi_owner_before(weak));
}

TEST(weak_object, holds_values) {
  buffer<int> data(range<1>(1));
  const accessor first(data), second(data);
  const weak_object<std::decay_t<decltype(first)>> weak(first);
  EXPECT_TRUE(weak.lock() == first);
  EXPECT_NE(weak.owner_before(second), second.ext_oneapi_owner_before(weak));
  queue().submit([&](handler& h) {
    const local_accessor<int> a(1, h), b(1, h);
    EXPECT_NE(a.ext_oneapi_owner_before(b), b.ext_oneapi_owner_before(a));
    EXPECT_TRUE(weak_object(a).lock() == a);
  });
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void add_of_each_size(int* to, int a, long b, float c, char d) {
  to[ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] +=
      a + static_cast<int>(b) + static_cast<int>(c) + d;
}

// sycl_ext_oneapi_raw_kernel_arg
TEST(raw_kernel_arg, is_the_bytes_of_an_argument) {
  queue q;
  const kernel k = syclex::get_kernel_bundle<add_of_each_size, bundle_state::executable>(q.get_context())
                       .ext_oneapi_get_kernel<add_of_each_size>();
  const values<int> to(64, q);
  int* const pointer = to.data();
  const int a = 1;
  const long b = 20;
  const float c = 300;
  const char d = 4;
  const syclex::raw_kernel_arg named(&a, sizeof(a));
  syclex::nd_launch(q, nd_range<1>(64, 8), k, syclex::raw_kernel_arg(&pointer, syclex::pointer_arg), named,
                    ext::oneapi::raw_kernel_arg(&b, sizeof(b)), syclex::raw_kernel_arg(&c, sizeof(c)), d);
  q.wait();
  EXPECT_EQ(to.data()[63], 325);
  EXPECT_EQ(code_of([&] {
              q.submit([&](handler& h) {
                h.set_args(pointer, syclex::raw_kernel_arg(&a, 2), b, c, d);
                h.parallel_for(nd_range<1>(64, 8), k);
              });
            }),
            errc::kernel_argument);
}

template <int Dimensions>
struct accessor_and_value {
  accessor<int, Dimensions> to;
  int value;
};
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<2>))
void fill_by_structure(accessor_and_value<2> argument) {
  argument.to[ext::oneapi::this_work_item::get_nd_item<2>().get_global_id()] = argument.value;
}

TEST(free_function_kernels, take_structures_with_accessors) {
  queue q;
  const kernel k = syclex::get_kernel_bundle<fill_by_structure, bundle_state::executable>(q.get_context())
                       .ext_oneapi_get_kernel<fill_by_structure>();
  buffer<int, 2> data(range<2>(16, 16));
  q.submit([&](handler& h) {
    h.set_args(accessor_and_value<2>{{data, h}, 5});
    h.parallel_for(nd_range<2>({16, 16}, {4, 4}), k);
  });
  EXPECT_EQ(data.get_host_access()[15][15], 5);
}

TEST(enqueue_functions, start_host_tasks) {
  queue q;
  std::atomic<int> runs{0};
  syclex::host_task(q, [&] { ++runs; });
  syclex::submit(q, [&](handler& h) { syclex::host_task(h, [&] { ++runs; }); });
  q.wait();
  EXPECT_EQ(runs, 2);
}

TEST(root_group, has_child_groups) {
  queue q;
  const values<int> ok(1, q);
  q.parallel_for(nd_range<1>(16, 16), [out = ok.data()](nd_item<1> item) {
     const auto child = syclex::get_child_group(item.ext_oneapi_get_root_group());
     const sub_group grandchild = syclex::get_child_group(child);
     const bool is_same = child == item.get_group() && grandchild == item.get_sub_group();
     if (all_of_group(item.get_group(), is_same))
       *out = 1;
   }).wait();
  EXPECT_EQ(ok.get()[0], 1);
}

} // namespace
