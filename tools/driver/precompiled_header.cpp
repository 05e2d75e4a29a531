// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "precompiled_header.hpp"

#include "environment.hpp"
#include "header_store.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace falx::driver {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view UMBRELLAS[] = {"sycl/sycl.hpp", "CL/sycl.hpp"};
/// Of the source that is searched for its first directive: more than any licence has.
constexpr std::size_t SEARCHED_BYTES = 16384;

bool is_one_of(std::string_view word, const auto& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool begins_with_one_of(std::string_view word, const auto& beginnings) {
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view beginning) { return word.starts_with(beginning); });
}

/// Empty if it is not set.
std::string_view variable(const char* name) {
  return environment_variable(name).value_or("");
}

/// What a command line compiles, and the options that a precompiled header must have been made with.
struct compilation {
  std::vector<std::string> options;
  std::vector<std::string> sources;
};

bool is_source(std::string_view input) {
  static constexpr std::string_view SUFFIXES[] = {".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".CPP"};
  return std::any_of(std::begin(SUFFIXES), std::end(SUFFIXES),
                     [&](std::string_view suffix) { return input.ends_with(suffix); });
}

bool is_for_the_linker(std::string_view input) {
  return input.ends_with(".o") || input.ends_with(".a") || input.ends_with(".so") ||
         input.find(".so.") != std::string_view::npos;
}

/// Of options that say what comes out, where it goes and what it is linked with.
bool is_about_output(std::string_view option) {
  static constexpr std::string_view WHOLE[] = {
      "-c",        "-S", "-MD", "-MMD",    "-MP",  "-v",      "-fsyntax-only", "-emit-llvm",
      "-rdynamic", "-s", "-r",  "-shared", "-pie", "-no-pie", "-nostartfiles"};
  static constexpr std::string_view BEGINNINGS[] = {"-Wl,",
                                                    "-l",
                                                    "-L",
                                                    "-o",
                                                    "-MF",
                                                    "-MT",
                                                    "-MQ",
                                                    "-MJ",
                                                    "-static-lib",
                                                    "-fuse-ld=",
                                                    "-fplugin-arg-falx-aot=",
                                                    "--ld-path=",
                                                    "-Xlinker"};
  return is_one_of(option, WHOLE) || begins_with_one_of(option, BEGINNINGS);
}

/// The same of options whose value is the next word.
bool has_value_about_output(std::string_view option) {
  static constexpr std::string_view OPTIONS[] = {"-o", "-MF", "-MT",      "-MQ",    "-MJ",
                                                 "-l", "-L",  "-Xlinker", "-z",     "-T",
                                                 "-u", "-e",  "-h",       "-rpath", "-dumpdir"};
  return is_one_of(option, OPTIONS);
}

/// Of options with which something comes before the first line of the source, or other things come out of it
/// than an object.
bool excludes_precompiled_headers(std::string_view option) {
  static constexpr std::string_view WHOLE[] = {
      "-E",        "-M",     "-MM",          "-MG",          "-###",
      "--version", "-H",     "--precompile", "--analyze",    "-emit-pch",
      "-emit-ast", "--help", "-include",     "-include-pch", "-fplugin-arg-falx-device-pass"};
  static constexpr std::string_view BEGINNINGS[] = {
      "-save-temps", "--save-temps", "-fmodule", "-fprebuilt-module", "-fimplicit-module", "-ftime-",
      "-d",          "-print-",      "-verify"};
  return is_one_of(option, WHOLE) || begins_with_one_of(option, BEGINNINGS);
}

/// What -Xclang hands on.
bool excludes_precompiled_headers_as_frontend_option(std::string_view option) {
  static constexpr std::string_view BEGINNINGS[] = {
      "-verify",  "-ast-",    "-emit-",  "-dump", "-code-completion",
      "-include", "-fmodule", "-print-", "-E",    "-load"};
  return begins_with_one_of(option, BEGINNINGS);
}

/// Nothing if the command line is not one for which there is a precompiled header.
std::optional<compilation> compilation_of(const std::vector<std::string>& command,
                                          const installation& where) {
  compilation result;
  const std::string predefined_macros = where.include_directory + "/falx/predefined_macros.hpp";
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    const std::string value = takes_value(word) && i + 1 < command.size() ? command[i + 1] : std::string();
    if (!word.starts_with("-")) {
      if (is_source(word))
        result.sources.push_back(word);
      else if (!is_for_the_linker(word))
        return std::nullopt;
      continue;
    }
    if (word == "-" || excludes_precompiled_headers(word) ||
        (word == "-imacros" && value != predefined_macros) || (word == "-x" && value != "c++") ||
        (word == "-Xclang" && excludes_precompiled_headers_as_frontend_option(value)))
      return std::nullopt;
    const bool is_kept =
        !(value.empty() ? is_about_output(word) : has_value_about_output(word)) && word != "-x";
    if (is_kept)
      result.options.push_back(word);
    if (!value.empty()) {
      ++i;
      if (is_kept)
        result.options.push_back(value);
    }
  }
  if (result.sources.empty())
    return std::nullopt;
  return result;
}

