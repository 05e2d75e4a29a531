// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "command_view.hpp"
#include "compiled_target.hpp"
#include "falx/kernel.hpp"
#include "falx/memory.hpp"
#include "jit/request/request.hpp"
#include "operation.hpp"
#include "texture.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What a backend offers the runtime. Everything that names a native API is behind this header; the runtime
/// holds no test for a particular backend.

namespace falx {

class native_objects;
class partitioning;

/// Facts about a device that do not change. Sizes in bytes. Feeds sycl::device::get_info.
struct device_description {
  std::string name;
  std::string vendor;
  std::string version;
  std::string driver_version;
  std::uint32_t vendor_id = 0;
  std::uint32_t architecture = 0; // falx/device_architecture.hpp
  bool is_cpu = false;
  bool is_gpu = false;
  std::uint32_t compute_units = 1;
  std::size_t max_work_item_sizes[3] = {1, 1, 1}; // x fastest first
  std::size_t max_work_group_size = 1;
  /// Of one launch over an nd_range, in all; any of its dimensions may have as many.
  std::size_t max_work_groups = 1;
  std::vector<std::size_t> sub_group_sizes;
  /// Of kernels that demand none; 0 if that is not known before a kernel is compiled.
  std::size_t sub_group_size = 0;
  std::uint64_t global_memory = 0;
  std::uint64_t local_memory = 0;
  std::uint64_t max_allocation = 0;
  std::uint64_t global_cache = 0;
  /// Of what a kernel captures; without a limit of the device's, more than anybody captures.
  std::size_t max_parameter_bytes = std::size_t{1} << 31;
  std::uint32_t cache_line = 64;
  std::uint32_t vector_bytes = 16; // natural vector register size
  bool has_fp16 = false;
  bool has_fp64 = true;
  bool has_atomic64 = true;
  /// Work-items of a group may wait at different points (sycl_ext_oneapi_cuda_async_barrier).
  bool has_async_barrier = false;
  bool unified_memory = false; // host memory is device memory
  /// Atomic operations of the device on host and on shared USM are atomic for the host as well, and the
  /// device reads and writes memory of the system's allocator.
  bool usm_atomic_host = false;
  bool usm_atomic_shared = false;
  bool usm_system = false;
  bool error_correction = false;

  /// What only some backends know (sycl_ext_intel_device_info).
  std::string pci_address; // domain:bus:device.function, or empty
  std::optional<std::array<unsigned char, 16>> uuid;
  std::optional<std::uint32_t> device_id;        // as on the PCI bus
  std::optional<std::uint32_t> memory_clock;     // in MHz
  std::optional<std::uint32_t> memory_bus_width; // in bits
  bool reports_free_memory = false;
};

/// Machine code as it came from the JIT or the cache.
struct kernel_binary {
  /// Of a file in the cache, for devices that load files. What follows the binary there does no harm.
  std::string path;
  /// The bytes, when path is empty.
  std::vector<unsigned char> bytes;
};

/// What a kernel is called.
struct kernel_names {
  std::string_view symbol; // mangled name of its entry function
  std::string_view pretty; // for messages
};

/// One device of a backend. Thread-safe.
class backend_device {
public:
  virtual ~backend_device() = default;
  virtual const device_description& description() const noexcept = 0;
  /// In MHz; 0 if unknown. Not in the description, as finding out may take longer than everything there.
  virtual std::uint32_t clock_frequency() const { return 0; }
  /// Bytes of device memory not in use now; for devices whose description reports_free_memory.
  virtual std::uint64_t free_memory() { return 0; }
  /// The JIT's target ("cpu", "ptx"), and what it gets as request::cpu, features, host, math_library and
  /// libraries: found out without LLVM, as the key of the kernel cache is made of it.
  virtual std::string_view jit_target() const noexcept = 0;
  virtual std::string_view jit_cpu() const noexcept { return {}; }
  virtual std::string_view jit_features() const noexcept { return {}; }
  virtual std::string_view jit_host() const noexcept { return {}; }
  virtual jit::identified_bytes jit_math_library() const { return {}; }
  virtual std::span<const jit::shared_library> jit_libraries() const { return {}; }
  /// How well code that was compiled ahead of time suits the device: more is better, and 0 says that the
  /// device does not run it.
  virtual unsigned suitability(const compiled_target&) const { return 0; }
  /// Adds what a launch's geometry lets the target specialise on to what every target gets (local ranges of
  /// kinds nd_range and work_group). Called on every launch: cheap.
  virtual void specialize(const launch_geometry&, jit::configuration&) const noexcept {}

  /// Whether kernels are compiled for the device before they are launched, where processors are idle: what
  /// they will be specialised on can be told before.
  virtual bool compiles_ahead() const noexcept { return false; }

  /// Whether the JIT has quick code for the device, and its kernels take better code
  /// (loaded_kernel::expect_better).
  virtual bool has_quick_code() const noexcept { return false; }

