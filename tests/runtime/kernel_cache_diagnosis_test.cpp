// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/kernel_cache.hpp"
#include "kernels/kernel_cache_diagnosis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// \file
/// A cache that cannot be used says why, what to do, and says it once.

namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr uid_t NOBODY = 65534;

/// Runs \p body in a process of its own and gives what that writes to standard error; "skipped" if the body
/// says false.
std::string complaints_of(const std::function<bool()>& body) {
  int ends[2];
  if (::pipe(ends) != 0)
    return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::_exit(body() ? 0 : 77);
  }
  ::close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t count; (count = ::read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "skipped";
}

bool has_own_mounts() {
  return (::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
         ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

class unusable_cache : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "falx-diagnosis-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root = pattern;
    directory = root / "cache";
  }
  void TearDown() override { fs::remove_all(root); }

  /// Stores two kernels and a small one; none may be there afterwards.
  void store_three() const {
    falx::kernel_cache cache(directory.string(), 1 << 20);
    for (std::uint64_t number : {1, 2, 3})
      if (const falx::digest128 key = falx::digest_builder().add(number).finish();
          cache.store(key, std::vector<unsigned char>(number == 3 ? 100 : 50000)) && cache.find(key))
        std::fprintf(stderr, "stored %d\n", static_cast<int>(number));
  }

  /// What is said when kernels are stored as things are now: one line.
  std::string complaint(const std::function<bool()>& prepared = [] { return true; }) const {
    return complaints_of([&] {
      if (!prepared())
        return false;
      store_three();
      return true;
    });
  }

  std::string problem() const { return falx::problem_of_cache(directory.string()).value_or(""); }

  fs::path root, directory;
};

/// One line, with the reason in it.
testing::Matcher<std::string> says(const std::string& reason) {
  return AllOf(StartsWith("falx: compiled kernels cannot be kept for the next run: "), HasSubstr(reason),
               HasSubstr("FALX_CACHE=off"),
               testing::ResultOf(
                   [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }, 1));
}

TEST_F(unusable_cache, of_a_usable_one_there_is_nothing_to_say) {
  EXPECT_EQ(problem(), "");
  EXPECT_FALSE(fs::exists(directory)) << "asking leaves nothing behind";
  EXPECT_EQ(complaint(), "stored 1\nstored 2\nstored 3\n");
  EXPECT_EQ(problem(), "");
  for (const fs::directory_entry& each : fs::directory_iterator(directory))
    EXPECT_TRUE(each.is_directory()) << each.path();
}

TEST_F(unusable_cache, of_several_missing_directories_none_is_left_behind) {
  directory = root / "some" / "more" / "places";
  EXPECT_EQ(problem(), "");
  EXPECT_FALSE(fs::exists(root / "some"));
}

TEST_F(unusable_cache, a_file_in_its_place) {
  std::ofstream(directory) << "a file";
  const std::string sentence =
      "'" + directory.string() + "' is not a directory; remove it, or set FALX_CACHE_DIR";
  EXPECT_THAT(problem(), StartsWith(sentence));
  EXPECT_THAT(complaint(), says(sentence));
}

TEST_F(unusable_cache, a_file_in_the_place_of_what_leads_to_it) {
  std::ofstream(root / "file") << "a file";
  directory = root / "file" / "some" / "place";
  const std::string sentence = "'" + (root / "file").string() + "' is not a directory; set FALX_CACHE_DIR";
  EXPECT_THAT(problem(), StartsWith(sentence));
  EXPECT_THAT(complaint(), says(sentence));
}

TEST_F(unusable_cache, a_place_where_nobody_can_make_directories) {
  directory = "/proc/no/such/place";
  EXPECT_THAT(problem(), StartsWith("the directory '/proc/no' cannot be made: "));
  EXPECT_THAT(complaint(), says("the directory '/proc/no' cannot be made: "));
}

