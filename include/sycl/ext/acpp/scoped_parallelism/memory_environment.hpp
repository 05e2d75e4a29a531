// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/ext/acpp/scoped_parallelism/s_group.hpp"

#include <cstddef>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// Local memory, and private memory of logical work-items, in kernels of scoped parallelism (AdaptiveCpp,
/// SCOPED_PARALLELISM_V2).

namespace sycl {

namespace detail {

struct no_initial_value {};

template <class T, class Init = no_initial_value>
struct local_memory_request {
  Init value;
};
template <class T, class Init = no_initial_value>
struct private_memory_request {
  Init value;
};

template <class T>
T* allocate_local() noexcept {
  return static_cast<T*>(__falx_group_local_memory(sizeof(T), alignof(T)));
}

/// The type of the elements of an array of any dimensions.
template <class T>
using element_of = std::remove_all_extents_t<T>;

} // namespace detail

/// One T per logical work-item, which keeps its value from one distribute_items to the next. Made by
/// memory_environment.
template <class T, class SpGroup>
class s_private_memory {
public:
  [[deprecated("Use sycl::memory_environment() instead")]] explicit s_private_memory(const SpGroup&) noexcept
      : s_private_memory(detail::private_memory_request<T>{}) {}
  explicit s_private_memory(const detail::private_memory_request<T>&) noexcept {
    if constexpr (!std::is_trivially_default_constructible_v<T>)
      ::new (static_cast<void*>(&storage_)) T;
  }
  explicit s_private_memory(const detail::private_memory_request<T, T>& request) noexcept {
    ::new (static_cast<void*>(&storage_)) T(request.value);
  }
  s_private_memory(const s_private_memory&) = delete;
  s_private_memory& operator=(const s_private_memory&) = delete;

  T& operator()(const s_item<SpGroup::dimensions>&) noexcept { return *reinterpret_cast<T*>(&storage_); }

private:
  alignas(T) unsigned char storage_[sizeof(T)];
};

/// A T in local memory. Deprecated; use memory_environment.
template <class T, class Group>
class local_memory {
public:
  using scalar_type = std::remove_extent_t<T>;

  [[deprecated("Use sycl::memory_environment() instead")]] explicit local_memory(const Group&) noexcept
      : data_(detail::allocate_local<T>()) {}

  template <class U = T, std::enable_if_t<std::is_array_v<U>, int> = 0>
  [[deprecated("Use sycl::memory_environment() instead")]] scalar_type&
  operator[](std::size_t index) const noexcept {
    return (*data_)[index];
  }
  [[deprecated("Use sycl::memory_environment() instead")]] T& operator()() const noexcept { return *data_; }

private:
  T* data_;
};

/// Requests for memory_environment. Local memory that is not initialised holds any bytes.
template <class T>
auto require_local_mem() noexcept {
  return detail::local_memory_request<T>{};
}
/// Arrays of up to three dimensions have all elements initialised with \p x.
template <class T, class InitType>
auto require_local_mem(const InitType& x) noexcept {
  static_assert(std::is_array_v<T> ? std::is_convertible_v<InitType, detail::element_of<T>>
                                   : std::is_same_v<InitType, T>,
                "require_local_mem takes a value of the type itself, or of an array's elements");
  return detail::local_memory_request<T, detail::element_of<T>>{x};
}
template <class T>
auto require_private_mem() noexcept {
  return detail::private_memory_request<T>{};
}
template <class T>
auto require_private_mem(const T& x) noexcept {
  return detail::private_memory_request<T, T>{x};
}

namespace detail {

/// What a request becomes.
template <class Group, class Request>
struct granted_memory;

template <class Group, class T, class Init>
struct granted_memory<Group, local_memory_request<T, Init>> {
  static constexpr bool is_initialized = !std::is_same_v<Init, no_initial_value>;
  explicit granted_memory(const local_memory_request<T, Init>& request) noexcept
      : data(allocate_local<T>()), value(request.value) {}

  /// Shared out among the work-items.
  void initialize(const Group& g) noexcept {
    if constexpr (is_initialized) {
      constexpr std::size_t count = sizeof(T) / sizeof(Init);
      Init* const elements = reinterpret_cast<Init*>(data);
      const std::size_t step = g.get_physical_local_linear_range();
      for (std::size_t i = g.get_physical_local_linear_id(); i < count; i += step)
        ::new (static_cast<void*>(elements + i)) Init(value);
    }
  }
  T& get() noexcept { return *data; }

  T* data;
  Init value;
};

template <class Group, class T, class Init>
struct granted_memory<Group, private_memory_request<T, Init>> {
  static constexpr bool is_initialized = false;
  explicit granted_memory(const private_memory_request<T, Init>& request) noexcept : memory(request) {}

  void initialize(const Group&) noexcept {}
  s_private_memory<T, Group>& get() noexcept { return memory; }

  s_private_memory<T, Group> memory;
};

template <class Group, class Arguments, std::size_t... I>
void run_in_memory_environment(const Group& g, Arguments arguments, std::index_sequence<I...>) noexcept {
  std::tuple<granted_memory<Group, std::decay_t<std::tuple_element_t<I, Arguments>>>...> memory(
      std::get<I>(arguments)...);
  if constexpr ((std::tuple_element_t<I, decltype(memory)>::is_initialized || ...)) {
    group_barrier(g); // what was there before is still read, if this is a loop
    (std::get<I>(memory).initialize(g), ...);
    group_barrier(g);
  }
  std::get<sizeof...(I)>(arguments)(std::get<I>(memory).get()...);
}

} // namespace detail

/// Calls the last of \p args with references to the memory that the others request, in their order: T& for
/// local memory, s_private_memory<T, …>& for private memory.
template <class SpGroup, typename... Args>
void memory_environment(const SpGroup& g, Args&&... args) noexcept {
  static_assert(SpGroup::fence_scope == memory_scope::work_group,
                "memory_environment takes the work-group of a kernel that sycl::handler::parallel launched");
  static_assert(sizeof...(Args) > 0, "the last argument of memory_environment is a function");
  detail::run_in_memory_environment(g, std::forward_as_tuple(static_cast<Args&&>(args)...),
                                    std::make_index_sequence<sizeof...(Args) - 1>());
}

template <class T, class Group, class Function>
void local_memory_environment(const Group& g, Function&& f) noexcept {
  memory_environment(g, require_local_mem<T>(), static_cast<Function&&>(f));
}
template <class T, class Group, class Function>
void private_memory_environment(const Group& g, Function&& f) noexcept {
  memory_environment(g, require_private_mem<T>(), static_cast<Function&&>(f));
}

} // namespace sycl
