// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_info.hpp"

#include "ast/consumer.hpp"

namespace falx::compiler {

std::map<std::string, kernel_info>& kernel_infos() {
  static std::map<std::string, kernel_info> infos;
  // Bodies from a precompiled header are read as late as code generation, and bring kernels with them.
  collect_late_kernels();
  return infos;
}

std::map<std::string, std::vector<std::size_t>>& host_task_accessors() {
  static std::map<std::string, std::vector<std::size_t>> offsets;
  collect_late_kernels();
  return offsets;
}

std::map<std::string, device_global_info>& device_global_infos() {
  static std::map<std::string, device_global_info> infos;
  collect_late_kernels();
  return infos;
}

std::set<std::string>& work_group_variables() {
  static std::set<std::string> names;
  collect_late_kernels();
  return names;
}

} // namespace falx::compiler
