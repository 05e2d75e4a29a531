// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/exception.hpp"

#include <gtest/gtest.h>
#include <string>

/// What the sycl::exception says that \p function throws. A failure of the test if it throws none, or one
/// with another code than \p expected.
template <class Function>
std::string message_of(sycl::errc expected, Function&& function) {
  try {
    function();
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), expected) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline bool mentions(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}
