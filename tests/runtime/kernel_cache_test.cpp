// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/cache.hpp"
#include "kernels/kernel_cache.hpp"
#include "process/file_identity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using falx::digest128;
using falx::kernel_cache;

constexpr std::uint64_t MEGABYTE = 1 << 20;
constexpr int SKIPPED = 77;

digest128 key_of(std::uint64_t number) {
  return falx::digest_builder().add(number).finish();
}

/// Bytes that depend on \p number, so that a mixed-up entry is seen.
std::vector<unsigned char> binary_of(std::uint64_t number, std::size_t size = 10000) {
  std::vector<unsigned char> bytes(size);
  for (unsigned char& byte : bytes)
    byte = static_cast<unsigned char>((number = number * 6364136223846793005u + 1442695040888963407u) >> 56);
  return bytes;
}

std::vector<unsigned char> contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::vector<unsigned char>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Runs \p test in another process and gives back what it returns; -1 if it crashed.
int in_child(const std::function<int()>& test) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(test());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Mounts a tmpfs that only this process sees. False where that is not allowed.
bool mount_private(const fs::path& where, unsigned long flags, const char* options) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
    return false;
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", where.c_str(), "tmpfs", flags, options) == 0;
}

class cached_kernels : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "falx-cache-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root = pattern;
    directory = root / "a" / "falx";
  }
  void TearDown() override { fs::remove_all(root); }

  kernel_cache cache(std::uint64_t capacity = 64 * MEGABYTE) const {
    return kernel_cache(directory.string(), capacity);
  }
  bool holds(std::uint64_t number) const {
    const bool found = cache().find(key_of(number)).has_value();
    const std::vector<unsigned char> bytes = cache().read(key_of(number));
    EXPECT_EQ(bytes, binary_of(number, bytes.size()));
    return found && !bytes.empty(); // or another process evicted it just now
  }
  /// Where the entry is.
  std::string path_of(std::uint64_t number) const {
    const std::string name = key_of(number).hex();
    return directory / name.substr(0, 2) / (name.substr(2) + std::string(falx::ENTRY_SUFFIX));
  }
  /// Regular files in the cache, whatever their names.
  std::vector<fs::path> files() const {
    std::vector<fs::path> result;
    if (fs::exists(directory))
      for (const auto& item : fs::recursive_directory_iterator(directory))
        if (!item.is_directory())
          result.push_back(item.path());
    return result;
  }
  std::uint64_t size() const {
    std::uint64_t total = 0;
    for (const fs::path& file : files())
      total += fs::file_size(file);
    return total;
  }
  static void set_age(const std::string& path, long seconds) {
    const timespec then{std::time(nullptr) - seconds, 0};
    const timespec times[] = {then, then};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }

  fs::path root, directory;
};

TEST_F(cached_kernels, finds_what_was_stored_and_nothing_else) {
  EXPECT_FALSE(cache().find(key_of(1)));
  EXPECT_TRUE(files().empty());
  kernel_cache one = cache();
  const auto stored = one.store(key_of(1), binary_of(1));
  ASSERT_TRUE(stored);
  EXPECT_TRUE(holds(1));
  EXPECT_FALSE(holds(2));
  EXPECT_TRUE(fs::equivalent(one.find(key_of(1))->path, stored->path));
  std::vector<unsigned char> file = contents(stored->path);
  ASSERT_GE(file.size(), 10000u);
  file.resize(10000);
  EXPECT_EQ(file, binary_of(1));
  EXPECT_EQ(files(), std::vector<fs::path>{path_of(1)});
}

TEST_F(cached_kernels, is_for_its_user_alone) {
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1)));
  struct stat status{};
  for (fs::path path = files().at(0).parent_path(); path != root; path = path.parent_path()) {
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u) << path;
  }
  ASSERT_EQ(::stat(files().at(0).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(cached_kernels, switched_off_stores_nothing) {
  EXPECT_FALSE(kernel_cache("", MEGABYTE).store(key_of(1), binary_of(1)));
  EXPECT_FALSE(cache(0).store(key_of(1), binary_of(1)));
  EXPECT_FALSE(cache(100).store(key_of(1), binary_of(1))); // larger than all
  EXPECT_TRUE(files().empty());
}

TEST_F(cached_kernels, damaged_entries_are_ignored_and_replaced) {
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1, 500)));
  const std::string path = path_of(1);
  const std::vector<unsigned char> good = contents(path);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::vector<unsigned char> damaged = good;
    damaged[i] ^= 0x10;
    write(path, damaged);
    EXPECT_FALSE(cache().find(key_of(1))) << "byte " << i;
    EXPECT_TRUE(cache().read(key_of(1)).empty()) << "byte " << i;
  }
  for (std::size_t length = 0; length < good.size(); length += 7) {
    write(path, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)});
    EXPECT_FALSE(cache().find(key_of(1))) << "length " << length;
  }
  std::vector<unsigned char> longer = good;
  longer.push_back(0);
  write(path, longer);
  EXPECT_FALSE(cache().find(key_of(1)));
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1, 500)));
  EXPECT_TRUE(holds(1));
}

