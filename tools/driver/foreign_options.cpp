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

// The beginning of options that ask for something that programs then lack.
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
    {"-fsycl-default-sub-group-size",
     "kernels name a size ([[sycl::reqd_sub_group_size]]), or FALX_SIMD does"},
    {"-nolibsycl", "what falx++ links has libfalx.so; link with clang++ what shall not have it"},
    {"--acpp-stdpar", "standard algorithms run on the host"},
    {"--acpp-clang=", "host code is compiled by clang++ 22"},
    {"--acpp-cpu-cxx=", "host code is compiled by clang++ 22"},
    {"--acpp-nvcxx=", "kernels are compiled when they are first launched"},
    {"--acpp-omp-cxx-flags=", "there is one compilation for all devices; give the options by themselves"},
    {"--acpp-sequential-cxx-flags=",
     "there is one compilation for all devices; give the options by themselves"},
    {"--acpp-cuda-cxx-flags=", "there is one compilation for all devices; give the options by themselves"},
    {"--acpp-rocm-cxx-flags=", "there is one compilation for all devices; give the options by themselves"},
    {"--acpp-omp-link-line=", "there is one link for all devices; give the options by themselves"},
    {"--acpp-sequential-link-line=", "there is one link for all devices; give the options by themselves"},
    {"--acpp-cuda-link-line=", "there is one link for all devices; give the options by themselves"},
    {"--acpp-rocm-link-line=", "there is one link for all devices; give the options by themselves"},
    {"--acpp-save-temps", "there is one compilation for all devices; -save-temps keeps its files"},
    {"-Xcuda-ptxas", "the NVIDIA driver assembles kernels when they are first launched"},
    {"-Xcuda-fatbinary", "there are no fat binaries"},
    {"-fopenmp-targets=", "OpenMP runs on the host"},
    {"-foffload-static-lib=", "name the library as any other"},
    {"-foffload-whole-static-lib=", "name the library as any other"},
    {"-qtbb", "link with -ltbb what calls oneTBB by itself"},
    {"-tbb", "link with -ltbb what calls oneTBB by itself"},
    {"-qdpl", "the headers of oneDPL, where they are installed, are found with -I"},
    {"-fast", "it stands for several options; give -O3 -march=native -ffp-model=fast"},
});

// Libraries that icpx brings along.
constexpr auto REFUSED = std::to_array<unmet_request>({
    {"-qmkl",
     "Falx does not bring oneMKL; give the directories and names of a library that has it (-I, -L, -l)"},
    {"-mkl",
     "Falx does not bring oneMKL; give the directories and names of a library that has it (-I, -L, -l)"},
    {"-qipp",
     "Falx does not bring IPP; give the directories and names of a library that has it (-I, -L, -l)"},
    {"-qdal",
     "Falx does not bring oneDAL; give the directories and names of a library that has it (-I, -L, -l)"},
    {"-qccl",
     "Falx does not bring oneCCL; give the directories and names of a library that has it (-I, -L, -l)"},
});

// Options of icpx and acpp that clang++ has by other names, or the beginnings of both.
struct renamed_option {
  std::string_view beginning, equivalent;
};
constexpr auto RENAMED = std::to_array<renamed_option>({
    {"-qopenmp-simd", "-fopenmp-simd"},
    {"-qopenmp", "-fopenmp"},
    {"-fiopenmp", "-fopenmp"},
    {"-xHost", "-march=native"},
    {"-xSSE4.2", "-march=nehalem"},
    {"-xAVX", "-march=sandybridge"},
    {"-xCORE-AVX-I", "-march=ivybridge"},
    {"-xCORE-AVX2", "-march=haswell"},
    {"-xCORE-AVX512", "-march=skylake-avx512"},
    {"-xCOMMON-AVX512", "-march=x86-64-v4"},
    {"-ipo", "-flto"},
    {"-no-ansi-alias", "-fno-strict-aliasing"},
    {"-no-vec", "-fno-vectorize"},
    {"-ftz", "-mdaz-ftz"},
    {"-no-ftz", "-mno-daz-ftz"},
    {"--acpp-dryrun", "-###"},
    {"--acpp-version", "--version"},
});

// Tuning and messages of icpx, and what clang++ has for CUDA and HIP alone, which it reports as unused.
constexpr auto WITHOUT_MEANING = std::to_array<std::string_view>({"-fimf-",
                                                                  "-fno-imf-",
                                                                  "-fp-speculation",
                                                                  "-qopt-",
                                                                  "-qno-opt-",
                                                                  "-qactypes",
                                                                  "-qno-actypes",
                                                                  "-ax",
                                                                  "-no-intel-lib",
                                                                  "-static-intel",
                                                                  "-shared-intel",
                                                                  "-diag-disable",
                                                                  "-diag-enable",
                                                                  "-diag-error",
                                                                  "-Rno-debug-disables",
                                                                  "-Rdebug-disables",
                                                                  "--cuda-path=",
                                                                  "--cuda-path-ignore-env",
                                                                  "--no-cuda-",
                                                                  "--offload-arch=",
                                                                  "--no-offload-arch=",
                                                                  "--cuda-gpu-arch=",
                                                                  "--no-cuda-gpu-arch=",
                                                                  "-fcuda-",
                                                                  "-fno-cuda-",
                                                                  "-fgpu-",
                                                                  "-fno-gpu-",
                                                                  "--offload-compress",
                                                                  "--no-offload-compress",
                                                                  "--offload-new-driver",
                                                                  "--no-offload-new-driver",
                                                                  "--rocm-path="});
