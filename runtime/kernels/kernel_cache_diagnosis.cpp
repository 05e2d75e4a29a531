// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_cache_diagnosis.hpp"

#include "kernel_cache_files.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <vector>

namespace falx {
namespace {

constexpr const char* ELSEWHERE = "set FALX_CACHE_DIR to another directory";

std::string in_words(int error) {
  return std::generic_category().message(error);
}

/// Why the directory cannot be trusted; nothing if it can be.
std::optional<std::string> problem_of_owner(const std::string& path, const struct stat& status,
                                            bool is_root_trusted) {
  if (status.st_uid != ::geteuid() && !(is_root_trusted && status.st_uid == 0))
    return fmt::format("'{}' belongs to another user (number {}); {}", path, status.st_uid, ELSEWHERE);
  const bool keeps_names = is_root_trusted && (status.st_mode & S_ISVTX) != 0;
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !keeps_names)
    return fmt::format("other users may write to '{}'; change that by chmod go-w, or {}", path, ELSEWHERE);
  return std::nullopt;
}

/// Of a directory that is not there yet, whether it could be made: tries with the first that is missing.
std::optional<std::string> problem_of_making(const std::string& path) {
  std::string parent, missing = path;
  struct stat status{};
  for (;;) {
    parent = missing.substr(0, missing.find_last_of('/'));
    if (parent.empty())
      parent = "/";
    if (::stat(parent.c_str(), &status) == 0 || parent == "/")
      break;
    missing = parent;
  }
  if (!S_ISDIR(status.st_mode))
    return fmt::format("'{}' is not a directory; {}", parent, ELSEWHERE);
  if (::mkdir(missing.c_str(), 0700) == 0)
    ::rmdir(missing.c_str()); // not if another process uses it by now
  else if (errno != EEXIST)
    return fmt::format("the directory '{}' cannot be made: {}; {}", missing, in_words(errno), ELSEWHERE);
  return std::nullopt;
}

std::optional<std::string> problem_of_writing(const std::string& path, const owned_descriptor& directory,
                                              std::size_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur)
    return fmt::format(
        "the limit on the size of files (ulimit -f) is {} bytes, and a kernel has {}; raise it",
        limit.rlim_cur, bytes);
  const auto failed = [&] {
    return fmt::format("a file in '{}' cannot be written: {}; make room there, or {}", path, in_words(errno),
                       ELSEWHERE);
  };
  const std::string name = fmt::format("{}probe-{}", TEMPORARY_PREFIX, ::getpid());
  owned_descriptor file(
      ::openat(directory.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    return fmt::format("no file can be made in '{}': {}; {}", path, in_words(errno), ELSEWHERE);
  std::optional<std::string> problem;
  if (!write_all(file, std::vector<unsigned char>(bytes)))
    problem = failed();
  else if (::close(file.detach()) != 0) // network file systems report a full disk only here
    problem = failed();
  ::unlinkat(directory.get(), name.c_str(), 0);
  return problem;
}

/// Of the directories of entries that are there.
std::optional<std::string> problem_of_shards(const std::string& path, const owned_descriptor& directory) {
  for (unsigned number = 0; number < 256; ++number) {
    const std::string name = fmt::format("{:02x}", number);
    const std::string shard = fmt::format("{}/{}", path, name);
    struct stat status{};
    if (::fstatat(directory.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (!S_ISDIR(status.st_mode))
      return fmt::format("'{}' is not a directory; remove it, or {}", shard, ELSEWHERE);
    if (std::optional<std::string> problem = problem_of_owner(shard, status, /*is_root_trusted=*/false))
      return problem;
    if (::faccessat(directory.get(), name.c_str(), R_OK | W_OK | X_OK, AT_EACCESS) != 0)
      return fmt::format("'{}' cannot be used: {}; remove it, or {}", shard, in_words(errno), ELSEWHERE);
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> problem_of_cache(const std::string& path, std::size_t bytes) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      return problem_of_making(path);
    return fmt::format("'{}' cannot be used: {}; {}", path, in_words(errno), ELSEWHERE);
  }
  if (!S_ISDIR(status.st_mode))
    return fmt::format("'{}' is not a directory; remove it, or {}", path, ELSEWHERE);
  if (std::optional<std::string> problem = problem_of_owner(path, status, /*is_root_trusted=*/true))
    return problem;
  const owned_descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory)
    return fmt::format("'{}' cannot be opened: {}; {}", path, in_words(errno), ELSEWHERE);
  if (std::optional<std::string> problem = problem_of_writing(path, directory, bytes))
    return problem;
  return problem_of_shards(path, directory);
}

void report_cache_problem(const std::string& problem) {
  static std::atomic<bool> reported{false};
  if (!reported.exchange(true, std::memory_order_relaxed))
    std::fprintf(stderr,
                 "falx: compiled kernels cannot be kept for the next run: %s (FALX_CACHE=off: not to keep "
                 "them, without "
                 "this line)\n",
                 problem.c_str());
}

} // namespace falx
