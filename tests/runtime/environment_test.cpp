// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/environment_table.hpp"
#include "falx/environment.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"
#include "sycl/platform.hpp"
#include "sycl/queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// \file
/// The table of environment variables: what each takes, that docs/usage.md has them all, and that a wrong one
/// is an error wherever a program first uses the runtime. This program itself never reads the environment, so
/// that its children can.

namespace {

using namespace falx;
using variables = std::map<std::string, std::string>;

struct result {
  environment values;
  std::vector<std::string> problems;
};

result read(const variables& set) {
  result all;
  all.values = read_environment(
      [&](const std::string& name) {
        const auto found = set.find(name);
        return found != set.end() ? found->second.c_str() : nullptr;
      },
      all.problems);
  return all;
}

/// Why the value of the only variable is wrong; "right" if it is not.
std::string problem(const std::string& name, const std::string& value) {
  const std::vector<std::string> problems = read({{name, value}}).problems;
  return problems.empty() ? "right" : problems.size() == 1 ? problems.front() : "several problems";
}

struct cases {
  std::string name;
  std::vector<std::string> right, wrong;
  /// How what is said of wrong values ends.
  std::string takes;
};

const std::string SELF = "/proc/self/exe";

const cases ALL[] = {
    {"FALX_DEVICE_SELECTOR",
     {"*", "cpu", "CUDA:0", "*:gpu", "!cuda", "cuda:0,1;cpu", "gpu", "opencl:*", ""},
     {"nonsense", "cdua:0", "cuda:first", "cuda:0:1", ":", "-1x"},
     ""},
    {"ONEAPI_DEVICE_SELECTOR", {"level_zero:gpu", "native_cpu:cpu", "*:*", ""}, {"nonsense", "cuda:"}, ""},
    {"FALX_CACHE",
     {"on", "off", "0", "1", ""},
     {"banana", "OFF", "no", " ", "2"},
     "it takes on, off, 1 or 0"},
    {"FALX_AHEAD",
     {"on", "off", "0", "1", ""},
     {"banana", "OFF", "no", " ", "2"},
     "it takes on, off, 1 or 0"},
    {"FALX_TIER",
     {"auto", "quick", "best", ""},
     {"banana", "QUICK", "full", " ", "2"},
     "it takes auto, quick or best"},
    {"FALX_AOT", {"on", "off", "0", "1", ""}, {"banana", "OFF", "no", " ", "2"}, "it takes on, off, 1 or 0"},
    {"FALX_CACHE_DIR", {"/somewhere", "here", ""}, {}, ""},
    {"FALX_CACHE_SIZE",
     {"0", "12345", "10K", "500M", "2G", "18446744073709551615", "17179869183G", ""},
     {"banana", "-1", "1x", "1.5G", "G", "2 G", "0x10", "18446744073709551616", "17179869184G", "1T"},
     "it takes a number of bytes below 2^64, such as 100000, 500M or 2G"},
    {"FALX_ADAPTIVITY",
     {"0", "1", "2", ""},
     {"3", "9", "-1", "1x", "high", "+1", "01"},
     "it takes 0, 1 or 2"},
    {"FALX_SIMD",
     {"auto", "1", "2", "4", "8", "16", "32", "64", ""},
     {"0", "3", "banana", "128", "16x", "wide", "-1"},
     "it takes auto, 1, 2, 4, 8, 16, 32 or 64"},
    {"FALX_SIMD_REPORT", {"on", "off", "0", "1", ""}, {"banana"}, "it takes on, off, 1 or 0"},
    {"FALX_CPU", {"native", ""}, {"banana", "z80", "NATIVE"}, "it takes " + std::string(cpu_target_names())},
    {"FALX_CRASH_REPORT", {"on", "off", "0", "1", ""}, {"yes", "true"}, "it takes on, off, 1 or 0"},
    {"FALX_VERIFY", {"on", "off", "0", "1", ""}, {"yes", "true"}, "it takes on, off, 1 or 0"},
    {"FALX_CUDA_DRIVER",
     {SELF, "libcuda.so.1", "libelsewhere.so", ""},
     {"/no/such/library", "no/such/library", "/"},
     "there is no such file; it takes a library that has the functions of libcuda.so.1"},
    {"FALX_CUDA_TRACE", {"on", "off", "0", "1", ""}, {"banana"}, "it takes on, off, 1 or 0"},
    {"FALX_CUDA_OVERLAP", {"on", "off", "0", "1", ""}, {"banana"}, "it takes on, off, 1 or 0"},
    {"FALX_CUDA_WAIT", {"poll", "synchronize", ""}, {"banana", "1"}, "it takes poll or synchronize"},
    {"FALX_LIBDEVICE",
     {SELF, ""},
     {"/no/such/file", "/proc"},
     "there is no such file; it takes a libdevice.10.bc, or the directory that it is in"},
    // Others' variables mean what they mean; what Falx cannot use is as good as not set.
    {"XDG_CACHE_HOME", {"/x", "relative", ""}, {}, ""},
    {"HOME", {"/x", "relative", ""}, {}, ""},
    {"CUDA_HOME", {"/x", "relative", ""}, {}, ""},
    {"CUDA_PATH", {"/x", "relative", ""}, {}, ""},
    {"LD_LIBRARY_PATH", {"/x", "/x:relative:", ""}, {}, ""},
};

TEST(environment, right_values_are_taken_and_wrong_ones_are_errors_that_say_what_is_right) {
  for (const cases& each : ALL) {
    for (const std::string& value : each.right)
      EXPECT_EQ(problem(each.name, value), "right") << each.name << '=' << value;
    for (const std::string& value : each.wrong) {
      EXPECT_THAT(problem(each.name, value),
                  testing::StartsWith("the environment variable " + each.name + "=" + value + " is wrong: "));
      EXPECT_THAT(problem(each.name, value), testing::EndsWith(each.takes));
    }
  }
}

TEST(environment, the_test_above_has_all_that_programs_read) {
  for (const variable_description& each : environment_table())
    EXPECT_EQ(std::ranges::find(ALL, each.name, &cases::name) != std::end(ALL), bool(each.read)) << each.name;
}

TEST(environment, defaults_are_what_the_table_says) {
  const environment values = read({}).values;
  EXPECT_EQ(values.devices.origin(), "");
  EXPECT_TRUE(values.keeps_kernels);
  EXPECT_FALSE(values.cache_directory);
  EXPECT_EQ(values.cache_size, std::uint64_t{1} << 30);
  EXPECT_TRUE(values.uses_compiled_kernels);
  EXPECT_EQ(values.adaptivity, adaptivity::requested);
  EXPECT_EQ(values.cpu, cpu_target_of("native"));
  EXPECT_EQ(values.sub_group_size, 0u);
  EXPECT_TRUE(values.reports_crashes);
  EXPECT_FALSE(values.reports_scalar_kernels || values.verifies_kernels || values.explains_absent_cuda);
  EXPECT_TRUE(values.cuda_kernels_overlap);
  EXPECT_EQ(values.cuda_wait, cuda_wait::poll);
  EXPECT_EQ(values.cuda_driver, "libcuda.so.1");
  for (const variable_description& each : environment_table())
    if (each.has_default()) {
      EXPECT_EQ(problem(each.name, each.unset), "right") << each.name;
    }
}

TEST(environment, values_arrive) {
  const environment values = read({{"FALX_CACHE", "off"},
                                   {"FALX_CACHE_DIR", "/f"},
                                   {"FALX_CACHE_SIZE", "3M"},
                                   {"XDG_CACHE_HOME", "/x"},
                                   {"HOME", "/h"},
                                   {"FALX_AHEAD", "off"},
                                   {"FALX_AOT", "off"},
                                   {"FALX_TIER", "best"},
                                   {"FALX_ADAPTIVITY", "2"},
                                   {"FALX_SIMD", "8"},
                                   {"FALX_SIMD_REPORT", "1"},
                                   {"FALX_CRASH_REPORT", "off"},
                                   {"FALX_VERIFY", "on"},
                                   {"FALX_CUDA_DRIVER", SELF},
                                   {"FALX_CUDA_TRACE", "1"},
                                   {"FALX_CUDA_OVERLAP", "off"},
                                   {"FALX_CUDA_WAIT", "synchronize"},
                                   {"FALX_LIBDEVICE", SELF},
                                   {"CUDA_HOME", "/cuda"},
                                   {"CUDA_PATH", "relative"}})
                                 .values;
  EXPECT_FALSE(values.keeps_kernels);
  EXPECT_EQ(values.cache_directory, "/f");
  EXPECT_EQ(values.cache_size, 3u << 20);
  EXPECT_EQ(values.caches_directory, "/x");
  EXPECT_EQ(values.home_directory, "/h");
  EXPECT_FALSE(values.uses_compiled_kernels || values.compiles_ahead);
  EXPECT_EQ(values.code_tier, code_tier::best);
  EXPECT_EQ(values.adaptivity, adaptivity::automatic);
  EXPECT_EQ(values.sub_group_size, 8u);
  EXPECT_FALSE(values.reports_crashes);
  EXPECT_TRUE(values.reports_scalar_kernels && values.verifies_kernels && values.explains_absent_cuda);
  EXPECT_EQ(values.cuda_driver, SELF);
  EXPECT_FALSE(values.cuda_kernels_overlap);
  EXPECT_EQ(values.cuda_wait, cuda_wait::synchronize);
  EXPECT_EQ(values.libdevice, SELF);
  EXPECT_EQ(values.cuda_home, "/cuda");
  EXPECT_EQ(values.cuda_path, "");
}

TEST(environment, empty_is_as_good_as_not_set_but_for_the_cache_directory) {
  const environment values =
      read({{"FALX_CACHE_DIR", ""}, {"FALX_SIMD", ""}, {"FALX_CACHE_SIZE", ""}}).values;
  EXPECT_EQ(values.cache_directory, "");
  EXPECT_EQ(values.sub_group_size, 0u);
  EXPECT_EQ(values.cache_size, std::uint64_t{1} << 30);
}

TEST(environment, relative_cache_directories_are_where_the_program_was_started) {
  EXPECT_EQ(read({{"FALX_CACHE_DIR", "f"}}).values.cache_directory,
            (std::filesystem::current_path() / "f").string());
}

TEST(environment, libdevice_is_found_in_a_directory) {
  std::string directory = (std::filesystem::temp_directory_path() / "falx-environment-XXXXXX").string();
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  EXPECT_NE(problem("FALX_LIBDEVICE", directory), "right");
  std::ofstream(directory + "/libdevice.10.bc") << "bitcode";
  EXPECT_EQ(read({{"FALX_LIBDEVICE", directory}}).values.libdevice, directory + "/libdevice.10.bc");
  std::filesystem::remove_all(directory);
}

TEST(environment, of_two_device_selectors_only_the_first_counts) {
  EXPECT_EQ(read({{"ONEAPI_DEVICE_SELECTOR", "cpu"}}).values.devices.origin(), "ONEAPI_DEVICE_SELECTOR=cpu");
  const result both = read({{"FALX_DEVICE_SELECTOR", "cuda:1"}, {"ONEAPI_DEVICE_SELECTOR", "nonsense"}});
  EXPECT_EQ(both.values.devices.origin(), "FALX_DEVICE_SELECTOR=cuda:1");
  EXPECT_TRUE(both.problems.empty());
  EXPECT_EQ(read({{"FALX_DEVICE_SELECTOR", ""}, {"ONEAPI_DEVICE_SELECTOR", "nonsense"}}).problems.size(), 1u);
}

TEST(environment, every_wrong_variable_has_a_sentence) {
  EXPECT_EQ(
      read({{"FALX_ADAPTIVITY", "9"}, {"FALX_CACHE", "banana"}, {"FALX_SIMD", "3"}, {"FALX_VERIFY", "1"}})
          .problems.size(),
      3u);
}

TEST(environment, typing_errors_get_the_name_that_was_meant) {
  const auto sentence = [](const char* name) {
    return unknown_variable(std::string(name) + "=1").value_or("known");
  };
  EXPECT_EQ(sentence("FALX_CACHEDIR"),
            "the environment variable FALX_CACHEDIR is none of Falx's; did you mean FALX_CACHE_DIR?");
  EXPECT_THAT(sentence("FALX_ADAPTIVTY"), testing::HasSubstr("did you mean FALX_ADAPTIVITY?"));
  EXPECT_THAT(sentence("FALX_DEVICE_SELECTR"), testing::HasSubstr("did you mean FALX_DEVICE_SELECTOR?"));
  EXPECT_THAT(sentence("FALX_CASHE"), testing::HasSubstr("did you mean FALX_CACHE?"));
  EXPECT_EQ(
      sentence("FALX_SPEED"),
      "the environment variable FALX_SPEED is none of Falx's; falx-info --environment lists those there are");
  for (const variable_description& each : environment_table())
    EXPECT_EQ(sentence(each.name.c_str()), "known");
  for (const char* foreign : {"FALXY", "MY_FALX_CACHE", "PATH", "FALX", ""})
    EXPECT_EQ(sentence(foreign), "known");
}

/// The names in the first column of the table under "## Environment".
std::set<std::string> documented_variables() {
  std::ifstream file(FALX_SOURCE_DIR "/docs/usage.md");
  std::set<std::string> names;
  bool is_there = false;
  const std::regex name("`([A-Z_]+)`");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## "))
      is_there = line == "## Environment";
    if (!is_there || !line.starts_with("| `"))
      continue;
    const std::string column = line.substr(2, line.find('|', 2) - 2);
    for (std::sregex_iterator found(column.begin(), column.end(), name), end; found != end; ++found)
      names.insert((*found)[1]);
  }
  return names;
}

