// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_group.hpp"

#include "command_work.hpp"
#include "device_state.hpp"
#include "interop_scope.hpp"
#include "kernel_bundle_state.hpp"
#include "kernel_state.hpp"
#include "launch_check.hpp"
#include "queue_state.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace falx {
namespace {

std::size_t bytes_of(const memory_box& box) noexcept {
  return box.range.x * box.range.y * box.range.z * box.element_size;
}

void check_pointer(const void* pointer, std::size_t bytes, const char* function, const char* argument) {
  if (pointer == nullptr && bytes != 0)
    throw sycl::exception(sycl::errc::invalid, fmt::format("{}: {} is null, but there are {} bytes to access",
                                                           function, argument, bytes));
}

memory_box contiguous(const void* pointer, std::size_t bytes) noexcept {
  memory_box box;
  box.base = const_cast<void*>(pointer);
  box.array_range.x = box.range.x = bytes;
  return box;
}

} // namespace

command_group::command_group(queue_state& queue) : queue_(queue), command_(command::make_for(queue)) {}

command_group::~command_group() = default;

device_state& command_group::device() const noexcept {
  return queue_.device();
}

std::size_t command_group::reserve_local_memory(std::size_t bytes, std::size_t alignment) {
  const std::size_t offset = (local_memory_bytes_ + alignment - 1) & ~(alignment - 1);
  if (offset < local_memory_bytes_ || __builtin_add_overflow(offset, bytes, &local_memory_bytes_))
    throw sycl::exception(
        sycl::errc::memory_allocation,
        fmt::format("local_accessor: {} bytes are more local memory than can be addressed", bytes));
  return offset;
}

void command_group::take_command(const char* function) {
  if (taken_by_ != nullptr)
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format("handler::{}: the command group has a command already, from handler::{}; "
                    "submit each command in a command group of its own",
                    function, taken_by_));
  taken_by_ = function;
}

void command_group::set_kernel(const kernel_launch& launch) {
  take_command(launch.geometry.kind == kernel_kind::single_task  ? "single_task"
               : launch.geometry.kind == kernel_kind::work_group ? "parallel_for_work_group"
                                                                 : "parallel_for");
  command_work& work = *command_->work();
  work.image = kernel_use(*launch.kernel);
  const image::kernel_metadata& metadata = metadata_of(*launch.kernel);
  const device_description& description = device().description();

  const launch_geometry geometry = checked_geometry(launch.geometry, metadata, description);
  const extent3& global = geometry.global_range;
  if (global.x == 0 || global.y == 0 || global.z == 0)
    return; // nothing to run, but the command still orders
  auto& kernel = work.what.emplace<kernel_operation>();
  kernel.kernel_name = metadata.pretty_name.c_str();
  kernel.geometry = geometry;
  kernel.kernel = &find_kernel(*launch.kernel, metadata, kernel.geometry, launch.function);
  store_function(launch, kernel);
  kernel_ = launch.kernel;
}

/// The addresses of device globals follow the function object.
void command_group::store_function(const kernel_launch& launch, kernel_operation& kernel) {
  const std::vector<device_global_variable>& globals = kernel.kernel->device_globals;
  kernel.function_size = launch.function_size;
  if (!globals.empty()) [[unlikely]]
    kernel.function_size = kernel.kernel->device_globals_offset + globals.size() * sizeof(void*);
  void* const function =
      command_->work()->store_function(launch.function, launch.function_size, launch.function_alignment,
                                       kernel.function_size - launch.function_size);
  kernel.function = function;
  auto* place = static_cast<unsigned char*>(function) + kernel.kernel->device_globals_offset;
  for (const device_global_variable& global : globals) {
    void* const memory = queue_.context().device_globals().find(device(), global);
    std::memcpy(place, &memory, sizeof(memory));
    place += sizeof(memory);
  }
}