TEST_F(cached_kernels, entry_under_another_name_is_ignored) {
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1)) && cache().store(key_of(2), binary_of(2)));
  fs::copy_file(path_of(1), path_of(2), fs::copy_options::overwrite_existing);
  EXPECT_FALSE(holds(2));
}

TEST_F(cached_kernels, links_and_files_that_others_may_write_are_no_entries) {
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1)));
  const std::string path = path_of(1);
  fs::rename(path, root / "moved");
  fs::create_symlink(root / "moved", path);
  EXPECT_FALSE(holds(1));
  fs::remove(path);
  fs::rename(root / "moved", path);
  EXPECT_TRUE(holds(1));
  fs::permissions(path, fs::perms::group_write, fs::perm_options::add);
  EXPECT_FALSE(holds(1));
  fs::permissions(path, fs::perms::group_write, fs::perm_options::remove);
  fs::permissions(directory, fs::perms::all);
  EXPECT_FALSE(holds(1));
  EXPECT_FALSE(cache().store(key_of(2), binary_of(2)));
  fs::permissions(directory, fs::perms::sticky_bit, fs::perm_options::add);
  EXPECT_TRUE(holds(1));
}

TEST_F(cached_kernels, entries_of_other_users_are_ignored) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1)));
  const std::string path = path_of(1);
  ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(holds(1));
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1)));
  EXPECT_TRUE(holds(1));
  ASSERT_EQ(::chown(fs::path(path).parent_path().c_str(), 65534, 65534), 0);
  EXPECT_FALSE(holds(1));
  EXPECT_FALSE(cache().store(key_of(1), binary_of(1)));
}

TEST_F(cached_kernels, directory_that_cannot_be_made_is_an_empty_cache) {
  write(root / "a", {});
  EXPECT_FALSE(cache().find(key_of(1)));
  EXPECT_FALSE(cache().store(key_of(1), binary_of(1)));
}

