// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// falx-ld: a linker for falx++ --aot. Runs the linker that clang++ would have run; then it looks at what
/// came out for kernels that are not compiled ahead of time as yet, as those that call functions of other
/// files, has falx-aot compile them, and links once more with what that made.

#include "driver/child_program.hpp"
#include "falx/interface_version.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using command = std::vector<std::string>;

/// The status with which the program ends; its standard output goes to a file, if one is named.
int run(command words, const std::string& output = {}) {
  const std::string program = words.front();
  const int file =
      output.empty() ? -1 : ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  std::optional<pid_t> child;
  if (output.empty() || file >= 0)
    child = falx::driver::start_program(std::move(words), {.input = -1, .output = file, .errors = -1});
  if (file >= 0)
    ::close(file);
  if (!child) {
    std::fprintf(stderr, "falx++: error: cannot run '%s'\n", program.c_str());
    return 1;
  }
  return falx::driver::status_of(*child).value_or(1);
}

/// Removed with what is in it.
struct temporary_directory {
  temporary_directory() {
    std::string name = (fs::temp_directory_path() / "falx-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr)
      path = name;
  }
  ~temporary_directory() {
    std::error_code error;
    if (!path.empty())
      fs::remove_all(path, error);
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  fs::path path;
};

struct request {
  std::string targets, clang, linker, output = "a.out";
  bool is_relocatable = false;
  command arguments;
};

/// Takes what falx++ adds out of the linker's arguments.
request read_arguments(int argc, char** argv) {
  request result;
  const std::pair<std::string_view, std::string*> own[] = {{"--falx-targets=", &result.targets},
                                                           {"--falx-clang=", &result.clang},
                                                           {"--falx-linker=", &result.linker}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    bool is_own = false;
    for (const auto& [option, value] : own)
      if (argument.starts_with(option)) {
        *value = argument.substr(option.size());
        is_own = true;
      }
    if (is_own)
      continue;
    result.arguments.emplace_back(argument);
    result.is_relocatable |= argument == "-r" || argument == "--relocatable";
    if (argument == "-o" && i + 1 < argc)
      result.output = argv[i + 1];
  }
  return result;
}

/// The path that clang++ knows for the linker.
std::string path_of_linker(const request& options, const temporary_directory& temporary) {
  if (options.linker.starts_with('/'))
    return options.linker;
  const std::string answer = temporary.path / "linker";
  std::string path;
  if (run({options.clang, "-print-prog-name=" + options.linker}, answer) == 0)
    std::getline(std::ifstream(answer), path);
  return path.empty() ? options.linker : path;
}

/// An object that registers the kernels in a file; empty if it cannot be made.
std::string object_with(const std::string& kernels, const request& options,
                        const temporary_directory& temporary) {
  const std::string source = temporary.path / "kernels.c", object = temporary.path / "kernels.o";
  std::ofstream(source)
      << "__asm__(\".pushsection .falx.kernels,\\\"a\\\"\\n.balign 8\\nfalx_linked_begin:\\n.incbin \\\""
      << kernels
      << "\\\"\\nfalx_linked_end:\\n.popsection\");\n"
         "extern const unsigned char falx_linked_begin[] __attribute__((visibility(\"hidden\")));\n"
         "extern const unsigned char falx_linked_end[] __attribute__((visibility(\"hidden\")));\n"
         "static struct { unsigned long long version; const void *begin, *end; void *state, *next; } kernels "
         "= {"
      << falx::INTERFACE_VERSION
      << ", falx_linked_begin, falx_linked_end, 0, 0};\n"
         "void falx_register_compiled_kernels(void*);\nvoid falx_unregister_compiled_kernels(void*);\n"
         "__attribute__((constructor(101))) static void add(void) { "
         "falx_register_compiled_kernels(&kernels); }\n"
         "__attribute__((destructor(101))) static void drop(void) { "
         "falx_unregister_compiled_kernels(&kernels); }\n";
  return run({options.clang, "-x", "c", "-O1", "-fPIC", "-c", source, "-o", object}) == 0 ? object
                                                                                          : std::string();
}

fs::path beside_this(const char* name) {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).replace_filename(name);
}

} // namespace

int main(int argc, char** argv) {
  const request options = read_arguments(argc, argv);
  const temporary_directory temporary;
  if (temporary.path.empty()) {
    std::fputs("falx++: error: no temporary directory can be made; set TMPDIR to a directory with room\n",
               stderr);
    return 1;
  }
  command link = options.arguments;
  link.insert(link.begin(), path_of_linker(options, temporary));
  if (const int status = run(link); status != 0 || options.is_relocatable || options.targets.empty())
    return status;

  const std::string kernels = temporary.path / "kernels", remarks = temporary.path / "remarks";
  if (run({beside_this("falx-aot"), "--program", options.output, "--targets", options.targets, "-o", kernels},
          remarks) != 0) {
    std::fputs("falx++: error: the kernels of this program cannot be compiled ahead of time\n", stderr);
    return 1;
  }
  std::ifstream said(remarks);
  for (std::string line; std::getline(said, line);)
    std::fprintf(stderr, "falx++: warning: %s\n", line.c_str());
  if (!fs::exists(kernels))
    return 0;
  const std::string object = object_with(kernels, options, temporary);
  if (object.empty())
    return 1;
  link.push_back(object);
  return run(link);
}
