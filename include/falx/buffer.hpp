// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "falx/kernel.hpp"
#include "falx/user_object.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Buffers below the templates: bytes in boxes.

namespace falx {

/// Storage and dependency tracking of a sycl::buffer; sub-buffers share their parent's. Commands that use the
/// buffer keep it alive.
class buffer_state;
/// What the values of one sycl::buffer share, sub-buffers and reinterpretations among them: when the last of
/// them goes, the destruction rules of SYCL 2020 §4.7.2.4 apply.
class buffer_owner;
/// A host accessor's hold on a buffer.
class host_access;
/// The command group under construction behind a sycl::handler.
class command_group;
class context_state;
class device_state;
class queue_state;

void retain(buffer_state*) noexcept;
void release(buffer_state*) noexcept;
void retain(buffer_owner*) noexcept;
/// Blocks where the specification says that a buffer's destructor does.
void release(buffer_owner*) noexcept;
void retain(host_access*) noexcept;
/// The last release lets commands go on that conflict with the access.
void release(host_access*) noexcept;

struct host_allocator_functions {
  void (*destroy)(void* self) noexcept;
  void* (*allocate)(void* self, std::size_t bytes);
  void (*deallocate)(void* self, void* memory, std::size_t bytes) noexcept;
};
/// A user's allocator without its type. Used by one thread at a time.
using host_allocator = user_object<host_allocator_functions>;

struct final_destination_functions {
  void (*destroy)(void* self) noexcept;
  /// False if the destination no longer exists (an expired weak_ptr).
  bool (*exists)(const void* self) noexcept;
  /// \p elements are the buffer's, in row-major order.
  void (*write)(void* self, const void* elements);
};
/// Where a buffer's contents go when it is destroyed (buffer::set_final_data).
using final_destination = user_object<final_destination_functions>;

struct data_owner_functions {
  void (*destroy)(void* self) noexcept;
  /// Whether the memory has other owners, too.
  bool (*is_shared)(const void* self) noexcept;
};
/// What keeps memory alive that a buffer is made of.
using data_owner = user_object<data_owner_functions>;

/// What a buffer starts with.
enum class host_data : unsigned char {
  /// Contents are not initialised.
  none,
  /// The memory is the buffer's home and has no other user.
  owned,
  /// Contents come from memory that Falx must not change, and that outlives the buffer.
  read_only,
  /// The memory is the buffer's home and shows its contents once it is destroyed.
  writable,
  /// As writable, and another owner cares for the contents only while they share the memory's ownership.
  shared,
};

/// The memory of a buffer on one device.
struct buffer_allocation {
  /// Start of the whole buffer, not of a sub-buffer.
  void* pointer = nullptr;
  device_state* device = nullptr;
  /// The buffer frees it.
  bool is_owned = false;
  /// Of memory that a buffer is to be made on: it has the contents.
  bool is_current = false;
};

/// Something that SYCL settles, unless the user says otherwise.
enum class policy : unsigned char { as_specified, on, off };

/// A buffer to be made.
struct buffer_description {
  /// Elements by axis, x fastest.
  extent3 range{1, 1, 1};
  std::size_t element_size = 1;
  std::size_t element_alignment = 1;
  host_data initial = host_data::none;
  void* data = nullptr;
  /// Keeps \p data alive, for host_data::shared and for copies that the constructor made.
  falx::data_owner data_owner;
  /// Elements are const, so that no access writes.
  bool is_constant = false;
  /// property::buffer::use_host_ptr.
  bool use_host_pointer = false;
  /// std::mutex of property::buffer::use_mutex, locked while commands use the buffer, if there is \p data,
  /// and while the destructor writes.
  void* mutex = nullptr;
  /// property::buffer::context_bound; null if any context may use the buffer.
  context_state* context = nullptr;
  /// Null: Falx chooses where temporary host memory comes from.
  host_allocator allocator;

  /// AdaptiveCpp's: whether \c data gets the contents in the end, and whether the destructor waits.
  policy writes_back = policy::as_specified;
  policy destructor_blocks = policy::as_specified;
  /// Elements of the boxes that accesses are ordered by; 0 if by the whole (sub-)buffer.
  extent3 page{0, 0, 0};
  /// USM that the buffer lives in; make_buffer reads it.
  const buffer_allocation* allocations = nullptr;
  std::size_t allocation_count = 0;
};

handle<buffer_owner> make_buffer(buffer_description&& description);
buffer_state& state_of(buffer_owner& owner) noexcept;
/// Without a destination contents go nowhere.
void set_final_destination(buffer_owner& owner, final_destination&& destination);
void set_write_back(buffer_owner& owner, bool flag);
/// The queue that what is written back without blocking belongs to, so that the user can wait for it.
void set_write_back_queue(buffer_owner& owner, queue_state& queue);

/// Calls \p visit for the buffer's memory on each device that it has some for. The user may treat it as USM
/// from here on. A device that works in the host's memory stands for all of them. \p visit may use the
/// buffer.
void visit_allocations(buffer_state& buffer, void (*visit)(void* data, const buffer_allocation& each),
                       void* data);
/// True if \p device uses the allocation: its own, or the host's.
bool is_allocation_of(const buffer_allocation& allocation, const device_state& device) noexcept;
/// Says who frees an allocation: the buffer at its end, or the user with sycl::free. Throws errc::invalid if
/// the buffer has none that begins there, and for memory that is to be owned but is not USM.
void set_owned(buffer_state& buffer, const void* pointer, bool is_owned);

/// Throws errc::invalid unless the box lies in the parent and its elements are contiguous there.
void check_sub_buffer(const extent3& parent, const extent3& offset, const extent3& range);

/// What an accessor wants of a buffer.
struct access_request {
  bool reads = true;
  bool writes = true;
  /// property::no_init: previous contents need not be kept.
  bool discards = false;
  /// target::host_task: the data must be in host memory.
  bool on_host = false;
  /// Size of the whole (sub-)buffer and the accessed box in elements, x fastest.
  extent3 buffer_range{1, 1, 1};
  extent3 offset{0, 0, 0};
  extent3 range{1, 1, 1};
  std::size_t element_size = 1;
  /// Where the sub-buffer starts in its parent, in bytes.
  std::size_t base = 0;
};

/// Bits of accessor_core::requirement that carry what the accessor was constructed with; the rest is a
/// number.
constexpr std::uint64_t PLACEHOLDER_REQUIREMENT = std::uint64_t{1} << 63;
constexpr std::uint64_t NO_INIT_REQUIREMENT = std::uint64_t{1} << 62;

/// Adds a requirement to the command group and tells where the data will be when the command runs. Allocates
/// on the command group's device if need be; moves nothing yet. Throws errc::invalid if the box is not in the
/// buffer, if the access discards without writing, or if the buffer is bound to another context.
accessor_core require(command_group& group, buffer_state& buffer, const access_request& request);

/// An accessor that no command group has required yet: it has an identity, and no data unless that is in host
/// memory. Throws as require does.
accessor_core make_placeholder(buffer_state& buffer, const access_request& request);
/// handler::require: the command group's launch gives placeholders with this id their pointer. Others have
/// their requirement, or need none. Throws errc::invalid if the buffer is gone.
void require_placeholder(command_group& group, std::uint64_t id);

/// Waits until host memory holds what the request reads and no command uses it in a conflicting way; until
/// the result is released, later commands that conflict wait. Throws if the data cannot be brought.
handle<host_access> begin_host_access(buffer_state& buffer, const access_request& request);
/// First element of the (sub-)buffer in host memory.
void* data_of(const host_access& access) noexcept;

} // namespace falx
