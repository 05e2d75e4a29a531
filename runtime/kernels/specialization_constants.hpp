// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace falx {

/// Values of specialization constants, by the addresses of their specialization_id objects.
class specialization_constants {
public:
  struct value {
    const void* id;
    std::vector<unsigned char> bytes;
    friend bool operator==(const value&, const value&) = default;
  };

  bool empty() const noexcept { return values_.empty(); }
  /// In the order of their addresses.
  const std::vector<value>& values() const noexcept { return values_; }

  /// The bytes of the value; null if none was set.
  const unsigned char* find(const void* id) const noexcept {
    const value* found = value_of(id);
    return found != nullptr ? found->bytes.data() : nullptr;
  }
  const value* value_of(const void* id) const noexcept;
  void set(const void* id, const void* bytes, std::size_t size);
  /// Takes over the values that are not set here.
  void merge(const specialization_constants& other);

  std::uint64_t hash() const noexcept;
  friend bool operator==(const specialization_constants&, const specialization_constants&) = default;

private:
  std::vector<value>::const_iterator position(const void* id) const noexcept;

  std::vector<value> values_;
};

} // namespace falx