constexpr auto WHOLE_WITHOUT_MEANING = std::to_array<std::string_view>(
    {"-traceback", "-no-traceback", "-ansi-alias", "-vec", "-w0", "-w1", "-w2", "-w3", "-nolib-inline"});

/// The value of -fp-model as that of -ffp-model.
std::string_view float_model(std::string_view value) {
  if (value == "fast=1")
    return "fast";
  if (value == "fast=2")
    return "aggressive";
  return value == "consistent" || value == "source" || value == "except" ? "precise" : value;
}

/// acpp's options have its former names, too.
std::string with_name_of_today(std::string_view argument) {
  for (const std::string_view former : {"--hipsycl-", "--opensycl-"})
    if (argument.starts_with(former))
      return "--acpp-" + std::string(argument.substr(former.size()));
  return std::string(argument);
}

/// The first of the targets in a list, which is taken out of it.
std::string_view take_target(std::string_view& targets) {
  const std::string_view target = targets.substr(0, targets.find_first_of(",;"));
  targets.remove_prefix(std::min(target.size() + 1, targets.size()));
  return target;
}

/// The part behind '=' of an option that names targets.
std::string unmet_targets(std::string_view argument) {
  static constexpr auto ABSENT =
      std::to_array<std::string_view>({"amdgcn", "amd_gpu_", "hip", "spir64_fpga"});
  static constexpr auto OPTIONS = std::to_array<std::string_view>({"-fsycl-targets=", "--acpp-targets="});
  if (!begins_with_one_of(argument, OPTIONS))
    return {};
  std::string_view targets = argument.substr(argument.find('=') + 1);
  while (!targets.empty()) {
    const std::string_view target = take_target(targets);
    if (begins_with_one_of(target, ABSENT))
      return "Falx has no devices for target '" + std::string(target) +
             "'; the program runs on CPUs and NVIDIA GPUs";
  }
  return {};
}

} // namespace

bool are_nvidia_targets(std::string_view targets) {
  static constexpr auto NVIDIA = std::to_array<std::string_view>({"nvptx", "nvidia_gpu_"});
  const bool names_some = !targets.empty();
  while (!targets.empty())
    if (!begins_with_one_of(take_target(targets), NVIDIA))
      return false;
  return names_some;
}

foreign_option classify_foreign_option(std::string_view given, std::string_view next) {
  static constexpr auto WHOLE = std::to_array<std::string_view>(
      {"-fsycl", "-fno-sycl", "-fpreview-breaking-changes", "-fno-preview-breaking-changes",
       "-ftarget-compile-fast", "-ftarget-export-symbols", "-fno-target-export-symbols"});
  static constexpr auto BEGINNINGS = std::to_array<std::string_view>(
      {"-fsycl-", "-fno-sycl-", "-fsycl=", "-fintelfpga", "--acpp-", "-Xs", "-foffload-fp32-",
       "-fno-offload-fp32-", "-ftarget-register-", "-reuse-exe=", "--intel-toolchain", "-Wsycl-",
       "-Wno-sycl-", "-Werror=sycl-", "-Wno-error=sycl-"});
  static constexpr auto WITH_VALUE =
      std::to_array<std::string_view>({"-Xs", "-Xdevice-post-link", "-Xarch_device", "-Xspirv-translator",
                                       "-Xcuda-ptxas", "-Xcuda-fatbinary"});
  const std::string named_as_today = with_name_of_today(given);
  const std::string_view argument = named_as_today;
  foreign_option result;
  for (const renamed_option& option : RENAMED)
    if (argument == option.beginning ||
        (option.beginning.ends_with('=') && argument.starts_with(option.beginning))) {
      result.is_foreign = true;
      result.equivalent =
          std::string(option.equivalent) + std::string(argument.substr(option.beginning.size()));
      return result;
    }
  constexpr std::string_view FLOAT_MODEL = "-fp-model";
  if (argument.starts_with(FLOAT_MODEL)) {
    result.is_foreign = true;
    result.takes_value = argument == FLOAT_MODEL;
    const std::string_view value = result.takes_value ? next : argument.substr(FLOAT_MODEL.size() + 1);
    result.equivalent = "-ffp-model=" + std::string(float_model(value));
    return result;
  }
  // The triple may be joined to the option with '='.
  result.takes_value =
      argument.starts_with("-Xsycl-target-") || is_one_of(argument, WITH_VALUE) ||
      (argument == "-Xclang" && next.starts_with("-fsycl-") && !next.starts_with("-fsycl-is-"));
  result.unmet = unmet_targets(argument);
  for (const unmet_request& request : UNMET)
    if (argument.starts_with(request.beginning))
      result.unmet = request.sentence;
  for (const unmet_request& request : REFUSED)
    if (argument.starts_with(request.beginning))
      result.refused = request.sentence;
  result.is_foreign = result.takes_value || !result.unmet.empty() || !result.refused.empty() ||
                      is_one_of(argument, WHOLE) || is_one_of(argument, WHOLE_WITHOUT_MEANING) ||
                      begins_with_one_of(argument, BEGINNINGS) ||
                      begins_with_one_of(argument, WITHOUT_MEANING);
  return result;
}

} // namespace falx::driver
