// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "members.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

/// \file
/// Structures as a row of words, the form in which they go from libfalx to libfalx-jit.so and back. The two
/// may be built with different C++ libraries (libfalx-libc++.so), in which strings, views and vectors look
/// different. Numbers are a word each; text and bytes are an address, valid until the call returns, and a
/// size.

namespace falx::jit {

template <class Member>
concept encoded_as_memory =
    std::same_as<Member, std::string_view> || std::same_as<Member, std::string> ||
    std::same_as<Member, std::span<const unsigned char>> || std::same_as<Member, std::vector<unsigned char>>;

/// Adds what \p member holds. A kind of member without a case does not compile.
template <class Member>
void encode(const Member& member, std::vector<std::uint64_t>& words) {
  if constexpr (std::integral<Member>) {
    words.push_back(static_cast<std::uint64_t>(member));
  } else if constexpr (encoded_as_memory<Member>) {
    words.push_back(reinterpret_cast<std::uintptr_t>(member.data()));
    words.push_back(member.size());
  } else if constexpr (std::ranges::sized_range<Member>) {
    words.push_back(std::ranges::size(member));
    for (const auto& element : member)
      encode(element, words);
  } else {
    static_assert(std::is_aggregate_v<Member>, "a member that cannot be encoded");
    std::apply([&](const auto&... members) { (encode(members, words), ...); }, members_of(member));
  }
}

/// Reads into \p member what encode wrote; gives the first word behind it. Views show the memory of who
/// encoded them.
template <class Member>
const std::uint64_t* decode(const std::uint64_t* words, Member& member) {
  if constexpr (std::integral<Member>) {
    member = static_cast<Member>(*words++);
  } else if constexpr (encoded_as_memory<Member>) {
    using element = std::remove_reference_t<decltype(*member.data())>;
    const auto* const data = reinterpret_cast<const element*>(static_cast<std::uintptr_t>(words[0]));
    member = Member(data, data + words[1]);
    words += 2;
  } else if constexpr (std::ranges::sized_range<Member>) {
    const std::uint64_t size = *words++;
    if constexpr (!std::is_array_v<Member>)
      member.resize(size);
    for (auto& element : member)
      words = decode(words, element);
  } else {
    std::apply([&](auto&... members) { ((words = decode(words, members)), ...); }, members_of(member));
  }
  return words;
}

} // namespace falx::jit
