// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue_state.hpp"

#include "command_group.hpp"
#include "command_work.hpp"
#include "falx/buffer.hpp"
#include "memory/buffer_transfers.hpp"
#include "process/process_state.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/queue.hpp"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <string>
#include <utility>

namespace falx {

/// All queues of the process, so that its end can wait for them.
class queue_registry {
public:
  /// Made with the first queue, so that the end of the process waits for work after every queue that the
  /// program has in static storage is gone. Never destroyed: objects made earlier may still use queues.
  static queue_registry& instance() {
    static queue_registry& registry = *[] {
      auto made = std::make_unique<queue_registry>();
      wait_at_process_end();
      return made.release();
    }();
    return registry;
  }

  void add(queue_state& queue) {
    const std::lock_guard lock(mutex_);
    queue.next_queue_ = first_;
    if (first_ != nullptr)
      first_->previous_queue_ = &queue;
    first_ = &queue;
  }
  void remove(queue_state& queue) noexcept {
    const std::lock_guard lock(mutex_);
    assert((queue.previous_queue_ == nullptr) == (first_ == &queue) && "the queue is not in the list");
    (queue.previous_queue_ != nullptr ? queue.previous_queue_->next_queue_ : first_) = queue.next_queue_;
    if (queue.next_queue_ != nullptr)
      queue.next_queue_->previous_queue_ = queue.previous_queue_;
  }

  void wait_for_all() noexcept {
    for (;;) {
      const std::vector<handle<command>> outstanding = unfinished(nullptr);
      if (outstanding.empty())
        return;
      for (const handle<command>& some : outstanding)
        some->wait();
    }
  }

  /// Commands of all queues, or of those of one context.
  std::vector<handle<command>> unfinished(const context_state* context) {
    std::vector<kept_branch> queues;
    {
      const std::lock_guard lock(mutex_);
      for (queue_state* queue = first_; queue != nullptr; queue = queue->next_queue_)
        if ((context == nullptr || &queue->context() == context) &&
            queue->head().retain_reference_if_alive()) // else its destructor waits for the lock
          queues.emplace_back(queue);
    }
    std::vector<handle<command>> result;
    for (const kept_branch& queue : queues)
      queue->append_unfinished(result);
    return result;
  }

private:
  /// As kept_queue, but branches stay what they are.
  struct reference_release {
    void operator()(queue_state* queue) const noexcept { queue->head().release_reference(); }
  };
  using kept_branch = std::unique_ptr<queue_state, reference_release>;

  std::mutex mutex_;
  queue_state* first_ = nullptr;
};

void wait_until_idle() noexcept {
  queue_registry::instance().wait_for_all();
}

void complete_all_in_background() noexcept {
  for (const handle<command>& some : queue_registry::instance().unfinished(nullptr))
    some->complete_in_background();
}

namespace {

/// Actions of run_after_outstanding_work that have not been called.
constinit std::atomic<std::uint32_t> deferred_actions{0};

} // namespace

bool finish_device_work() noexcept {
  bool had_work = deferred_actions.load(std::memory_order_acquire) != 0;
  for (const handle<command>& some : queue_registry::instance().unfinished(nullptr))
    if (some->completes_on_request()) {
      had_work = true;
      some->wait();
    }
  return had_work;
}

void run_after_outstanding_work(const context_state& context, std::function<void()> action) {
  if (is_forked_child()) // the devices of which work for the parent
    return action();
  std::vector<handle<command>> outstanding = queue_registry::instance().unfinished(&context);
  std::erase_if(outstanding, [](const handle<command>& some) { return some->poll(); });
  if (outstanding.empty())
    return action();
  // A command that does nothing and that no queue knows of, so that nothing is ordered after it.
  const handle<command> last = command::make_for(*outstanding.front()->queue());
  last->set_runs_on_host();
  auto owned = std::make_unique<std::function<void()>>(std::move(action));
  last->work()->kept_alive.push_back({[](void* data) {
                                        const std::unique_ptr<std::function<void()>> function(
                                            static_cast<std::function<void()>*>(data));
                                        (*function)();
                                        deferred_actions.fetch_sub(1, std::memory_order_release);
                                      },
                                      owned.get()});
  static_cast<void>(owned.release());
  deferred_actions.fetch_add(1, std::memory_order_relaxed);
  last->submit(std::move(outstanding));
}

void queue_release::operator()(queue_state* queue) const noexcept {
  queue->release_reference();
}
kept_queue keep_queue(queue_state& queue) noexcept {
  queue.head().retain_reference();
  return kept_queue(&queue.head());
}

void retain(queue_state* queue) noexcept {
  queue->head().open();
}
void release(queue_state* queue) noexcept {
  queue->head().close();
}

namespace {

/// SYCL 2020 §4.13.1.2.
[[noreturn]] void report_and_terminate(const sycl::exception_list& errors) {
  for (const std::exception_ptr& error : errors) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& exception) {
      std::fprintf(stderr, "falx: asynchronous error in a queue without async_handler: %s\n",
                   exception.what());
    } catch (...) {
      std::fputs("falx: asynchronous error in a queue without async_handler: an exception that is not a "
                 "std::exception\n",
                 stderr);
    }
  }
  std::terminate();
}

