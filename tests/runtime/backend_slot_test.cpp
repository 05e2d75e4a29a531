// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/backend_slot.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using falx::backend_slot;

struct place {
  explicit place(int the_number) noexcept : number(the_number) {}
  int number;
};
/// As large and made of the same as the other.
struct other_place {
  explicit other_place(int the_number) noexcept : number(the_number) {}
  int number;
};
struct owner {
  explicit owner(std::shared_ptr<int> the_object) noexcept : object(std::move(the_object)) {}
  std::shared_ptr<int> object;
};

TEST(backend_slot, keeps_one_object) {
  backend_slot slot;
  EXPECT_EQ(slot.find<place>(), nullptr);
  place& made = slot.emplace<place>(4);
  made.number = 5;
  EXPECT_EQ(&slot.get<place>(), &made);
  EXPECT_EQ(slot.find<place>()->number, 5);
}

TEST(backend_slot, is_not_taken_for_another_type) {
  backend_slot slot;
  slot.emplace<place>(4);
  EXPECT_EQ(slot.find<other_place>(), nullptr);
  EXPECT_EQ(slot.find<owner>(), nullptr);
#ifndef NDEBUG
  EXPECT_DEATH(slot.get<other_place>(), "another type");
  EXPECT_DEATH(slot.emplace<place>(5), "already");
#endif
}

TEST(backend_slot, destroys_its_object) {
  const auto object = std::make_shared<int>(1);
  {
    backend_slot slot;
    slot.emplace<owner>(object);
    EXPECT_EQ(object.use_count(), 2);
  }
  EXPECT_EQ(object.use_count(), 1);
}

} // namespace
