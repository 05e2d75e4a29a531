// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_device.hpp"

#include "diagnostics/environment.hpp"

#include <cstdio>
#include <memory>
#include <vector>

namespace falx {
namespace {

class cuda_backend final : public backend {
public:
  explicit cuda_backend(int device_count) {
    for (int ordinal = 0; ordinal < device_count; ++ordinal) {
      cuda::device_ordinal device = 0;
      if (cuda::api().cuDeviceGet(&device, ordinal) != cuda::result::success)
        continue;
      // Falx needs warps whose threads run independently.
      if (cuda_attribute(device, cuda::device_attribute::compute_capability_major) < OLDEST_MAJOR)
        continue;
      owned_.push_back(std::make_unique<cuda_device>(device));
      devices_.push_back(owned_.back().get());
    }
  }
  std::string_view name() const noexcept override { return "cuda"; }
  std::string_view platform_name() const noexcept override { return "NVIDIA CUDA"; }
  std::span<backend_device* const> devices() override { return devices_; }

private:
  static constexpr int OLDEST_MAJOR = 7;
  std::vector<std::unique_ptr<cuda_device>> owned_;
  std::vector<backend_device*> devices_;
};

void explain(const char* problem) {
  if (the_environment().explains_absent_cuda)
    std::fprintf(stderr, "falx: no CUDA devices: %s\n", problem);
}

} // namespace

std::unique_ptr<backend> make_cuda_backend(std::string& problem) {
  problem = cuda::the_driver().problem;
  std::unique_ptr<backend> made;
  if (problem.empty()) {
    int count = 0;
    cuda::api().cuDeviceGetCount(&count);
    made = std::make_unique<cuda_backend>(count);
    if (made->devices().empty())
      problem = "all devices are older than compute capability 7.0";
  }
  if (!problem.empty()) {
    explain(problem.c_str());
    return nullptr;
  }
  return made;
}

} // namespace falx
