// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/interop.hpp"
#include "falx/kernel.hpp"
#include "falx/memory.hpp"
#include "kernel_forms.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

/// \file
/// What commands do.

namespace falx {

/// A device global as the program knows it.
struct device_global_variable {
  const void* address;
  std::size_t size;
  std::size_t alignment;
};

class loaded_kernel;

/// Code for a kernel that has some, which does the same: better code for one whose code was made quickly, or
/// its other form. Thread-safe; taken once.
class other_code {
public:
  virtual ~other_code() = default;
  /// Has it made where a processor is idle.
  virtual void request() noexcept = 0;
  virtual bool is_ready() noexcept = 0;
  /// Makes it, if it is not ready. Null if it cannot be had.
  virtual std::unique_ptr<loaded_kernel> take() noexcept = 0;

  /// Of a kernel's own form and this one.
  virtual form_history history() noexcept { return {}; }
  /// If that says that this one is faster, and it is cached. Null otherwise; then it may be taken later.
  virtual std::unique_ptr<loaded_kernel> take_faster() noexcept { return nullptr; }
  /// Keeps that for processes to come, where there is a kernel cache.
  virtual void keep(const form_history& /*history*/) noexcept {}
  /// Either form has turned out to be faster in this process.
  virtual void decide(form_outcome /*outcome*/) noexcept {}
  /// What else it has than other registers, for FALX_SIMD_REPORT.
  virtual const char* difference() const noexcept { return ""; }
  /// No more is to be done, where it is not cached, than to have a driver assemble it; ...
  virtual bool is_compiled() noexcept { return true; }
  /// ... or else so many times as much.
  virtual unsigned cost() const noexcept { return 1; }
};

/// A kernel compiled and loaded for one device and one configuration.
class loaded_kernel {
public:
  virtual ~loaded_kernel() = default;

  /// Its code was made quickly; the kernel may take better code and run that. Called before it is launched.
  virtual void expect_better(std::unique_ptr<other_code> /*better*/) noexcept {}

  /// There is a form of the kernel that does the same and may be faster; ...
  virtual bool has_other_form() const noexcept { return false; }
  /// ... the kernel may take it, time both and run the faster one. Called before it is launched, instead of
  /// expect_better. May throw std::bad_alloc.
  virtual void expect_other_form(std::unique_ptr<other_code> /*other*/) {}

  /// Its launches have taken so long, and do for each, that it is worth learning from them what they have in
  /// common.
  bool runs_long() const noexcept { return runs_long_.load(std::memory_order_relaxed); }
  void note_long_runs() const noexcept { runs_long_.store(true, std::memory_order_relaxed); }

  /// What its launches have in common does not make them faster: they are to run as if nothing were known.
  bool is_given_up() const noexcept { return is_given_up_.load(std::memory_order_relaxed); }
  void give_up() noexcept { is_given_up_.store(true, std::memory_order_relaxed); }

  /// Set by the runtime: the device globals whose addresses it stores behind the function object, and where.
  std::vector<device_global_variable> device_globals;
  std::size_t device_globals_offset = 0;
  /// Set by the runtime: which captured pointers must lead to different memory (disjoint_pointers::of).
  std::uint64_t disjoint = 0;

private:
  mutable std::atomic<bool> runs_long_{false};
  std::atomic<bool> is_given_up_{false};
};

struct kernel_operation {
  loaded_kernel* kernel = nullptr;
  const char* kernel_name = nullptr; // for messages
  const void* function = nullptr;    // owned by the command
  std::size_t function_size = 0;
  launch_geometry geometry{};
  std::size_t local_memory_bytes = 0;
  /// All groups run at once, as they wait for each other (most_groups_at_once).
  bool meets_all_groups = false;
};
struct copy_operation {
  memory_box source, destination;
};
struct fill_operation {
  memory_box destination;
  std::vector<unsigned char> pattern; // its size divides element_size * range.x
};
struct prefetch_operation {
  const void* pointer = nullptr;
  std::size_t bytes = 0;
  bool to_host = false;
};
/// Advice about shared USM. \p advice is a number of the native API; 0 takes advice back (SYCL 2020
/// §4.9.4.3).
struct advise_operation {
  const void* pointer = nullptr;
  std::size_t bytes = 0;
  int advice = 0;
};
/// Host tasks, and anything else that runs on the host in order with device work.
struct host_operation {
  std::function<void()> function;
};
/// The function puts work of the native API on the native queue that it is given, which comes after all that
/// the command depends on; the command is complete when that work is. Called once, within enqueue. Only for
/// devices with native_objects.
struct native_operation {
  std::function<void(native_handle queue)> function;
};
/// Orders without doing (barriers, empty command groups).
struct empty_operation {};

using operation = std::variant<empty_operation, kernel_operation, copy_operation, fill_operation,
                               prefetch_operation, advise_operation, host_operation, native_operation>;

} // namespace falx
