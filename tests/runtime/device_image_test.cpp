// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/device_image.hpp"
#include "offload_image.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace {

using falx::image::device_image;
using falx::image::kernel_metadata;
using falx::test::offload_image;

/// Parses a copy that ends where the heap block ends, so that AddressSanitizer sees a read too far.
bool parses(const std::vector<unsigned char>& bytes, std::string& error) {
  const auto copy = std::make_unique<unsigned char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  error.clear();
  return falx::image::parse({copy.get(), bytes.size()}, error).has_value();
}

kernel_metadata some_kernel() {
  kernel_metadata kernel;
  kernel.name = "_ZN4falx5entryI6kernelE";
  kernel.kind = 2;
  kernel.dimensions = 3;
  kernel.function_size = 72;
  kernel.function_alignment = 8;
  kernel.accessor_offsets = {0, 17, 56}; // the second of one word
  kernel.specialized_parts = {{16, 24}, {40, 8}};
  kernel.captured_values = {{8, 4}, {48, 2}};
  kernel.captured_pointers = {64};
  kernel.reqd_work_group_size = {8, 4, 2};
  kernel.work_group_size_hint = {16};
  kernel.reqd_sub_group_size = 16;
  kernel.aspects = {32, 7};
  kernel.pretty_name = "(lambda at größe.cpp:3:5), with commas";
  kernel.has_local_accessors = true;
  return kernel;
}

offload_image some_image() {
  offload_image image;
  kernel_metadata second;
  second.name = "second";
  second.function_size = 1;
  image["falx.kernels"] =
      falx::image::format_kernel_line(some_kernel()) + '\n' + falx::image::format_kernel_line(second) + '\n';
  image["falx.exports"] = "_Z1fv\n_Z1gi\n";
  image["falx.imports"] = "_Z1hv";
  return image;
}

TEST(device_image, gives_back_constants) {
  offload_image with_constants = some_image();
  with_constants["falx.constants"] = falx::image::format_constant_line({"_ZL2id", 4, false, {"second"}}) +
                                     '\n' + falx::image::format_constant_line({"wide", 128, true, {}}) + '\n';
  const std::vector<unsigned char> bytes = with_constants.bytes();
  std::string error;
  const std::optional<device_image> image = falx::image::parse(bytes, error);
  ASSERT_TRUE(image) << error;
  ASSERT_EQ(image->constants.size(), 2u);
  EXPECT_EQ(image->constants[0].symbol, "_ZL2id");
  EXPECT_EQ(image->constants[0].size, 4u);
  EXPECT_FALSE(image->constants[0].read_by_exports);
  EXPECT_EQ(image->constants[0].kernels, (std::vector<std::string_view>{"second"}));
  EXPECT_EQ(image->constants[1].symbol, "wide");
  EXPECT_TRUE(image->constants[1].read_by_exports);
  EXPECT_TRUE(image->constants[1].kernels.empty());
}

TEST(device_image, gives_back_device_globals) {
  offload_image with_globals = some_image();
  with_globals["falx.globals"] =
      falx::image::format_global_line({"_ZL5table", 400, 64, false, true, {"second"}}) + '\n' +
      falx::image::format_global_line({"scoped", 4, 4, true, false, {}}) + '\n';
  const std::vector<unsigned char> bytes = with_globals.bytes();
  std::string error;
  const std::optional<device_image> image = falx::image::parse(bytes, error);
  ASSERT_TRUE(image) << error;
  ASSERT_EQ(image->globals.size(), 2u);
  EXPECT_EQ(image->globals[0].symbol, "_ZL5table");
  EXPECT_EQ(image->globals[0].size, 400u);
  EXPECT_EQ(image->globals[0].alignment, 64u);
  EXPECT_FALSE(image->globals[0].image_scope);
  EXPECT_TRUE(image->globals[0].used_by_exports);
  EXPECT_EQ(image->globals[0].kernels, (std::vector<std::string_view>{"second"}));
  EXPECT_TRUE(image->globals[1].image_scope);
  EXPECT_FALSE(image->globals[1].used_by_exports);
  EXPECT_TRUE(image->globals[1].kernels.empty());
}

