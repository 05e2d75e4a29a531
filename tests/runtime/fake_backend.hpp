// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "fake_device.hpp"
#include "scheduler/command.hpp"
#include "scheduler/command_work.hpp"
#include "scheduler/queue_state.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

/// \file
/// Fake devices as the scheduler sees them: with platform, context and queues.

namespace falx::test {

/// A platform of fake devices. Lives as long as the process, as the runtime's queues for transfers do.
class fake_backend final : public fake_devices {
public:
  static fake_backend& make(std::size_t devices, const fake_behaviour& behaviour = {}) {
    return *new fake_backend(devices, behaviour);
  }

  device_state& device(std::size_t i) noexcept { return *states_[i]; }
  const handle<context_state>& context() const noexcept { return context_; }

  handle<queue_state> make_queue(std::size_t on, const sycl::property_list& properties = {},
                                 sycl::async_handler handler = {}) {
    return handle<queue_state>::adopt(new queue_state(context_, states_[on], std::move(handler), properties));
  }

private:
  fake_backend(std::size_t count, const fake_behaviour& behaviour)
      : fake_devices(count, behaviour), platform_(*new platform_state(*this)) {
    for (std::size_t i = 0; i < count; ++i)
      states_.push_back(handle<device_state>::adopt(new device_state(platform_, native(i))));
    context_ = handle<context_state>::adopt(new context_state(states_, {}, {}));
  }

  platform_state& platform_;
  std::vector<handle<device_state>> states_;
  handle<context_state> context_;
};

/// A kernel launch for \p queue that calls \p body on the device.
inline handle<command> make_launch(queue_state& queue, std::function<void()> body) {
  handle<command> self = command::make_for(queue);
  auto kernel = std::make_unique<fake_kernel>([body = std::move(body)](const void*) { body(); });
  kernel_operation operation;
  operation.kernel = kernel.get();
  operation.kernel_name = "fake";
  operation.geometry = {kernel_kind::single_task, 1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  self->work()->what = operation;
  self->work()->kept_alive.push_back(
      {[](void* data) { delete static_cast<fake_kernel*>(data); }, kernel.release()});
  return self;
}

} // namespace falx::test
