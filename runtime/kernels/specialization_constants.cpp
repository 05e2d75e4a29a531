// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialization_constants.hpp"

#include "checksum.hpp"

#include <algorithm>
#include <functional>

namespace falx {

std::vector<specialization_constants::value>::const_iterator
specialization_constants::position(const void* id) const noexcept {
  return std::ranges::lower_bound(values_, id, std::less<const void*>(), &value::id);
}

const specialization_constants::value* specialization_constants::value_of(const void* id) const noexcept {
  const auto found = position(id);
  return found != values_.end() && found->id == id ? &*found : nullptr;
}

void specialization_constants::set(const void* id, const void* bytes, std::size_t size) {
  const auto* begin = static_cast<const unsigned char*>(bytes);
  const auto found = position(id);
  if (found != values_.end() && found->id == id)
    values_[static_cast<std::size_t>(found - values_.begin())].bytes.assign(begin, begin + size);
  else
    values_.insert(found, {id, {begin, begin + size}});
}

void specialization_constants::merge(const specialization_constants& other) {
  for (const value& theirs : other.values_)
    if (find(theirs.id) == nullptr)
      values_.insert(position(theirs.id), theirs);
}

std::uint64_t specialization_constants::hash() const noexcept {
  std::uint64_t hash = values_.size();
  for (const value& each : values_)
    hash = checksum64(each.bytes, hash ^ reinterpret_cast<std::uintptr_t>(each.id));
  return hash;
}

} // namespace falx
