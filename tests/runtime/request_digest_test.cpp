// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/request_digest.hpp"

#include "jit/request/members.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <functional>
#include <list>
#include <map>
#include <ranges>
#include <string>
#include <type_traits>

/// \file
/// Every member of a request, and of what it holds, is changed by itself: members that are added are found by
/// members_of, as the digest finds them.

namespace {

using namespace falx;

/// One of everything.
jit::request sample() {
  static constexpr unsigned char BITCODE[] = {'B', 'C'};
  jit::request request;
  request.images = {{BITCODE, "sha of the kernel's"}, {BITCODE, "sha of another"}};
  request.kernel = "kernel";
  request.kind = 1;
  request.dimensions = 2;
  request.target = "cpu";
  request.cpu = "haswell";
  request.features = "+avx2";
  request.host = "host";
  request.math_library = {BITCODE, "math"};
  request.libraries = {{"libm.so.6", "/lib/libm.so.6", "id 1"},
                       {"libsleef.so.3", "/lib/libsleef.so.3", "id 2"}};
  request.constants = {{0, "constant", {1, 2, 3}}};
  request.captured = {{8, {4, 5}}};
  request.aligned = {{16, 64}};
  request.integers = {{24, {6}}};
  request.disjoint = {8, 16};
  request.functions = {{"replaced", -1, {{1, "definition", true}}}};
  request.device_globals = {{0, "global", 0}};
  request.device_globals_offset = 24;
  return request;
}

/// Changes one member of a structure after the other, calls \p seen with its place, and changes it back.
class member_changes {
public:
  explicit member_changes(std::function<void(const std::string& place)> seen) : seen_(std::move(seen)) {}

  template <class Member>
  void visit(Member& member, const std::string& place) {
    const Member before = member;
    if constexpr (std::same_as<Member, jit::identified_bytes>) {
      visit(member.identity, place + ".identity"); // the bytes follow from it
      return;
    } else if constexpr (std::same_as<Member, std::string_view>) {
      member = longer_.emplace_back(std::string(before) + "'");
      seen_(place);
      member = {};
      seen_(place + " emptied");
    } else if constexpr (std::same_as<Member, bool>) {
      member = !before;
      seen_(place);
    } else if constexpr (std::integral<Member>) {
      for (const int shift : {0, 8 * static_cast<int>(sizeof(Member)) - 1}) {
        member = static_cast<Member>(static_cast<std::make_unsigned_t<Member>>(before) ^
                                     (std::make_unsigned_t<Member>{1} << shift));
        seen_(place + " bit " + std::to_string(shift));
      }
    } else if constexpr (std::is_array_v<Member>) {
      visit_elements(member, place);
    } else if constexpr (std::ranges::range<Member>) {
      ASSERT_FALSE(member.empty()) << place << ": give the sample one";
      visit_elements(member, place);
      member.push_back(before.back());
      seen_(place + " one more");
      member.clear();
      seen_(place + " none");
    } else {
      visit_members(member, place);
    }
    if constexpr (std::is_assignable_v<Member&, Member>)
      member = before;
  }

  template <class Structure>
  void visit_members(Structure& structure, const std::string& place) {
    std::size_t number = 0;
    std::apply([&](auto&... members) { (visit_one(members, place + '.' + std::to_string(number++)), ...); },
               jit::members_of(structure));
  }

private:
  /// Arrays cannot be copied as a whole.
  template <class Member>
  void visit_one(Member& member, const std::string& place) {
    if constexpr (std::is_array_v<Member>)
      visit_elements(member, place);
    else
      visit(member, place);
  }
  template <class Range>
  void visit_elements(Range& range, const std::string& place) {
    std::size_t number = 0;
    for (auto& element : range)
      visit(element, place + '[' + std::to_string(number++) + ']');
  }

  std::function<void(const std::string&)> seen_;
  std::list<std::string> longer_;
};

TEST(request_digest, every_member_counts) {
  jit::request request = sample();
  std::map<std::string, std::string> places; // by digest
  const auto note = [&](const std::string& place) {
    const auto [known, is_new] = places.emplace(digest_of(request, "JIT").hex(), place);
    EXPECT_TRUE(is_new) << place << " is as good as " << known->second;
  };
  note("nothing changed");
  member_changes(note).visit_members(request, "request");
  EXPECT_GT(places.size(), 80u);
  EXPECT_EQ(places[digest_of(request, "JIT").hex()], "nothing changed") << "all was changed back";
  EXPECT_EQ(places.count(digest_of(request, "another JIT").hex()), 0u);
}

TEST(request_digest, is_the_same_in_every_process) {
  // Of copies, whose texts lie elsewhere.
  const std::string kernel = "kernel";
  jit::request request = sample();
  request.kernel = kernel;
  EXPECT_EQ(digest_of(request, "JIT"), digest_of(sample(), "JIT"));
}

TEST(request_digest, bytes_without_a_name_are_digested) {
  static constexpr unsigned char ONE[] = {1}, TWO[] = {2};
  jit::request request = sample();
  request.math_library = {ONE, {}};
  const digest128 with_one = digest_of(request, "JIT");
  request.math_library = {TWO, {}};
  EXPECT_FALSE(digest_of(request, "JIT") == with_one);
}

} // namespace
