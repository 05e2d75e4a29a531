// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_group.hpp"

#include "api/interop_scope.hpp"
#include "command_work.hpp"
#include "devices/device_state.hpp"
#include "falx/sizes.hpp"
#include "guarded_command.hpp"
#include "kernels/kernel_bundle_state.hpp"
#include "kernels/kernel_state.hpp"
#include "kernels/launch_check.hpp"
#include "memory/buffer_state.hpp"
#include "memory/buffer_transfers.hpp"
#include "queue_state.hpp"
#include "sycl/detail/accessor_geometry.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/acpp/command_group_properties.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace falx {
namespace {

std::size_t bytes_of(const memory_box& box) noexcept {
  return box.range.x * box.range.y * box.range.z * box.element_size;
}

/// Also that the memory can be as long as that.
void check_pointer(const void* pointer, std::size_t bytes, const char* function, const char* argument) {
  checked_bytes(function, bytes, 1);
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

/// Throws errc::invalid if the rows overlap, or if there is no memory for what is to be accessed.
memory_box box_of(const memory_rows& rows, const char* function, const char* argument) {
  if (rows.width > rows.pitch)
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format("{}: rows of {} elements do not fit into the pitch of {}, {}; give the pitch as the "
                    "distance between two rows, in elements (in bytes for memcpy2d and memset2d)",
                    function, rows.width, argument, rows.pitch));
  const bool is_empty = rows.width == 0 || rows.height == 0;
  check_pointer(rows.first,
                is_empty ? 0 : checked_bytes(function, {rows.pitch, rows.height, 1}, rows.element_size),
                function, argument);
  memory_box box;
  box.base = rows.first;
  box.array_range = {rows.pitch, rows.height, 1};
  box.range = {rows.width, rows.height, 1};
  box.element_size = rows.element_size;
  return box;
}

[[noreturn]] void throw_not_required(const std::string& user) {
  throw sycl::exception(
      sycl::errc::kernel_argument,
      fmt::format(
          "{} uses an accessor that its command group does not require; construct the "
          "accessor with the command group's handler, or call handler::require if it is a placeholder",
          user));
}

/// User memory that the operation touches.
void append_pointers(const operation& what, std::vector<const void*>& pointers) {
  if (const auto* copy = std::get_if<copy_operation>(&what))
    pointers.insert(pointers.end(), {copy->source.base, copy->destination.base});
  else if (const auto* fill = std::get_if<fill_operation>(&what))
    pointers.push_back(fill->destination.base);
  else if (const auto* prefetch = std::get_if<prefetch_operation>(&what))
    pointers.push_back(prefetch->pointer);
  else if (const auto* advise = std::get_if<advise_operation>(&what))
    pointers.push_back(advise->pointer);
}

} // namespace

command_group::command_group(queue_state& queue)
    : queue_(queue), place_(queue.family() != nullptr && queue.family()->has_choice() ? nullptr : &queue),
      command_(command::make_for(queue)) {
  for (const std::uint64_t placeholder : queue.automatic_requirements())
    require_placeholder(*this, placeholder);
}

command_group::~command_group() = default;

device_state& command_group::device() {
  return place().device();
}

void command_group::place_on(queue_state& place) noexcept {
  assert(&place.head() == &queue_.head() && "the command would go to a queue of another family");
  place_ = &place;
  command_->move_to(place);
  for (requirement& some : requirements_)
    some.data = nullptr; // where it is on the new device, settle finds out
}

queue_state& command_group::place() {
  if (place_ == nullptr) [[unlikely]]
    choose_place();
  return *place_;
}

