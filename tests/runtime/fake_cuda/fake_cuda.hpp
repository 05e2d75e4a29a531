// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/cuda/cuda_driver_types.hpp"
#include "jit/targets/ptx/ptx_abi.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

/// \file
/// A stand-in for libcuda.so.1, for machines without a GPU: devices with host memory, a thread per stream,
/// kernels that are functions of the test. It checks what the driver would not forgive, such as calls without
/// a current context, events recorded in another context's stream, or memory freed twice. Environment:
/// FAKE_CUDA_DEVICES (2 by default), FAKE_CUDA_VERSION (13000).

namespace fake_cuda {

using falx::cuda::result;

struct launch {
  const void* function = nullptr; // the first parameter
  falx::ptx::launch_arguments arguments{};
  unsigned grid[3] = {}, block[3] = {};
  unsigned shared_bytes = 0;
  int registers = 0; // of a work-item, as the code tells
};
/// Runs on the stream's thread; an error is what the context fails with from then on.
using kernel = std::function<result(const launch&)>;

/// What a texture object was made of.
struct texture {
  falx::cuda::texture_resource resource;
  falx::cuda::texture_sampler sampler;
};

/// What tests do to the driver. Thread-safe.
class control {
public:
  virtual ~control() = default;

  /// Code that begins with "FAKE", and anything else if \p name is what a module is asked for, has this
  /// kernel, whose function object has \p function_size bytes.
  virtual void add_kernel(const std::string& name, std::size_t function_size, kernel body,
                          bool has_launch_arguments = true) = 0;
  /// The next \p times calls of an entry point fail.
  virtual void fail(const std::string& entry, result error, int times = 1) = 0;
  /// How often an entry point was called.
  virtual int calls(const std::string& entry) = 0;
  /// While held, streams run nothing.
  virtual void hold(bool held) = 0;
  /// Lets time pass on the devices' clock, for a kernel that is to have run so long.
  virtual void pass(std::chrono::nanoseconds time) = 0;
  /// Returns when all streams are empty.
  virtual void settle() = 0;
  /// Device memory of all devices that has not been freed.
  virtual std::size_t allocated() = 0;
  /// The textures that there are, by their handles.
  virtual std::map<std::uint64_t, texture> textures() = 0;
  /// What the stream was made with.
  virtual int priority_of(falx::cuda::stream_handle stream) = 0;
  /// Calls that the driver would have refused, or that are wrong without it telling, since the last time that
  /// this was called; empty if none.
  virtual std::string take_complaints() = 0;
};

} // namespace fake_cuda

extern "C" fake_cuda::control* fake_cuda_control();
