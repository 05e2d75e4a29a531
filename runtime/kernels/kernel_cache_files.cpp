// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_cache_files.hpp"

#include "checksum.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <vector>

namespace falx {
namespace {

/// Of files that may still be written to, as far as one can know, where the file system has no locks.
constexpr std::time_t TEMPORARY_LIFETIME = 3600;

bool is_trusted(const struct stat& status) {
  const bool owner_is_trusted = status.st_uid == ::geteuid() || status.st_uid == 0;
  const bool others_may_rename =
      (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (status.st_mode & S_ISVTX) == 0;
  return S_ISDIR(status.st_mode) && owner_is_trusted && !others_may_rename;
}

/// A process that writes a temporary file holds a lock on it for as long as it lives.
bool is_abandoned(const owned_descriptor& directory, const std::string& name, const struct stat& status) {
  const owned_descriptor file(
      ::openat(directory.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file)
    return false;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
    return true;
  return errno != EWOULDBLOCK && std::time(nullptr) - status.st_mtime > TEMPORARY_LIFETIME;
}

/// Unique among the threads of all processes that share the directory, also over the network.
std::string temporary_name() {
  static std::atomic<std::uint64_t> counter{0};
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  return std::string(TEMPORARY_PREFIX) + digest_builder()
                                             .add(host)
                                             .add(static_cast<std::uint64_t>(::getpid()))
                                             .add(static_cast<std::uint64_t>(now.tv_sec))
                                             .add(static_cast<std::uint64_t>(now.tv_nsec))
                                             .add(counter.fetch_add(1, std::memory_order_relaxed))
                                             .finish()
                                             .hex();
}

bool write_parts(const owned_descriptor& file, std::span<const std::span<const unsigned char>> parts) {
  return std::ranges::all_of(parts, [&](const auto& part) { return write_all(file, part); });
}

/// Gives a complete file that is linked as \p temporary its name, in place of what has it.
bool rename_over(const owned_descriptor& directory, const std::string& temporary, const std::string& name) {
  if (::renameat(directory.get(), temporary.c_str(), directory.get(), name.c_str()) == 0)
    return true;
  ::unlinkat(directory.get(), temporary.c_str(), 0);
  return false;
}

/// With a file that has no name until it is complete. Nothing if that cannot be had here.
std::optional<bool> write_nameless_file(const owned_descriptor& directory, const std::string& name,
                                        std::span<const std::span<const unsigned char>> parts) {
  const owned_descriptor file(::openat(directory.get(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
  if (!file)
    return std::nullopt;
  if (!write_parts(file, parts))
    return false;
  const auto link_as = [&](const std::string& as) {
    return ::linkat(AT_FDCWD, unique_path_to(file).c_str(), directory.get(), as.c_str(), AT_SYMLINK_FOLLOW) ==
           0;
  };
  if (link_as(name))
    return true;
  if (errno != EEXIST)
    return std::nullopt;
  ::flock(file.get(), LOCK_EX | LOCK_NB); // see is_abandoned
  const std::string temporary = temporary_name();
  return link_as(temporary) && rename_over(directory, temporary, name);
}

bool write_named_file(const owned_descriptor& directory, const std::string& name,
                      std::span<const std::span<const unsigned char>> parts) {
  const std::string temporary = temporary_name();
  owned_descriptor file(::openat(directory.get(), temporary.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    return false;
  ::flock(file.get(), LOCK_EX | LOCK_NB); // where there are no locks, is_abandoned goes by time
  if (!write_parts(file, parts)) {
    ::unlinkat(directory.get(), temporary.c_str(), 0);
    return false;
  }
  if (!rename_over(directory, temporary, name))
    return false;
  // Network file systems report a full disk only here. What others saw until now had a wrong checksum.
  if (::close(file.detach()) == 0)
    return true;
  ::unlinkat(directory.get(), name.c_str(), 0);
  return false;
}

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
  for_each_name(shard, [&](const std::string& name) {
    struct stat status{};
    if (::fstatat(shard.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
      return;
    if (name.ends_with(ENTRY_SUFFIX))
      entries.push_back({status.st_mtim, static_cast<std::uint64_t>(status.st_size), shard_name, name});
    else if (name.starts_with(TEMPORARY_PREFIX) && is_abandoned(shard, name, status))
      ::unlinkat(shard.get(), name.c_str(), 0);
  });
}

} // namespace

void make_directories(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    ::mkdir(path.substr(0, end).c_str(), 0700);
    if (end == std::string::npos)
      return;
  }
}

std::shared_ptr<const owned_descriptor> cache_directory::open() {
  const std::lock_guard lock(mutex_);
  struct stat status{};
  if (opened_ != nullptr) {
    if (::fstat(opened_->get(), &status) == 0 && status.st_dev == device_ && status.st_ino == number_) {
      if (status.st_nlink != 0)
        return is_trusted(status) ? opened_ : nullptr;
      opened_ = nullptr; // it was removed
    } else {
      // The program closed all that was open, as daemons do: the number is not ours any more, so it is not
      // closed.
      static_cast<void>(
          std::make_unique<std::shared_ptr<const owned_descriptor>>(std::move(opened_)).release());
    }
  }
  auto directory =
      std::make_shared<const owned_descriptor>(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!*directory || ::fstat(directory->get(), &status) != 0 || !is_trusted(status))
    return nullptr;
  device_ = status.st_dev;
  number_ = status.st_ino;
  return opened_ = std::move(directory);
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

bool write_file(const owned_descriptor& directory, const std::string& name,
                std::span<const std::span<const unsigned char>> parts) {
  if (const std::optional<bool> written = write_nameless_file(directory, name, parts))
    return *written;
  return write_named_file(directory, name, parts);
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
