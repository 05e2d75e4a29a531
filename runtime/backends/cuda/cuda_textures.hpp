// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/texture.hpp"
#include "cuda_context.hpp"
#include "cuda_description.hpp"

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace falx {

/// Texture objects of one device: views of device memory, which stays where it is. They live as long as the
/// memory. Thread-safe.
class cuda_textures {
public:
  cuda_textures(cuda_context& context, const cuda_limits& limits) : context_(context), limits_(limits) {}

  /// The driver's object for the picture that begins at \p first; 0 if texture units cannot read it there.
  std::uint64_t texture(void* first, const texture_description& wanted);
  /// Before the memory that begins at \p first is freed. Commands that use the textures are complete.
  void remove(void* first) noexcept;

private:
  struct view {
    texture_description description;
    cuda::texture_handle native;
  };

  bool is_readable(const void* first, const texture_description& wanted) const noexcept;
  cuda::texture_handle make(void* first, const texture_description& wanted);

  cuda_context& context_;
  const cuda_limits& limits_;
  std::mutex mutex_;
  /// By address: a picture may be read in several ways.
  std::unordered_multimap<void*, view> views_;
};

} // namespace falx