TEST(environment, the_documentation_has_what_programs_and_the_compiler_read) {
  std::set<std::string> known;
  for (const variable_description& each : environment_table())
    if (each.reader != environment_reader::development)
      known.insert(each.name);
  EXPECT_EQ(documented_variables(), known);
}

TEST(environment, tools_get_the_whole_table) {
  std::size_t count = 0;
  visit_environment_variables(
      [](void* data, const environment_variable& each) {
        ++*static_cast<std::size_t*>(data);
        EXPECT_STRNE(each.meaning, "") << each.name;
        EXPECT_EQ(each.is_set, ::getenv(each.name) != nullptr) << each.name;
      },
      &count);
  EXPECT_EQ(count, environment_table().size());
}

/// What a process with these variables prints when it runs \p body, on both outputs.
std::string output_of(const variables& set, const std::function<void()>& body) {
  int ends[2];
  if (::pipe(ends) != 0)
    return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    ::unsetenv("FALX_DEVICE_SELECTOR");
    for (const auto& [name, value] : set)
      ::setenv(name.c_str(), value.c_str(), 1);
    body();
    std::fflush(stdout);
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t count; (count = ::read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

/// Prints what \p use throws.
void attempt(const std::function<void()>& use) {
  try {
    use();
    std::printf("nothing thrown\n");
  } catch (const sycl::exception& error) {
    std::printf("%s: %s\n", error.code() == sycl::errc::invalid ? "invalid" : "another error", error.what());
  }
}

TEST(wrong_variables, are_errors_wherever_the_runtime_is_used_first_and_every_time) {
  const std::function<void()> uses[] = {[] { sycl::device::get_devices(); },
                                        [] { sycl::platform::get_platforms(); }, [] { sycl::queue(); },
                                        [] { sycl::device{sycl::cpu_selector_v}; }, [] { sycl::platform(); }};
  for (const auto& [name, value] : variables{{"FALX_ADAPTIVITY", "9"},
                                             {"FALX_CACHE", "banana"},
                                             {"FALX_CACHE_SIZE", "banana"},
                                             {"FALX_CUDA_OVERLAP", "banana"},
                                             {"FALX_CUDA_WAIT", "banana"},
                                             {"FALX_LIBDEVICE", "/no/such/file"},
                                             {"FALX_SIMD", "3"}}) {
    const std::string expected = "invalid: the environment variable " + name + "=" + value + " is wrong: ";
    for (const std::function<void()>& use : uses) {
      const std::string text = output_of({{name, value}}, [&] {
        attempt(use);
        attempt(use);
        attempt(uses[0]);
      });
      EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
      EXPECT_THAT(text, testing::StartsWith(expected));
      EXPECT_EQ(text.find("nothing thrown"), std::string::npos) << text;
    }
  }
}

TEST(wrong_variables, are_all_named_at_once) {
  const std::string text =
      output_of({{"FALX_ADAPTIVITY", "9"}, {"FALX_CACHE", "banana"}}, [] { attempt([] { sycl::queue(); }); });
  EXPECT_EQ(text, "invalid: the environment variable FALX_CACHE=banana is wrong: it takes on, off, 1 or 0\n"
                  "the environment variable FALX_ADAPTIVITY=9 is wrong: it takes 0, 1 or 2\n");
}

TEST(unknown_variables, are_reported_once_and_no_error) {
  const std::string text = output_of({{"FALX_CACHEDIR", "/x"}, {"FALX_DEVICE_SELECTOR", "cpu"}}, [] {
    for (int i = 0; i < 2; ++i)
      attempt([] { sycl::queue(); });
  });
  EXPECT_EQ(text,
            "falx: the environment variable FALX_CACHEDIR is none of Falx's; did you mean FALX_CACHE_DIR?\n"
            "nothing thrown\nnothing thrown\n");
}

} // namespace
