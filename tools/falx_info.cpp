// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// falx-info: what Falx sees of this machine. Prints platforms, devices and their properties, and where
/// compiled kernels are kept; of a program, the kernels that it carries. An ordinary client of the public
/// headers.

#include "falx/absent_backends.hpp"
#include "falx/ahead_of_time.hpp"
#include "falx/aspect_names.hpp"
#include "falx/cache.hpp"
#include "falx/environment.hpp"
#include "program_file.hpp"
#include "sycl/device.hpp"
#include "sycl/info.hpp"
#include "sycl/platform.hpp"
#include "sycl/range.hpp"
#include "sycl/version.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace {

using nlohmann::ordered_json;
using sycl::aspect;
namespace queries = sycl::info::device;

const char* name_of(sycl::backend backend) {
  switch (backend) {
  case sycl::backend::cpu:
    return "cpu";
  case sycl::backend::cuda:
    return "cuda";
  case sycl::backend::hip:
    return "hip";
  case sycl::backend::opencl:
    return "opencl";
  case sycl::backend::level_zero:
    return "level_zero";
  }
  return "unknown";
}

std::vector<std::string> aspects_of(const sycl::device& device) {
  std::vector<std::string> names;
  for (const falx::aspect_name& each : falx::ASPECT_NAMES)
    if (device.has(each.value))
      names.emplace_back(each.name);
  return names;
}

/// Sizes in bytes, clock in MHz; work-item sizes in the order of a sycl::range.
ordered_json describe(const sycl::device& device) {
  const sycl::range<3> sizes = device.get_info<queries::max_work_item_sizes<3>>();
  ordered_json description = {
      {"name", device.get_info<queries::name>()},
      {"vendor", device.get_info<queries::vendor>()},
      {"version", device.get_info<queries::version>()},
      {"driver_version", device.get_info<queries::driver_version>()},
      {"compute_units", device.get_info<queries::max_compute_units>()},
      {"clock_mhz", device.get_info<queries::max_clock_frequency>()},
      {"max_work_group_size", device.get_info<queries::max_work_group_size>()},
      {"max_work_item_sizes", {sizes[0], sizes[1], sizes[2]}},
      {"sub_group_sizes", device.get_info<queries::sub_group_sizes>()},
      {"vector_width_float", device.get_info<queries::native_vector_width_float>()},
      {"global_memory", device.get_info<queries::global_mem_size>()},
      {"max_allocation", device.get_info<queries::max_mem_alloc_size>()},
      {"global_cache", device.get_info<queries::global_mem_cache_size>()},
      {"cache_line", device.get_info<queries::global_mem_cache_line_size>()},
      {"local_memory", device.get_info<queries::local_mem_size>()},
  };
  namespace intel = sycl::ext::intel::info::device;
  if (device.has(aspect::ext_intel_free_memory))
    description["free_memory"] = device.get_info<intel::free_memory>();
  if (device.has(aspect::ext_intel_memory_clock_rate))
    description["memory_clock_mhz"] = device.get_info<intel::memory_clock_rate>();
  if (device.has(aspect::ext_intel_memory_bus_width))
    description["memory_bus_bits"] = device.get_info<intel::memory_bus_width>();
  if (device.has(aspect::ext_intel_pci_address))
    description["pci_address"] = device.get_info<intel::pci_address>();
  if (device.has(aspect::ext_intel_device_info_uuid))
    description["uuid"] = fmt::format("{:02x}", fmt::join(device.get_info<intel::uuid>(), ""));
  description["aspects"] = aspects_of(device);
  return description;
}