void command_group::choose_place() {
  multi_device_queue& family = *queue_.family();
  choice_request wanted;
  wanted.since_poll = family.poll_sometimes(); // so that backlogs do not count what is done
  std::vector<handle<device_state>> able = family.devices();
  std::vector<const void*> pointers;
  if (waiting_kernel_) {
    const image::kernel_metadata& metadata = metadata_of(*kernel_);
    const launch_geometry& geometry = waiting_kernel_->geometry;
    // If none is left, the launch itself says what is wrong.
    std::erase_if(able, [&](const handle<device_state>& device) {
      return !is_able_to_run(geometry, local_memory_bytes_, metadata, device->description());
    });
    wanted.kernel = kernel_;
    wanted.work_items = geometry.global_range.x * geometry.global_range.y * geometry.global_range.z;
    // Captured pointers are not told apart from other words; what is no USM does not matter.
    const auto* const words = static_cast<const void* const*>(waiting_kernel_->function);
    pointers.assign(words, words + waiting_kernel_->function_size / sizeof(void*));
  } else {
    append_pointers(command_->work()->what, pointers);
  }
  wanted.devices = able.empty() ? family.devices() : able;
  wanted.requirements = requirements_;
  wanted.pointers = pointers;
  choice_ = choose_device(wanted);
  place_on(family.branch(*choice_.device));
}

void command_group::set_properties(const sycl::property_list& properties) {
  namespace property = sycl::property::command_group;
  if (properties.has_property<property::AdaptiveCpp_retarget>()) {
    const sycl::device target = properties.get_property<property::AdaptiveCpp_retarget>().get_device();
    multi_device_queue* const family = queue_.family();
    if (family == nullptr || !family->is_retargetable())
      throw sycl::exception(sycl::errc::invalid,
                            "queue::submit: the command group has property AdaptiveCpp_retarget, but its "
                            "queue cannot be retargeted; construct the queue with "
                            "property::queue::AdaptiveCpp_retargetable");
    place_on(family->branch(*sycl::detail::internals::state(target)));
  }
  if (properties.has_property<property::AdaptiveCpp_prefer_execution_lane>())
    command_->work()->preferred_stream = static_cast<std::uint32_t>(
        properties.get_property<property::AdaptiveCpp_prefer_execution_lane>().get_lane() %
        std::numeric_limits<std::uint32_t>::max());
  prefer_groups<1>(properties);
  prefer_groups<2>(properties);
  prefer_groups<3>(properties);
}

template <int Dimensions>
void command_group::prefer_groups(const sycl::property_list& properties) {
  using property = sycl::property::command_group::AdaptiveCpp_prefer_group_size<Dimensions>;
  if (!properties.has_property<property>())
    return;
  const sycl::range<Dimensions> size = properties.get_property<property>().get_group_size();
  const extent3 extent = sycl::detail::extent_of(size);
  if (extent.x == 0 || extent.y == 0 || extent.z == 0)
    throw sycl::exception(sycl::errc::invalid,
                          "queue::submit: property AdaptiveCpp_prefer_group_size asks for work-groups "
                          "without work-items; give it extents of at least 1");
  preferred_groups_[Dimensions - 1] = extent;
  prefers_groups_ = true;
}

std::size_t command_group::reserve_local_memory(std::size_t bytes, std::size_t alignment) {
  assert(std::has_single_bit(alignment) && "alignments are powers of two");
  // Neither can be more than LARGEST_BYTES, half of what is counted here.
  const std::size_t offset = (local_memory_bytes_ + alignment - 1) & ~(alignment - 1);
  const std::size_t end = offset + bytes;
  if (end > LARGEST_BYTES)
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format("sycl::local_accessor: {} bytes and the {} of the command group's other local accessors "
                    "are more than can be addressed; check how the sizes were computed",
                    bytes, local_memory_bytes_));
  local_memory_bytes_ = end;
  return offset;
}

/// What the runtime could not allocate for a command.
[[noreturn]] static void throw_out_of_memory(const std::string& function) {
  throw sycl::exception(sycl::errc::memory_allocation,
                        function + ": the process has too little memory for the command; raise the limit "
                                   "(ulimit -v), or free memory");
}

template <class Make>
void command_group::take_command(const char* function, Make&& make) {
  if (taken_by_ != nullptr)
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format("handler::{}: the command group has a command already, from handler::{}; "
                    "submit each command in a command group of its own",
                    function, taken_by_));
  taken_by_ = function;
  const auto leave_empty = [&] {
    // The command group function may catch it, and submit another command, or none.
    command_->work()->what = {};
    taken_by_ = nullptr;
  };
  try {
    make();
  } catch (const std::bad_alloc&) {
    leave_empty();
    throw_out_of_memory(std::string("handler::") + function);
  } catch (...) {
    leave_empty();
    throw;
  }
}

void command_group::set_empty(const char* function) {
  take_command(function, [] {});
}

