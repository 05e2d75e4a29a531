// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_topology.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <sched.h>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace falx {
namespace {

constexpr std::array LEVELS{memory_level::numa_node, memory_level::l4_cache, memory_level::l3_cache,
                            memory_level::l2_cache, memory_level::l1_cache};

struct free_cpu_set {
  void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
};
using cpu_set = std::unique_ptr<cpu_set_t, free_cpu_set>;

/// The file's first line without blanks at its end; empty if there is none.
std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  line.erase(line.find_last_not_of(" \t\r") + 1);
  return line;
}

/// Directories below \p parent named \p prefix and a number.
std::vector<std::filesystem::path> numbered_directories(const std::filesystem::path& parent,
                                                        std::string_view prefix) {
  std::vector<std::filesystem::path> found;
  std::error_code no_such_directory;
  for (std::filesystem::directory_iterator entries(parent, no_such_directory), end;
       !no_such_directory && entries != end; entries.increment(no_such_directory)) {
    const std::string name = entries->path().filename();
    if (name.size() > prefix.size() && name.starts_with(prefix) &&
        name.find_first_not_of("0123456789", prefix.size()) == std::string::npos)
      found.push_back(entries->path());
  }
  return found;
}

/// The level of a cache that holds data.
std::optional<memory_level> level_of_cache(const std::filesystem::path& cache) {
  if (first_line(cache / "type") == "Instruction")
    return std::nullopt;
  const std::string level = first_line(cache / "level");
  if (level == "1")
    return memory_level::l1_cache;
  if (level == "2")
    return memory_level::l2_cache;
  if (level == "3")
    return memory_level::l3_cache;
  if (level == "4")
    return memory_level::l4_cache;
  return std::nullopt;
}

/// All processors of the machine that share a part of the level, one list for each part.
std::vector<processor_list> parts_of(memory_level level, const processor_list& processors,
                                     const std::filesystem::path& directory) {
  std::vector<processor_list> parts;
  if (level == memory_level::numa_node) {
    for (const std::filesystem::path& node : numbered_directories(directory / "node", "node"))
      parts.push_back(parse_processor_list(first_line(node / "cpulist")));
    return parts;
  }
  for (const std::uint32_t processor : processors)
    for (const std::filesystem::path& cache :
         numbered_directories(directory / "cpu" / fmt::format("cpu{}", processor) / "cache", "index"))
      if (level_of_cache(cache) == level)
        parts.push_back(parse_processor_list(first_line(cache / "shared_cpu_list")));
  return parts;
}

} // namespace

processor_list parse_processor_list(std::string_view text) {
  processor_list numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::uint32_t first = 0;
    std::from_chars_result number = std::from_chars(at, end, first);
    if (number.ec != std::errc())
      break;
    std::uint32_t last = first;
    if (number.ptr != end && *number.ptr == '-')
      number = std::from_chars(number.ptr + 1, end, last);
    if (number.ec != std::errc() || last < first)
      break;
    for (std::uint32_t each = first; each <= last; ++each)
      numbers.push_back(each);
    if (number.ptr == end || *number.ptr != ',')
      break;
    at = number.ptr + 1;
  }
  return numbers;
}

processor_list usable_processors() {
  // The kernel wants room for all the CPUs it was built for, so grow the set until it fits.
  for (int room = 1024; room <= (1 << 20); room *= 2) {
    const cpu_set set(CPU_ALLOC(static_cast<std::size_t>(room)));
    if (set == nullptr)
      break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(room));
    if (sched_getaffinity(0, bytes, set.get()) != 0)
      continue;
    processor_list usable;
    for (std::uint32_t number = 0; number < static_cast<std::uint32_t>(room); ++number)
      if (CPU_ISSET_S(number, bytes, set.get()))
        usable.push_back(number);
    if (!usable.empty())
      return usable;
  }
  processor_list online(static_cast<std::size_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L)));
  std::iota(online.begin(), online.end(), 0);
  return online;
}

std::vector<processor_list> processors_sharing(memory_level level, const processor_list& processors,
                                               const std::string& directory) {
  // By the first processor of the part, so that each part is found once.
  std::map<std::uint32_t, processor_list> by_part;
  for (const processor_list& part : parts_of(level, processors, directory)) {
    if (part.empty() || by_part.contains(part.front()))
      continue;
    processor_list mine;
    std::copy_if(processors.begin(), processors.end(), std::back_inserter(mine), [&](std::uint32_t number) {
      return std::find(part.begin(), part.end(), number) != part.end();
    });
    if (!mine.empty())
      by_part.emplace(part.front(), std::move(mine));
  }
  std::vector<processor_list> result;
  result.reserve(by_part.size());
  for (auto& [first, mine] : by_part)
    result.push_back(std::move(mine));
  return result;
}

processor_list sorted_by_topology(processor_list processors, const std::string& directory) {
  // For each processor the parts that it belongs to, from the outermost level.
  std::map<std::uint32_t, std::array<std::size_t, LEVELS.size()>> place;
  for (std::size_t level = 0; level < LEVELS.size(); ++level) {
    const auto parts = processors_sharing(LEVELS[level], processors, directory);
    for (std::size_t part = 0; part < parts.size(); ++part)
      for (const std::uint32_t number : parts[part])
        place[number][level] = part + 1;
  }
  std::sort(processors.begin(), processors.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::tie(place[a], a) < std::tie(place[b], b); });
  return processors;
}

bool run_thread_on(const processor_list& processors) noexcept {
  const std::size_t room = std::size_t{*std::max_element(processors.begin(), processors.end())} + 1;
  const cpu_set set(CPU_ALLOC(room));
  if (set == nullptr)
    return false;
  const std::size_t bytes = CPU_ALLOC_SIZE(room);
  CPU_ZERO_S(bytes, set.get());
  for (const std::uint32_t number : processors)
    CPU_SET_S(number, bytes, set.get());
  return sched_setaffinity(0, bytes, set.get()) == 0;
}

} // namespace falx