[[noreturn]] void refuse_properties(const char* reason) {
  throw sycl::exception(sycl::errc::invalid, std::string("queue: ") + reason);
}

/// Throws errc::invalid for properties that contradict each other or do not fit.
void check_properties(const sycl::property_list& properties) {
  namespace oneapi = sycl::ext::oneapi::property::queue;
  namespace intel = sycl::ext::intel::property::queue;
  if (properties.has_property<oneapi::discard_events>() &&
      properties.has_property<sycl::property::queue::enable_profiling>())
    refuse_properties(
        "discard_events leaves no events to ask for times, as enable_profiling is for; leave one "
        "of the properties away");
  if (int{properties.has_property<oneapi::priority_normal>()} +
          properties.has_property<oneapi::priority_low>() + properties.has_property<oneapi::priority_high>() >
      1)
    refuse_properties("a queue has one priority; leave all but one of the properties away");
  if (properties.has_property<intel::immediate_command_list>() &&
      properties.has_property<intel::no_immediate_command_list>())
    refuse_properties("immediate_command_list and no_immediate_command_list contradict each other; leave one "
                      "away");
  if (properties.has_property<intel::compute_index>() &&
      properties.get_property<intel::compute_index>().get_index() != 0)
    refuse_properties("the index of compute_index is not below the device's "
                      "ext::intel::info::device::max_compute_queue_indices, which is 1");
}

queue_priority priority_of(const sycl::property_list& properties) {
  namespace oneapi = sycl::ext::oneapi::property::queue;
  if (properties.has_property<oneapi::priority_high>())
    return queue_priority::high;
  return properties.has_property<oneapi::priority_low>() ? queue_priority::low : queue_priority::normal;
}

} // namespace

queue_state::queue_state(handle<context_state> context, handle<device_state> device,
                         sycl::async_handler handler, const sycl::property_list& properties)
    : queue_state(nullptr, std::move(context), std::move(device), std::move(handler), properties) {
  if (properties.has_property<sycl::property::queue::AdaptiveCpp_retargetable>())
    family_ = std::make_unique<multi_device_queue>(*this, std::vector<handle<device_state>>(), true);
}

queue_state::queue_state(handle<context_state> context, std::vector<handle<device_state>> devices,
                         sycl::async_handler handler, const sycl::property_list& properties)
    : queue_state(nullptr, std::move(context), devices.front(), std::move(handler), properties) {
  const bool is_retargetable = properties.has_property<sycl::property::queue::AdaptiveCpp_retargetable>();
  family_ = std::make_unique<multi_device_queue>(*this, std::move(devices), is_retargetable);
}

handle<queue_state> queue_state::make_branch(queue_state& head, device_state& device) {
  auto on = handle<device_state>::share(&device);
  auto context = head.context().contains(device) ? head.context_ : context_state::default_for(device);
  return handle<queue_state>::adopt(
      new queue_state(&head, std::move(context), std::move(on), sycl::async_handler(), head.properties_));
}

queue_state::queue_state(queue_state* head, handle<context_state> context, handle<device_state> device,
                         sycl::async_handler handler, const sycl::property_list& properties)
    : queue_view(head != nullptr ? *head : *this, device->backend(),
                 properties.has_property<sycl::property::queue::in_order>(), priority_of(properties)),
      head_(head), context_(std::move(context)), device_(std::move(device)), handler_(std::move(handler)),
      properties_(properties),
      profiling_(properties.has_property<sycl::property::queue::enable_profiling>()) {
  if (!context_->contains(*device_))
    throw sycl::exception(sycl::errc::invalid, "a queue needs a device of its context, and '" +
                                                   device_->description().name +
                                                   "' is not one; construct the context from the device");
  check_properties(properties);
  queue_registry::instance().add(*this);
}

