// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "checksum.hpp"
#include "falx/cache.hpp"
#include "jit/jit.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace falx {

class idle_task;

/// A request that lives by itself: what it shows is its own, or lives as long as the process.
struct owned_request {
  using bytes = std::vector<unsigned char>;

  jit::request request;
  /// What the request's views of images, kernel and device globals show.
  std::vector<std::shared_ptr<const bytes>> images;
  std::vector<std::unique_ptr<const std::string>> texts;
};

/// \p bitcode is that of the request's images.
owned_request own(jit::request request, std::vector<std::shared_ptr<const owned_request::bytes>> bitcode);

/// Compiles on idle processors what launches are going to request (idle_threads.hpp). Bounded: what is
/// neither done nor requested may be MOST_UNUSED and twice what was requested of it, so that programs which
/// launch few of their kernels have few compiled in vain. Thread-safe.
class ahead_compiler {
public:
  static constexpr std::size_t MOST_UNUSED = 8, MOST_AT_ALL = 128;
  static constexpr unsigned LONGEST_PAUSE = 64;
  static constexpr std::size_t MOST_BYTES = std::size_t{64} << 20;

  static ahead_compiler& instance();

  /// How many more requests it takes now; called for each launch that is looked at. None for a while once
  /// processors have turned out not to be idle: what is begun then ends too late, and is made twice.
  std::size_t room();
  /// \p is_needless says, on the idle thread, that the code is there by now, so that nothing is compiled.
  void add(const digest128& key, owned_request request, std::function<bool()> is_needless);

  /// Whether take would not have to wait. True of what was not added.
  bool is_ready(const digest128& key) const;
  /// The JIT's answer to the request with that key; waits for it if it is under way. Nothing if it was not
  /// added, has not begun, is not going to be made soon, or is no code: the caller compiles, then.
  std::optional<jit::response> take(const digest128& key);

  compilations_ahead so_far() const;

private:
  struct compilation;
  using place = std::pair<std::uint64_t, std::uint64_t>;
  static place place_of(const digest128& key) { return {key.high, key.low}; }
  /// What was begun and made nothing needs no place any more. The caller holds the mutex.
  void drop_needless();

  mutable std::mutex mutex_; // guards what follows
  std::map<place, std::shared_ptr<compilation>> compilations_;
  std::uint64_t used_ = 0;
  /// How many launches there shall be no room for, and how many it was the last time.
  unsigned pause_ = 0, last_pause_ = 0;
};

} // namespace falx
