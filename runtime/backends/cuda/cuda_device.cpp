// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_device.hpp"

#include "backends/narrow_indices.hpp"
#include "cuda_assembly.hpp"
#include "cuda_launch.hpp"
#include "cuda_libdevice.hpp"
#include "cuda_memory_operations.hpp"
#include "process/file_identity.hpp"
#include "process/process_state.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <fmt/format.h>
#include <optional>
#include <typeinfo>
#include <utility>
#include <variant>

namespace falx {
namespace {

/// What assemble_ptx depends on. Builds of the driver's library differ in more than the version of CUDA.
std::string digest_of_assembler(const cuda_limits& limits) {
  Dl_info info{};
  const auto library = reinterpret_cast<const void*>(cuda::api().cuLinkCreate);
  const std::string identity = ::dladdr(library, &info) != 0 && info.dli_fname != nullptr
                                   ? file_identity(info.dli_fname)
                                   : std::string();
  return fmt::format("cuda {} {} sm_{}{} {} {}", cuda::the_driver().version, identity, limits.major,
                     limits.minor, limits.threads_per_processor, limits.registers_per_processor);
}

/// This backend is the only one with such devices.
bool is_cuda_device(const backend_device& device) noexcept {
  return typeid(device) == typeid(cuda_device);
}

} // namespace

cuda_device::cuda_device(cuda::device_ordinal device)
    : description_(describe_cuda_device(device)), limits_(limits_of_cuda_device(device)),
      processor_(ptx_processor(limits_.major, limits_.minor)),
      features_(ptx_feature(cuda::the_driver().version)), assembler_digest_(digest_of_assembler(limits_)),
      context_(device, description_.name), memory_(context_, limits_), textures_(context_, limits_),
      streams_(context_), fills_(description_.compute_units), interop_(context_, streams_) {}

std::uint32_t cuda_device::clock_frequency() const {
  return static_cast<std::uint32_t>(
      std::max(cuda_attribute(context_.device(), cuda::device_attribute::clock_rate), 0) / 1000);
}

std::uint64_t cuda_device::free_memory() {
  return memory_.free_bytes();
}

jit::identified_bytes cuda_device::jit_math_library() const {
  return libdevice();
}

unsigned cuda_device::suitability(const compiled_target& code) const {
  return code.jit_target == "ptx" ? suitability_of_ptx(code.cpu, processor_) : 0;
}

void cuda_device::specialize(const launch_geometry& geometry,
                             jit::configuration& configuration) const noexcept {
  const cuda_blocks blocks = blocks_for(geometry, limits_, description_.compute_units);
  if (geometry.kind == kernel_kind::range || geometry.kind == kernel_kind::single_task)
    for (int axis = 0; axis < 3; ++axis)
      configuration.local_range[axis] = blocks.block[axis];
  configuration.narrow_indices = has_narrow_indices(geometry);
  configuration.linear_grid = blocks.is_linear;
  configuration.no_offset = has_no_offset(geometry);
}

std::vector<unsigned char> cuda_device::assemble(std::span<const unsigned char> ptx,
                                                 const kernel_names& names) {
  return assemble_ptx(context_, limits_, ptx, names);
}

std::vector<unsigned char> cuda_device::assemble_otherwise(std::span<const unsigned char> ptx,
                                                           const kernel_names& names) {
  return assemble_ptx_otherwise(context_, ptx, names);
}

std::vector<unsigned char> cuda_device::assemble_in_place_of(std::span<const unsigned char> own,
                                                             std::span<const unsigned char> ptx,
                                                             const kernel_names& names) {
  return may_replace(own, ptx) ? assemble_ptx(context_, limits_, ptx, names) : std::vector<unsigned char>();
}

void* cuda_device::allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) {
  return memory_.allocate(kind, bytes, alignment);
}

std::uint64_t cuda_device::texture(void* first, const texture_description& wanted) {
  return textures_.texture(first, wanted);
}

void cuda_device::free(usm_kind kind, void* pointer) noexcept {
  if (kind == usm_kind::device)
    textures_.remove(pointer);
  memory_.free(kind, pointer);
}

bool cuda_device::call_when_ready(std::function<void()> ready) {
  context_.call_when_made(std::move(ready));
  return true;
}

