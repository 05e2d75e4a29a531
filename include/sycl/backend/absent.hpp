// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/backend.hpp"

#include <vector>

/// \file
/// Native types of backends that programs name and that Falx has no devices of. What converts between them
/// and SYCL's compiles, behind a question for the backend as a rule; when it runs it throws
/// errc::backend_mismatch, or errc::feature_not_supported. The types are those that the backends' own headers
/// declare, which go together with this one.

struct _ze_driver_handle_t;
struct _ze_device_handle_t;
struct _ze_context_handle_t;
struct _ze_command_queue_handle_t;
struct _ze_event_handle_t;
struct _ze_kernel_handle_t;
struct _cl_platform_id;
struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_event;
struct _cl_kernel;
struct _cl_mem;
struct ihipCtx_t;
struct ihipStream_t;
struct ihipEvent_t;
struct ihipModuleSymbol_t;

namespace sycl::detail {

template <backend Backend, class T, class Input, class Return = Input>
struct absent_interop {
  using input_type = Input;
  using return_type = Return;
  [[noreturn]] static return_type get(const T&) { throw_no_native_object(Backend); }
  template <class Found>
  [[noreturn]] static return_type from(Found) {
    throw_no_native_object(Backend);
  }
  template <class... Context>
  [[noreturn]] static T make(const input_type&, const Context&...) {
    throw_no_native_object(Backend);
  }
};

#define FALX_ABSENT(of, type, ...)                                                                           \
  template <>                                                                                                \
  struct native_interop<backend::of, type> : absent_interop<backend::of, type, __VA_ARGS__> {};
FALX_ABSENT(level_zero, platform, _ze_driver_handle_t*)
FALX_ABSENT(level_zero, device, _ze_device_handle_t*)
FALX_ABSENT(level_zero, context, _ze_context_handle_t*)
FALX_ABSENT(level_zero, queue, _ze_command_queue_handle_t*)
FALX_ABSENT(level_zero, event, _ze_event_handle_t*)
FALX_ABSENT(level_zero, kernel, _ze_kernel_handle_t*)
FALX_ABSENT(opencl, platform, _cl_platform_id*)
FALX_ABSENT(opencl, device, _cl_device_id*)
FALX_ABSENT(opencl, context, _cl_context*)
FALX_ABSENT(opencl, queue, _cl_command_queue*)
FALX_ABSENT(opencl, event, std::vector<_cl_event*>)
FALX_ABSENT(opencl, kernel, _cl_kernel*)
FALX_ABSENT(hip, device, int)
FALX_ABSENT(hip, context, ihipCtx_t*)
FALX_ABSENT(hip, queue, ihipStream_t*)
FALX_ABSENT(hip, event, ihipEvent_t*)
FALX_ABSENT(hip, kernel, ihipModuleSymbol_t*)
#undef FALX_ABSENT

template <class T, int Dimensions, class AllocatorT>
struct native_interop<backend::level_zero, buffer<T, Dimensions, AllocatorT>>
    : absent_interop<backend::level_zero, buffer<T, Dimensions, AllocatorT>, void*, char*> {};
template <class T, int Dimensions, class AllocatorT>
struct native_interop<backend::opencl, buffer<T, Dimensions, AllocatorT>>
    : absent_interop<backend::opencl, buffer<T, Dimensions, AllocatorT>, _cl_mem*, std::vector<_cl_mem*>> {};
template <class T, int Dimensions, class AllocatorT>
struct native_interop<backend::hip, buffer<T, Dimensions, AllocatorT>>
    : absent_interop<backend::hip, buffer<T, Dimensions, AllocatorT>, void*> {};

} // namespace sycl::detail
