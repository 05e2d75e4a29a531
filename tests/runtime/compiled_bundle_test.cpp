// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cpu/cpu_target.hpp"
#include "backends/cuda/cuda_description.hpp"
#include "kernels/compiled_bundle.hpp"
#include "kernels/compiled_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace falx;
using bytes = std::vector<unsigned char>;

bytes bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

const std::vector<compiled_target> TARGETS = {
    {.name = "native", .jit_target = "cpu", .cpu = "", .host = "a b", .sub_group_size = 8},
    {.name = "sm_90", .jit_target = "ptx", .cpu = "sm_90", .host = "", .sub_group_size = 0}};

bytes example() {
  bundle_writer writer(TARGETS);
  writer.add({3, 4}, 0, "sub-groups of 8", "second", bytes_of("code"));
  writer.add({1, 2}, 1, "", "first", bytes_of("another code"));
  writer.add({5, 6}, 1, "", "third", bytes_of("code"));
  EXPECT_TRUE(writer.has({1, 2}));
  EXPECT_FALSE(writer.has({2, 1}));
  return writer.finish();
}

std::string binary(const compiled_bundle& bundle, const digest128& key, std::size_t target) {
  const compiled_kernel* const kernel = bundle.find(key, target);
  if (kernel == nullptr)
    return "(none)";
  const auto found = bundle.binary_of(*kernel);
  return found ? std::string(found->begin(), found->end()) : "(damaged)";
}

TEST(compiled_bundle, has_what_was_written) {
  const bytes written = example();
  std::string error;
  const auto bundle = parse_bundle(written, error);
  ASSERT_TRUE(bundle) << error;
  EXPECT_TRUE(bundle->is_usable());
  ASSERT_EQ(bundle->targets.size(), 2);
  EXPECT_EQ(bundle->targets[0].host, "a b");
  EXPECT_EQ(bundle->targets[0].sub_group_size, 8);
  EXPECT_EQ(bundle->targets[1].cpu, "sm_90");
  EXPECT_EQ(binary(*bundle, {3, 4}, 0), "code");
  EXPECT_EQ(binary(*bundle, {1, 2}, 1), "another code");
  EXPECT_EQ(binary(*bundle, {5, 6}, 1), "code");
  EXPECT_EQ(binary(*bundle, {3, 4}, 1), "(none)");
  EXPECT_EQ(binary(*bundle, {3, 5}, 0), "(none)");
  EXPECT_EQ(bundle->find({1, 2}, 1)->name, "first");
  EXPECT_EQ(bundle->find({3, 4}, 0)->configuration, "sub-groups of 8");
}

TEST(compiled_bundle, stores_equal_code_once) {
  const bytes written = example();
  std::string error;
  const auto bundle = parse_bundle(written, error);
  ASSERT_TRUE(bundle);
  EXPECT_EQ(bundle->find({3, 4}, 0)->offset, bundle->find({5, 6}, 1)->offset);
}

TEST(compiled_bundle, of_other_bytes_is_none) {
  const bytes written = example();
  for (std::size_t size = 0; size < written.size(); ++size) {
    std::string error;
    EXPECT_FALSE(parse_bundle(std::span(written).first(size), error)) << size;
    EXPECT_FALSE(error.empty());
  }
}

TEST(compiled_bundle, gives_no_damaged_code) {
  const bytes written = example();
  for (std::size_t i = 0; i < written.size(); ++i) {
    bytes damaged = written;
    damaged[i] ^= 1;
    std::string error;
    if (const auto bundle = parse_bundle(damaged, error); bundle && bundle->is_usable())
      for (const std::string& found : {binary(*bundle, {3, 4}, 0), binary(*bundle, {1, 2}, 1)})
        EXPECT_TRUE(found == "code" || found == "another code" || found.starts_with('(')) << i << found;
  }
}

TEST(compiled_bundle, of_another_build_is_not_used) {
  bytes written = example();
  const std::string_view identity = code_identity();
  const auto found = std::ranges::search(written, identity);
  ASSERT_FALSE(found.empty());
  found.front() = found.front() == '0' ? '1' : '0';
  std::string error;
  const auto bundle = parse_bundle(written, error);
  ASSERT_TRUE(bundle);
  EXPECT_FALSE(bundle->is_usable());
}

TEST(ahead_of_time, knows_what_attributes_demand) {
  image::kernel_metadata kernel;
  kernel.kind = static_cast<std::uint32_t>(kernel_kind::nd_range);
  kernel.reqd_work_group_size = {16, 2};
  kernel.reqd_sub_group_size = 4;
  const auto known = configurations_ahead_of_time(kernel, TARGETS[0]);
  ASSERT_EQ(known.size(), 2);
  for (const jit::configuration& each : known) {
    EXPECT_EQ(each.local_range[0], 16);
    EXPECT_EQ(each.local_range[1], 2);
    EXPECT_EQ(each.local_range[2], 1);
    EXPECT_EQ(each.sub_group_size, 4);
    EXPECT_TRUE(each.sub_group_size_is_required);
  }
  EXPECT_TRUE(known[0].narrow_indices && known[0].no_offset);
  EXPECT_FALSE(known[1].narrow_indices || known[1].no_offset);
}

TEST(ahead_of_time, keys_leave_out_what_the_code_reads) {
  jit::request request;
  request.kernel = "k";
  request.images.push_back({{}, "image"});
  jit::configuration known;
  const digest128 key = key_ahead_of_time(request, TARGETS[0], known);
  jit::request launch = request;
  launch.libraries.push_back({"libm.so.6", "/lib/libm.so.6", "1"});
  launch.captured.push_back({0, {1, 2}});
  launch.host = "another";
  EXPECT_EQ(key_ahead_of_time(launch, TARGETS[0], known), key);
  EXPECT_NE(key_ahead_of_time(launch, TARGETS[1], known), key);
  launch.constants.push_back({0, "constant", {1}});
  EXPECT_NE(key_ahead_of_time(launch, TARGETS[0], known), key);
  known.narrow_indices = true;
  EXPECT_NE(key_ahead_of_time(request, TARGETS[0], known), key);
}

TEST(ahead_of_time, devices_run_code_of_earlier_ones) {
  EXPECT_GT(suitability_of_ptx("sm_90", "sm_90"), suitability_of_ptx("sm_80", "sm_90"));
  EXPECT_GT(suitability_of_ptx("sm_80", "sm_90"), 0);
  EXPECT_EQ(suitability_of_ptx("sm_100", "sm_90"), 0);
#ifdef __x86_64__
  const cpu_target native = cpu_target_of("native"), oldest = cpu_target_of("x86-64");
  EXPECT_GT(suitability_of_cpu("x86-64", native), 0);
  EXPECT_GT(suitability_of_cpu("x86-64", oldest), 0);
  EXPECT_EQ(suitability_of_cpu("x86-64-v2", oldest), 0);
  EXPECT_EQ(suitability_of_cpu("no such processor", native), 0);
#endif
}

} // namespace
