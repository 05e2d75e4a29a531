// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "foreign_options.hpp"

#include <algorithm>
#include <array>

namespace falx::driver {

namespace {

bool is_one_of(std::string_view argument, const auto& options) {
  return std::find(options.begin(), options.end(), argument) != options.end();
}

bool begins_with_one_of(std::string_view argument, const auto& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return argument.starts_with(beginning); });
}

// An option, or the beginning of options, that ask for something that programs then lack.
struct unmet_request {
  std::string_view beginning;
  std::string_view sentence;
};
constexpr auto UNMET = std::to_array<unmet_request>({
    {"-fintelfpga", "there are no FPGAs; the program runs on the devices that it finds"},
    {"-fsycl-device-only",
     "there is no output with device code alone; llvm-objdump --offloading shows what an "
     "object has"},
    {"-fsycl-link", "device code is linked when it is first launched"},
    {"-fsycl-host-compiler", "host code is compiled by clang++ 22"},
    {"-fsycl-pstl-offload", "standard algorithms run on the host"},
    {"-fsycl-dump-device-code", "llvm-objdump --offloading shows device code"},
    {"-fsycl-esimd-force-stateless-mem", "there is no ESIMD"},
    {"--acpp-stdpar", "standard algorithms run on the host"},
    {"--hipsycl-stdpar", "standard algorithms run on the host"},
    {"--opensycl-stdpar", "standard algorithms run on the host"},
});

// Options of icpx that clang++ has by other names, or the beginnings of both.
struct renamed_option {
  std::string_view beginning, equivalent;
};
constexpr auto RENAMED = std::to_array<renamed_option>({
    {"-qopenmp-simd", "-fopenmp-simd"},
    {"-qopenmp", "-fopenmp"},
    {"-fiopenmp", "-fopenmp"},
    {"-fp-model=", "-ffp-model="},
    {"-xHost", "-march=native"},
});

/// The part behind '=' of an option that names targets.
std::string unmet_targets(std::string_view argument) {
  static constexpr auto ABSENT =
      std::to_array<std::string_view>({"amdgcn", "amd_gpu_", "hip", "spir64_fpga"});
  static constexpr auto OPTIONS = std::to_array<std::string_view>(
      {"-fsycl-targets=", "--acpp-targets=", "--hipsycl-targets=", "--opensycl-targets="});
  if (!begins_with_one_of(argument, OPTIONS))
    return {};
  std::string_view targets = argument.substr(argument.find('=') + 1);
  while (!targets.empty()) {
    const std::string_view target = targets.substr(0, targets.find_first_of(",;"));
    targets.remove_prefix(std::min(target.size() + 1, targets.size()));
    if (begins_with_one_of(target, ABSENT))
      return "Falx has no devices for target '" + std::string(target) +
             "'; the program runs on CPUs and NVIDIA GPUs";
  }
  return {};
}

} // namespace

foreign_option classify_foreign_option(std::string_view argument) {
  static constexpr auto WHOLE = std::to_array<std::string_view>(
      {"-fsycl", "-fno-sycl", "-fpreview-breaking-changes", "-fno-preview-breaking-changes",
       "-ftarget-compile-fast", "-ftarget-export-symbols", "-fno-target-export-symbols"});
  static constexpr auto BEGINNINGS = std::to_array<std::string_view>(
      {"-fsycl-", "-fno-sycl-", "-fsycl=", "-fintelfpga", "--acpp-", "--opensycl-", "--hipsycl-",
       "-Xs=", "-foffload-fp32-", "-ftarget-register-", "-reuse-exe=", "--intel-toolchain", "-Wsycl-",
       "-Wno-sycl-", "-Werror=sycl-", "-Wno-error=sycl-"});
  static constexpr auto WITH_VALUE =
      std::to_array<std::string_view>({"-Xs", "-Xdevice-post-link", "-Xarch_device"});
  foreign_option result;
  for (const renamed_option& option : RENAMED)
    if (argument == option.beginning ||
        (option.beginning.ends_with('=') && argument.starts_with(option.beginning))) {
      result.is_foreign = true;
      result.equivalent =
          std::string(option.equivalent) + std::string(argument.substr(option.beginning.size()));
      return result;
    }
  // The triple may be joined to the option with '='.
  result.takes_value = argument.starts_with("-Xsycl-target-") || is_one_of(argument, WITH_VALUE);
  result.is_foreign =
      result.takes_value || is_one_of(argument, WHOLE) || begins_with_one_of(argument, BEGINNINGS);
  if (!result.is_foreign)
    return result;
  result.unmet = unmet_targets(argument);
  for (const unmet_request& request : UNMET)
    if (argument.starts_with(request.beginning))
      result.unmet = request.sentence;
  return result;
}

} // namespace falx::driver
