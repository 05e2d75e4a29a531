// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/device.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

auto name() {
  const sycl::device selected[] = {sycl::device(sycl::default_selector_v), sycl::device(sycl::cpu_selector_v),
                                   sycl::device(sycl::gpu_selector_v), sycl::device(sycl::accelerator_selector_v),
                                   sycl::device(sycl::aspect_selector(sycl::aspect::fp64))};
  return selected[0].get_info<sycl::info::device::name>();
}
static_assert(sycl::info::device_type::cpu != sycl::info::device_type::gpu);
auto enumerators = (void(sycl::info::partition_property::no_partition), void(sycl::info::partition_affinity_domain::numa),
                    void(sycl::info::local_mem_type::none), void(sycl::info::fp_config::denorm),
                    void(sycl::info::global_mem_cache_type::none), sycl::info::execution_capability::exec_kernel);