TEST_F(unusable_cache, others_may_write_to_it) {
  fs::create_directory(directory);
  ::chmod(directory.c_str(), 0777);
  const std::string sentence =
      "other users may write to '" + directory.string() + "'; change that by chmod go-w, or";
  EXPECT_THAT(problem(), StartsWith(sentence));
  EXPECT_THAT(complaint(), says(sentence));
  ::chmod(directory.c_str(), 01777); // as /tmp: names are safe
  EXPECT_EQ(problem(), "");
  EXPECT_THAT(complaint(), StartsWith("stored 1"));
}

TEST_F(unusable_cache, others_may_write_to_its_entries) {
  EXPECT_THAT(complaint(), StartsWith("stored 1"));
  for (const fs::directory_entry& each : fs::directory_iterator(directory))
    ::chmod(each.path().c_str(), 0770);
  EXPECT_THAT(problem(), StartsWith("other users may write to '" + directory.string() + "/"));
  EXPECT_THAT(complaint(), says("other users may write to '" + directory.string() + "/"));
}

TEST_F(unusable_cache, it_is_another_users) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give directories away";
  fs::create_directory(directory);
  ASSERT_EQ(::chown(directory.c_str(), NOBODY, NOBODY), 0);
  const std::string sentence = "'" + directory.string() + "' belongs to another user (number 65534)";
  EXPECT_THAT(problem(), StartsWith(sentence));
  EXPECT_THAT(complaint(), says(sentence));
}

TEST_F(unusable_cache, the_user_may_not_write_there) {
  const bool is_root = ::geteuid() == 0;
  ::chmod(root.c_str(), 0755);
  const auto as_user = [&] { return !is_root || ::seteuid(NOBODY) == 0; };
  if (!is_root)
    ::chmod(root.c_str(), 0555);
  EXPECT_THAT(complaint(as_user),
              says("the directory '" + directory.string() + "' cannot be made: Permission denied"));
  ::chmod(root.c_str(), 0755);
  fs::create_directory(directory);
  if (is_root) // root's directories are trusted, but only root can write there
    ::chmod(directory.c_str(), 0755);
  else
    ::chmod(directory.c_str(), 0555);
  EXPECT_THAT(complaint(as_user),
              says("no file can be made in '" + directory.string() + "': Permission denied"));
  ::chmod(directory.c_str(), 0700);
}

TEST_F(unusable_cache, its_file_system_is_read_only) {
  fs::create_directory(directory);
  const std::string said = complaint([&] {
    return has_own_mounts() && ::mount("none", directory.c_str(), "tmpfs", MS_RDONLY, "mode=0700") == 0;
  });
  if (said == "skipped")
    GTEST_SKIP() << "cannot mount here";
  EXPECT_THAT(said, says("no file can be made in '" + directory.string() + "': Read-only file system"));
}

TEST_F(unusable_cache, its_file_system_is_full) {
  fs::create_directory(directory);
  const std::string said = complaint([&] {
    return has_own_mounts() && ::mount("none", directory.c_str(), "tmpfs", 0, "size=16k,mode=0700") == 0;
  });
  if (said == "skipped")
    GTEST_SKIP() << "cannot mount here";
  // The last and smallest has room.
  EXPECT_THAT(said,
              HasSubstr("a file in '" + directory.string() + "' cannot be written: No space left on device"));
  EXPECT_THAT(said, testing::EndsWith("stored 3\n"));
}

TEST_F(unusable_cache, files_may_not_become_so_large) {
  const auto limited = [] {
    const rlimit limit{20000, 20000};
    return ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
  };
  EXPECT_THAT(
      complaint(limited),
      HasSubstr(
          "the limit on the size of files (ulimit -f) is 20000 bytes, and a kernel has 50000; raise it"));
}

TEST_F(unusable_cache, it_is_smaller_than_a_kernel) {
  const std::string said = complaints_of([&] {
    falx::kernel_cache(directory.string(), 1000).store({1, 2}, std::vector<unsigned char>(2000));
    return true;
  });
  EXPECT_THAT(said, says("FALX_CACHE_SIZE is 1000 bytes, and a kernel has 2000; set it to more"));
}

} // namespace
