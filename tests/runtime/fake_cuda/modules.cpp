// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

/// \file
/// Entry points for modules, functions and launches. Code is text: "FAKE", or "BROKEN", which no assembler
/// takes.

using namespace falx::cuda;
using fake_cuda::current;
using fake_cuda::machine;

namespace {

/// Writes to the error log that the options name.
void log_error(unsigned count, const jit_option* options, void** values, const char* text) {
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == jit_option::error_log_buffer)
      std::strcpy(static_cast<char*>(values[i]), text);
}

bool is_broken(const void* code) {
  return std::string_view(static_cast<const char*>(code)).starts_with("BROKEN");
}

/// Code may tell what it takes: "//uses 1024 44 0" are threads of a block, registers and bytes of local
/// memory, "//dense 1024 32 8" the same when several blocks per multiprocessor are demanded, "//dense@4 512
/// 32 0" when it is four of them, "//free 512 38 0" when the group size is not known; ".target sm_90" is what
/// it was compiled for.
kernel_resources resources_of(const char* code) {
  kernel_resources found;
  std::string wanted = "//uses ";
  constexpr const char* DEMAND = ".minnctapersm ";
  if (const char* const demand = std::strstr(code, DEMAND); demand != nullptr) {
    wanted = "//dense@" + std::to_string(std::atoi(demand + std::strlen(DEMAND))) + ' ';
    if (std::strstr(code, wanted.c_str()) == nullptr)
      wanted = "//dense ";
  }
  if (constexpr const char* FREE = "//free ";
      std::strstr(code, ".reqntid") == nullptr && std::strstr(code, FREE) != nullptr)
    wanted = FREE;
  if (const char* const place = std::strstr(code, wanted.c_str()); place != nullptr)
    std::sscanf(place + wanted.size(), "%d %d %d", &found.threads, &found.registers, &found.local_bytes);
  constexpr const char* TARGET = ".target sm_";
  if (const char* const place = std::strstr(code, TARGET); place != nullptr)
    std::sscanf(place + std::strlen(TARGET), "%d", &found.ptx_target);
  return found;
}

constexpr const char* COMPLAINT = "ptxas error : syntax error near 'BROKEN'";

} // namespace

namespace falx::cuda {

struct link_object {
  std::string code;
  unsigned option_count = 0;
  jit_option* options = nullptr;
  void** values = nullptr;
};

} // namespace falx::cuda

