// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/backend.hpp"
#include "sycl/exception.hpp"

#include <string>

namespace falx {

/// What a backend throws for an error of its native API, so that programs can read the native code
/// (sycl::cuda::get_error_code).
class native_error final : public sycl::exception {
public:
  native_error(sycl::errc code, const std::string& text, sycl::backend the_backend, int the_error)
      : exception(code, text), backend(the_backend), error(the_error) {}

  const sycl::backend backend;
  const int error;
};

} // namespace falx