namespace {

/// Of the accessor at an offset as the compiler notes them; 0 if it has none, as it was default-constructed.
std::uint64_t requirement_at(const void* function, std::size_t offset) noexcept {
  const auto* const bytes = static_cast<const unsigned char*>(function);
  if (offset % 2 == 0) {
    accessor_core core;
    std::memcpy(&core, bytes + offset, sizeof(core));
    return core.requirement & ~BOUND_REQUIREMENT;
  }
  compact_accessor_core core;
  std::memcpy(&core, bytes + offset - 1, sizeof(core));
  return core.word & ~LATE_REQUIREMENT;
}

/// As far as it is known: of commands that are not placed yet, accessors have no data.
accessed_memory memory_of(const requirement& wanted) noexcept {
  const buffer_state& buffer = *wanted.buffer;
  accessed_memory result{wanted.data, &buffer, buffer.home_bytes(), buffer.has_given_memory()};
  if (wanted.data != nullptr)
    result.memory = {static_cast<const std::byte*>(wanted.data) - wanted.request.base,
                     buffer.shape().bytes()};
  return result;
}

} // namespace

void command_group::set_kernel(const kernel_launch& launch) {
  const char* const function = launch.geometry.kind == kernel_kind::single_task  ? "single_task"
                               : launch.geometry.kind == kernel_kind::work_group ? "parallel_for_work_group"
                                                                                 : "parallel_for";
  take_command(function, [&] {
    command_->work()->image = kernel_use(*launch.kernel);
    kernel_operation operation;
    operation.geometry = launch.geometry;
    operation.function = launch.function;
    operation.function_size = launch.function_size;
    if (is_placed()) [[likely]]
      make_kernel(*launch.kernel, operation, launch.function_alignment);
    else
      keep_kernel(launch, operation);
  });
}

/// For when the device is known.
void command_group::keep_kernel(const kernel_launch& launch, kernel_operation& operation) {
  waiting_alignment_ = launch.function_alignment;
  const auto alignment = std::align_val_t(std::max<std::size_t>(launch.function_alignment, alignof(void*)));
  waiting_function_ = {::operator new(launch.function_size, alignment),
                       [alignment](void* memory) { ::operator delete(memory, alignment); }};
  std::memcpy(waiting_function_.get(), launch.function, launch.function_size);
  operation.function = waiting_function_.get();
  waiting_kernel_ = operation;
  if (constants_ != nullptr)
    waiting_constants_ = std::make_unique<specialization_constants>(*constants_);
  kernel_ = launch.kernel;
}

void command_group::make_kernel(const kernel_descriptor& descriptor, const kernel_operation& given,
                                std::size_t alignment) {
  kernel_state& state = state_of(descriptor);
  command_work& work = *command_->work();
  // Kernels of a bundle are compiled already, and groups that meet were counted, before there are pointers.
  const std::uint64_t disjoint = bundle_ || meets_all_groups_ ? 0 : disjoint_in(state, given.function);
  if (const launch_plans::plan* const plan = find_plan(state, given, disjoint);
      plan != nullptr && !state.learns(device().backend(), *plan->kernel)) [[likely]] {
    auto& kernel = work.what.emplace<kernel_operation>();
    kernel.kernel_name = plan->kernel_name;
    kernel.geometry = plan->geometry;
    kernel.kernel = plan->kernel;
    store_function(given, alignment, kernel);
    kernel_ = plan->has_accessors || local_memory_bytes_ != 0 ? &descriptor : nullptr;
    return;
  }
  const image::kernel_metadata& metadata = state.metadata();
  const device_description& description = device().description();
  kernel_ = nullptr;
  launch_geometry geometry = checked_geometry(given.geometry, metadata, description);
  prefer_group(geometry, preferred_groups_[geometry.dimensions - 1], description);
  const extent3& global = geometry.global_range;
  if (global.x == 0 || global.y == 0 || global.z == 0)
    return; // nothing to run, but the command still orders
  auto& kernel = work.what.emplace<kernel_operation>();
  kernel.kernel_name = metadata.pretty_name.c_str();
  kernel.geometry = geometry;
  kernel.kernel = &find_kernel(descriptor, metadata, geometry, given.function, disjoint);
  store_function(given, alignment, kernel);
  kernel_ = &descriptor;
  is_plan_wanted_ = !has_choices(state) && !state.learns(device().backend(), *kernel.kernel) &&
                    metadata.specialized_parts.empty() &&
                    std::memcmp(&geometry, &given.geometry, sizeof(geometry)) == 0;
}

