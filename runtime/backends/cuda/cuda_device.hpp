// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "cuda_context.hpp"
#include "cuda_description.hpp"
#include "cuda_fill_kernels.hpp"
#include "cuda_interop.hpp"
#include "cuda_memory.hpp"
#include "cuda_peers.hpp"
#include "cuda_queue.hpp"
#include "cuda_textures.hpp"

#include <functional>
#include <memory>
#include <string>

namespace falx {

/// An NVIDIA GPU. Thread-safe.
class cuda_device final : public backend_device {
public:
  explicit cuda_device(cuda::device_ordinal device);

  const device_description& description() const noexcept override { return description_; }
  std::uint32_t clock_frequency() const override;
  std::uint64_t free_memory() override;
  std::string_view jit_target() const noexcept override { return "ptx"; }
  std::string_view jit_cpu() const noexcept override { return processor_; }
  std::string_view jit_features() const noexcept override { return features_; }
  jit::identified_bytes jit_math_library() const override;
  unsigned suitability(const compiled_target& code) const override;
  void specialize(const launch_geometry& geometry, jit::configuration& configuration) const noexcept override;
  std::string_view assembler_digest() const noexcept override { return assembler_digest_; }
  std::vector<unsigned char> assemble(std::span<const unsigned char> ptx, const kernel_names& names) override;
  std::vector<unsigned char> assemble_otherwise(std::span<const unsigned char> ptx,
                                                const kernel_names& names) override;
  bool times_learned_code() const noexcept override { return true; }
  std::vector<unsigned char> assemble_in_place_of(std::span<const unsigned char> own,
                                                  std::span<const unsigned char> ptx,
                                                  const kernel_names& names) override;

  void* allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) override;
  void free(usm_kind kind, void* pointer) noexcept override;
  std::uint64_t texture(void* first, const texture_description& wanted) override;

  bool call_when_ready(std::function<void()> ready) override;
  std::unique_ptr<loaded_kernel> load(const kernel_binary& binary, const kernel_names& names) override;

  std::size_t most_groups_at_once(loaded_kernel& kernel, const launch_geometry& geometry,
                                  std::size_t local_memory) override;
  void enqueue(command_view& self, const operation& work,
               std::span<const handle<command_view>> after) override;
  void advise(const advise_operation& advice) override;
  void expect_results(void* block, std::size_t bytes) noexcept override;
  bool can_order_after(const command_view& other) const noexcept override;
  bool runs_host_operations() const noexcept override { return false; }
  bool copies_directly(const backend_device& other) const noexcept override;

  bool can_access_peer(const backend_device& peer, bool atomics) const override;
  bool set_peer_access(backend_device& peer, bool enabled) override;

  native_objects* native() noexcept override { return &interop_; }

  void wait_for(command_view& self) noexcept override;
  void poll(command_view& self) noexcept override;
  void notify(command_view& self) noexcept override;

private:
  void start(cuda_stream& stream, const operation& work);

  const device_description description_;
  const cuda_limits limits_;
  const std::string processor_, features_;
  const std::string assembler_digest_;
  cuda_context context_;
  cuda_memory memory_;
  cuda_textures textures_;
  cuda_stream_pool streams_;
  cuda_fill_kernels fills_;
  cuda_interop interop_;
  cuda_peers peers_;
};

/// Null without a driver and devices: \p problem says why, and stderr if FALX_CUDA_TRACE=1.
std::unique_ptr<backend> make_cuda_backend(std::string& problem);

} // namespace falx
