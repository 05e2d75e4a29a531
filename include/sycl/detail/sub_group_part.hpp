// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/aspect.hpp"
#include "sycl/detail/group_traits.hpp"
#include "sycl/detail/sub_group_collectives.hpp"
#include "sycl/id.hpp"
#include "sycl/memory_enums.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Groups of some of a sub-group's work-items (sycl_ext_oneapi_non_uniform_groups), and their collectives:
/// what group_collectives.hpp calls for them. Other work-items of the sub-group may be anywhere, or at the
/// same place as members of another part. Where devices want to be told who takes part, they are told the
/// members; CPUs shuffle vectors and read the members' elements alone.

namespace sycl::detail {

/// Bits below \p position, which is less than the size of a Word.
template <class Word = std::uint64_t>
inline Word bits_below(std::uint32_t position) noexcept {
  return static_cast<Word>((Word(1) << position) - 1);
}
// Sub-groups of 32 work-items, which most are at most, have bits in the lower half alone.
inline std::uint32_t count_bits(std::uint64_t bits) noexcept {
  return static_cast<std::uint32_t>(__falx_sub_group_max_size() <= 32
                                        ? __builtin_popcount(static_cast<std::uint32_t>(bits))
                                        : __builtin_popcountll(bits));
}
/// Where the highest bit is, and the lowest, of \p bits that are not 0.
inline std::uint32_t highest_bit(std::uint64_t bits) noexcept {
  return static_cast<std::uint32_t>(__falx_sub_group_max_size() <= 32
                                        ? 31 - __builtin_clz(static_cast<std::uint32_t>(bits) | 1)
                                        : 63 - __builtin_clzll(bits | 1));
}
inline std::uint32_t lowest_bit(std::uint64_t bits) noexcept {
  return static_cast<std::uint32_t>(__builtin_ctzll(bits));
}
/// Where the bit is that has \p rank others below it; any number where there is none. In each step half the
/// bits that may be it are left, with no branch.
template <class Word>
inline std::uint32_t bit_of_word(Word bits, std::uint32_t rank) noexcept {
  std::uint32_t position = 0;
  for (std::uint32_t half = __falx_sub_group_max_size() / 2; half != 0; half /= 2) {
    const Word lower_bits = static_cast<Word>((bits >> position) & bits_below<Word>(half));
    const std::uint32_t lower = static_cast<std::uint32_t>(
        sizeof(Word) == 4 ? __builtin_popcount(static_cast<std::uint32_t>(lower_bits))
                          : __builtin_popcountll(lower_bits));
    const bool is_above = rank >= lower;
    rank -= is_above ? lower : 0;
    position += is_above ? half : 0;
  }
  return position;
}
inline std::uint32_t bit_at(std::uint64_t bits, std::uint32_t rank) noexcept {
  return __falx_sub_group_max_size() <= 32 ? bit_of_word(static_cast<std::uint32_t>(bits), rank)
                                           : bit_of_word(bits, rank);
}

/// What the groups have in common: everything of the interface of groups that only depends on who is in them.
class selected_part : public sub_group_part {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id_type get_local_id() const noexcept { return get_local_linear_id(); }
  range_type get_local_range() const noexcept { return get_local_linear_range(); }
  linear_id_type get_local_linear_id() const noexcept {
    return count_bits(members_ & bits_below(__falx_sub_group_local_id()));
  }
  linear_id_type get_local_linear_range() const noexcept { return count_bits(members_); }
  bool leader() const noexcept { return (members_ & bits_below(__falx_sub_group_local_id())) == 0; }

protected:
  explicit selected_part(std::uint64_t members) noexcept : members_(members) {}

private:
  friend part_access;
  /// Bit i is set if work-item i of the sub-group is a member.
  std::uint64_t members_;
};

/// \p Size work-items, a power of two, of which the first is number n * \p Size of the sub-group. It has no
/// state: numbers of lanes are computed.
template <std::size_t Size>
class aligned_part : public sub_group_part {
public:
  static_assert(Size > 0 && Size <= 64 && (Size & (Size - 1)) == 0,
                "the size of a chunk is a power of two of at most 64");
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id_type get_local_id() const noexcept { return get_local_linear_id(); }
  range_type get_local_range() const noexcept { return Size; }
  linear_id_type get_local_linear_id() const noexcept { return __falx_sub_group_local_id() % Size; }
  linear_id_type get_local_linear_range() const noexcept { return Size; }
  bool leader() const noexcept { return get_local_linear_id() == 0; }

protected:
  aligned_part() = default;
};

/// Asks parts who is in them, and makes them.
struct part_access {
  template <class Part, class... Arguments>
  static Part make(Arguments... arguments) noexcept {
    return Part(arguments...);
  }
  static std::uint64_t members(const selected_part& part) noexcept { return part.members_; }
  template <std::size_t Size>
  static std::uint64_t members(const aligned_part<Size>&) noexcept {
    constexpr std::uint64_t first = ~std::uint64_t(0) >> (64 - Size);
    return first << (__falx_sub_group_local_id() & ~static_cast<std::uint32_t>(Size - 1));
  }
  /// The number in the sub-group of the member with local id \p rank; any number where there is none.
  static std::uint32_t lane(const selected_part& part, std::uint32_t rank) noexcept {
    return rank == 0 ? lowest_bit(part.members_) : bit_at(part.members_, rank);
  }
  template <std::size_t Size>
  static std::uint32_t lane(const aligned_part<Size>&, std::uint32_t rank) noexcept {
    return (__falx_sub_group_local_id() & ~static_cast<std::uint32_t>(Size - 1)) + rank;
  }
  static std::uint32_t last_lane(const selected_part& part) noexcept { return highest_bit(part.members_); }
  template <std::size_t Size>
  static std::uint32_t last_lane(const aligned_part<Size>&) noexcept {
    return __falx_sub_group_local_id() | static_cast<std::uint32_t>(Size - 1);
  }
};

struct members_shuffle_words {
  std::uint32_t lane;
  std::uint64_t members;
  std::uint32_t operator()(std::uint32_t word) const {
    return __falx_sub_group_members_shuffle_u32(word, lane, members);
  }
  std::uint64_t operator()(std::uint64_t word) const {
    return __falx_sub_group_members_shuffle_u64(word, lane, members);
  }
};

/// From number \p lane of the sub-group.
template <class T>
inline T members_shuffle(const T& value, std::uint32_t lane, std::uint64_t members) {
  return move_words(value, members_shuffle_words{lane, members});
}
/// From number self - \p distance of the sub-group; any value if that is no member (\p exists is false).
template <class T>
inline T members_shuffle_up(const T& value, std::uint32_t distance, bool exists, std::uint64_t members) {
  if (__falx_sub_group_in_step())
    return sub_group_shuffle_up(value, distance);
  const std::uint32_t self = __falx_sub_group_local_id();
  return members_shuffle(value, exists ? self - distance : self, members);
}
/// From the member whose number is this one's exclusive-or \p distance.
template <class T>
inline T members_shuffle_xor(const T& value, std::uint32_t distance, std::uint64_t members) {
  if (__falx_sub_group_in_step())
    return sub_group_shuffle_xor(value, distance);
  return members_shuffle(value, __falx_sub_group_local_id() ^ distance, members);
}
/// From the member with local id \p source; any value where there is none.
template <class Part, class T>
inline T part_select(const Part& part, const T& value, std::size_t source) {
  return members_shuffle(value, part_access::lane(part, static_cast<std::uint32_t>(source)),
                         part_access::members(part));
}
template <class Part>
inline void part_barrier(const Part& part) {
  __falx_sub_group_members_barrier(part_access::members(part));
}

/// The members for whom \p predicate holds.
inline std::uint64_t members_ballot(bool predicate, std::uint64_t members) {
  return __falx_sub_group_members_ballot(predicate, members) & members;
}

/// Each member's value combined with those of the members before it, in order. What is known of a member are
/// the values from itself down to some other; the one before that knows as many. So twice as many values
/// are combined in each step, whoever the members are.
template <class T, class Operation>
inline T part_inclusive_scan(const selected_part& part, T value, Operation operation) {
  constexpr std::uint32_t no_member = ~std::uint32_t(0);
  const std::uint64_t members = part_access::members(part);
  const std::uint32_t self = __falx_sub_group_local_id();
  const std::uint64_t below = members & bits_below(self);
  std::uint32_t before = below != 0 ? highest_bit(below) : no_member;
  for (std::uint32_t distance = 1; distance < __falx_sub_group_max_size(); distance *= 2) {
    const std::uint32_t from = before == no_member ? self : before;
    const T other = members_shuffle(value, from, members);
    const std::uint32_t next = members_shuffle(before, from, members);
    if (before != no_member) {
      value = static_cast<T>(operation(other, value));
      before = next;
    }
  }
  return value;
}
template <std::size_t Size, class T, class Operation>
inline T part_inclusive_scan(const aligned_part<Size>& part, T value, Operation operation) {
  const std::uint64_t members = part_access::members(part);
  const std::uint32_t rank = part.get_local_linear_id();
  for (std::uint32_t distance = 1; distance < Size; distance *= 2) {
    const T other = members_shuffle_up(value, distance, rank >= distance, members);
    if (rank >= distance)
      value = static_cast<T>(operation(other, value));
  }
  return value;
}

/// One instruction combines values of these types.
template <native_combination Combination, class T>
inline constexpr bool is_reduced_at_once =
    std::is_integral_v<T> && sizeof(T) <= 4 && Combination != native_combination::none &&
    Combination != native_combination::every && Combination != native_combination::some;

template <native_combination Combination, class T>
inline T reduce_members_at_once(const T& value, std::uint64_t members) {
  using operand = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
  const operand wide = static_cast<operand>(value);
  const std::uint32_t bits = static_cast<std::uint32_t>(wide);
  if constexpr (Combination == native_combination::add)
    return static_cast<T>(__falx_sub_group_members_reduce_add_u32(bits, members));
  else if constexpr (Combination == native_combination::bit_and)
    return static_cast<T>(__falx_sub_group_members_reduce_and_u32(bits, members));
  else if constexpr (Combination == native_combination::bit_or)
    return static_cast<T>(__falx_sub_group_members_reduce_or_u32(bits, members));
  else if constexpr (Combination == native_combination::bit_xor)
    return static_cast<T>(__falx_sub_group_members_reduce_xor_u32(bits, members));
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(Combination == native_combination::min
                              ? __falx_sub_group_members_reduce_min_s32(wide, members)
                              : __falx_sub_group_members_reduce_max_s32(wide, members));
  else
    return static_cast<T>(Combination == native_combination::min
                              ? __falx_sub_group_members_reduce_min_u32(bits, members)
                              : __falx_sub_group_members_reduce_max_u32(bits, members));
}

/// Where no device has an instruction. Members with local ids of \p active and above have no value.
template <class T, class Operation>
inline T part_reduce_in_steps(const selected_part& part, const T& value, Operation operation,
                              std::uint32_t active) {
  const T sums = part_inclusive_scan(part, value, operation);
  const std::uint32_t last = active == part.get_local_linear_range() ? part_access::last_lane(part)
                                                                     : part_access::lane(part, active - 1);
  return members_shuffle(sums, last, part_access::members(part));
}
template <std::size_t Size, class T, class Operation>
inline T part_reduce_in_steps(const aligned_part<Size>& part, T value, Operation operation,
                              std::uint32_t active) {
  const std::uint64_t members = part_access::members(part);
  const std::uint32_t self = __falx_sub_group_local_id();
  const std::uint32_t rank = part.get_local_linear_id();
  // Member i holds the values from i to i + 2 * distance - 1, as far as there are any, after each step.
  for (std::uint32_t distance = 1; distance < Size; distance *= 2) {
    const bool has_other = rank + distance < active;
    const T other = members_shuffle(value, has_other ? self + distance : self, members);
    if (has_other)
      value = static_cast<T>(operation(value, other));
  }
  return members_shuffle(value, part_access::lane(part, 0), members);
}
/// The same of operations that commute, where all members have a value.
template <std::size_t Size, class T, class Operation>
inline T part_reduce_by_exchange(const aligned_part<Size>& part, T value, Operation operation) {
  const std::uint64_t members = part_access::members(part);
  for (std::uint32_t distance = 1; distance < Size; distance *= 2)
    value = static_cast<T>(operation(value, members_shuffle_xor(value, distance, members)));
  return value;
}

/// The size of an aligned_part, or what derives from one; 0 for other groups.
template <std::size_t Size>
constexpr std::uint32_t part_size(const aligned_part<Size>*) noexcept {
  return Size;
}
constexpr std::uint32_t part_size(const void*) noexcept {
  return 0;
}
template <class Part>
constexpr std::uint32_t part_size() noexcept {
  return part_size(static_cast<const Part*>(nullptr));
}

/// Combines the values of all members, for all of them. Members who have none pass the identity.
template <class Part, class T, class Operation>
inline T part_reduce_natively(const Part& part, const T& value, Operation operation) {
  constexpr native_combination native = native_combination_of<Operation, T>();
  constexpr std::uint32_t size = part_size<Part>();
  const std::uint64_t members = part_access::members(part);
  if constexpr (native == native_combination::some) {
    return members_ballot(value, members) != 0;
  } else if constexpr (native == native_combination::every) {
    return members_ballot(value, members) == members;
  } else {
    // Nobody else is here, so the sub-group's own function does what is asked.
    if (__falx_sub_group_in_step() && __falx_sub_group_all(members == __falx_sub_group_active()))
      return combine_natively<native>(value);
    if constexpr (is_reduced_at_once<native, T> && (size == 0 || size > 8))
      if (__falx_sub_group_reduces_members())
        return reduce_members_at_once<native>(value, members);
    if constexpr (size != 0)
      return part_reduce_by_exchange(part, value, operation);
    else
      return part_reduce_in_steps(part, value, operation, part.get_local_linear_range());
  }
}

/// Combines the values of the members whose local ids are less than \p active (at least 1).
template <class Part, class T, class Operation>
inline T part_reduce(const Part& part, const T& value, Operation operation, std::size_t active) {
  if constexpr (native_combination_of<Operation, T>() == native_combination::none)
    return part_reduce_in_steps(part, value, operation, static_cast<std::uint32_t>(active));
  else
    return part_reduce_natively(
        part, part.get_local_linear_id() < active ? value : identity_of<Operation, T>(), operation);
}
/// Combines the values of all members.
template <class Part, class T, class Operation>
inline T part_reduce(const Part& part, const T& value, Operation operation) {
  if constexpr (native_combination_of<Operation, T>() == native_combination::none)
    return part_reduce_in_steps(part, value, operation, part.get_local_linear_range());
  else
    return part_reduce_natively(part, value, operation);
}

/// The inclusive scan of the member before this one; any value for the first.
template <class T>
inline T part_value_before(const selected_part& part, const T& inclusive) {
  const std::uint64_t members = part_access::members(part);
  return members_shuffle(inclusive, highest_bit(members & bits_below(__falx_sub_group_local_id())), members);
}
template <std::size_t Size, class T>
inline T part_value_before(const aligned_part<Size>& part, const T& inclusive) {
  return members_shuffle_up(inclusive, 1, !part.leader(), part_access::members(part));
}
template <class Part, class T>
inline T part_last_value(const Part& part, const T& value) {
  return members_shuffle(value, part_access::last_lane(part), part_access::members(part));
}

} // namespace sycl::detail