bool command_group::has_choices(const kernel_state& state) const noexcept {
  return constants_ != nullptr || bundle_ || functions_ || prefers_groups_ || meets_all_groups_ ||
         state.learns();
}

std::uint64_t command_group::disjoint_in(kernel_state& state, const void* function) {
  const std::size_t count = state.pointers().accessors();
  std::array<accessed_memory, disjoint_pointers::MOST> accessed;
  for (std::size_t i = 0; i < count; ++i)
    if (const requirement* const found =
            find_requirement(requirement_at(function, state.metadata().accessor_offsets[i])))
      accessed[i] = memory_of(*found);
  return state.pointers().of(function, std::span(accessed).first(count));
}

const launch_plans::plan* command_group::find_plan(kernel_state& state, const kernel_operation& given,
                                                   std::uint64_t disjoint) {
  return has_choices(state) ? nullptr : state.plans().find(device().backend(), given.geometry, disjoint);
}

void command_group::store_plan() {
  const auto& kernel = std::get<kernel_operation>(command_->work()->what);
  kernel_state& state = state_of(*kernel_);
  state.plans().add({&device().backend(), kernel.geometry, kernel.kernel, kernel.kernel_name,
                     kernel.kernel->disjoint, !state.metadata().accessor_offsets.empty()});
}

/// The addresses of device globals follow the function object.
void command_group::store_function(const kernel_operation& given, std::size_t alignment,
                                   kernel_operation& kernel) {
  const std::vector<device_global_variable>& globals = kernel.kernel->device_globals;
  kernel.function_size = given.function_size;
  if (!globals.empty()) [[unlikely]]
    kernel.function_size = kernel.kernel->device_globals_offset + globals.size() * sizeof(void*);
  assert(kernel.function_size >= given.function_size && "device globals lie behind the function object");
  void* const function = command_->work()->store_function(given.function, given.function_size, alignment,
                                                          kernel.function_size - given.function_size);
  kernel.function = function;
  auto* entry = static_cast<unsigned char*>(function) + kernel.kernel->device_globals_offset;
  for (const device_global_variable& global : globals) {
    void* const memory = place().context().device_globals().find(device(), global);
    std::memcpy(entry, &memory, sizeof(memory));
    entry += sizeof(memory);
  }
}