TEST_F(cached_kernels, read_only_directory_is_read) {
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1)));
  const std::string path = files().at(0).string();
  const int result = in_child([&] {
    // A read-only view of the same directory; or, for a user, no permission to write.
    if (::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0) {
      if (::mount(root.c_str(), root.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
          ::mount(nullptr, root.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0)
        return SKIPPED;
    } else if (::geteuid() == 0) {
      return SKIPPED; // root may write whatever the permissions say
    } else {
      ::chmod(fs::path(path).parent_path().c_str(), 0500);
      ::chmod(directory.c_str(), 0500);
    }
    set_age(path, 0);
    return holds(1) && !cache().store(key_of(2), binary_of(2)) ? 0 : 1;
  });
  ::chmod(directory.c_str(), 0700);
  ::chmod(fs::path(path).parent_path().c_str(), 0700);
  if (result == SKIPPED)
    GTEST_SKIP() << "cannot mount here";
  EXPECT_EQ(result, 0);
}

TEST_F(cached_kernels, full_disk_leaves_nothing_behind) {
  fs::create_directories(directory);
  const int result = in_child([&] {
    if (!mount_private(directory, 0, "size=64k,mode=0700"))
      return SKIPPED;
    int stored = 0;
    for (std::uint64_t i = 0; i < 20; ++i)
      stored += cache().store(key_of(i), binary_of(i)).has_value();
    for (std::uint64_t i = 0; i < 20; ++i)
      stored -= holds(i);
    for (const fs::path& file : files())
      if (file.extension() != ".kernel")
        return 2;
    return files().size() < 20 ? stored : 3;
  });
  if (result == SKIPPED)
    GTEST_SKIP() << "cannot mount here";
  EXPECT_EQ(result, 0);
}

TEST_F(cached_kernels, limit_on_file_size_does_not_end_the_process) {
  EXPECT_EQ(in_child([&] {
              const rlimit limit{4096, 4096};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              return cache().store(key_of(1), binary_of(1)) ? 1 : 0;
            }),
            0);
  EXPECT_TRUE(files().empty());
}

TEST_F(cached_kernels, signal_for_large_files_stays_the_programs_own) {
  EXPECT_EQ(in_child([&] {
              static volatile std::sig_atomic_t signals = 0;
              ::signal(SIGXFSZ, [](int) { signals = signals + 1; });
              const rlimit limit{4096, 4096};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              cache().store(key_of(1), binary_of(1));
              if (signals != 0)
                return 1;
              const falx::owned_descriptor file(::open(root.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
              if (!file)
                return SKIPPED;
              return ::pwrite(file.get(), "x", 1, 5000) < 0 && errno == EFBIG && signals == 1 ? 0 : 2;
            }) % SKIPPED,
            0);
}

TEST_F(cached_kernels, processes_that_are_killed_leave_nothing_behind) {
  fs::create_directories(directory);
  if (!falx::owned_descriptor(::open(directory.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600)))
    GTEST_SKIP() << "the file system knows no files without names";
  ::chmod(directory.c_str(), 0700);
  for (unsigned round = 0; round < 100; ++round) {
    const pid_t child = ::fork();
    if (child == 0)
      // Entries of their own: one that takes another's place has a temporary name for a moment, which
      // eviction removes (see the tests of abandoned files).
      for (std::uint64_t i = round * 1000000;; ++i)
        cache().store(key_of(i), binary_of(i, 100000));
    ::usleep(1000 + round * 100);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  ASSERT_FALSE(files().empty());
  for (const fs::path& file : files())
    EXPECT_EQ(file.extension(), ".kernel") << file;
}

TEST_F(cached_kernels, what_was_found_is_what_is_loaded_whatever_becomes_of_the_directories_above) {
  kernel_cache one = cache();
  ASSERT_TRUE(one.store(key_of(1), binary_of(1)));
  const auto entry = one.find(key_of(1));
  fs::rename(root / "a", root / "b");
  fs::create_directories(fs::path(path_of(1)).parent_path());
  write(path_of(1), {1, 2, 3});
  EXPECT_EQ(contents(entry->path), contents(root / "b" / fs::relative(path_of(1), root / "a")));
  EXPECT_EQ(one.read(key_of(1)), binary_of(1));
}

TEST_F(cached_kernels, goes_on_in_a_new_directory_when_the_old_one_is_removed) {
  kernel_cache one = cache();
  ASSERT_TRUE(one.store(key_of(1), binary_of(1)));
  fs::remove_all(directory);
  EXPECT_FALSE(one.find(key_of(1)));
  EXPECT_TRUE(one.store(key_of(2), binary_of(2)));
  EXPECT_TRUE(one.find(key_of(2)));
  EXPECT_TRUE(holds(2));
}

TEST_F(cached_kernels, survives_programs_that_close_all_files) {
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1)));
  EXPECT_EQ(in_child([&] {
              kernel_cache one = cache();
              if (!one.find(key_of(1)))
                return 1;
              ::close_range(3, ~0U, 0);
              const int other =
                  ::open("/", O_RDONLY | O_DIRECTORY); // with the number of the cache's directory
              if (other != 3 || one.read(key_of(1)) != binary_of(1))
                return 2;
              return ::fcntl(other, F_GETFD) >= 0 && one.store(key_of(2), binary_of(2)) ? 0 : 3;
            }),
            0);
}

TEST_F(cached_kernels, is_shared_by_many_processes) {
  std::vector<pid_t> children;
  for (std::uint64_t process = 0; process < 16; ++process) {
    children.push_back(::fork());
    if (children.back() == 0) {
      int wrong = 0;
      for (std::uint64_t round = 0; round < 200; ++round) {
        const std::uint64_t number = (round * 7 + process) % 20;
        if (!holds(number))
          wrong += !cache(100000).store(key_of(number), binary_of(number)); // evicts all the time
      }
      ::_exit(wrong != 0 || testing::Test::HasFailure());
    }
  }
  for (pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (const fs::path& file : files())
    EXPECT_EQ(file.extension(), ".kernel") << file;
  EXPECT_LE(size(), 200000u);
}

TEST_F(cached_kernels, evicts_what_was_not_used_for_longest) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    ASSERT_TRUE(cache().store(key_of(i), binary_of(i)));
    set_age(path_of(i), 1000000 - static_cast<long>(i) * 10000);
  }
  EXPECT_TRUE(holds(0)); // counts as a use
  cache(60000).evict();  // down to 52500 bytes
  for (std::uint64_t i = 0; i < 10; ++i) {
    const bool expected = i == 0 || i >= 6;
    EXPECT_EQ(holds(i), expected) << i;
  }
}

TEST_F(cached_kernels, use_is_noted_at_most_once_an_hour) {
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1)));
  const std::string path = path_of(1);
  const auto age = [&] {
    struct stat status{};
    ::stat(path.c_str(), &status);
    return std::time(nullptr) - status.st_mtime;
  };
  set_age(path, 1000);
  EXPECT_TRUE(holds(1));
  EXPECT_GE(age(), 1000);
  set_age(path, 4000);
  EXPECT_TRUE(holds(1));
  EXPECT_LE(age(), 5);
}

