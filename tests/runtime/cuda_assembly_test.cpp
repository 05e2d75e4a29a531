// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.hpp"

#include <string_view>

using namespace falx;
using namespace falx::test;
namespace {

/// The fake driver hands PTX out as machine code, so the result shows what it was given.
std::string assembled(std::string_view code) {
  const std::vector<unsigned char> bytes = gpus()[0]->backend().assemble(
      {reinterpret_cast<const unsigned char*>(code.data()), code.size()}, {"call", "call"});
  return {bytes.begin(), bytes.end() - 1};
}

std::string assembled_otherwise(std::string_view code) {
  const std::vector<unsigned char> bytes = gpus()[0]->backend().assemble_otherwise(
      {reinterpret_cast<const unsigned char*>(code.data()), code.size()}, {"call", "call"});
  return {bytes.begin(), bytes.end() - (bytes.empty() ? 0 : 1)};
}

TEST(cuda_assembly, a_large_group_leaves_room_for_others_if_that_spills_nothing) {
  EXPECT_EQ(assembled("FAKE\n.reqntid 32, 32, 1\n{}\n//uses 1024 44 0\n//dense 1024 32 0\n"),
            "FAKE\n.reqntid 32, 32, 1\n.minnctapersm 2\n{}\n//uses 1024 44 0\n//dense 1024 32 0\n");
  const std::string spills = "FAKE\n.reqntid 32, 32, 1\n//uses 1024 44 0\n//dense 1024 32 16\n";
  EXPECT_EQ(assembled(spills), spills);
}

TEST(cuda_assembly, what_the_host_computes_stays_behind_the_code) {
  const std::string line = "// falx-derived-arguments: function:32:0 result:32\n", end(1, '\0');
  const auto all_of = [](const std::vector<unsigned char>& bytes) {
    return std::string(bytes.begin(), bytes.end());
  };
  const auto code_with_line = [&](const std::string& code) {
    return std::vector<unsigned char>(code.begin(), code.end());
  };
  for (const std::string begin :
       {"FAKE\n", "FAKE\n.reqntid 32, 32, 1\n//uses 1024 44 0\n//dense 1024 32 0\n"}) {
    const std::string code =
        all_of(gpus()[0]->backend().assemble(code_with_line(begin + line), {"call", "call"}));
    EXPECT_TRUE(code.ends_with(end + line)) << code;
  }
  const std::string other = all_of(gpus()[0]->backend().assemble_otherwise(
      code_with_line("FAKE\n.reqntid 256, 1, 1\n" + line), {"call", "call"}));
  EXPECT_TRUE(other.ends_with(end + line)) << other;
  const std::string text = "FAKE\n\tdiv.rn.f64 \t%fd3, %fd1, %fd2;\n" + line; // stays PTX
  EXPECT_EQ(all_of(gpus()[0]->backend().assemble(code_with_line(text), {"call", "call"})), text + end);
}

TEST(cuda_assembly, groups_that_fit_several_times_and_groups_of_unknown_size_are_assembled_once) {
  for (const std::string code :
       {"FAKE\n.reqntid 32, 32, 1\n//uses 1024 32 0\n", "FAKE\n.reqntid 16, 16, 1\n//uses 256 200 0\n",
        "FAKE\n//uses 1024 64 0\n"}) {
    const int before = fake_driver().calls("cuLinkComplete");
    EXPECT_EQ(assembled(code), code);
    EXPECT_EQ(fake_driver().calls("cuLinkComplete"), before + 1);
  }
}

TEST(cuda_assembly, kernels_whose_instructions_call_subroutines_stay_ptx) {
  for (const std::string code :
       {"FAKE\n.reqntid 32, 2, 1\n\tdiv.rn.f64 \t%fd3, %fd1, %fd2;\n//uses 1024 32 0\n",
        "FAKE\n\trsqrt.approx.f64 \t%fd2, %fd1;\n//uses 256 200 0\n"}) {
    const int before = fake_driver().calls("cuLinkComplete");
    EXPECT_EQ(assembled(code), code);
    EXPECT_EQ(fake_driver().calls("cuLinkComplete"), before);
  }
}

TEST(cuda_assembly, what_waits_at_barriers_gets_more_registers_if_no_group_is_lost_or_something_spilled) {
  const std::string begin = "FAKE\n.reqntid 256, 1, 1\n", demand = ".minnctapersm 1\n",
                    code = "\tdiv.rn.f64 \t%fd3, %fd1, %fd2;\n\tbar.sync \t0;\n";
  for (const std::string resources :
       {"//uses 256 33 0\n//dense 256 40 0\n", "//uses 256 32 8\n//dense 256 64 0\n"})
    EXPECT_EQ(assembled(begin + code + resources), begin + demand + code + resources);
  const std::string loses_groups = "//uses 256 32 0\n//dense 256 52 0\n";
  EXPECT_EQ(assembled(begin + code + loses_groups), begin + code + loses_groups);
}

TEST(cuda_assembly, what_spills_gets_more_registers) {
  const std::string begin = "FAKE\n.reqntid 256, 1, 1\n", demand = ".minnctapersm 1\n",
                    code = "\tdiv.rn.f64 \t%fd3, %fd1, %fd2;\n";
  const std::string spills = "//uses 256 32 8\n//dense 256 64 0\n";
  EXPECT_EQ(assembled(begin + code + spills), begin + demand + code + spills);
  for (const std::string resources :
       {"//uses 256 32 0\n//dense 256 64 0\n", "//uses 256 32 8\n//dense 256 64 8\n"})
    EXPECT_EQ(assembled(begin + code + resources), begin + code + resources);
}

TEST(cuda_assembly, what_waits_at_barriers_leaves_room_for_others_for_few_registers) {
  const std::string barrier = "\tbar.sync \t0;\n";
  // Five groups, six with 40 registers, eight with 32.
  const std::string begin = "FAKE\n.reqntid 256, 1, 1\n", end = "//uses 256 42 0\n//dense 256 32 0\n";
  EXPECT_EQ(assembled(begin + barrier + end), begin + ".minnctapersm 8\n" + barrier + end);
  for (const std::string& code : {begin + end,                                              // no barrier
                                  begin + barrier + "//uses 256 42 0\n//dense 256 32 8\n"}) // spills
    EXPECT_EQ(assembled(code), code);
  // Two groups spill, four do not.
  const std::string four = "FAKE\n.reqntid 512, 1, 1\n",
                    fits = barrier + "//uses 512 76 0\n//dense 512 64 8\n//dense@4 512 32 0\n";
  EXPECT_EQ(assembled(four + fits), four + ".minnctapersm 4\n" + fits);
  // All spill, but not what the assembler makes by itself.
  const std::string free = barrier + "//uses 512 76 0\n//dense 512 64 8\n//dense@4 512 32 28\n//free 512 ";
  EXPECT_EQ(assembled(four + free + "38 0\n"), "FAKE\n" + free + "38 0\n");
  for (const std::string resources : {"38 8\n", "80 0\n"})
    EXPECT_EQ(assembled(four + free + resources), four + free + resources);
  // One group is left even with 96 registers.
  const std::string large = "FAKE\n.reqntid 512, 1, 1\n" + barrier + "//uses 512 128 0\n//dense 512 96 0\n";
  const int before = fake_driver().calls("cuLinkComplete");
  EXPECT_EQ(assembled(large), large);
  EXPECT_EQ(fake_driver().calls("cuLinkComplete"), before + 1);
}

TEST(cuda_assembly, otherwise_without_the_group_size) {
  EXPECT_EQ(assembled_otherwise("FAKE\n.reqntid 32, 1, 1\n{}\n"), "FAKE\n{}\n");
  EXPECT_EQ(assembled_otherwise("FAKE\n.reqntid 32, 1, 1\n{\tbar.sync \t0;\n\tmul.rn.f32 \t%f1;\n}\n"),
            "FAKE\n{\tbar.sync \t0;\n\tmul.rn.f32 \t%f1;\n}\n");
  // The assembler has saved registers where it makes subroutines.
  const std::string division = "\tdiv.rn.f64 \t%fd3, %fd1, %fd2;\n";
  EXPECT_EQ(assembled_otherwise("FAKE\n.reqntid 32, 1, 1\n" + division),
            "FAKE\n.reqntid 32, 1, 1\n.minnctapersm 1\n" + division);
}

TEST(cuda_assembly, not_otherwise_where_that_changes_results_or_nothing) {
  const std::string begin = "FAKE\n.reqntid 32, 1, 1\n";
  for (const std::string& code :
       {std::string("FAKE\n{}\n"), begin + "\tmul.f32 \t%f1, %f2, %f3;\n",
        begin + "\tmul.ftz.f32 \t%f1, %f2, %f3;\n", begin + "\tdiv.rn.f32 \t%f1;\n\tbar.sync \t0;\n"})
    EXPECT_EQ(assembled_otherwise(code), "") << code;
}

} // namespace
