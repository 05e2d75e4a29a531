// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

#include <cstring>

/// \file
/// Entry points for memory. Memory of all kinds is host memory; what the fake did not allocate is pageable.

using namespace falx::cuda;
using fake_cuda::current;
using fake_cuda::machine;

namespace {

void* as_pointer(std::uint64_t address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

/// One side of a copy.
struct side {
  std::uint64_t first;
  std::size_t pitch, slice;
  std::uint64_t row(std::size_t y, std::size_t z) const { return first + z * slice + y * pitch; }
};

struct box_copy {
  side from, to;
  std::size_t width, height, depth;

  void run() const {
    for (std::size_t z = 0; z < depth; ++z)
      for (std::size_t y = 0; y < height; ++y)
        std::memcpy(as_pointer(to.row(y, z)), as_pointer(from.row(y, z)), width);
  }
  std::size_t extent(const side& which) const {
    return (depth - 1) * which.slice + (height - 1) * which.pitch + width;
  }
};

/// As the driver does it: pageable sources are read before the call returns, and copies to pageable memory
/// are over when it returns.
result start(box_copy copy, stream_object& stream) {
  machine& all = machine::instance();
  if (copy.width == 0 || copy.height == 0 || copy.depth == 0)
    return result::success;
  if (copy.from.pitch < copy.width || copy.to.pitch < copy.width)
    if (copy.height > 1) {
      all.complain("a copy of rows that overlap");
      return result::invalid_value;
    }
  if (!all.owns(copy.from.first, copy.extent(copy.from))) {
    auto staged = std::make_shared<std::vector<unsigned char>>(copy.width * copy.height * copy.depth);
    const side into{reinterpret_cast<std::uintptr_t>(staged->data()), copy.width, copy.width * copy.height};
    box_copy{copy.from, into, copy.width, copy.height, copy.depth}.run();
    copy.from = into;
    stream.push([copy, staged] { copy.run(); });
  } else {
    stream.push([copy] { copy.run(); });
  }
  if (!all.owns(copy.to.first, copy.extent(copy.to)))
    stream.wait_until_empty();
  return stream.context.error;
}

template <class Value>
result fill(std::uint64_t first, std::size_t pitch, Value value, std::size_t width, std::size_t height,
            stream_handle stream) {
  if (first % sizeof(Value) != 0 || (height > 1 && pitch % sizeof(Value) != 0)) {
    machine::instance().complain("a fill that is not aligned");
    return result::invalid_value;
  }
  if (!machine::instance().owns(first, (height - 1) * pitch + width * sizeof(Value))) {
    machine::instance().complain("a fill of memory that the device does not have");
    return result::invalid_value;
  }
  stream->push([=] {
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x)
        std::memcpy(as_pointer(first + y * pitch + x * sizeof(Value)), &value, sizeof(Value));
  });
  return result::success;
}

result allocated(std::uint64_t address, device_pointer* pointer) {
  *pointer = address;
  return address != 0 ? result::success : result::out_of_memory;
}

} // namespace

