// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "launch_features.hpp"
#include "learned_version.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace falx {

/// Learns from the launches of one kernel on one device what they have in common, and decides for which
/// values there shall be versions. A guess that was wrong costs a version, never more: there are few, a
/// feature that keeps changing is left out of later ones, and at the end none is left to observe.
///
/// Launches that no version fits are looked at. A feature that was the same in LAUNCHES_TO_LEARN of them,
/// one after the other, is taken to stay. There is a new version as soon as that is known of every feature,
/// or, when LAUNCHES_TO_WAIT have passed, of those that do not change all the time. Thread-safe; launches
/// that a version fits take no lock.
class launch_observer {
public:
  static constexpr std::size_t MOST_VERSIONS = 4;
  static constexpr unsigned LAUNCHES_TO_LEARN = 6;
  static constexpr unsigned LAUNCHES_TO_WAIT = 24;
  /// A feature of so many different values in versions is in no further one.
  static constexpr unsigned CHANGES_TO_GIVE_UP = 2;

  explicit launch_observer(const launch_features& features);

  /// The version for the launch; null if there is none. \p has_learned is set if there is more to store
  /// than before.
  const learned_version* see(const void* function, const launch_geometry& geometry, bool& has_learned) {
    for (const std::atomic<const learned_version*>& slot : published_) {
      const learned_version* const version = slot.load(std::memory_order_acquire);
      if (version == nullptr)
        break;
      if (version->fits(function, geometry))
        return version->is_abandoned() ? nullptr : version;
    }
    if (is_settled_.load(std::memory_order_relaxed))
      return nullptr;
    return look(function, geometry, has_learned);
  }

  /// What was learned, as bytes for the next process.
  std::vector<unsigned char> memory() const;
  /// Takes over what another process has learned, before the first launch. Bytes that are no such memory are
  /// ignored.
  void remember(std::span<const unsigned char> memory);

private:
  const learned_version* look(const void* function, const launch_geometry& geometry, bool& has_learned);
  void compare_with_last(const void* function, const launch_geometry& geometry);
  bool has_seen_enough() const;
  const learned_version* learn();
  void publish(std::unique_ptr<const learned_version> version);

  const launch_features& features_;
  std::array<std::atomic<const learned_version*>, MOST_VERSIONS> published_{};
  std::atomic<bool> is_settled_{false};

  /// Guards what follows.
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<const learned_version>> versions_;
  /// By feature: in how many versions it had another value than before.
  std::vector<unsigned char> changes_;
  /// Since the last version: launches, the features of the last one (alignments: what the launches of the run
  /// have in common), and for how many launches each feature has been the same.
  unsigned launches_ = 0;
  std::vector<unsigned char> last_;
  std::vector<unsigned> runs_;
};

} // namespace falx