TEST(device_image, gives_back_what_was_written) {
  const std::vector<unsigned char> bytes = some_image().bytes();
  std::string error;
  const std::optional<device_image> image = falx::image::parse(bytes, error);
  ASSERT_TRUE(image) << error;
  EXPECT_EQ(image->triple, "x86_64-pc-linux-gnu");
  EXPECT_EQ(image->sha256, std::string(64, 'a'));
  EXPECT_EQ(std::string(image->bitcode.begin(), image->bitcode.end()), offload_image().bitcode);
  EXPECT_EQ(image->exports, (std::vector<std::string_view>{"_Z1fv", "_Z1gi"}));
  EXPECT_EQ(image->imports, (std::vector<std::string_view>{"_Z1hv"}));
  ASSERT_EQ(image->kernels.size(), 2u);
  const kernel_metadata& kernel = image->kernels[0];
  const kernel_metadata expected = some_kernel();
  EXPECT_EQ(kernel.name, expected.name);
  EXPECT_EQ(kernel.kind, expected.kind);
  EXPECT_EQ(kernel.dimensions, expected.dimensions);
  EXPECT_EQ(kernel.function_size, expected.function_size);
  EXPECT_EQ(kernel.function_alignment, expected.function_alignment);
  EXPECT_EQ(kernel.accessor_offsets, expected.accessor_offsets);
  EXPECT_EQ(kernel.specialized_parts, expected.specialized_parts);
  EXPECT_EQ(kernel.captured_values, expected.captured_values);
  EXPECT_EQ(kernel.captured_pointers, expected.captured_pointers);
  EXPECT_EQ(kernel.reqd_work_group_size, expected.reqd_work_group_size);
  EXPECT_EQ(kernel.work_group_size_hint, expected.work_group_size_hint);
  EXPECT_EQ(kernel.reqd_sub_group_size, expected.reqd_sub_group_size);
  EXPECT_EQ(kernel.aspects, expected.aspects);
  EXPECT_EQ(kernel.pretty_name, expected.pretty_name);
  EXPECT_TRUE(kernel.has_local_accessors);
  EXPECT_EQ(image->kernels[1].name, "second");
  EXPECT_FALSE(image->kernels[1].has_local_accessors);
}

/// Programs compiled before there was the field are of the same interface.
TEST(device_image, takes_kernels_for_users_of_local_memory_that_do_not_tell) {
  offload_image without = some_image();
  kernel_metadata kernel = some_kernel();
  kernel.has_local_accessors = false;
  std::string line = falx::image::format_kernel_line(kernel);
  without["falx.kernels"] = line.substr(0, line.size() - 2) + '\n';
  const std::vector<unsigned char> bytes = without.bytes();
  std::string error;
  const auto image = falx::image::parse(bytes, error);
  ASSERT_TRUE(image) << error;
  EXPECT_TRUE(image->kernels.at(0).has_local_accessors);
  EXPECT_EQ(image->kernels[0].pretty_name, kernel.pretty_name);
}

TEST(device_image, may_be_unaligned_and_padded_and_hold_unknown_strings) {
  offload_image image = some_image();
  image["falx.from_the_future"] = "unknown";
  std::vector<unsigned char> bytes = image.bytes();
  bytes.insert(bytes.begin(), 0);
  bytes.resize(bytes.size() + 7);
  std::string error;
  EXPECT_TRUE(falx::image::parse(std::span(bytes).subspan(1), error)) << error;
}

TEST(device_image, truncated_anywhere_is_refused_with_a_sentence) {
  const std::vector<unsigned char> bytes = some_image().bytes();
  std::string error;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(parses({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}, error))
        << length;
    EXPECT_FALSE(error.empty());
  }
}

TEST(device_image, any_flipped_bit_is_survived) {
  const std::vector<unsigned char> bytes = some_image().bytes();
  std::string error;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::vector<unsigned char> damaged = bytes;
    damaged[bit / 8] ^= static_cast<unsigned char>(1u << bit % 8);
    EXPECT_NE(parses(damaged, error), !error.empty()) << "bit " << bit;
  }
}

