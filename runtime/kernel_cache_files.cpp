// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_cache_files.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <vector>

namespace falx {
namespace {

constexpr std::time_t TEMPORARY_LIFETIME = 3600;

struct directory_closer {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

struct found_entry {
  timespec last_use;
  std::uint64_t bytes;
  std::string shard, name;
};

bool is_shard_name(std::string_view name) {
  return name.size() == 2 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Calls \p visit with every name in the directory.
template <class Visitor>
void for_each_name(const owned_descriptor& directory, Visitor visit) {
  // A new open file description: reading must not move the position of the caller's.
  owned_descriptor again(directory ? ::openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1);
  if (!again)
    return;
  const std::unique_ptr<DIR, directory_closer> stream(::fdopendir(again.get()));
  if (!stream)
    return;
  again.detach(); // the stream closes it
  while (const dirent* item = ::readdir(stream.get()))
    visit(std::string(item->d_name));
}

/// Notes the shard's entries in \p entries and removes abandoned temporary files.
void sweep_shard(const owned_descriptor& shard, const std::string& shard_name,
                 std::vector<found_entry>& entries) {
  const std::time_t now = std::time(nullptr);
  for_each_name(shard, [&](const std::string& name) {
    struct stat status{};
    if (::fstatat(shard.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
      return;
    if (name.ends_with(ENTRY_SUFFIX))
      entries.push_back({status.st_mtim, static_cast<std::uint64_t>(status.st_size), shard_name, name});
    else if (name.starts_with(TEMPORARY_PREFIX) && now - status.st_mtime > TEMPORARY_LIFETIME)
      ::unlinkat(shard.get(), name.c_str(), 0);
  });
}

} // namespace

std::vector<unsigned char> read_file(const std::string& path, std::size_t size) {
  const owned_descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file)
    return {};
  std::vector<unsigned char> bytes(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::read(file.get(), bytes.data() + done, size - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return {};
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

bool write_all(const owned_descriptor& file, std::span<const unsigned char> bytes) {
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

void make_directories(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    ::mkdir(path.substr(0, end).c_str(), 0700);
    if (end == std::string::npos)
      return;
  }
}

owned_descriptor open_cache_directory(const std::string& path) {
  owned_descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status{};
  if (!directory || ::fstat(directory.get(), &status) != 0)
    return {};
  const bool owner_is_trusted = status.st_uid == ::geteuid() || status.st_uid == 0;
  const bool others_may_rename =
      (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (status.st_mode & S_ISVTX) == 0;
  return owner_is_trusted && !others_may_rename ? std::move(directory) : owned_descriptor();
}

owned_descriptor open_shard(const owned_descriptor& cache_directory, const std::string& name) {
  if (!cache_directory)
    return {};
  owned_descriptor shard(
      ::openat(cache_directory.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status{};
  if (!shard || ::fstat(shard.get(), &status) != 0 || status.st_uid != ::geteuid() ||
      (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return {};
  return shard;
}

void evict_oldest(const owned_descriptor& cache_directory, std::uint64_t bytes) {
  std::vector<found_entry> entries;
  for_each_name(cache_directory, [&](const std::string& name) {
    if (is_shard_name(name))
      sweep_shard(open_shard(cache_directory, name), name, entries);
  });
  std::ranges::sort(entries, [](const found_entry& a, const found_entry& b) {
    return a.last_use.tv_sec != b.last_use.tv_sec ? a.last_use.tv_sec < b.last_use.tv_sec
                                                  : a.last_use.tv_nsec < b.last_use.tv_nsec;
  });
  std::uint64_t total = 0;
  for (const found_entry& entry : entries)
    total += entry.bytes;
  for (const found_entry& entry : entries) {
    if (total <= bytes)
      return;
    // Counted as freed even if another process was faster, or both would go on to younger entries.
    ::unlinkat(cache_directory.get(), (entry.shard + '/' + entry.name).c_str(), 0);
    total -= entry.bytes;
  }
}

} // namespace falx
