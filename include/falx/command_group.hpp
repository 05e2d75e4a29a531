// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"
#include "falx/memory.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// A command group under construction: what sycl::handler does, below the templates. A command group holds at
/// most one command; a second one is an errc::invalid (SYCL 2020 §4.9.4).

namespace falx {

class command_group;
class command;
class buffer_state;
class kernel_bundle_state;

/// The command is a kernel launch. Copies the function object.
void set_kernel(command_group& group, const kernel_launch& launch);

/// The work-group size that the runtime chooses for an nd_range whose extents have AUTOMATIC_EXTENT.
extent3 choose_group(command_group& group, const launch_geometry& geometry);

/// One side of an explicit memory operation. If \p requirement is not 0, it names the requirement of an
/// accessor, which then tells where the data is (a placeholder does not know by itself).
struct memory_operand {
  memory_box box;
  std::uint64_t requirement = 0;
};

/// The command copies one box to another. Boxes with different extents hold the same number of bytes and are
/// copied in row-major order.
void set_copy(command_group& group, const memory_operand& source, const memory_operand& destination);
/// Copies and fills of rows in memory of the user's, \p width elements of a row that begins \p pitch elements
/// behind the one before it. \p function names the SYCL function, for messages. Throw errc::invalid if the
/// width is more than a pitch, and where a pointer is null and there is something to access.
struct memory_rows {
  void* first;
  std::size_t pitch, width, height;
  std::size_t element_size;
};
void set_copy_rows(command_group& group, const memory_rows& source, const memory_rows& destination,
                   const char* function);
/// \p pattern is as large as an element.
void set_fill_rows(command_group& group, const memory_rows& destination, const void* pattern,
                   const char* function);
/// The command replicates \p pattern over the box.
void set_fill(command_group& group, const memory_operand& destination, const void* pattern,
              std::size_t pattern_size);
/// The command makes the host's copy of what the accessor reaches current (handler::update_host).
void set_update_host(command_group& group, std::uint64_t requirement);

/// The same for the queue's device (handler::update).
void set_update_device(command_group& group, std::uint64_t requirement);

/// \p function names the SYCL function, for messages.
void set_memcpy(command_group& group, void* destination, const void* source, std::size_t bytes,
                const char* function);
/// \p count elements of \p pattern_size bytes each.
void set_fill_pointer(command_group& group, void* destination, const void* pattern, std::size_t pattern_size,
                      std::size_t count, const char* function);
void set_prefetch(command_group& group, const void* pointer, std::size_t bytes);
/// To the host's memory.
void set_prefetch_host(command_group& group, const void* pointer, std::size_t bytes);
void set_mem_advise(command_group& group, const void* pointer, std::size_t bytes, int advice);

/// A host task's callable. \p invoke gets \p object and a `sycl::interop_handle*`; \p destroy frees the
/// object and is called exactly once. One that takes no interop_handle cannot name device memory, so the
/// accessors in it, those for devices too, reach their data on the host.
struct host_task_callable {
  void* object;
  void (*invoke)(void* object, void* interop_handle);
  void (*destroy)(void* object);
  bool takes_interop_handle;
};
void set_host_task(command_group& group, const host_task_callable& callable);
/// Where accessors lie in the host task's callable: how many accessor_core there are, and then their offsets.
/// Null if the compiler did not say. Of those for host tasks, the command group has to require all that are
/// placeholders, or its submission throws errc::kernel_argument.
void set_host_task_accessors(command_group& group, const std::size_t* offsets);
/// The command is what the callable puts on the native queue (native_queue of its interop_scope); on a device
/// without native objects it is a host task. \p function names the SYCL function, for messages.
void set_native_command(command_group& group, const host_task_callable& callable, const char* function);

/// Specialization constants of the command group's kernel (SYCL 2020 §4.9.5.2), by the address of their
/// specialization_id. Both throw errc::invalid if the command group uses a kernel bundle.
void set_specialization_constant(command_group& group, const void* id, const void* value, std::size_t bytes);
/// Null if it was not set.
const void* specialization_constant(command_group& group, const void* id);

/// Kernels come from the bundle. Throws errc::invalid if its context is another, or if a specialization
/// constant was set.
void use_kernel_bundle(command_group& group, kernel_bundle_state& bundle);

/// The command waits for everything that the queue was given before, and later commands wait for it.
void set_barrier(command_group& group);

void add_dependency(command_group& group, command* dependency);

/// Keeps whatever \p data is alive until the command is complete; \p destroy frees it.
void keep_until_complete(command_group& group, void* data, void (*destroy)(void*));

} // namespace falx
