// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/exception.hpp"

/// The code of the sycl::exception that \p function throws; success if it throws none.
template <class Function>
sycl::errc thrown_code(Function&& function) {
  try {
    function();
  } catch (const sycl::exception& exception) {
    return static_cast<sycl::errc>(exception.code().value());
  }
  return sycl::errc::success;
}

template <class Function>
bool throws_invalid(Function&& function) {
  return thrown_code(function) == sycl::errc::invalid;
}
