// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_textures.hpp"

#include <utility>

namespace falx {
namespace {

cuda::array_format format_of(texture_description::component components) noexcept {
  switch (components) {
  case texture_description::component::unorm8:
    return cuda::array_format::unsigned_8;
  case texture_description::component::unorm16:
    return cuda::array_format::unsigned_16;
  case texture_description::component::half:
    return cuda::array_format::half;
  case texture_description::component::single:
    break;
  }
  return cuda::array_format::single;
}

cuda::texture_address address_of(texture_description::addressing outside) noexcept {
  switch (outside) {
  case texture_description::addressing::repeat:
    return cuda::texture_address::wrap;
  case texture_description::addressing::mirrored_repeat:
    return cuda::texture_address::mirror;
  case texture_description::addressing::border:
    return cuda::texture_address::border;
  case texture_description::addressing::clamp_to_edge:
    break;
  }
  return cuda::texture_address::clamp;
}

/// Of a single row there is no next one: any pitch will do.
std::size_t pitch_of(const texture_description& wanted, const cuda_limits& limits) noexcept {
  const std::size_t unit = limits.texture_pitch_alignment;
  return wanted.height == 1 ? (wanted.pitch + unit - 1) / unit * unit : wanted.pitch;
}

} // namespace

bool cuda_textures::is_readable(const void* first, const texture_description& wanted) const noexcept {
  if (limits_.texture_alignment == 0 || limits_.texture_pitch_alignment == 0)
    return false;
  const std::size_t pitch = pitch_of(wanted, limits_);
  return reinterpret_cast<std::uintptr_t>(first) % limits_.texture_alignment == 0 &&
         pitch % limits_.texture_pitch_alignment == 0 && pitch <= limits_.max_texture_pitch &&
         wanted.width <= limits_.max_texture_width && wanted.height <= limits_.max_texture_height;
}

cuda::texture_handle cuda_textures::make(void* first, const texture_description& wanted) {
  cuda::texture_resource resource;
  resource.memory = reinterpret_cast<std::uintptr_t>(first);
  resource.format = format_of(wanted.components);
  resource.channels = 4;
  resource.width = wanted.width;
  resource.height = wanted.height;
  resource.pitch_bytes = pitch_of(wanted, limits_);
  cuda::texture_sampler sampler;
  for (cuda::texture_address& axis : sampler.address)
    axis = address_of(wanted.outside);
  sampler.filter = wanted.is_filtered ? cuda::texture_filter::linear : cuda::texture_filter::point;
  sampler.flags = wanted.is_normalized ? cuda::TEXTURE_NORMALIZED_COORDINATES : 0;
  cuda::texture_handle made = 0;
  const cuda_current_context current(context_);
  context_.check(cuda::api().cuTexObjectCreate(&made, &resource, &sampler, nullptr), "making a texture");
  return made;
}

std::uint64_t cuda_textures::texture(void* first, const texture_description& wanted) {
  if (!is_readable(first, wanted))
    return 0;
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = views_.equal_range(first);
  for (auto found = begin; found != end; ++found)
    if (found->second.description == wanted)
      return found->second.native;
  const cuda::texture_handle made = make(first, wanted);
  views_.emplace(first, view{wanted, made});
  return made;
}

void cuda_textures::remove(void* first) noexcept {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = views_.equal_range(first);
  if (begin == end)
    return;
  const bool is_gone = context_.is_lost() || cuda::is_forked_child();
  try {
    const cuda_current_context current(context_);
    for (auto found = begin; found != end && !is_gone; ++found)
      cuda::api().cuTexObjectDestroy(found->second.native);
  } catch (...) {
    // Lost a moment ago, and the textures with it.
  }
  views_.erase(begin, end);
}

} // namespace falx
