// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_placeholders.hpp"

#include "sycl/exception.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace falx {

namespace {

struct entry {
  buffer_state* buffer;
  access_request request;
};
struct placeholder_table {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, entry> entries;
};

/// Never destroyed: buffers may be destroyed after it would have been.
placeholder_table& table() {
  static placeholder_table* const instance = std::make_unique<placeholder_table>().release();
  return *instance;
}

} // namespace

std::uint64_t new_requirement_number() noexcept {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t insert_placeholder(buffer_state& buffer, const access_request& request) {
  const std::uint64_t id =
      new_requirement_number() | PLACEHOLDER_REQUIREMENT | (request.discards ? NO_INIT_REQUIREMENT : 0);
  const std::lock_guard lock(table().mutex);
  table().entries.emplace(id, entry{&buffer, request});
  return id;
}

placeholder find_placeholder(std::uint64_t id) {
  if ((id & PLACEHOLDER_REQUIREMENT) == 0)
    throw sycl::exception(make_error_code(sycl::errc::invalid),
                          "automatic_require: the accessor is no placeholder; construct it from a buffer, "
                          "without a handler");
  const std::lock_guard lock(table().mutex);
  const auto found = table().entries.find(id);
  if (found == table().entries.end())
    throw sycl::exception(make_error_code(sycl::errc::invalid),
                          "sycl::handler::require: the placeholder accessor's buffer has been destroyed");
  return {handle<buffer_state>::share(found->second.buffer), found->second.request};
}

void erase_placeholders(const std::vector<std::uint64_t>& ids) noexcept {
  if (ids.empty())
    return;
  const std::lock_guard lock(table().mutex);
  for (const std::uint64_t id : ids)
    table().entries.erase(id);
}

} // namespace falx