ordered_json describe_machine() {
  ordered_json platforms = ordered_json::array();
  for (const sycl::platform& platform : sycl::platform::get_platforms()) {
    ordered_json devices = ordered_json::array();
    for (const sycl::device& device : platform.get_devices())
      devices.push_back(describe(device));
    platforms.push_back({{"name", platform.get_info<sycl::info::platform::name>()},
                         {"vendor", platform.get_info<sycl::info::platform::vendor>()},
                         {"version", platform.get_info<sycl::info::platform::version>()},
                         {"backend", name_of(platform.get_backend())},
                         {"devices", std::move(devices)}});
  }
  ordered_json absent = ordered_json::array();
  falx::visit_absent_backends(
      [](void* data, const falx::absent_backend& each) {
        static_cast<ordered_json*>(data)->push_back({{"backend", each.name}, {"reason", each.reason}});
      },
      &absent);
  std::pair<std::string, std::string> cache;
  falx::describe_kernel_cache(
      [](void* data, const falx::kernel_cache_description& description) {
        *static_cast<decltype(cache)*>(data) = {description.directory, description.problem};
      },
      &cache);
  return {{"falx", FALX_VERSION_STRING},       {"sycl", SYCL_LANGUAGE_VERSION},
          {"kernel_cache", cache.first},       {"kernel_cache_problem", cache.second},
          {"platforms", std::move(platforms)}, {"absent_backends", std::move(absent)}};
}

std::string in_binary_units(std::uint64_t bytes) {
  constexpr const char* UNITS[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(UNITS); ++unit)
    value /= 1024;
  return fmt::format("{:.4g} {}", value, UNITS[unit]);
}

bool is_size(std::string_view key) {
  return key.ends_with("_memory") || key.starts_with("global_cache") || key == "cache_line" ||
         key == "max_allocation";
}