TEST(device_image, no_offset_and_no_length_is_trusted) {
  const std::vector<unsigned char> bytes = some_image().bytes();
  const std::size_t numbers_end =
      offload_image::HEADER_SIZE + offload_image::ENTRY_SIZE + offload_image().strings.size() * 16;
  const std::uint64_t size = bytes.size();
  std::string error;
  for (std::size_t at = 8; at < numbers_end; at += 8)
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, size - 1, size, size + 1, std::uint64_t{1} << 32,
          std::uint64_t{1} << 60, std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{0} - 15}) {
      std::vector<unsigned char> damaged = bytes;
      for (int i = 0; i < 8; ++i)
        damaged[at + static_cast<std::size_t>(i)] = static_cast<unsigned char>(value >> 8 * i);
      const bool accepted = parses(damaged, error);
      EXPECT_NE(accepted, !error.empty());
      // A smaller number may happen to be right, like one that finds an empty string in the padding.
      if (value > size) {
        EXPECT_FALSE(accepted) << "offset " << at << ", value " << value;
      }
    }
}

TEST(device_image, text_without_end_is_refused) {
  // The value of the last string, made the last bytes of the image.
  offload_image image = some_image();
  std::vector<unsigned char> bytes = image.bytes();
  const std::size_t last_value =
      offload_image::HEADER_SIZE + offload_image::ENTRY_SIZE + image.strings.size() * 16 - 8;
  const std::size_t at = bytes.size();
  bytes.resize(at + 8, 'x');
  for (int i = 0; i < 8; ++i) {
    bytes[last_value + static_cast<std::size_t>(i)] = static_cast<unsigned char>(at >> 8 * i);
    bytes[8 + static_cast<std::size_t>(i)] = static_cast<unsigned char>(bytes.size() >> 8 * i);
  }
  std::string error;
  EXPECT_FALSE(parses(bytes, error));
  EXPECT_NE(error.find("falx.imports"), std::string::npos) << error;
  bytes.back() = 0;
  EXPECT_TRUE(parses(bytes, error)) << error;
}

