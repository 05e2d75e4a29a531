// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/operation.hpp"
#include "binary_loader.hpp"
#include "form_record.hpp"
#include "image_registry.hpp"
#include "jit/request/request.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace falx {

/// LLVM recurses as deeply as its input requires; Clang gives itself 8 MiB. What threads of oneTBB have
/// suffices.
constexpr std::size_t STACK_OF_COMPILERS = std::size_t{3} << 20;

/// Other code that the kernel cache may have, with what is known of it.
class cached_code : public other_code {
public:
  form_history history() noexcept final;
  /// It is in the cache.
  bool is_ready() noexcept override;
  std::unique_ptr<loaded_kernel> take_faster() noexcept final;
  void keep(const form_history& history) noexcept final;

protected:
  cached_code(const digest128& key, binary_loader loader)
      : key_(key), loader_(std::move(loader)), record_(key) {}
  ~cached_code() override = default;

  const digest128 key_;
  const binary_loader loader_;

private:
  const form_record record_;
};

/// The best code for a kernel that has quick code, or its other form. Lives no longer than the kernel, whose
/// launches, which call it, keep the image in the process.
class kernel_improvement final : public cached_code {
public:
  /// \p request is for that code, and of \p image alone.
  kernel_improvement(image_state& image, jit::request request, binary_loader loader);

  void request() noexcept override;
  bool is_ready() noexcept override;
  std::unique_ptr<loaded_kernel> take() noexcept override;

private:
  image_state& image_;
  const jit::request request_;
};

/// What a device's driver makes of the same code otherwise. Lives no longer than the kernel. Made by the
/// launch that takes it, as drivers' assemblers do not outlive exit, at which idle threads are not waited
/// for.
class other_assembly final : public cached_code {
public:
  /// \p portable is the key of what is assembled, \p key that of the result. \p code is empty if it is
  /// cached.
  other_assembly(backend_device& device, const digest128& portable, const digest128& key,
                 std::vector<unsigned char> code, binary_loader loader);

  void request() noexcept override {}
  std::unique_ptr<loaded_kernel> take() noexcept override;

private:
  backend_device& device_;
  const digest128 portable_;
  const std::vector<unsigned char> code_;
};

/// Code that knows captured integers and alignments of pointers, for launches that agree in these. Lives no
/// longer than the kernel. What the JIT does for it is done where a processor is idle, if there is one.
class learned_form final : public cached_code {
public:
  /// The keys of what the JIT makes and of what the driver makes of that.
  struct keys {
    digest128 portable, native;
  };
  /// \p request is for the code, and of \p image alone; \p own is the key of what the JIT made for \p kernel,
  /// which has this as its other form.
  learned_form(backend_device& device, loaded_kernel& kernel, image_state& image, jit::request request,
               const digest128& own, const keys& made, binary_loader loader);

  void request() noexcept override;
  bool is_compiled() noexcept override;
  std::unique_ptr<loaded_kernel> take() noexcept override;
  /// Launches are as if nothing had been learned, unless that is faster.
  void decide(form_outcome outcome) noexcept override;
  const char* difference() const noexcept override { return ", knowing what its launches have in common"; }
  unsigned cost() const noexcept override { return 8; }

private:
  backend_device& device_;
  loaded_kernel& kernel_;
  image_state& image_;
  const jit::request request_;
  const digest128 own_, portable_;
  bool is_requested_ = false; // by the launch that takes it, or one before
};

/// Lets the kernel, which is what \p request asked for, with the best code, take its other form if it has
/// one. Throws std::bad_alloc.
void offer_other_form(loaded_kernel& kernel, image_state& image, jit::request request,
                      const binary_loader& loader);

} // namespace falx