loaded_kernel& command_group::find_kernel(const kernel_descriptor& kernel,
                                          const image::kernel_metadata& metadata,
                                          const launch_geometry& geometry, const void* function,
                                          std::uint64_t disjoint) {
  kernel_configuration configuration =
      configuration_of(metadata, geometry, device().backend(), function, functions_.get());
  configuration.disjoint = disjoint;
  const extent3& range = geometry.global_range;
  const std::uint64_t work_items = range.x * range.y * range.z;
  kernel_state& state = state_of(kernel);
  // A kernel of a bundle was made as it should be.
  if (state.learns() && !bundle_) [[unlikely]] {
    const std::optional<specialization_constants> constants =
        constants_ != nullptr ? std::optional(constants_for(kernel, *constants_, functions_.get()))
                              : std::nullopt;
    return state.load_learned(device().backend(), configuration, constants ? &*constants : nullptr, function,
                              functions_.get(), geometry);
  }
  if (constants_ == nullptr && !bundle_) [[likely]] {
    loaded_kernel& found =
        state.load(device().backend(), configuration, nullptr, function, functions_.get(), work_items);
    if (meets_all_groups_ || functions_ || !state.learns(device().backend(), found)) [[likely]]
      return found;
    return state.load_learned(device().backend(), configuration, nullptr, function, nullptr, geometry);
  }
  if (bundle_) {
    const device_image_state* image = bundle_->find(kernel.kernel);
    if (image == nullptr || !bundle_->has_device(device()))
      throw sycl::exception(
          sycl::errc::kernel_not_supported,
          fmt::format(
              "kernel '{}' is not in the kernel bundle that handler::use_kernel_bundle was given, or the "
              "bundle is not for {}; make the bundle with the kernel and the queue's device",
              metadata.pretty_name, device().description().name));
    return kernel_for(kernel, device(), configuration, &image->constants(), function, functions_.get(),
                      work_items);
  }
  const specialization_constants constants = constants_for(kernel, *constants_, functions_.get());
  return kernel_for(kernel, device(), configuration, &constants, function, functions_.get(), work_items);
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

extent3 command_group::choose_group(const launch_geometry& geometry) {
  return automatic_group(geometry, nullptr, device().description());
}

void command_group::set_copy(const memory_operand& source, const memory_operand& destination) {
  take_command("copy", [&] {
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
  });
}

void command_group::set_fill(const memory_operand& destination, const void* pattern,
                             std::size_t pattern_size) {
  take_command("fill", [&] {
    const auto* bytes = static_cast<const unsigned char*>(pattern);
    destination_requirement_ = destination.requirement;
    command_->work()->what = fill_operation{destination.box, {bytes, bytes + pattern_size}};
  });
}

void command_group::set_update(const char* function, std::uint64_t requirement, bool on_host) {
  take_command(function, [&] {
    destination_requirement_ = requirement;
    updates_host_ = on_host;
  });
}

void command_group::set_update_host(std::uint64_t requirement) {
  set_update("update_host", requirement, true);
}

void command_group::set_update_device(std::uint64_t requirement) {
  set_update("update", requirement, false);
}

void command_group::set_memcpy(void* destination, const void* source, std::size_t bytes,
                               const char* function) {
  take_command(function, [&] {
    check_pointer(destination, bytes, function, "dest");
    check_pointer(source, bytes, function, "src");
    if (bytes != 0)
      command_->work()->what = copy_operation{contiguous(source, bytes), contiguous(destination, bytes)};
  });
}

void command_group::set_fill_pointer(void* destination, const void* pattern, std::size_t pattern_size,
                                     std::size_t count, const char* function) {
  take_command(function, [&] {
    const std::size_t size = checked_bytes(function, count, pattern_size);
    check_pointer(destination, size, function, "ptr");
    const auto* bytes = static_cast<const unsigned char*>(pattern);
    if (size != 0)
      command_->work()->what = fill_operation{contiguous(destination, size), {bytes, bytes + pattern_size}};
  });
}

void command_group::set_copy_rows(const memory_rows& source, const memory_rows& destination,
                                  const char* function) {
  take_command(function, [&] {
    const memory_box from = box_of(source, function, "src"), to = box_of(destination, function, "dest");
    if (bytes_of(from) != 0)
      command_->work()->what = copy_operation{from, to};
  });
}

void command_group::set_fill_rows(const memory_rows& destination, const void* pattern, const char* function) {
  take_command(function, [&] {
    const memory_box box = box_of(destination, function, "dest");
    const auto* bytes = static_cast<const unsigned char*>(pattern);
    if (bytes_of(box) != 0)
      command_->work()->what = fill_operation{box, {bytes, bytes + destination.element_size}};
  });
}

void command_group::set_prefetch(const void* pointer, std::size_t bytes, bool to_host) {
  const char* const function = to_host ? "prefetch_host" : "prefetch";
  take_command(function, [&] {
    check_pointer(pointer, bytes, function, "ptr");
    if (bytes != 0)
      command_->work()->what = prefetch_operation{pointer, bytes, to_host};
  });
}

void command_group::set_mem_advise(const void* pointer, std::size_t bytes, int advice) {
  take_command("mem_advise", [&] {
    check_pointer(pointer, bytes, "mem_advise", "ptr");
    if (bytes != 0)
      command_->work()->what = advise_operation{pointer, bytes, advice};
  });
}

void command_group::set_host_task(const host_task_callable& callable) {
  // Owned from here on, whatever is thrown.
  callable_ = std::make_shared<interop_callable>(callable);
  take_command("host_task", [&] {
    command_->work()->what = host_operation{[callable = callable_] { callable->run_host_task(); }};
    accessors_are_on_host_ = !callable.takes_interop_handle;
  });
}

void command_group::set_native_command(const host_task_callable& callable, const char* function) {
  callable_ = std::make_shared<interop_callable>(callable);
  take_command(function, [&] {
    if (device().backend().native() != nullptr)
      command_->work()->what = native_operation{
          [callable = callable_](native_handle queue) { callable->run_native_command(queue); }};
    else
      command_->work()->what = host_operation{[callable = callable_] { callable->run_host_task(); }};
  });
}

void command_group::set_barrier(barrier kind) {
  take_command("ext_oneapi_barrier", [&] { barrier_ = kind; });
}

void command_group::set_profiling_tag() {
  take_command("submit_profiling_tag", [&] {
    barrier_ = barrier::behind_all;
    command_->measure_moment();
  });
}

requirement* command_group::find_requirement(std::uint64_t id) noexcept {
  const auto found = std::find_if(requirements_.begin(), requirements_.end(),
                                  [id](const requirement& some) { return some.id == id; });
  return found != requirements_.end() ? &*found : nullptr;
}

requirement& command_group::requirement_of(std::uint64_t id) {
  requirement* const found = find_requirement(id);
  if (found == nullptr)
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
    // update_host, update: the requirement itself brings the data there.
    access_request& request = requirement_of(destination_requirement_).request;
    request.writes = false;
    if (updates_host_) {
      request.on_host = true;
      request.discards = false;
    }
    request.reads = !request.discards;
  }
}

