// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "adaptivity/launch_plans.hpp"
#include "backends/backend.hpp"
#include "command.hpp"
#include "device_choice.hpp"
#include "falx/buffer.hpp"
#include "falx/command_group.hpp"
#include "falx/completion.hpp"
#include "falx/dynamic_functions.hpp"
#include "falx/handle.hpp"
#include "falx/kernel_bundle.hpp"
#include "falx/local_memory.hpp"
#include "image/device_image.hpp"
#include "kernels/specialization_constants.hpp"
#include "queue_state.hpp"
#include "sycl/property_list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace falx {

class device_state;
class interop_callable;
class kernel_state;
struct interop_memory;
class loaded_kernel;
struct device_global_part;
struct kernel_operation;

/// What is required of a buffer on behalf of one accessor.
struct requirement {
  handle<buffer_state> buffer;
  access_request request;
  /// Value of accessor_core::requirement; unique in the process.
  std::uint64_t id = 0;
  /// Where the first element of the (sub-)buffer lives on the command group's device; null until bind.
  void* data = nullptr;

  /// Allocates on the device, if need be, and finds out where. Throws errc::invalid if the buffer may not be
  /// used there.
  void bind(device_state& device);
};

/// Registers \p self as a user of every requirement, all at once (two command groups over the same buffers
/// cannot deadlock or interleave), and appends the commands that must finish first to \p dependencies: exact,
/// so readers do not wait for readers, and accesses to disjoint regions do not wait for each other. Submits
/// the transfers that bring the regions to \p device, if any. Implemented beside the buffers.
void acquire_requirements(std::span<const requirement> requirements, command& self, device_state& device,
                          std::vector<handle<command>>& dependencies);

/// Collects what a command group function requires, and then becomes a command. Used by one thread.
class command_group {
public:
  explicit command_group(queue_state& queue);
  /// A command group that was not submitted runs its completion actions, which own memory.
  ~command_group();
  command_group(const command_group&) = delete;
  command_group& operator=(const command_group&) = delete;

  /// The queue that the user submits to.
  queue_state& queue() const noexcept { return queue_; }
  /// Where the command will run. On a queue over several devices, the first query has the device chosen,
  /// by what is known of the command then: so there is no query without need before submit.
  device_state& device();
  /// False while no device is chosen.
  bool is_placed() const noexcept { return place_ != nullptr; }
  command& self() const noexcept { return *command_; }

  std::vector<requirement>& requirements() noexcept { return requirements_; }
  void add_requirement(requirement wanted) { requirements_.push_back(std::move(wanted)); }
  void add_dependency(handle<command> dependency) {
    dependencies_.push_back(command::meant(std::move(dependency)));
  }
  std::size_t reserve_local_memory(std::size_t bytes, std::size_t alignment);

  void set_kernel(const kernel_launch& launch);
  void set_kernel_argument(int index, const void* bytes, std::size_t size);
  void set_function_kernel(kernel_bundle_state& bundle, const kernel_name* kernel,
                           const launch_geometry& geometry, const char* function);
  extent3 choose_group(const launch_geometry& geometry);
  /// The groups of the kernel that follows wait for each other.
  void set_meets_all_groups() noexcept { meets_all_groups_ = true; }
  void set_copy(const memory_operand& source, const memory_operand& destination);
  void set_copy_rows(const memory_rows& source, const memory_rows& destination, const char* function);
  void set_fill_rows(const memory_rows& destination, const void* pattern, const char* function);
  void set_fill(const memory_operand& destination, const void* pattern, std::size_t pattern_size);
  void set_update_host(std::uint64_t requirement);
  void set_memcpy(void* destination, const void* source, std::size_t bytes, const char* function);
  void set_fill_pointer(void* destination, const void* pattern, std::size_t pattern_size, std::size_t count,
                        const char* function);
  /// \p memory is the other side of the copy, \p to_variable its direction.
  void set_device_global_copy(const device_global_part& part, void* memory, bool to_variable,
                              const char* function);
  void set_update_device(std::uint64_t requirement);
  void set_prefetch(const void* pointer, std::size_t bytes, bool to_host);
  void set_mem_advise(const void* pointer, std::size_t bytes, int advice);
  void set_host_task(const host_task_callable& callable);
  void set_host_task_accessors(const std::size_t* offsets) noexcept { host_task_accessors_ = offsets; }
  void set_native_command(const host_task_callable& callable, const char* function);
  void set_specialization_constant(const void* id, const void* value, std::size_t bytes);
  const void* specialization_constant(const void* id) const;
  void use_kernel_bundle(kernel_bundle_state& bundle);
  /// The command does nothing but order. \p function names the SYCL function.
  void set_empty(const char* function);
  void set_barrier(barrier kind);
  /// A barrier that takes the time, whether or not the queue is profiling (sycl_ext_oneapi_profiling_tag).
  void set_profiling_tag();
  /// For the kernel that follows; null for none.
  void set_function_replacements(function_replacements* replacements) {
    functions_ = handle<function_replacements>::share(replacements);
  }

