// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl.hpp"

#include <cstdint>
#include <dlfcn.h>
#include <stdexcept>

namespace bench::opencl {

namespace {

// What is called of OpenCL 1.2, as its specification declares it: every object is a pointer.
using object = void*;
using result = std::int32_t;
using bits = std::uint64_t;
constexpr std::uint32_t PLATFORM_NAME = 0x0902, PROGRAM_BUILD_LOG = 0x1183, TRUE = 1;
constexpr bits DEVICE_TYPE_CPU = 2, MEM_READ_WRITE = 1, MEM_USE_HOST_PTR = 8, MAP_READ = 1;

struct functions {
  result (*clGetPlatformIDs)(std::uint32_t, object*, std::uint32_t*);
  result (*clGetPlatformInfo)(object, std::uint32_t, std::size_t, void*, std::size_t*);
  result (*clGetDeviceIDs)(object, bits, std::uint32_t, object*, std::uint32_t*);
  object (*clCreateContext)(const std::intptr_t*, std::uint32_t, const object*, void*, void*, result*);
  object (*clCreateCommandQueue)(object, object, bits, result*);
  object (*clCreateProgramWithSource)(object, std::uint32_t, const char**, const std::size_t*, result*);
  result (*clBuildProgram)(object, std::uint32_t, const object*, const char*, void*, void*);
  result (*clGetProgramBuildInfo)(object, object, std::uint32_t, std::size_t, void*, std::size_t*);
  object (*clCreateKernel)(object, const char*, result*);
  object (*clCreateBuffer)(object, bits, std::size_t, void*, result*);
  result (*clSetKernelArg)(object, std::uint32_t, std::size_t, const void*);
  result (*clEnqueueNDRangeKernel)(object, object, std::uint32_t, const std::size_t*, const std::size_t*,
                                   const std::size_t*, std::uint32_t, const object*, object*);
  void* (*clEnqueueMapBuffer)(object, object, std::uint32_t, bits, std::size_t, std::size_t, std::uint32_t,
                              const object*, object*, result*);
  result (*clEnqueueUnmapMemObject)(object, object, void*, std::uint32_t, const object*, object*);
  result (*clFinish)(object);
  result (*clReleaseMemObject)(object);
  result (*clReleaseKernel)(object);
  result (*clReleaseProgram)(object);

