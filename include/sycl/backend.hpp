// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/interop.hpp"
#include "falx/predefined_macros.hpp"
#include "sycl/bundle_state.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/detail/image_declarations.hpp"
#include "sycl/exception.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/image_sampler.hpp"

#include <iosfwd>
#include <type_traits>
#include <utility>

/// \file
/// Backends and interoperability with their native objects (SYCL 2020 §4.1, §4.5.1). A backend with native
/// objects specialises detail::native_interop in its own header, include/sycl/backend/<name>.hpp.

namespace sycl {

class platform;
class device;
class context;
class queue;
class event;
class kernel;

enum class backend : char {
  cpu,
  cuda,
  hip,
  opencl,
  level_zero,
  // Spellings that programs written for other implementations use.
  ext_oneapi_native_cpu = cpu,
  ext_oneapi_cuda = cuda,
  ext_oneapi_hip = hip,
  ext_oneapi_level_zero = level_zero,
  omp = cpu,
  ocl = opencl
};

/// Writes the enumerator's name; not in SYCL 2020, but in DPC++.
template <class Character, class Traits>
std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out, backend of) {
  switch (of) {
  case backend::cpu:
    return out << "cpu";
  case backend::cuda:
    return out << "cuda";
  case backend::hip:
    return out << "hip";
  case backend::opencl:
    return out << "opencl";
  case backend::level_zero:
    return out << "level_zero";
  }
  return out << "unknown";
}

namespace detail {

/// Throws errc::backend_mismatch if \p actual, the backend of an object, is not \p wanted.
void check_backend(backend actual, backend wanted);
/// Throws errc::backend_mismatch: no backend of Falx has information descriptors of its own, so those that
/// get_backend_info of \p class_name was given are another backend's.
[[noreturn]] void throw_foreign_information(const char* class_name);
/// Throws errc::feature_not_supported: objects of the backend have no native counterpart.
[[noreturn]] void throw_no_native_object(backend where);

/// Some objects, such as device images and buffers, are of no backend by themselves.
template <class T, class = void>
inline constexpr bool has_backend = false;
template <class T>
inline constexpr bool has_backend<T, std::void_t<decltype(std::declval<const T&>().get_backend())>> = true;

/// Stands for a native object that does not exist.
struct no_native_object {};

/// Native counterparts of SYCL class T. This primary template is for backends without any, such as the CPU.
template <backend Backend, class T>
struct native_interop {
  using input_type = no_native_object;
  using return_type = no_native_object;
  static return_type get(const T&) { throw_no_native_object(Backend); }
  /// Of what an interop_handle finds, a handle or a pointer.
  template <class Found>
  static return_type from(Found) {
    throw_no_native_object(Backend);
  }
  template <class... Context>
  static T make(const input_type&, const Context&...) {
    throw_no_native_object(Backend);
  }
};

/// Of the CPU's objects, buffers and images alone have a counterpart, and that in commands: their memory.
template <class Memory>
struct cpu_memory_interop : native_interop<backend::cpu, no_native_object> {
  using return_type = void*;
  static return_type get(const Memory&) { throw_no_native_object(backend::cpu); }
  static return_type from(void* memory) noexcept { return memory; }
  template <class... Context>
  static Memory make(const no_native_object&, const Context&...) {
    throw_no_native_object(backend::cpu);
  }
};
template <class T, int Dimensions, class AllocatorT>
struct native_interop<backend::cpu, buffer<T, Dimensions, AllocatorT>>
    : cpu_memory_interop<buffer<T, Dimensions, AllocatorT>> {};
template <int Dimensions, class AllocatorT>
struct native_interop<backend::cpu, sampled_image<Dimensions, AllocatorT>>
    : cpu_memory_interop<sampled_image<Dimensions, AllocatorT>> {};
template <int Dimensions, class AllocatorT>
struct native_interop<backend::cpu, unsampled_image<Dimensions, AllocatorT>>
    : cpu_memory_interop<unsampled_image<Dimensions, AllocatorT>> {};

} // namespace detail

/// The native types that stand for SYCL classes (SYCL 2020 §4.5.1.1).
template <backend Backend>
class backend_traits {
public:
  template <class T>
  using input_type = typename detail::native_interop<Backend, T>::input_type;
  template <class T>
  using return_type = typename detail::native_interop<Backend, T>::return_type;
};

template <backend Backend, typename SyclType>
using backend_input_t = typename backend_traits<Backend>::template input_type<SyclType>;
template <backend Backend, typename SyclType>
using backend_return_t = typename backend_traits<Backend>::template return_type<SyclType>;

/// The native object behind a SYCL object (SYCL 2020 §4.5.1.2). Throws errc::backend_mismatch if the object
/// is of another backend, and errc::feature_not_supported if it has no native counterpart.
template <backend Backend, class T>
backend_return_t<Backend, T> get_native(const T& syclObject) {
  if constexpr (detail::has_backend<T>)
    detail::check_backend(syclObject.get_backend(), Backend);
  return detail::native_interop<Backend, T>::get(syclObject);
}

