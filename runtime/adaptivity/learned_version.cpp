// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learned_version.hpp"

#include "kernels/checksum.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>
#include <utility>

namespace falx {
namespace {

/// Where one part begins as another ends, the compiler may load both at once.
void join_neighbours(std::vector<jit::captured_bytes>& parts) {
  std::ranges::sort(parts, {}, &jit::captured_bytes::offset);
  std::vector<jit::captured_bytes> joined;
  for (jit::captured_bytes& part : parts)
    if (!joined.empty() && joined.back().offset + joined.back().bytes.size() == part.offset)
      joined.back().bytes.insert(joined.back().bytes.end(), part.bytes.begin(), part.bytes.end());
    else
      joined.push_back(std::move(part));
  parts = std::move(joined);
}

} // namespace

learned_version::learned_version(const launch_features& features, std::vector<unsigned char> known,
                                 std::vector<unsigned char> sample)
    : known_(std::move(known)), sample_(std::move(sample)) {
  assert(known_.size() == features.all().size() && "each feature is known or not");
  digest_builder digest;
  for (std::size_t i = 0; i < features.all().size(); ++i) {
    if (known_[i] == 0)
      continue;
    const launch_feature& feature = features.all()[i];
    assert(feature.position + feature.size <= sample_.size() && "the sample is of other features");
    used_.push_back(feature);
    digest.add(static_cast<std::uint64_t>(feature.what)).add(feature.offset);
    digest.add(
        std::string_view(reinterpret_cast<const char*>(sample_.data()) + feature.position, feature.size));
  }
  const digest128 finished = digest.finish();
  digest_[0] = finished.high;
  digest_[1] = finished.low;
}

kernel_configuration learned_version::added_to(kernel_configuration configuration) const noexcept {
  configuration.captured[0] = (configuration.captured[0] + digest_[0]) | 1; // 0 says that nothing is known
  configuration.captured[1] += digest_[1];
  return configuration;
}

void learned_version::add_to(launch_constants& constants) const {
  for (const launch_feature& feature : used_) {
    const auto begin = sample_.begin() + static_cast<std::ptrdiff_t>(feature.position);
    if (feature.what == launch_feature::kind::value)
      constants.captured.push_back(
          {feature.offset, {begin, begin + static_cast<std::ptrdiff_t>(feature.size)}});
    else if (feature.is_alignment())
      constants.aligned.push_back({feature.offset, *begin});
    else
      std::memcpy(constants.global_range.data(), sample_.data() + feature.position, feature.size);
  }
  join_neighbours(constants.captured);
}

} // namespace falx
