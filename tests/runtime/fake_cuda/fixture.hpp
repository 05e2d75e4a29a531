// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../text_of_error.hpp"
#include "backends/backend.hpp"
#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "fake_cuda.hpp"
#include "scheduler/command.hpp"
#include "scheduler/command_work.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/queue.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

/// \file
/// For tests of the CUDA backend on the fake driver: its devices, queues on them, and kernels that are
/// functions of the test.

namespace falx::test {

using kernel_body = std::function<fake_cuda::result(const fake_cuda::launch&)>;

/// The fake driver, which the backend finds as well.
inline fake_cuda::control& fake_driver() {
  static fake_cuda::control& made = [&]() -> fake_cuda::control& {
    setenv("FALX_CUDA_DRIVER", FAKE_CUDA_PATH, 0);
    void* const library = dlopen(std::getenv("FALX_CUDA_DRIVER"), RTLD_NOW | RTLD_LOCAL);
    auto* const entry = reinterpret_cast<fake_cuda::control* (*)()>(
        library != nullptr ? dlsym(library, "fake_cuda_control") : nullptr);
    if (entry == nullptr) {
      std::fprintf(stderr, "the fake CUDA driver could not be loaded\n");
      std::abort();
    }
    fake_cuda::control& driver = *entry();
    // Its function object is the address of what is to run.
    driver.add_kernel("call", sizeof(void*), [](const fake_cuda::launch& launch) {
      const kernel_body* body = nullptr;
      std::memcpy(&body, launch.function, sizeof(body));
      return (*body)(launch);
    });
    return driver;
  }();
  return made;
}

inline std::vector<handle<device_state>> gpus() {
  fake_driver();
  std::vector<handle<device_state>> result;
  for (const handle<device_state>& device : all_devices())
    if (device->platform().backend().name() == "cuda")
      result.push_back(device);
  return result;
}

inline sycl::context context_of_gpus() {
  std::vector<sycl::device> devices;
  for (const handle<device_state>& device : gpus())
    devices.push_back(sycl::detail::internals::make<sycl::device>(device));
  return sycl::context(devices);
}

inline handle<queue_state> make_gpu_queue(
    std::size_t on = 0, const sycl::property_list& properties = {},
    sycl::async_handler handler = [](sycl::exception_list) {}) {
  static const sycl::context& context = *new sycl::context(context_of_gpus());
  return handle<queue_state>::adopt(
      new queue_state(sycl::detail::internals::state(context), gpus()[on], std::move(handler), properties));
}

inline sycl::property_list in_order(bool wanted = true) {
  return wanted ? sycl::property_list(sycl::property::queue::in_order()) : sycl::property_list();
}

/// The kernel that calls functions, on one device.
inline loaded_kernel& call_kernel(backend_device& device) {
  static std::map<backend_device*, std::unique_ptr<loaded_kernel>>& kernels =
      *new std::map<backend_device*, std::unique_ptr<loaded_kernel>>;
  std::unique_ptr<loaded_kernel>& kernel = kernels[&device];
  if (kernel == nullptr)
    kernel = device.load({.path = {}, .bytes = {'F', 'A', 'K', 'E'}}, {"call", "call(pretty)"});
  return *kernel;
}

constexpr launch_geometry SINGLE_TASK{kernel_kind::single_task, 1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};

inline handle<command> make_launch(queue_state& queue, kernel_body body,
                                   const launch_geometry& geometry = SINGLE_TASK,
                                   std::size_t local_memory = 0, const char* name = "call(pretty)") {
  handle<command> self = command::make_for(queue);
  auto owned = std::make_unique<kernel_body>(std::move(body));
  const kernel_body* const address = owned.get();
  kernel_operation operation;
  operation.kernel = &call_kernel(queue.device().backend());
  operation.kernel_name = name;
  operation.function = self->work()->store_function(&address, sizeof(address), alignof(void*));
  operation.function_size = sizeof(address);
  operation.geometry = geometry;
  operation.local_memory_bytes = local_memory;
  self->work()->what = operation;
  self->work()->kept_alive.push_back(
      {[](void* data) { delete static_cast<kernel_body*>(data); }, owned.release()});
  return self;
}

inline handle<command> submit(queue_state& queue, std::function<void()> body,
                              std::vector<handle<command>> dependencies = {}) {
  handle<command> self = make_launch(queue, [body = std::move(body)](const fake_cuda::launch&) {
    body();
    return fake_cuda::result::success;
  });
  queue.submit(self, std::move(dependencies));
  return self;
}

inline handle<command> submit(queue_state& queue, operation what,
                              std::vector<handle<command>> dependencies = {}) {
  handle<command> self = command::make_for(queue);
  self->work()->what = std::move(what);
  queue.submit(self, std::move(dependencies));
  return self;
}

} // namespace falx::test