void command_group::check_groups_at_once(const kernel_operation& kernel, const std::string& name) {
  const extent3& global = kernel.geometry.global_range;
  const extent3& local = kernel.geometry.local_range;
  const std::size_t groups = (global.x / local.x) * (global.y / local.y) * (global.z / local.z);
  const std::size_t most =
      device().backend().most_groups_at_once(*kernel.kernel, kernel.geometry, kernel.local_memory_bytes);
  if (groups > most)
    throw sycl::exception(
        sycl::errc::nd_range,
        fmt::format("kernel '{}' cannot be launched: it has property use_root_sync and {} work-groups, but "
                    "{} runs at most {} of them at once (kernel::ext_oneapi_get_info, max_num_work_groups)",
                    name, groups, device().description().name, most));
}

void command_group::bind_accessors() {
  const image::kernel_metadata& metadata = metadata_of(*kernel_);
  auto& kernel = std::get<kernel_operation>(command_->work()->what);
  kernel.local_memory_bytes =
      checked_local_memory(local_memory_bytes_, kernel.geometry.kind, metadata, device().description());
  kernel.meets_all_groups = meets_all_groups_;
  if (meets_all_groups_) [[unlikely]]
    check_groups_at_once(kernel, metadata.pretty_name);
  // The command owns the copy, which is only constant for the backend.
  auto* const function = static_cast<unsigned char*>(const_cast<void*>(kernel.function));
  const auto data_of = [&](std::uint64_t id) {
    const requirement* const found = find_requirement(id);
    if (found == nullptr)
      throw_not_required(fmt::format("kernel '{}'", metadata.pretty_name));
    return found->data;
  };
  // Default-constructed ones, which are 0, SYCL lets be passed and forbids to use.
  for (const std::size_t offset : metadata.accessor_offsets)
    if (offset % 2 == 0) {
      accessor_core core;
      std::memcpy(&core, function + offset, sizeof(core));
      if (core.requirement == 0)
        continue;
      core.data = data_of(core.requirement & ~BOUND_REQUIREMENT);
      core.requirement |= BOUND_REQUIREMENT;
      std::memcpy(function + offset, &core, sizeof(core));
    } else {
      compact_accessor_core core;
      std::memcpy(&core, function + offset - 1, sizeof(core));
      if (core.word == 0)
        continue;
      core.word = reinterpret_cast<std::uintptr_t>(data_of(core.word & ~LATE_REQUIREMENT));
      std::memcpy(function + offset - 1, &core, sizeof(core));
    }
}

