// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_request.hpp"

#include "adaptivity/disjoint_pointers.hpp"
#include "devices/device_aspects.hpp"
#include "falx/kernel.hpp"
#include "function_replacements.hpp"
#include "memory/device_globals.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <string_view>

namespace falx {
namespace {

/// The values as the JIT wants them: in the order of the images and their constants.
std::vector<jit::specialization_constant> constants_of(std::span<const kernel_use> images,
                                                       const specialization_constants* values) {
  std::vector<jit::specialization_constant> result;
  if (values == nullptr)
    return result;
  for (std::size_t index = 0; index < images.size(); ++index) {
    const image_state& image = *images[index].image();
    for (std::size_t i = 0; i < image.image().constants.size(); ++i)
      if (const image::constant_metadata& constant = image.image().constants[i];
          const specialization_constants::value* value = values->value_of(image.constant_id(i)))
        result.push_back({static_cast<std::uint32_t>(index), constant.symbol, value->bytes});
  }
  return result;
}

std::size_t index_of(std::span<const kernel_use> images, const function_descriptor& function) {
  const image_state& image = state_of(*function.image);
  return static_cast<std::size_t>(
      std::ranges::find(images, &image, [](const kernel_use& use) { return use.image(); }) - images.begin());
}

/// The replacements as the JIT wants them: functions as symbols of the images.
std::vector<jit::function_replacement> functions_of(std::span<const kernel_use> images,
                                                    const function_replacements* functions) {
  std::vector<jit::function_replacement> result;
  if (functions == nullptr)
    return result;
  for (const function_replacements::replacement& each : functions->all()) {
    jit::function_replacement& replacement = result.emplace_back();
    replacement.function = each.function->name;
    if (each.function->is_local != 0) {
      const std::size_t index = index_of(images, *each.function);
      if (index == images.size()) { // the kernel does not call functions of that image
        result.pop_back();
        continue;
      }
      replacement.only_image = static_cast<std::int64_t>(index);
    }
    for (const function_descriptor* definition : each.definitions) {
      const image_state& image = state_of(*definition->image);
      const std::string_view symbol = definition->name;
      replacement.definitions.push_back(
          {static_cast<std::uint32_t>(index_of(images, *definition)), symbol,
           image.exports(symbol) ||
               std::ranges::find(image.image().imports, symbol) != image.image().imports.end()});
    }
  }
  return result;
}

/// Where the addresses of device globals go.
constexpr std::size_t ADDRESS_ALIGNMENT = 8;

/// Which device globals a kernel may use, in the order of their slots, and how its images call them.
struct device_global_list {
  std::vector<device_global_variable> variables;
  std::vector<jit::device_global> symbols;
};

void check_image_scope(const image::global_metadata& global, const void* address) {
  if (!global.image_scope)
    return;
  const device_global_uses uses = uses_of_device_global(address);
  if (uses.users > 1)
    throw sycl::exception(sycl::errc::build,
                          "device global '" + uses.name +
                              "' has property device_image_scope, but kernels of " +
                              std::to_string(uses.users) +
                              " translation units use it, which are different device images; remove the "
                              "property, or use the variable in one translation unit");
}

device_global_list device_globals_of(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
                                     bool has_functions) {
  device_global_list list;
  const bool calls_exports = images.size() > 1 || has_functions;
  for (std::size_t index = 0; index < images.size(); ++index) {
    const image_state& image = *images[index].image();
    for (std::size_t i = 0; i < image.image().globals.size(); ++i) {
      const image::global_metadata& global = image.image().globals[i];
      if (!may_use(kernel.name, index, global.kernels, calls_exports && global.used_by_exports))
        continue;
      const void* const address = image.device_global(i);
      check_image_scope(global, address);
      const auto known = std::ranges::find(list.variables, address, &device_global_variable::address);
      list.symbols.push_back({static_cast<std::uint32_t>(index), global.symbol,
                              static_cast<std::uint32_t>(known - list.variables.begin())});
      if (known == list.variables.end())
        list.variables.push_back({address, global.size, global.alignment});
    }
  }
  return list;
}

} // namespace

jit::request for_best_code(jit::request request) {
  return for_tier(std::move(request), jit::tier::best, 0);
}

jit::request for_tier(jit::request request, jit::tier tier, std::uint64_t work_items) {
  // 1, 16, 256, ...
  const auto bits = static_cast<unsigned>(std::bit_width(work_items == 0 ? 0 : work_items - 1));
  request.tier = tier;
  request.expected_work_items =
      tier == jit::tier::estimated ? std::uint64_t{1} << std::min((bits + 3) / 4 * 4, 60U) : 0;
  return request;
}

void add_disjoint(jit::request& request, const image::kernel_metadata& kernel, std::uint64_t disjoint) {
  constexpr std::size_t MOST = disjoint_pointers::MOST;
  for (std::size_t i = 0; i < kernel.captured_pointers.size() && i < MOST; ++i)
    if ((disjoint >> i & 1) != 0)
      request.disjoint.push_back(kernel.captured_pointers[i]);
  for (std::size_t i = 0; i < kernel.accessor_offsets.size() && i < MOST; ++i)
    if ((disjoint >> (MOST + i) & 1) != 0) {
      const std::size_t offset = kernel.accessor_offsets[i];
      request.disjoint.push_back(offset % 2 == 0 ? offset + offsetof(accessor_core, data) : offset - 1);
    }
  std::ranges::sort(request.disjoint);
}

void add_target(const backend_device& device, jit::request& request) {
  request.target = device.jit_target();
  request.cpu = device.jit_cpu();
  request.features = device.jit_features();
  request.host = device.jit_host();
  request.math_library = device.jit_math_library();
  const std::span<const jit::shared_library> libraries = device.jit_libraries();
  request.libraries.assign(libraries.begin(), libraries.end());
  request.aspects = aspects_of(device.description());
}

kernel_request make_kernel_request(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
                                   const specialization_constants* constants,
                                   const function_replacements* functions) {
  kernel_request made;
  jit::request& request = made.request;
  for (const kernel_use& use : images)
    request.images.push_back({use.image()->image().bitcode, use.image()->image().sha256});
  request.kernel = kernel.name;
  request.kind = kernel.kind;
  request.dimensions = kernel.dimensions;
  request.constants = constants_of(images, constants);
  request.functions = functions_of(images, functions);
  device_global_list globals = device_globals_of(images, kernel, functions != nullptr);
  request.device_globals = std::move(globals.symbols);
  made.device_globals = std::move(globals.variables);
  request.device_globals_offset =
      (kernel.function_size + ADDRESS_ALIGNMENT - 1) / ADDRESS_ALIGNMENT * ADDRESS_ALIGNMENT;
  return made;
}

} // namespace falx
