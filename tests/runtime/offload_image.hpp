// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace falx::test {

/// Writes device images for tests, intact unless a member is changed. Layout: header, entry, string entries,
/// text, bitcode.
struct offload_image {
  static constexpr std::size_t HEADER_SIZE = 32, ENTRY_SIZE = 40;

  std::vector<std::pair<std::string, std::string>> strings = {{"triple", "x86_64-pc-linux-gnu"},
                                                              {"arch", "generic"},
                                                              {"producer", "falx"},
                                                              {"falx.abi", "1"},
                                                              {"falx.sha256", std::string(64, 'a')},
                                                              {"falx.kernels", ""},
                                                              {"falx.exports", ""},
                                                              {"falx.imports", ""}};
  std::string bitcode = "BC\xC0\xDE some instructions";

  std::string& operator[](const std::string& key) {
    for (auto& [name, value] : strings)
      if (name == key)
        return value;
    return strings.emplace_back(key, "").second;
  }

  std::vector<unsigned char> bytes() const {
    const std::size_t text_begin = HEADER_SIZE + ENTRY_SIZE + strings.size() * 16;
    std::string text;
    std::vector<std::uint64_t> offsets;
    for (const auto& [key, value] : strings)
      for (const std::string& part : {key, value}) {
        offsets.push_back(text_begin + text.size());
        text += part + '\0';
      }
    const std::size_t bitcode_begin = (text_begin + text.size() + 7) / 8 * 8;
    const std::size_t size = (bitcode_begin + bitcode.size() + 7) / 8 * 8;

    std::vector<unsigned char> result = {0x10, 0xFF, 0x10, 0xAD, 1, 0, 0, 0};
    const auto number = [&](std::uint64_t value) {
      for (int shift = 0; shift < 64; shift += 8)
        result.push_back(static_cast<unsigned char>(value >> shift));
    };
    number(size);
    number(HEADER_SIZE);
    number(ENTRY_SIZE);
    number(2 | 8 << 16); // bitcode, for SYCL, no flags
    number(HEADER_SIZE + ENTRY_SIZE);
    number(strings.size());
    number(bitcode_begin);
    number(bitcode.size());
    for (std::uint64_t offset : offsets)
      number(offset);
    result.insert(result.end(), text.begin(), text.end());
    result.resize(bitcode_begin);
    result.insert(result.end(), bitcode.begin(), bitcode.end());
    result.resize(size);
    return result;
  }
};

/// Of an image in \p bytes, which names no kernels, constants or device globals.
inline image_registration registration_of(const std::vector<unsigned char>& bytes,
                                          std::uint64_t version = INTERFACE_VERSION) {
  image_registration registration{};
  registration.interface_version = version;
  registration.begin = bytes.data();
  registration.end = bytes.data() + bytes.size();
  return registration;
}

} // namespace falx::test