loaded_kernel& command_group::find_kernel(const kernel_descriptor& kernel,
                                          const image::kernel_metadata& metadata,
                                          const launch_geometry& geometry, const void* function) {
  const jit::configuration configuration =
      configuration_of(metadata, geometry, device().backend(), function, functions_.get());
  if (constants_ == nullptr && !bundle_) [[likely]]
    return kernel_for(kernel, device(), configuration, nullptr, function, functions_.get());
  if (bundle_) {
    const device_image_state* image = bundle_->find(kernel.kernel);
    if (image == nullptr || !bundle_->has_device(device()))
      throw sycl::exception(
          sycl::errc::kernel_not_supported,
          fmt::format(
              "kernel '{}' is not in the kernel bundle that handler::use_kernel_bundle was given, or the "
              "bundle is not for {}; make the bundle with the kernel and the queue's device",
              metadata.pretty_name, device().description().name));
    return kernel_for(kernel, device(), configuration, &image->constants(), function, functions_.get());
  }
  const specialization_constants constants = constants_for(kernel, *constants_, functions_.get());
  return kernel_for(kernel, device(), configuration, &constants, function, functions_.get());
}

void command_group::check_no_bundle(const char* function) const {
  if (bundle_)
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format("handler::{}: the command group uses a kernel bundle, whose values are fixed; "
                    "set them in the bundle while it is in bundle_state::input",
                    function));
}

void command_group::set_specialization_constant(const void* id, const void* value, std::size_t bytes) {
  check_no_bundle("set_specialization_constant");
  if (constants_ == nullptr)
    constants_ = std::make_unique<specialization_constants>();
  constants_->set(id, value, bytes);
}

const void* command_group::specialization_constant(const void* id) const {
  check_no_bundle("get_specialization_constant");
  return constants_ != nullptr ? constants_->find(id) : nullptr;
}

void command_group::use_kernel_bundle(kernel_bundle_state& bundle) {
  if (bundle.context().get() != &queue_.context())
    throw sycl::exception(
        sycl::errc::invalid,
        "handler::use_kernel_bundle: the bundle's context is not the queue's; make the bundle "
        "with queue::get_context");
  if (constants_ != nullptr)
    throw sycl::exception(
        sycl::errc::invalid,
        "handler::use_kernel_bundle: handler::set_specialization_constant was called before; "
        "set the values in the bundle while it is in bundle_state::input");
  bundle_ = handle<kernel_bundle_state>::share(&bundle);
}

void command_group::set_copy(const memory_operand& source, const memory_operand& destination) {
  take_command("copy");
  const std::size_t bytes = bytes_of(source.box);
  if (bytes_of(destination.box) < bytes)
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format("copy: the destination holds {} bytes, the source {}; give the destination "
                    "at least the source's size",
                    bytes_of(destination.box), bytes));
  if (source.requirement == 0)
    check_pointer(source.box.base, bytes, "copy", "src");
  if (destination.requirement == 0)
    check_pointer(destination.box.base, bytes, "copy", "dest");
  source_requirement_ = source.requirement;
  destination_requirement_ = destination.requirement;
  command_->work()->what = copy_operation{source.box, destination.box};
}

void command_group::set_fill(const memory_operand& destination, const void* pattern,
                             std::size_t pattern_size) {
  take_command("fill");
  const auto* bytes = static_cast<const unsigned char*>(pattern);
  destination_requirement_ = destination.requirement;
  command_->work()->what = fill_operation{destination.box, {bytes, bytes + pattern_size}};
}

void command_group::set_update_host(std::uint64_t requirement) {
  take_command("update_host");
  destination_requirement_ = requirement;
}

void command_group::set_memcpy(void* destination, const void* source, std::size_t bytes,
                               const char* function) {
  take_command(function);
  check_pointer(destination, bytes, function, "dest");
  check_pointer(source, bytes, function, "src");
  if (bytes != 0)
    command_->work()->what = copy_operation{contiguous(source, bytes), contiguous(destination, bytes)};
}

