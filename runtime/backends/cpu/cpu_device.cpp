// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_device.hpp"

#include "backends/narrow_indices.hpp"
#include "cpu_crash_report.hpp"
#include "cpu_description.hpp"
#include "cpu_kernel.hpp"
#include "cpu_libraries.hpp"
#include "cpu_strand.hpp"
#include "cpu_topology.hpp"
#include "cpu_work.hpp"
#include "cpu_worker_memory.hpp"
#include "diagnostics/environment.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <sys/mman.h>

namespace falx {
namespace {

constexpr std::size_t HUGE_PAGE = std::size_t{2} << 20;
/// Enough for the largest vector type (double16) and two cache lines, which CPUs fetch in pairs.
constexpr std::size_t DEFAULT_ALIGNMENT = 128;

/// A command that runs by itself; lives in its slot.
struct command_job : cpu_job {
  command_job(cpu_executor& the_executor, command_view& the_command) noexcept
      : cpu_job(&start), executor(the_executor), self(the_command) {}
  static void start(cpu_job& job) noexcept {
    const command_job& mine = static_cast<command_job&>(job);
    command_view& self = mine.self; // whose completion ends the job's life
    if (run_work(mine.executor, self, [](command_view& done) noexcept { done.complete(); }))
      self.complete();
  }
  cpu_executor& executor;
  command_view& self;
};

void run_out_of_order(cpu_executor& executor, command_view& self) noexcept {
  if (std::holds_alternative<host_operation>(self.what())) {
    self.run_host_task(
        [](command_view& done, std::exception_ptr error) noexcept { done.complete(std::move(error)); });
  } else if (std::holds_alternative<empty_operation>(self.what())) {
    self.mark_running();
    self.complete();
  } else {
    executor.post(self.slot().emplace<command_job>(executor, self));
  }
}

class cpu_backend final : public backend {
public:
  std::string_view name() const noexcept override { return "cpu"; }
  std::string_view platform_name() const noexcept override { return "Falx CPU"; }
  std::span<backend_device* const> devices() override { return devices_; }

private:
  cpu_device device_;
  backend_device* devices_[1] = {&device_};
};

} // namespace

cpu_device::cpu_device()
    : whole_(*this), processors_(sorted_by_topology(usable_processors())),
      description_(describe_cpu(target_, the_environment().sub_group_size,
                                static_cast<std::uint32_t>(processors_.size()))),
      host_(cpu_digest(target_)),
      executor_(
          *std::make_unique<cpu_executor>(description_.compute_units, &give_back_worker_memory).release()) {
  set_wait_helper(executor_);
}

cpu_device::cpu_device(cpu_device& whole, const processor_list& processors)
    : whole_(whole), processors_(processors), description_(whole.description_), host_(whole.host_),
      executor_(*std::make_unique<cpu_executor>(whole.executor_, processors).release()) {
  description_.compute_units = static_cast<std::uint32_t>(processors.size());
}

std::vector<processor_list> cpu_device::sharers(memory_level level) const {
  return processors_sharing(level, processors_);
}

backend_device& cpu_device::part(const processor_list& processors) {
  const std::lock_guard lock(whole_.parts_mutex_);
  std::unique_ptr<cpu_device>& made = whole_.parts_[processors];
  if (made == nullptr)
    made.reset(new cpu_device(whole_, processors));
  return *made;
}

void cpu_device::specialize(const launch_geometry& geometry,
                            jit::configuration& configuration) const noexcept {
  if (configuration.sub_group_size == 0) {
    configuration.sub_group_size = std::uint32_t(description_.sub_group_size);
    configuration.vectors_must_pay = the_environment().sub_group_size == 0;
  }
  if (configuration.sub_group_size <= 1)
    return;
  configuration.narrow_indices = has_narrow_indices(geometry);
  configuration.no_offset = has_no_offset(geometry);
}

std::span<const jit::shared_library> cpu_device::jit_libraries() const {
  return cpu_libraries();
}

unsigned cpu_device::suitability(const compiled_target& code) const {
  if (code.jit_target != "cpu")
    return 0;
  if (code.cpu.empty())
    return code.host == host_ ? std::numeric_limits<unsigned>::max() : 0;
  return suitability_of_cpu(code.cpu, target_);
}

std::uint32_t cpu_device::clock_frequency() const {
  return cpu_clock_frequency();
}

void* cpu_device::allocate(usm_kind, std::size_t bytes, std::size_t alignment) {
  alignment = std::max(alignment, DEFAULT_ALIGNMENT);
  const bool huge = bytes >= HUGE_PAGE;
  if (huge)
    alignment = std::max(alignment, HUGE_PAGE);
  void* block = nullptr;
  if (bytes > description_.max_allocation ||
      posix_memalign(&block, alignment, std::max<std::size_t>(bytes, 1)) != 0)
    throw sycl::exception(
        sycl::make_error_code(sycl::errc::memory_allocation),
        fmt::format("cannot allocate {} bytes (aligned to {}) on device '{}', which has {} bytes "
                    "of memory; free what is not needed or process the data in parts",
                    bytes, alignment, description_.name, description_.global_memory));
  // Only advice: without huge pages the block works as well, with more page faults.
  if (huge)
    madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
  return block;
}

void cpu_device::free(usm_kind, void* pointer) noexcept {
  std::free(pointer);
}

void cpu_device::prepare_for_kernels() {
  report_crashes();
}

std::unique_ptr<loaded_kernel> cpu_device::load(const kernel_binary& binary, const kernel_names& names) {
  return load_cpu_kernel(binary, names.pretty);
}

void cpu_device::enqueue(command_view& self, const operation&, std::span<const handle<command_view>>) {
  queue_view& queue = *self.queue();
  if (queue.is_in_order())
    cpu_strand::of(executor_, queue).push(self);
  else
    run_out_of_order(executor_, self);
}

bool cpu_device::can_order_after(const command_view&) const noexcept {
  // Nothing to win: what the host waits for here are counters, too.
  return false;
}

bool cpu_device::copies_directly(const backend_device& other) const noexcept {
  const auto* const cpu = dynamic_cast<const cpu_device*>(&other);
  return cpu != nullptr && &cpu->whole_ == &whole_;
}

std::unique_ptr<backend> make_cpu_backend() {
  return std::make_unique<cpu_backend>();
}

} // namespace falx
