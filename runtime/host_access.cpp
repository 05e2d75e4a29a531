// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_access.hpp"

#include "queue_state.hpp"

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace falx {

void retain(host_access* access) noexcept {
  access->retain_reference();
}
void release(host_access* access) noexcept {
  access->release_reference();
}
void* data_of(const host_access& access) noexcept {
  return access.data();
}

handle<host_access> begin_host_access(buffer_state& buffer, const access_request& request) {
  check_request(request);
  const buffer_region region = buffer.shape().locate(request);
  const handle<command> blocker = command::make_manual();
  std::vector<handle<command>> dependencies;
  void* data = nullptr;
  handle<host_access> result;
  allocate_patiently([&] {
    const std::lock_guard lock(buffer.mutex());
    buffer.use_host_memory();
  });
  {
    const std::lock_guard lock(buffer.mutex());
    if (void* base = buffer.address(0))
      data = static_cast<char*>(base) + request.base;
    result = handle<host_access>::adopt(new host_access(handle<buffer_state>::share(&buffer), blocker, data));
    const tracked_access access{.box = buffer.shape().requisite(request),
                                .contents = region.box,
                                .writes = request.writes,
                                .by_host = true,
                                .user = blocker};
    buffer.acquire(access, 0, !request.discards || !region.is_exact, dependencies);
    buffer.commit(access, 0);
  }
  wait_for_contents(dependencies);
  return result;
}

} // namespace falx
