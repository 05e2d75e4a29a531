// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/code_by_content.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// \file
/// What is kept of the JIT's answers for kernels that say the same, and for how long.

namespace {

using falx::code_by_content;
using falx::digest128;

falx::jit::response code_of(std::size_t bytes, unsigned char content) {
  falx::jit::response response;
  response.ok = true;
  response.binary.assign(bytes, content);
  return response;
}

digest128 key(std::uint64_t number) {
  return {.high = number % 2, .low = number};
}

TEST(code_by_content, gives_what_was_kept_with_all_of_the_answer) {
  code_by_content codes;
  EXPECT_FALSE(codes.find(key(1), "k"));
  falx::jit::response quick = code_of(3, 7);
  quick.is_quick = true;
  codes.keep(key(1), "k", quick);
  codes.keep(key(2), "k", code_of(5, 8));
  const std::optional<falx::jit::response> found = codes.find(key(1), "k");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->ok);
  EXPECT_TRUE(found->is_quick);
  EXPECT_EQ(found->binary, quick.binary);
  EXPECT_FALSE(codes.find({.high = 0, .low = 1}, "k")); // half of a key is none
}

TEST(code_by_content, names_the_entry_of_ptx_for_each_kernel) {
  code_by_content codes;
  const auto ptx_of = [](const std::string& kernel) {
    const std::string text =
        ".visible .entry " + kernel + "(\n\t.param .b64 " + kernel + "_param_0\n) { ret; }";
    falx::jit::response response;
    response.ok = true;
    response.binary.assign(text.begin(), text.end());
    return response;
  };
  codes.keep(key(1), "one.kernel", ptx_of("one_kernel"));
  EXPECT_EQ(codes.find(key(1), "another")->binary, ptx_of("another").binary);
  EXPECT_EQ(codes.find(key(1), "one.kernel")->binary, ptx_of("one_kernel").binary);
}

TEST(code_by_content, keeps_nothing_that_names_a_kernel) {
  code_by_content codes;
  falx::jit::response failure;
  failure.diagnostic = "kernel 'k' cannot be compiled";
  codes.keep(key(1), "k", failure);
  falx::jit::response remarked = code_of(3, 7);
  remarked.remark = "kernel 'k' is not run as vectors";
  codes.keep(key(2), "k", remarked);
  EXPECT_FALSE(codes.find(key(1), "k"));
  EXPECT_FALSE(codes.find(key(2), "k"));
}

TEST(code_by_content, forgets_what_was_used_least_recently) {
  code_by_content codes;
  constexpr std::size_t QUARTER = code_by_content::MOST_BYTES / 4;
  for (std::uint64_t i = 0; i < 4; ++i)
    codes.keep(key(i), "k", code_of(QUARTER, static_cast<unsigned char>(i)));
  EXPECT_TRUE(codes.find(key(0), "k"));
  codes.keep(key(4), "k", code_of(QUARTER, 4));
  EXPECT_TRUE(codes.find(key(0), "k"));
  EXPECT_FALSE(codes.find(key(1), "k"));
  EXPECT_TRUE(codes.find(key(2), "k"));
  codes.keep(key(5), "k",
             code_of(8 * QUARTER, 5)); // larger than all that fits: it is there, and nothing else
  EXPECT_TRUE(codes.find(key(5), "k"));
  EXPECT_FALSE(codes.find(key(2), "k"));
}

} // namespace
