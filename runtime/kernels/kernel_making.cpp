// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_making.hpp"

#include "ahead_compiler.hpp"
#include "binary_loader.hpp"
#include "checksum.hpp"
#include "compiled_kernels.hpp"
#include "diagnostics/environment.hpp"
#include "falx/cache.hpp"
#include "jit_loader.hpp"
#include "kernel_cache.hpp"
#include "kernel_improvement.hpp"
#include "kernel_request.hpp"
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

/// What leads from images to a loaded kernel.
class kernel_maker {
public:
  kernel_maker(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
               backend_device& device, const kernel_configuration& configuration,
               const specialization_constants* constants, const launch_constants& known,
               const function_replacements* functions, std::uint64_t work_items)
      : loader_(device, {kernel.name, kernel.pretty_name}, images.front().image()->image().sha256),
        kernel_(kernel), device_(device), images_(images),
        made_(make_kernel_request(images, kernel, constants, functions)), disjoint_(configuration.disjoint) {
    add_target(device, request_);
    request_.config = static_cast<const jit::configuration&>(configuration);
    request_.captured = known.captured;
    request_.aligned = known.aligned;
    std::ranges::copy(known.global_range, request_.global_range);
    add_disjoint(request_, kernel, configuration.disjoint);
    portable_key_ = digest_of(request_, jit_identity());
    native_key_ = key_of_assembled(portable_key_);
    const code_tier tier = the_environment().code_tier;
    if (tier == code_tier::best || work_items == 0 || !device.has_quick_code() || !is_of_one_image())
      return;
    tiered_ =
        for_tier(request_, tier == code_tier::quick ? jit::tier::quick : jit::tier::estimated, work_items);
    tiered_key_ = digest_of(*tiered_, jit_identity());
  }

  std::unique_ptr<loaded_kernel> make() {
    device_.prepare_for_kernels();
    return with_variables(find_or_compile());
  }

  std::unique_ptr<loaded_kernel> make_to_compare(const learned_version& version) {
    if (!is_of_one_image() || device_.assembler_digest().empty())
      return nullptr;
    std::unique_ptr<loaded_kernel> kernel = loader_.load_cached(native_key_);
    if (kernel == nullptr || !kernel->has_other_form())
      return nullptr;
    launch_constants learned;
    version.add_to(learned);
    jit::request request = request_;
    request.keeps_results = true;
    request.integers = std::move(learned.captured);
    request.aligned = std::move(learned.aligned);
    const digest128 portable = digest_of(request, jit_identity());
    const learned_form::keys made{portable, key_of_assembled(portable)};
    auto form = std::make_unique<learned_form>(device_, *kernel, *images_.front().image(), std::move(request),
                                               portable_key_, made, loader_);
    // It knows the same values, whose trial came to that in an earlier process.
    if (form->history().outcome == form_outcome::keeps)
      return nullptr;
    kernel->expect_other_form(std::move(form));
    kernel->note_long_runs(); // no plan leads to it, as launches are to agree with the version
    return with_variables(std::move(kernel));
  }

private:
  std::unique_ptr<loaded_kernel> with_variables(std::unique_ptr<loaded_kernel> kernel) const {
    kernel->device_globals = made_.device_globals;
    kernel->device_globals_offset = request_.device_globals_offset;
    kernel->disjoint = disjoint_;
    return kernel;
  }

  /// Of what the device's driver makes of the code with that key, in one way or the other.
  digest128 key_of_assembled(const digest128& portable, std::string_view way = "assembled") const {
    return digest_builder()
        .add(way)
        .add(portable.high)
        .add(portable.low)
        .add(device_.assembler_digest())
        .finish();
  }

  /// Other images may be gone when other code is made.
  bool is_of_one_image() const { return images_.size() == 1 && request_.functions.empty(); }

  std::unique_ptr<loaded_kernel> find_or_compile() {
    const bool assembles = !device_.assembler_digest().empty();
    if (auto kernel = loader_.load_cached(assembles ? native_key_ : portable_key_))
      return assembles ? with_other_assembly(std::move(kernel), portable_key_, {})
                       : with_other_form(std::move(kernel));
    if (tiered_)
      if (auto kernel = loader_.load_cached(tiered_key_))
        return with_improvement(std::move(kernel));
    std::unique_ptr<loaded_kernel> kernel;
    run_with_stack(STACK_OF_COMPILERS, [&] {
      kernel = load_compiled_ahead();
      if (kernel == nullptr)
        kernel = assembles ? assemble() : compile_and_load();
    });
    return kernel;
  }

  /// The kernel, of quick code.
  std::unique_ptr<loaded_kernel> with_improvement(std::unique_ptr<loaded_kernel> kernel) const {
    if (tiered_->tier == jit::tier::estimated)
      kernel->expect_better(
          std::make_unique<kernel_improvement>(*images_.front().image(), request_, loader_));
    return kernel;
  }

  /// The kernel, of the best code.
  std::unique_ptr<loaded_kernel> with_other_form(std::unique_ptr<loaded_kernel> kernel) const {
    if (the_environment().code_tier == code_tier::automatic && is_of_one_image())
      offer_other_form(*kernel, *images_.front().image(), request_, loader_);
    return kernel;
  }

  /// The kernel, made of the code with that key, which is given if it is not cached.
  std::unique_ptr<loaded_kernel> with_other_assembly(std::unique_ptr<loaded_kernel> kernel,
                                                     const digest128& portable, bytes code) const {
    if (the_environment().code_tier == code_tier::automatic && kernel->has_other_form())
      kernel->expect_other_form(std::make_unique<other_assembly>(
          device_, portable, key_of_assembled(portable, "assembled otherwise"), std::move(code), loader_));
    return kernel;
  }

