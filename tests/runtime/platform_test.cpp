// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../thrown_message.hpp"
#include "backends/cpu/cpu_description.hpp"
#include "devices/device_filter.hpp"
#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"
#include "sycl/info.hpp"
#include "sycl/platform.hpp"
#include "sycl/range.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

namespace {

falx::device_description a_cpu() {
  falx::device_description cpu;
  cpu.is_cpu = true;
  return cpu;
}
falx::device_description a_gpu() {
  falx::device_description gpu;
  gpu.is_gpu = true;
  return gpu;
}

/// Which of cpu:0, cuda:0 and cuda:1 a filter admits, as three digits.
std::string admitted(const char* text) {
  const falx::device_filter filter(text);
  return std::to_string(filter.admits("cpu", a_cpu(), 0)) +
         std::to_string(filter.admits("cuda", a_gpu(), 0)) +
         std::to_string(filter.admits("cuda", a_gpu(), 1));
}

sycl::errc code_of(const sycl::exception& error) {
  return static_cast<sycl::errc>(error.code().value());
}

} // namespace

TEST(device_filter, chooses_by_backend_type_and_index) {
  EXPECT_EQ(admitted("*"), "111");
  EXPECT_EQ(admitted("*:*"), "111");
  EXPECT_EQ(admitted("cpu"), "100");
  EXPECT_EQ(admitted("CPU"), "100");
  EXPECT_EQ(admitted("gpu"), "011");
  EXPECT_EQ(admitted("cuda"), "011");
  EXPECT_EQ(admitted("cuda:1"), "001");
  EXPECT_EQ(admitted("cuda:0, 1"), "011");
  EXPECT_EQ(admitted("*:gpu"), "011");
  EXPECT_EQ(admitted("*:cpu"), "100");
  EXPECT_EQ(admitted("cuda:1;cpu"), "101");
  EXPECT_EQ(admitted("native_cpu:cpu"), "100");
}

TEST(device_filter, excludes_after_an_exclamation_mark) {
  EXPECT_EQ(admitted("!cuda"), "100");
  EXPECT_EQ(admitted("*:*;!cuda:0"), "101");
}

TEST(device_filter, backends_of_other_implementations_and_sub_devices_match_nothing) {
  EXPECT_EQ(admitted("opencl:cpu"), "000");
  EXPECT_EQ(admitted("level_zero:0.1"), "000");
  EXPECT_EQ(admitted("cuda:0.1"), "000");
}

TEST(device_filter, rejects_what_it_does_not_understand) {
  for (const char* text :
       {"cuda:first", ":", "cuda:0:1", "cuda:", "cuda:0,,1", "nonsense", "cdua:0", "cpu;nonsense:gpu"})
    EXPECT_THROW(falx::device_filter{text}, std::invalid_argument) << text;
}

TEST(cpu_description, is_plausible_and_its_digest_stable) {
  const falx::device_description cpu = falx::describe_cpu(falx::cpu_target_of("native"));
  EXPECT_FALSE(cpu.name.empty());
  EXPECT_GE(cpu.compute_units, 1u);
  EXPECT_GT(cpu.global_memory, std::uint64_t{1} << 26);
  EXPECT_GE(cpu.local_memory, std::uint64_t{1} << 16);
  EXPECT_GE(cpu.vector_bytes, 16u);
  EXPECT_EQ(falx::cpu_digest({}), falx::cpu_digest({}));
}

TEST(platform, lists_the_cpu) {
  const auto platforms = sycl::platform::get_platforms();
  ASSERT_FALSE(platforms.empty());
  const auto cpu = std::find_if(platforms.begin(), platforms.end(), [](const sycl::platform& each) {
    return each.get_backend() == sycl::backend::cpu;
  });
  ASSERT_NE(cpu, platforms.end());
  EXPECT_TRUE(cpu->has(sycl::aspect::cpu));
  EXPECT_EQ(cpu->get_devices(sycl::info::device_type::cpu).size(), 1u);
  EXPECT_TRUE(cpu->get_devices(sycl::info::device_type::host).empty());
  EXPECT_FALSE(cpu->get_info<sycl::info::platform::name>().empty());
  EXPECT_EQ(sycl::platform(sycl::cpu_selector_v), *cpu);
  EXPECT_EQ(std::hash<sycl::platform>()(sycl::platform(sycl::cpu_selector_v)),
            std::hash<sycl::platform>()(*cpu));
}

TEST(device, selectors_choose_the_highest_score) {
  EXPECT_TRUE(sycl::device(sycl::cpu_selector_v).is_cpu());
  const auto prefers_cpu = [](const sycl::device& each) { return each.is_cpu() ? 1 : 0; };
  EXPECT_TRUE(sycl::device(prefers_cpu).is_cpu());
  EXPECT_TRUE(sycl::device(sycl::aspect_selector<sycl::aspect::cpu, sycl::aspect::fp64>()).is_cpu());
  EXPECT_TRUE(sycl::device(sycl::cpu_selector()).is_cpu());
  EXPECT_EQ(sycl::cpu_selector().select_device(), sycl::device(sycl::cpu_selector_v));
}

