// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/kernel_forms.hpp"
#include "backends/operation.hpp"
#include "cuda_context.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace falx {

class cuda_kernel;
class cuda_stream;

/// How long launches took in either form of a kernel, and which one is faster, once that is clear.
class cuda_form_times {
public:
  using outcome = form_outcome;
  /// Of each form there are no more before there is a decision.
  static constexpr std::size_t MOST = 128;

  cuda_form_times() {
    for (std::vector<std::uint64_t>& times : times_)
      times.reserve(MOST);
  }
  void clear() noexcept {
    for (std::vector<std::uint64_t>& times : times_)
      times.clear();
  }

  /// A decision takes so many launches in each form; ...
  static constexpr std::size_t ENOUGH = 24;
  /// ... or so many, if all in one form took less time than all in the other; ...
  static constexpr std::size_t FEW = 8;
  /// ... or so few, if they took less than so much of the other's.
  static constexpr std::size_t FEWEST = 3;
  static constexpr double CLEARLY_BELOW = 0.75;
  /// The kernel keeps its form unless the other one takes less than this part of its time.
  static constexpr double CHANGE_BELOW = 0.97;

  /// Those beyond MOST are left out.
  void note(bool of_other_form, std::uint64_t nanoseconds) noexcept;
  outcome result() const noexcept;
  /// Nanoseconds; 0 without any.
  std::uint64_t median(bool of_other_form) const noexcept;

private:
  /// Of this form and the other one, in ascending order.
  std::array<std::vector<std::uint64_t>, 2> times_;
};

/// Finds out which of a kernel's two forms is faster: the one with the registers that the assembler chose, or
/// the one with another choice. Some launches are timed, by events, until it is known how long the kernel has
/// run. If that is long it takes the other form; launches of about the same size then run in either form, by
/// lot, and are timed. Times are read when there is a launch and when a thread has waited for the device, as
/// programs launch in bursts. What comes of it is kept for processes to come: until they know better their
/// launches run in the form that was faster, or compare at once, if earlier ones ran long and could not tell.
/// Thread-safe.
class cuda_form_trial {
public:
  /// Nanoseconds that the kernel's launches take together when it takes its other form, if that is there.
  static constexpr std::uint64_t WORTH_TAKING = 20'000'000;
  /// Nanoseconds that launches took which are worth keeping for processes to come.
  static constexpr std::uint64_t WORTH_KEEPING = WORTH_TAKING / 2;
  /// Nanoseconds of a launch beside which it is nothing to compare what it captures with what others did.
  static constexpr std::uint64_t LONG_LAUNCH = 10'000;
  /// What is timed and not done yet: launches beyond it are not timed.
  static constexpr std::size_t MOST_PENDING = 64;
  /// After so many launches of another size in a row, those of that size are compared.
  static constexpr std::uint64_t MOST_STRAYS = 64;

  /// \p kernel owns the trial. \p worth_making are the nanoseconds that they take when a launch makes the
  /// other form.
  cuda_form_trial(cuda_context& context, const cuda_kernel& kernel, std::uint64_t worth_making,
                  std::unique_ptr<other_code> other);
  ~cuda_form_trial();
  cuda_form_trial(const cuda_form_trial&) = delete;
  cuda_form_trial& operator=(const cuda_form_trial&) = delete;

  /// False once all launches run as if there were no trial.
  bool matters() const noexcept { return !is_over_.load(std::memory_order_acquire) || winner_ != nullptr; }

  /// How a launch runs.
  struct turn {
    /// Null for the kernel's own form.
    cuda_kernel* other = nullptr;
    /// How many launches its time stands for; 0 if it is not timed.
    std::uint64_t launches = 0;
    /// Which comparison it belongs to.
    std::uint64_t comparison = 0;
  };
  /// For a launch of \p work_items in blocks of \p threads, with the context current. \p name is for
  /// FALX_SIMD_REPORT.
  turn next(std::uint64_t work_items, std::uint64_t threads, const char* name) noexcept {
    if (is_over_.load(std::memory_order_acquire)) [[likely]]
      return {for_blocks_of(threads, winner_)};
    return next_undecided(work_items, threads, name);
  }

  /// A thread has waited for the device, whose context is current.
  void look() noexcept;

  /// The device cannot launch the other form, though it can this one.
  void abandon() noexcept;

  /// Events around a launch whose turn says that it is timed. Nothing is learned where the driver makes or
  /// records none, or the launch fails.
  class timing {
  public:
    timing(cuda_form_trial& trial, cuda_stream& stream, const turn& of) noexcept;
    ~timing();
    timing(const timing&) = delete;
    timing& operator=(const timing&) = delete;
    void end() noexcept;

  private:
    cuda_form_trial& trial_;
    cuda_stream& stream_;
    const turn turn_;
    cuda::event_handle start_ = nullptr, end_ = nullptr;
    bool is_recorded_ = false;
  };

private:
  struct sample {
    cuda::event_handle start, end;
    bool is_of_other_form;
    std::uint64_t launches;
  };
  turn next_undecided(std::uint64_t work_items, std::uint64_t threads, const char* name) noexcept;
  void give_back(const sample& timed) noexcept;
  /// Null if that cannot run such blocks.
  static cuda_kernel* for_blocks_of(std::uint64_t threads, cuda_kernel* form) noexcept;
  // The callers of these hold the mutex.
  bool collect() noexcept;
  bool has_decided() noexcept;
  void keep_time() noexcept;
  std::uint64_t known_time() const noexcept;
  bool can_compare(std::uint64_t threads) noexcept;
  turn watch(std::uint64_t threads) noexcept;
  turn draw(std::uint64_t work_items) noexcept;
  void compare_launches_of(std::uint64_t work_items) noexcept;
  void drop_pending() noexcept;
  /// The other form, once it is taken.
  cuda_kernel* other() const noexcept;
  void end(form_outcome outcome) noexcept;
  void end_and_keep(form_outcome outcome) noexcept;
  void report(form_outcome outcome) const noexcept;

  cuda_context& context_;
  const cuda_kernel& kernel_;
  const std::uint64_t worth_making_;
  const std::unique_ptr<other_code> code_;
  /// What trials in earlier processes came to.
  const form_history earlier_;

  std::mutex mutex_; // guards what follows
  const char* name_ = "";
  /// In the order of their launches.
  std::vector<sample> pending_;
  std::uint64_t last_look_ = 0;
  std::uint64_t launches_ = 0;
  /// Of launches before forms are compared: the time that they took, and their number.
  std::uint64_t spent_ = 0, sampled_ = 0;
  /// The time that processes to come know of.
  std::uint64_t kept_ = 0;
  bool has_asked_for_code_ = false, is_cached_ = false, is_comparing_ = false;
  /// Null until it is taken.
  std::unique_ptr<loaded_kernel> taken_;
  /// Of launches that are compared, how many others there were in a row, and how many comparisons have begun.
  std::uint64_t work_items_ = 0, strays_ = 0, comparison_ = 0;
  /// Launches in this form and in the other one: whether there were any, and those that were drawn.
  std::array<bool, 2> has_run_{};
  std::array<std::uint64_t, 2> drawn_{};
  cuda_form_times times_;

  /// Written before is_over_, and once more if the device refuses it.
  std::atomic<cuda_kernel*> winner_{nullptr};
  std::atomic<bool> is_over_{false};
};

} // namespace falx
