// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_cache.hpp"

#include "kernel_cache_diagnosis.hpp"
#include "kernel_cache_files.hpp"

#include <atomic>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace falx {
namespace {

/// The end of every entry. Native byte order: the checksum is wrong anyway on a machine that it is not for.
struct trailer {
  std::uint64_t magic;
  std::uint64_t size;
  /// Of the binary, seeded with half of the key, so that an entry under a wrong name is found out.
  std::uint64_t checksum;
};
constexpr std::uint64_t MAGIC = 0x316E72656B786C66; // "flxkern1"

/// A use marks an entry at most this often; an mtime write per program start would be noise on network disks.
constexpr std::time_t SECONDS_BETWEEN_MARKS = 3600;

/// An eviction is due about once per this fraction of the capacity written.
constexpr std::uint64_t EVICTIONS_PER_CAPACITY = 16;

/// Says whether the mapped file is an intact entry of \p key, and how long its binary is.
std::optional<std::size_t> check_entry(std::span<const unsigned char> file, const digest128& key) {
  if (file.size() < sizeof(trailer))
    return std::nullopt;
  const std::size_t size = file.size() - sizeof(trailer);
  trailer end;
  std::memcpy(&end, file.data() + size, sizeof end);
  if (end.magic != MAGIC || end.size != size || end.checksum != checksum64(file.first(size), key.low))
    return std::nullopt;
  return size;
}

/// Another user's file, a link or a device is no entry.
bool is_own_file(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void mark_use(int file, const struct stat& status) {
  const std::time_t now = std::time(nullptr);
  if (now - status.st_mtime > SECONDS_BETWEEN_MARKS || status.st_mtime > now)
    ::futimens(file, nullptr);
}

/// Writing past RLIMIT_FSIZE would end the process with SIGXFSZ, so it is not tried.
bool file_size_allowed(std::size_t size) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         (limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur);
}

/// Unique among the threads of all processes that share the directory, also over the network.
std::string temporary_name(const digest128& key) {
  static std::atomic<std::uint64_t> counter{0};
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  return std::string(TEMPORARY_PREFIX) + digest_builder()
                                             .add(key.low)
                                             .add(host)
                                             .add(static_cast<std::uint64_t>(::getpid()))
                                             .add(static_cast<std::uint64_t>(now.tv_sec))
                                             .add(static_cast<std::uint64_t>(now.tv_nsec))
                                             .add(counter.fetch_add(1, std::memory_order_relaxed))
                                             .finish()
                                             .hex();
}

/// Writes a complete file \p name into \p directory; on failure leaves nothing there.
bool write_file(int directory, const std::string& name, std::span<const unsigned char> binary,
                const trailer& end) {
  if (!file_size_allowed(binary.size() + sizeof end))
    return false;
  owned_descriptor file(
      ::openat(directory, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    return false;
  const bool written =
      write_all(file, binary) && write_all(file, {reinterpret_cast<const unsigned char*>(&end), sizeof end});
  // Network file systems report a full disk only here.
  const bool closed = ::close(file.detach()) == 0;
  if (!written || !closed)
    ::unlinkat(directory, name.c_str(), 0);
  return written && closed;
}

struct entry_name {
  explicit entry_name(const digest128& key) {
    const std::string hex = key.hex();
    shard = hex.substr(0, 2);
    file = hex.substr(2) + std::string(ENTRY_SUFFIX);
  }
  std::string shard, file;
};

} // namespace

kernel_cache::kernel_cache(std::string directory, std::uint64_t capacity)
    : directory_(capacity == 0 ? std::string() : std::move(directory)), capacity_(capacity) {}

std::optional<kernel_cache::entry> kernel_cache::find(const digest128& key) const {
  if (directory_.empty())
    return std::nullopt;
  const entry_name name(key);
  const owned_descriptor shard = open_shard(open_cache_directory(directory_), name.shard);
  const owned_descriptor file(
      shard ? ::openat(shard.get(), name.file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1);
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0 || !is_own_file(status) || status.st_size <= 0)
    return std::nullopt;

  const std::size_t length = static_cast<std::size_t>(status.st_size);
  void* mapped = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.get(), 0);
  if (mapped == MAP_FAILED)
    return std::nullopt;
  const std::optional<std::size_t> size =
      check_entry({static_cast<const unsigned char*>(mapped), length}, key);
  ::munmap(mapped, length);
  if (!size)
    return std::nullopt;
  mark_use(file.get(), status);
  return entry{directory_ + '/' + name.shard + '/' + name.file, *size};
}

std::vector<unsigned char> kernel_cache::read(const entry& found) {
  return read_file(found.path, found.size);
}

std::optional<kernel_cache::entry> kernel_cache::store(const digest128& key,
                                                       std::span<const unsigned char> binary) const {
  if (directory_.empty())
    return std::nullopt;
  std::optional<entry> stored = try_to_store(key, binary);
  if (!stored) {
    if (binary.size() > capacity_)
      report_cache_problem(fmt::format("FALX_CACHE_SIZE is {} bytes, and a kernel has {}; set it to more",
                                       capacity_, binary.size()));
    else if (const std::optional<std::string> problem = problem_of_cache(directory_, binary.size()))
      report_cache_problem(*problem);
  }
  return stored;
}

std::optional<kernel_cache::entry> kernel_cache::try_to_store(const digest128& key,
                                                              std::span<const unsigned char> binary) const {
  if (binary.size() > capacity_)
    return std::nullopt;
  const entry_name name(key);
  make_directories(directory_);
  const owned_descriptor root = open_cache_directory(directory_);
  if (!root)
    return std::nullopt;
  ::mkdirat(root.get(), name.shard.c_str(), 0700);
  const owned_descriptor shard = open_shard(root, name.shard);
  if (!shard)
    return std::nullopt;

  const std::string temporary = temporary_name(key);
  if (!write_file(shard.get(), temporary, binary, {MAGIC, binary.size(), checksum64(binary, key.low)}))
    return std::nullopt;
  if (::renameat(shard.get(), temporary.c_str(), shard.get(), name.file.c_str()) != 0) {
    ::unlinkat(shard.get(), temporary.c_str(), 0);
    return std::nullopt;
  }

  // The key is as good as a random number, so each byte written has the same chance to cause an eviction, in
  // whichever process: no counter on disk is needed. What was just stored survives, being the youngest.
  const std::uint64_t chances = UINT64_MAX / capacity_;
  if (binary.size() >= capacity_ / EVICTIONS_PER_CAPACITY ||
      key.low < chances * binary.size() * EVICTIONS_PER_CAPACITY)
    evict();
  return entry{directory_ + '/' + name.shard + '/' + name.file, binary.size()};
}

void kernel_cache::evict() const {
  if (!directory_.empty())
    evict_oldest(open_cache_directory(directory_), capacity_ - capacity_ / 8);
}

} // namespace falx