/// The header that the first directive of a source includes, "<…" or "\"…"; empty if that is another
/// directive, or something stands before it.
std::string first_include(std::string_view text) {
  const auto skip_to = [&](std::string_view end) {
    const std::size_t found = text.find(end);
    text.remove_prefix(found == std::string_view::npos ? text.size() : found + end.size());
  };
  const auto skip_blanks = [&](std::string_view blanks) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  };
  for (;;) {
    skip_blanks(" \t\r\n");
    if (text.starts_with("//")) {
      // A comment that a backslash continues is left to clang.
      if (text.substr(0, text.find('\n')).find('\\') != std::string_view::npos)
        return {};
      skip_to("\n");
    } else if (text.starts_with("/*")) {
      skip_to("*/");
    } else {
      break;
    }
  }
  if (!text.starts_with('#'))
    return {};
  text.remove_prefix(1);
  skip_blanks(" \t");
  if (!text.starts_with("include"))
    return {};
  text.remove_prefix(std::string_view("include").size());
  skip_blanks(" \t");
  if (!text.starts_with('<') && !text.starts_with('"'))
    return {};
  const std::size_t end = text.find_first_of(">\"\n", 1);
  return end == std::string_view::npos || text[end] == '\n' ? std::string()
                                                            : std::string(text.substr(0, end));
}

/// Whether \p directory has the header, and it is not ours.
bool has_another(const fs::path& directory, const installation& where) {
  return std::any_of(std::begin(UMBRELLAS), std::end(UMBRELLAS), [&](std::string_view header) {
    std::error_code error;
    const fs::path found = directory / header;
    return fs::exists(found, error) &&
           !fs::equivalent(found, fs::path(where.include_directory) / header, error);
  });
}

bool begins_with_umbrella(const std::string& source, const installation& where) {
  std::ifstream file(source, std::ios::binary);
  std::string text(SEARCHED_BYTES, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const std::string included = first_include(text);
  if (included.empty() || !is_one_of(std::string_view(included).substr(1), UMBRELLAS))
    return false;
  return included[0] == '<' || !has_another(fs::path(source).parent_path(), where);
}

/// The directories in which the command line has headers searched before ours; empty ones are the current
/// one.
std::vector<std::string> header_directories(const std::vector<std::string>& options) {
  std::vector<std::string> directories;
  for (std::size_t i = 0; i < options.size(); ++i)
    for (const std::string_view option : {"-I", "-isystem", "-iquote"})
      if (options[i] == option && i + 1 < options.size())
        directories.push_back(options[i + 1]);
      else if (options[i].starts_with(option) && options[i].size() > option.size())
        directories.push_back(options[i].substr(option.size()));
  for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH"})
    for (std::string_view rest = variable(name); !rest.empty();) {
      const std::string_view directory = rest.substr(0, rest.find(':'));
      directories.emplace_back(directory);
      rest.remove_prefix(std::min(directory.size() + 1, rest.size()));
    }
  return directories;
}

/// Tells builds of a file apart.
std::string identity_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0)
    return path;
  return path + ' ' + std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) + '.' +
         std::to_string(status.st_mtim.tv_nsec);
}

