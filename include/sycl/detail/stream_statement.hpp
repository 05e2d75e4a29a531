// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "falx/stream.hpp"
#include "sycl/detail/number_format.hpp"
#include "sycl/memory_enums.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl {

class stream;

namespace detail {

/// How a value of type T is written; specialized in stream_values.hpp with
/// `static void write(stream_statement&, const T&)`.
template <class T, class = void>
struct stream_value;

template <class T, class = void>
inline constexpr bool is_streamable = false;
template <class T>
inline constexpr bool is_streamable<T, std::void_t<decltype(sizeof(stream_value<std::decay_t<const T&>>))>> =
    true;

/// A work-item to others of its launch, whatever the kernel's kind: its place in the range, or in its group
/// where one thread runs the body of a hierarchical kernel, and the group.
struct stream_writer {
  std::uint64_t item, group;

  static stream_writer here() noexcept {
    const std::uint64_t x = __falx_global_id_x() - __falx_global_offset_x();
    const std::uint64_t y = __falx_global_id_y() - __falx_global_offset_y();
    const std::uint64_t z = __falx_global_id_z() - __falx_global_offset_z();
    return {(z * __falx_global_range_y() + y) * __falx_global_range_x() + x + __falx_work_item_entered(),
            (__falx_group_id_z() * __falx_group_range_y() + __falx_group_id_y()) * __falx_group_range_x() +
                __falx_group_id_x()};
  }
};

/// One output statement of one work-item: collects text in private memory and reserves room in the stream's
/// buffer once, at the end. Formats set by manipulators last as long as the statement.
///
/// What writes is cold: on CPUs the JIT leaves such functions as they are, and a vector calls them work-item
/// by work-item. GPUs have everything inlined, so each holds only one place that may flush.
class stream_statement {
public:
  template <class T>
  [[gnu::cold]] stream_statement(const stream& os, falx::stream_buffer* buffer, stream_writer writer,
                                 const T& value)
      : stream_(os), buffer_(buffer), writer_(writer) {
    stream_value<std::decay_t<const T&>>::write(*this, value);
  }
  stream_statement(const stream_statement&) = delete;
  stream_statement& operator=(const stream_statement&) = delete;
  ~stream_statement() { send(false); }

  template <class T, std::enable_if_t<is_streamable<T>, int> = 0>
  [[gnu::cold]] friend stream_statement&& operator<<(stream_statement&& statement, const T& value) {
    stream_value<std::decay_t<const T&>>::write(statement, value);
    return static_cast<stream_statement&&>(statement);
  }
  template <class T, std::enable_if_t<is_streamable<T>, int> = 0>
  [[gnu::cold]] friend stream_statement& operator<<(stream_statement& statement, const T& value) {
    stream_value<std::decay_t<const T&>>::write(statement, value);
    return statement;
  }

  /// For operators of the user's that take a stream, and functions that return one: what was written so far
  /// goes first.
  operator const stream&() noexcept {
    send(false);
    return stream_;
  }

  stream_format& format() noexcept { return format_; }

  void put(char c) noexcept { put(&c, 0, 1); }
  void put(const char* string) noexcept {
    int length = 0;
    while (string[length] != 0)
      ++length;
    put(string, 0, length);
  }
  /// Right-aligned in the statement's field width.
  void put_field(const char* text, int length) noexcept {
    const int padding = format_.width - length;
    put(text, padding > 0 ? padding : 0, length);
  }
  void put_number(const number_text& number) noexcept { put_field(number.text, number.length); }

  /// What the work-item has written to the stream until here, in this statement and before, stays together.
  [[gnu::cold]] void flush() noexcept { send(true); }

private:
  static constexpr int CAPACITY = 256;
  static_assert(CAPACITY < (1 << falx::stream_record::LENGTH_BITS));

  [[gnu::cold]] void send(bool flushes) noexcept {
    if (used_ == 0 && !flushes)
      return;
    const falx::stream_record record =
        falx::stream_record::of(writer_.item, writer_.group, static_cast<unsigned>(used_), flushes);
    const std::uint64_t length = sizeof(record) + static_cast<std::uint64_t>(used_);
    used_ = 0;
    // The host looks at the text when the kernel has ended: work-items of the device are all there is until
    // then.
    auto* const cursor = static_cast<std::uint64_t*>(
        __falx_atomic_scope(&buffer_->cursor, static_cast<std::uint32_t>(memory_scope::device)));
    const std::uint64_t begin = __atomic_fetch_add(cursor, length, __ATOMIC_RELAXED);
    const bool fits = begin + length <= buffer_->capacity;
    if (!fits && begin + sizeof(record) > buffer_->capacity)
      return;
    char* const destination = buffer_->records() + begin;
    for (std::uint64_t i = 0; i < sizeof(record); ++i)
      destination[i] = fits ? static_cast<char>(record.bits >> (8 * i)) : 0;
    if (fits)
      for (std::uint64_t i = sizeof(record); i < length; ++i)
        destination[i] = text_[i - sizeof(record)];
  }

  [[gnu::cold]] void put(const char* text, int spaces, int length) noexcept {
    for (int i = -spaces; i < length; ++i) {
      if (used_ == CAPACITY)
        send(false);
      text_[used_++] = i < 0 ? ' ' : text[i];
    }
  }

  const stream& stream_;
  falx::stream_buffer* buffer_;
  stream_writer writer_;
  stream_format format_;
  int used_ = 0;
  char text_[CAPACITY];
};

} // namespace detail
} // namespace sycl