extern "C" {

result cuPointerGetAttribute(void* value, pointer_attribute, device_pointer pointer) {
  const memory_type type = memory_type::device;
  std::memcpy(value, &type, sizeof(type));
  return machine::instance().owns(pointer, 1) ? result::success : result::invalid_value;
}
result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *total = fake_cuda::DEVICE_MEMORY;
  *free = *total - machine::instance().allocated();
  return machine::instance().enter_in_context("cuMemGetInfo");
}
result cuMemAlloc_v2(device_pointer* pointer, std::size_t bytes) {
  const result error = machine::instance().enter_in_context("cuMemAlloc");
  return error != result::success ? error : allocated(machine::instance().allocate(bytes, true), pointer);
}
result cuMemFree_v2(device_pointer pointer) {
  const result error = machine::instance().enter_in_context("cuMemFree");
  return error != result::success ? error : machine::instance().free(pointer);
}
result cuMemAllocManaged(device_pointer* pointer, std::size_t bytes, unsigned) {
  const result error = machine::instance().enter_in_context("cuMemAllocManaged");
  return error != result::success ? error : allocated(machine::instance().allocate(bytes, true), pointer);
}
result cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  if (const result error = machine::instance().enter_in_context("cuMemHostAlloc"); error != result::success)
    return error;
  *pointer = as_pointer(machine::instance().allocate(bytes, false));
  return *pointer != nullptr ? result::success : result::out_of_memory;
}
result cuMemFreeHost(void* pointer) {
  const result error = machine::instance().enter_in_context("cuMemFreeHost");
  return error != result::success ? error
                                  : machine::instance().free(reinterpret_cast<std::uintptr_t>(pointer));
}
result cuMemPoolCreate(pool_handle* pool, const pool_properties*) {
  *pool = new pool_object{current};
  return machine::instance().enter_in_context("cuMemPoolCreate");
}
result cuMemPoolSetAttribute(pool_handle, int, void*) {
  return machine::instance().enter_in_context("cuMemPoolSetAttribute");
}
result cuMemPoolGetAttribute(pool_handle, int, void* value) {
  const std::uint64_t none = 0;
  std::memcpy(value, &none, sizeof(none));
  return machine::instance().enter_in_context("cuMemPoolGetAttribute");
}
result cuMemPoolSetAccess(pool_handle, const access_descriptor*, std::size_t) {
  return machine::instance().enter_in_context("cuMemPoolSetAccess");
}
result cuMemPoolTrimTo(pool_handle, std::size_t) {
  return machine::instance().enter_in_context("cuMemPoolTrimTo");
}
result cuMemAllocFromPoolAsync(device_pointer* pointer, std::size_t bytes, pool_handle, stream_handle) {
  const result error = machine::instance().enter_in_context("cuMemAllocFromPoolAsync");
  return error != result::success ? error : allocated(machine::instance().allocate(bytes, true), pointer);
}
result cuMemFreeAsync(device_pointer pointer, stream_handle stream) {
  if (const result error = machine::instance().enter_in_context("cuMemFreeAsync"); error != result::success)
    return error;
  stream->push([pointer] { machine::instance().free(pointer); });
  return result::success;
}

result cuMemcpyAsync(device_pointer destination, device_pointer source, std::size_t bytes,
                     stream_handle stream) {
  const result error = machine::instance().enter_in_context("cuMemcpyAsync");
  return error != result::success
             ? error
             : start({{source, bytes, bytes}, {destination, bytes, bytes}, bytes, 1, 1}, *stream);
}
result cuMemcpy2DAsync_v2(const copy_2d* copy, stream_handle stream) {
  const result error = machine::instance().enter_in_context("cuMemcpy2DAsync");
  return error != result::success ? error
                                  : start({{copy->source_device, copy->source_pitch, 0},
                                           {copy->destination_device, copy->destination_pitch, 0},
                                           copy->width_bytes,
                                           copy->height,
                                           1},
                                          *stream);
}
result cuMemcpy3DAsync_v2(const copy_3d* copy, stream_handle stream) {
  const result error = machine::instance().enter_in_context("cuMemcpy3DAsync");
  return error != result::success
             ? error
             : start({{copy->source_device, copy->source_pitch, copy->source_pitch * copy->source_height},
                      {copy->destination_device, copy->destination_pitch,
                       copy->destination_pitch * copy->destination_height},
                      copy->width_bytes,
                      copy->height,
                      copy->depth},
                     *stream);
}

result cuMemsetD8Async(device_pointer first, unsigned char value, std::size_t count, stream_handle stream) {
  return fill(first, 0, value, count, 1, stream);
}
result cuMemsetD16Async(device_pointer first, unsigned short value, std::size_t count, stream_handle stream) {
  return fill(first, 0, value, count, 1, stream);
}
result cuMemsetD32Async(device_pointer first, unsigned value, std::size_t count, stream_handle stream) {
  return fill(first, 0, value, count, 1, stream);
}
result cuMemsetD2D8Async(device_pointer first, std::size_t pitch, unsigned char value, std::size_t width,
                         std::size_t height, stream_handle stream) {
  return fill(first, pitch, value, width, height, stream);
}
result cuMemsetD2D16Async(device_pointer first, std::size_t pitch, unsigned short value, std::size_t width,
                          std::size_t height, stream_handle stream) {
  return fill(first, pitch, value, width, height, stream);
}
result cuMemsetD2D32Async(device_pointer first, std::size_t pitch, unsigned value, std::size_t width,
                          std::size_t height, stream_handle stream) {
  return fill(first, pitch, value, width, height, stream);
}

result cuMemAdvise_v2(device_pointer, std::size_t, int, memory_location) {
  return machine::instance().enter_in_context("cuMemAdvise");
}
result cuMemPrefetchAsync_v2(device_pointer, std::size_t, memory_location, unsigned, stream_handle) {
  return machine::instance().enter_in_context("cuMemPrefetchAsync");
}

} // extern "C"
