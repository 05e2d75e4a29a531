// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/command_group.hpp"
#include "falx/queue.hpp"
#include "sycl/access.hpp"
#include "sycl/backend.hpp"
#include "sycl/context.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/device.hpp"
#include "sycl/queue.hpp"

namespace sycl {

/// Gives a host task the native objects behind the command group's SYCL objects (SYCL 2020 §4.10.2). Every
/// get_native_* throws errc::backend_mismatch if \p Backend is not the queue's backend, and
/// errc::feature_not_supported on a backend without native objects, such as the CPU's.
class interop_handle {
public:
  interop_handle() = delete;

  backend get_backend() const noexcept { return queue_.get_backend(); }

  template <backend Backend, typename DataT, int Dims, access_mode AccessMode, target AccessTarget,
            access::placeholder IsPlaceholder>
  auto
  get_native_mem(const accessor<DataT, Dims, AccessMode, AccessTarget, IsPlaceholder>& bufferAccessor) const {
    detail::check_backend(get_backend(), Backend);
    return detail::native_interop<
        Backend, accessor<DataT, Dims, AccessMode, AccessTarget, IsPlaceholder>>::get(bufferAccessor);
  }

  template <backend Backend>
  backend_return_t<Backend, queue> get_native_queue() const {
    return get_native<Backend>(queue_);
  }
  template <backend Backend>
  backend_return_t<Backend, device> get_native_device() const {
    return get_native<Backend>(queue_.get_device());
  }
  template <backend Backend>
  backend_return_t<Backend, context> get_native_context() const {
    return get_native<Backend>(queue_.get_context());
  }

private:
  friend struct detail::internals;
  explicit interop_handle(falx::handle<falx::queue_state> queue_of_group)
      : queue_(
            detail::internals::make<queue>(static_cast<falx::handle<falx::queue_state>&&>(queue_of_group))) {}

  queue queue_;
};

namespace detail {

/// Packs a host task's callable for the runtime, which calls destroy once.
template <class Callable>
falx::host_task_callable pack_host_task(Callable&& callable) {
  using function = std::decay_t<Callable>;
  static_assert(std::is_invocable_v<function&> || std::is_invocable_v<function&, interop_handle>,
                "a host task is a callable that takes no parameter, or a sycl::interop_handle");
  return {new function(static_cast<Callable&&>(callable)),
          [](void* object, const void* interop) {
            if constexpr (std::is_invocable_v<function&>)
              (*static_cast<function*>(object))();
            else
              (*static_cast<function*>(object))(*static_cast<const interop_handle*>(interop));
          },
          [](void* object) { delete static_cast<function*>(object); }};
}

} // namespace detail

} // namespace sycl
