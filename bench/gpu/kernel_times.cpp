// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Times the kernels of a program that knows nothing of it, in CUDA or SYCL: the driver loads this library
/// into it (CUDA_INJECTION64_PATH), and CUPTI says when kernels began and ended. bench/twins builds and uses
/// it.
///
///     KERNEL_TIMES=FILE          a line for each kernel, when the program ends: launches, mean and least
///                                microseconds, registers, work-items of a group, groups, bytes of local
///                                memory, name
///     KERNEL_TIMES_SECONDS=0.6   ends the program so long after its first launch
///     KERNEL_TIMES_LOCK=FILE     held from the first launch on, by one program at a time
#include <cuda.h>
#include <cupti.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <string>
#include <sys/file.h>
#include <thread>
#include <tuple>
#include <unistd.h>

namespace {

// What the toolkit's library writes; bench/twins takes the newest record that its headers know.
using kernel_record = KERNEL_RECORD;

struct times {
  long launches = 0;
  double sum = 0, least = 0; // nanoseconds
  int registers = 0, local_bytes = 0;
};
/// By name, work-items of a group, and groups. CUPTI adds to it while the program goes on.
std::map<std::tuple<std::string, int, long>, times> kernels;
std::mutex kernels_mutex;
std::once_flag has_ended, has_launched;

void give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  constexpr std::size_t BYTES = 8 << 20, ALIGNMENT = 64;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(ALIGNMENT, BYTES));
  *size = BYTES;
  *most_records = 0;
}

void add(const kernel_record& kernel) {
  if (kernel.end <= kernel.start)
    return;
  const auto nanoseconds = double(kernel.end - kernel.start);
  const int items = kernel.blockX * kernel.blockY * kernel.blockZ;
  const long groups = long(kernel.gridX) * kernel.gridY * kernel.gridZ;
  const std::lock_guard lock(kernels_mutex);
  times& its = kernels[{kernel.name, items, groups}];
  if (its.launches++ == 0 || nanoseconds < its.least)
    its.least = nanoseconds;
  its.sum += nanoseconds;
  its.registers = kernel.registersPerThread;
  its.local_bytes = kernel.staticSharedMemory + kernel.dynamicSharedMemory;
}

void take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      add(*reinterpret_cast<const kernel_record*>(record));
  std::free(buffer);
}

void write_times() {
  cuptiActivityFlushAll(1);
  const char* const path = std::getenv("KERNEL_TIMES");
  std::FILE* const file = path != nullptr ? std::fopen(path, "w") : stderr;
  if (file == nullptr)
    return;
  constexpr double MICROSECOND = 1e3;
  const std::lock_guard lock(kernels_mutex);
  for (const auto& [kernel, its] : kernels)
    std::fprintf(file, "%ld\t%.3f\t%.3f\t%d\t%d\t%ld\t%d\t%s\n", its.launches,
                 its.sum / double(its.launches) / MICROSECOND, its.least / MICROSECOND, its.registers,
                 std::get<1>(kernel), std::get<2>(kernel), its.local_bytes, std::get<0>(kernel).c_str());
  std::fflush(file);
}

void end() {
  std::call_once(has_ended, write_times);
}

/// From the first launch on the device is this program's alone, for as long as was asked for.
void begin() {
  if (const char* const lock = std::getenv("KERNEL_TIMES_LOCK"))
    flock(open(lock, O_RDWR | O_CREAT, 0666), LOCK_EX);
  if (const char* const seconds = std::getenv("KERNEL_TIMES_SECONDS"))
    std::thread([time = std::chrono::duration<double>(std::atof(seconds))] {
      std::this_thread::sleep_for(time);
      end();
      _exit(0); // other threads may be anywhere
    }).detach();
}

void on_launch(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {
  std::call_once(has_launched, begin);
}

} // namespace

/// Called by the driver.
extern "C" int InitializeInjection() {
  cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  std::atexit(end);
  CUpti_SubscriberHandle subscriber;
  if (cuptiSubscribe(&subscriber, CUpti_CallbackFunc(on_launch), nullptr) != CUPTI_SUCCESS)
    return 1;
  for (const auto call :
       {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel})
    cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, call);
  return 1;
}