  /// The native driver's machine code for what the JIT made, if it hands it out: the runtime caches both,
  /// this one under assembler_digest() as well (the driver's version), which is empty if there is no such
  /// code. Throws sycl::exception with errc::build if the driver refuses the code.
  virtual std::string_view assembler_digest() const noexcept { return {}; }
  virtual std::vector<unsigned char> assemble(std::span<const unsigned char>, const kernel_names&) {
    return {};
  }
  /// Machine code that does the same and may be faster, as the driver chooses otherwise for it; empty if
  /// there is none. Throws like assemble.
  virtual std::vector<unsigned char> assemble_otherwise(std::span<const unsigned char>, const kernel_names&) {
    return {};
  }
  /// Code that knows what launches have in common may take the place of code that does not, if both are timed
  /// and give the same results.
  virtual bool times_learned_code() const noexcept { return false; }
  /// Of \p code, which is to take the place of \p own while the program runs; empty if the driver may give
  /// them different results, or work-items might wait for others that do not run. Throws like assemble.
  virtual std::vector<unsigned char> assemble_in_place_of(std::span<const unsigned char> /*own*/,
                                                          std::span<const unsigned char> /*code*/,
                                                          const kernel_names&) {
    return {};
  }

  /// Throws sycl::exception with errc::memory_allocation when memory runs out. \p alignment 0 means the
  /// strictest fundamental alignment (at least 128).
  virtual void* allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) = 0;
  virtual void free(usm_kind kind, void* pointer) noexcept = 0;
  /// What kernels give to __falx_texture_color to read the picture that begins at \p first, the start of what
  /// allocate gave for device memory, until that is freed. 0 if the device has no texture units for such
  /// pictures.
  virtual std::uint64_t texture(void* /*first*/, const texture_description&) { return 0; }

  /// Has \p ready, the latest that was given, called once: when kernels can be loaded without making what
  /// takes long first (a driver's context), on the thread that made it. False, for good, if there is no such
  /// moment, as kernels can be loaded at any time.
  virtual bool call_when_ready(std::function<void()> /*ready*/) { return false; }

  /// Before a kernel is compiled or loaded for the device: on any thread, more than once, seldom.
  virtual void prepare_for_kernels() {}
  /// Whether load takes paths.
  virtual bool loads_files() const noexcept { return false; }
  /// Of what the JIT made or what assemble made. Throws sycl::exception with errc::build if that is not to be
  /// had, for example as the file is gone by now.
  virtual std::unique_ptr<loaded_kernel> load(const kernel_binary& binary, const kernel_names& names) = 0;

  /// How many groups of the kernel, which is one of this device's, can wait for each other in a launch over
  /// the \p geometry's local range with so many bytes of local memory. 0 if none can run, or none can wait.
  virtual std::size_t most_groups_at_once(loaded_kernel& /*kernel*/, const launch_geometry& /*geometry*/,
                                          std::size_t /*local_memory*/) {
    return 0;
  }

  /// Starts \p work, whose host-side dependencies are complete; calls self.complete() when it is done, from
  /// any thread, possibly before returning. \p after lists commands of this backend that were handed over
  /// earlier and may not be complete: the backend orders after them natively.
  virtual void enqueue(command_view& self, const operation& work,
                       std::span<const handle<command_view>> after) = 0;
  /// Gives advice now, in order with nothing. Devices that take none do nothing.
  virtual void advise(const advise_operation&) {}
  /// Kernels will leave results for the host in this small block of shared memory: it should stay where
  /// either finds it without moving it.
  virtual void expect_results(void* /*block*/, std::size_t /*bytes*/) noexcept {}
  /// True if enqueue can order after \p other natively, so that no host-side wait is needed.
  virtual bool can_order_after(const command_view& other) const noexcept = 0;

  /// False: the runtime runs host tasks itself, ordered on the host before and after, and enqueue never gets
  /// a host_operation.
  virtual bool runs_host_operations() const noexcept { return true; }
  /// True if one copy_operation moves data between memories of this device and \p other.
  virtual bool copies_directly(const backend_device& other) const noexcept { return &other == this; }

  /// Whether kernels of this device can reach device USM of \p peer, another device of this backend: with
  /// \p atomics also at the same time as the peer's own (sycl_ext_oneapi_peer_access).
  virtual bool can_access_peer(const backend_device& /*peer*/, bool /*atomics*/) const { return false; }
  /// Makes it so, or takes it back. False if it was so already. Only where can_access_peer is true.
  virtual bool set_peer_access(backend_device& /*peer*/, bool /*enabled*/) { return false; }

  /// How the device can be divided (partitioning.hpp); null if it cannot.
  virtual partitioning* parts() noexcept { return nullptr; }

  /// The native objects behind the runtime's, for interoperability; null without a native API.
  virtual native_objects* native() noexcept { return nullptr; }

  /// Where it costs to learn that a command is done, enqueue calls self.set_completes_on_request(), at the
  /// end, when the three functions below work for it, and complete() is called only from within wait_for and
  /// poll or on a thread of the backend's own: never within enqueue and notify, which are called with locks
  /// held, while completion may run the user's code. The three may be called by any threads, several at once,
  /// more than once, and for commands that are complete; a caller holds a reference to the command. The
  /// commands of an in-order queue are completed in its order, so that completing one completes all before
  /// it. The runtime polls old commands now and then, so that their number stays bounded.
  ///
  /// Returns when the command is complete.
  virtual void wait_for(command_view&) noexcept {}
  /// Completes the command if it is done.
  virtual void poll(command_view&) noexcept {}
  /// From now on the command, and with it all before it on an in-order queue, completes in the background:
  /// something on the host waits for it.
  virtual void notify(command_view&) noexcept {}
};

/// One native API with its devices.
class backend {
public:
  virtual ~backend() = default;
  virtual std::string_view name() const noexcept = 0; // "cpu", "cuda"
  virtual std::string_view platform_name() const noexcept = 0;
  virtual std::span<backend_device* const> devices() = 0;
};

/// All backends that work on this machine, the CPU last. Built on first use.
std::span<backend* const> backends();

} // namespace falx
