// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/id.hpp"
#include "sycl/marray.hpp"
#include "sycl/sub_group.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// SYCL extension sycl_ext_oneapi_sub_group_mask.

namespace sycl::ext::oneapi {

/// A set of work-items of a sub-group: bit i stands for work-item i. It has as many bits as the sub-group
/// that makes it has work-items at most, so only kernels make one.
class sub_group_mask {
public:
  static constexpr std::size_t max_bits = 64;

  /// One bit of a mask.
  class reference {
  public:
    reference& operator=(bool x) noexcept {
      mask_->set(position_, x);
      return *this;
    }
    reference& operator=(const reference& x) noexcept { return *this = static_cast<bool>(x); }
    reference(const reference&) = default;
    bool operator~() const noexcept { return !static_cast<bool>(*this); }
    operator bool() const noexcept { return mask_->test(position_); }
    reference& flip() noexcept { return *this = ~*this; }

  private:
    friend sub_group_mask;
    reference(sub_group_mask& mask, id<1> position) noexcept : mask_(&mask), position_(position) {}
    sub_group_mask* mask_;
    id<1> position_;
  };

  sub_group_mask() noexcept : sub_group_mask(0ull) {}
  sub_group_mask(unsigned long long val) noexcept
      : size_(__falx_sub_group_max_size()), bits_(val & every_bit()) {}
  /// Element 0 has the lowest bits.
  template <class T, std::size_t K, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  sub_group_mask(const marray<T, K>& val) noexcept : sub_group_mask() {
    insert_bits(val);
  }
  sub_group_mask(const sub_group_mask& other) = default;
  sub_group_mask& operator=(const sub_group_mask& other) = default;

  bool operator[](id<1> id) const noexcept { return test(id); }
  reference operator[](id<1> id) noexcept { return {*this, id}; }
  bool test(id<1> id) const noexcept { return (bits_ >> id[0] & 1) != 0; }
  bool all() const noexcept { return bits_ == every_bit(); }
  bool any() const noexcept { return bits_ != 0; }
  bool none() const noexcept { return bits_ == 0; }
  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(__builtin_popcountll(bits_)); }
  std::uint32_t size() const noexcept { return size_; }
  /// size() if no bit is set, as is that of find_high.
  id<1> find_low() const noexcept {
    return bits_ == 0 ? size_ : static_cast<std::size_t>(__builtin_ctzll(bits_));
  }
  id<1> find_high() const noexcept {
    return bits_ == 0 ? size_ : static_cast<std::size_t>(63 - __builtin_clzll(bits_));
  }

  /// Overwrites as many bits as T has, from \p pos on, as far as there are so many. T is an integer or an
  /// marray of integers.
  template <class T>
  void insert_bits(const T& bits, id<1> pos = 0) noexcept {
    if constexpr (std::is_integral_v<T>) {
      if (pos[0] >= size_)
        return;
      const std::uint64_t where = low_bits<T>() << pos[0];
      bits_ = ((bits_ & ~where) | (static_cast<std::uint64_t>(bits) << pos[0] & where)) & every_bit();
    } else {
      for (std::size_t i = 0; i < T::size(); ++i)
        insert_bits(bits[i], pos[0] + i * sizeof(bits[i]) * 8);
    }
  }
  /// As many bits as T has, from \p pos on; zeros behind the last one.
  template <class T>
  void extract_bits(T& out, id<1> pos = 0) const noexcept {
    if constexpr (std::is_integral_v<T>) {
      out = static_cast<T>(pos[0] >= size_ ? 0 : bits_ >> pos[0]);
    } else {
      for (std::size_t i = 0; i < T::size(); ++i)
        extract_bits(out[i], pos[0] + i * sizeof(out[i]) * 8);
    }
  }

  void set() noexcept { bits_ = every_bit(); }
  void set(id<1> id, bool value = true) noexcept {
    if (value)
      bits_ |= bit(id);
    else
      bits_ &= ~bit(id);
  }
  void reset() noexcept { bits_ = 0; }
  void reset(id<1> id) noexcept { bits_ &= ~bit(id); }
  void reset_low() noexcept { bits_ &= bits_ - 1; }
  void reset_high() noexcept {
    if (bits_ != 0)
      reset(find_high());
  }
  void flip() noexcept { bits_ ^= every_bit(); }
  void flip(id<1> id) noexcept { bits_ ^= bit(id); }

  bool operator==(const sub_group_mask& rhs) const noexcept { return bits_ == rhs.bits_; }
  bool operator!=(const sub_group_mask& rhs) const noexcept { return bits_ != rhs.bits_; }

  sub_group_mask& operator&=(const sub_group_mask& rhs) noexcept {
    bits_ &= rhs.bits_;
    return *this;
  }
  sub_group_mask& operator|=(const sub_group_mask& rhs) noexcept {
    bits_ |= rhs.bits_;
    return *this;
  }
  sub_group_mask& operator^=(const sub_group_mask& rhs) noexcept {
    bits_ ^= rhs.bits_;
    return *this;
  }
  sub_group_mask& operator<<=(std::size_t shift) noexcept {
    bits_ = shift < size_ ? bits_ << shift & every_bit() : 0;
    return *this;
  }
  sub_group_mask& operator>>=(std::size_t shift) noexcept {
    bits_ = shift < size_ ? bits_ >> shift : 0;
    return *this;
  }
  sub_group_mask operator~() const noexcept {
    sub_group_mask result = *this;
    result.flip();
    return result;
  }
  sub_group_mask operator<<(std::size_t shift) const noexcept { return sub_group_mask(*this) <<= shift; }
  sub_group_mask operator>>(std::size_t shift) const noexcept { return sub_group_mask(*this) >>= shift; }

  friend sub_group_mask operator&(const sub_group_mask& lhs, const sub_group_mask& rhs) noexcept {
    return sub_group_mask(lhs) &= rhs;
  }
  friend sub_group_mask operator|(const sub_group_mask& lhs, const sub_group_mask& rhs) noexcept {
    return sub_group_mask(lhs) |= rhs;
  }
  friend sub_group_mask operator^(const sub_group_mask& lhs, const sub_group_mask& rhs) noexcept {
    return sub_group_mask(lhs) ^= rhs;
  }

private:
  template <class T>
  static constexpr std::uint64_t low_bits() noexcept {
    return ~std::uint64_t(0) >> (64 - sizeof(T) * 8);
  }
  static std::uint64_t bit(id<1> id) noexcept { return std::uint64_t(1) << id[0]; }
  std::uint64_t every_bit() const noexcept { return ~std::uint64_t(0) >> (64 - size_); }

  std::uint32_t size_;
  std::uint64_t bits_;
};

/// The work-items of the sub-group for which \p predicate holds. All of them call it together.
template <class Group>
inline sub_group_mask group_ballot(Group, bool predicate = true) noexcept {
  static_assert(std::is_same_v<Group, sub_group>, "group_ballot takes a sub_group");
  __falx_sub_group_barrier();
  return __falx_sub_group_ballot(predicate);
}

} // namespace sycl::ext::oneapi
