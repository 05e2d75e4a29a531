// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_versions.hpp"

#include <cassert>
#include <utility>

namespace falx {
namespace {

constexpr unsigned SMALLEST_BITS = 2;

} // namespace

kernel_versions::table::table(unsigned bits) : shift(64 - bits), places(std::size_t{1} << bits) {}

void kernel_versions::table::insert(const version& added) noexcept {
  std::uint64_t place = added.hash >> shift;
  assert(place < places.size() && "the top bits of a hash are a place");
  while (places[place].load(std::memory_order_relaxed) != nullptr)
    place = (place + 1) & mask();
  places[place].store(&added, std::memory_order_release);
}

loaded_kernel& kernel_versions::add(const backend_device& device, const kernel_configuration& configuration,
                                    const specialization_constants* constants,
                                    std::unique_ptr<loaded_kernel> kernel) {
  assert(kernel != nullptr && find(device, configuration, constants) == nullptr && "there is such a version");
  loaded_kernel& result = *kernel;
  versions_.push_back(std::make_unique<const version>(
      version{hash_of(device, configuration, constants), &device, configuration,
              constants != nullptr ? *constants : specialization_constants(), std::move(kernel)}));
  if (tables_.empty() || 2 * versions_.size() > tables_.back()->places.size()) {
    const unsigned bits = tables_.empty() ? SMALLEST_BITS : 64 - tables_.back()->shift + 1;
    auto larger = std::make_unique<table>(bits);
    for (const auto& each : versions_)
      larger->insert(*each);
    tables_.push_back(std::move(larger));
    table_.store(tables_.back().get(), std::memory_order_release);
  } else {
    tables_.back()->insert(*versions_.back());
  }
  assert(2 * versions_.size() <= tables_.back()->places.size() &&
         "looking for an unknown version would not end");
  assert(find(device, configuration, constants) == &result && "a version is not found");
  latest_.store(versions_.back().get(), std::memory_order_release);
  return result;
}

} // namespace falx
