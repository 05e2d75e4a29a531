// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/context_state.hpp"
#include "memory/buffer_placeholders.hpp"
#include "memory/buffer_state.hpp"
#include "scheduler/command_group.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <memory_resource>
#include <mutex>
#include <utility>
#include <vector>

/// \file
/// Accessors of command groups (SYCL 2020 §4.7.6.9, §3.7.1): requirements are collected while the command
/// group function runs, and taken all at once when the command is submitted.

namespace falx {

namespace {

void check_axis(const access_request& request, int dimension, std::size_t buffer, std::size_t offset,
                std::size_t range) {
  if (offset <= buffer && range <= buffer - offset)
    return;
  throw sycl::exception(
      make_error_code(sycl::errc::invalid),
      fmt::format(
          "accessor: offset {} and range {} of axis {} (counted from the fastest) exceed the buffer, which "
          "has {} elements of {} bytes there",
          offset, range, dimension, buffer, request.element_size));
}

/// SYCL 2020 §4.7.2.1, constructor of sub-buffers.
void check_alignment(const device_state& device, const access_request& request) {
  if (request.on_host || request.base % (MEM_BASE_ADDR_ALIGN_BITS / 8) == 0)
    return;
  throw sycl::exception(
      make_error_code(sycl::errc::invalid),
      fmt::format("accessor: the sub-buffer begins {} bytes into its buffer, but on '{}' it must "
                  "begin at a multiple of {} bytes (info::device::mem_base_addr_align, in bits)",
                  request.base, device.description().name, MEM_BASE_ADDR_ALIGN_BITS / 8));
}

/// property::buffer::context_bound (SYCL 2020 §4.7.2.3): the buffer's data stays on the devices of its
/// context. Other contexts with such a device may use it, as SYCL-CTS does.
void check_bound_device(const buffer_state& buffer, const device_state& device) {
  if (buffer.bound_context() == nullptr || buffer.bound_context()->contains(device))
    return;
  throw sycl::exception(
      make_error_code(sycl::errc::invalid),
      fmt::format("accessor: the buffer is bound by property::buffer::context_bound to a context "
                  "without '{}', which the command group goes to; use a queue of a device of that context",
                  device.description().name));
}

/// Where the request's (sub-)buffer begins, in the memory that \p allocate gives.
template <class Allocate>
void* first_element(const access_request& request, const Allocate& allocate) {
  void* const base = allocate_patiently(allocate);
  return base == nullptr ? nullptr : static_cast<char*>(base) + request.base;
}

/// What one requirement means for the order of commands (the access) and for what is current where.
struct planned_access {
  tracked_access access;
  buffer_state* buffer;
  std::size_t memory;
  bool keep_old;
};

void add_requirement(command_group& group, handle<buffer_state> buffer, const access_request& request,
                     std::uint64_t id, accessor_core* core) {
  requirement added{std::move(buffer), request, id, nullptr};
  if (group.is_placed())
    added.bind(group.device());
  else if (request.on_host)
    added.bind(group.queue().device()); // the host's memory is the same for all
  if (core != nullptr)
    *core = {added.data, id};
  group.add_requirement(std::move(added));
}

} // namespace

void requirement::bind(device_state& device) {
  check_bound_device(*buffer, device);
  check_alignment(device, request);
  data = first_element(request, [&] {
    const std::lock_guard lock(buffer->mutex());
    return buffer->address(buffer->memory_of(device, request.on_host));
  });
}

void check_request(const access_request& request) {
  check_axis(request, 0, request.buffer_range.x, request.offset.x, request.range.x);
  check_axis(request, 1, request.buffer_range.y, request.offset.y, request.range.y);
  check_axis(request, 2, request.buffer_range.z, request.offset.z, request.range.z);
  if (request.discards && !request.writes)
    throw sycl::exception(
        make_error_code(sycl::errc::invalid),
        "accessor: property::no_init needs an access mode that writes; read-only accessors keep "
        "the buffer's contents");
}

accessor_core require(command_group& group, buffer_state& buffer, const access_request& request) {
  check_request(request);
  accessor_core core{};
  add_requirement(group, handle<buffer_state>::share(&buffer), request,
                  new_requirement_number() | (request.discards ? NO_INIT_REQUIREMENT : 0), &core);
  return core;
}

accessor_core make_placeholder(buffer_state& buffer, const access_request& request) {
  check_request(request);
  // A host task's callable may keep accessors where no launch finds them: behind references and pointers, in
  // containers. But a buffer's host memory never moves, so such accessors know it from the start.
  void* const data = !request.on_host ? nullptr : first_element(request, [&] {
    const std::lock_guard lock(buffer.mutex());
    buffer.use_host_memory();
    return buffer.address(0);
  });
  const std::lock_guard lock(buffer.mutex());
  return {data, buffer.add_placeholder(request)};
}

void require_placeholder(command_group& group, std::uint64_t id) {
  if ((id & PLACEHOLDER_REQUIREMENT) == 0)
    return;
  placeholder found = find_placeholder(id);
  const auto& present = group.requirements();
  if (std::any_of(present.begin(), present.end(), [id](const requirement& r) { return r.id == id; }))
    return;
  add_requirement(group, std::move(found.buffer), found.request, id, nullptr);
}

void acquire_requirements(std::span<const requirement> requirements, command& self, device_state& device,
                          std::vector<handle<command>>& dependencies) {
  if (requirements.empty())
    return;
  // A few accessors cost no allocation.
  alignas(std::max_align_t) std::array<std::byte, 1024> storage;
  std::pmr::monotonic_buffer_resource memory(storage.data(), storage.size());
  // All mutexes in one order, so that two command groups cannot wait for each other.
  std::pmr::vector<buffer_state*> buffers(&memory);
  buffers.reserve(requirements.size());
  for (const requirement& r : requirements)
    buffers.push_back(r.buffer.get());
  std::sort(buffers.begin(), buffers.end());
  buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
  std::pmr::vector<kept_queue> replaced(&memory);
  std::pmr::vector<std::unique_lock<owned_mutex>> locks(&memory);
  locks.reserve(buffers.size());
  for (buffer_state* buffer : buffers)
    locks.emplace_back(buffer->mutex());

  std::pmr::vector<planned_access> planned(&memory);
  planned.reserve(requirements.size());
  for (const requirement& r : requirements) {
    const buffer_region region = r.buffer->shape().locate(r.request);
    planned.push_back({.access = {.box = r.buffer->shape().requisite(r.request),
                                  .contents = region.box,
                                  .writes = r.request.writes,
                                  .by_host = false,
                                  .user = handle<command>::share(&self)},
                       .buffer = r.buffer.get(),
                       .memory = r.buffer->memory_of(device, r.request.on_host),
                       .keep_old = !r.request.discards || !region.is_exact});
  }
  for (const planned_access& p : planned)
    p.buffer->acquire(p.access, p.memory, p.keep_old, dependencies);
  for (const planned_access& p : planned)
    if (kept_queue before = p.buffer->commit(p.access, p.memory))
      replaced.push_back(std::move(before));
}

} // namespace falx
