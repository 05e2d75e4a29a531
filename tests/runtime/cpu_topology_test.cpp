// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cpu/cpu_topology.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace falx {
namespace {

/// Files as Linux has them for a machine of two NUMA nodes with two cores of two threads each: threads i and
/// i + 4 are one core, whose caches of levels 1 and 2 are its own; a node has a cache of level 3.
class machine : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "falx-topology-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    write("node/node0/cpulist", "0-1,4-5");
    write("node/node1/cpulist", "2-3,6-7");
    write("node/possible", "0-1");
    for (unsigned i = 0; i < 8; ++i) {
      const std::string core = fmt::format("{},{}", i % 4, i % 4 + 4);
      add_cache(i, 0, "1", "Data", core);
      add_cache(i, 1, "1", "Instruction", core);
      add_cache(i, 2, "2", "Unified", core);
      add_cache(i, 3, "3", "Unified", i % 4 < 2 ? "0-1,4-5" : "2-3,6-7");
    }
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::vector<processor_list> sharing(memory_level level, const processor_list& processors) const {
    return processors_sharing(level, processors, root_.string());
  }

  std::filesystem::path root_;

private:
  void write(const std::string& name, std::string_view line) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << line << '\n';
  }
  void add_cache(unsigned processor, unsigned index, std::string_view level, std::string_view type,
                 std::string_view shared) {
    const std::string cache = fmt::format("cpu/cpu{}/cache/index{}/", processor, index);
    write(cache + "level", level);
    write(cache + "type", type);
    write(cache + "shared_cpu_list", shared);
  }
};

using lists = std::vector<processor_list>;

TEST_F(machine, processors_are_found_by_what_they_share) {
  const processor_list all{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(sharing(memory_level::numa_node, all), (lists{{0, 1, 4, 5}, {2, 3, 6, 7}}));
  EXPECT_EQ(sharing(memory_level::l4_cache, all), lists{});
  EXPECT_EQ(sharing(memory_level::l3_cache, all), (lists{{0, 1, 4, 5}, {2, 3, 6, 7}}));
  EXPECT_EQ(sharing(memory_level::l2_cache, all), (lists{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(sharing(memory_level::l1_cache, all), (lists{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
}

TEST_F(machine, processors_of_others_are_left_out) {
  EXPECT_EQ(sharing(memory_level::numa_node, {1, 5}), (lists{{1, 5}}));
  EXPECT_EQ(sharing(memory_level::l2_cache, {1, 4, 6}), (lists{{4}, {1}, {6}}));
}

TEST_F(machine, what_shares_is_sorted_together) {
  EXPECT_EQ(sorted_by_topology({7, 6, 5, 4, 3, 2, 1, 0}, root_.string()),
            (processor_list{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(cpu_topology, without_files_nothing_is_shared_and_the_order_is_by_number) {
  const std::string nowhere = "/nonexistent/falx";
  EXPECT_EQ(processors_sharing(memory_level::numa_node, {0, 1}, nowhere), lists{});
  EXPECT_EQ(processors_sharing(memory_level::l3_cache, {0, 1}, nowhere), lists{});
  EXPECT_EQ(sorted_by_topology({3, 1, 2}, nowhere), (processor_list{1, 2, 3}));
}

TEST(cpu_topology, lists_are_read_up_to_the_first_fault) {
  EXPECT_EQ(parse_processor_list("0-3,8,10-11"), (processor_list{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_processor_list("5"), (processor_list{5}));
  EXPECT_EQ(parse_processor_list(""), processor_list{});
  EXPECT_EQ(parse_processor_list("1,x,2"), (processor_list{1}));
  EXPECT_EQ(parse_processor_list("3-1"), processor_list{});
  EXPECT_EQ(parse_processor_list("2-"), processor_list{});
}

} // namespace
} // namespace falx
