// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_form_trial.hpp"

#include "cuda_kernel.hpp"
#include "cuda_stream.hpp"
#include "diagnostics/environment.hpp"
#include "process/spinning.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <exception>
#include <utility>

namespace falx {
namespace {

/// Asking the driver whether a launch is done costs some of what launching does.
constexpr std::uint64_t NANOSECONDS_BETWEEN_LOOKS = 20'000;
/// Launches take about as long as each other if their sizes differ by no more than one in so many.
constexpr std::uint64_t ALIKE = 16;
/// Neither form runs so many times more often than the other.
constexpr std::uint64_t MOST_AHEAD = 4;

/// Whether launches that \p own can do \p other can, too, and it is not the same.
bool is_worth_trying(const cuda_kernel& other, const cuda_kernel& own, std::uint64_t threads) noexcept {
  const bool is_same = other.code_bytes() == own.code_bytes() && other.registers() == own.registers() &&
                       other.private_bytes() == own.private_bytes();
  return other.max_threads() >= threads && other.private_bytes() <= own.private_bytes() && !is_same;
}

} // namespace

void cuda_form_times::note(bool of_other_form, std::uint64_t nanoseconds) noexcept {
  std::vector<std::uint64_t>& times = times_[of_other_form ? 1 : 0];
  if (times.size() < MOST)
    times.insert(std::ranges::upper_bound(times, nanoseconds), nanoseconds);
}

std::uint64_t cuda_form_times::median(bool of_other_form) const noexcept {
  const std::vector<std::uint64_t>& times = times_[of_other_form ? 1 : 0];
  return times.empty() ? 0 : times[times.size() / 2];
}

form_outcome cuda_form_times::result() const noexcept {
  const auto& [own, other] = times_;
  const std::size_t least = std::min(own.size(), other.size());
  if (least < FEWEST)
    return outcome::undecided;
  const auto are_below = [](const std::vector<std::uint64_t>& some, const std::vector<std::uint64_t>& others,
                            double part) {
    return static_cast<double>(some.back()) < part * static_cast<double>(others.front());
  };
  const double clear = least < FEW ? CLEARLY_BELOW : 1;
  if (least < ENOUGH && !are_below(own, other, clear) && !are_below(other, own, clear))
    return outcome::undecided;
  return static_cast<double>(median(true)) < CHANGE_BELOW * static_cast<double>(median(false))
             ? outcome::changes
             : outcome::keeps;
}

cuda_form_trial::cuda_form_trial(cuda_context& context, const cuda_kernel& kernel, std::uint64_t worth_making,
                                 std::unique_ptr<other_code> other)
    : context_(context), kernel_(kernel), worth_making_(worth_making), code_(std::move(other)),
      earlier_(code_->history()), kept_(earlier_.spent) {
  pending_.reserve(MOST_PENDING);
  if (earlier_.outcome == form_outcome::changes)
    taken_ = code_->take_faster();
  context_.trials().add(*this);
}

cuda_form_trial::~cuda_form_trial() {
  context_.trials().remove(*this);
  drop_pending();
}

void cuda_form_trial::give_back(const sample& timed) noexcept {
  context_.timed_events().give(timed.start);
  context_.timed_events().give(timed.end);
}

void cuda_form_trial::drop_pending() noexcept {
  for (const sample& timed : pending_)
    give_back(timed);
  context_.trials().expect_fewer(pending_.size());
  pending_.clear();
}

cuda_kernel* cuda_form_trial::other() const noexcept {
  return static_cast<cuda_kernel*>(taken_.get());
}

cuda_kernel* cuda_form_trial::for_blocks_of(std::uint64_t threads, cuda_kernel* form) noexcept {
  return form != nullptr && form->max_threads() >= threads ? form : nullptr;
}

void cuda_form_trial::end(form_outcome outcome) noexcept {
  drop_pending();
  winner_.store(outcome == form_outcome::changes ? other() : nullptr, std::memory_order_relaxed);
  is_over_.store(true, std::memory_order_release);
}

void cuda_form_trial::end_and_keep(form_outcome outcome) noexcept {
  end(outcome);
  code_->decide(outcome);
  if (outcome != earlier_.outcome)
    code_->keep({outcome});
}

void cuda_form_trial::report(form_outcome outcome) const noexcept {
  constexpr double MICROSECOND = 1000;
  std::fprintf(
      stderr,
      "falx: kernel '%s' was timed with %d registers for each work-item and with %d%s: %.1f and %.1f "
      "microseconds; it %s\n",
      name_, kernel_.registers(), other()->registers(), code_->difference(),
      static_cast<double>(times_.median(false)) / MICROSECOND,
      static_cast<double>(times_.median(true)) / MICROSECOND,
      outcome == form_outcome::changes ? "changes to the other form" : "stays as it is");
}

/// Learns from what is done. False if the driver has no answer any more.
bool cuda_form_trial::collect() noexcept {
  std::size_t done = 0;
  bool answers = true;
  for (const sample& timed : pending_) {
    const cuda::result result = cuda::api().cuEventQuery(timed.end);
    if (result == cuda::result::not_ready)
      break;
    float milliseconds = 0;
    answers = result == cuda::result::success &&
              cuda::api().cuEventElapsedTime(&milliseconds, timed.start, timed.end) == cuda::result::success;
    if (!answers)
      break;
    const auto nanoseconds =
        static_cast<std::uint64_t>(std::max(1.0, static_cast<double>(milliseconds) * 1e6));
    if (is_comparing_) {
      times_.note(timed.is_of_other_form, nanoseconds);
    } else {
      spent_ += nanoseconds * timed.launches;
      sampled_ += timed.launches;
    }
    give_back(timed);
    ++done;
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
  context_.trials().expect_fewer(done);
  return answers;
}

/// Nanoseconds, about, that the kernel's launches take: of this process, and while none could tell which form
/// is faster, of those before it. Programs launch far ahead of what is done.
std::uint64_t cuda_form_trial::known_time() const noexcept {
  return earlier_.spent + (sampled_ == 0 ? 0 : spent_ / sampled_ * launches_);
}

/// Whether it is worth it by now, and there is another form.
bool cuda_form_trial::can_compare(std::uint64_t threads) noexcept {
  const std::uint64_t known = known_time();
  if (known < WORTH_TAKING)
    return false;
  if (sampled_ != 0 && spent_ / sampled_ >= LONG_LAUNCH)
    kernel_.note_long_runs();
  if (taken_ == nullptr && !is_cached_) {
    if (!has_asked_for_code_) {
      has_asked_for_code_ = true;
      is_cached_ = code_->is_ready();
      if (!is_cached_)
        code_->request();
    }
    const bool is_worth_making =
        known >= worth_making_ && (code_->is_compiled() || known / code_->cost() >= worth_making_);
    if (!is_cached_ && !is_worth_making)
      return false;
  }
  if (taken_ == nullptr)
    taken_ = code_->take();
  if (taken_ != nullptr && is_worth_trying(*other(), kernel_, threads))
    return true;
  end_and_keep(form_outcome::keeps);
  return false;
}

/// For processes that end before it is worth comparing, as those to come may. Once they compare at once there
/// is no more to keep.
void cuda_form_trial::keep_time() noexcept {
  const std::uint64_t known = known_time();
  if (earlier_.outcome != form_outcome::undecided || kept_ >= worth_making_ || known < kept_ + WORTH_KEEPING)
    return;
  code_->keep({form_outcome::undecided, known});
  kept_ = known;
}

void cuda_form_trial::abandon() noexcept {
  const std::lock_guard lock(mutex_);
  end_and_keep(form_outcome::keeps);
}

/// Launches 2, 4, 8 and so on are timed: the first one has the driver load the code.
cuda_form_trial::turn cuda_form_trial::watch(std::uint64_t threads) noexcept {
  cuda_kernel* const faster =
      earlier_.outcome == form_outcome::changes ? for_blocks_of(threads, other()) : nullptr;
  has_run_[faster != nullptr ? 1 : 0] = true;
  if (launches_ < 2 || !std::has_single_bit(launches_) || pending_.size() >= MOST_PENDING)
    return {faster};
  return {faster, launches_ / 2, comparison_};
}

void cuda_form_trial::compare_launches_of(std::uint64_t work_items) noexcept {
  is_comparing_ = true;
  drop_pending();
  times_.clear();
  ++comparison_;
  work_items_ = work_items;
  strays_ = 0;
}

cuda_form_trial::turn cuda_form_trial::draw(std::uint64_t work_items) noexcept {
  const std::uint64_t difference =
      work_items > work_items_ ? work_items - work_items_ : work_items_ - work_items;
  if (difference > work_items_ / ALIKE) {
    if (++strays_ < MOST_STRAYS)
      return {};
    compare_launches_of(work_items);
  }
  strays_ = 0;
  if (pending_.size() >= MOST_PENDING)
    return {};
  bool is_other = is_for_other_form(launches_, 0);
  if (drawn_[is_other ? 1 : 0] >= drawn_[is_other ? 0 : 1] + MOST_AHEAD)
    is_other = !is_other;
  ++drawn_[is_other ? 1 : 0];
  const bool has_run = std::exchange(has_run_[is_other ? 1 : 0], true); // if not, the driver loads it
  return {is_other ? other() : nullptr, has_run ? 1u : 0u, comparison_};
}

cuda_form_trial::turn cuda_form_trial::next_undecided(std::uint64_t work_items, std::uint64_t threads,
                                                      const char* name) noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock)
    return {}; // another thread launches the kernel, or makes its other form
  if (is_over_.load(std::memory_order_relaxed))
    return {for_blocks_of(threads, winner_)};
  ++launches_;
  name_ = name;
  if (!pending_.empty()) {
    const std::uint64_t time = now();
    if (time - last_look_ >= NANOSECONDS_BETWEEN_LOOKS || pending_.size() >= MOST_PENDING) {
      last_look_ = time;
      if (!collect()) {
        end(form_outcome::keeps); // the context is lost, or the driver refuses to say
        return {};
      }
    }
  }
  if (!is_comparing_) {
    if (!can_compare(threads))
      return is_over_.load(std::memory_order_relaxed) ? turn{} : watch(threads);
    compare_launches_of(work_items);
  }
  if (has_decided())
    return {for_blocks_of(threads, winner_)};
  return draw(work_items);
}