TEST_F(cached_kernels, stays_near_its_capacity) {
  for (std::uint64_t i = 0; i < 2000; ++i)
    ASSERT_TRUE(cache(MEGABYTE).store(key_of(i), binary_of(i, 4000)));
  EXPECT_LE(size(), MEGABYTE + MEGABYTE / 2);
  EXPECT_GE(size(), MEGABYTE / 2);
}

TEST_F(cached_kernels, what_crashed_processes_left_is_removed) {
  ASSERT_TRUE(cache().store(key_of(1), binary_of(1)));
  const fs::path shard = fs::path(path_of(1)).parent_path();
  write(shard / ".new-abandoned", {1});
  write(shard / ".new-written", {1});
  write(shard / "foreign", {1});
  set_age((shard / "foreign").string(), 10000);
  const falx::owned_descriptor written(::open((shard / ".new-written").c_str(), O_WRONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(written.get(), LOCK_EX), 0);
  cache().evict();
  EXPECT_FALSE(fs::exists(shard / ".new-abandoned"));
  EXPECT_TRUE(fs::exists(shard / ".new-written"));
  EXPECT_TRUE(fs::exists(shard / "foreign"));
  EXPECT_TRUE(holds(1));
}

TEST(cache_environment, chooses_the_directory) {
  const auto directory = [](std::initializer_list<std::pair<const char*, const char*>> variables,
                            const std::string& expected) {
    return in_child([&] {
      for (const char* name : {"FALX_CACHE", "FALX_CACHE_DIR", "FALX_CACHE_SIZE", "XDG_CACHE_HOME", "HOME"})
        ::unsetenv(name);
      for (const auto& [name, value] : variables)
        ::setenv(name, value, 1);
      std::string found;
      falx::describe_kernel_cache(
          [](void* data, const falx::kernel_cache_description& description) {
            *static_cast<std::string*>(data) = description.directory;
          },
          &found);
      return found == expected ? 0 : 1;
    });
  };
  EXPECT_EQ(directory({}, ""), 0);
  EXPECT_EQ(directory({{"HOME", "/h"}}, "/h/.cache/falx"), 0);
  EXPECT_EQ(directory({{"HOME", "relative"}}, ""), 0);
  EXPECT_EQ(directory({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}, "/x/falx"), 0);
  EXPECT_EQ(directory({{"HOME", "/h"}, {"XDG_CACHE_HOME", "x"}}, "/h/.cache/falx"), 0);
  EXPECT_EQ(directory({{"HOME", "/h"}, {"FALX_CACHE_DIR", "/f"}}, "/f"), 0);
  EXPECT_EQ(directory({{"FALX_CACHE_DIR", "f"}}, fs::current_path().string() + "/f"), 0);
  EXPECT_EQ(directory({{"HOME", "/h"}, {"FALX_CACHE_DIR", ""}}, ""), 0);
  EXPECT_EQ(directory({{"HOME", "/h"}, {"FALX_CACHE", "off"}}, ""), 0);
  EXPECT_EQ(directory({{"HOME", "/h"}, {"FALX_CACHE_SIZE", "0"}}, ""), 0);
  EXPECT_EQ(directory({{"HOME", "/h"}, {"FALX_CACHE_SIZE", "12M"}}, "/h/.cache/falx"), 0);
}

TEST(checksum, keeps_the_borders_of_fields) {
  EXPECT_FALSE(falx::digest_builder().add("ab").add("c").finish() ==
               falx::digest_builder().add("a").add("bc").finish());
  EXPECT_EQ((digest128{0x0123456789abcdef, 0xfedcba9876543210}).hex(), "0123456789abcdeffedcba9876543210");
}

TEST(file_identity, tells_files_apart_without_loading_them) {
  const std::string mine = falx::file_identity("/proc/self/exe");
  EXPECT_FALSE(mine.empty());
  EXPECT_EQ(falx::file_identity("/no/such/file"), "");
  std::string path = (fs::temp_directory_path() / "falx-identity-XXXXXX").string();
  ::close(::mkstemp(path.data()));
  const std::vector<unsigned char> elf = contents("/proc/self/exe");
  for (std::size_t length :
       {std::size_t{0}, std::size_t{10}, std::size_t{64}, std::size_t{200}, elf.size()}) {
    write(path, {elf.begin(), elf.begin() + static_cast<std::ptrdiff_t>(length)});
    EXPECT_FALSE(falx::file_identity(path).empty());
  }
  if (mine.starts_with("id ")) {
    EXPECT_EQ(falx::file_identity(path), mine); // a copy is the same build
  }
  fs::remove(path);
}

} // namespace
