// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/context.hpp"
#include "sycl/exception.hpp"
#include "sycl/property_list.hpp"

#include <gtest/gtest.h>
#include <type_traits>

namespace test {
struct depth : sycl::detail::property_base {
  explicit depth(int the_value) : value(the_value) {}
  int value;
};
struct marker : sycl::detail::property_base {};
} // namespace test

TEST(exception, holds_code_category_and_message) {
  const sycl::exception error(sycl::make_error_code(sycl::errc::nd_range), "the group is too large");
  EXPECT_EQ(error.code(), sycl::errc::nd_range);
  EXPECT_STREQ(error.category().name(), "sycl");
  EXPECT_STREQ(error.what(), "the group is too large");
  EXPECT_FALSE(error.has_context());
}

TEST(exception, without_text_says_what_the_code_means) {
  const sycl::exception error(sycl::make_error_code(sycl::errc::build));
  EXPECT_EQ(std::string(error.what()), sycl::make_error_code(sycl::errc::build).message());
  EXPECT_FALSE(std::string(error.what()).empty());
}

TEST(exception, takes_codes_of_other_categories) {
  const sycl::exception error(17, std::generic_category(), "foreign");
  EXPECT_EQ(error.code().value(), 17);
  EXPECT_EQ(error.category(), std::generic_category());
}

TEST(exception, keeps_its_context) {
  const sycl::context context;
  const sycl::exception error(context, sycl::make_error_code(sycl::errc::invalid), "x");
  ASSERT_TRUE(error.has_context());
  EXPECT_EQ(error.get_context(), context);
}

TEST(exception, get_context_without_context_is_invalid) {
  const sycl::exception error(sycl::make_error_code(sycl::errc::runtime));
  try {
    error.get_context();
    FAIL() << "get_context did not throw";
  } catch (const sycl::exception& thrown) {
    EXPECT_EQ(thrown.code(), sycl::errc::invalid);
  }
}

TEST(exception, copies_share_the_text_and_do_not_throw) {
  static_assert(std::is_nothrow_copy_constructible_v<sycl::exception>);
  const sycl::exception error(sycl::make_error_code(sycl::errc::kernel), "text");
  const sycl::exception copy = error;
  EXPECT_EQ(copy.what(), error.what());
  EXPECT_THROW(throw copy, std::exception);
}

TEST(exception, is_an_error_code_enum) {
  static_assert(std::is_error_code_enum_v<sycl::errc>);
  const std::error_code code = sycl::errc::platform;
  EXPECT_EQ(code.category(), sycl::sycl_category());
  EXPECT_FALSE(std::error_code(sycl::errc::success));
}

TEST(property_list, finds_properties_by_type) {
  const sycl::property_list list{test::depth(3), test::marker()};
  const sycl::property_list copy = list;
  EXPECT_TRUE(copy.has_property<test::marker>());
  EXPECT_EQ(copy.get_property<test::depth>().value, 3);
  EXPECT_FALSE(sycl::property_list().has_property<test::marker>());
}

TEST(property_list, names_the_missing_property) {
  const sycl::property_list list{test::marker()};
  try {
    list.get_property<test::depth>();
    FAIL() << "get_property did not throw";
  } catch (const sycl::exception& thrown) {
    EXPECT_EQ(thrown.code(), sycl::errc::invalid);
    EXPECT_NE(std::string(thrown.what()).find("test::depth"), std::string::npos) << thrown.what();
  }
}

TEST(property_list, outlives_the_list_it_was_copied_from) {
  sycl::property_list kept;
  {
    sycl::property_list list{test::depth(7)};
    kept = list;
    list = sycl::property_list{test::marker()};
  }
  sycl::property_list moved = std::move(kept);
  EXPECT_EQ(moved.get_property<test::depth>().value, 7);
}
