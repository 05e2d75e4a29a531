// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_work.hpp"

#include "cpu_chunks.hpp"
#include "cpu_crash_report.hpp"
#include "cpu_kernel.hpp"
#include "cpu_kernel_stack.hpp"
#include "cpu_memory_operations.hpp"
#include "cpu_worker_memory.hpp"
#include "diagnostics/environment.hpp"
#include "process/spinning.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <latch>
#include <new>
#include <optional>
#include <thread>
#include <vector>

/// \file
/// Running kernels: a launch's work-items or work-groups are cut into boxes, which threads share. What takes
/// less time than waking a thread stays on one.

namespace falx {
namespace {

/// Threads finish within the time of a chunk, but each call of the kernel and each look at what is left costs
/// some tens of nanoseconds.
constexpr double CHUNK_NANOSECONDS = 8'000;
constexpr std::size_t FEWEST_CHUNKS_PER_THREAD = 4, MOST_CHUNKS_PER_THREAD = 256;
/// So that it shows early if another form takes several times as long.
constexpr std::size_t MOST_CHUNKS_PER_THREAD_IN_TRIALS = 4096;
/// As long as nothing is known of a kernel.
constexpr std::size_t CHUNKS_PER_THREAD = 32;
/// A trial run of one chunk must not be a large part of the whole.
constexpr std::size_t SMALLEST_TRIAL = 8;
/// Chunks of a basic range end at multiples of the widest vector and of the widest sub-group.
constexpr std::size_t RANGE_GRAIN = 128;

using triple = std::array<std::uint64_t, 3>;

triple as_triple(const extent3& extent) noexcept {
  return {extent.x, extent.y, extent.z};
}
std::uint64_t product(const triple& extent) noexcept {
  return extent[0] * extent[1] * extent[2];
}

/// What running part of a launch takes.
struct launch_context {
  cpu::launch_arguments arguments;
  /// Of either form.
  worker_demand demand;
  command_view* self;
  const char* name;
  cpu_kernel_forms forms;
  /// For cpu_form_trial, if there is one.
  std::uint64_t number;
  /// The whole box, the box of one chunk, and the number of chunks by axis.
  triple range, chunk, chunks;
};
static_assert(sizeof(launch_context) <= cpu_chunks::CONTEXT_BYTES);

/// Fails the command.
void report_no_memory(const launch_context& launch) noexcept {
  const worker_demand& demand = launch.demand;
  launch.self->fail(std::make_exception_ptr(
      sycl::exception(sycl::make_error_code(sycl::errc::memory_allocation),
                      fmt::format("kernel '{}' cannot run: each thread needs {} bytes of stack for private "
                                  "variables, {} for those that live across barriers and {} of local memory, "
                                  "which the system does not give; use smaller arrays or work-groups, or a "
                                  "smaller sub-group size (they have {} work-items)",
                                  launch.name, demand.stack, demand.work_item_context, demand.local_memory,
                                  launch.forms.kernel->properties().sub_group_size))));
}

void run_box(const launch_context& launch, const cpu_loaded_kernel& form, const triple& begin,
             const triple& end) noexcept {
  assert(begin[0] < end[0] && begin[1] < end[1] && begin[2] < end[2] &&
         "a kernel function has something to do");
  assert(end[0] <= launch.range[0] && end[1] <= launch.range[1] && end[2] <= launch.range[2] &&
         "the box is not in the launch");
  cpu::worker_memory* memory = nullptr;
  try {
    memory = &worker_memory_for(launch.demand);
  } catch (const std::bad_alloc&) {
    report_no_memory(launch);
    return;
  }
  memory->launch = launch.self;
  memory->stack_top = __builtin_frame_address(0);
  const cpu::kernel_properties& properties = form.properties();
  const running_kernel running{launch.name, &properties};
  const running_kernel_scope scope(running);
  if (launch.demand.stack == 0) [[likely]]
    properties.function(&launch.arguments, begin.data(), end.data(), memory);
  else
    worker_stack().run(properties.function, launch.arguments, begin.data(), end.data(), *memory,
                       properties.has_unbounded_stack != 0);
}

bool is_on_trial(const launch_context& launch) noexcept {
  return launch.forms.trial != nullptr && launch.forms.trial->result() == cpu_form_trial::outcome::undecided;
}

/// For FALX_SIMD_REPORT.
void report_trial(const launch_context& launch) noexcept {
  const auto [kernel, other, trial] = launch.forms;
  const bool changes = trial->result() == cpu_form_trial::outcome::changes;
  const std::uint64_t (&local)[3] = launch.arguments.local_range;
  const bool has_groups = local[0] * local[1] * local[2] > 1;
  std::fprintf(stderr,
               "falx: kernel '%s' was timed as vectors of %u work-items and of %u (1: one after the other): "
               "%.1f and %.1f ns for each work-%s; it %s\n",
               launch.name, kernel->properties().sub_group_size, other->properties().sub_group_size,
               trial->unit_cost(false), trial->unit_cost(true), has_groups ? "group" : "item",
               changes ? "changes to the other form" : "stays as it is");
}

/// In one form or, as a piece of that number, in the form whose turn it is.
void run_piece(const launch_context& launch, const triple& begin, const triple& end,
               std::uint64_t piece) noexcept {
  const auto [kernel, other, trial] = launch.forms;
  if (!is_on_trial(launch)) {
    const bool changes = trial != nullptr && trial->result() == cpu_form_trial::outcome::changes;
    run_box(launch, changes ? *other : *kernel, begin, end);
    return;
  }
  const bool is_other = is_for_other_form(launch.number, piece);
  const std::uint64_t start = processor_time();
  run_box(launch, is_other ? *other : *kernel, begin, end);
  const std::uint64_t took = processor_time() - start;
  if (!trial->note(is_other, took, (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2])))
    return;
  other->learn_unit_cost(static_cast<std::uint64_t>(std::llround(trial->unit_cost(true) * 1000)), 1000);
  kernel->keep(trial->result());
  if (the_environment().reports_scalar_kernels)
    report_trial(launch);
}

/// Successive chunks run as few boxes: to the end of a row of chunks, or whole rows, or whole planes. While
/// forms are timed, each is one.
void run_chunks_of_launch(const void* context, std::size_t first, std::size_t last) noexcept {
  const auto& launch = *static_cast<const launch_context*>(context);
  while (first < last) {
    triple begin, end;
    std::uint64_t position = first, count = 1;
    const std::size_t most = is_on_trial(launch) ? 1 : last - first;
    bool is_whole = true; // all chunks of the axes before
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint64_t at = position % launch.chunks[axis];
      position /= launch.chunks[axis];
      const std::uint64_t extent = is_whole ? std::min(most / count, launch.chunks[axis] - at) : 1;
      is_whole = is_whole && extent == launch.chunks[axis];
      count *= extent;
      begin[axis] = at * launch.chunk[axis];
      end[axis] = std::min((at + extent) * launch.chunk[axis], launch.range[axis]);
    }
    run_piece(launch, begin, end, first);
    first += count;
  }
  assert(first == last && "chunks beyond the range were run");
}