/// Where execvp finds the program.
std::string path_of(const std::string& program) {
  if (program.find('/') != std::string::npos)
    return program;
  for (std::string_view rest = variable("PATH"); !rest.empty();) {
    const std::string_view directory = rest.substr(0, rest.find(':'));
    if (const std::string path = std::string(directory) + '/' + program; ::access(path.c_str(), X_OK) == 0)
      return path;
    rest.remove_prefix(std::min(directory.size() + 1, rest.size()));
  }
  return program;
}

/// What "native" means here, for caches that several machines share.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(file, line) && !line.empty();)
    if (line.starts_with("model") || line.starts_with("flags") || line.starts_with("Features"))
      text += line + '\n';
  return text;
}

bool is_relative(const std::string& word) {
  if (!word.starts_with("-"))
    return !word.starts_with("/");
  return word.size() > 2 && word.starts_with("-I") && word[2] != '/';
}

std::string key_of(const std::vector<std::string>& options, const installation& where) {
  std::string key =
      "Falx " FALX_VERSION "\n" + identity_of(path_of(where.clang)) + '\n' + identity_of(where.plugin) + '\n';
  for (const std::string& option : options)
    key += option + '\n';
  for (const char* name :
       {"CPATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "CLANG_CONFIG_FILE_SYSTEM_DIR"})
    key += std::string(name) + '=' + std::string(variable(name)) + '\n';
  std::error_code error;
  if (std::any_of(options.begin(), options.end(), is_relative))
    key += fs::current_path(error).string() + '\n';
  if (std::any_of(options.begin(), options.end(), [](const auto& each) { return each.ends_with("=native"); }))
    key += processor();
  return key + '\n';
}

/// Beside the compiled kernels; empty if nothing is to be kept.
fs::path directory_of_headers() {
  if (const std::optional<std::string_view> chosen = environment_variable("FALX_CACHE_DIR"))
    return chosen->empty() ? fs::path() : fs::path(*chosen) / "headers";
  if (const std::string_view caches = variable("XDG_CACHE_HOME"); caches.starts_with('/'))
    return fs::path(caches) / "falx" / "headers";
  if (const std::string_view home = variable("HOME"); home.starts_with('/'))
    return fs::path(home) / ".cache" / "falx" / "headers";
  return {};
}

} // namespace

void use_precompiled_header(std::vector<std::string>& command, const installation& where) {
  const std::optional<compilation> wanted = compilation_of(command, where);
  if (!wanted || !std::all_of(wanted->sources.begin(), wanted->sources.end(),
                              [&](const std::string& source) { return begins_with_umbrella(source, where); }))
    return;
  const std::vector<std::string> directories = header_directories(wanted->options);
  const fs::path directory = directory_of_headers();
  if (directory.empty() ||
      std::any_of(directories.begin(), directories.end(),
                  [&](const std::string& searched) { return has_another(searched, where); }))
    return;
  const header_store store(directory, key_of(wanted->options, where));
  std::optional<std::string> header = store.find();
  if (!header && store.is_to_be_made()) {
    std::vector<std::string> make{where.clang}, check{where.clang};
    make.insert(make.end(), wanted->options.begin(), wanted->options.end());
    check.insert(check.end(), wanted->options.begin(), wanted->options.end());
    make.insert(make.end(), {"-fpch-instantiate-templates", "-x", "c++-header",
                             where.include_directory + "/sycl/detail/precompiled.hpp"});
    check.insert(check.end(), {"-fsyntax-only", "-x", "c++", "/dev/null"});
    header = store.make(std::move(make), std::move(check));
  }
  if (header)
    command.insert(command.begin() + 1, {"--start-no-unused-arguments", "-include-pch", *header,
                                         "-fplugin-arg-falx-precompiled-sycl", "--end-no-unused-arguments"});
}

} // namespace falx::driver
