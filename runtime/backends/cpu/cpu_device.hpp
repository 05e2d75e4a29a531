// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "backends/partitioning.hpp"
#include "cpu_executor.hpp"
#include "cpu_target.hpp"
#include "diagnostics/environment.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace falx {

/// The CPU that the program runs on. What it is, is in cpu_description.hpp, loading of kernels in
/// cpu_kernel.hpp. Commands go down: in order through cpu_strand.hpp, to cpu_work.hpp, which cuts them into
/// cpu_chunks.hpp, which are jobs of cpu_executor.hpp.
///
/// A part of the CPU is a device of the same kind with fewer processors, to which its threads keep.
class cpu_device final : public backend_device, private partitioning {
public:
  cpu_device();

  const device_description& description() const noexcept override { return description_; }
  std::uint32_t clock_frequency() const override;
  std::string_view jit_target() const noexcept override { return "cpu"; }
  std::string_view jit_cpu() const noexcept override { return target_.name; }
  std::string_view jit_host() const noexcept override { return host_; }
  std::span<const jit::shared_library> jit_libraries() const override;
  unsigned suitability(const compiled_target& code) const override;
  /// Sub-groups of the default size where the kernel demands none. Only vectors repay versions of a kernel
  /// for what is known about the launch's indices.
  void specialize(const launch_geometry& geometry, jit::configuration& configuration) const noexcept override;

  bool compiles_ahead() const noexcept override { return true; }
  bool has_quick_code() const noexcept override { return true; }

  /// All kinds of USM are the same memory. Blocks of a huge page or more are backed by huge pages.
  void* allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) override;
  void free(usm_kind kind, void* pointer) noexcept override;

  /// Has faults in kernels reported.
  void prepare_for_kernels() override;
  bool loads_files() const noexcept override { return true; }
  std::unique_ptr<loaded_kernel> load(const kernel_binary& binary, const kernel_names& names) override;

  std::size_t most_groups_at_once(loaded_kernel&, const launch_geometry&, std::size_t) override {
    return executor_.thread_count();
  }
  void enqueue(command_view& self, const operation& work,
               std::span<const handle<command_view>> after) override;
  bool can_order_after(const command_view& other) const noexcept override;
  /// Parts of the CPU have one memory.
  bool copies_directly(const backend_device& other) const noexcept override;
  partitioning* parts() noexcept override { return this; }

private:
  /// A part of \p whole. Throws as cpu_executor does.
  cpu_device(cpu_device& whole, const processor_list& processors);

  const processor_list& processors() const noexcept override { return processors_; }
  std::vector<processor_list> sharers(memory_level level) const override;
  backend_device& part(const processor_list& processors) override;

  /// Itself if this is no part.
  cpu_device& whole_;
  const processor_list processors_;
  const cpu_target target_ = the_environment().cpu;
  device_description description_;
  std::string host_;
  /// Never destroyed.
  cpu_executor& executor_;
  std::mutex parts_mutex_;
  /// Of the whole: all parts.
  std::map<processor_list, std::unique_ptr<cpu_device>> parts_;
};

/// Never null: there is always a CPU.
std::unique_ptr<backend> make_cpu_backend();

} // namespace falx
