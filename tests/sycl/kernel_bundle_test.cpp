// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SYCL 2020 §4.11: kernel bundles.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <vector>

class first_kernel;
struct second_kernel;
// Another file could define it, so the compiler cannot tell (tests/compiler/diagnostics/kernel_names.cpp).
class kernel_of_no_file;

namespace {
class summing_kernel;

template <class T>
struct functor {
  T* out;
  void operator()() const { *out = T(4); }
};

/// Defines all kernels of this file.
void launch_all(sycl::queue& queue, int* p) {
  queue.single_task<first_kernel>([=] { p[0] = 1; });
  queue.parallel_for<second_kernel>(
      sycl::nd_range<2>({4, 2}, {4, 2}),
      [=](sycl::nd_item<2> i) [[sycl::reqd_work_group_size(4, 2)]] { p[1] = int(i.get_local_range(0)); });
  queue.parallel_for<summing_kernel>(8, sycl::reduction(p, sycl::plus<>()),
                                     [=](sycl::id<1> i, auto& sum) { sum += int(i[0]); });
  queue.single_task(functor<int>{p});
  queue.wait();
}

class kernel_not_launched;
/// The kernel that no launch comes to is there for those who ask for it by name.
void never_launch(sycl::queue& queue, int* p) {
  if (0)
    queue.single_task<kernel_not_launched>([=] { p[0] = 9; });
}

constexpr auto INPUT = sycl::bundle_state::input;
constexpr auto OBJECT = sycl::bundle_state::object;
constexpr auto EXECUTABLE = sycl::bundle_state::executable;

template <class Call>
void expect_error(sycl::errc code, const Call& call) {
  try {
    call();
    ADD_FAILURE() << "no exception";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), code) << error.what();
  }
}

class kernel_bundle : public testing::Test {
protected:
  sycl::queue queue;
  sycl::context context = queue.get_context();
  sycl::device device = queue.get_device();
};

TEST_F(kernel_bundle, kernels_in_statements_that_never_run_have_ids) {
  never_launch(queue, nullptr);
  const sycl::kernel_id id = sycl::get_kernel_id<kernel_not_launched>();
  EXPECT_NE(id, sycl::get_kernel_id<first_kernel>());
  EXPECT_TRUE(sycl::get_kernel_bundle<EXECUTABLE>(context, {id}).has_kernel(id));
}

TEST_F(kernel_bundle, kernel_ids_are_unique_and_equal_by_name) {
  const std::vector<sycl::kernel_id> all = sycl::get_kernel_ids();
  const std::unordered_set<sycl::kernel_id> distinct(all.begin(), all.end());
  EXPECT_EQ(distinct.size(), all.size());
  EXPECT_EQ(all.size(), 6u);
  EXPECT_TRUE(distinct.count(sycl::get_kernel_id<first_kernel>()));
  EXPECT_TRUE(distinct.count(sycl::get_kernel_id<summing_kernel>()));
  EXPECT_TRUE(distinct.count(sycl::get_kernel_id<functor<int>>()));
  EXPECT_NE(sycl::get_kernel_id<first_kernel>(), sycl::get_kernel_id<second_kernel>());
  EXPECT_NE(std::string(sycl::get_kernel_id<functor<int>>().get_name()).find("functor<int>"),
            std::string::npos);
  expect_error(sycl::errc::invalid, [] { sycl::get_kernel_id<kernel_of_no_file>(); });
}

