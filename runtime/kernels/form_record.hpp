// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/kernel_forms.hpp"
#include "checksum.hpp"

namespace falx {

/// What trials of a kernel's two forms came to, in the kernel cache: an entry of its own, as code is never
/// changed. Of several processes that write, the last one counts.
class form_record {
public:
  /// \p other_form is the key of the other form's code, which is of that kernel alone, and that device.
  explicit form_record(const digest128& other_form);

  /// Nothing is known where there is none, or one of another build.
  form_history read() const;
  void write(const form_history& history) const;

private:
  const digest128 key_;
};

} // namespace falx