std::unique_ptr<loaded_kernel> cuda_device::load(const kernel_binary& binary, const kernel_names& names) {
  return std::make_unique<cuda_kernel>(context_, limits_, binary, names);
}

std::size_t cuda_device::most_groups_at_once(loaded_kernel& kernel, const launch_geometry& geometry,
                                             std::size_t local_memory) {
  if (cuda::api().cuLaunchCooperativeKernel == nullptr ||
      cuda::api().cuOccupancyMaxActiveBlocksPerMultiprocessor == nullptr)
    return 0;
  const cuda_current_context current(context_);
  const cuda_blocks blocks = blocks_for(geometry, limits_, description_.compute_units);
  const std::uint64_t threads =
      std::uint64_t{blocks.block[0]} * blocks.block[1] * std::uint64_t{blocks.block[2]};
  return static_cast<cuda_kernel&>(kernel).blocks_per_processor(threads, local_memory) *
         description_.compute_units;
}

void cuda_device::enqueue(command_view& self, const operation& work,
                          std::span<const handle<command_view>> after) {
  const cuda_current_context current(context_);
  cuda_stream& stream = cuda_queue::of(*self.queue(), streams_).stream_for(after, self.preferred_stream());
  stream.submit(self, after, [&] {
    std::optional<program_code> code;
    if (std::holds_alternative<native_operation>(work)) [[unlikely]]
      code.emplace(self);
    start(stream, work);
  });
}

void cuda_device::start(cuda_stream& stream, const operation& work) {
  if (const auto* kernel = std::get_if<kernel_operation>(&work))
    launch_cuda_kernel(stream, limits_, description_.compute_units, *kernel);
  else if (const auto* copy = std::get_if<copy_operation>(&work))
    start_cuda_copy(stream, limits_, *copy);
  else if (const auto* fill = std::get_if<fill_operation>(&work))
    start_cuda_fill(stream, limits_, fills_, *fill);
  else if (const auto* prefetch = std::get_if<prefetch_operation>(&work))
    start_cuda_prefetch(stream, limits_, *prefetch);
  else if (const auto* advise = std::get_if<advise_operation>(&work))
    give_cuda_advice(stream.context(), limits_, *advise);
  else if (const auto* native = std::get_if<native_operation>(&work)) {
    stream.set_serial(false); // the program's own kernels may end before those in front of them
    native->function(reinterpret_cast<native_handle>(stream.native()));
  }
  // An empty operation is its place in the stream.
}

void cuda_device::advise(const advise_operation& advice) {
  const cuda_current_context current(context_);
  give_cuda_advice(context_, limits_, advice);
}

void cuda_device::expect_results(void* block, std::size_t bytes) noexcept {
  try {
    advise({block, bytes, cuda::ADVISE_ACCESSED_BY});
  } catch (...) {
    // The device is lost, as the next command will say, or the block moves to and fro.
  }
}

bool cuda_device::can_order_after(const command_view& other) const noexcept {
  return other.queue() != nullptr && is_cuda_device(other.queue()->backend());
}

bool cuda_device::copies_directly(const backend_device& other) const noexcept {
  // Host memory, or another GPU's that this one reaches: addresses are unique among all of them.
  return other.description().is_cpu ||
         (is_cuda_device(other) && (&other == this || can_access_peer(other, false)));
}

bool cuda_device::can_access_peer(const backend_device& peer, bool atomics) const {
  return cuda_peers::can_access(context_.device(), static_cast<const cuda_device&>(peer).context_.device(),
                                atomics);
}

bool cuda_device::set_peer_access(backend_device& peer, bool enabled) {
  auto& other = static_cast<cuda_device&>(peer);
  return peers_.set(context_, other.context_, enabled);
}

void cuda_device::wait_for(command_view& self) noexcept {
  if (cuda_stream* const stream = cuda_stream::of(self))
    stream->wait_for(self);
}

void cuda_device::poll(command_view& self) noexcept {
  if (cuda_stream* const stream = cuda_stream::of(self))
    stream->poll(self);
}

void cuda_device::notify(command_view& self) noexcept {
  if (cuda_stream* const stream = cuda_stream::of(self))
    stream->notify(self);
}

} // namespace falx
