// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "kernel_configuration.hpp"
#include "specialization_constants.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace falx {

/// What a kernel was compiled to, per device, configuration and values of specialization constants. Looking
/// one up takes no lock; one thread at a time may add.
class kernel_versions {
public:
  loaded_kernel* find(const backend_device& device, const kernel_configuration& configuration,
                      const specialization_constants* constants) const noexcept {
    // Most kernels have one version.
    const version* const latest = latest_.load(std::memory_order_acquire);
    if (latest != nullptr && is(*latest, device, configuration, constants)) [[likely]]
      return latest->kernel.get();
    const table* const current = table_.load(std::memory_order_acquire);
    if (current == nullptr)
      return nullptr;
    const std::uint64_t hash = hash_of(device, configuration, constants);
    for (std::uint64_t place = hash >> current->shift;; place = (place + 1) & current->mask()) {
      const version* const candidate = current->places[place].load(std::memory_order_acquire);
      if (candidate == nullptr)
        return nullptr;
      if (candidate->hash == hash && is(*candidate, device, configuration, constants))
        return candidate->kernel.get();
    }
  }

  /// Adds what find does not find.
  loaded_kernel& add(const backend_device& device, const kernel_configuration& configuration,
                     const specialization_constants* constants, std::unique_ptr<loaded_kernel> kernel);

private:
  /// Never changes once it is in a table.
  struct version {
    std::uint64_t hash;
    const backend_device* device;
    kernel_configuration configuration;
    specialization_constants constants;
    std::unique_ptr<loaded_kernel> kernel;
  };
  /// A place is where the top bits of the hash say, or the next one that is free. At least half of them are.
  struct table {
    explicit table(unsigned bits);
    std::uint64_t mask() const noexcept { return places.size() - 1; }
    void insert(const version& added) noexcept;
    unsigned shift;
    std::vector<std::atomic<const version*>> places;
  };

  static std::uint64_t hash_of(const backend_device& device, const kernel_configuration& configuration,
                               const specialization_constants* constants) noexcept {
    constexpr std::uint64_t ODD = 0x9E3779B97F4A7C15;
    const auto mix = [](std::uint64_t hash, std::uint64_t next) { // the top bits depend on all bits
      hash = (hash ^ next) * ODD;
      return hash ^ (hash >> 32);
    };
    const auto& c = configuration;
    std::uint64_t hash = reinterpret_cast<std::uintptr_t>(&device);
    hash = mix(hash, c.local_range[0] | std::uint64_t{c.local_range[1]} << 32);
    hash = mix(hash, c.local_range[2] | std::uint64_t{c.sub_group_size} << 32 |
                         std::uint64_t{c.sub_group_size_is_required} << 63);
    hash = mix(hash, c.optimization_level | std::uint64_t{c.narrow_indices} << 32 |
                         std::uint64_t{c.linear_grid} << 33 | std::uint64_t{c.no_offset} << 34 |
                         std::uint64_t{c.vectors_must_pay} << 35);
    hash = mix(hash, c.captured[0] ^ c.functions[0] ^ c.disjoint);
    if (constants != nullptr && !constants->empty())
      hash = mix(hash, constants->hash());
    return hash * ODD;
  }
  static bool is(const version& some, const backend_device& device, const kernel_configuration& configuration,
                 const specialization_constants* constants) noexcept {
    return some.device == &device && some.configuration == configuration &&
           (constants == nullptr ? some.constants.empty() : some.constants == *constants);
  }

  /// The one that was added last.
  std::atomic<const version*> latest_{nullptr};
  std::atomic<const table*> table_{nullptr};
  /// For those who add: the last table is the current one; others may still be read.
  std::vector<std::unique_ptr<table>> tables_;
  std::vector<std::unique_ptr<const version>> versions_;
};

} // namespace falx