/// Cuts the slowest axis first, so that a chunk is as contiguous as can be.
void cut(launch_context& launch, std::size_t wanted, std::size_t grain_of_x) noexcept {
  launch.chunk = launch.range;
  launch.chunks = {1, 1, 1};
  for (int axis = 2; axis >= 0 && wanted > 1; --axis) {
    const std::uint64_t grain = axis == 0 ? grain_of_x : 1;
    const std::uint64_t extent = launch.range[axis];
    std::uint64_t size = std::max<std::uint64_t>((extent + wanted - 1) / wanted, 1);
    size = (size + grain - 1) / grain * grain;
    launch.chunk[axis] = std::min(size, extent);
    launch.chunks[axis] = (extent + launch.chunk[axis] - 1) / launch.chunk[axis];
    wanted = (wanted + launch.chunks[axis] - 1) / launch.chunks[axis];
    assert(launch.chunks[axis] * launch.chunk[axis] >= extent &&
           (launch.chunks[axis] - 1) * launch.chunk[axis] < extent &&
           "chunks cover the launch, none is empty");
  }
}

launch_context make_context(const kernel_operation& kernel, command_view& self,
                            std::size_t threads) noexcept {
  const launch_geometry& geometry = kernel.geometry;
  const triple global = as_triple(geometry.global_range);
  const triple local = as_triple(geometry.local_range);
  const triple offset = as_triple(geometry.global_offset);
  const bool has_groups = geometry.kind == kernel_kind::nd_range || geometry.kind == kernel_kind::work_group;

  launch_context launch{};
  launch.self = &self;
  launch.arguments.function = kernel.function;
  assert((!has_groups || (product(local) != 0 && global[0] % local[0] == 0 && global[1] % local[1] == 0 &&
                          global[2] % local[2] == 0)) &&
         "launch_check lets only whole groups through");
  for (int axis = 0; axis < 3; ++axis) {
    launch.arguments.global_range[axis] = global[axis];
    launch.arguments.global_offset[axis] = offset[axis];
    launch.arguments.local_range[axis] = local[axis];
    launch.arguments.group_range[axis] = has_groups ? global[axis] / local[axis] : global[axis];
    launch.range[axis] = launch.arguments.group_range[axis];
  }
  launch.name = kernel.kernel_name;
  launch.forms =
      static_cast<const cpu_loaded_kernel&>(*kernel.kernel).for_launch_of(product(launch.range), threads);
  if (launch.forms.trial != nullptr)
    launch.number = launch.forms.trial->next_launch();
  launch.demand.local_memory = kernel.local_memory_bytes;
  const std::uint64_t group_size = has_groups ? product(local) : 1;
  for (const cpu_loaded_kernel* form : {launch.forms.kernel, launch.forms.other}) {
    if (form == nullptr)
      continue;
    const cpu::kernel_properties& properties = form->properties();
    const auto raise = [](std::size_t& to, std::size_t bytes) { to = std::max(to, bytes); };
    raise(launch.demand.group_scratch, properties.scratch_bytes_per_work_item * group_size);
    raise(launch.demand.work_item_context,
          properties.context_bytes_per_work_item * ((group_size + 63) / 64 * 64));
    raise(launch.demand.stack, form->stack_bytes());
  }
  return launch;
}