/// SYCL objects from native ones (SYCL 2020 §4.5.1.3). Those that take a context throw errc::backend_mismatch
/// if it is of another backend; all throw errc::feature_not_supported if the backend has no native objects.
/// The parameters after Backend exist because the classes are incomplete here.
template <backend Backend, class Platform = platform>
Platform make_platform(const backend_input_t<Backend, Platform>& backendObject) {
  return detail::native_interop<Backend, Platform>::make(backendObject);
}

template <backend Backend, class Device = device>
Device make_device(const backend_input_t<Backend, Device>& backendObject) {
  return detail::native_interop<Backend, Device>::make(backendObject);
}

template <backend Backend, class Context = context>
Context make_context(const backend_input_t<Backend, Context>& backendObject,
                     const async_handler asyncHandler = {}) {
  return detail::native_interop<Backend, Context>::make(backendObject, asyncHandler);
}

template <backend Backend, class Queue = queue, class Context = context>
Queue make_queue(const backend_input_t<Backend, Queue>& backendObject, const Context& targetContext,
                 const async_handler asyncHandler = {}) {
  detail::check_backend(targetContext.get_backend(), Backend);
  return detail::native_interop<Backend, Queue>::make(backendObject, targetContext, asyncHandler);
}

template <backend Backend, class Event = event, class Context = context>
Event make_event(const backend_input_t<Backend, Event>& backendObject, const Context& targetContext) {
  detail::check_backend(targetContext.get_backend(), Backend);
  return detail::native_interop<Backend, Event>::make(backendObject, targetContext);
}

/// \p availableEvent says when the memory may be used.
template <backend Backend, typename T, int Dimensions = 1,
          typename AllocatorT = buffer_allocator<std::remove_const_t<T>>, class Context = context,
          class Event = event>
buffer<T, Dimensions, AllocatorT>
make_buffer(const backend_input_t<Backend, buffer<T, Dimensions, AllocatorT>>& backendObject,
            const Context& targetContext, Event availableEvent) {
  detail::check_backend(targetContext.get_backend(), Backend);
  return detail::native_interop<Backend, buffer<T, Dimensions, AllocatorT>>::make(
      backendObject, targetContext, availableEvent);
}

template <backend Backend, typename T, int Dimensions = 1,
          typename AllocatorT = buffer_allocator<std::remove_const_t<T>>, class Context = context>
buffer<T, Dimensions, AllocatorT>
make_buffer(const backend_input_t<Backend, buffer<T, Dimensions, AllocatorT>>& backendObject,
            const Context& targetContext) {
  detail::check_backend(targetContext.get_backend(), Backend);
  return detail::native_interop<Backend, buffer<T, Dimensions, AllocatorT>>::make(backendObject,
                                                                                  targetContext);
}

template <backend Backend, int Dimensions = 1, typename AllocatorT = image_allocator, class Context = context,
          class... AvailableEvent>
sampled_image<Dimensions, AllocatorT>
make_sampled_image(const backend_input_t<Backend, sampled_image<Dimensions, AllocatorT>>& backendObject,
                   const Context& targetContext, image_sampler imageSampler,
                   AvailableEvent... availableEvent) {
  static_assert(sizeof...(AvailableEvent) <= 1, "make_sampled_image takes one event at most");
  detail::check_backend(targetContext.get_backend(), Backend);
  return detail::native_interop<Backend, sampled_image<Dimensions, AllocatorT>>::make(
      backendObject, targetContext, imageSampler, availableEvent...);
}

template <backend Backend, int Dimensions = 1, typename AllocatorT = image_allocator, class Context = context,
          class... AvailableEvent>
unsampled_image<Dimensions, AllocatorT>
make_unsampled_image(const backend_input_t<Backend, unsampled_image<Dimensions, AllocatorT>>& backendObject,
                     const Context& targetContext, AvailableEvent... availableEvent) {
  static_assert(sizeof...(AvailableEvent) <= 1, "make_unsampled_image takes one event at most");
  detail::check_backend(targetContext.get_backend(), Backend);
  return detail::native_interop<Backend, unsampled_image<Dimensions, AllocatorT>>::make(
      backendObject, targetContext, availableEvent...);
}

template <backend Backend, bundle_state State, class Context = context>
kernel_bundle<State> make_kernel_bundle(const backend_input_t<Backend, kernel_bundle<State>>& backendObject,
                                        const Context& targetContext) {
  detail::check_backend(targetContext.get_backend(), Backend);
  return detail::native_interop<Backend, kernel_bundle<State>>::make(backendObject, targetContext);
}

template <backend Backend, class Kernel = kernel, class Context = context>
Kernel make_kernel(const backend_input_t<Backend, Kernel>& backendObject, const Context& targetContext) {
  detail::check_backend(targetContext.get_backend(), Backend);
  return detail::native_interop<Backend, Kernel>::make(backendObject, targetContext);
}

} // namespace sycl