TEST(device, unsatisfied_selector_lists_the_devices) {
  try {
    sycl::device nothing(sycl::aspect_selector({sycl::aspect::cpu}, {sycl::aspect::fp64}));
    FAIL() << "a device was found";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(code_of(error), sycl::errc::runtime);
    const auto name = sycl::device(sycl::cpu_selector_v).get_info<sycl::info::device::name>();
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
  }
}

TEST(device, a_device_is_one_object) {
  const sycl::device a(sycl::cpu_selector_v), b(sycl::cpu_selector_v);
  EXPECT_EQ(a, b);
  EXPECT_EQ(std::hash<sycl::device>()(a), std::hash<sycl::device>()(b));
  const auto all = sycl::device::get_devices();
  EXPECT_EQ(std::count(all.begin(), all.end(), a), 1);
}

TEST(device, aspects_are_those_that_has_confirms) {
  const sycl::device cpu(sycl::cpu_selector_v);
  for (const sycl::aspect each : cpu.get_info<sycl::info::device::aspects>())
    EXPECT_TRUE(cpu.has(each));
  EXPECT_TRUE(cpu.has(sycl::aspect::usm_system_allocations));
  EXPECT_TRUE(cpu.has(sycl::aspect::host_debuggable));
  EXPECT_TRUE(cpu.has(sycl::aspect::image));
  EXPECT_FALSE(cpu.has(sycl::aspect::gpu));
}

TEST(device, work_item_sizes_follow_the_dimensions) {
  const sycl::device cpu(sycl::cpu_selector_v);
  const auto limit = cpu.get_info<sycl::info::device::max_work_group_size>();
  EXPECT_EQ(cpu.get_info<sycl::info::device::max_work_item_sizes<1>>(), sycl::range<1>(limit));
  EXPECT_EQ(cpu.get_info<sycl::info::device::max_work_item_sizes<3>>(), sycl::range<3>(limit, limit, limit));
}

TEST(context, copies_are_equal_and_others_are_not) {
  const sycl::device cpu(sycl::cpu_selector_v);
  const sycl::context a(cpu), b(cpu), copy = a;
  EXPECT_EQ(a, copy);
  EXPECT_NE(a, b);
  EXPECT_EQ(a.get_devices(), std::vector{cpu});
  EXPECT_EQ(a.get_platform(), cpu.get_platform());
  EXPECT_EQ(a.get_info<sycl::info::context::devices>(), a.get_devices());
}

TEST(context, an_empty_list_of_devices_is_invalid) {
  try {
    sycl::context nothing(std::vector<sycl::device>{});
    FAIL() << "a context was made";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(code_of(error), sycl::errc::invalid);
  }
}

TEST(interoperability, checks_the_backend_first) {
  const sycl::device cpu(sycl::cpu_selector_v);
  try {
    sycl::get_native<sycl::backend::opencl>(cpu);
    FAIL() << "no error";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(code_of(error), sycl::errc::backend_mismatch);
  }
  try {
    sycl::get_native<sycl::backend::cpu>(cpu);
    FAIL() << "no error";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(code_of(error), sycl::errc::feature_not_supported);
  }
}

TEST(cpu_target, is_that_of_the_named_processor) {
  const auto described = [](std::string_view name) { return falx::describe_cpu(falx::cpu_target_of(name)); };
#if defined(__x86_64__)
  EXPECT_EQ(described("x86-64").version, "x86-64");
  EXPECT_EQ(described("x86-64").vector_bytes, 16u);
  if (__builtin_cpu_supports("x86-64-v3")) {
    EXPECT_EQ(described("haswell").version, "x86-64-v3");
    EXPECT_EQ(described("haswell").vector_bytes, 32u);
    EXPECT_NE(falx::cpu_digest(falx::cpu_target_of("haswell")),
              falx::cpu_digest(falx::cpu_target_of("native")));
  }
  const auto refused = [&](std::string_view name) {
    try {
      described(name);
      return std::string("nothing");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  const std::string names =
      "it takes native, x86-64, x86-64-v2, nehalem, x86-64-v3, haswell, skylake, x86-64-v4, "
      "skylake-avx512 or sapphirerapids";
  EXPECT_EQ(refused("z80"), names);
  if (!__builtin_cpu_supports("avx512fp16")) {
    EXPECT_EQ(refused("sapphirerapids"),
              "this machine does not have the instructions of that processor; " + names);
  }
#endif
}

TEST(cpu_sub_groups, have_the_size_of_a_vector_or_the_chosen_one) {
  const falx::cpu_target native = falx::cpu_target_of("native");
  EXPECT_EQ(falx::describe_cpu(native).sub_group_size, falx::describe_cpu(native).vector_bytes / 4);
  EXPECT_EQ(falx::describe_cpu(native, 1).sub_group_size, 1u);
  EXPECT_EQ(falx::describe_cpu(native, 64).sub_group_size, 64u);
}