extern "C" {

result cuModuleLoadDataEx(module_handle* module, const void* image, unsigned option_count,
                          jit_option* options, void** values) {
  if (const result error = machine::instance().enter_in_context("cuModuleLoadDataEx");
      error != result::success)
    return error;
  if (is_broken(image)) {
    log_error(option_count, options, values, COMPLAINT);
    return result::invalid_ptx;
  }
  *module = new module_object{current, {}, resources_of(static_cast<const char*>(image))};
  return result::success;
}
result cuModuleUnload(module_handle module) {
  if (const result error = machine::instance().enter_in_context("cuModuleUnload"); error != result::success)
    return error;
  delete module;
  return result::success;
}
result cuModuleGetFunction(function_handle* function, module_handle module, const char* name) {
  if (const result error = machine::instance().enter_in_context("cuModuleGetFunction");
      error != result::success)
    return error;
  auto made = std::make_unique<function_object>();
  made->context = module->context;
  made->resources = module->resources;
  if (!machine::instance().find_kernel(name, *made))
    return static_cast<result>(500); // not found
  *function = made.get();
  module->functions.push_back(std::move(made));
  return result::success;
}
result cuFuncGetAttribute(int* value, function_attribute attribute, function_handle function) {
  *value = attribute == function_attribute::max_threads_per_block ? function->resources.threads
           : attribute == function_attribute::registers           ? function->resources.registers
           : attribute == function_attribute::local_bytes         ? function->resources.local_bytes
           : attribute == function_attribute::ptx_target          ? function->resources.ptx_target
                                                                  : 0;
  return result::success;
}
result cuFuncSetAttribute(function_handle function, function_attribute attribute, int value) {
  if (attribute == function_attribute::max_dynamic_shared_bytes)
    function->max_dynamic_shared = value;
  return machine::instance().enter_in_context("cuFuncSetAttribute");
}

static result launch_kernel(function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                            stream_handle stream, void** parameters) {
  if (function->context != &stream->context) {
    machine::instance().complain("a function launched on a stream of another context");
    return result::invalid_context;
  }
  if (grid_x == 0 || grid_y == 0 || grid_z == 0 || grid_y > 65535 || grid_z > 65535 ||
      block_x * block_y * block_z > 512 || static_cast<int>(shared_bytes) > function->max_dynamic_shared)
    return result::invalid_value;
  fake_cuda::launch launch;
  auto object = std::make_shared<std::vector<unsigned char>>(function->function_size);
  std::memcpy(object->data(), parameters[0], function->function_size);
  if (function->has_launch_arguments)
    std::memcpy(&launch.arguments, parameters[1], sizeof(launch.arguments));
  launch.function = object->data();
  const unsigned grid[3] = {grid_x, grid_y, grid_z}, block[3] = {block_x, block_y, block_z};
  std::memcpy(launch.grid, grid, sizeof(grid));
  std::memcpy(launch.block, block, sizeof(block));
  launch.shared_bytes = shared_bytes;
  launch.registers = function->resources.registers;
  stream->push([launch, object, body = function->body, &context = stream->context] {
    if (const result error = body(launch); error != result::success)
      context.error = error;
  });
  return result::success;
}

result cuLaunchKernel(function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                      stream_handle stream, void** parameters, void**) {
  if (const result error = machine::instance().enter_in_context("cuLaunchKernel"); error != result::success)
    return error;
  return launch_kernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
                       parameters);
}
result cuLaunchCooperativeKernel(function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 stream_handle stream, void** parameters) {
  if (const result error = machine::instance().enter_in_context("cuLaunchCooperativeKernel");
      error != result::success)
    return error;
  return launch_kernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
                       parameters);
}
result cuLaunchKernelEx(const launch_configuration* wanted, function_handle function, void** parameters,
                        void**) {
  if (const result error = machine::instance().enter_in_context("cuLaunchKernelEx"); error != result::success)
    return error;
  if (wanted->attribute_count != 1 ||
      wanted->attributes[0].id != launch_attribute_id::programmatic_stream_serialization ||
      wanted->attributes[0].value != 1)
    machine::instance().complain("a launch with other attributes than the backend is known to use");
  else if (function->resources.ptx_target < 90)
    machine::instance().complain("a kernel that does not wait overlaps with the one before");
  return launch_kernel(function, wanted->grid_x, wanted->grid_y, wanted->grid_z, wanted->block_x,
                       wanted->block_y, wanted->block_z, wanted->shared_bytes, wanted->stream, parameters);
}

result cuLinkCreate_v2(unsigned option_count, jit_option* options, void** values, link_handle* link) {
  if (const result error = machine::instance().enter_in_context("cuLinkCreate"); error != result::success)
    return error;
  *link = new link_object{{}, option_count, options, values};
  return result::success;
}
result cuLinkAddData_v2(link_handle link, jit_input, void* data, std::size_t size, const char*, unsigned,
                        jit_option*, void**) {
  link->code.assign(static_cast<const char*>(data), size);
  if (!is_broken(data))
    return machine::instance().enter_in_context("cuLinkAddData");
  log_error(link->option_count, link->options, link->values, COMPLAINT);
  return result::invalid_ptx;
}
result cuLinkComplete(link_handle link, void** cubin, std::size_t* size) {
  *cubin = link->code.data();
  *size = link->code.size();
  return machine::instance().enter_in_context("cuLinkComplete");
}
result cuLinkDestroy(link_handle link) {
  delete link;
  return result::success;
}

} // extern "C"
