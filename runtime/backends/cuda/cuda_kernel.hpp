// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "cuda_context.hpp"
#include "cuda_derived_arguments.hpp"
#include "cuda_description.hpp"
#include "cuda_form_trial.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace falx {

/// A module with one kernel, in the context of one device.
class cuda_kernel final : public loaded_kernel {
public:
  /// Throws sycl::exception with errc::build if the driver refuses the code.
  cuda_kernel(cuda_context& context, const cuda_limits& limits, const kernel_binary& binary,
              const kernel_names& names);
  ~cuda_kernel() override;

  bool has_other_form() const noexcept override { return true; }
  void expect_other_form(std::unique_ptr<other_code> other) override;
  /// Null unless there is another form.
  cuda_form_trial* trial() noexcept { return trial_.get(); }

  cuda::function_handle function() const noexcept { return function_; }
  /// Of each work-item.
  int registers() const noexcept { return registers_; }
  /// Of what the driver was given: machine code, or PTX.
  std::size_t code_bytes() const noexcept { return code_bytes_; }
  /// Of a block.
  std::uint64_t max_threads() const noexcept { return max_threads_; }
  /// Bytes of each work-item's variables that are not in registers.
  std::uint64_t private_bytes() const noexcept { return private_; }
  /// Whether its code calls the driver's vprintf.
  bool prints() const noexcept { return prints_; }
  /// What the host computes for each launch.
  const cuda_derived_arguments& derived_arguments() const noexcept { return derived_; }
  /// Whether it may be launched while what is before it in its stream ends.
  bool may_overlap() const noexcept { return may_overlap_; }
  /// Throws sycl::exception with errc::nd_range or errc::memory_allocation, with numbers, if no block of \p
  /// threads with \p dynamic_shared bytes of local memory can run. Raises the function's limit if need be.
  void prepare_launch(std::uint64_t threads, std::size_t dynamic_shared, const char* name);
  /// How many such blocks one multiprocessor runs at once; 0 if it can run none. With the context current.
  std::size_t blocks_per_processor(std::uint64_t threads, std::size_t dynamic_shared);

private:
  void load_module(const cuda_context& context, const std::vector<unsigned char>& code,
                   const kernel_names& names);

  cuda_context& context_;
  const cuda_limits& limits_;
  cuda::module_handle module_ = nullptr;
  cuda::function_handle function_ = nullptr;
  std::size_t code_bytes_ = 0;
  int registers_ = 0;
  std::uint64_t max_threads_ = 0;
  std::uint64_t static_shared_ = 0;
  std::uint64_t private_ = 0;
  bool prints_ = false;
  cuda_derived_arguments derived_;
  bool may_overlap_ = false;
  /// Dynamic shared memory that launches may have at present.
  std::atomic<std::uint64_t> dynamic_limit_{0};
  std::unique_ptr<cuda_form_trial> trial_;
};

} // namespace falx