void command_group::set_fill_pointer(void* destination, const void* pattern, std::size_t pattern_size,
                                     std::size_t count, const char* function) {
  take_command(function);
  std::size_t size = 0;
  if (__builtin_mul_overflow(pattern_size, count, &size))
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format("{}: {} elements of {} bytes exceed the address space", function, count, pattern_size));
  check_pointer(destination, size, function, "ptr");
  const auto* bytes = static_cast<const unsigned char*>(pattern);
  if (size != 0)
    command_->work()->what = fill_operation{contiguous(destination, size), {bytes, bytes + pattern_size}};
}

void command_group::set_prefetch(const void* pointer, std::size_t bytes) {
  take_command("prefetch");
  check_pointer(pointer, bytes, "prefetch", "ptr");
  if (bytes != 0)
    command_->work()->what = prefetch_operation{pointer, bytes};
}

void command_group::set_mem_advise(const void* pointer, std::size_t bytes, int advice) {
  take_command("mem_advise");
  check_pointer(pointer, bytes, "mem_advise", "ptr");
  if (bytes != 0)
    command_->work()->what = advise_operation{pointer, bytes, advice};
}

void command_group::set_host_task(const host_task_callable& callable) {
  // Owned from here on, whatever is thrown.
  callable_ = std::make_shared<interop_callable>(callable, queue_);
  take_command("host_task");
  command_->work()->what = host_operation{[callable = callable_] { callable->run_host_task(); }};
}

void command_group::set_native_command(const host_task_callable& callable, const char* function) {
  callable_ = std::make_shared<interop_callable>(callable, queue_);
  take_command(function);
  if (device().backend().native() != nullptr)
    command_->work()->what = native_operation{
        [callable = callable_](native_handle queue) { callable->run_native_command(queue); }};
  else
    command_->work()->what = host_operation{[callable = callable_] { callable->run_host_task(); }};
}

void command_group::set_barrier() {
  take_command("ext_oneapi_barrier");
  is_barrier_ = true;
}

const requirement& command_group::requirement_of(std::uint64_t id) const {
  const auto found = std::find_if(requirements_.begin(), requirements_.end(),
                                  [id](const requirement& some) { return some.id == id; });
  if (found == requirements_.end())
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format("{}: the accessor belongs to another command group; construct it with this "
                    "command group's handler, or call handler::require if it is a placeholder",
                    taken_by_));
  return *found;
}

void command_group::resolve_operands() {
  command_work& work = *command_->work();
  if (auto* copy = std::get_if<copy_operation>(&work.what)) {
    if (source_requirement_ != 0)
      copy->source.base = requirement_of(source_requirement_).data;
    if (destination_requirement_ != 0)
      copy->destination.base = requirement_of(destination_requirement_).data;
  } else if (auto* fill = std::get_if<fill_operation>(&work.what)) {
    if (destination_requirement_ != 0)
      fill->destination.base = requirement_of(destination_requirement_).data;
  } else if (destination_requirement_ != 0) {
    // update_host: the requirement itself brings the data there.
    access_request& request = const_cast<requirement&>(requirement_of(destination_requirement_)).request;
    request.on_host = true;
    request.reads = true;
    request.writes = request.discards = false;
  }
}

void command_group::bind_accessors() {
  const image::kernel_metadata& metadata = metadata_of(*kernel_);
  auto& kernel = std::get<kernel_operation>(command_->work()->what);
  check_local_memory(local_memory_bytes_, kernel.geometry.kind, metadata, device().description());
  kernel.local_memory_bytes = local_memory_bytes_;
  // The command owns the copy, which is only constant for the backend.
  auto* const function = static_cast<unsigned char*>(const_cast<void*>(kernel.function));
  for (const std::size_t offset : metadata.accessor_offsets) {
    accessor_core core;
    std::memcpy(&core, function + offset, sizeof(core));
    if (core.requirement == 0)
      continue; // default-constructed: SYCL lets it be passed and forbids its use
    const auto found = std::find_if(requirements_.begin(), requirements_.end(),
                                    [&](const requirement& some) { return some.id == core.requirement; });
    if (found == requirements_.end())
      throw sycl::exception(
          sycl::errc::kernel_argument,
          fmt::format(
              "kernel '{}' uses an accessor that its command group does not require; construct the "
              "accessor with the command group's handler, or call handler::require if it is a placeholder",
              metadata.pretty_name));
    core.data = found->data;
    std::memcpy(function + offset, &core, sizeof(core));
  }
}

