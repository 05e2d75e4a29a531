// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

#include <cstdio>
#include <cstring>

/// \file
/// Entry points for the driver itself, devices and contexts.

using namespace falx::cuda;
using fake_cuda::current;
using fake_cuda::machine;

extern "C" {

result cuInit(unsigned) {
  return machine::instance().enter("cuInit");
}
result cuDriverGetVersion(int* version) {
  *version = machine::instance().version;
  return result::success;
}
result cuGetErrorName(result error, const char** name) {
  switch (error) {
  case result::out_of_memory:
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
    return result::success;
  case result::illegal_address:
    *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return result::success;
  case result::invalid_ptx:
    *name = "CUDA_ERROR_INVALID_PTX";
    return result::success;
  default:
    *name = "CUDA_ERROR_OF_THE_FAKE";
    return result::success;
  }
}
result cuGetErrorString(result error, const char** text) {
  *text =
      error == result::illegal_address ? "an illegal memory access was encountered" : "a text of the fake";
  return result::success;
}

result cuDeviceGetCount(int* count) {
  *count = static_cast<int>(machine::instance().contexts.size());
  return *count == 0 ? result::no_device : machine::instance().enter("cuDeviceGetCount");
}
result cuDeviceGet(device_ordinal* device, int ordinal) {
  *device = ordinal;
  return machine::instance().enter("cuDeviceGet");
}
result cuDeviceGetName(char* name, int size, device_ordinal device) {
  std::strncpy(name, device == 0 ? "Fake GPU A" : "Fake GPU B", static_cast<std::size_t>(size));
  return result::success;
}
result cuDeviceTotalMem_v2(std::size_t* bytes, device_ordinal) {
  *bytes = fake_cuda::DEVICE_MEMORY;
  return result::success;
}
result cuDeviceGetUuid_v2(uuid* id, device_ordinal device) {
  std::memset(id->bytes, device + 1, sizeof(id->bytes));
  return result::success;
}
result cuDeviceGetAttribute(int* value, device_attribute attribute, device_ordinal device) {
  switch (attribute) {
  case device_attribute::max_threads_per_block:
  case device_attribute::max_block_x:
  case device_attribute::max_block_y:
    *value = 1024;
    return result::success;
  case device_attribute::max_block_z:
    *value = 64;
    return result::success;
  case device_attribute::max_grid_x:
    *value = 0x7FFFFFFF;
    return result::success;
  case device_attribute::max_grid_y:
  case device_attribute::max_grid_z:
    *value = 65535;
    return result::success;
  case device_attribute::shared_memory_per_block:
    *value = 48 << 10;
    return result::success;
  case device_attribute::shared_memory_per_block_optin:
    *value = 227 << 10;
    return result::success;
  case device_attribute::threads_per_processor:
    *value = 2048;
    return result::success;
  case device_attribute::registers_per_processor:
    *value = 65536;
    return result::success;
  case device_attribute::warp_size:
    *value = 32;
    return result::success;
  case device_attribute::max_pitch:
    *value = 0x7FFFFFFF;
    return result::success;
  case device_attribute::texture_alignment:
    *value = 256;
    return result::success;
  case device_attribute::texture_pitch_alignment:
    *value = 32;
    return result::success;
  case device_attribute::max_linear_texture_width:
    *value = 131072;
    return result::success;
  case device_attribute::max_linear_texture_height:
    *value = 65000;
    return result::success;
  case device_attribute::max_linear_texture_pitch:
    *value = 2097120;
    return result::success;
  case device_attribute::multiprocessor_count:
    *value = 4;
    return result::success;
  case device_attribute::compute_capability_major:
    *value = 9;
    return result::success;
  case device_attribute::compute_capability_minor:
    *value = 0;
    return result::success;
  case device_attribute::memory_clock_rate:
    *value = 2619000;
    return result::success;
  case device_attribute::memory_bus_width:
    *value = 5120;
    return result::success;
  case device_attribute::pci_identity:
    *value = 0x233010DE;
    return result::success;
  case device_attribute::pci_bus_id:
    *value = 0x1A + device;
    return result::success;
  case device_attribute::managed_memory:
  case device_attribute::concurrent_managed_access:
  case device_attribute::memory_pools_supported:
    *value = 1;
    return result::success;
  default:
    *value = 0;
    return result::success;
  }
}
result cuDeviceCanAccessPeer(int* can_access, device_ordinal device, device_ordinal peer) {
  *can_access = device != peer ? 1 : 0;
  return machine::instance().enter("cuDeviceCanAccessPeer");
}

result cuDeviceGetP2PAttribute(int* value, peer_attribute attribute, device_ordinal device,
                               device_ordinal peer) {
  *value = attribute == peer_attribute::native_atomics && device < peer ? 1 : 0;
  return result::success;
}
result cuDeviceGetPCIBusId(char* text, int size, device_ordinal device) {
  std::snprintf(text, static_cast<std::size_t>(size), "0000:%02X:00.0", 0x1A + device);
  return result::success;
}

result cuDevicePrimaryCtxRetain(context_handle* context, device_ordinal device) {
  *context = machine::instance().contexts[static_cast<std::size_t>(device)].get();
  return machine::instance().enter("cuDevicePrimaryCtxRetain");
}
result cuDevicePrimaryCtxGetState(device_ordinal, unsigned* flags, int* active) {
  *flags = 0;
  *active = machine::instance().calls("cuDevicePrimaryCtxRetain") != 0 ? 1 : 0;
  return result::success;
}
result cuCtxGetCurrent(context_handle* context) {
  *context = current;
  return result::success;
}
result cuCtxSetCurrent(context_handle context) {
  current = context;
  return machine::instance().enter("cuCtxSetCurrent");
}
result cuCtxEnablePeerAccess(context_handle, unsigned) {
  return machine::instance().enter_in_context("cuCtxEnablePeerAccess");
}
result cuCtxDisablePeerAccess(context_handle) {
  return machine::instance().enter_in_context("cuCtxDisablePeerAccess");
}

} // extern "C"
