// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "header_store.hpp"
#include "child_program.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace falx::driver {

namespace {

namespace fs = std::filesystem;
using std::chrono_literals::operator""min;

/// How much is kept: some 25 headers.
constexpr std::uintmax_t CAPACITY = std::uintmax_t{512} << 20;
/// Nobody who decided to use a header so long ago has yet to read it.
constexpr auto LONGEST_START = 10min;
/// What could not be made may be possible by now, and who makes something may have crashed.
constexpr auto LONGEST_MAKING = 10min;
/// Options of which nothing was seen for so long are forgotten, when one set of 256 is seen first.
constexpr auto LONGEST_WISH = std::chrono::minutes(7 * 24 * 60);
constexpr std::string_view FORGETTING_NAME = "00";

std::string name_of(std::string_view key) {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  std::array<char, 33> text;
  std::snprintf(text.data(), text.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

/// Nobody else can have put anything there: what is compiled with a precompiled header does what that says.
bool is_own_directory(const fs::path& directory) {
  struct stat status{};
  return ::lstat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

bool is_younger_than(const fs::path& path, std::chrono::minutes age) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(path, error);
  return !error && fs::file_time_type::clock::now() - time < age;
}

/// The row of .files for a file as it is now; empty if it is gone.
std::string row_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0)
    return {};
  return std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) + '.' +
         std::to_string(status.st_mtim.tv_nsec) + ' ' + path + '\n';
}

/// What a rule of make depends on, as clang++ -MD writes it.
std::vector<std::string> dependencies_in(std::string_view rule) {
  std::vector<std::string> files;
  std::string word;
  const std::size_t colon = rule.find(": ");
  for (std::size_t i = colon == std::string_view::npos ? rule.size() : colon + 2; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (rule[i] == '\\' && next == '\n') {
      ++i;
    } else if ((rule[i] == '\\' && (next == ' ' || next == '#')) || (rule[i] == '$' && next == '$')) {
      word += rule[++i];
      continue;
    } else if (rule[i] != ' ' && rule[i] != '\n') {
      word += rule[i];
      continue;
    }
    if (!word.empty())
      files.push_back(std::move(word));
    word.clear();
  }
  return files;
}

bool write_and_rename(const fs::path& path, const std::string& text) {
  const fs::path unfinished = path.string() + "." + std::to_string(::getpid()) + ".tmp";
  std::ofstream file(unfinished, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file)
    fs::rename(unfinished, path, error);
  if (file && !error)
    return true;
  fs::remove(unfinished, error);
  return false;
}

/// Whether the program runs and succeeds; what it says nobody sees.
bool succeeds(std::vector<std::string> command) {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0)
    return false;
  const std::optional<int> status = run_program(std::move(command), {nowhere, nowhere, nowhere});
  ::close(nowhere);
  return status == 0;
}

struct kept_header {
  fs::path header;
  fs::file_time_type last_use;
  std::uintmax_t size;
};

/// Those there are, the one whose use is longest ago first. Removes what crashed compilers left.
std::vector<kept_header> headers_in(const fs::path& directory) {
  std::vector<kept_header> headers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const fs::path kind = entry.path().extension();
    if ((kind == ".tmp" && !is_younger_than(entry.path(), LONGEST_MAKING)) ||
        ((kind == ".wanted" || kind == ".unusable") && !is_younger_than(entry.path(), LONGEST_WISH)))
      fs::remove(entry.path(), error);
    if (kind != ".pch")
      continue;
    const std::uintmax_t size = entry.file_size(error);
    const fs::file_time_type used =
        fs::last_write_time(fs::path(entry.path()).replace_extension(".files"), error);
    headers.push_back({entry.path(), error ? fs::file_time_type::min() : used, size});
  }
  std::ranges::sort(headers, {}, &kept_header::last_use);
  return headers;
}

} // namespace

header_store::header_store(fs::path directory, std::string key)
    : directory_(std::move(directory)), key_(std::move(key)), name_(name_of(key_)) {}

bool header_store::is_current() const {
  const std::string files = contents_of(file(".files"));
  if (!files.starts_with(key_))
    return false;
  std::string_view rows = std::string_view(files).substr(key_.size());
  if (rows.empty())
    return false;
  while (!rows.empty()) {
    const std::size_t end = rows.find('\n');
    if (end == std::string_view::npos)
      return false;
    const std::string_view row = rows.substr(0, end + 1);
    const std::size_t path = row.find('/');
    if (path == std::string_view::npos || row_of(std::string(row.substr(path, end - path))) != row)
      return false;
    rows.remove_prefix(end + 1);
  }
  return true;
}

std::optional<std::string> header_store::find() const {
  if (::access(file(".pch").c_str(), R_OK) != 0 || !is_own_directory(directory_) || !is_current())
    return std::nullopt;
  // First the use, then a second look: from here on nobody evicts it.
  ::utimensat(AT_FDCWD, file(".files").c_str(), nullptr, 0);
  if (::access(file(".pch").c_str(), R_OK) != 0)
    return std::nullopt;
  return file(".pch").string();
}

bool header_store::has_room() const {
  std::vector<kept_header> headers = headers_in(directory_);
  std::uintmax_t size = 0;
  for (const kept_header& header : headers)
    size += header.size;
  for (const kept_header& header : headers) {
    if (size <= CAPACITY)
      break;
    if (fs::file_time_type::clock::now() - header.last_use < LONGEST_START)
      return false;
    std::error_code error;
    for (const char* suffix : {".pch", ".files", ".wanted"})
      fs::remove(fs::path(header.header).replace_extension(suffix), error);
    size -= header.size;
  }
  return true;
}

bool header_store::is_to_be_made() const {
  std::error_code error;
  fs::create_directories(directory_.parent_path(), error);
  ::mkdir(directory_.c_str(), 0700);
  if (!is_own_directory(directory_) || is_younger_than(file(".unusable"), LONGEST_MAKING))
    return false;
  if (!fs::exists(file(".wanted"), error)) {
    const std::ofstream empty(file(".wanted"));
    if (name_.ends_with(FORGETTING_NAME))
      headers_in(directory_);
    return false;
  }
  if (!has_room())
    return false;
  if (!is_younger_than(file(".making"), LONGEST_MAKING))
    fs::remove(file(".making"), error);
  const int made = ::open(file(".making").c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (made >= 0)
    ::close(made);
  return made >= 0;
}

std::optional<std::string> header_store::make(std::vector<std::string> command,
                                              std::vector<std::string> check) const {
  const std::string unfinished = file(".pch").string() + "." + std::to_string(::getpid()) + ".tmp";
  const std::string rule = unfinished + ".d.tmp";
  command.insert(command.end(), {"-o", unfinished, "-MD", "-MF", rule});
  check.insert(check.end(), {"-include-pch", unfinished});
  bool is_made = succeeds(std::move(command)) && succeeds(std::move(check));
  std::error_code error;
  if (is_made) {
    std::string files = key_;
    for (const std::string& dependency : dependencies_in(contents_of(rule)))
      files += row_of(fs::absolute(dependency, error).string());
    // Whoever reads the one before sees a time that the other file does not have.
    fs::remove(file(".files"), error);
    fs::rename(unfinished, file(".pch"), error);
    is_made = !error && write_and_rename(file(".files"), files);
  }
  if (!is_made) {
    const std::ofstream empty(file(".unusable"));
    fs::remove(unfinished, error);
  }
  fs::remove(rule, error);
  fs::remove(file(".making"), error);
  return is_made ? find() : std::nullopt;
}

} // namespace falx::driver