queue_state::~queue_state() {
  assert(!last_ && !checkpoint_ && !barrier_ && outstanding_.empty() && "a command keeps its queue");
  family_.reset(); // while a branch that is found in the registry still has its head
  queue_registry::instance().remove(*this);
}

void queue_state::open() noexcept {
  // From 0 only by an owner of a reference: a host task that is given its queue.
  if (users_.fetch_add(1, std::memory_order_relaxed) == 0) {
    retain_reference();
    closed_.store(false, std::memory_order_seq_cst);
  }
}

bool queue_state::open_if_open() noexcept {
  std::uint32_t users = users_.load(std::memory_order_relaxed);
  while (users != 0)
    if (users_.compare_exchange_weak(users, users + 1, std::memory_order_relaxed))
      return true;
  return false;
}

void queue_state::close() noexcept {
  const std::uint32_t before = users_.fetch_sub(1, std::memory_order_acq_rel);
  assert(before != 0 && "a queue is closed more often than opened");
  if (before != 1 || is_forked_child())
    return;
  if (is_watched()) [[unlikely]]
    end_lifetime(*this);
  // Commands that complete from here on see closed_ and remove themselves; those that completed before are
  // removed here. Both orders are sequentially consistent, so none is overlooked.
  closed_.store(true, std::memory_order_seq_cst);
  drop_complete();
  static_cast<void>(take_external_dependency()); // which may be a command of this queue
  flush();                                       // as no thread is left that might poll
  bool has_errors = false;
  std::vector<kept_queue> upstream; // dropped without the lock; two queues may keep each other until here
  {
    const std::lock_guard lock(errors_mutex_);
    has_errors = !errors_.empty();
    upstream.swap(upstream_);
  }
  if (has_errors)
    throw_asynchronous();
  release_reference();
}

void queue_state::drop_complete() {
  if (family_ != nullptr) [[unlikely]]
    family_->drop_complete();
  std::vector<handle<command>> dropped; // dropped without the lock
  const std::lock_guard lock(mutex_);
  const auto drop_if_complete = [&](handle<command>& some) {
    if (!some || !some->is_complete())
      return false;
    dropped.push_back(std::move(some));
    return true;
  };
  drop_if_complete(last_);
  drop_if_complete(checkpoint_);
  drop_if_complete(barrier_);
  std::erase_if(outstanding_, drop_if_complete);
}

void queue_state::submit(const handle<command>& self, std::vector<handle<command>> dependencies,
                         std::span<const requirement> requirements, barrier kind) {
  if (is_forked_child()) [[unlikely]]
    throw_forked_child("sycl::queue");
  if (has_external_dependency_.load(std::memory_order_relaxed)) [[unlikely]]
    if (handle<command> external = take_external_dependency())
      dependencies.push_back(std::move(external));
  after_submission after;
  if (family_ != nullptr) [[unlikely]]
    family_->submit(self, std::move(dependencies), requirements, kind, after);
  else
    submit_here(self, std::move(dependencies), requirements, kind, after);
  if (after.polled)
    after.polled->poll();
  if (after.polls_all)
    self->queue()->poll_old();
  if (!requirements.empty())
    poll_old_transfers();
}

void queue_state::submit_here(const handle<command>& self, std::vector<handle<command>> dependencies,
                              std::span<const requirement> requirements, barrier kind,
                              after_submission& after) {
  assert(self->queue() == this && self->work() != nullptr && "the command was made for another queue");
  const command_work& work = *self->work();
  if (std::holds_alternative<host_operation>(work.what) && !device_->backend().runs_host_operations())
    self->set_runs_on_host();
  if (!work.completion_actions.empty())
    self->set_acts_on_completion();
  try {
    if (is_in_order())
      submit_in_order(self, std::move(dependencies), requirements, after);
    else
      submit_out_of_order(self, std::move(dependencies), requirements, kind, after);
  } catch (...) {
    self->abandon(); // buffers may have made others wait for it
    throw;
  }
}

