// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/buffer.hpp"
#include "sycl/ext/acpp/buffer_allocation.hpp"
#include "sycl/ext/acpp/buffer_properties.hpp"
#include "sycl/queue.hpp"

#include <type_traits>
#include <vector>

/// \file
/// AdaptiveCpp's buffers by what they do: `sync` waits in the destructor, `async` does not; `writeback` has
/// the contents written to where they came from; a `view` works in memory that it is given, a `buffer` in its
/// own.

namespace sycl {

namespace detail {

template <class T, int Dim>
using policy_buffer = buffer<T, Dim, buffer_allocator<std::remove_const_t<T>>>;

inline property_list buffer_policies(bool uses_external_storage, bool writes_back, bool destructor_blocks) {
  namespace policy = property::buffer;
  return {policy::AdaptiveCpp_buffer_uses_external_storage(uses_external_storage),
          policy::AdaptiveCpp_buffer_writes_back(writes_back),
          policy::AdaptiveCpp_buffer_destructor_blocks(destructor_blocks)};
}

} // namespace detail

/// Own memory, not written back; the destructor waits.
template <class T, int Dim>
detail::policy_buffer<T, Dim> make_sync_buffer(range<Dim> r) {
  return detail::policy_buffer<T, Dim>(r, detail::buffer_policies(false, false, true));
}

/// The same with the contents of \p ptr, which are copied at once.
template <class T, int Dim>
detail::policy_buffer<T, Dim> make_sync_buffer(const T* ptr, range<Dim> r) {
  return detail::policy_buffer<T, Dim>(const_cast<std::remove_const_t<T>*>(ptr), r,
                                       detail::buffer_policies(false, false, true));
}

/// Own memory, not written back; the destructor does not wait.
template <class T, int Dim>
detail::policy_buffer<T, Dim> make_async_buffer(range<Dim> r) {
  return detail::policy_buffer<T, Dim>(r, detail::buffer_policies(false, false, false));
}

/// The same with the contents of \p ptr, which are copied at once.
template <class T, int Dim>
detail::policy_buffer<T, Dim> make_async_buffer(const T* ptr, range<Dim> r) {
  return detail::policy_buffer<T, Dim>(const_cast<std::remove_const_t<T>*>(ptr), r,
                                       detail::buffer_policies(false, false, false));
}

/// Works in the given memory, where the contents are when the destructor, which waits, is done.
template <class T, int Dim>
detail::policy_buffer<T, Dim> make_sync_writeback_view(T* host_view_ptr, range<Dim> r) {
  return detail::policy_buffer<T, Dim>(host_view_ptr, r, detail::buffer_policies(true, true, true));
}

/// Works in the given memory. The destructor does not wait; when \p q has been waited for after it, the
/// contents are there.
template <class T, int Dim>
detail::policy_buffer<T, Dim> make_async_writeback_view(T* host_view_ptr, range<Dim> r, const queue& q) {
  detail::policy_buffer<T, Dim> result(host_view_ptr, r, detail::buffer_policies(true, true, false));
  falx::set_write_back_queue(*detail::internals::state(result), *detail::internals::state(q));
  return result;
}

/// The same where nothing tells when the contents are there: the form with a queue is nearly always better.
template <class T, int Dim>
detail::policy_buffer<T, Dim> make_async_writeback_view(T* host_view_ptr, range<Dim> r) {
  return detail::policy_buffer<T, Dim>(host_view_ptr, r, detail::buffer_policies(true, true, false));
}

/// Works in the given memory, whose contents are not used afterwards; the destructor waits.
template <class T, int Dim>
detail::policy_buffer<T, Dim> make_sync_view(T* host_view_ptr, range<Dim> r) {
  return detail::policy_buffer<T, Dim>(host_view_ptr, r, detail::buffer_policies(true, false, true));
}

/// Works in the given memory, whose contents are not used afterwards; the destructor does not wait.
template <class T, int Dim>
detail::policy_buffer<T, Dim> make_async_view(T* host_view_ptr, range<Dim> r) {
  return detail::policy_buffer<T, Dim>(host_view_ptr, r, detail::buffer_policies(true, false, false));
}

/// On USM, not written back elsewhere; the destructor waits.
template <class T, int Dim>
detail::policy_buffer<T, Dim>
make_sync_view(const std::vector<buffer_allocation::tracked_descriptor<T>>& input_allocations, range<Dim> r) {
  return detail::policy_buffer<T, Dim>(input_allocations, r, detail::buffer_policies(true, false, true));
}

/// On USM, not written back elsewhere; the destructor does not wait.
template <class T, int Dim>
detail::policy_buffer<T, Dim>
make_async_view(const std::vector<buffer_allocation::tracked_descriptor<T>>& input_allocations,
                range<Dim> r) {
  return detail::policy_buffer<T, Dim>(input_allocations, r, detail::buffer_policies(true, false, false));
}

/// Another name of make_sync_view.
template <class T, int Dim>
detail::policy_buffer<T, Dim>
make_sync_usm_view(const std::vector<buffer_allocation::tracked_descriptor<T>>& input_allocations,
                   range<Dim> r) {
  return make_sync_view<T, Dim>(input_allocations, r);
}

/// Another name of make_async_view.
template <class T, int Dim>
detail::policy_buffer<T, Dim>
make_async_usm_view(const std::vector<buffer_allocation::tracked_descriptor<T>>& input_allocations,
                    range<Dim> r) {
  return make_async_view<T, Dim>(input_allocations, r);
}

} // namespace sycl
