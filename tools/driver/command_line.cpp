// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"

#include "foreign_options.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace falx::driver {

namespace {

// Device code is compiled in a pass of its own, with __SYCL_DEVICE_ONLY__ defined.
constexpr std::string_view DEVICE_PASS = "-fsycl-device-pass";
constexpr std::string_view TARGETS = "-fsycl-targets=";

// Kernels are compiled ahead of time for these targets.
constexpr std::string_view AHEAD_OF_TIME = "--aot=";

// No precompiled sycl/sycl.hpp is made or used.
constexpr std::string_view NO_PRECOMPILED_HEADER = "-fno-sycl-pch";

} // namespace

bool takes_value(std::string_view option) {
  static constexpr auto OPTIONS = std::to_array<std::string_view>({"-o",
                                                                   "-I",
                                                                   "-L",
                                                                   "-l",
                                                                   "-D",
                                                                   "-U",
                                                                   "-x",
                                                                   "-include",
                                                                   "-isystem",
                                                                   "-idirafter",
                                                                   "-iquote",
                                                                   "-iprefix",
                                                                   "-iwithprefix",
                                                                   "-iwithprefixbefore",
                                                                   "-imacros",
                                                                   "-include-pch",
                                                                   "-Xclang",
                                                                   "-Xlinker",
                                                                   "-Xassembler",
                                                                   "-Xpreprocessor",
                                                                   "-mllvm",
                                                                   "-target",
                                                                   "-MF",
                                                                   "-MT",
                                                                   "-MQ",
                                                                   "-MJ",
                                                                   "-T",
                                                                   "-u",
                                                                   "-z",
                                                                   "-arch",
                                                                   "-isysroot",
                                                                   "--sysroot",
                                                                   "--param",
                                                                   "-framework",
                                                                   "-B",
                                                                   "-e",
                                                                   "-h",
                                                                   "-Xanalyzer",
                                                                   "-resource-dir",
                                                                   "-working-directory",
                                                                   "-ivfsoverlay",
                                                                   "-dumpdir",
                                                                   "-Xopenmp-target",
                                                                   "--config",
                                                                   "-rpath"});
  return std::find(OPTIONS.begin(), OPTIONS.end(), option) != OPTIONS.end();
}

namespace {

bool stops_before_linking(std::string_view option) {
  static constexpr auto OPTIONS =
      std::to_array<std::string_view>({"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-emit-pch",
                                       "--precompile", "--analyze", "-emit-ast", "-r", "--help"});
  return std::find(OPTIONS.begin(), OPTIONS.end(), option) != OPTIONS.end();
}

bool is_header(std::string_view input) {
  static constexpr auto SUFFIXES =
      std::to_array<std::string_view>({".h", ".hh", ".hpp", ".hxx", ".h++", ".H", ".hp"});
  return std::any_of(SUFFIXES.begin(), SUFFIXES.end(),
                     [&](std::string_view suffix) { return input.ends_with(suffix); });
}

// Splits a response file as clang does for GNU style: white space separates, quotes and backslashes protect.
std::vector<std::string> read_response_file(const std::string& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && quote != '\'') {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (in_word)
        words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word)
    words.push_back(std::move(word));
  return words;
}

std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments, int depth = 0) {
  std::vector<std::string> expanded;
  for (const std::string& argument : arguments) {
    if (argument.size() < 2 || argument[0] != '@' || depth > 8 || !std::ifstream(argument.substr(1)).good()) {
      expanded.push_back(argument);
      continue;
    }
    std::vector<std::string> inner = expand_response_files(read_response_file(argument.substr(1)), depth + 1);
    expanded.insert(expanded.end(), inner.begin(), inner.end());
  }
  return expanded;
}

// What is left of a command line for clang++.
struct own_arguments {
  std::vector<std::string> kept;
  bool has_device_pass = false;
  /// What -fsycl-targets= says last.
  std::string targets;
  /// Targets, separated by commas, in the order in which they were given.
  std::string ahead_of_time;
  /// What GPUs do with denormal floats, "flush" or "keep"; empty where no option says.
  std::string denormals;
  /// About foreign options; each once.
  std::vector<std::string> warnings;
};