void queue_state::submit_in_order(const handle<command>& self, std::vector<handle<command>> dependencies,
                                  std::span<const requirement> requirements, after_submission& after) {
  handle<command> previous; // dropped without the lock
  const std::lock_guard lock(mutex_);
  if (!requirements.empty())
    acquire_requirements(requirements, *self, *device_, dependencies);
  if (!dependencies.empty())
    order(*self, dependencies);
  const bool runs_on_host = self->runs_on_host();
  const bool comes_after_last = !runs_on_host && (last_is_handed_over_ || (last_ && last_->is_handed_over()));
  command* predecessor = nullptr;
  if (last_ && !comes_after_last && !last_->is_complete()) {
    if (runs_on_host || last_->runs_on_host())
      dependencies.push_back(last_);
    else
      predecessor = last_.get();
  }
  const bool is_handed_over = dependencies.empty() && predecessor == nullptr && !runs_on_host;
  if (is_handed_over && self->work()->buffers.empty())
    self->announce_hand_over();
  self->submit(std::move(dependencies), predecessor);
  last_is_handed_over_ = is_handed_over;
  previous = std::exchange(last_, self);
  if (--until_checkpoint_ == 0) {
    until_checkpoint_ = SUBMISSIONS_PER_CHECKPOINT;
    after.polled = std::exchange(checkpoint_, self->completes_on_request() ? self : handle<command>());
  }
}

void queue_state::submit_out_of_order(const handle<command>& self, std::vector<handle<command>> dependencies,
                                      std::span<const requirement> requirements, barrier kind,
                                      after_submission& after) {
  bool polls = false;
  {
    const std::lock_guard lock(mutex_);
    if (!requirements.empty())
      acquire_requirements(requirements, *self, *device_, dependencies);
    if (kind == barrier::behind_all)
      dependencies.insert(dependencies.end(), outstanding_.begin(), outstanding_.end());
    if (barrier_ && !barrier_->is_complete())
      dependencies.push_back(barrier_);
    if (outstanding_.size() >= drop_at_) {
      std::erase_if(outstanding_, [&](handle<command>& some) {
        if (!some->is_complete())
          return false;
        after.dropped.push_back(std::move(some));
        return true;
      });
      drop_at_ = std::max<std::size_t>(64, 2 * outstanding_.size());
      polls = !outstanding_.empty() && outstanding_.front()->completes_on_request();
    }
    outstanding_.push_back(self);
    if (kind != barrier::none)
      barrier_ = self;
  }
  if (!dependencies.empty())
    order(*self, dependencies);
  self->submit(std::move(dependencies));
  if (polls && self->is_internal())
    note_old_transfers();
  else if (polls)
    after.polls_all = true;
}

void queue_state::note_upstream(const command& other) {
  if (other.queue() == nullptr || other.is_internal() || &other.queue()->head() == &head()) [[likely]]
    return;
  queue_state& first = other.queue()->head();
  const std::lock_guard lock(head().errors_mutex_);
  const auto is_first = [&](const kept_queue& known) { return known.get() == &first; };
  if (!is_closed() && std::ranges::none_of(head().upstream_, is_first))
    head().upstream_.push_back(keep_queue(first));
}

void queue_state::order(command& self, std::vector<handle<command>>& dependencies) {
  std::vector<handle<command_view>> native;
  std::erase_if(dependencies, [&](handle<command>& other) {
    note_upstream(*other);
    if (other->is_complete() || other.get() == &self || (is_in_order() && other->queue() == this))
      return true;
    if (self.runs_on_host() || other->acts_on_completion() || !other->is_handed_over() ||
        !backend().can_order_after(*other))
      return false;
    native.push_back(handle<command_view>::adopt(other.detach()));
    return true;
  });
  if (!native.empty())
    self.order_after(std::move(native));
}

void queue_state::require_automatically(std::uint64_t placeholder) {
  const std::lock_guard lock(requirements_mutex_);
  automatic_requirements_.push_back(placeholder);
  requires_automatically_.store(true, std::memory_order_relaxed);
}

void queue_state::stop_requiring(std::uint64_t placeholder) noexcept {
  const std::lock_guard lock(requirements_mutex_);
  if (const auto found = std::ranges::find(automatic_requirements_, placeholder);
      found != automatic_requirements_.end())
    automatic_requirements_.erase(found); // one of them: others may require the same
  requires_automatically_.store(!automatic_requirements_.empty(), std::memory_order_relaxed);
}