void learn_chunks(const void* context, std::uint64_t nanoseconds, std::size_t chunks) noexcept {
  const auto& launch = *static_cast<const launch_context*>(context);
  if (launch.forms.trial != nullptr)
    return; // some of them ran in another form
  launch.forms.kernel->learn_unit_cost(nanoseconds, chunks * product(launch.chunk));
}

/// Runs everything on this thread and learns what it costs. \p is_short: it is known to take less than waking
/// a thread does.
void run_alone(cpu_executor& executor, const launch_context& launch, std::uint64_t units,
               bool is_short) noexcept {
  std::optional<cpu_long_work> long_work;
  if (!is_short)
    long_work.emplace(executor);
  if (launch.forms.trial != nullptr) {
    run_piece(launch, {0, 0, 0}, launch.range, 0);
    return;
  }
  const std::uint64_t start = now();
  run_box(launch, *launch.forms.kernel, {0, 0, 0}, launch.range);
  launch.forms.kernel->learn_unit_cost(now() - start, units);
}

/// How many chunks a launch is cut into that takes \p nanoseconds on one thread, if that is known and not 0.
/// \p is_trial: while forms are timed.
std::size_t count_chunks(double nanoseconds, std::size_t threads, bool is_trial) noexcept {
  if (nanoseconds == 0)
    return threads * CHUNKS_PER_THREAD;
  const std::size_t most = is_trial ? MOST_CHUNKS_PER_THREAD_IN_TRIALS : MOST_CHUNKS_PER_THREAD;
  return static_cast<std::size_t>(std::clamp(nanoseconds / CHUNK_NANOSECONDS,
                                             static_cast<double>(threads * FEWEST_CHUNKS_PER_THREAD),
                                             static_cast<double>(threads * most)));
}

triple group_at(const launch_context& launch, std::uint64_t index) noexcept {
  return {index % launch.range[0], index / launch.range[0] % launch.range[1],
          index / (launch.range[0] * launch.range[1])};
}