std::vector<interop_memory> command_group::interop_memories() const {
  std::vector<interop_memory> memories;
  for (const requirement& wanted : requirements_)
    memories.push_back({wanted.id, wanted.data});
  return memories;
}

handle<command> command_group::submit() {
  if (kernel_ != nullptr)
    bind_accessors();
  else
    resolve_operands();
  if (!requirements_.empty()) {
    std::vector<handle<buffer_state>>& buffers = command_->work()->buffers;
    buffers.reserve(requirements_.size());
    if (callable_ != nullptr)
      callable_->set_memory(interop_memories());
    for (const requirement& wanted : requirements_)
      buffers.push_back(wanted.buffer);
  }
  queue_.submit(command_, std::move(dependencies_), requirements_, is_barrier_);
  return std::move(command_);
}

std::size_t reserve_local_memory(command_group& group, std::size_t bytes, std::size_t alignment) {
  return group.reserve_local_memory(bytes, alignment);
}

void add_completion_action(command_group& group, void (*action)(void*), void* data) {
  group.self().work()->completion_actions.push_back({action, data});
}

void keep_until_complete(command_group& group, void* data, void (*destroy)(void*)) {
  group.self().work()->kept_alive.push_back({destroy, data});
}

void set_kernel(command_group& group, const kernel_launch& launch) {
  group.set_kernel(launch);
}
void set_copy(command_group& group, const memory_operand& source, const memory_operand& destination) {
  group.set_copy(source, destination);
}
void set_fill(command_group& group, const memory_operand& destination, const void* pattern,
              std::size_t pattern_size) {
  group.set_fill(destination, pattern, pattern_size);
}
void set_update_host(command_group& group, std::uint64_t requirement) {
  group.set_update_host(requirement);
}
void set_memcpy(command_group& group, void* destination, const void* source, std::size_t bytes,
                const char* function) {
  group.set_memcpy(destination, source, bytes, function);
}
void set_fill_pointer(command_group& group, void* destination, const void* pattern, std::size_t pattern_size,
                      std::size_t count, const char* function) {
  group.set_fill_pointer(destination, pattern, pattern_size, count, function);
}
void set_prefetch(command_group& group, const void* pointer, std::size_t bytes) {
  group.set_prefetch(pointer, bytes);
}
void set_mem_advise(command_group& group, const void* pointer, std::size_t bytes, int advice) {
  group.set_mem_advise(pointer, bytes, advice);
}
void set_host_task(command_group& group, const host_task_callable& callable) {
  group.set_host_task(callable);
}
void set_native_command(command_group& group, const host_task_callable& callable, const char* function) {
  group.set_native_command(callable, function);
}
void set_specialization_constant(command_group& group, const void* id, const void* value, std::size_t bytes) {
  group.set_specialization_constant(id, value, bytes);
}
const void* specialization_constant(command_group& group, const void* id) {
  return group.specialization_constant(id);
}
void use_kernel_bundle(command_group& group, kernel_bundle_state& bundle) {
  group.use_kernel_bundle(bundle);
}
void set_function_replacements(command_group& group, function_replacements* replacements) {
  group.set_function_replacements(replacements);
}
void set_barrier(command_group& group) {
  group.set_barrier();
}
void add_dependency(command_group& group, command* dependency) {
  group.add_dependency(handle<command>::share(dependency));
}

} // namespace falx
