// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_improvement.hpp"

#include "ahead_compiler.hpp"
#include "diagnostics/environment.hpp"
#include "jit_loader.hpp"
#include "kernel_cache.hpp"
#include "process/thread_stack.hpp"
#include "request_digest.hpp"

#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <utility>

// The program has asked for none of this, and has code that does what it asked for: where the better code
// cannot be had, nothing is to be said.

namespace falx {

form_history cached_code::history() noexcept {
  try {
    return record_.read();
  } catch (const std::exception&) {
    return {}; // no memory
  }
}

bool cached_code::is_ready() noexcept {
  try {
    return usable_kernel_cache().find(key_).has_value();
  } catch (const std::exception&) {
    return false; // no memory
  }
}

std::unique_ptr<loaded_kernel> cached_code::take_faster() noexcept {
  try {
    if (record_.read().outcome != form_outcome::changes)
      return nullptr;
    std::unique_ptr<loaded_kernel> kernel = loader_.load_cached(key_);
    if (kernel != nullptr && the_environment().reports_scalar_kernels)
      fmt::print(stderr,
                 "falx: kernel '{}' begins in its other form, which was faster in an earlier process\n",
                 loader_.names().pretty);
    return kernel;
  } catch (const std::exception&) {
    return nullptr; // no memory
  }
}

void cached_code::keep(const form_history& history) noexcept {
  try {
    record_.write(history);
  } catch (const std::exception&) {
    // No memory: the next process will find out.
  }
}

/// \p made, or what the JIT makes now; null where \p request fails. Needs STACK_OF_COMPILERS.
static jit::response* compiled(std::optional<jit::response>& made, const jit::request& request) {
  if (!made)
    made = jit_compile(request);
  if (!made->ok)
    return nullptr;
  count_compilation(*made);
  return &*made;
}

kernel_improvement::kernel_improvement(image_state& image, jit::request request, binary_loader loader)
    : cached_code(digest_of(request, jit_identity()), std::move(loader)), image_(image),
      request_(std::move(request)) {}

void kernel_improvement::request() noexcept {
  try {
    ahead_compiler::instance().add(key_, own(request_, {image_.copy_of_bitcode()}),
                                   [key = key_] { return usable_kernel_cache().find(key).has_value(); });
  } catch (const std::exception&) {
    // No memory: a launch will try.
  }
}

bool kernel_improvement::is_ready() noexcept {
  return ahead_compiler::instance().is_ready(key_);
}

std::unique_ptr<loaded_kernel> kernel_improvement::take() noexcept {
  std::unique_ptr<loaded_kernel> kernel;
  try {
    std::optional<jit::response> response = ahead_compiler::instance().take(key_);
    if (!response)
      kernel = loader_.load_cached(key_);
    if (kernel == nullptr)
      run_with_stack(STACK_OF_COMPILERS, [&] {
        if (jit::response* const made = compiled(response, request_))
          kernel = loader_.load(key_, std::move(made->binary));
      });
    if (kernel != nullptr && !request_.takes_other_form)
      offer_other_form(*kernel, image_, request_, loader_);
  } catch (const std::exception&) {
    return nullptr; // as above
  }
  return kernel;
}

other_assembly::other_assembly(backend_device& device, const digest128& portable, const digest128& key,
                               std::vector<unsigned char> code, binary_loader loader)
    : cached_code(key, std::move(loader)), device_(device), portable_(portable), code_(std::move(code)) {}

std::unique_ptr<loaded_kernel> other_assembly::take() noexcept {
  try {
    if (auto kernel = loader_.load_cached(key_))
      return kernel;
    const std::vector<unsigned char> code = code_.empty() ? usable_kernel_cache().read(portable_) : code_;
    if (code.empty())
      return nullptr;
    std::vector<unsigned char> assembled = device_.assemble_otherwise(code, loader_.names());
    return assembled.empty() ? nullptr : loader_.load(key_, std::move(assembled));
  } catch (const std::exception&) {
    return nullptr; // as above
  }
}

learned_form::learned_form(backend_device& device, loaded_kernel& kernel, image_state& image,
                           jit::request request, const digest128& own, const keys& made, binary_loader loader)
    : cached_code(made.native, std::move(loader)), device_(device), kernel_(kernel), image_(image),
      request_(std::move(request)), own_(own), portable_(made.portable) {}

void learned_form::request() noexcept {
  try {
    ahead_compiler::instance().add(portable_, falx::own(request_, {image_.copy_of_bitcode()}),
                                   [] { return false; });
    is_requested_ = true;
  } catch (const std::exception&) {
    // No memory: a launch will try.
  }
}

bool learned_form::is_compiled() noexcept {
  return is_requested_ && ahead_compiler::instance().is_ready(portable_);
}

std::unique_ptr<loaded_kernel> learned_form::take() noexcept {
  std::unique_ptr<loaded_kernel> kernel;
  try {
    const bool is_done = is_compiled();
    std::optional<jit::response> response = ahead_compiler::instance().take(portable_);
    kernel = loader_.load_cached(key_);
    const std::vector<unsigned char> own = usable_kernel_cache().read(own_);
    const bool is_refused = is_done && !response; // the JIT would say so again
    if (kernel != nullptr || own.empty() || is_refused)
      return kernel;
    run_with_stack(STACK_OF_COMPILERS, [&] {
      const jit::response* const made = compiled(response, request_);
      if (made == nullptr)
        return;
      std::vector<unsigned char> native = device_.assemble_in_place_of(own, made->binary, loader_.names());
      if (!native.empty())
        kernel = loader_.load(key_, std::move(native));
    });
  } catch (const std::exception&) {
    return nullptr; // as above
  }
  return kernel;
}

void learned_form::decide(form_outcome outcome) noexcept {
  if (outcome != form_outcome::changes)
    kernel_.give_up();
}

void offer_other_form(loaded_kernel& kernel, image_state& image, jit::request request,
                      const binary_loader& loader) {
  if (!kernel.has_other_form())
    return;
  request.takes_other_form = true;
  kernel.expect_other_form(std::make_unique<kernel_improvement>(image, std::move(request), loader));
}

} // namespace falx
