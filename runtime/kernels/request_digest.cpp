// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "request_digest.hpp"

#include "jit/request/members.hpp"

#include <concepts>
#include <ranges>
#include <type_traits>

namespace falx {
namespace {

std::string_view text_of(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// One case per kind of member that a request may have. A kind without one does not compile: members without
/// an order or a fixed meaning, such as pointers, have no place in a request.
template <class Member>
void add(digest_builder& key, const Member& member) {
  if constexpr (std::same_as<Member, jit::identified_bytes>) {
    key.add(member.identity);
    if (member.identity.empty())
      key.add(text_of(member.bytes));
  } else if constexpr (std::same_as<Member, std::string_view>) {
    key.add(member);
  } else if constexpr (std::integral<Member>) {
    key.add(static_cast<std::uint64_t>(member));
  } else if constexpr (std::same_as<Member, std::vector<unsigned char>>) {
    key.add(text_of(member));
  } else if constexpr (std::ranges::sized_range<Member>) {
    key.add(std::ranges::size(member));
    for (const auto& element : member)
      add(key, element);
  } else {
    static_assert(std::is_aggregate_v<Member>, "a member of jit::request that has no digest");
    std::apply([&](const auto&... members) { (add(key, members), ...); }, jit::members_of(member));
  }
}

} // namespace

digest128 digest_of(const jit::request& request, std::string_view jit_identity) {
  digest_builder key;
  key.add(jit_identity);
  add(key, request);
  return key.finish();
}

} // namespace falx
