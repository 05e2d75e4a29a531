// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit/targets/ptx/derived_arguments_abi.hpp"
#include "jit/targets/ptx/ptx_abi.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace falx {

/// The line of \p code, PTX or what was assembled of it, that says what the host computes for each launch,
/// with its end; empty if there is none.
std::string_view derived_arguments_line(std::string_view code) noexcept;

/// What the host computes for each launch of a kernel (jit/targets/ptx/derived_arguments_abi.hpp).
class cuda_derived_arguments {
public:
  using results = std::array<std::byte, ptx::MOST_DERIVED_BYTES>;

  cuda_derived_arguments() = default;
  /// Of the code that has this line. Throws std::invalid_argument if it cannot be understood.
  explicit cuda_derived_arguments(std::string_view line);

  bool is_empty() const noexcept { return instructions_.empty(); }
  /// The kernel's third parameter. Whatever rounding mode the calling thread has.
  void compute(const void* function, const ptx::launch_arguments& launch, results& to) const noexcept;

private:
  struct instruction {
    ptx::derived_operation operation;
    /// Numbers that it takes from the stack.
    unsigned operands;
    unsigned bits;
    /// Of the result's bits.
    std::uint64_t mask;
    std::uint64_t number;
  };
  [[gnu::noinline]] void compute_in_order(const void* function, const ptx::launch_arguments& launch,
                                          results& to) const noexcept;
  static instruction parse(std::string_view word);
  void check() const;

  std::vector<instruction> instructions_;
  bool has_floats_ = false;
};

} // namespace falx
