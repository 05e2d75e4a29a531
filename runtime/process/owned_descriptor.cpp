// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "owned_descriptor.hpp"

#include "file_size_signal.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace falx {
namespace {

/// Where this process's open files have names. Its own number, which others see as well, as far as they see
/// the same /proc.
std::string process_directory() {
  char number[32];
  const ssize_t length = ::readlink("/proc/self", number, sizeof number);
  return "/proc/" +
         (length > 0 ? std::string(number, static_cast<std::size_t>(length)) : std::string("self"));
}

} // namespace

std::string unique_path_to(const owned_descriptor& file) {
  static constinit std::atomic<std::uint32_t> count{0};
  // Slashes and dots that mean nothing to the file system spell a running number: bit 0 is "/", bit 1 is
  // "/.".
  std::string path = process_directory() + "/fd";
  for (std::uint32_t bits = count.fetch_add(1, std::memory_order_relaxed); bits != 0; bits >>= 1)
    path += (bits & 1) != 0 ? "/." : "/";
  return path + '/' + std::to_string(file.get());
}

std::vector<unsigned char> read_file(const owned_descriptor& file, std::size_t size) {
  std::vector<unsigned char> bytes(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::pread(file.get(), bytes.data() + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return {};
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

bool write_all(const owned_descriptor& file, std::span<const unsigned char> bytes) {
  const file_size_signal_blocker blocker;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

} // namespace falx
