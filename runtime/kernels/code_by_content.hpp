// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "checksum.hpp"
#include "jit/jit.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace falx {

/// What the JIT made in this process, by what the request said, names left out. Templates have many instances
/// of one content: for int and long of which only the first is different in size, for char and signed char,
/// in several translation units. Such kernels share their code, which carries the name of the first one of
/// them in its symbols. Thread-safe.
class code_by_content {
public:
  /// Those that were used least recently go where there are more.
  static constexpr std::size_t MOST_BYTES = std::size_t{32} << 20;

  static code_by_content& instance();

  /// For the kernel of that name: that of PTX's entry is changed.
  std::optional<jit::response> find(const digest128& key, std::string_view kernel);
  /// What was made for the kernel. Failures and remarks, which name it, are not kept.
  void keep(const digest128& key, std::string_view kernel, const jit::response& response);

private:
  using place = std::pair<std::uint64_t, std::uint64_t>;
  /// Those who found it may copy it after it has gone from here.
  struct made_code {
    std::string kernel;
    jit::response response;
  };
  struct code {
    place key;
    std::shared_ptr<const made_code> made;
  };

  std::mutex mutex_; // guards what follows
  /// The one that was used last stands first.
  std::list<code> codes_;
  std::map<place, std::list<code>::iterator> places_;
  std::size_t bytes_ = 0;
};

} // namespace falx
