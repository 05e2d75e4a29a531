// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form_record.hpp"

#include "kernel_cache.hpp"

#include <array>
#include <cstring>

namespace falx {
namespace {

/// On disk: the outcome in one byte, and the nanoseconds, of the machine's byte order, as caches are of one
/// machine's kernels.
constexpr std::size_t RECORD_BYTES = 1 + sizeof(std::uint64_t);

} // namespace

form_record::form_record(const digest128& other_form)
    : key_(digest_builder().add("forms").add(other_form.high).add(other_form.low).finish()) {}

form_history form_record::read() const {
  const std::vector<unsigned char> bytes = usable_kernel_cache().read(key_);
  if (bytes.size() != RECORD_BYTES || bytes[0] > static_cast<unsigned char>(form_outcome::changes))
    return {};
  form_history history;
  history.outcome = static_cast<form_outcome>(bytes[0]);
  std::memcpy(&history.spent, &bytes[1], sizeof history.spent);
  return history;
}

void form_record::write(const form_history& history) const {
  std::array<unsigned char, RECORD_BYTES> bytes{};
  bytes[0] = static_cast<unsigned char>(history.outcome);
  std::memcpy(&bytes[1], &history.spent, sizeof history.spent);
  usable_kernel_cache().store(key_, bytes);
}

} // namespace falx
