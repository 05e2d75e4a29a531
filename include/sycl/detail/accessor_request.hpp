// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "sycl/detail/accessor_core.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/detail/accessor_geometry.hpp"
#include "sycl/detail/internals.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// From the arguments of an accessor's constructor to a request that the runtime understands. Host code only.

namespace sycl::detail {

falx::command_group& command_group_of(handler& group) noexcept;

/// What names an accessor's requirement to the runtime.
template <class Accessor>
std::uint64_t requirement_of(const Accessor& accessor) noexcept {
  return full_core(internals::state(accessor)).requirement;
}

/// Lets accessors see what a buffer holds besides its state.
struct buffer_parts {
  template <class T, int D, class A>
  static falx::buffer_state& state(const buffer<T, D, A>& b) noexcept {
    return falx::state_of(*internals::state(b));
  }
  template <class T, int D, class A>
  static std::size_t base(const buffer<T, D, A>& b) noexcept {
    return b.base_;
  }
};

template <access_mode Mode, target Target, class T, int D, class A>
falx::access_request make_access_request(const buffer<T, D, A>& b, const range<D>& accessed,
                                         const id<D>& offset, const property_list& properties) {
  falx::access_request request;
  request.reads = mode_reads(Mode);
  request.writes = mode_writes(Mode);
  request.discards = mode_discards(Mode) || properties.has_property<property::no_init>();
  request.on_host = Target == target::host_task || Target == target::host_buffer;
  request.buffer_range = extent_of(b.get_range());
  request.offset = offset_of(offset);
  request.range = extent_of(accessed);
  request.element_size = sizeof(T);
  request.base = buffer_parts::base(b);
  return request;
}

/// get_property of accessors, which keep of their property_list whether it had no_init.
template <class Property>
Property accessor_property(bool has_no_init) {
  return (has_no_init ? property_list(no_init) : property_list()).template get_property<Property>();
}

/// The range of an accessor that was given none: the whole buffer, or its first element if the accessor has
/// no dimensions.
template <int AccessorDimensions, class T, int D, class A>
range<D> default_access_range(const buffer<T, D, A>& b) {
  if constexpr (AccessorDimensions == 0)
    return range<1>(b.get_range()[0] == 0 ? 0 : 1);
  else
    return b.get_range();
}

/// \p group null makes a placeholder.
template <access_mode Mode, target Target, class T, int D, class A>
falx::accessor_core bind_accessor(const buffer<T, D, A>& b, handler* group, const range<D>& accessed,
                                  const id<D>& offset, const property_list& properties) {
  const falx::access_request request = make_access_request<Mode, Target>(b, accessed, offset, properties);
  falx::buffer_state& state = buffer_parts::state(b);
  return group == nullptr ? falx::make_placeholder(state, request)
                          : falx::require(command_group_of(*group), state, request);
}

} // namespace sycl::detail