std::string in_words(const std::string& key, const ordered_json& value) {
  if (value.is_string())
    return value.get<std::string>();
  if (value.is_number() && is_size(key))
    return in_binary_units(value.get<std::uint64_t>());
  if (!value.is_array())
    return value.dump();
  std::vector<std::string> parts;
  for (const ordered_json& part : value)
    parts.push_back(in_words(key, part));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void print_text(const ordered_json& machine) {
  const std::string cache = machine["kernel_cache"];
  fmt::print("Falx {}, SYCL 2020\n", machine["falx"].get<std::string>());
  const std::string problem = machine["kernel_cache_problem"];
  fmt::print("Kernel cache: {}\n", cache.empty() ? "off" : cache);
  if (!problem.empty())
    fmt::print("  {}{}\n", cache.empty() ? "" : "Kernels cannot be kept there: ", problem);
  if (machine["platforms"].empty())
    fmt::print("No device is visible. FALX_DEVICE_SELECTOR or ONEAPI_DEVICE_SELECTOR may hide some.\n");
  for (const ordered_json& platform : machine["platforms"]) {
    const std::string backend = platform["backend"];
    fmt::print("\nPlatform {} (backend {}, version {})\n", platform["name"].get<std::string>(), backend,
               platform["version"].get<std::string>());
    std::size_t index = 0;
    for (const ordered_json& device : platform["devices"]) {
      fmt::print("  Device {}:{}\n", backend, index++);
      for (const auto& [key, value] : device.items())
        fmt::print("    {:<20} {}\n", key, in_words(key, value));
    }
  }
  for (const ordered_json& absent : machine["absent_backends"])
    fmt::print("\nNo device of backend {}: {}\n", absent["backend"].get<std::string>(),
               absent["reason"].get<std::string>());
}

/// Everything that Falx reads of the environment, also where it is wrong.
ordered_json describe_environment() {
  ordered_json variables = ordered_json::array();
  falx::visit_environment_variables(
      [](void* data, const falx::environment_variable& each) {
        ordered_json variable = {{"name", each.name},
                                 {"read_by", each.read_by},
                                 {"takes", each.takes},
                                 {"unset", each.unset},
                                 {"meaning", each.meaning}};
        if (each.is_set)
          variable["value"] = each.value;
        if (*each.problem != 0)
          variable["problem"] = each.problem;
        static_cast<ordered_json*>(data)->push_back(std::move(variable));
      },
      &variables);
  ordered_json unknown = ordered_json::array();
  falx::visit_unknown_environment_variables(
      [](void* data, const char* sentence) { static_cast<ordered_json*>(data)->push_back(sentence); },
      &unknown);
  return {{"variables", std::move(variables)}, {"unknown", std::move(unknown)}};
}

/// Variables that programs and falx++ read, and others that are set.
void print_text_of_environment(const ordered_json& environment) {
  for (const ordered_json& variable : environment["variables"]) {
    if (variable["takes"] == "" && !variable.contains("value"))
      continue;
    const std::string name = variable["name"], unset = variable["unset"];
    if (variable.contains("value"))
      fmt::print("{}={}\n", name, variable["value"].get<std::string>());
    else
      fmt::print("{} is not set{}\n", name,
                 unset.empty()            ? ""
                 : unset.starts_with('(') ? " " + unset
                                          : ", which is as " + unset);
    fmt::print("    {} (read by {})\n", variable["meaning"].get<std::string>(),
               variable["read_by"].get<std::string>());
    if (variable["takes"] != "")
      fmt::print("    takes {}\n", variable["takes"].get<std::string>());
    if (variable.contains("problem"))
      fmt::print("    {}\n", variable["problem"].get<std::string>());
  }
  for (const ordered_json& sentence : environment["unknown"])
    fmt::print("{}\n", sentence.get<std::string>());
}

bool is_right(const ordered_json& environment) {
  for (const ordered_json& variable : environment["variables"])
    if (variable.contains("problem"))
      return false;
  return true;
}

/// What a program carries for Falx.
ordered_json describe_program(const std::string& path) {
  const falx::program_file file(path);
  ordered_json kernels = ordered_json::array(), problems = ordered_json::array();
  std::pair<ordered_json*, ordered_json*> lists(&kernels, &problems);
  for (const falx::byte_range& bundle : file.compiled_kernels())
    falx::describe_compiled_kernels(
        bundle,
        [](void* data, const falx::compiled_kernel_description& each) {
          static_cast<decltype(lists)*>(data)->first->push_back({{"kernel", each.kernel},
                                                                 {"target", each.target},
                                                                 {"configuration", each.configuration},
                                                                 {"bytes", each.size},
                                                                 {"usable", each.is_usable}});
        },
        [](void* data, const char* problem) {
          static_cast<decltype(lists)*>(data)->second->push_back(problem);
        },
        &lists);
  return {{"program", path},
          {"device_images", file.images().size()},
          {"compiled_kernels", std::move(kernels)},
          {"problems", std::move(problems)}};
}

void print_text_of_program(const ordered_json& program) {
  fmt::print("{} carries {} device image{}, for any device\n", program["program"].get<std::string>(),
             program["device_images"].get<std::size_t>(), program["device_images"] == 1 ? "" : "s");
  for (const ordered_json& problem : program["problems"])
    fmt::print("{}\n", problem.get<std::string>());
  if (program["compiled_kernels"].empty())
    fmt::print("No kernel is compiled ahead of time (falx++ --aot=...)\n");
  for (const ordered_json& each : program["compiled_kernels"]) {
    fmt::print(
        "  {} for {}: {}{}, {}\n", each["kernel"].get<std::string>(), each["target"].get<std::string>(),
        each["configuration"] == "" ? "" : each["configuration"].get<std::string>() + ", ",
        in_binary_units(each["bytes"].get<std::uint64_t>()),
        each["usable"].get<bool>() ? "used" : "made by another build of Falx, and not used by this one");
  }
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app("Shows the platforms and devices that Falx finds, and where it keeps compiled kernels.");
  bool as_json = false, shows_environment = false;
  app.add_flag("--json", as_json, "Print JSON, with sizes in bytes");
  app.add_flag("--environment", shows_environment,
               "Show the environment variables that Falx knows instead; fails if one is wrong");
  std::string program;
  app.add_option("program", program, "Show what this program, shared library or object carries instead");
  app.set_version_flag("--version", "falx-info " FALX_VERSION_STRING);
  CLI11_PARSE(app, argc, argv);
  try {
    const ordered_json description = !program.empty()    ? describe_program(program)
                                     : shows_environment ? describe_environment()
                                                         : describe_machine();
    if (as_json)
      // Paths and values of variables need not be text.
      fmt::print("{}\n", description.dump(2, ' ', false, ordered_json::error_handler_t::replace));
    else if (!program.empty())
      print_text_of_program(description);
    else if (shows_environment)
      print_text_of_environment(description);
    else
      print_text(description);
    return shows_environment && program.empty() && !is_right(description) ? 1 : 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "falx-info: {}\n", error.what());
    return 1;
  }
}
