// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_driver_types.hpp"

#include <atomic>
#include <string>

namespace falx::cuda {

/// The entry points of libcuda.so.1, one member each, named as the driver names them.
struct driver_functions {
  result (*cuInit)(unsigned flags);
  result (*cuDriverGetVersion)(int* version);
  result (*cuGetErrorName)(result error, const char** name);
  result (*cuGetErrorString)(result error, const char** text);

  result (*cuDeviceGetCount)(int* count);
  result (*cuDeviceGet)(device_ordinal* device, int ordinal);
  result (*cuDeviceGetName)(char* name, int size, device_ordinal device);
  result (*cuDeviceGetAttribute)(int* value, device_attribute attribute, device_ordinal device);
  result (*cuDeviceTotalMem)(std::size_t* bytes, device_ordinal device);
  result (*cuDeviceCanAccessPeer)(int* can_access, device_ordinal device, device_ordinal peer);
  result (*cuDeviceGetP2PAttribute)(int* value, peer_attribute attribute, device_ordinal device,
                                    device_ordinal peer);
  result (*cuDeviceGetPCIBusId)(char* text, int size, device_ordinal device);
  result (*cuDeviceGetUuid)(uuid* id, device_ordinal device);

  result (*cuDevicePrimaryCtxRetain)(context_handle* context, device_ordinal device);
  result (*cuDevicePrimaryCtxGetState)(device_ordinal device, unsigned* flags, int* is_active);
  result (*cuCtxGetCurrent)(context_handle* context);
  result (*cuCtxSetCurrent)(context_handle context);
  result (*cuCtxEnablePeerAccess)(context_handle peer, unsigned flags);
  result (*cuCtxDisablePeerAccess)(context_handle peer);

  result (*cuStreamCreate)(stream_handle* stream, unsigned flags);
  result (*cuStreamCreateWithPriority)(stream_handle* stream, unsigned flags, int priority);
  result (*cuCtxGetStreamPriorityRange)(int* least, int* greatest);
  result (*cuStreamGetCtx)(stream_handle stream, context_handle* context);
  result (*cuStreamQuery)(stream_handle stream);
  result (*cuStreamSynchronize)(stream_handle stream);
  result (*cuStreamWaitEvent)(stream_handle stream, event_handle event, unsigned flags);
  result (*cuEventCreate)(event_handle* event, unsigned flags);
  result (*cuEventDestroy)(event_handle event);
  result (*cuEventRecord)(event_handle event, stream_handle stream);
  result (*cuEventQuery)(event_handle event);
  result (*cuEventSynchronize)(event_handle event);
  result (*cuEventElapsedTime)(float* milliseconds, event_handle start, event_handle end);

  result (*cuModuleLoadDataEx)(module_handle* module, const void* image, unsigned option_count,
                               jit_option* options, void** values);
  result (*cuModuleUnload)(module_handle module);
  result (*cuModuleGetFunction)(function_handle* function, module_handle module, const char* name);
  result (*cuFuncGetAttribute)(int* value, function_attribute attribute, function_handle function);
  result (*cuFuncSetAttribute)(function_handle function, function_attribute attribute, int value);
  result (*cuLaunchKernel)(function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                           unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                           stream_handle stream, void** parameters, void** extra);
  result (*cuLaunchKernelEx)(const launch_configuration* configuration, function_handle function,
                             void** parameters, void** extra);
  /// Null in drivers for devices without it.
  result (*cuLaunchCooperativeKernel)(function_handle function, unsigned grid_x, unsigned grid_y,
                                      unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                      unsigned shared_bytes, stream_handle stream, void** parameters);
  result (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int* blocks, function_handle function,
                                                        int block_threads, std::size_t shared_bytes);
  result (*cuLinkCreate)(unsigned option_count, jit_option* options, void** values, link_handle* link);
  result (*cuLinkAddData)(link_handle link, jit_input type, void* data, std::size_t size, const char* name,
                          unsigned option_count, jit_option* options, void** values);
  result (*cuLinkComplete)(link_handle link, void** cubin, std::size_t* size);
  result (*cuLinkDestroy)(link_handle link);

