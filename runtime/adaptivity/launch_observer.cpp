// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_observer.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace falx {
namespace {

/// A version for an alignment that is worth nothing would be a copy of the generic one.
bool is_worth_knowing(const launch_feature& feature, const unsigned char* sample) {
  return !feature.is_alignment() || sample[feature.position] != 0;
}

} // namespace

launch_observer::launch_observer(const launch_features& features)
    : features_(features), changes_(features.all().size()), last_(features.sample_size()),
      runs_(features.all().size()) {
  is_settled_ = features.all().empty();
}

const learned_version* launch_observer::look(const void* function, const launch_geometry& geometry,
                                             bool& has_learned) {
  const std::lock_guard lock(mutex_);
  if (is_settled_.load(std::memory_order_relaxed))
    return nullptr;
  compare_with_last(function, geometry);
  ++launches_;
  if (!has_seen_enough())
    return nullptr;
  const learned_version* const version = learn();
  has_learned = true;
  return version;
}

void launch_observer::compare_with_last(const void* function, const launch_geometry& geometry) {
  const std::span<const launch_feature> features = features_.all();
  std::vector<unsigned char> now(features_.sample_size());
  for (std::size_t i = 0; i < features.size(); ++i) {
    const launch_feature& feature = features[i];
    unsigned char* const mine = now.data() + feature.position;
    unsigned char* const before = last_.data() + feature.position;
    launch_features::take(feature, function, geometry, mine);
    if (feature.is_alignment()) {
      *before = runs_[i] == 0 ? *mine : std::min(*before, *mine);
      ++runs_[i];
    } else if (runs_[i] != 0 && std::memcmp(mine, before, feature.size) == 0) {
      ++runs_[i];
    } else {
      std::memcpy(before, mine, feature.size);
      runs_[i] = 1;
    }
  }
}

bool launch_observer::has_seen_enough() const {
  if (launches_ >= LAUNCHES_TO_WAIT)
    return true;
  for (std::size_t i = 0; i < runs_.size(); ++i)
    if (changes_[i] < CHANGES_TO_GIVE_UP && runs_[i] < LAUNCHES_TO_LEARN)
      return false;
  return true;
}

/// Makes a version of what the launches had in common, and starts anew. Null if that is nothing.
const learned_version* launch_observer::learn() {
  const std::span<const launch_feature> features = features_.all();
  std::vector<unsigned char> known(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) {
    const launch_feature& feature = features[i];
    if (runs_[i] < LAUNCHES_TO_LEARN)
      changes_[i] = CHANGES_TO_GIVE_UP;
    const auto latest = std::ranges::find_if(versions_.rbegin(), versions_.rend(),
                                             [i](const auto& version) { return version->known()[i] != 0; });
    if (latest != versions_.rend() && changes_[i] < CHANGES_TO_GIVE_UP &&
        std::memcmp((*latest)->sample().data() + feature.position, last_.data() + feature.position,
                    feature.size) != 0)
      ++changes_[i];
    known[i] = changes_[i] < CHANGES_TO_GIVE_UP && is_worth_knowing(feature, last_.data());
  }
  launches_ = 0;
  std::ranges::fill(runs_, 0u);
  if (std::ranges::find(known, 1) == known.end()) {
    is_settled_.store(true, std::memory_order_relaxed);
    return nullptr;
  }
  publish(std::make_unique<const learned_version>(features_, std::move(known), last_));
  return versions_.back().get();
}

void launch_observer::publish(std::unique_ptr<const learned_version> version) {
  assert(versions_.size() < MOST_VERSIONS && "a settled kernel learns no more");
  versions_.push_back(std::move(version));
  published_[versions_.size() - 1].store(versions_.back().get(), std::memory_order_release);
  if (versions_.size() == MOST_VERSIONS)
    is_settled_.store(true, std::memory_order_relaxed);
}

// The memory: FORMAT, whether all is settled, the changes of each feature, the number of versions, and for
// each of them what is known and the sample. How many features there are, and so the length, follows from
// the kernel.
namespace {
constexpr unsigned char FORMAT = 1;
constexpr std::size_t HEADER_SIZE = 3; // without the changes

bool is_right(const launch_feature& feature, const unsigned char* sample) {
  const unsigned char* const bytes = sample + feature.position;
  if (feature.is_alignment())
    return std::ranges::find(TOLD_ALIGNMENTS, *bytes) != std::end(TOLD_ALIGNMENTS);
  if (feature.what != launch_feature::kind::global_range)
    return true;
  std::uint64_t range[3];
  std::memcpy(range, bytes, sizeof range);
  return std::ranges::find(range, 0u) == std::end(range);
}
} // namespace

std::vector<unsigned char> launch_observer::memory() const {
  const std::lock_guard lock(mutex_);
  std::vector<unsigned char> bytes = {FORMAT, is_settled_.load(std::memory_order_relaxed),
                                      static_cast<unsigned char>(versions_.size())};
  bytes.insert(bytes.end(), changes_.begin(), changes_.end());
  for (const std::unique_ptr<const learned_version>& version : versions_) {
    bytes.insert(bytes.end(), version->known().begin(), version->known().end());
    bytes.insert(bytes.end(), version->sample().begin(), version->sample().end());
  }
  return bytes;
}

void launch_observer::remember(std::span<const unsigned char> memory) {
  const std::span<const launch_feature> features = features_.all();
  const std::size_t count = features.size(), version_size = count + features_.sample_size();
  if (memory.size() < HEADER_SIZE + count || memory[0] != FORMAT || memory[1] > 1 ||
      memory[2] > MOST_VERSIONS || memory.size() != HEADER_SIZE + count + memory[2] * version_size)
    return;
  const auto copy_of = [&](std::size_t from, std::size_t size) {
    const auto part = memory.subspan(from, size);
    return std::vector<unsigned char>(part.begin(), part.end());
  };
  std::vector<std::unique_ptr<const learned_version>> versions;
  for (std::size_t i = 0; i < memory[2]; ++i) {
    const std::size_t begin = HEADER_SIZE + count + i * version_size;
    std::vector<unsigned char> known = copy_of(begin, count);
    std::vector<unsigned char> sample = copy_of(begin + count, features_.sample_size());
    for (std::size_t feature = 0; feature < count; ++feature)
      if (known[feature] > 1 || (known[feature] == 1 && !is_right(features[feature], sample.data())))
        return;
    versions.push_back(
        std::make_unique<const learned_version>(features_, std::move(known), std::move(sample)));
  }
  const std::lock_guard lock(mutex_);
  assert(versions_.empty() && launches_ == 0 && "what was learned is remembered first of all");
  changes_ = copy_of(HEADER_SIZE, count);
  for (std::unique_ptr<const learned_version>& version : versions)
    publish(std::move(version));
  is_settled_.store(memory[1] == 1, std::memory_order_relaxed);
}

} // namespace falx
