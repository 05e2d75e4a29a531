// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/ahead_of_time.hpp"

#include "compiled_bundle.hpp"
#include "compiled_kernels.hpp"
#include "image_registry.hpp"
#include "jit_loader.hpp"
#include "kernel_request.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace falx {
namespace {

/// The images of a program, registered as its constructors would. Objects of the program have addresses that
/// stand for them: those of constants are told apart by nobody here.
class program_images {
public:
  program_images(const byte_range* images, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      add(images[i]);
    for (const auto& each : all_)
      falx_register_image(&each->registration);
  }
  ~program_images() {
    for (const auto& each : all_)
      falx_unregister_image(&each->registration);
  }
  program_images(const program_images&) = delete;
  program_images& operator=(const program_images&) = delete;

  template <class Visitor>
  void visit(const Visitor& visit_image) const {
    for (const auto& each : all_)
      visit_image(state_of(each->registration));
  }

private:
  struct registered {
    image_registration registration{};
    std::vector<const void*> constants, device_globals;
  };

  void add(const byte_range& bytes) {
    std::string error;
    const std::optional<image::device_image> image = image::parse({bytes.begin, bytes.end}, error);
    if (!image)
      throw sycl::exception(sycl::errc::invalid,
                            "a device image is damaged: " + error + "; recompile the file");
    auto added = std::make_unique<registered>();
    added->constants.assign(image->constants.size(), added.get());
    // Translation units share the variables whose symbols they share; others have names of their own.
    for (const image::global_metadata& global : image->globals)
      added->device_globals.push_back(&variables_[std::string(global.symbol)]);
    added->registration = {.interface_version = INTERFACE_VERSION,
                           .begin = bytes.begin,
                           .end = bytes.end,
                           .runtime_state = nullptr,
                           .next = nullptr,
                           .kernels = nullptr,
                           .kernel_count = 0,
                           .constants = added->constants.data(),
                           .constant_count = added->constants.size(),
                           .device_globals = added->device_globals.data(),
                           .device_global_count = added->device_globals.size()};
    all_.push_back(std::move(added));
  }

  std::map<std::string, char> variables_;
  std::vector<std::unique_ptr<registered>> all_;
};

std::vector<compiled_target> parse_targets(std::string_view names) {
  std::vector<compiled_target> targets;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    std::optional<compiled_target> target = compiled_target_named(name);
    if (!target)
      throw sycl::exception(sycl::errc::invalid,
                            fmt::format("kernels cannot be compiled ahead of time for '{}'; there are {}",
                                        name, compiled_target_names()));
    if (std::ranges::find(targets, name, &compiled_target::name) == targets.end())
      targets.push_back(std::move(*target));
  }
  return targets;
}

std::string in_words(const jit::configuration& configuration) {
  std::string words;
  const auto add = [&](const std::string& text) { words += (words.empty() ? "" : ", ") + text; };
  const auto& local = configuration.local_range;
  if (local[0] != 0)
    add(fmt::format("work-groups of {}x{}x{}", local[0], local[1], local[2]));
  if (configuration.sub_group_size != 0)
    add(fmt::format("sub-groups of {}", configuration.sub_group_size));
  if (configuration.narrow_indices)
    add("indices below 2^31, no offset");
  return words;
}

/// Compiles what the images have, for each target.
class ahead_of_time_compiler {
public:
  ahead_of_time_compiler(std::vector<compiled_target> targets, const byte_range* known,
                         std::size_t known_count, const ahead_of_time_results& results)
      : targets_(std::move(targets)), writer_(targets_), results_(results) {
    for (std::size_t i = 0; i < known_count; ++i) {
      std::string ignored;
      if (std::optional<compiled_bundle> bundle = parse_bundle({known[i].begin, known[i].end}, ignored);
          bundle && bundle->is_usable())
        for (const compiled_kernel& kernel : bundle->kernels)
          known_.insert(kernel.key.hex());
    }
  }

  void compile(image_state& image) {
    std::vector<kernel_use> images;
    try {
      images = images_for(image);
    } catch (const sycl::exception& error) {
      // Another file defines it, or a shared library.
      return remark(fmt::format("kernels are compiled when they are launched: {}", error.what()));
    }
    for (const image::kernel_metadata& kernel : image.image().kernels)
      for (std::size_t target = 0; target < targets_.size(); ++target)
        compile(images, kernel, target);
  }

  void finish() const {
    if (writer_.empty())
      return;
    const std::vector<unsigned char> bundle = writer_.finish();
    results_.take_bundle(results_.data, bundle.data(), bundle.size());
  }

private:
  void compile(std::span<const kernel_use> images, const image::kernel_metadata& kernel, std::size_t index) {
    const compiled_target& target = targets_[index];
    kernel_request made = make_kernel_request(images, kernel, nullptr, nullptr);
    jit::request& request = made.request;
    request.target = target.jit_target;
    request.cpu = target.cpu;
    request.host = target.host;
    add_libraries_of(target, request);
    for (const jit::configuration& configuration : configurations_ahead_of_time(kernel, target)) {
      const digest128 key = key_ahead_of_time(request, target, configuration);
      if (known_.contains(key.hex()) || writer_.has(key))
        continue;
      request.config = configuration;
      const jit::response response = jit_compile(request);
      count_compilation(response);
      if (!response.ok)
        return remark(fmt::format("kernel '{}' is not compiled ahead of time for {}: {}", kernel.pretty_name,
                                  target.name, response.diagnostic));
      writer_.add(key, index, in_words(configuration), kernel.pretty_name, response.binary);
    }
  }

  void remark(const std::string& sentence) const { results_.take_remark(results_.data, sentence.c_str()); }

  const std::vector<compiled_target> targets_;
  bundle_writer writer_;
  const ahead_of_time_results results_;
  std::set<std::string> known_;
};

} // namespace

void compile_ahead_of_time(const byte_range* images, std::size_t image_count, const char* targets,
                           const byte_range* known, std::size_t known_count, bool is_linked,
                           const ahead_of_time_results& results) {
  ahead_of_time_compiler compiler(parse_targets(targets), known, known_count, results);
  const program_images program(images, image_count);
  program.visit([&](image_state& image) {
    if (is_linked || image.image().imports.empty())
      compiler.compile(image);
  });
  compiler.finish();
}

void describe_compiled_kernels(const byte_range& bytes,
                               void (*take)(void* data, const compiled_kernel_description& kernel),
                               void (*take_problem)(void* data, const char* problem), void* data) {
  std::string error;
  const std::optional<compiled_bundle> bundle = parse_bundle({bytes.begin, bytes.end}, error);
  if (!bundle)
    return take_problem(data, error.c_str());
  for (const compiled_kernel& kernel : bundle->kernels)
    take(data, {std::string(kernel.name).c_str(), bundle->targets[kernel.target].name.c_str(),
                std::string(kernel.configuration).c_str(), kernel.size,
                bundle->is_usable() && bundle->binary_of(kernel).has_value()});
}

} // namespace falx