  /// The group's place and shape, from the properties that it was submitted with. Before its function runs.
  void set_properties(const sycl::property_list& properties);

  /// Makes the command and gives it to the queue. Throws what is wrong with the command group as a whole, and
  /// errc::memory_allocation if the process has too little memory for it.
  handle<command> submit();

private:
  handle<command> hand_over();
  /// \p make sets the command. Throws errc::invalid if the command group has one already,
  /// errc::memory_allocation if memory runs out; if \p make throws, it has none.
  template <class Make>
  void take_command(const char* function, Make&& make);
  void keep_kernel(const kernel_launch& launch, kernel_operation& operation);
  /// Null if the command group does not have it.
  requirement* find_requirement(std::uint64_t id) noexcept;
  /// Throws errc::invalid if the command group does not have it.
  requirement& requirement_of(std::uint64_t id);
  /// The queue for the command's device: one of queue_'s family.
  queue_state& place();
  void place_on(queue_state& place) noexcept;
  /// \p kernel has the geometry and the function object, which are as the user gave them.
  void make_kernel(const kernel_descriptor& descriptor, const kernel_operation& given, std::size_t alignment);
  template <int Dimensions>
  void prefer_groups(const sycl::property_list& properties);
  void choose_place();
  void settle();
  void resolve_operands();
  /// As the command's own, with what the kernel needs behind it.
  void store_function(const kernel_operation& given, std::size_t alignment, kernel_operation& kernel);
  /// The update of an accessor's contents where the requirement says: \p on_host or on the device.
  void set_update(const char* function, std::uint64_t requirement, bool on_host);
  loaded_kernel& find_kernel(const kernel_descriptor& kernel, const image::kernel_metadata& metadata,
                             const launch_geometry& geometry, const void* function, std::uint64_t disjoint);
  void check_no_bundle(const char* function) const;
  void bind_accessors();
  void bind_host_task_accessors();
  /// Null unless the launch is like an earlier one of its kernel, and neither has anything to choose.
  const launch_plans::plan* find_plan(kernel_state& state, const kernel_operation& given,
                                      std::uint64_t disjoint);
  bool has_choices(const kernel_state& state) const noexcept;
  /// Which of the kernel's captured pointers and accessors lead to different memory (disjoint_pointers::of).
  std::uint64_t disjoint_in(kernel_state& state, const void* function);
  /// Throws errc::nd_range if the groups of the command's kernel cannot all run at once.
  void check_groups_at_once(const kernel_operation& kernel, const std::string& name);
  /// The command's kernel passed all checks.
  void store_plan();
  std::vector<interop_memory> interop_memories() const;

  queue_state& queue_;
  /// Null until a device is chosen.
  queue_state* place_;
  handle<command> command_;
  std::vector<requirement> requirements_;
  std::vector<handle<command>> dependencies_;
  std::size_t local_memory_bytes_ = 0;
  const kernel_descriptor* kernel_ = nullptr;
  /// The command's kernel may become the plan for others.
  bool is_plan_wanted_ = false;
  bool prefers_groups_ = false;
  bool meets_all_groups_ = false;
  /// How the device was chosen; none if it was not.
  device_choice choice_;
  /// A kernel that waits for the choice of a device.
  std::optional<kernel_operation> waiting_kernel_;
  /// Its function object.
  std::shared_ptr<void> waiting_function_;
  std::size_t waiting_alignment_ = 1;
  /// And the values that it reads, which may be set anew before a device is chosen.
  std::unique_ptr<specialization_constants> waiting_constants_;
  const char* taken_by_ = nullptr;
  barrier barrier_ = barrier::none;
  bool updates_host_ = false;
  /// Of a host task or a native command, shared with the command.
  std::shared_ptr<interop_callable> callable_;
  const std::size_t* host_task_accessors_ = nullptr;
  bool accessors_are_on_host_ = false;
  /// At most one of the two; seldom either.
  std::unique_ptr<specialization_constants> constants_;
  handle<kernel_bundle_state> bundle_;
  handle<function_replacements> functions_;
  /// Arguments of a kernel object, by number.
  std::map<int, std::vector<unsigned char>> arguments_;
  /// Preferred work-group sizes of ranges with 1, 2 and 3 dimensions; 0 where there is no preference.
  std::array<extent3, 3> preferred_groups_{};
  /// The accessors behind copy_operation or fill_operation; 0 for none.
  std::uint64_t source_requirement_ = 0, destination_requirement_ = 0;
};

} // namespace falx
