// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/interop.hpp"
#include "sycl/accessor.hpp"
#include "sycl/backend.hpp"
#include "sycl/buffer.hpp"
#include "sycl/context.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/native_objects.hpp"
#include "sycl/device.hpp"
#include "sycl/device_image.hpp"
#include "sycl/event.hpp"
#include "sycl/exception.hpp"
#include "sycl/kernel.hpp"
#include "sycl/kernel_bundle.hpp"
#include "sycl/local_accessor.hpp"
#include "sycl/platform.hpp"
#include "sycl/queue.hpp"

#include <type_traits>
#include <vector>

/// \file
/// Interoperability with CUDA (CUDA backend specification of SYCL 2020). Needs no CUDA header, and goes
/// together with cuda.h and cuda_runtime.h, before or after: these are its names of types, which are the same
/// in the driver and the runtime API (CUstream is cudaStream_t).

typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUfunc_st* CUfunction;
typedef struct CUmod_st* CUmodule;

namespace sycl {
namespace detail {

/// The native types of a class, and casts between them and handles.
template <class Native>
struct cuda_handle {
  using input_type = Native;
  using return_type = Native;
  static Native from(falx::native_handle handle) noexcept { return reinterpret_cast<Native>(handle); }
  static falx::native_handle to(Native native) noexcept {
    return reinterpret_cast<falx::native_handle>(native);
  }
};
template <>
struct cuda_handle<CUdevice> {
  using input_type = CUdevice;
  using return_type = CUdevice;
  static CUdevice from(falx::native_handle handle) noexcept { return static_cast<CUdevice>(handle); }
  static falx::native_handle to(CUdevice native) noexcept { return static_cast<falx::native_handle>(native); }
};

template <>
struct native_interop<backend::cuda, device> : cuda_handle<CUdevice> {
  static CUdevice get(const device& object) { return from(native_of(object)); }
  static device make(CUdevice native) { return device_from(backend::cuda, to(native)); }
};

/// CUDA has no platforms: all devices stand for theirs.
template <>
struct native_interop<backend::cuda, platform> {
  using input_type = std::vector<CUdevice>;
  using return_type = std::vector<CUdevice>;
  static return_type get(const platform& object) {
    return_type natives;
    for (const device& each : object.get_devices())
      natives.push_back(cuda_handle<CUdevice>::from(native_of(each)));
    return natives;
  }
  static platform make(const input_type& natives) {
    std::vector<falx::native_handle> handles;
    for (const CUdevice native : natives)
      handles.push_back(cuda_handle<CUdevice>::to(native));
    return platform_from(backend::cuda, handles);
  }
};

/// One primary context per device.
template <>
struct native_interop<backend::cuda, context> {
  using input_type = CUcontext;
  using return_type = std::vector<CUcontext>;
  static return_type get(const context& object) {
    return_type natives;
    for (const falx::native_handle each : natives_of(object))
      natives.push_back(cuda_handle<CUcontext>::from(each));
    return natives;
  }
  static context make(CUcontext native, const async_handler& handler) {
    return context_from(backend::cuda, cuda_handle<CUcontext>::to(native), handler);
  }
};

template <>
struct native_interop<backend::cuda, queue> : cuda_handle<CUstream> {
  static CUstream get(const queue& object) { return from(native_of(object)); }
  static queue make(CUstream native, const context& target, const async_handler& handler) {
    return queue_from(to(native), target, handler);
  }
};

template <>
struct native_interop<backend::cuda, event> : cuda_handle<CUevent> {
  static CUevent get(const event& object) { return from(native_of(object)); }
  static event make(CUevent native, const context& target) { return event_from(to(native), target); }
};

/// Where a buffer or an image is, commands know alone, by their interop_handle.
template <class Memory>
struct cuda_memory_interop {
  using input_type = void*;
  using return_type = void*;
  static void* from(void* found) noexcept { return found; }
  [[noreturn]] static void* get(const Memory&) {
    throw_not_interoperable("get_native", "memory of buffers and images outside commands",
                            "call interop_handle::get_native_mem in handler::host_task or "
                            "ext_codeplay_enqueue_native_command");
  }
};
template <class T, int Dimensions, class AllocatorT>
struct native_interop<backend::cuda, buffer<T, Dimensions, AllocatorT>>
    : cuda_memory_interop<buffer<T, Dimensions, AllocatorT>> {
  template <class... Context>
  [[noreturn]] static buffer<T, Dimensions, AllocatorT> make(void*, const Context&...) {
    throw_not_interoperable("make_buffer", "buffers over memory that CUDA allocated",
                            "use the pointer in kernels as it is, or copy it into a buffer");
  }
};
/// An image is its pixels, in linear memory: no array, and no texture that lives as long as it.
template <int Dimensions, class AllocatorT>
struct native_interop<backend::cuda, sampled_image<Dimensions, AllocatorT>>
    : cuda_memory_interop<sampled_image<Dimensions, AllocatorT>> {
  template <class... Context>
  [[noreturn]] static sampled_image<Dimensions, AllocatorT> make(void*, const Context&...) {
    throw_not_interoperable("make_sampled_image",
                            "images over memory, arrays or textures that CUDA allocated",
                            "copy the pixels to the host and construct the image with them");
  }
};
template <int Dimensions, class AllocatorT>
struct native_interop<backend::cuda, unsampled_image<Dimensions, AllocatorT>>
    : cuda_memory_interop<unsampled_image<Dimensions, AllocatorT>> {
  template <class... Context>
  [[noreturn]] static unsampled_image<Dimensions, AllocatorT> make(void*, const Context&...) {
    throw_not_interoperable("make_unsampled_image",
                            "images over memory, arrays or surfaces that CUDA allocated",
                            "construct an image, and copy the pixels into get_native_mem of its accessor");
  }
};

template <>
struct native_interop<backend::cuda, kernel> {
  using input_type = CUfunction;
  using return_type = CUfunction;
  [[noreturn]] static CUfunction get(const kernel&) {
    throw_not_interoperable("get_native", "functions of kernels, which are compiled for each kind of launch",
                            "launch the kernel with a sycl::queue made from the stream (make_queue)");
  }
  [[noreturn]] static kernel make(CUfunction, const context&) {
    throw_not_interoperable("make_kernel", "kernels from CUDA functions",
                            "launch the function in handler::ext_codeplay_enqueue_native_command");
  }
};

template <bundle_state State>
struct native_interop<backend::cuda, kernel_bundle<State>> {
  using input_type = CUmodule;
  using return_type = std::vector<CUmodule>;
  [[noreturn]] static return_type get(const kernel_bundle<State>&) {
    throw_not_interoperable("get_native", "modules of kernel bundles",
                            "launch their kernels with a sycl::queue made from the stream (make_queue)");
  }
  [[noreturn]] static kernel_bundle<State> make(CUmodule, const context&) {
    throw_not_interoperable("make_kernel_bundle", "kernel bundles from CUDA modules",
                            "launch the module's functions in handler::ext_codeplay_enqueue_native_command");
  }
};

template <bundle_state State>
struct native_interop<backend::cuda, device_image<State>> {
  using return_type = CUmodule;
  [[noreturn]] static return_type get(const device_image<State>&) {
    throw_not_interoperable("get_native", "modules of device images",
                            "launch their kernels with a sycl::queue made from the stream (make_queue)");
  }
};

} // namespace detail

/// In kernels: what an accessor's elements are to CUDA. The start of the buffer or of the local memory.
template <backend Backend, class DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
          access::placeholder IsPlaceholder,
          std::enable_if_t<Backend == backend::cuda && AccessTarget != target::host_task, int> = 0>
std::remove_const_t<DataT>*
get_native(const accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder>& object) noexcept {
  return const_cast<std::remove_const_t<DataT>*>(object.get_pointer().get());
}
template <backend Backend, class DataT, int Dimensions, std::enable_if_t<Backend == backend::cuda, int> = 0>
std::remove_const_t<DataT>* get_native(const local_accessor<DataT, Dimensions>& object) noexcept {
  return const_cast<std::remove_const_t<DataT>*>(object.get_pointer().get());
}

namespace cuda {

/// Whether get_native gives an event of the command without waiting for it: not for those that run on the
/// host, nor while they wait for such.
inline bool has_native_event(const event& syclEvent) noexcept {
  return detail::has_native(syclEvent, backend::cuda);
}

/// A number that is a CUresult of cuda.h, which this header does not include: converts to it and compares
/// with its values.
class error_code {
public:
  explicit constexpr error_code(int number) noexcept : number_(number) {}
  template <class Result, std::enable_if_t<std::is_enum_v<Result>, int> = 0>
  constexpr operator Result() const noexcept {
    return static_cast<Result>(number_);
  }
  constexpr operator int() const noexcept { return number_; }

private:
  int number_;
};

/// The driver's error behind an exception, CUDA_SUCCESS if there is none.
inline error_code get_error_code(const exception& thrown) noexcept {
  return error_code(detail::native_error_of(thrown, backend::cuda));
}

/// For queue::mem_advise and handler::mem_advise: about the queue's device, or about the host.
enum advice : int {
  cuda_mem_advise_set_read_mostly = 1,
  cuda_mem_advise_unset_read_mostly = 2,
  cuda_mem_advise_set_preferred_location = 3,
  cuda_mem_advise_unset_preferred_location = 4,
  cuda_mem_advise_set_accessed_by = 5,
  cuda_mem_advise_unset_accessed_by = 6,
  cuda_mem_advise_set_preferred_location_host = falx::ADVICE_FOR_HOST | 3,
  cuda_mem_advise_unset_preferred_location_host = falx::ADVICE_FOR_HOST | 4,
  cuda_mem_advise_set_accessed_by_host = falx::ADVICE_FOR_HOST | 5,
  cuda_mem_advise_unset_accessed_by_host = falx::ADVICE_FOR_HOST | 6
};

} // namespace cuda

namespace ext::oneapi::cuda {
using sycl::cuda::has_native_event;
}

} // namespace sycl
