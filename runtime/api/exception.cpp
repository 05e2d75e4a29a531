// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/exception.hpp"

#include "devices/context_state.hpp"
#include "process/ref_counted.hpp"
#include "sycl/context.hpp"

#include <utility>

namespace falx {

class exception_state final : public ref_counted {
public:
  exception_state(std::string the_message, handle<context_state> the_context)
      : message(std::move(the_message)), context(std::move(the_context)) {}

  const std::string message;
  const handle<context_state> context;
};

void retain(exception_state* state) noexcept {
  state->retain_reference();
}
void release(exception_state* state) noexcept {
  state->release_reference();
}

} // namespace falx

namespace sycl {
namespace {

class category final : public std::error_category {
public:
  const char* name() const noexcept override { return "sycl"; }
  std::string message(int value) const override {
    switch (static_cast<errc>(value)) {
    case errc::success:
      return "no error";
    case errc::runtime:
      return "error in the SYCL runtime";
    case errc::kernel:
      return "error while a kernel was submitted";
    case errc::accessor:
      return "error with an accessor";
    case errc::nd_range:
      return "the nd_range does not suit the kernel or the device";
    case errc::event:
      return "error with an event";
    case errc::kernel_argument:
      return "invalid argument of a kernel";
    case errc::build:
      return "device code could not be compiled or linked";
    case errc::invalid:
      return "invalid use of SYCL";
    case errc::memory_allocation:
      return "memory could not be allocated";
    case errc::platform:
      return "error in a platform";
    case errc::profiling:
      return "profiling information is not available";
    case errc::feature_not_supported:
      return "the device does not support an optional feature";
    case errc::kernel_not_supported:
      return "the device does not support the kernel";
    case errc::backend_mismatch:
      return "the object belongs to another backend";
    }
    return "unknown SYCL error " + std::to_string(value);
  }
};

falx::handle<falx::exception_state> make_state(std::string message,
                                               falx::handle<falx::context_state> context = {}) {
  return falx::handle<falx::exception_state>::adopt(
      new falx::exception_state(std::move(message), std::move(context)));
}

} // namespace

const std::error_category& sycl_category() noexcept {
  static const category instance;
  return instance;
}

std::error_code make_error_code(errc e) noexcept {
  return {static_cast<int>(e), sycl_category()};
}

exception::exception(std::error_code ec, const std::string& what_arg)
    : code_(ec), state_(make_state(what_arg)) {}
exception::exception(std::error_code ec, const char* what_arg) : code_(ec), state_(make_state(what_arg)) {}
exception::exception(std::error_code ec) : code_(ec), state_(make_state(ec.message())) {}
exception::exception(int ev, const std::error_category& ecat, const std::string& what_arg)
    : exception(std::error_code(ev, ecat), what_arg) {}
exception::exception(int ev, const std::error_category& ecat, const char* what_arg)
    : exception(std::error_code(ev, ecat), what_arg) {}
exception::exception(int ev, const std::error_category& ecat) : exception(std::error_code(ev, ecat)) {}

exception::exception(context ctx, std::error_code ec, const std::string& what_arg)
    : code_(ec), state_(make_state(what_arg, detail::internals::state(ctx))) {}
exception::exception(context ctx, std::error_code ec, const char* what_arg)
    : code_(ec), state_(make_state(what_arg, detail::internals::state(ctx))) {}
exception::exception(context ctx, std::error_code ec)
    : code_(ec), state_(make_state(ec.message(), detail::internals::state(ctx))) {}
exception::exception(context ctx, int ev, const std::error_category& ecat, const std::string& what_arg)
    : exception(std::move(ctx), std::error_code(ev, ecat), what_arg) {}
exception::exception(context ctx, int ev, const std::error_category& ecat, const char* what_arg)
    : exception(std::move(ctx), std::error_code(ev, ecat), what_arg) {}
exception::exception(context ctx, int ev, const std::error_category& ecat)
    : exception(std::move(ctx), std::error_code(ev, ecat)) {}

exception::~exception() = default;

const std::error_code& exception::code() const noexcept {
  return code_;
}
const std::error_category& exception::category() const noexcept {
  return code_.category();
}
const char* exception::what() const noexcept {
  return state_->message.c_str();
}
bool exception::has_context() const noexcept {
  return static_cast<bool>(state_->context);
}

context exception::get_context() const {
  if (!has_context())
    throw exception(make_error_code(errc::invalid),
                    "sycl::exception::get_context was called on an exception without a context; ask "
                    "has_context first");
  return detail::internals::make<context>(state_->context);
}

} // namespace sycl