TEST_F(kernel_bundle, holds_the_kernels_asked_for) {
  const auto one = sycl::get_kernel_bundle<first_kernel, EXECUTABLE>(context);
  EXPECT_FALSE(one.empty());
  EXPECT_TRUE(one.has_kernel<first_kernel>());
  EXPECT_TRUE(one.has_kernel<first_kernel>(device));
  EXPECT_FALSE(one.has_kernel<second_kernel>());
  EXPECT_EQ(one.get_kernel_ids(), (std::vector{sycl::get_kernel_id<first_kernel>()}));
  EXPECT_EQ(one.get_context(), context);
  EXPECT_EQ(one.get_devices(), context.get_devices());
  EXPECT_EQ(one.get_backend(), context.get_backend());
  EXPECT_EQ(one.get_kernel<first_kernel>(), one.get_kernel(sycl::get_kernel_id<first_kernel>()));
  EXPECT_EQ(one.get_kernel<first_kernel>().get_kernel_bundle(), one);
  expect_error(sycl::errc::invalid, [&] { one.get_kernel<second_kernel>(); });
  EXPECT_FALSE(one.contains_specialization_constants());

  const auto all = sycl::get_kernel_bundle<INPUT>(context);
  EXPECT_EQ(all.get_kernel_ids().size(), 6u);
  const auto none = sycl::get_kernel_bundle<INPUT>(context, std::vector<sycl::kernel_id>{});
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
}

TEST_F(kernel_bundle, selector_chooses_among_images) {
  int calls = 0;
  const auto selected =
      sycl::get_kernel_bundle<INPUT>(context, {device}, [&](const sycl::device_image<INPUT>& image) {
        ++calls;
        return image.has_kernel(sycl::get_kernel_id<second_kernel>(), device);
      });
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(std::distance(selected.begin(), selected.end()), 1);
  EXPECT_TRUE(selected.has_kernel<second_kernel>());
}

TEST_F(kernel_bundle, devices_must_be_of_the_context) {
  const std::vector<sycl::device> no_devices;
  expect_error(sycl::errc::invalid, [&] { sycl::get_kernel_bundle<EXECUTABLE>(context, no_devices); });
  expect_error(sycl::errc::invalid, [&] { sycl::has_kernel_bundle<EXECUTABLE>(context, no_devices); });
  const auto input = sycl::get_kernel_bundle<INPUT>(context);
  expect_error(sycl::errc::invalid, [&] { sycl::build(input, no_devices); });
  EXPECT_EQ((sycl::get_kernel_bundle<INPUT>(context, {device, device}).get_devices().size()), 1u);
}

TEST_F(kernel_bundle, exists_if_the_kernels_are_compatible) {
  EXPECT_TRUE(sycl::has_kernel_bundle<INPUT>(context));
  EXPECT_TRUE((sycl::has_kernel_bundle<first_kernel, OBJECT>(context, {device})));
  EXPECT_TRUE(sycl::has_kernel_bundle<EXECUTABLE>(context, {sycl::get_kernel_id<summing_kernel>()}));
  EXPECT_TRUE(sycl::is_compatible<second_kernel>(device));
  EXPECT_TRUE(sycl::is_compatible(sycl::get_kernel_ids(), device));
}

TEST_F(kernel_bundle, passes_from_state_to_state) {
  const auto input = sycl::get_kernel_bundle<INPUT>(context);
  const auto object = sycl::compile(input);
  const auto linked = sycl::link(object);
  EXPECT_EQ(linked, sycl::build(input));
  EXPECT_EQ(linked.get_kernel_ids(), input.get_kernel_ids());
  EXPECT_EQ(std::hash<sycl::kernel_bundle<EXECUTABLE>>()(linked),
            std::hash<sycl::kernel_bundle<EXECUTABLE>>()(sycl::build(input)));

  const auto first = sycl::get_kernel_bundle<first_kernel, OBJECT>(context);
  const auto second = sycl::get_kernel_bundle<second_kernel, OBJECT>(context);
  EXPECT_EQ(sycl::join(std::vector{first, second, first}).get_kernel_ids().size(), 2u);
  EXPECT_EQ(sycl::link(std::vector{first, second}).get_kernel_ids().size(), 2u);
  const auto elsewhere = sycl::get_kernel_bundle<first_kernel, OBJECT>(sycl::context(device));
  expect_error(sycl::errc::invalid, [&] { sycl::join(std::vector{first, elsewhere}); });
  EXPECT_TRUE(sycl::join<EXECUTABLE>({}).empty());
  EXPECT_TRUE(sycl::join<EXECUTABLE>({}).get_devices().empty());
  expect_error(sycl::errc::invalid, [&] { sycl::link(std::vector{first, elsewhere}); });
  expect_error(sycl::errc::invalid, [&] { sycl::link(std::vector<sycl::kernel_bundle<OBJECT>>{}); });
}

