// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/jit.hpp"
#include "kernels/request_digest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace falx;

template <class Structure>
Structure sent(const Structure& object, std::size_t& words_left) {
  std::vector<std::uint64_t> words;
  jit::encode(object, words);
  Structure arrived;
  const std::uint64_t* const end = jit::decode(words.data(), arrived);
  words_left = static_cast<std::size_t>(words.data() + words.size() - end);
  return arrived;
}

TEST(request_encoding, keeps_every_member_of_a_request) {
  static constexpr std::array<unsigned char, 3> BITCODE = {'B', 'C', 7};
  jit::request request;
  request.images = {{BITCODE, {}}, {BITCODE, "another"}};
  request.kernel = "kernel";
  request.kind = 1;
  request.dimensions = 2;
  request.target = "cpu";
  request.math_library = {BITCODE, {}};
  request.libraries = {{"libm.so.6", "/lib/libm.so.6", "id"}};
  request.config.local_range[2] = 9;
  request.config.narrow_indices = true;
  request.constants = {{1, "constant", {1, 2, 3}}};
  request.captured = {{8, {4, 5}}, {16, {}}};
  request.aligned = {{16, 64}};
  request.disjoint = {8, 16};
  request.global_range[1] = std::uint64_t(1) << 40;
  request.functions = {{"replaced", -1, {{1, "definition", true}}}};
  request.device_globals = {{0, "global", 0}};
  request.device_globals_offset = 24;

  std::size_t words_left = 1;
  const jit::request arrived = sent(request, words_left);
  EXPECT_EQ(words_left, 0u);
  // The digest is that of all members.
  EXPECT_EQ(digest_of(arrived, "jit"), digest_of(request, "jit"));
  EXPECT_EQ(arrived.images[0].bytes.data(), BITCODE.data());
  EXPECT_EQ(arrived.functions[0].only_image, -1);
  EXPECT_EQ(arrived.captured[1].bytes, std::vector<unsigned char>());
}

TEST(request_encoding, keeps_a_response) {
  jit::response response;
  response.ok = true;
  response.binary = {1, 2, 255};
  response.diagnostic = std::string("with\0zero", 9);
  std::size_t words_left = 1;
  const jit::response arrived = sent(response, words_left);
  EXPECT_EQ(words_left, 0u);
  EXPECT_TRUE(arrived.ok);
  EXPECT_EQ(arrived.binary, response.binary);
  EXPECT_EQ(arrived.diagnostic, response.diagnostic);
  EXPECT_EQ(arrived.remark, "");
}

} // namespace
