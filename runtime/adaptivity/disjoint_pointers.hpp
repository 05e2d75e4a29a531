// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "image/device_image.hpp"
#include "memory/usm_registry.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace falx {

/// The memory that an accessor of a launch leads to.
struct accessed_memory {
  /// Where the accessor's first element is on the device; null if that is not known yet.
  const void* data = nullptr;
  /// Tells buffers apart; null if it is not known which one it is.
  const void* buffer = nullptr;
  /// The buffer's on the device. Without data what is known of it: the user's memory that the buffer may work
  /// in, empty without.
  std::span<const std::byte> memory = {};
  /// The buffer was made on memory that was there, which may be another buffer's.
  bool is_given = false;
};

/// Which pointers and accessors that a kernel captures lead to different memory, launch by launch: the code
/// is compiled for that (jit::request::disjoint). There is no way in C++ from one allocation to another, so
/// an access by one of them is not of the memory that another one leads to. What was found out about pointers
/// is remembered as long as no block is freed. Thread-safe; asking takes no lock but for pointers that are
/// new.
class disjoint_pointers {
public:
  /// Of more pointers, and of more accessors, the first ones count.
  static constexpr std::size_t MOST = 16;
  /// Of different answers: code is made for each.
  static constexpr std::size_t MOST_ANSWERS = 3;

  explicit disjoint_pointers(const image::kernel_metadata& kernel);

  /// How many accessors are asked for; 0 if nothing is.
  std::size_t accessors() const noexcept { return is_asked() ? accessors_ : 0; }
  /// Bit i stands for captured_pointers[i], bit MOST + i for the i-th accessor: it leads where no other one
  /// of which the bit is set leads. Never a single bit. \p accessed has as many as accessors() says.
  std::uint64_t of(const void* function, std::span<const accessed_memory> accessed) {
    return is_asked() ? look_up(function, accessed) : 0;
  }
  /// What a launch that has not come is expected to have.
  static std::uint64_t expected(const image::kernel_metadata& kernel);

private:
  static constexpr std::uint64_t POINTER_BITS = (std::uint64_t{1} << MOST) - 1;
  using pointer_list = std::array<const void*, 2 * MOST>;
  /// About pointers in these ranges, first and last address. Written by one thread at a time, which makes the
  /// version odd meanwhile.
  struct alignas(64) answer {
    std::atomic<std::uint64_t> version{0};
    std::atomic<std::uint64_t> removals{0}, disjoint{0};
    std::array<std::array<std::atomic<std::uintptr_t>, 2>, 2 * MOST> ranges{};
  };
  using range_list = std::array<usm_registry::address_range, 2 * MOST>;
  struct memory {
    /// Several, for programs that exchange pointers after each launch.
    std::array<answer, 4> answers;
    std::atomic<unsigned> next{0};
  };

  bool is_asked() const noexcept { return is_asked_; }
  std::uint64_t look_up(const void* function, std::span<const accessed_memory> accessed);
  /// What is known of pointers, and of accessors beside them: by blocks of unified shared memory.
  std::uint64_t by_blocks(const pointer_list& pointers);
  bool find(const answer& some, const pointer_list& pointers, std::uint64_t removals,
            std::uint64_t& disjoint) const noexcept;
  void store(const range_list& ranges, std::uint64_t removals, std::uint64_t disjoint) noexcept;
  /// \p disjoint, or 0 if there have been too many answers.
  std::uint64_t limited(std::uint64_t disjoint) noexcept;

  std::span<const std::size_t> offsets_;
  std::size_t accessors_ = 0;
  bool is_asked_ = false;
  /// Null for kernels without pointers.
  std::unique_ptr<memory> memory_;
  /// The answers that were given, from the first one on; 0 where there is none yet.
  std::array<std::atomic<std::uint64_t>, MOST_ANSWERS> given_{};
};

} // namespace falx