TEST_F(kernel_bundle, command_groups_find_their_kernels_in_it) {
  int* p = sycl::malloc_shared<int>(2, queue);
  const auto all = sycl::get_kernel_bundle<EXECUTABLE>(context);
  p[0] = 1;
  queue
      .submit([&](sycl::handler& group) {
        group.use_kernel_bundle(all);
        group.parallel_for<class in_bundle>(8, sycl::reduction(p, sycl::plus<>()),
                                            [=](sycl::id<1> i, auto& sum) { sum += int(i[0]); });
      })
      .wait();
  EXPECT_EQ(p[0], 29);
  const auto other = sycl::get_kernel_bundle<second_kernel, EXECUTABLE>(context);
  expect_error(sycl::errc::kernel_not_supported, [&] {
    queue.submit([&](sycl::handler& group) {
      group.use_kernel_bundle(other);
      group.single_task(functor<int>{p});
    });
  });
  const auto elsewhere = sycl::get_kernel_bundle<EXECUTABLE>(sycl::context(device));
  expect_error(sycl::errc::invalid,
               [&] { queue.submit([&](sycl::handler& group) { group.use_kernel_bundle(elsewhere); }); });
  sycl::free(p, queue);
}

TEST_F(kernel_bundle, kernels_describe_themselves) {
  namespace on_device = sycl::info::kernel_device_specific;
  const auto bundle = sycl::get_kernel_bundle<EXECUTABLE>(context);
  const sycl::kernel plain = bundle.get_kernel<first_kernel>();
  EXPECT_EQ(plain.get_context(), context);
  EXPECT_EQ(plain.get_backend(), context.get_backend());
  EXPECT_EQ(plain.get_info<sycl::info::kernel::attributes>(), "");
  EXPECT_EQ(plain.get_info<on_device::compile_work_group_size>(device), sycl::range<3>(0, 0, 0));
  EXPECT_EQ(plain.get_info<on_device::work_group_size>(device),
            device.get_info<sycl::info::device::max_work_group_size>());
  EXPECT_EQ(plain.get_info<on_device::compile_sub_group_size>(device), 0u);
  EXPECT_GE(plain.get_info<on_device::max_num_sub_groups>(device), 1u);
  expect_error(sycl::errc::invalid, [&] { plain.get_info<sycl::info::kernel::num_args>(); });
  expect_error(sycl::errc::invalid, [&] { plain.get_info<on_device::global_work_size>(device); });

  const sycl::kernel sized = bundle.get_kernel<second_kernel>();
  EXPECT_EQ(sized.get_info<sycl::info::kernel::attributes>(), "reqd_work_group_size(4,2)");
  EXPECT_EQ(sized.get_info<on_device::compile_work_group_size>(device), sycl::range<3>(4, 2, 1));
  EXPECT_EQ(sized.get_info<on_device::work_group_size>(device), 8u);
  EXPECT_NE(plain, sized);
  EXPECT_TRUE(device.get_info<sycl::info::device::built_in_kernel_ids>().empty());
}

TEST_F(kernel_bundle, kernel_objects_of_kernel_functions_cannot_be_launched) {
  const sycl::kernel object = sycl::get_kernel_bundle<EXECUTABLE>(context).get_kernel<first_kernel>();
  expect_error(sycl::errc::invalid,
               [&] { queue.submit([&](sycl::handler& group) { group.single_task(object); }); });
  expect_error(sycl::errc::invalid, [&] {
    queue.submit([&](sycl::handler& group) { group.parallel_for(sycl::range<2>(2, 2), object); });
  });
  expect_error(sycl::errc::invalid, [&] {
    queue.submit([&](sycl::handler& group) { group.parallel_for(sycl::nd_range<1>(2, 2), object); });
  });
}

} // namespace

// Never called: a kernel is defined by being launched somewhere.
void define_kernels(sycl::queue& queue, int* p) {
  launch_all(queue, p);
}
