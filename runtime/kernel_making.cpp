// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_making.hpp"

#include "checksum.hpp"
#include "function_replacements.hpp"
#include "jit_loader.hpp"
#include "kernel_cache.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace falx {
namespace {

using bytes = std::vector<unsigned char>;

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

/// The process's cache; an empty one if it is not known which JIT would make the kernels.
kernel_cache usable_cache() {
  return jit_identity().empty() ? kernel_cache({}, 0) : kernel_cache::instance();
}

/// What leads from images to a loaded kernel.
class kernel_maker {
public:
  kernel_maker(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
               backend_device& device, const jit::configuration& configuration,
               const specialization_constants* constants, const launch_constants& known,
               const function_replacements* functions)
      : images_(images), kernel_(kernel), names_{kernel.name, kernel.pretty_name}, device_(device),
        configuration_(configuration), constants_(constants_of(images, constants)),
        device_globals_(device_globals_of(images, kernel, functions != nullptr)), known_(known),
        functions_(functions_of(images, functions)), cache_(usable_cache()) {}

  std::unique_ptr<loaded_kernel> make() {
    std::unique_ptr<loaded_kernel> kernel = find_or_compile();
    kernel->device_globals = device_globals_.variables;
    kernel->device_globals_offset = device_globals_offset();
    return kernel;
  }

private:
  std::unique_ptr<loaded_kernel> find_or_compile() {
    const bool assembles = !device_.assembler_digest().empty();
    if (assembles)
      if (auto kernel = load_cached(native_key()))
        return kernel;
    const digest128 key = portable_key();
    if (!assembles) {
      if (auto kernel = load_cached(key))
        return kernel;
      return load(key, compile());
    }
    bytes code;
    if (const std::optional<kernel_cache::entry> entry = cache_.find(key))
      code = kernel_cache::read(*entry);
    if (code.empty()) { // not there, or evicted a moment ago
      code = compile();
      cache_.store(key, code);
    }
    bytes native = device_.assemble(code, names_);
    return native.empty() ? load_bytes(std::move(code)) : load(native_key(), std::move(native));
  }

  std::size_t device_globals_offset() const noexcept {
    return (kernel_.function_size + ADDRESS_ALIGNMENT - 1) / ADDRESS_ALIGNMENT * ADDRESS_ALIGNMENT;
  }

  /// Everything that what the JIT makes depends on.
  digest_builder portable_fields() const {
    digest_builder key;
    key.add(jit_identity()).add(device_.jit_target()).add(device_.target_digest()).add(kernel_.name);
    for (std::uint32_t extent : configuration_.local_range)
      key.add(extent);
    key.add(configuration_.sub_group_size).add(configuration_.optimization_level);
    key.add(configuration_.narrow_indices).add(configuration_.linear_grid).add(configuration_.no_offset);
    key.add(configuration_.captured[0]).add(configuration_.captured[1]).add(images_.size());
    for (const kernel_use& use : images_)
      key.add(use.image()->image().sha256);
    for (const jit::specialization_constant& constant : constants_)
      key.add(constant.image)
          .add(constant.symbol)
          .add({reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size()});
    for (const jit::function_replacement& replacement : functions_) {
      key.add(replacement.function).add(static_cast<std::uint64_t>(replacement.only_image));
      key.add(replacement.definitions.size());
      for (const jit::image_function& definition : replacement.definitions)
        key.add(definition.image).add(definition.symbol);
    }
    for (const jit::device_global& global : device_globals_.symbols)
      key.add("device global").add(global.image).add(global.symbol).add(global.slot);
    return key;
  }
  digest128 portable_key() const { return portable_fields().finish(); }
  digest128 native_key() const {
    return portable_fields().add("assembled").add(device_.assembler_digest()).finish();
  }

  bytes compile() const {
    jit::request request;
    for (const kernel_use& use : images_)
      request.images.push_back(use.image()->image().bitcode);
    request.kernel = kernel_.name;
    request.kind = kernel_.kind;
    request.dimensions = kernel_.dimensions;
    request.target = device_.jit_target();
    request.cpu = device_.jit_cpu();
    request.features = device_.jit_features();
    request.math_library = device_.jit_math_library();
    request.config = configuration_;
    request.constants = constants_;
    request.functions = functions_;
    request.device_globals = device_globals_.symbols;
    request.device_globals_offset = device_globals_offset();
    request.captured = known_.captured;
    request.aligned = known_.aligned;
    std::ranges::copy(known_.global_range, request.global_range);
    jit::response response = jit_compile(request);
    if (!response.ok)
      throw sycl::exception(response.not_supported ? sycl::errc::kernel_not_supported : sycl::errc::build,
                            response.diagnostic);
    return std::move(response.binary);
  }

  std::unique_ptr<loaded_kernel> load_bytes(bytes code) const {
    return device_.load({.path = {}, .bytes = std::move(code), .size = 0}, names_);
  }
  /// Null if there is no such entry, or none that can be loaded.
  std::unique_ptr<loaded_kernel> load_entry(const std::optional<kernel_cache::entry>& entry) const {
    if (!entry)
      return nullptr;
    try {
      return device_.load({.path = entry->path, .bytes = {}, .size = entry->size}, names_);
    } catch (const sycl::exception&) {
      // Evicted a moment ago, or of no use to this backend: there is another way.
      return nullptr;
    }
  }
  std::unique_ptr<loaded_kernel> load_cached(const digest128& key) const {
    return load_entry(cache_.find(key));
  }
  /// Caches the code and loads it, from the cache if possible.
  std::unique_ptr<loaded_kernel> load(const digest128& key, bytes code) const {
    if (auto kernel = load_entry(cache_.store(key, code)))
      return kernel;
    return load_bytes(std::move(code));
  }

  const std::span<const kernel_use> images_;
  const image::kernel_metadata& kernel_;
  const kernel_names names_;
  backend_device& device_;
  const jit::configuration& configuration_;
  const std::vector<jit::specialization_constant> constants_;
  const device_global_list device_globals_;
  const launch_constants& known_;
  const std::vector<jit::function_replacement> functions_;
  const kernel_cache cache_;
};

} // namespace

std::unique_ptr<loaded_kernel>
make_kernel(std::span<const kernel_use> images, const image::kernel_metadata& kernel, backend_device& device,
            const jit::configuration& configuration, const specialization_constants* constants,
            const launch_constants& known, const function_replacements* functions) {
  try {
    return kernel_maker(images, kernel, device, configuration, constants, known, functions).make();
  } catch (const sycl::exception& error) {
    const std::string_view reason = error.what();
    if (reason.find(kernel.pretty_name) != std::string_view::npos &&
        reason.find(device.description().name) != std::string_view::npos)
      throw;
    throw sycl::exception(error.code(), "kernel '" + kernel.pretty_name + "' could not be compiled for " +
                                            device.description().name + ": " + std::string(reason));
  }
}

} // namespace falx