bool cuda_form_trial::has_decided() noexcept {
  const form_outcome outcome = times_.result();
  if (outcome == form_outcome::undecided)
    return false;
  if (the_environment().reports_scalar_kernels)
    report(outcome);
  end_and_keep(outcome);
  return true;
}

void cuda_form_trial::look() noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || is_over_.load(std::memory_order_relaxed) || pending_.empty())
    return;
  if (!collect())
    end(form_outcome::keeps);
  else if (!is_comparing_)
    keep_time();
  else
    has_decided();
}

cuda_form_trial::timing::timing(cuda_form_trial& trial, cuda_stream& stream, const turn& of) noexcept
    : trial_(trial), stream_(stream), turn_(of) {
  try {
    start_ = trial_.context_.timed_events().take();
    end_ = trial_.context_.timed_events().take();
  } catch (const std::exception&) {
    return; // the launch will say what is wrong
  }
  is_recorded_ = cuda::api().cuEventRecord(start_, stream_.native()) == cuda::result::success;
}

cuda_form_trial::timing::~timing() {
  for (const cuda::event_handle event : {start_, end_})
    if (event != nullptr)
      trial_.context_.timed_events().give(event);
}

void cuda_form_trial::timing::end() noexcept {
  if (!is_recorded_ || cuda::api().cuEventRecord(end_, stream_.native()) != cuda::result::success)
    return;
  // Another thread may be making the other form, or have begun another comparison.
  const std::unique_lock lock(trial_.mutex_, std::try_to_lock);
  if (!lock || trial_.is_over_.load(std::memory_order_relaxed) || trial_.comparison_ != turn_.comparison ||
      trial_.pending_.size() >= MOST_PENDING)
    return;
  trial_.pending_.push_back({start_, end_, turn_.other != nullptr, turn_.launches});
  trial_.context_.trials().expect_one_more();
  start_ = end_ = nullptr;
}

void cuda_form_trials::add(cuda_form_trial& trial) {
  const std::lock_guard lock(mutex_);
  trials_.push_back(&trial);
}

void cuda_form_trials::remove(cuda_form_trial& trial) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(trials_, &trial);
}

void cuda_form_trials::look_at_all(cuda_context& context) noexcept {
  try {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock)
      return; // another thread has just waited, too
    const cuda_current_context current(context);
    for (cuda_form_trial* trial : trials_)
      trial->look();
  } catch (const std::exception&) {
    // The context is lost.
  }
}

} // namespace falx
