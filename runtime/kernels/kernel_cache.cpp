// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_cache.hpp"

#include "cache_entry.hpp"
#include "kernel_cache_diagnosis.hpp"

#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace falx {
namespace {

/// A use marks an entry at most this often; an mtime write per program start would be noise on network disks.
constexpr std::time_t SECONDS_BETWEEN_MARKS = 3600;

/// An eviction is due about once per this fraction of the capacity written.
constexpr std::uint64_t EVICTIONS_PER_CAPACITY = 16;

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

struct entry_name {
  explicit entry_name(const digest128& key) {
    const std::string hex = key.hex();
    shard = hex.substr(0, 2);
    file = hex.substr(2) + std::string(ENTRY_SUFFIX);
  }
  std::string shard, file;
};

/// The user's own file of that name in the shard; empty if there is none.
struct opened_entry {
  opened_entry(const owned_descriptor& directory, const entry_name& name) {
    const owned_descriptor shard = open_shard(directory, name.shard);
    owned_descriptor opened(
        shard ? ::openat(shard.get(), name.file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
              : -1);
    if (opened && ::fstat(opened.get(), &status) == 0 && is_own_file(status) && status.st_size > 0)
      file = std::move(opened);
  }
  std::size_t length() const { return static_cast<std::size_t>(status.st_size); }

  owned_descriptor file;
  struct stat status{};
};

} // namespace

kernel_cache::kernel_cache(std::string directory, std::uint64_t capacity)
    : directory_(capacity == 0 ? std::string() : std::move(directory)), capacity_(capacity) {}

kernel_cache::entry kernel_cache::entry_in(std::shared_ptr<const owned_descriptor> directory,
                                           const digest128& key) {
  const entry_name name(key);
  std::string path = unique_path_to(*directory) + '/' + name.shard + '/' + name.file;
  return {std::move(path), std::move(directory)};
}

std::optional<kernel_cache::entry> kernel_cache::find(const digest128& key) {
  std::shared_ptr<const owned_descriptor> directory = open();
  if (directory == nullptr)
    return std::nullopt;
  const opened_entry found(*directory, entry_name(key));
  if (!found.file)
    return std::nullopt;
  void* mapped = ::mmap(nullptr, found.length(), PROT_READ, MAP_PRIVATE | MAP_POPULATE, found.file.get(), 0);
  if (mapped == MAP_FAILED)
    return std::nullopt;
  const std::optional<std::size_t> size =
      check_entry({static_cast<const unsigned char*>(mapped), found.length()}, key);
  ::munmap(mapped, found.length());
  if (!size)
    return std::nullopt;
  mark_use(found.file.get(), found.status);
  return entry_in(std::move(directory), key);
}

std::vector<unsigned char> kernel_cache::read(const digest128& key) {
  const std::shared_ptr<const owned_descriptor> directory = open();
  if (directory == nullptr)
    return {};
  const opened_entry found(*directory, entry_name(key));
  if (!found.file)
    return {};
  std::vector<unsigned char> bytes = read_file(found.file, found.length());
  const std::optional<std::size_t> size = check_entry(bytes, key);
  if (!size)
    return {};
  mark_use(found.file.get(), found.status);
  bytes.resize(*size);
  return bytes;
}

std::optional<kernel_cache::entry> kernel_cache::store(const digest128& key,
                                                       std::span<const unsigned char> binary) {
  if (directory_.path().empty())
    return std::nullopt;
  std::optional<entry> stored = try_to_store(key, binary);
  if (!stored) {
    if (binary.size() > capacity_)
      report_cache_problem(fmt::format("FALX_CACHE_SIZE is {} bytes, and a kernel has {}; set it to more",
                                       capacity_, binary.size()));
    else if (const std::optional<std::string> problem = problem_of_cache(directory_.path(), binary.size()))
      report_cache_problem(*problem);
  }
  return stored;
}

std::optional<kernel_cache::entry> kernel_cache::try_to_store(const digest128& key,
                                                              std::span<const unsigned char> binary) {
  if (binary.size() > capacity_)
    return std::nullopt;
  const entry_name name(key);
  make_directories(directory_.path());
  std::shared_ptr<const owned_descriptor> root = open();
  if (root == nullptr)
    return std::nullopt;
  ::mkdirat(root->get(), name.shard.c_str(), 0700);
  const owned_descriptor shard = open_shard(*root, name.shard);
  if (!shard)
    return std::nullopt;
  const std::array<unsigned char, TRAILER_BYTES> end = trailer_of(binary, key);
  const std::span<const unsigned char> parts[] = {binary, end};
  if (!write_file(shard, name.file, parts))
    return std::nullopt;

  // The key is as good as a random number, so each byte written has the same chance to cause an eviction, in
  // whichever process: no counter on disk is needed. What was just stored survives, being the youngest.
  const std::uint64_t chances = UINT64_MAX / capacity_;
  if (binary.size() >= capacity_ / EVICTIONS_PER_CAPACITY ||
      key.low < chances * binary.size() * EVICTIONS_PER_CAPACITY)
    evict();
  return entry_in(std::move(root), key);
}

void kernel_cache::evict() {
  if (const std::shared_ptr<const owned_descriptor> directory = open())
    evict_oldest(*directory, capacity_ - capacity_ / 8);
}

} // namespace falx
