// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/lifetime.hpp"
#include "process/ref_counted.hpp"

namespace falx {

/// See falx/lifetime.hpp. What objects there are, and whether they live, is guarded by one mutex of the
/// process: weak references are few.
class lifetime final : public ref_counted {
public:
  /// Adds a reference of the user's to an object in whose memory all is well. False if the last one is gone.
  using retain_function = bool (*)(ref_counted&) noexcept;

  /// The one of \p object, to which the caller has a reference.
  static handle<lifetime> of(ref_counted& object, retain_function retain);

  bool retain_if_alive() noexcept;
  bool is_alive() noexcept;

private:
  friend void end_lifetime(ref_counted& object) noexcept;
  lifetime(ref_counted& object, retain_function retain) noexcept : object_(&object), retain_(retain) {}

  /// Null when it is gone.
  ref_counted* object_;
  const retain_function retain_;
};

} // namespace falx