/// Groups that wait for each other have a thread each. None begins before all threads are there and have
/// their memory.
void run_groups_at_once(const launch_context& launch, std::uint64_t groups) noexcept {
  std::latch all_there(static_cast<std::ptrdiff_t>(groups));
  std::atomic<bool> can_run{true};
  const auto run_group = [&](std::uint64_t index) noexcept {
    try {
      worker_memory_for(launch.demand);
    } catch (const std::bad_alloc&) {
      if (can_run.exchange(false))
        report_no_memory(launch);
    }
    all_there.arrive_and_wait();
    const triple begin = group_at(launch, index);
    if (can_run.load())
      run_box(launch, *launch.forms.kernel, begin, {begin[0] + 1, begin[1] + 1, begin[2] + 1});
  };
  std::vector<std::jthread> threads; // joined at the end
  try {
    threads.reserve(groups - 1);
    for (std::uint64_t index = 1; index < groups; ++index)
      threads.emplace_back(run_group, index);
  } catch (const std::exception& error) {
    can_run.store(false);
    all_there.count_down(static_cast<std::ptrdiff_t>(groups - threads.size()));
    launch.self->fail(std::make_exception_ptr(sycl::exception(
        sycl::make_error_code(sycl::errc::runtime),
        fmt::format("kernel '{}' cannot run: its {} work-groups wait for each other, so each needs a thread, "
                    "which the system does not give ({}); launch fewer groups",
                    launch.name, groups, error.what()))));
    return;
  }
  run_group(0);
}

bool run_kernel(cpu_executor& executor, const kernel_operation& kernel, command_view& self,
                void (*done)(command_view&) noexcept) noexcept {
  launch_context launch = make_context(kernel, self, executor.thread_count());
  const std::uint64_t units = product(launch.range);
  if (units == 0)
    return true;
  if (kernel.meets_all_groups) [[unlikely]] {
    const cpu_long_work long_work(executor);
    run_groups_at_once(launch, units);
    return true;
  }
  const bool is_range = kernel.geometry.kind == kernel_kind::range;
  const bool is_trial = launch.forms.trial != nullptr;
  const double known = launch.forms.kernel->unit_cost() * static_cast<double>(units);
  const bool is_short = known != 0 && known < SHARING_NANOSECONDS;
  const bool is_alone = executor.thread_count() == 1;
  if (is_short || units <= (is_range ? RANGE_GRAIN : 1) || (is_alone && !is_trial)) {
    run_alone(executor, launch, units, is_short);
    return true;
  }
  const cpu_long_work long_work(executor);
  const std::size_t threads = count_threads(known, executor.thread_count());
  cut(launch, count_chunks(known, threads, is_trial), is_range ? RANGE_GRAIN : 1);
  const std::size_t count = product(launch.chunks);
  std::size_t first = 0;
  if (known == 0 && count >= SMALLEST_TRIAL) {
    const std::uint64_t start = now();
    run_chunks_of_launch(&launch, 0, ++first);
    const std::uint64_t took = now() - start;
    learn_chunks(&launch, took, 1);
    if (static_cast<double>(took) * static_cast<double>(count - 1) < SHARING_NANOSECONDS) {
      run_chunks_of_launch(&launch, first, count);
      return true;
    }
  }
  return run_chunks(executor,
                    {&run_chunks_of_launch, &launch, sizeof(launch), first, count, threads, &learn_chunks},
                    self, done);
}

} // namespace

bool run_work(cpu_executor& executor, command_view& self,
              void (*done)(command_view& self) noexcept) noexcept {
  self.mark_running();
  const operation& what = self.what();
  if (const auto* kernel = std::get_if<kernel_operation>(&what))
    return run_kernel(executor, *kernel, self, done);
  if (const auto* copy = std::get_if<copy_operation>(&what))
    return run_copy(executor, *copy, self, done);
  if (const auto* fill = std::get_if<fill_operation>(&what))
    return run_fill(executor, *fill, self, done);
  return true; // a prefetch or advice: all memory is near
}

} // namespace falx
