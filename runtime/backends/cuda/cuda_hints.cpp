// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_memory_operations.hpp"

/// \file
/// Prefetches and advice: hints on where shared memory should be. Devices that cannot share memory with the
/// host while they run move it by themselves, and take no hints.

namespace falx {

void start_cuda_prefetch(cuda_stream& stream, const cuda_limits& limits, const prefetch_operation& prefetch) {
  if (!limits.concurrent_managed_access || prefetch.bytes == 0)
    return;
  const cuda::driver_functions& api = cuda::api();
  const auto pointer = static_cast<cuda::device_pointer>(reinterpret_cast<std::uintptr_t>(prefetch.pointer));
  const cuda::device_ordinal device = stream.context().device();
  cuda::result result = cuda::result::not_supported;
  if (api.cuMemPrefetchAsync_v2 != nullptr) {
    const cuda::memory_location location = prefetch.to_host
                                               ? cuda::memory_location{cuda::location_type::host, 0}
                                               : cuda::memory_location{cuda::location_type::device, device};
    result = api.cuMemPrefetchAsync_v2(pointer, prefetch.bytes, location, 0, stream.native());
  } else if (api.cuMemPrefetchAsync != nullptr) {
    result = api.cuMemPrefetchAsync(pointer, prefetch.bytes, prefetch.to_host ? cuda::CPU_DEVICE : device,
                                    stream.native());
  }
  // Memory that is not managed by the driver stays where it is.
  if (result != cuda::result::invalid_value && result != cuda::result::not_supported)
    stream.context().check(result, "prefetch");
}

void give_cuda_advice(cuda_context& context, const cuda_limits& limits, const advise_operation& advise) {
  if (!limits.concurrent_managed_access || advise.bytes == 0 || advise.advice == 0)
    return;
  const cuda::driver_functions& api = cuda::api();
  const auto pointer = static_cast<cuda::device_pointer>(reinterpret_cast<std::uintptr_t>(advise.pointer));
  const cuda::device_ordinal device = context.device();
  const bool is_for_host = (advise.advice & ADVICE_FOR_HOST) != 0;
  const int advice = advise.advice & ~ADVICE_FOR_HOST;
  cuda::result result = cuda::result::not_supported;
  if (api.cuMemAdvise_v2 != nullptr)
    result = api.cuMemAdvise_v2(pointer, advise.bytes, advice,
                                is_for_host ? cuda::memory_location{cuda::location_type::host, 0}
                                            : cuda::memory_location{cuda::location_type::device, device});
  else if (api.cuMemAdvise != nullptr)
    result = api.cuMemAdvise(pointer, advise.bytes, advice, is_for_host ? cuda::CPU_DEVICE : device);
  context.check(result, "advice on memory");
}

} // namespace falx
