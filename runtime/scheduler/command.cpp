// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command.hpp"

#include "backends/native_objects.hpp"
#include "backends/wait_help.hpp"
#include "command_memory.hpp"
#include "command_work.hpp"
#include "endless_wait.hpp"
#include "falx/buffer.hpp"
#include "host_task.hpp"
#include "process/process_state.hpp"
#include "process/spinning.hpp"
#include "queue_state.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

namespace falx {
namespace {

constinit std::atomic<wait_helper*> helper{nullptr};
constinit std::atomic<bool> waiting_threads_do_all{false};

/// How long a waiting thread that cannot help looks before it sleeps: about what sleeping and waking cost.
constexpr std::uint64_t SPIN_NANOSECONDS = 20'000;

} // namespace

void set_wait_helper(wait_helper& the_helper) noexcept {
  helper.store(&the_helper, std::memory_order_release);
}

void set_waiting_threads_do_all() noexcept {
  waiting_threads_do_all.store(true, std::memory_order_relaxed);
}
bool do_waiting_threads_do_all() noexcept {
  return waiting_threads_do_all.load(std::memory_order_relaxed);
}

void retain(command* self) noexcept {
  self->retain_reference();
}
void release(command* self) noexcept {
  self->release_reference();
}

void* command::operator new(std::size_t) {
  static_assert(sizeof(command) <= SMALL_BLOCK);
  return recycled_memory<SMALL_BLOCK>::allocate();
}
void command::operator delete(void* memory, std::size_t) noexcept {
  recycled_memory<SMALL_BLOCK>::free(memory);
}

struct command::stand_in {
  handle<context_state> context;
  /// Null at first.
  handle<command> current;
};

command::command() noexcept = default;

command::~command() {
  assert((dependents_.load() == nullptr || dependents_.load() == &first_edge_) &&
         "a command that others wait for will never complete");
  assert((successor_.load() == nullptr || successor_.load() == &first_edge_) &&
         "a command that others wait for will never be handed over");
  delete work(); // of a command that was never submitted
  delete native_.load(std::memory_order_acquire);
  if (user_ != nullptr)
    user_->head().release_reference();
  if (queue_state* const mine = queue())
    mine->head().release_reference();
}

void command::make_internal(queue_state* user) noexcept {
  assert(!internal_ && pending_.load() == 1 && "the receiver of errors is set once, before submission");
  internal_ = true;
  user_ = user;
  if (user != nullptr)
    user->head().retain_reference();
}

handle<command> command::make_manual() {
  auto self = handle<command>::adopt(new command);
  self->state_.store(RUNNING, std::memory_order_relaxed);
  return self;
}

handle<command> command::make_stand_in(handle<context_state> context) {
  handle<command> self = make_manual();
  self->stand_in_ = std::make_unique<stand_in>(std::move(context), handle<command>());
  self->complete();
  return self;
}

context_state* command::stand_in_context() const noexcept {
  return stand_in_ != nullptr ? stand_in_->context.get() : nullptr;
}

void command::stand_for(handle<command> other) noexcept {
  assert(stand_in_ != nullptr && other->stand_in_ == nullptr && "a stand-in stands for a command of a queue");
  while (wait_list_lock_.test_and_set(std::memory_order_acquire))
    spin_pause();
  std::swap(stand_in_->current, other); // the old one goes without the lock
  wait_list_lock_.clear(std::memory_order_release);
}

handle<command> command::stood_for() const noexcept {
  while (wait_list_lock_.test_and_set(std::memory_order_acquire))
    spin_pause();
  handle<command> current = stand_in_->current;
  wait_list_lock_.clear(std::memory_order_release);
  return current ? current : handle<command>::share(const_cast<command*>(this));
}

handle<command> command::make_for(queue_state& queue) {
  auto self = handle<command>::adopt(new command);
  self->work_ = new command_work;
  queue.head().retain_reference();
  self->queue_ = &queue;
  self->profiled_ = queue.is_profiling();
  return self;
}

std::vector<handle<command>> command::wait_list() const {
  while (wait_list_lock_.test_and_set(std::memory_order_acquire))
    spin_pause();
  std::vector<handle<command>> copy = waits_for_;
  for (const handle<command_view>& other : after_)
    copy.push_back(handle<command>::share(static_cast<command*>(other.get())));
  wait_list_lock_.clear(std::memory_order_release);
  std::erase_if(copy, [](const handle<command>& other) { return other->is_complete(); });
  // A dependency by an event may be one by an accessor, too.
  std::ranges::sort(copy, {}, [](const handle<command>& other) { return other.get(); });
  copy.erase(std::ranges::unique(copy).begin(), copy.end());
  return copy;
}

backend_device& command::backend() const noexcept {
  assert(queue_ != nullptr && "no backend runs manual commands");
  return queue_->backend();
}

bool command::poll() noexcept {
  const std::uint32_t state = state_.load(std::memory_order_acquire);
  if (!is_on_request(state)) {
    // A thread that polls without pausing would poll for ever.
    if (!is_complete(state) && do_waiting_threads_do_all() && queue_ != nullptr) [[unlikely]]
      wait();
    return is_complete();
  }
  backend().poll(*this);
  return is_complete();
}

void command_view::set_completes_on_request() noexcept {
  // Threads that sleep wake up and poll the backend, like those that come later: one atomic holds both bits,
  // so no sleeper is overlooked.
  if ((state_.fetch_or(ON_REQUEST, std::memory_order_seq_cst) & HAS_SLEEPERS) != 0)
    state_.notify_all();
}

void command::complete_in_background() noexcept {
  // One atomic holds both bits: if the backend has the command already, it is told here, else by hand_over,
  // which looks after the backend has set its bit.
  const std::uint32_t before = state_.fetch_or(IN_BACKGROUND, std::memory_order_seq_cst);
  if (is_on_request(before) && (before & IN_BACKGROUND) == 0)
    backend().notify(*this);
}

void command::wait_for_backend() noexcept {
  const blocked_host_task blocked; // its thread is no use to others meanwhile
  backend().wait_for(*this);
}

void command::wait() noexcept {
  std::uint32_t state = state_.load(std::memory_order_acquire);
  if (is_complete(state) || is_forked_child())
    return;
  if ((state & ON_REQUEST) != 0)
    return wait_for_backend();
  if (wait_helper* const lent = helper.load(std::memory_order_acquire))
    lent->help(*this);
  else
    spin_until([this] { return is_complete() || completes_on_request(); }, SPIN_NANOSECONDS);
  state = state_.load(std::memory_order_acquire);
  if (is_complete(state) || ((state & ON_REQUEST) == 0 && is_endless_wait(*this)))
    return;
  const blocked_host_task blocked; // its thread is no use to others meanwhile
  while (!is_complete(state)) {
    if ((state & ON_REQUEST) != 0)
      return backend().wait_for(*this);
    if ((state & HAS_SLEEPERS) != 0 ||
        state_.compare_exchange_weak(state, state | HAS_SLEEPERS, std::memory_order_acquire)) {
      state_.wait(state | HAS_SLEEPERS, std::memory_order_acquire);
      state = state_.load(std::memory_order_acquire);
    }
  }
}

void command_view::mark_running() noexcept {
  if (profiled_)
    start_time_.store(now(), std::memory_order_release);
  [[maybe_unused]] const std::uint32_t before = state_.fetch_or(RUNNING, std::memory_order_release);
  assert((before & COMPLETE) == 0 && "a complete command begins");
}

void command_view::set_times(std::uint64_t start, std::uint64_t end) noexcept {
  start_time_.store(start, std::memory_order_release);
  end_time_.store(end, std::memory_order_release);
}

void command_view::fail(std::exception_ptr error) noexcept {
  static_cast<command*>(this)->work()->fail(std::move(error));
}

finished_work command_view::finish_work() noexcept {
  static_cast<command*>(this)->work()->finish();
  return finished_work(std::exchange(work_, nullptr));
}

void command_view::run_host_task(void (*done)(command_view& self,
                                              std::exception_ptr error) noexcept) noexcept {
  falx::run_host_task(static_cast<command&>(*this), std::get<host_operation>(what()), done);
}

void command_view::complete(std::exception_ptr error) noexcept {
  static_cast<command*>(this)->become_complete(std::move(error));
}

void command::become_complete(std::exception_ptr&& error) noexcept {
  assert((state_.load() & COMPLETE) == 0 && "a command completes once");
  // Manual commands have no reference of the runtime's; waiters may drop the last one as soon as they are
  // told.
  if (queue_ == nullptr)
    retain_reference();
  if (work_ != nullptr) {
    if (error == nullptr)
      error = work()->failure();
    work()->finish();
  }
  if (profiled_) {
    if (end_time() == 0)
      end_time_.store(now(), std::memory_order_release);
    if (start_time() == 0)
      start_time_.store(end_time(), std::memory_order_release);
  }
  if (error != nullptr) {
    error_ = error;
    if (queue_state* const concerned = internal_ ? user_ : queue()) {
      const program_code handler(*this);
      concerned->report(std::move(error));
    }
  }
  std::vector<handle<command>> waited_for;
  std::vector<handle<command_view>> came_after;
  if (!waits_for_.empty() || !after_.empty()) { // which only this function changes after submission
    while (wait_list_lock_.test_and_set(std::memory_order_acquire))
      spin_pause();
    waited_for.swap(waits_for_);
    came_after.swap(after_);
    wait_list_lock_.clear(std::memory_order_release);
  }

  finished_work kept_alive(std::exchange(work_, nullptr));
  publish(this);
  edge* const dependents = dependents_.exchange(&first_edge_, std::memory_order_acq_rel);
  assert(dependents != &first_edge_ && "another thread completes the command, too");
  // Sequentially consistent together with queue_state::close, so that one of the two sees the other.
  if ((state_.exchange(COMPLETE, std::memory_order_seq_cst) & HAS_SLEEPERS) != 0)
    state_.notify_all();
  release_dependents(dependents);
  if (queue_state* const mine = queue(); mine != nullptr && mine->is_closed())
    mine->head().drop_complete();
  // The work goes before the reference: its destruction may run the user's destructors, which may wait, but
  // no longer for this command.
  kept_alive = finished_work();
  release_reference();
}

native_event& command::set_native(std::unique_ptr<native_event> made) noexcept {
  native_event* current = nullptr;
  if (native_.compare_exchange_strong(current, made.get(), std::memory_order_acq_rel))
    return *made.release();
  return *current;
}

bool command::add_dependent(edge& dependent) noexcept {
  // A command cannot depend on itself, so its own edge marks the list as closed.
  edge* first = dependents_.load(std::memory_order_acquire);
  do {
    if (first == &first_edge_) {
      observe(this);
      return false;
    }
    dependent.next = first;
  } while (!dependents_.compare_exchange_weak(first, &dependent, std::memory_order_acq_rel,
                                              std::memory_order_acquire));
  if (queue_ != nullptr)
    complete_in_background();
  return true;
}

bool command::blocks(const command& other) const {
  std::unordered_set<const command*> seen;
  std::vector<const command*> unvisited{this};
  const auto visit = [&](const command& some, const edge* first) {
    if (first == &some.first_edge_) // complete, or handed over: no thread waits
      return;
    for (const edge* each = first; each != nullptr; each = each->next)
      if (seen.insert(each->dependent).second)
        unvisited.push_back(each->dependent);
  };
  while (!unvisited.empty()) {
    const command& some = *unvisited.back();
    unvisited.pop_back();
    if (&some == &other && &some != this)
      return true;
    visit(some, some.dependents_.load(std::memory_order_acquire));
    visit(some, some.successor_.load(std::memory_order_acquire));
  }
  return false;
}

bool command::add_successor(edge& successor) noexcept {
  edge* none = nullptr;
  if (successor_.compare_exchange_strong(none, &successor, std::memory_order_acq_rel,
                                         std::memory_order_acquire))
    return true;
  observe(&successor_);
  return false;
}

void command::release_successor() noexcept {
  publish(&successor_);
  edge* const successor = successor_.exchange(&first_edge_, std::memory_order_acq_rel);
  assert(successor != &first_edge_ && "a command is handed over once");
  if (successor != nullptr)
    release_dependents(successor);
}

void command::release_dependents(edge* first) noexcept {
  // A released command may complete at once and release others. A list instead of recursion keeps the stack
  // flat, however long the chain is.
  static thread_local constinit edge* pending = nullptr;
  static thread_local constinit bool is_releasing = false;
  while (first != nullptr) { // reverses the list: the first that came goes first
    edge* const next = first->next;
    first->next = pending;
    pending = first;
    first = next;
  }
  if (is_releasing)
    return;
  is_releasing = true;
  while (pending != nullptr) {
    command& dependent = *pending->dependent;
    pending = pending->next;
    dependent.dependency_completed();
  }
  is_releasing = false;
}

void command::dependency_completed() noexcept {
  publish(&pending_);
  const std::uint32_t before = pending_.fetch_sub(1, std::memory_order_acq_rel);
  assert(before != 0 && "more dependencies complete than there are");
  if (before != 1)
    return;
  observe(&pending_);
  const handle<command> keep = handle<command>::share(this);
  hand_over();
}

void command::submit(std::vector<handle<command>> dependencies, command* predecessor) {
  assert(queue_ != nullptr && work_ != nullptr && "manual commands are completed, not submitted");
  assert(pending_.load() == 1 && waits_for_.empty() && current_status() == status::waiting &&
         "a command is submitted once");
  assert((predecessor == nullptr || (!runs_on_host_ && !predecessor->runs_on_host())) &&
         "what runs on the host is never handed over");
  assert(predecessor != this &&
         std::ranges::none_of(dependencies,
                              [&](const handle<command>& other) { return !other || other.get() == this; }) &&
         "a command waits for others");
  const std::size_t count = dependencies.size() + (predecessor != nullptr);
  if (count > 1)
    more_edges_ = std::make_unique<edge[]>(count - 1);
  retain_as_holder(); // the runtime's, which complete() releases
  if (profiled_)
    submit_time_.store(now(), std::memory_order_release);
  if (count == 0) {
    hand_over();
    return;
  }
  pending_.store(static_cast<std::uint32_t>(count) + 1, std::memory_order_relaxed);
  waits_for_ = std::move(dependencies);
  // The count keeps this command from being completed, which clears waits_for_, until all have been told.
  std::uint32_t arrived = 1;
  for (std::size_t i = 0; i < count; ++i) {
    edge& link = i == 0 ? first_edge_ : more_edges_[i - 1];
    link.dependent = this;
    const bool is_told =
        i < waits_for_.size() ? waits_for_[i]->add_dependent(link) : predecessor->add_successor(link);
    if (!is_told)
      ++arrived;
  }
  publish(&pending_);
  const std::uint32_t before = pending_.fetch_sub(arrived, std::memory_order_acq_rel);
  assert(before >= arrived && "a dependency is counted twice");
  if (before == arrived) {
    observe(&pending_);
    hand_over();
  }
}

void command::abandon() noexcept {
  retain_reference(); // which complete() releases
  complete();
}

void command::hand_over() noexcept {
  assert(work_ != nullptr && !is_complete() && "there is nothing to do any more");
  if (runs_on_host_)
    return run_on_host();
  const bool was_announced = handed_over_.load(std::memory_order_relaxed);
  try {
    backend().enqueue(*this, what(), after_);
  } catch (...) {
    complete(std::current_exception());
  }
  if (!was_announced) { // else no thread waits for it
    handed_over_.store(true, std::memory_order_release);
    release_successor();
  }
  const std::uint32_t state = state_.load(std::memory_order_seq_cst);
  if (is_on_request(state) && (state & IN_BACKGROUND) != 0)
    backend().notify(*this);
}

void command::run_on_host() noexcept {
  // Never counts as handed over, so that whatever comes after waits for completion.
  if (const auto* task = std::get_if<host_operation>(&what())) {
    return falx::run_host_task(*this, *task, [](command_view& self, std::exception_ptr error) noexcept {
      self.complete(std::move(error));
    });
  }
  mark_running();
  complete();
}

} // namespace falx