std::vector<std::uint64_t> queue_state::automatic_requirements() {
  if (!requires_automatically_.load(std::memory_order_relaxed)) [[likely]]
    return {};
  const std::lock_guard lock(requirements_mutex_);
  return automatic_requirements_;
}

void queue_state::wait() {
  if (is_forked_child()) [[unlikely]]
    return; // the parent's work, as there is none of this process
  if (has_external_dependency_.load(std::memory_order_relaxed)) [[unlikely]]
    if (const handle<command> external = take_external_dependency())
      external->wait();
  if (is_in_order() && family_ == nullptr) {
    handle<command> last;
    {
      const std::lock_guard lock(mutex_);
      last = last_;
    }
    if (last)
      last->wait();
    return;
  }
  for (const handle<command>& some : last_commands())
    some->wait();
}

handle<command> queue_state::last() {
  if (family_ != nullptr)
    return family_->last();
  const std::lock_guard lock(mutex_);
  return last_;
}

void queue_state::set_external_dependency(handle<command> other) {
  const std::lock_guard lock(mutex_);
  other = std::exchange(external_dependency_, std::move(other)); // what was there is dropped without the lock
  has_external_dependency_.store(true, std::memory_order_relaxed);
}

handle<command> queue_state::take_external_dependency() {
  const std::lock_guard lock(mutex_);
  has_external_dependency_.store(false, std::memory_order_relaxed);
  return std::exchange(external_dependency_, {});
}

std::vector<handle<command>> queue_state::last_commands() {
  std::vector<handle<command>> result;
  append_unfinished(result);
  if (family_ != nullptr) [[unlikely]]
    for (queue_state* const branch : family_->branches())
      branch->append_unfinished(result);
  return result;
}

std::vector<handle<command>> queue_state::wait_list() {
  if (!is_in_order() || family_ == nullptr)
    return last_commands();
  std::vector<handle<command>> result;
  if (handle<command> last = family_->last())
    result.push_back(std::move(last));
  return result;
}

void queue_state::poll() {
  for (const handle<command>& some : last_commands())
    some->poll();
}

void queue_state::poll_old(std::size_t most) {
  int unfinished = 4; // where several streams run, those that came later may be done
  std::vector<handle<command>> oldest;
  append_unfinished(oldest, most);
  for (const handle<command>& some : oldest)
    if (!some->poll() && --unfinished == 0)
      return;
}

void queue_state::append_unfinished(std::vector<handle<command>>& unfinished, std::size_t most) {
  const std::lock_guard lock(mutex_);
  const auto append = [&](const handle<command>& some) {
    if (some && unfinished.size() < most && !some->is_complete())
      unfinished.push_back(some);
  };
  append(last_);
  for (const handle<command>& some : outstanding_)
    append(some);
}

bool queue_state::is_empty() {
  const std::vector<handle<command>> unfinished = last_commands();
  return std::ranges::all_of(unfinished, [](const handle<command>& some) { return some->poll(); });
}

void queue_state::flush() {
  for (const handle<command>& last : last_commands())
    if (!last->poll())
      last->complete_in_background();
}

void queue_state::report(std::exception_ptr error) noexcept {
  if (head_ != nullptr)
    return head_->report(std::move(error));
  {
    const std::lock_guard lock(errors_mutex_);
    errors_.push_back(std::move(error));
  }
  if (is_closed()) // no owner is left to receive them; close() delivers what was reported before
    throw_asynchronous();
}

void queue_state::throw_asynchronous_with_upstream() {
  std::vector<kept_queue> all;
  all.push_back(keep_queue(*this));
  for (std::size_t i = 0; i < all.size(); ++i) {
    queue_state& each = *all[i];
    const std::lock_guard lock(each.errors_mutex_);
    for (const kept_queue& before : each.upstream_)
      if (std::ranges::none_of(all, [&](const kept_queue& known) { return known == before; }))
        all.push_back(keep_queue(*before));
  }
  for (const kept_queue& each : all)
    each->throw_asynchronous();
}

void queue_state::throw_asynchronous() {
  if (head_ != nullptr)
    return head_->throw_asynchronous();
  sycl::exception_list errors;
  {
    const std::lock_guard lock(errors_mutex_);
    sycl::detail::internals::state(errors).swap(errors_);
  }
  if (errors.size() == 0)
    return;
  if (handler_)
    handler_(std::move(errors));
  else if (context_->handler())
    context_->handler()(std::move(errors));
  else
    report_and_terminate(errors);
}

} // namespace falx