/// Placeholders for kernels are none of the callable's: it may pass them on to command groups that it
/// submits. What SYCL 2020 §4.7.6.9 leaves undefined, data of device accessors in host tasks, would be a
/// crash on GPUs, so a callable that can do nothing else with them has them on the host.
void command_group::bind_host_task_accessors() {
  if (host_task_accessors_ == nullptr)
    return;
  auto* const callable = static_cast<unsigned char*>(callable_->object());
  for (const std::size_t offset : std::span(host_task_accessors_ + 1, host_task_accessors_[0])) {
    accessor_core core;
    std::memcpy(&core, callable + offset, sizeof(core));
    requirement* const found = find_requirement(core.requirement);
    if (found == nullptr) {
      const bool is_for_host_tasks = core.data != nullptr; // of placeholders, only those have an address
      if ((core.requirement & PLACEHOLDER_REQUIREMENT) != 0 && is_for_host_tasks)
        throw_not_required("the host task");
    } else if (accessors_are_on_host_) {
      if (!found->request.on_host) {
        found->request.on_host = true;
        found->bind(device());
      }
      core.data = found->data;
      std::memcpy(callable + offset, &core, sizeof(core));
    }
  }
}

std::vector<interop_memory> command_group::interop_memories() const {
  std::vector<interop_memory> memories;
  memories.reserve(requirements_.size());
  for (const requirement& wanted : requirements_)
    memories.push_back({wanted.id, wanted.data});
  return memories;
}

/// What a queue over several devices puts off until all is known of the command.
void command_group::settle() {
  place();
  for (requirement& some : requirements_)
    if (some.data == nullptr)
      some.bind(device());
  if (waiting_kernel_) {
    constants_ = std::move(waiting_constants_);
    make_kernel(*kernel_, *waiting_kernel_, waiting_alignment_);
  }
}

handle<command> command_group::submit() {
  try {
    return hand_over();
  } catch (const std::bad_alloc&) {
    throw_out_of_memory("queue::submit");
  }
}

handle<command> command_group::hand_over() {
  if (queue_.family() != nullptr) [[unlikely]]
    settle();
  if (kernel_ != nullptr) {
    bind_accessors();
    if (is_plan_wanted_) [[unlikely]]
      store_plan();
  } else {
    resolve_operands();
  }
  bool is_guarded = false;
  if (!requirements_.empty()) {
    std::vector<handle<buffer_state>>& buffers = command_->work()->buffers;
    buffers.reserve(requirements_.size());
    for (const requirement& wanted : requirements_) {
      buffers.push_back(wanted.buffer);
      is_guarded |= wanted.buffer->user_mutex() != nullptr;
    }
  }
  if (callable_ != nullptr) {
    bind_host_task_accessors();
    // A native command runs on the native queue of the queue that it is submitted to.
    const bool is_native = std::holds_alternative<native_operation>(command_->work()->what);
    callable_->set_scope(is_guarded && is_native ? runtime_queue_of(device()) : place(), interop_memories());
  }
  if (is_guarded) [[unlikely]]
    command_ = guard(std::move(command_), place(), requirements_);
  if (choice_.device != nullptr) [[unlikely]]
    watch(command_, choice_);
  queue_.submit(command_, std::move(dependencies_), requirements_, barrier_);
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
void set_update_device(command_group& group, std::uint64_t requirement) {
  group.set_update_device(requirement);
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
  group.set_prefetch(pointer, bytes, false);
}
void set_prefetch_host(command_group& group, const void* pointer, std::size_t bytes) {
  group.set_prefetch(pointer, bytes, true);
}
void set_mem_advise(command_group& group, const void* pointer, std::size_t bytes, int advice) {
  group.set_mem_advise(pointer, bytes, advice);
}
void set_host_task(command_group& group, const host_task_callable& callable) {
  group.set_host_task(callable);
}
void set_host_task_accessors(command_group& group, const std::size_t* offsets) {
  group.set_host_task_accessors(offsets);
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
extent3 choose_group(command_group& group, const launch_geometry& geometry) {
  return group.choose_group(geometry);
}
void set_copy_rows(command_group& group, const memory_rows& source, const memory_rows& destination,
                   const char* function) {
  group.set_copy_rows(source, destination, function);
}
void set_fill_rows(command_group& group, const memory_rows& destination, const void* pattern,
                   const char* function) {
  group.set_fill_rows(destination, pattern, function);
}
void set_barrier(command_group& group) {
  group.set_barrier(barrier::behind_all);
}

void add_dependency(command_group& group, command* dependency) {
  group.add_dependency(handle<command>::share(dependency));
}

} // namespace falx
