// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_making.hpp"

#include "checksum.hpp"
#include "function_replacements.hpp"
#include "jit_loader.hpp"
#include "kernel_cache.hpp"
#include "process/thread_stack.hpp"
#include "request_digest.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace falx {
namespace {

using bytes = std::vector<unsigned char>;

/// LLVM recurses as deeply as its input requires; Clang gives itself 8 MiB. What threads of oneTBB have
/// suffices.
constexpr std::size_t STACK_OF_COMPILERS = std::size_t{3} << 20;

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

/// The process's cache; an empty one if it is not known which JIT would make the kernels, or has made them.
kernel_cache& usable_cache() {
  static kernel_cache& none = *std::make_unique<kernel_cache>(std::string(), 0).release();
  return jit_identity().empty() ? none : kernel_cache::instance();
}

/// What leads from images to a loaded kernel.
class kernel_maker {
public:
  kernel_maker(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
               backend_device& device, const kernel_configuration& configuration,
               const specialization_constants* constants, const launch_constants& known,
               const function_replacements* functions)
      : names_{kernel.name, kernel.pretty_name}, device_(device),
        device_globals_(device_globals_of(images, kernel, functions != nullptr)) {
    for (const kernel_use& use : images)
      request_.images.push_back({use.image()->image().bitcode, use.image()->image().sha256});
    request_.kernel = kernel.name;
    request_.kind = kernel.kind;
    request_.dimensions = kernel.dimensions;
    request_.target = device.jit_target();
    request_.cpu = device.jit_cpu();
    request_.features = device.jit_features();
    request_.host = device.jit_host();
    request_.math_library = device.jit_math_library();
    const std::span<const jit::shared_library> libraries = device.jit_libraries();
    request_.libraries.assign(libraries.begin(), libraries.end());
    request_.config = static_cast<const jit::configuration&>(configuration);
    request_.constants = constants_of(images, constants);
    request_.captured = known.captured;
    request_.aligned = known.aligned;
    std::ranges::copy(known.global_range, request_.global_range);
    request_.functions = functions_of(images, functions);
    request_.device_globals = device_globals_.symbols;
    request_.device_globals_offset =
        (kernel.function_size + ADDRESS_ALIGNMENT - 1) / ADDRESS_ALIGNMENT * ADDRESS_ALIGNMENT;
    portable_key_ = digest_of(request_, jit_identity());
    native_key_ = digest_builder()
                      .add("assembled")
                      .add(portable_key_.high)
                      .add(portable_key_.low)
                      .add(device.assembler_digest())
                      .finish();
  }

  std::unique_ptr<loaded_kernel> make() {
    device_.prepare_for_kernels();
    std::unique_ptr<loaded_kernel> kernel = find_or_compile();
    kernel->device_globals = device_globals_.variables;
    kernel->device_globals_offset = request_.device_globals_offset;
    return kernel;
  }

private:
  std::unique_ptr<loaded_kernel> find_or_compile() {
    const bool assembles = !device_.assembler_digest().empty();
    if (auto kernel = load_cached(assembles ? native_key_ : portable_key_))
      return kernel;
    std::unique_ptr<loaded_kernel> kernel;
    run_with_stack(STACK_OF_COMPILERS,
                   [&] { kernel = assembles ? assemble() : load(portable_key_, compile()); });
    return kernel;
  }

  /// From the JIT's code, which may be there for another driver.
  std::unique_ptr<loaded_kernel> assemble() const {
    bytes code = usable_cache().read(portable_key_);
    if (code.empty()) {
      code = compile();
      usable_cache().store(portable_key_, code);
    }
    bytes native = device_.assemble(code, names_);
    return native.empty() ? load_bytes(std::move(code)) : load(native_key_, std::move(native));
  }

  bytes compile() const {
    jit::response response = jit_compile(request_);
    if (!response.ok)
      throw sycl::exception(response.not_supported ? sycl::errc::kernel_not_supported : sycl::errc::build,
                            response.diagnostic);
    return std::move(response.binary);
  }

  std::unique_ptr<loaded_kernel> load_bytes(bytes code) const {
    return device_.load({.path = {}, .bytes = std::move(code)}, names_);
  }
  /// Null if it cannot be loaded from there: evicted a moment ago, of no use to this backend, or where the
  /// system executes nothing.
  std::unique_ptr<loaded_kernel> load_file(const std::optional<kernel_cache::entry>& entry) const {
    if (!entry)
      return nullptr;
    try {
      return device_.load({.path = entry->path, .bytes = {}}, names_);
    } catch (const sycl::exception&) {
      return nullptr; // the caller makes it from the JIT's code or anew
    }
  }
  /// Null if there is no such entry, or none that can be loaded.
  std::unique_ptr<loaded_kernel> load_cached(const digest128& key) const {
    if (device_.loads_files())
      if (auto kernel = load_file(usable_cache().find(key)))
        return kernel;
    bytes code = usable_cache().read(key);
    if (code.empty())
      return nullptr;
    try {
      return load_bytes(std::move(code));
    } catch (const sycl::exception&) {
      return nullptr; // it is made again
    }
  }
  /// Caches the code and loads it, from the cache if possible.
  std::unique_ptr<loaded_kernel> load(const digest128& key, bytes code) const {
    const std::optional<kernel_cache::entry> entry = usable_cache().store(key, code);
    if (device_.loads_files())
      if (auto kernel = load_file(entry))
        return kernel;
    return load_bytes(std::move(code));
  }

  const kernel_names names_;
  backend_device& device_;
  const device_global_list device_globals_;
  /// All that the code depends on.
  jit::request request_;
  /// Of what the JIT makes, and of what the device's driver makes of that.
  digest128 portable_key_, native_key_;
};

} // namespace

std::unique_ptr<loaded_kernel>
make_kernel(std::span<const kernel_use> images, const image::kernel_metadata& kernel, backend_device& device,
            const kernel_configuration& configuration, const specialization_constants* constants,
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