  std::unique_ptr<loaded_kernel> compile_and_load() const {
    jit::response made = compile();
    return made.is_quick ? with_improvement(loader_.load(tiered_key_, std::move(made.binary)))
                         : with_other_form(loader_.load(portable_key_, std::move(made.binary)));
  }

  /// From the program. Null if it has nothing that serves this launch on this device.
  std::unique_ptr<loaded_kernel> load_compiled_ahead() const {
    // What launches have in common was learned to be compiled for.
    const bool is_learned =
        request_.captured.size() > kernel_.specialized_parts.size() || !request_.aligned.empty() ||
        std::ranges::any_of(request_.global_range, [](auto extent) { return extent != 0; });
    if (is_learned || !has_compiled_kernels())
      return nullptr;
    for (compiled_code& code : compiled_code_for(request_, kernel_, device_))
      try {
        if (device_.assembler_digest().empty())
          return with_other_form(loader_.load_bytes(std::move(code.binary)));
        const digest128 native_key = key_of_assembled(code.key);
        if (auto kernel = loader_.load_cached(native_key))
          return with_other_assembly(std::move(kernel), code.key, std::move(code.binary));
        return load_assembled(code.key, std::move(code.binary), /*is_cached=*/false);
      } catch (const sycl::exception&) {
        // It needs libraries or a driver that this machine does not have.
      }
    return nullptr;
  }

  /// From the JIT's code, which may be there for another driver.
  std::unique_ptr<loaded_kernel> assemble() const {
    bytes code = usable_kernel_cache().read(portable_key_);
    bool is_cached = !code.empty();
    if (!is_cached) {
      code = compile().binary;
      is_cached = usable_kernel_cache().store(portable_key_, code).has_value();
    }
    return load_assembled(portable_key_, std::move(code), is_cached);
  }

  std::unique_ptr<loaded_kernel> load_assembled(const digest128& portable, bytes code, bool is_cached) const {
    bytes native = device_.assemble(code, loader_.names());
    if (native.empty())
      return loader_.load_bytes(std::move(code));
    return with_other_assembly(loader_.load(key_of_assembled(portable), std::move(native)), portable,
                               is_cached ? bytes() : std::move(code));
  }

  const jit::request& requested() const { return tiered_ ? *tiered_ : request_; }

  void forecast() const { images_.front().image()->forecast().see(images_, kernel_, requested(), device_); }

  /// From the JIT, which may have been asked on an idle processor.
  jit::response ask_jit() const {
    std::optional<jit::response> response;
    if (tiered_)
      response = ahead_compiler::instance().take(tiered_key_);
    if (!response)
      response = ahead_compiler::instance().take(portable_key_);
    // The first compilation loads the JIT and has it prepare itself: no idle thread shall be at that.
    const bool is_first = jit_compilations() == 0;
    if (!is_first)
      forecast();
    if (!response)
      response = jit_compile(requested());
    count_compilation(*response);
    if (is_first)
      forecast();
    return std::move(*response);
  }

  jit::response ask_jit_or_explain() const {
    try {
      return ask_jit();
    } catch (const sycl::exception& error) {
      if (!has_compiled_kernels())
        throw;
      throw sycl::exception(error.code(),
                            error.what() +
                                std::string("; of the kernels that were compiled ahead of time none is for "
                                            "this device and launch, and of this build of Falx (falx-info "
                                            "PROGRAM lists them)"));
    }
  }

  jit::response compile() const {
    jit::response response = ask_jit_or_explain();
    if (!response.ok)
      throw sycl::exception(response.not_supported ? sycl::errc::kernel_not_supported : sycl::errc::build,
                            response.diagnostic);
    return response;
  }

  const binary_loader loader_;
  const image::kernel_metadata& kernel_;
  backend_device& device_;
  const std::span<const kernel_use> images_;
  kernel_request made_;
  /// All that the code depends on.
  jit::request& request_ = made_.request;
  /// Of what the JIT makes, and of what the device's driver makes of that.
  digest128 portable_key_, native_key_;
  const std::uint64_t disjoint_;
  /// What is requested where quick code may do, and the key of that.
  std::optional<jit::request> tiered_;
  digest128 tiered_key_;
};

} // namespace

std::unique_ptr<loaded_kernel>
make_kernel(std::span<const kernel_use> images, const image::kernel_metadata& kernel, backend_device& device,
            const kernel_configuration& configuration, const specialization_constants* constants,
            const launch_constants& known, const function_replacements* functions, std::uint64_t work_items) {
  try {
    return kernel_maker(images, kernel, device, configuration, constants, known, functions, work_items)
        .make();
  } catch (const sycl::exception& error) {
    const std::string_view reason = error.what();
    if (reason.find(kernel.pretty_name) != std::string_view::npos &&
        reason.find(device.description().name) != std::string_view::npos)
      throw;
    throw sycl::exception(error.code(), "kernel '" + kernel.pretty_name + "' could not be compiled for " +
                                            device.description().name + ": " + std::string(reason));
  }
}

std::unique_ptr<loaded_kernel>
make_kernel_to_compare(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
                       backend_device& device, const kernel_configuration& configuration,
                       const specialization_constants* constants, const launch_constants& known,
                       const learned_version& version) {
  return kernel_maker(images, kernel, device, configuration, constants, known, /*functions=*/nullptr,
                      /*work_items=*/0)
      .make_to_compare(version);
}

} // namespace falx