  /// Of the loader, which stays loaded; false if there is none.
  bool load() {
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto*& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    return library != nullptr && find(clGetPlatformIDs, "clGetPlatformIDs") &&
           find(clGetPlatformInfo, "clGetPlatformInfo") && find(clGetDeviceIDs, "clGetDeviceIDs") &&
           find(clCreateContext, "clCreateContext") && find(clCreateCommandQueue, "clCreateCommandQueue") &&
           find(clCreateProgramWithSource, "clCreateProgramWithSource") &&
           find(clBuildProgram, "clBuildProgram") && find(clGetProgramBuildInfo, "clGetProgramBuildInfo") &&
           find(clCreateKernel, "clCreateKernel") && find(clCreateBuffer, "clCreateBuffer") &&
           find(clSetKernelArg, "clSetKernelArg") && find(clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel") &&
           find(clEnqueueMapBuffer, "clEnqueueMapBuffer") &&
           find(clEnqueueUnmapMemObject, "clEnqueueUnmapMemObject") && find(clFinish, "clFinish") &&
           find(clReleaseMemObject, "clReleaseMemObject") && find(clReleaseKernel, "clReleaseKernel") &&
           find(clReleaseProgram, "clReleaseProgram");
  }
};

functions cl;

/// Throws if \p code is an error of \p call.
void check(result code, const char* call) {
  if (code != 0)
    throw std::runtime_error(std::string(call) + " gives " + std::to_string(code));
}

class cpu_kernel final : public compiled_kernel {
public:
  cpu_kernel(object context, object queue, object device, const kernel& which)
      : queue_(queue), which_(which) {
    result code = 0;
    program_ = cl.clCreateProgramWithSource(context, 1, &which_.source, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    if (cl.clBuildProgram(program_, 1, &device, which_.options, nullptr, nullptr) != 0) {
      char log[2000] = "";
      cl.clGetProgramBuildInfo(program_, device, PROGRAM_BUILD_LOG, sizeof(log) - 1, log, nullptr);
      throw std::runtime_error(std::string("clBuildProgram fails: ") + log);
    }
    kernel_ = cl.clCreateKernel(program_, "row", &code);
    check(code, "clCreateKernel");
    for (std::uint32_t i = 0; i < which_.arguments.size(); ++i) {
      const argument& each = which_.arguments[i];
      if (each.memory == nullptr) {
        check(cl.clSetKernelArg(kernel_, i, each.size, each.value), "clSetKernelArg");
        continue;
      }
      object buffer =
          cl.clCreateBuffer(context, MEM_READ_WRITE | MEM_USE_HOST_PTR, each.size, each.memory, &code);
      check(code, "clCreateBuffer");
      buffers_.push_back(buffer);
      check(cl.clSetKernelArg(kernel_, i, sizeof(object), &buffer), "clSetKernelArg");
    }
  }
  cpu_kernel(const cpu_kernel&) = delete;
  cpu_kernel& operator=(const cpu_kernel&) = delete;
  ~cpu_kernel() override {
    for (object each : buffers_)
      cl.clReleaseMemObject(each);
    if (kernel_ != nullptr)
      cl.clReleaseKernel(kernel_);
    cl.clReleaseProgram(program_);
  }

  void run() override {
    const std::size_t global[] = {which_.columns, which_.rows}, local[] = {which_.group, 1};
    check(cl.clEnqueueNDRangeKernel(queue_, kernel_, which_.rows == 1 ? 1 : 2, nullptr, global,
                                    which_.group == 0 ? nullptr : local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    // The host may read the results once they are mapped. They are where the host's memory is: nothing moves.
    result code = 0;
    void* mapped = cl.clEnqueueMapBuffer(queue_, buffers_.back(), TRUE, MAP_READ, 0,
                                         which_.arguments.back().size, 0, nullptr, nullptr, &code);
    check(code, "clEnqueueMapBuffer");
    check(cl.clEnqueueUnmapMemObject(queue_, buffers_.back(), mapped, 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
    check(cl.clFinish(queue_), "clFinish");
  }

private:
  object queue_, program_ = nullptr, kernel_ = nullptr;
  std::vector<object> buffers_;
  kernel which_;
};

/// Its context and queue live as long as the program.
class cpu_device final : public device {
public:
  cpu_device(object platform, object device) : device_(device) {
    char name[100] = "";
    cl.clGetPlatformInfo(platform, PLATFORM_NAME, sizeof(name) - 1, name, nullptr);
    name_ = name;
    result code = 0;
    context_ = cl.clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue_ = cl.clCreateCommandQueue(context_, device_, 0, &code);
    check(code, "clCreateCommandQueue");
  }
  std::string name() const override { return name_; }
  std::unique_ptr<compiled_kernel> compile(const kernel& which) override {
    return std::make_unique<cpu_kernel>(context_, queue_, device_, which);
  }

private:
  object device_, context_ = nullptr, queue_ = nullptr;
  std::string name_;
};

} // namespace

const std::vector<std::unique_ptr<device>>& devices() {
  static const std::vector<std::unique_ptr<device>> all = [] {
    std::vector<std::unique_ptr<device>> found;
    object platforms[8];
    std::uint32_t count = 0;
    if (!cl.load() || cl.clGetPlatformIDs(8, platforms, &count) != 0)
      return found;
    for (std::uint32_t i = 0; i < count && i < 8; ++i) {
      object first = nullptr;
      if (cl.clGetDeviceIDs(platforms[i], DEVICE_TYPE_CPU, 1, &first, nullptr) == 0)
        found.push_back(std::make_unique<cpu_device>(platforms[i], first));
    }
    return found;
  }();
  return all;
}

} // namespace bench::opencl
