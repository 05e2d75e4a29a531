// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

/// \file
/// Entry points for texture objects, which nothing reads.

using namespace falx::cuda;
using fake_cuda::machine;

extern "C" {

result cuTexObjectCreate(texture_handle* made, const texture_resource* resource,
                         const texture_sampler* sampler, const void*) {
  machine& all = machine::instance();
  if (const result error = all.enter_in_context("cuTexObjectCreate"); error != result::success)
    return error;
  const std::size_t bytes =
      resource->pitch_bytes * (resource->height - 1) + resource->width * resource->channels;
  if (resource->type != 3 || resource->pitch_bytes % 32 != 0 || resource->memory % 256 != 0 ||
      !all.owns(resource->memory, bytes)) {
    all.complain("a texture of memory that it cannot read");
    return result::invalid_value;
  }
  if ((sampler->flags & TEXTURE_NORMALIZED_COORDINATES) == 0 &&
      (sampler->address[0] == texture_address::wrap || sampler->address[0] == texture_address::mirror))
    all.complain("a texture that repeats a picture with coordinates in pixels");
  *made = all.add({*resource, *sampler});
  return result::success;
}

result cuTexObjectDestroy(texture_handle texture) {
  const result error = machine::instance().enter_in_context("cuTexObjectDestroy");
  return error != result::success ? error : machine::instance().remove_texture(texture);
}

} // extern "C"
