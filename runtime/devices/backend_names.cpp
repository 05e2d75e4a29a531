// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backend_names.hpp"

#include <cassert>
#include <fmt/format.h>

namespace falx {
namespace {

struct named_backend {
  std::string_view name;
  sycl::backend value;
};
constexpr named_backend NAMES[] = {
    {"cpu", sycl::backend::cpu},
    {"cuda", sycl::backend::cuda},
    {"hip", sycl::backend::hip},
    {"opencl", sycl::backend::opencl},
    {"level_zero", sycl::backend::level_zero},
};

} // namespace

sycl::backend backend_of(const backend& native) noexcept {
  for (const named_backend& each : NAMES)
    if (each.name == native.name())
      return each.value;
  assert(false && "a backend's name has no sycl::backend");
  return sycl::backend::cpu;
}

std::string_view name_of(sycl::backend which) noexcept {
  for (const named_backend& each : NAMES)
    if (each.value == which)
      return each.name;
  return "unknown";
}

} // namespace falx

namespace sycl::detail {

void check_backend(backend actual, backend wanted) {
  if (actual != wanted)
    throw exception(
        make_error_code(errc::backend_mismatch),
        fmt::format("interoperability with backend '{}' was asked of an object of backend '{}'; test "
                    "get_backend() first",
                    falx::name_of(wanted), falx::name_of(actual)));
}

void throw_foreign_information(const char* class_name) {
  throw exception(make_error_code(errc::backend_mismatch),
                  fmt::format("{}::get_backend_info: the information descriptor belongs to another backend; "
                              "Falx's backends have none of their own, use get_info",
                              class_name));
}

void throw_no_native_object(backend where) {
  throw exception(make_error_code(errc::feature_not_supported),
                  fmt::format("objects of backend '{}' have no native counterpart", falx::name_of(where)));
}

} // namespace sycl::detail
