// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_capabilities.hpp"

namespace falx {

using sycl::memory_order;
using sycl::memory_scope;
using sycl::info::fp_config;

std::vector<memory_order> atomic_memory_orders() {
  return {memory_order::relaxed, memory_order::acquire, memory_order::release, memory_order::acq_rel,
          memory_order::seq_cst};
}

std::vector<memory_scope> atomic_memory_scopes() {
  return {memory_scope::sub_group, memory_scope::work_group, memory_scope::device, memory_scope::system};
}

std::vector<memory_scope> fence_scopes() {
  return {memory_scope::work_item, memory_scope::sub_group, memory_scope::work_group, memory_scope::device,
          memory_scope::system};
}

std::vector<fp_config> half_capabilities(const device_description& device) {
  if (!device.has_fp16)
    return {};
  return {fp_config::denorm, fp_config::inf_nan, fp_config::round_to_nearest};
}

std::vector<fp_config> float_capabilities() {
  return {fp_config::denorm, fp_config::inf_nan, fp_config::round_to_nearest, fp_config::fma,
          fp_config::correctly_rounded_divide_sqrt};
}

std::vector<fp_config> double_capabilities(const device_description& device) {
  if (!device.has_fp64)
    return {};
  return {fp_config::denorm,        fp_config::inf_nan,      fp_config::round_to_nearest,
          fp_config::round_to_zero, fp_config::round_to_inf, fp_config::fma};
}

std::vector<std::string> extension_names(const device_description& device) {
  std::vector<std::string> names;
  if (device.has_fp16)
    names.emplace_back("cl_khr_fp16");
  if (device.has_fp64)
    names.emplace_back("cl_khr_fp64");
  if (device.has_atomic64) {
    names.emplace_back("cl_khr_int64_base_atomics");
    names.emplace_back("cl_khr_int64_extended_atomics");
  }
  return names;
}

} // namespace falx
