// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_driver.hpp"

#include "diagnostics/environment.hpp"
#include "sycl/exception.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <memory>
#include <pthread.h>

namespace falx::cuda {

constinit driver_functions loaded_functions{};
constinit std::atomic<bool> forked{false};

namespace {

constexpr int OLDEST_VERSION = 12000;
constexpr std::string_view LIBRARY = "libcuda.so.1";

/// Looks entry points up by name and keeps the first that is missing.
class entry_points {
public:
  explicit entry_points(void* library) noexcept : library_(library) {}

  template <class Function>
  void required(Function*& function, const char* name) noexcept {
    optional(function, name);
    if (function == nullptr && missing_ == nullptr)
      missing_ = name;
  }
  template <class Function>
  void optional(Function*& function, const char* name) noexcept {
    function = reinterpret_cast<Function*>(::dlsym(library_, name));
  }
  const char* missing() const noexcept { return missing_; }

private:
  void* library_;
  const char* missing_ = nullptr;
};

/// Where the driver changed a function, the names have the suffix of the version that driver_functions
/// declares.
void look_up(entry_points& entries, driver_functions& to) noexcept {
  entries.required(to.cuInit, "cuInit");
  entries.required(to.cuDriverGetVersion, "cuDriverGetVersion");
  entries.required(to.cuGetErrorName, "cuGetErrorName");
  entries.required(to.cuGetErrorString, "cuGetErrorString");
  entries.required(to.cuDeviceGetCount, "cuDeviceGetCount");
  entries.required(to.cuDeviceGet, "cuDeviceGet");
  entries.required(to.cuDeviceGetName, "cuDeviceGetName");
  entries.required(to.cuDeviceGetAttribute, "cuDeviceGetAttribute");
  entries.required(to.cuDeviceTotalMem, "cuDeviceTotalMem_v2");
  entries.required(to.cuDeviceCanAccessPeer, "cuDeviceCanAccessPeer");
  entries.required(to.cuDeviceGetP2PAttribute, "cuDeviceGetP2PAttribute");
  entries.required(to.cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId");
  entries.required(to.cuDeviceGetUuid, "cuDeviceGetUuid_v2");
  entries.required(to.cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  entries.required(to.cuDevicePrimaryCtxGetState, "cuDevicePrimaryCtxGetState");
  entries.required(to.cuCtxGetCurrent, "cuCtxGetCurrent");
  entries.required(to.cuCtxSetCurrent, "cuCtxSetCurrent");
  entries.required(to.cuCtxEnablePeerAccess, "cuCtxEnablePeerAccess");
  entries.required(to.cuCtxDisablePeerAccess, "cuCtxDisablePeerAccess");
  entries.required(to.cuStreamCreate, "cuStreamCreate");
  entries.required(to.cuStreamCreateWithPriority, "cuStreamCreateWithPriority");
  entries.required(to.cuCtxGetStreamPriorityRange, "cuCtxGetStreamPriorityRange");
  entries.required(to.cuStreamGetCtx, "cuStreamGetCtx");
  entries.required(to.cuStreamQuery, "cuStreamQuery");
  entries.required(to.cuStreamSynchronize, "cuStreamSynchronize");
  entries.required(to.cuStreamWaitEvent, "cuStreamWaitEvent");
  entries.required(to.cuEventCreate, "cuEventCreate");
  entries.required(to.cuEventDestroy, "cuEventDestroy_v2");
  entries.required(to.cuEventRecord, "cuEventRecord");
  entries.required(to.cuEventQuery, "cuEventQuery");
  entries.required(to.cuEventSynchronize, "cuEventSynchronize");
  entries.required(to.cuEventElapsedTime, "cuEventElapsedTime");
  entries.required(to.cuModuleLoadDataEx, "cuModuleLoadDataEx");
  entries.required(to.cuModuleUnload, "cuModuleUnload");
  entries.required(to.cuModuleGetFunction, "cuModuleGetFunction");
  entries.required(to.cuFuncGetAttribute, "cuFuncGetAttribute");
  entries.required(to.cuFuncSetAttribute, "cuFuncSetAttribute");
  entries.required(to.cuLaunchKernel, "cuLaunchKernel");
  entries.required(to.cuLaunchKernelEx, "cuLaunchKernelEx");
  entries.optional(to.cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel");
  entries.optional(to.cuOccupancyMaxActiveBlocksPerMultiprocessor,
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  entries.required(to.cuLinkCreate, "cuLinkCreate_v2");
  entries.required(to.cuLinkAddData, "cuLinkAddData_v2");
  entries.required(to.cuLinkComplete, "cuLinkComplete");
  entries.required(to.cuLinkDestroy, "cuLinkDestroy");
  entries.required(to.cuPointerGetAttribute, "cuPointerGetAttribute");
  entries.required(to.cuMemGetInfo, "cuMemGetInfo_v2");
  entries.required(to.cuMemAlloc, "cuMemAlloc_v2");
  entries.required(to.cuMemFree, "cuMemFree_v2");
  entries.required(to.cuMemAllocManaged, "cuMemAllocManaged");
  entries.required(to.cuMemHostAlloc, "cuMemHostAlloc");
  entries.required(to.cuMemFreeHost, "cuMemFreeHost");
  entries.required(to.cuMemPoolCreate, "cuMemPoolCreate");
  entries.required(to.cuMemPoolSetAttribute, "cuMemPoolSetAttribute");
  entries.required(to.cuMemPoolGetAttribute, "cuMemPoolGetAttribute");
  entries.required(to.cuMemPoolSetAccess, "cuMemPoolSetAccess");
  entries.required(to.cuMemPoolTrimTo, "cuMemPoolTrimTo");
  entries.required(to.cuMemAllocFromPoolAsync, "cuMemAllocFromPoolAsync");
  entries.required(to.cuMemFreeAsync, "cuMemFreeAsync");
  entries.required(to.cuMemcpyAsync, "cuMemcpyAsync");
  entries.required(to.cuMemcpy2DAsync, "cuMemcpy2DAsync_v2");
  entries.required(to.cuMemcpy3DAsync, "cuMemcpy3DAsync_v2");
  entries.required(to.cuMemsetD8Async, "cuMemsetD8Async");
  entries.required(to.cuMemsetD16Async, "cuMemsetD16Async");
  entries.required(to.cuMemsetD32Async, "cuMemsetD32Async");
  entries.required(to.cuMemsetD2D8Async, "cuMemsetD2D8Async");
  entries.required(to.cuMemsetD2D16Async, "cuMemsetD2D16Async");
  entries.required(to.cuMemsetD2D32Async, "cuMemsetD2D32Async");
  entries.required(to.cuTexObjectCreate, "cuTexObjectCreate");
  entries.required(to.cuTexObjectDestroy, "cuTexObjectDestroy");
  entries.optional(to.cuMemAdvise, "cuMemAdvise");
  entries.optional(to.cuMemPrefetchAsync, "cuMemPrefetchAsync");
  entries.optional(to.cuMemAdvise_v2, "cuMemAdvise_v2");
  entries.optional(to.cuMemPrefetchAsync_v2, "cuMemPrefetchAsync_v2");
}

/// FALX_CUDA_DRIVER names a library of no use.
[[noreturn]] void refuse(const std::string& library, std::string_view reason) {
  throw sycl::exception(
      sycl::make_error_code(sycl::errc::invalid),
      fmt::format(
          "the environment variable FALX_CUDA_DRIVER={} is wrong: {}; it takes a library that has the "
          "functions of libcuda.so.1",
          library, reason));
}

/// The driver's library, or what FALX_CUDA_DRIVER names in its place, which must be one.
void* open_library(std::string& problem) {
  const std::string& name = the_environment().cuda_driver;
  void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const error = ::dlerror();
    const std::string reason = error != nullptr ? error : name;
    if (name != LIBRARY)
      refuse(name, reason);
    problem = fmt::format("the NVIDIA driver's library could not be loaded: {}", reason);
  } else if (name != LIBRARY && ::dlsym(library, "cuInit") == nullptr) {
    refuse(name, "it has no function cuInit");
  }
  return library;
}

driver load() {
  driver loaded;
  void* const library = open_library(loaded.problem);
  if (library == nullptr)
    return loaded;
  driver_functions& functions = loaded_functions;
  entry_points entries(library);
  look_up(entries, functions);
  if (functions.cuDriverGetVersion != nullptr)
    functions.cuDriverGetVersion(&loaded.version);
  if (loaded.version < OLDEST_VERSION || entries.missing() != nullptr) {
    loaded.problem =
        fmt::format("the NVIDIA driver supports CUDA {}, Falx needs {}; update the driver{}",
                    version_text(loaded.version), version_text(OLDEST_VERSION),
                    entries.missing() != nullptr ? fmt::format(" (it has no '{}')", entries.missing()) : "");
    return loaded;
  }
  const auto explained = [&](const char* function, result error) {
    const char *name = nullptr, *text = nullptr;
    functions.cuGetErrorName(error, &name);
    functions.cuGetErrorString(error, &text);
    return fmt::format("{} of the NVIDIA driver failed: {} ({})", function,
                       name != nullptr ? name : "unknown error", text != nullptr ? text : "no text");
  };
  if (const result error = functions.cuInit(0); error != result::success) {
    loaded.problem = explained("cuInit", error);
    return loaded;
  }
  ::pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
  int count = 0;
  if (const result error = functions.cuDeviceGetCount(&count); error != result::success)
    loaded.problem = explained("cuDeviceGetCount", error);
  else if (count == 0)
    loaded.problem = "the NVIDIA driver sees no device (CUDA_VISIBLE_DEVICES may hide them)";
  return loaded;
}

} // namespace

const driver& the_driver() {
  static const driver& loaded = *std::make_unique<driver>(load()).release();
  return loaded;
}

std::string version_text(int driver_version) {
  return fmt::format("{}.{}", driver_version / 1000, driver_version % 1000 / 10);
}

std::string text_of(result error) {
  if (error == result::deinitialized) // which asking for its name would give as well
    return "CUDA_ERROR_DEINITIALIZED (the process is ending, and the CUDA driver has ended before)";
  const char *name = nullptr, *text = nullptr;
  api().cuGetErrorName(error, &name);
  api().cuGetErrorString(error, &text);
  return fmt::format("{} ({})",
                     name != nullptr ? name : fmt::format("CUDA error {}", static_cast<int>(error)),
                     text != nullptr ? text : "no text");
}

} // namespace falx::cuda
