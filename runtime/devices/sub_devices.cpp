// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sub_devices.hpp"

#include "backends/backend.hpp"
#include "backends/partitioning.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace falx {
namespace {

using sycl::errc;
using sycl::info::partition_affinity_domain;
using sycl::info::partition_property;
using device_list = std::vector<handle<device_state>>;

struct affinity_domain {
  partition_affinity_domain value;
  memory_level level;
  std::string_view name;
};

/// In the order of next_partitionable.
constexpr std::array AFFINITY_DOMAINS{
    affinity_domain{partition_affinity_domain::numa, memory_level::numa_node, "numa"},
    affinity_domain{partition_affinity_domain::L4_cache, memory_level::l4_cache, "L4_cache"},
    affinity_domain{partition_affinity_domain::L3_cache, memory_level::l3_cache, "L3_cache"},
    affinity_domain{partition_affinity_domain::L2_cache, memory_level::l2_cache, "L2_cache"},
    affinity_domain{partition_affinity_domain::L1_cache, memory_level::l1_cache, "L1_cache"},
};

/// Null if the device has fewer than two compute units, or is of a kind that is not divided.
partitioning* parts_of(const device_state& device) {
  partitioning* const parts = device.backend().parts();
  return parts != nullptr && parts->processors().size() >= 2 ? parts : nullptr;
}

partitioning& require_parts_of(const device_state& device, std::string_view property) {
  if (partitioning* const parts = parts_of(device))
    return *parts;
  throw sycl::exception(
      sycl::make_error_code(errc::feature_not_supported),
      fmt::format("device '{}' does not support {}{}; info::device::partition_properties lists what a device "
                  "supports",
                  device.description().name, property,
                  device.backend().parts() != nullptr ? ", as it has one compute unit" : ""));
}

[[noreturn]] void throw_too_many(const device_state& device, std::string_view what) {
  throw sycl::exception(sycl::make_error_code(errc::invalid),
                        fmt::format("create_sub_devices: {}, but device '{}' has {} compute units "
                                    "(info::device::max_compute_units)",
                                    what, device.description().name, device.description().compute_units));
}

/// The sub-devices made so far. Never destroyed: each lives as long as the process.
class known_sub_devices {
public:
  static known_sub_devices& instance() {
    static known_sub_devices& all = *std::make_unique<known_sub_devices>().release();
    return all;
  }

  handle<device_state> find(const device_state::partition& from, const processor_list& processors) {
    backend_device& part = from.parent->backend().parts()->part(processors);
    const std::lock_guard lock(mutex_);
    handle<device_state>& found = devices_[{from, &part}];
    if (!found)
      found = handle<device_state>::adopt(std::make_unique<device_state>(from, part).release());
    return found;
  }

private:
  std::mutex mutex_;
  std::map<std::pair<device_state::partition, backend_device*>, handle<device_state>> devices_;
};

device_list make_parts(const device_state::partition& from, const std::vector<processor_list>& parts) {
  device_list result;
  for (const processor_list& part : parts)
    result.push_back(known_sub_devices::instance().find(from, part));
  return result;
}

/// Successive processors, as many as each count says.
std::vector<processor_list> cut(const processor_list& processors, const std::vector<std::size_t>& counts) {
  std::vector<processor_list> parts;
  auto next = processors.begin();
  for (const std::size_t count : counts) {
    const auto end = next + static_cast<std::ptrdiff_t>(count);
    parts.emplace_back(next, end);
    next = end;
  }
  return parts;
}

} // namespace

device_list partition_equally(device_state& device, std::size_t count) {
  const partitioning& parts = require_parts_of(device, "partition_equally");
  const std::size_t units = parts.processors().size();
  if (count == 0)
    throw sycl::exception(sycl::make_error_code(errc::invalid),
                          "create_sub_devices: sub-devices of no compute units; give the number of compute "
                          "units that each is to have, at least 1");
  if (count > units)
    throw_too_many(device, fmt::format("sub-devices of {} compute units each", count));
  const std::vector<std::size_t> counts(units / count, count);
  return make_parts({&device, partition_property::partition_equally}, cut(parts.processors(), counts));
}

device_list partition_by_counts(device_state& device, const std::vector<std::size_t>& counts) {
  const partitioning& parts = require_parts_of(device, "partition_by_counts");
  std::vector<std::size_t> wanted;
  std::size_t left = parts.processors().size();
  for (const std::size_t count : counts) {
    if (count > left) // which also bounds how many there are
      throw_too_many(device, fmt::format("sub-devices of {} compute units", fmt::join(counts, " + ")));
    left -= count;
    if (count != 0)
      wanted.push_back(count);
  }
  return make_parts({&device, partition_property::partition_by_counts}, cut(parts.processors(), wanted));
}

device_list partition_by_affinity_domain(device_state& device, partition_affinity_domain domain) {
  const partitioning& parts = require_parts_of(device, "partition_by_affinity_domain");
  for (const affinity_domain& each : AFFINITY_DOMAINS) {
    if (domain != each.value && domain != partition_affinity_domain::next_partitionable)
      continue;
    if (const std::vector<processor_list> sharers = parts.sharers(each.level); sharers.size() >= 2)
      return make_parts({&device, partition_property::partition_by_affinity_domain, each.value}, sharers);
  }
  const auto* const named = std::find_if(AFFINITY_DOMAINS.begin(), AFFINITY_DOMAINS.end(),
                                         [&](const affinity_domain& each) { return each.value == domain; });
  throw sycl::exception(
      sycl::make_error_code(errc::feature_not_supported),
      fmt::format("device '{}' cannot be divided by {}; info::device::partition_affinity_domains lists the "
                  "domains that it has several of",
                  device.description().name,
                  named != AFFINITY_DOMAINS.end() ? named->name : "any affinity domain"));
}

std::vector<partition_property> partition_properties(const device_state& device) {
  if (parts_of(device) == nullptr)
    return {};
  std::vector<partition_property> result{partition_property::partition_equally,
                                         partition_property::partition_by_counts};
  if (!affinity_domains(device).empty())
    result.push_back(partition_property::partition_by_affinity_domain);
  return result;
}

std::vector<partition_affinity_domain> affinity_domains(const device_state& device) {
  std::vector<partition_affinity_domain> result;
  if (const partitioning* const parts = parts_of(device)) {
    for (const affinity_domain& each : AFFINITY_DOMAINS)
      if (parts->sharers(each.level).size() >= 2)
        result.push_back(each.value);
    if (!result.empty())
      result.push_back(partition_affinity_domain::next_partitionable);
  }
  return result;
}

} // namespace falx
