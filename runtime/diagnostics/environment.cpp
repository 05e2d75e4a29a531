// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "environment.hpp"

#include "environment_table.hpp"
#include "falx/environment.hpp"
#include "sycl/exception.hpp"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <sys/auxv.h>
#include <unistd.h>
#include <vector>

namespace falx {
namespace {

/// What secure_getenv goes by: the program has rights that who started it may lack.
bool is_privileged() {
  return ::getauxval(AT_SECURE) != 0;
}

/// Null in privileged programs: a caller may not choose the code that they run, nor the files that they
/// write.
const char* value_of(const std::string& name) {
  return ::secure_getenv(name.c_str());
}

struct reading {
  environment values;
  std::vector<std::string> problems;
};

reading read_process() {
  reading result;
  result.values = read_environment(value_of, result.problems);
  result.values.is_privileged = is_privileged();
  visit_unknown_environment_variables(
      [](void*, const char* sentence) { std::fprintf(stderr, "falx: %s\n", sentence); }, nullptr);
  return result;
}

const char* in_words(environment_reader reader) {
  switch (reader) {
  case environment_reader::programs:
    return "programs";
  case environment_reader::driver:
    return "falx++";
  case environment_reader::development:
    return "tests and benchmarks of Falx";
  }
  return "";
}

} // namespace

const environment& the_environment() {
  // Never destroyed: static destructors of the program may still launch kernels.
  static const reading& once = *std::make_unique<reading>(read_process()).release();
  if (!once.problems.empty())
    throw sycl::exception(sycl::make_error_code(sycl::errc::invalid),
                          fmt::format("{}", fmt::join(once.problems, "\n")));
  return once.values;
}

void visit_environment_variables(void (*visit)(void* data, const environment_variable& each), void* data) {
  for (const variable_description& each : environment_table()) {
    const char* const value = value_of(each.name);
    const std::string problem = problem_of(each, value_of).value_or("");
    visit(data, {.name = each.name.c_str(),
                 .read_by = in_words(each.reader),
                 .takes = each.takes.c_str(),
                 .unset = each.unset.c_str(),
                 .meaning = each.meaning.c_str(),
                 .is_set = value != nullptr,
                 .value = value != nullptr ? value : "",
                 .problem = problem.c_str()});
  }
}

void visit_unknown_environment_variables(void (*visit)(void* data, const char* sentence), void* data) {
  if (!is_privileged())
    for (char** definition = ::environ; definition != nullptr && *definition != nullptr; ++definition)
      if (const std::optional<std::string> sentence = unknown_variable(*definition))
        visit(data, sentence->c_str());
}

} // namespace falx