// Of options that say whether denormal numbers are taken for 0: all devices' (clang++ and icpx), or GPUs'
// (clang++ for CUDA).
std::string denormals_of(std::string_view option) {
  static constexpr auto FLUSH = std::to_array<std::string_view>(
      {"-mdaz-ftz", "-ftz", "-fgpu-flush-denormals-to-zero", "-fcuda-flush-denormals-to-zero"});
  static constexpr auto KEEP =
      std::to_array<std::string_view>({"-mno-daz-ftz", "-no-ftz", "-fno-gpu-flush-denormals-to-zero",
                                       "-fno-cuda-flush-denormals-to-zero", "-fdenormal-fp-math=ieee"});
  const auto is_one_of = [&](const auto& options) {
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  return is_one_of(FLUSH) ? "flush" : is_one_of(KEEP) ? "keep" : "";
}

own_arguments without_foreign_options(const std::vector<std::string>& arguments) {
  own_arguments result;
  std::vector<std::string>& kept = result.kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--") {
      // Only inputs follow. We still have options to add, so inputs must not look like options instead.
      for (++i; i < arguments.size(); ++i)
        kept.push_back(arguments[i].size() > 1 && arguments[i][0] == '-' ? "./" + arguments[i]
                                                                         : arguments[i]);
      break;
    }
    if (arguments[i] == DEVICE_PASS) {
      result.has_device_pass = true;
      continue;
    }
    if (arguments[i].starts_with(TARGETS))
      result.targets = arguments[i].substr(TARGETS.size());
    if (arguments[i].starts_with(AHEAD_OF_TIME)) {
      const std::string targets = arguments[i].substr(AHEAD_OF_TIME.size());
      result.ahead_of_time += (result.ahead_of_time.empty() || targets.empty() ? "" : ",") + targets;
      continue;
    }
    if (std::string denormals = denormals_of(arguments[i]); !denormals.empty())
      result.denormals = std::move(denormals);
    const foreign_option foreign =
        classify_foreign_option(arguments[i], i + 1 < arguments.size() ? arguments[i + 1] : "");
    if (!foreign.refused.empty())
      throw std::invalid_argument("'" + arguments[i] + "': " + foreign.refused);
    if (!foreign.unmet.empty()) {
      std::string warning = "'" + arguments[i] + "' has no effect: " + foreign.unmet;
      if (std::find(result.warnings.begin(), result.warnings.end(), warning) == result.warnings.end())
        result.warnings.push_back(std::move(warning));
    }
    if (!foreign.is_foreign) {
      kept.push_back(arguments[i]);
      // An option's value is never an option of ours, whatever it looks like.
      if (takes_value(arguments[i]) && i + 1 < arguments.size())
        kept.push_back(arguments[++i]);
    } else if (!foreign.equivalent.empty()) {
      kept.push_back(foreign.equivalent);
    }
    if (foreign.is_foreign && foreign.takes_value)
      ++i;
  }
  return result;
}

struct plan {
  bool links = false;
  bool links_statically = false;
  bool has_inputs = false;
  bool uses_libcxx = false;
};

plan plan_of(const std::vector<std::string>& arguments) {
  plan result;
  bool stops = false;
  bool all_headers = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "-" || !argument.starts_with("-")) {
      result.has_inputs = true;
      all_headers &= is_header(argument);
      continue;
    }
    stops |= stops_before_linking(argument);
    result.links_statically |= argument == "-static" || argument == "-static-pie";
    if (argument.starts_with("-stdlib=") || argument.starts_with("--stdlib="))
      result.uses_libcxx = argument.ends_with("=libc++");
    if (argument == "-x" && i + 1 < arguments.size())
      stops |= arguments[i + 1].ends_with("-header");
    if (takes_value(argument))
      ++i;
  }
  result.links = result.has_inputs && !stops && !all_headers;
  result.links_statically &= result.links;
  return result;
}

/// Is \p option given, and not as the value of another one?
bool has_option(const std::vector<std::string>& arguments, std::string_view option) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i] == option)
      return true;
    if (takes_value(arguments[i]))
      ++i;
  }
  return false;
}

/// The linker that clang++ would run, as -print-prog-name takes it.
std::string linker_of(const std::vector<std::string>& arguments) {
  static constexpr std::string_view KIND = "-fuse-ld=", PATH = "--ld-path=";
  std::string linker = "ld", path;
  for (const std::string& argument : arguments)
    if (argument.starts_with(PATH))
      path = argument.substr(PATH.size());
    else if (argument.starts_with(KIND))
      linker = argument.find('/') != std::string::npos ? argument.substr(KIND.size())
               : argument == "-fuse-ld=ld"             ? "ld"
                                                       : "ld." + argument.substr(KIND.size());
  return path.empty() ? linker : path;
}

} // namespace

std::string preface(const std::vector<std::string>& arguments) {
  std::string name = "Falx " FALX_VERSION ", a SYCL 2020 compiler, on ";
  if (has_option(arguments, "--version"))
    return name;
  if (!has_option(arguments, "--help"))
    return {};
  return name +
         "clang++ 22\n\n"
         "USAGE: falx++ [options of clang++] file...\n\n"
         "  falx++ -O2 app.cpp -o app     compiles a SYCL program, which runs on all devices that it finds\n"
         "  falx++ -O2 -c app.cpp         compiles to an object; falx++ also links\n\n"
         "  -fsycl-device-pass            compiles device code in a pass of its own, with "
         "__SYCL_DEVICE_ONLY__ defined\n"
         "  --aot=<targets>               also compiles kernels ahead of time, for "
         "native,x86-64-v3,sm_90,...\n"
         "  -fno-sycl-pch                 neither makes nor uses a precompiled sycl/sycl.hpp\n\n"
         "Options of other SYCL compilers (-fsycl, -fsycl-targets=..., --acpp-targets=...) are accepted and "
         "ignored.\n"
         "FALX_CLANGXX names the clang++ 22 to use. falx-info lists the devices of this machine.\n\n"
         "clang++ says of itself:\n\n";
}

