// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/command_group.hpp"
#include "falx/interop.hpp"
#include "falx/queue.hpp"
#include "sycl/access.hpp"
#include "sycl/backend.hpp"
#include "sycl/context.hpp"
#include "sycl/detail/accessor_core.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/detail/image_declarations.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/device.hpp"
#include "sycl/queue.hpp"

#include <type_traits>

namespace sycl {

/// Gives a host task or a native command the native objects behind the command group's SYCL objects (SYCL
/// 2020 §4.10.2). Every get_native_* throws errc::backend_mismatch if \p Backend is not the queue's backend,
/// and errc::feature_not_supported if that backend has no such objects: the CPU's has memory alone. May be
/// used, and copied, only until the callable that got it returns.
class interop_handle {
public:
  interop_handle() = delete;

  backend get_backend() const noexcept { return queue_.get_backend(); }

  /// The buffer's memory on the queue's device. Throws errc::invalid if the command group does not have the
  /// accessor.
  template <
      backend Backend, typename DataT, int Dims, access_mode AccessMode, target AccessTarget,
      access::placeholder IsPlaceholder,
      std::enable_if_t<AccessTarget == target::device || AccessTarget == target::constant_buffer, int> = 0>
  backend_return_t<Backend, buffer<DataT, Dims>>
  get_native_mem(const accessor<DataT, Dims, AccessMode, AccessTarget, IsPlaceholder>& bufferAccessor) const {
    return memory_of<Backend, buffer<DataT, Dims>>(bufferAccessor);
  }
  /// The image's pixels on the queue's device, with the pitches of get_pitch(). Throws errc::invalid if the
  /// command group does not have the accessor.
  template <backend Backend, typename DataT, int Dims, access_mode AccessMode>
  backend_return_t<Backend, unsampled_image<Dims>> get_native_mem(
      const unsampled_image_accessor<DataT, Dims, AccessMode, image_target::device>& imageAccessor) const {
    return memory_of<Backend, unsampled_image<Dims>>(imageAccessor);
  }
  template <backend Backend, typename DataT, int Dims>
  backend_return_t<Backend, sampled_image<Dims>>
  get_native_mem(const sampled_image_accessor<DataT, Dims, image_target::device>& imageAccessor) const {
    return memory_of<Backend, sampled_image<Dims>>(imageAccessor);
  }

  /// What a host task puts there, Falx waits for when the task returns. What a native command puts there,
  /// becomes the command.
  template <backend Backend>
  backend_return_t<Backend, queue> get_native_queue() const {
    detail::check_backend(get_backend(), Backend);
    return detail::native_interop<Backend, queue>::from(falx::native_queue(*scope_));
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
  explicit interop_handle(const falx::interop_scope* scope)
      : scope_(scope), queue_(detail::internals::make<queue>(
                           falx::handle<falx::queue_state>::share(&falx::queue_of(*scope)))) {}

  template <backend Backend, class Memory, class Accessor>
  backend_return_t<Backend, Memory> memory_of(const Accessor& accessor) const {
    detail::check_backend(get_backend(), Backend);
    return detail::native_interop<Backend, Memory>::from(
        falx::native_memory(*scope_, detail::full_core(detail::internals::state(accessor))));
  }

  const falx::interop_scope* scope_;
  queue queue_;
};

namespace detail {

/// Packs the callable of a host task or a native command for the runtime, which calls destroy once.
template <class Callable>
falx::host_task_callable pack_host_task(Callable&& callable) {
  using function = std::decay_t<Callable>;
  constexpr bool takes_reference = std::is_invocable_v<function&, interop_handle&>;
  constexpr bool takes_handle = takes_reference || std::is_invocable_v<function&, interop_handle>;
  static_assert(takes_handle || std::is_invocable_v<function&>,
                "a host task is a callable that takes no parameter, or a sycl::interop_handle");
  return {new function(static_cast<Callable&&>(callable)),
          [](void* object, [[maybe_unused]] void* interop) {
            if constexpr (takes_reference)
              (*static_cast<function*>(object))(*static_cast<interop_handle*>(interop));
            else if constexpr (takes_handle)
              (*static_cast<function*>(object))(interop_handle(*static_cast<interop_handle*>(interop)));
            else
              (*static_cast<function*>(object))();
          },
          [](void* object) { delete static_cast<function*>(object); }, takes_handle};
}

template <class Callable>
falx::host_task_callable pack_native_command(Callable&& callable) {
  using function = std::decay_t<Callable>;
  static_assert(std::is_invocable_v<function&, interop_handle&> ||
                    std::is_invocable_v<function&, interop_handle>,
                "a native command is a callable that takes a sycl::interop_handle");
  return pack_host_task(static_cast<Callable&&>(callable));
}

} // namespace detail

} // namespace sycl
