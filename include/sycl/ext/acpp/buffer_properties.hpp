// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/property_list.hpp"
#include "sycl/range.hpp"

#include <type_traits>

/// \file
/// AdaptiveCpp's properties of buffers: ACPP_EXT_EXPLICIT_BUFFER_POLICIES and ACPP_EXT_BUFFER_PAGE_SIZE.

namespace sycl {

namespace detail {

/// A property that is on or off.
class buffer_policy : public property_base {
public:
  explicit constexpr buffer_policy(bool toggle) noexcept : is_on_(toggle) {}
  constexpr bool is_on() const noexcept { return is_on_; }

private:
  bool is_on_;
};

} // namespace detail

namespace property::buffer {

/// On: the buffer works in the memory that it is given, which has no other user while the buffer lives. Off:
/// it copies the contents in its constructor, and the memory is free for other use.
struct AdaptiveCpp_buffer_uses_external_storage : detail::buffer_policy {
  AdaptiveCpp_buffer_uses_external_storage(bool toggle) noexcept : buffer_policy(toggle) {}
};

/// On: contents go to the memory that the buffer was given when it is destroyed. Off: they do not. Without
/// memory there is nothing to write to: on is errc::invalid in the constructor.
struct AdaptiveCpp_buffer_writes_back : detail::buffer_policy {
  AdaptiveCpp_buffer_writes_back(bool toggle) noexcept : buffer_policy(toggle) {}
};

/// On: the destructor waits for all commands that use the buffer. Off: it does not, and contents are written
/// back later, if they are.
struct AdaptiveCpp_buffer_destructor_blocks : detail::buffer_policy {
  AdaptiveCpp_buffer_destructor_blocks(bool toggle) noexcept : buffer_policy(toggle) {}
};

/// Commands whose accessors reach no common page, a box of this many elements, are independent of each other.
/// Without the property all accesses of a (sub-)buffer are ordered, as SYCL 2020 §4.7.6.8 has it. An extent
/// of 0 is errc::invalid in the buffer's constructor.
template <int Dim>
class AdaptiveCpp_page_size : public detail::property_base {
public:
  AdaptiveCpp_page_size(const range<Dim>& page_size) noexcept : page_size_(page_size) {}
  range<Dim> get_page_size() const noexcept { return page_size_; }

private:
  range<Dim> page_size_;
};

/// Older names of the same.
using hipSYCL_buffer_uses_external_storage = AdaptiveCpp_buffer_uses_external_storage;
using hipSYCL_buffer_writes_back = AdaptiveCpp_buffer_writes_back;
using hipSYCL_buffer_destructor_blocks = AdaptiveCpp_buffer_destructor_blocks;
template <int Dim>
using hipSYCL_page_size = AdaptiveCpp_page_size<Dim>;

} // namespace property::buffer

template <typename T, int D, typename A>
struct is_property_of<property::buffer::AdaptiveCpp_buffer_uses_external_storage, buffer<T, D, A>>
    : std::true_type {};
template <typename T, int D, typename A>
struct is_property_of<property::buffer::AdaptiveCpp_buffer_writes_back, buffer<T, D, A>> : std::true_type {};
template <typename T, int D, typename A>
struct is_property_of<property::buffer::AdaptiveCpp_buffer_destructor_blocks, buffer<T, D, A>>
    : std::true_type {};
template <typename T, int D, typename A>
struct is_property_of<property::buffer::AdaptiveCpp_page_size<D>, buffer<T, D, A>> : std::true_type {};

} // namespace sycl