TEST(device_image, each_string_must_be_there_once) {
  for (std::size_t i = 0; i < offload_image().strings.size(); ++i) {
    std::string error;
    offload_image missing = some_image();
    missing.strings.erase(missing.strings.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(parses(missing.bytes(), error));
    EXPECT_NE(error.find("missing"), std::string::npos) << error;
    offload_image twice = some_image();
    twice.strings.push_back(twice.strings[i]);
    EXPECT_FALSE(parses(twice.bytes(), error));
    EXPECT_NE(error.find("twice"), std::string::npos) << error;
  }
}

TEST(device_image, of_another_format_says_what_to_do) {
  offload_image image = some_image();
  image["falx.abi"] = "2";
  std::string error;
  EXPECT_FALSE(parses(image.bytes(), error));
  EXPECT_NE(error.find("recompile"), std::string::npos) << error;
}

TEST(device_image, wrong_strings_are_refused) {
  std::string error;
  for (const auto& [key, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"producer", "another"},
           {"arch", "sm_90"},
           {"triple", ""},
           {"falx.sha256", "0123"},
           {"falx.sha256", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
           {"falx.exports", "_Z1fv\n\n_Z1gv"},
           {"falx.constants", "id\t4"},
           {"falx.constants", "id\t0\t0"},
           {"falx.constants", "id\tx\t0"},
           {"falx.constants", "id\t4\t2"},
           {"falx.constants", "id\t4\t0\t\tk"},
           {"falx.constants", "\t4\t0"},
           {"falx.globals", "g\t4\t4\t0"},
           {"falx.globals", "g\t0\t4\t0\t0"},
           {"falx.globals", "g\t4\t3\t0\t0"},
           {"falx.globals", "g\t4\t4\t2\t0"},
           {"falx.globals", "g\t4\t4\t0\tyes"},
           {"falx.globals", "g\t4\t4\t0\t0\t\tk"},
           {"falx.imports", "_Z1f v"}}) {
    offload_image image = some_image();
    image[key] = value;
    EXPECT_FALSE(parses(image.bytes(), error)) << key << " = " << value;
  }
  offload_image no_bitcode = some_image();
  no_bitcode.bitcode = "text";
  EXPECT_FALSE(parses(no_bitcode.bytes(), error));
}

TEST(device_image, wrong_kernel_lines_are_refused) {
  const auto parses_line = [](const std::string& line, std::string& error) {
    offload_image image;
    image["falx.kernels"] = line;
    return parses(image.bytes(), error);
  };
  using fields = std::array<std::string, 14>;
  const auto line_of = [](const fields& texts) {
    std::string line;
    for (const std::string& text : texts)
      line += (&text == texts.data() ? "" : "\t") + text;
    return line;
  };
  const fields right = {"k", "0",  "1",       "24",  "8",        "0",    "1,2",
                        "4", "16", "0,4,8,8", "5,6", "4,4,16,8", "8,16", "name"};
  const std::string line = line_of(right);
  std::string error;
  EXPECT_TRUE(parses_line(line, error)) << error;
  for (const std::string& wrong : {line + "\tmore", line.substr(0, line.rfind('\t')), line + '\n' + line}) {
    error.clear();
    EXPECT_FALSE(parses_line(wrong, error)) << wrong;
    EXPECT_FALSE(error.empty());
  }
  const struct {
    std::size_t field;
    std::vector<std::string> wrong;
    std::string message;
  } cases[] = {
      {0, {""}, "name"},
      {1, {"4", ""}, "kind"},
      {2, {"0", "4", "-1"}, "dimensions"},
      {3, {"-1", "99999999999999999999"}, "function size"},
      {4, {"3", "0"}, "alignment"},
      {5, {"16", "4", "0,", "a"}, "accessor offset"},
      {6, {"1,2,3,4", "0", "1, 2"}, "required work-group size"},
      {7, {"1,2,3,4", "0"}, "work-group size hint"},
      {8, {"sixteen", ""}, "sub-group size"},
      {9, {"0", "0,25", "8,8,0,4", "24,1"}, "specialised parts"},
      {10, {"fp16", "1,"}, "aspects"},
      {11, {"0", "0,25", "8,8,0,4", "24,1"}, "captured values"},
      {12, {"17", "-8", "8,"}, "captured pointer"},
  };
  for (const auto& [field, texts, message] : cases)
    for (const std::string& text : texts) {
      fields changed = right;
      changed[field] = text;
      error.clear();
      EXPECT_FALSE(parses_line(line_of(changed), error)) << line_of(changed);
      EXPECT_NE(error.find(message), std::string::npos) << error;
    }
}

TEST(device_image, pretty_names_cannot_break_the_line) {
  kernel_metadata kernel = some_kernel();
  kernel.pretty_name = "a\tb\nc";
  offload_image image;
  image["falx.kernels"] = falx::image::format_kernel_line(kernel);
  const std::vector<unsigned char> bytes = image.bytes();
  std::string error;
  const std::optional<device_image> parsed = falx::image::parse(bytes, error);
  ASSERT_TRUE(parsed) << error;
  EXPECT_EQ(parsed->kernels.at(0).pretty_name, "a b c");
}

TEST(device_image, many_unknown_keys_with_one_long_text_cost_no_quadratic_time) {
  offload_image image = some_image();
  image["long"] = std::string(1 << 20, 'x');
  std::vector<unsigned char> bytes = image.bytes();
  // 2^17 more string entries behind the image, all with the long value for key.
  const auto get = [&](std::size_t at) {
    std::uint64_t value;
    std::memcpy(&value, &bytes[at], 8);
    return value;
  };
  const std::uint64_t long_value =
      get(offload_image::HEADER_SIZE + offload_image::ENTRY_SIZE + image.strings.size() * 16 - 8);
  const std::uint64_t table = bytes.size();
  constexpr std::uint64_t COUNT = 1 << 17;
  for (std::uint64_t i = 0; i < 2 * COUNT; ++i) {
    bytes.resize(bytes.size() + 8);
    std::memcpy(&bytes[bytes.size() - 8], &long_value, 8);
  }
  const std::uint64_t size = bytes.size();
  std::memcpy(&bytes[8], &size, 8);
  std::memcpy(&bytes[offload_image::HEADER_SIZE + 8], &table, 8);
  std::memcpy(&bytes[offload_image::HEADER_SIZE + 16], &COUNT, 8);
  std::string error;
  EXPECT_FALSE(parses(bytes, error)); // in 2^37 steps if each key were read to its end
}

} // namespace