bool allows_precompiled_header(const std::vector<std::string>& arguments) {
  return !has_option(expand_response_files(arguments), NO_PRECOMPILED_HEADER);
}

std::vector<std::string> warnings(const std::vector<std::string>& arguments) {
  // What is only preprocessed is compiled later, with the same options.
  if (has_option(arguments, "-E"))
    return {};
  return without_foreign_options(expand_response_files(arguments)).warnings;
}

/// A product and a sum are to stay apart, which no macro of clang's says. The last option counts.
static bool forbids_contraction(const std::vector<std::string>& arguments) {
  bool result = false;
  for (const std::string_view argument : arguments)
    if (argument.starts_with("-ffp-contract=") || argument.starts_with("-ffp-model="))
      result = argument == "-ffp-contract=off" || argument == "-ffp-model=strict";
  return result;
}

std::vector<std::string> clang_command_line(const std::vector<std::string>& arguments,
                                            const installation& where) {
  const own_arguments arguments_of_clang = without_foreign_options(expand_response_files(arguments));
  const std::vector<std::string>& own = arguments_of_clang.kept;
  const plan what = plan_of(own);
  if (what.links_statically)
    throw std::invalid_argument(
        "a program with kernels cannot be linked with -static, because the runtime that "
        "compiles them when it runs is a shared library; use -static-libstdc++ "
        "-static-libgcc for a program that needs few other libraries");
  const std::string runtime = what.uses_libcxx ? "falx-libc++" : "falx";
  if (what.links && what.uses_libcxx &&
      !std::ifstream(where.library_directory + "/lib" + runtime + ".so").good())
    throw std::invalid_argument(
        "a program compiled with -stdlib=libc++ needs libfalx-libc++.so, which is missing in '" +
        where.library_directory +
        "'; build all of Falx where libc++-22-dev and libc++abi-22-dev are installed, or leave the option "
        "out");
  std::vector<std::string> command{where.clang};
  if (!what.has_inputs) {
    command.insert(command.end(), own.begin(), own.end());
    return command;
  }
  // Not every mode uses every option added here; that is no matter for a warning.
  command.insert(command.end(),
                 {"--start-no-unused-arguments", "-fplugin=" + where.plugin, "-fpass-plugin=" + where.plugin,
                  "-D__FALX__=1", "-imacros", where.include_directory + "/falx/predefined_macros.hpp",
                  // Other compilers say nothing of the int in float x[]{int()}.
                  "-Wno-error=c++11-narrowing-const-reference"});
  // What is preprocessed (for ccache, -save-temps) keeps what only the other pass takes.
  if (arguments_of_clang.has_device_pass)
    // Programs choose by the target's macro, as well: that of DPC++'s default, or of what they ask for.
    command.insert(command.end(),
                   {"-fplugin-arg-falx-device-pass",
                    std::string("-fplugin-arg-falx-device-macro=") +
                        (are_nvidia_targets(arguments_of_clang.targets) ? "__NVPTX__" : "__SPIR__"),
                    "-frewrite-includes", "-include", where.include_directory + "/falx/two_passes.hpp"});
  if (!arguments_of_clang.ahead_of_time.empty())
    command.push_back("-fplugin-arg-falx-aot=" + arguments_of_clang.ahead_of_time);
  if (!arguments_of_clang.denormals.empty())
    command.push_back("-fplugin-arg-falx-denormals=" + arguments_of_clang.denormals);
  if (forbids_contraction(own))
    command.emplace_back("-D__FALX_FP_CONTRACT_OFF__=1");
  command.emplace_back("--end-no-unused-arguments");
  // What the linker alone needs is unused elsewhere, which clang++ would report.
  std::copy_if(own.begin(), own.end(), std::back_inserter(command), [&](const std::string& argument) {
    return what.links || (argument != "-mdaz-ftz" && argument != "-mno-daz-ftz");
  });
  // After the user's directories, so that theirs are searched first, and as system headers, so that warnings
  // stay about the user's code.
  command.insert(command.end(), {"--start-no-unused-arguments", "-isystem", where.include_directory});
  // -Xlinker, as -Wl would split a directory at its commas.
  if (what.links)
    command.insert(command.end(), {"-L" + where.library_directory, "-Xlinker", "-rpath", "-Xlinker",
                                   where.library_directory, "-l" + runtime});
  // Kernels that call functions of other files are compiled when these are known.
  if (what.links && !arguments_of_clang.ahead_of_time.empty())
    command.insert(command.end(),
                   {"--ld-path=" + where.program_directory + "/falx-ld", "-Xlinker",
                    "--falx-targets=" + arguments_of_clang.ahead_of_time, "-Xlinker",
                    "--falx-clang=" + where.clang, "-Xlinker", "--falx-linker=" + linker_of(own)});
  command.emplace_back("--end-no-unused-arguments");
  return command;
}

} // namespace falx::driver
