// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/stream.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/detail/stream_statement.hpp"
#include "sycl/detail/stream_values.hpp"
#include "sycl/property_list.hpp"

#include <cstddef>
#include <string>

namespace sycl {

class handler;

/// Text output of kernels (SYCL 2020 §4.16). What a work-item writes from one flush or endl to the next, or
/// to its end, is not mixed with the output of others. Text beyond the total buffer size is cut off; the size
/// of a work-item's buffer is no limit.
class stream : public detail::owner_ordered<stream> {
public:
  /// Throws errc::memory_allocation if there is no memory for the buffer, and errc::invalid for a size that
  /// no memory can have.
  stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, handler& group,
         const property_list& properties = {});

  std::size_t size() const noexcept { return size_; }
  /// Deprecated spelling of size.
  std::size_t get_size() const noexcept { return size_; }
  std::size_t get_work_item_buffer_size() const noexcept { return work_item_buffer_size_; }
  /// Deprecated spelling of get_work_item_buffer_size.
  std::size_t get_max_statement_size() const noexcept { return work_item_buffer_size_; }

  /// SYCL 2020 defines no properties of streams.
  template <class Property>
  bool has_property() const noexcept {
    return false;
  }
  template <class Property>
  Property get_property() const {
    return property_list().get_property<Property>();
  }

  friend bool operator==(const stream& lhs, const stream& rhs) noexcept { return lhs.buffer_ == rhs.buffer_; }
  friend bool operator!=(const stream& lhs, const stream& rhs) noexcept { return !(lhs == rhs); }

  /// Begins a statement. The specification's return type is `const stream&`, which the statement converts to.
  template <class T, std::enable_if_t<detail::is_streamable<T>, int> = 0>
  friend detail::stream_statement operator<<(const stream& os, const T& value) {
    return detail::stream_statement(os, os.buffer_, detail::stream_writer::here(), value);
  }

private:
  friend std::hash<stream>;

  falx::stream_buffer* buffer_;
  std::size_t size_;
  std::size_t work_item_buffer_size_;
};

} // namespace sycl

template <>
struct std::hash<sycl::stream> {
  std::size_t operator()(const sycl::stream& object) const noexcept {
    return std::hash<const void*>()(object.buffer_);
  }
};
