// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_libdevice.hpp"

#include "diagnostics/environment.hpp"
#include "kernels/checksum.hpp"
#include "process/owned_descriptor.hpp"

#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <vector>

namespace falx {
namespace {

constexpr const char* FILE_NAME = "libdevice.10.bc";

bool is_file(const std::string& path) noexcept {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
}

std::vector<std::string> candidates() {
  const environment& chosen = the_environment();
  if (!chosen.libdevice.empty())
    return {chosen.libdevice};
  std::vector<std::string> paths;
  for (const std::string& toolkit : {chosen.cuda_home, chosen.cuda_path})
    if (!toolkit.empty())
      paths.push_back(fmt::format("{}/nvvm/libdevice/{}", toolkit, FILE_NAME));
  for (const char* toolkit : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"})
    paths.push_back(fmt::format("{}/nvvm/libdevice/{}", toolkit, FILE_NAME));
  return paths;
}

const std::string& libdevice_path() {
  static const std::string& path = *new std::string([] {
    for (const std::string& candidate : candidates())
      if (is_file(candidate))
        return candidate;
    return std::string();
  }());
  return path;
}

std::span<const unsigned char> map_file(const std::string& path) noexcept {
  const owned_descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0 || status.st_size <= 0)
    return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (bytes == MAP_FAILED)
    return {};
  return {static_cast<const unsigned char*>(bytes), size};
}

} // namespace

jit::identified_bytes libdevice() {
  static const jit::identified_bytes mapped = [] {
    const std::span<const unsigned char> bytes =
        libdevice_path().empty() ? std::span<const unsigned char>() : map_file(libdevice_path());
    const std::string& identity =
        *std::make_unique<std::string>(bytes.empty() ? std::string() : digest_of(bytes).hex())
             .release(); // lives as long as the bytes
    return jit::identified_bytes{bytes, identity};
  }();
  return mapped;
}

} // namespace falx