  result (*cuPointerGetAttribute)(void* value, pointer_attribute attribute, device_pointer pointer);
  result (*cuMemGetInfo)(std::size_t* free, std::size_t* total);
  result (*cuMemAlloc)(device_pointer* pointer, std::size_t bytes);
  result (*cuMemFree)(device_pointer pointer);
  result (*cuMemAllocManaged)(device_pointer* pointer, std::size_t bytes, unsigned flags);
  result (*cuMemHostAlloc)(void** pointer, std::size_t bytes, unsigned flags);
  result (*cuMemFreeHost)(void* pointer);
  result (*cuMemPoolCreate)(pool_handle* pool, const pool_properties* properties);
  result (*cuMemPoolSetAttribute)(pool_handle pool, int attribute, void* value);
  result (*cuMemPoolGetAttribute)(pool_handle pool, int attribute, void* value);
  result (*cuMemPoolSetAccess)(pool_handle pool, const access_descriptor* access, std::size_t count);
  result (*cuMemPoolTrimTo)(pool_handle pool, std::size_t bytes_to_keep);
  result (*cuMemAllocFromPoolAsync)(device_pointer* pointer, std::size_t bytes, pool_handle pool,
                                    stream_handle stream);
  result (*cuMemFreeAsync)(device_pointer pointer, stream_handle stream);

  result (*cuMemcpyAsync)(device_pointer destination, device_pointer source, std::size_t bytes,
                          stream_handle stream);
  result (*cuMemcpy2DAsync)(const copy_2d* copy, stream_handle stream);
  result (*cuMemcpy3DAsync)(const copy_3d* copy, stream_handle stream);
  result (*cuMemsetD8Async)(device_pointer destination, unsigned char value, std::size_t count,
                            stream_handle stream);
  result (*cuMemsetD16Async)(device_pointer destination, unsigned short value, std::size_t count,
                             stream_handle stream);
  result (*cuMemsetD32Async)(device_pointer destination, unsigned value, std::size_t count,
                             stream_handle stream);
  result (*cuMemsetD2D8Async)(device_pointer destination, std::size_t pitch, unsigned char value,
                              std::size_t width, std::size_t height, stream_handle stream);
  result (*cuMemsetD2D16Async)(device_pointer destination, std::size_t pitch, unsigned short value,
                               std::size_t width, std::size_t height, stream_handle stream);
  result (*cuMemsetD2D32Async)(device_pointer destination, std::size_t pitch, unsigned value,
                               std::size_t width, std::size_t height, stream_handle stream);

  result (*cuTexObjectCreate)(texture_handle* texture, const texture_resource* resource,
                              const texture_sampler* sampler, const void* resource_view);
  result (*cuTexObjectDestroy)(texture_handle texture);

  /// Either the first or the second two may be null.
  result (*cuMemAdvise)(device_pointer pointer, std::size_t bytes, int advice, device_ordinal device);
  result (*cuMemPrefetchAsync)(device_pointer pointer, std::size_t bytes, device_ordinal device,
                               stream_handle stream);
  result (*cuMemAdvise_v2)(device_pointer pointer, std::size_t bytes, int advice, memory_location location);
  result (*cuMemPrefetchAsync_v2)(device_pointer pointer, std::size_t bytes, memory_location location,
                                  unsigned flags, stream_handle stream);
};

/// The driver, or why there is none.
struct driver {
  /// 1000 * major + 10 * minor of the newest CUDA that it supports.
  int version = 0;
  /// A sentence; empty if the driver works and has devices.
  std::string problem;
};

/// Loaded with dlopen and initialized on first use. Never unloaded.
const driver& the_driver();
/// Its functions, for callers for which it works.
extern constinit driver_functions loaded_functions;
inline const driver_functions& api() noexcept {
  return loaded_functions;
}

/// True in a child of fork whose parent has initialized the driver, which the driver does not support.
extern constinit std::atomic<bool> forked;
inline bool is_forked_child() noexcept {
  return forked.load(std::memory_order_relaxed);
}

/// "13.0".
std::string version_text(int driver_version);
/// The driver's name and text of an error: "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
std::string text_of(result error);

} // namespace falx::cuda
