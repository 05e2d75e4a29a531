// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/exception.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

sycl::async_handler rethrow = [](sycl::exception_list errors) {
  for (const std::exception_ptr& error : errors)
    std::rethrow_exception(error);
};
bool is_invalid(const sycl::exception& error) {
  return error.code() == sycl::errc::invalid && error.category() == sycl::sycl_category() &&
         sycl::make_error_code(sycl::errc::build) != error.code();
}
static_assert(std::is_error_code_enum<sycl::errc>::value);
