// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/dynamic_functions.hpp"
#include "sycl/detail/configured_kernel.hpp"
#include "sycl/feature_test.hpp"

#include <type_traits>
#include <vector>

/// \file
/// AdaptiveCpp's extension DYNAMIC_FUNCTIONS.

namespace sycl::jit {

/// For the body of a dynamic function's default definition: says that other definitions use the arguments.
/// With Falx that need not be said, as calls are replaced before anybody looks into the function.
template <typename... Args>
void arguments_are_used(Args&&...) noexcept {}

/// A function by its identity, without its type.
class dynamic_function_id {
public:
  dynamic_function_id() = default;
  explicit dynamic_function_id(const falx::function_descriptor* handle) noexcept : handle_(handle) {}

  const falx::function_descriptor* get_handle() const noexcept { return handle_; }

private:
  const falx::function_descriptor* handle_ = nullptr;
};

/// A function whose calls in kernels may be replaced. Constructed from a function that is named right there,
/// such as &my_function, which may be just declared; a pointer from elsewhere is a compile-time error.
template <class Ret, typename... Args>
class dynamic_function {
public:
  FALX_NAMES_FUNCTIONS(1)
  dynamic_function(Ret (*func)(Args...))
      : id_(falx::descriptor_of(reinterpret_cast<falx::any_function>(func), "dynamic_function")) {}

  dynamic_function_id id() const noexcept { return id_; }

private:
  dynamic_function_id id_;
};

/// A function that may take the place of another. Likewise named right where it is passed; defined in the
/// same translation unit or declared SYCL_EXTERNAL.
template <class Ret, typename... Args>
class dynamic_function_definition {
public:
  FALX_NAMES_FUNCTIONS(0)
  dynamic_function_definition(Ret (*func)(Args...))
      : id_(falx::descriptor_of(reinterpret_cast<falx::any_function>(func), "dynamic_function_definition")) {}

  dynamic_function_id id() const noexcept { return id_; }

private:
  dynamic_function_id id_;
};

/// Which definitions the dynamic functions of a kernel have. Not thread-safe. Copies, and what apply gave
/// before, do not change with it; it may be destroyed as soon as apply has been called.
class dynamic_function_config {
public:
  /// Has calls of \p func call \p definition, from the next apply on. Both have to be functions that are
  /// named right there, as for dynamic_function and dynamic_function_definition.
  template <class Ret, typename... Args>
  FALX_NAMES_FUNCTIONS(1)
  void define(Ret (*func)(Args...), Ret (*definition)(Args...)) {
    define(id_of(func, "define"), id_of(definition, "define"));
  }
  template <class Ret, typename... Args>
  void define(dynamic_function<Ret, Args...> df, dynamic_function_definition<Ret, Args...> definition) {
    define(df.id(), definition.id());
  }
  /// That both have the same type is checked when a kernel is compiled. Throws errc::invalid for
  /// default-constructed ids.
  void define(dynamic_function_id function, dynamic_function_id definition) {
    const falx::function_descriptor* const handle = definition.get_handle();
    falx::replace_function(replacements_, function.get_handle(), &handle, 1);
  }

  /// Has calls of \p func call all of \p definitions, in their order. With none, they do nothing.
  template <typename... Args>
  FALX_NAMES_FUNCTIONS(1)
  void define_as_call_sequence(void (*func)(Args...),
                               const std::vector<dynamic_function_definition<void, Args...>>& definitions) {
    define_as_call_sequence(id_of(func, "define_as_call_sequence"), ids_of(definitions));
  }
  template <typename... Args>
  void define_as_call_sequence(dynamic_function<void, Args...> call,
                               const std::vector<dynamic_function_definition<void, Args...>>& definitions) {
    define_as_call_sequence(call.id(), ids_of(definitions));
  }
  void define_as_call_sequence(dynamic_function_id func,
                               const std::vector<dynamic_function_id>& definitions) {
    std::vector<const falx::function_descriptor*> handles;
    handles.reserve(definitions.size());
    for (const dynamic_function_id& definition : definitions)
      handles.push_back(definition.get_handle());
    falx::replace_function(replacements_, func.get_handle(), handles.data(), handles.size());
  }
  /// The same with pointers, to functions that the call names, that the initializer of a variable in the call
  /// names, or that are declared with SYCL_EXTERNAL. Throws errc::invalid for others.
  template <typename... Args, class Pointers,
            std::enable_if_t<std::is_same_v<Pointers, std::vector<void (*)(Args...)>>, int> = 0>
  FALX_NAMES_FUNCTIONS(1)
  void define_as_call_sequence(void (*func)(Args...), const Pointers& definitions) {
    std::vector<dynamic_function_id> ids;
    ids.reserve(definitions.size());
    for (void (*const definition)(Args...) : definitions)
      ids.push_back(id_of(definition, "define_as_call_sequence"));
    define_as_call_sequence(id_of(func, "define_as_call_sequence"), ids);
  }

  /// A kernel function, for any function that launches kernels, in which the dynamic functions are defined as
  /// they are now.
  template <class Kernel>
  auto apply(Kernel k) const {
    static_assert(!detail::is_configured_kernel_v<Kernel>,
                  "only one dynamic_function_config may be applied to a kernel");
    return detail::configured_kernel<Kernel>{static_cast<Kernel&&>(k), replacements_};
  }

private:
  template <class Ret, typename... Args>
  static dynamic_function_id id_of(Ret (*func)(Args...), const char* interface) {
    return dynamic_function_id(falx::descriptor_of(reinterpret_cast<falx::any_function>(func), interface));
  }
  template <typename... Args>
  static std::vector<dynamic_function_id>
  ids_of(const std::vector<dynamic_function_definition<void, Args...>>& definitions) {
    std::vector<dynamic_function_id> ids;
    ids.reserve(definitions.size());
    for (const dynamic_function_definition<void, Args...>& definition : definitions)
      ids.push_back(definition.id());
    return ids;
  }

  falx::handle<falx::function_replacements> replacements_;
};

} // namespace sycl::jit
