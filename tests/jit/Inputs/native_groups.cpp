// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native_groups.hpp"
#include "falx/device_builtins.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>
#include <ucontext.h>
#include <vector>

namespace {

constexpr std::size_t STACK_BYTES = std::size_t{1} << 18;

/// How often a work-item has come where its group, and where its sub-group, meets; and, since then, where
/// some members of the sub-group do.
struct meetings {
  unsigned of_group = 0, of_sub_group = 0, of_members = 0;
};
struct fiber {
  ucontext_t context{};
  std::unique_ptr<char[]> stack = std::make_unique<char[]>(STACK_BYTES);
  std::uint64_t local[3] = {0, 0, 0};
  std::uint32_t linear = 0;
  meetings met;
  bool has_ended = false;
  /// What it shows the sub-group at even and odd meetings: nobody is two meetings ahead.
  std::uint64_t shown[2] = {0, 0};
  std::uint64_t shown_to_members[2] = {0, 0};
  /// Whom it waits for, if these are not all of the sub-group.
  std::uint64_t members = 0;
};

native_launch launch;
std::uint64_t group_id[3];
void* local_memory_base = nullptr;
const std::function<void()>* work = nullptr;
std::vector<std::unique_ptr<fiber>> fibers;
fiber* self = nullptr;
ucontext_t scheduler;

std::uint32_t group_size() {
  return std::uint32_t(launch.local[0] * launch.local[1] * launch.local[2]);
}
std::uint32_t first_of_sub_group(const fiber& of) {
  return of.linear / launch.sub_group_size * launch.sub_group_size;
}
std::uint32_t size_of_sub_group(const fiber& of) {
  return std::min(launch.sub_group_size, group_size() - first_of_sub_group(of));
}

/// All whom it waits for have come as often.
bool may_go_on(const fiber& waiting) {
  const std::uint32_t first = first_of_sub_group(waiting), end = first + size_of_sub_group(waiting);
  for (std::uint32_t i = 0; i < group_size(); ++i) {
    const meetings& theirs = fibers[i]->met;
    if (theirs.of_group < waiting.met.of_group ||
        (i >= first && i < end && theirs.of_sub_group < waiting.met.of_sub_group))
      return false;
    if (i >= first && i < end && (waiting.members >> (i - first) & 1) != 0 &&
        theirs.of_sub_group == waiting.met.of_sub_group && theirs.of_members < waiting.met.of_members)
      return false;
  }
  return true;
}

void wait() {
  swapcontext(&self->context, &scheduler);
}

void start() {
  (*work)();
  self->has_ended = true;
  wait();
}

void run_group() {
  const std::uint32_t size = group_size();
  while (fibers.size() < size)
    fibers.push_back(std::make_unique<fiber>());
  for (std::uint32_t i = 0; i < size; ++i) {
    fiber& each = *fibers[i];
    each.linear = i;
    each.local[0] = i % launch.local[0];
    each.local[1] = i / launch.local[0] % launch.local[1];
    each.local[2] = i / launch.local[0] / launch.local[1];
    each.met = {};
    each.members = 0;
    each.has_ended = false;
    getcontext(&each.context);
    each.context.uc_stack.ss_sp = each.stack.get();
    each.context.uc_stack.ss_size = STACK_BYTES;
    each.context.uc_link = nullptr;
    makecontext(&each.context, start, 0);
  }
  for (bool all_ended = false, progress = true; !all_ended;) {
    if (!progress) {
      std::printf("FAILED: work-items wait for each other\n");
      std::exit(1);
    }
    all_ended = true;
    progress = false;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (fibers[i]->has_ended)
        continue;
      all_ended = false;
      if (!may_go_on(*fibers[i]))
        continue;
      progress = true;
      self = fibers[i].get();
      swapcontext(&scheduler, &self->context);
    }
  }
}

std::uint32_t lane() {
  return self->linear % launch.sub_group_size;
}
std::uint32_t sub_group_size() {
  return size_of_sub_group(*self);
}
void meet_sub_group() {
  ++self->met.of_sub_group;
  self->met.of_members = 0;
}
/// Shows \p value to the sub-group and waits for what others show.
unsigned show(std::uint64_t value) {
  meet_sub_group();
  const unsigned parity = self->met.of_sub_group % 2;
  self->shown[parity] = value;
  wait();
  return parity;
}
std::uint64_t shown_by(std::uint32_t lane, unsigned parity) {
  return fibers[first_of_sub_group(*self) + lane]->shown[parity];
}
/// The same among \p members.
unsigned show_to_members(std::uint64_t value, std::uint64_t members) {
  const unsigned parity = ++self->met.of_members % 2;
  self->shown_to_members[parity] = value;
  self->members = members;
  wait();
  self->members = 0;
  return parity;
}
std::uint64_t shown_to_members_by(std::uint32_t lane, unsigned parity) {
  return fibers[first_of_sub_group(*self) + lane]->shown_to_members[parity];
}
/// What kernels must not look at where there is no such lane.
constexpr std::uint64_t GARBAGE = 0xabadcafeabadcafe;

std::uint64_t exchange(std::uint64_t value, std::uint32_t source) {
  const unsigned parity = show(value);
  return source < sub_group_size() ? shown_by(source, parity) : GARBAGE;
}

std::uint64_t arrive_at(std::uint64_t& state, std::uint64_t dropped) {
  constexpr std::uint64_t count = (1 << 20) - 1;
  const std::uint64_t before = state, pending = (before & count) - 1,
                      expected = (before >> 20 & count) - dropped;
  const std::uint64_t cycle = (before >> 40) + (pending == 0);
  state = (pending == 0 ? expected : pending) | expected << 20 | (cycle & 4095) << 40;
  return before;
}
bool is_over(std::uint64_t state, std::uint64_t token) {
  return ((state ^ token) >> 40) != 0;
}

template <class T, class Operation>
T combine(T value, Operation operation) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  const unsigned parity = show(bits);
  T result{};
  for (std::uint32_t i = 0; i < sub_group_size(); ++i) {
    T other;
    const std::uint64_t word = shown_by(i, parity);
    std::memcpy(&other, &word, sizeof(T));
    result = i == 0 ? other : T(operation(result, other));
  }
  return result;
}

struct add {
  template <class T>
  T operator()(T a, T b) const {
    return T(a + b);
  }
};
struct min {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct max {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct band {
  template <class T>
  T operator()(T a, T b) const {
    return T(a & b);
  }
};
struct bor {
  template <class T>
  T operator()(T a, T b) const {
    return T(a | b);
  }
};
struct bxor {
  template <class T>
  T operator()(T a, T b) const {
    return T(a ^ b);
  }
};

} // namespace

void run_natively(const native_launch& the_launch, const std::function<void()>& work_item,
                  void* local_memory) {
  launch = the_launch;
  work = &work_item;
  local_memory_base = local_memory;
  for (group_id[2] = 0; group_id[2] < launch.groups[2]; ++group_id[2])
    for (group_id[1] = 0; group_id[1] < launch.groups[1]; ++group_id[1])
      for (group_id[0] = 0; group_id[0] < launch.groups[0]; ++group_id[0])
        run_group();
}

#define AXIS(letter, i)                                                                                      \
  std::size_t __falx_global_id_##letter() {                                                                  \
    return group_id[i] * launch.local[i] + self->local[i] + launch.offset[i];                                \
  }                                                                                                          \
  std::size_t __falx_global_range_##letter() {                                                               \
    return launch.groups[i] * launch.local[i];                                                               \
  }                                                                                                          \
  std::size_t __falx_global_offset_##letter() {                                                              \
    return launch.offset[i];                                                                                 \
  }                                                                                                          \
  std::size_t __falx_local_id_##letter() {                                                                   \
    return self->local[i];                                                                                   \
  }                                                                                                          \
  std::size_t __falx_local_range_##letter() {                                                                \
    return launch.local[i];                                                                                  \
  }                                                                                                          \
  std::size_t __falx_group_id_##letter() {                                                                   \
    return group_id[i];                                                                                      \
  }                                                                                                          \
  std::size_t __falx_group_range_##letter() {                                                                \
    return launch.groups[i];                                                                                 \
  }
#define SHUFFLE(bits)                                                                                        \
  std::uint##bits##_t __falx_sub_group_shuffle_u##bits(std::uint##bits##_t value, std::uint32_t lane) {      \
    return std::uint##bits##_t(exchange(value, lane));                                                       \
  }                                                                                                          \
  std::uint##bits##_t __falx_sub_group_shuffle_up_u##bits(std::uint##bits##_t value, std::uint32_t by) {     \
    return std::uint##bits##_t(exchange(value, lane() - by));                                                \
  }                                                                                                          \
  std::uint##bits##_t __falx_sub_group_shuffle_down_u##bits(std::uint##bits##_t value, std::uint32_t by) {   \
    return std::uint##bits##_t(exchange(value, lane() + by));                                                \
  }                                                                                                          \
  std::uint##bits##_t __falx_sub_group_shuffle_xor_u##bits(std::uint##bits##_t value, std::uint32_t by) {    \
    return std::uint##bits##_t(exchange(value, lane() ^ by));                                                \
  }                                                                                                          \
  std::uint##bits##_t __falx_sub_group_members_shuffle_u##bits(std::uint##bits##_t value,                    \
                                                               std::uint32_t lane, std::uint64_t members) {  \
    return std::uint##bits##_t(shown_to_members_by(lane, show_to_members(value, members)));                  \
  }
#define REDUCE(operation, function, letter, type)                                                            \
  type __falx_sub_group_reduce_##operation##_##letter(type value) {                                          \
    return combine(value, function());                                                                       \
  }
#define REDUCE_INTEGERS(bits)                                                                                \
  REDUCE(add, add, u##bits, std::uint##bits##_t)                                                             \
  REDUCE(min, min, s##bits, std::int##bits##_t)                                                              \
  REDUCE(max, max, s##bits, std::int##bits##_t)                                                              \
  REDUCE(min, min, u##bits, std::uint##bits##_t)                                                             \
  REDUCE(max, max, u##bits, std::uint##bits##_t)                                                             \
  REDUCE(and, band, u##bits, std::uint##bits##_t)                                                            \
  REDUCE(or, bor, u##bits, std::uint##bits##_t)                                                              \
  REDUCE(xor, bxor, u##bits, std::uint##bits##_t)
#define REDUCE_FLOATS(bits, type)                                                                            \
  REDUCE(add, add, f##bits, type) REDUCE(min, min, f##bits, type) REDUCE(max, max, f##bits, type)

extern "C" {
AXIS(x, 0)
AXIS(y, 1)
AXIS(z, 2)
SHUFFLE(32)
SHUFFLE(64)
REDUCE_INTEGERS(32)
REDUCE_INTEGERS(64)
REDUCE_FLOATS(32, float)
REDUCE_FLOATS(64, double)
void __falx_work_group_barrier() {
  ++self->met.of_group;
  wait();
}
void __falx_sub_group_barrier() {
  meet_sub_group();
  wait();
}
void __falx_sub_group_members_barrier(std::uint64_t members) {
  show_to_members(0, members);
}
std::uint64_t __falx_sub_group_members_ballot(bool predicate, std::uint64_t members) {
  const unsigned parity = show_to_members(predicate, members);
  std::uint64_t result = 0;
  for (std::uint32_t i = 0; i < sub_group_size(); ++i)
    if ((members >> i & 1) != 0)
      result |= shown_to_members_by(i, parity) << i;
  return result;
}
std::uint32_t __falx_sub_group_local_id() {
  return lane();
}
std::uint32_t __falx_sub_group_size() {
  return sub_group_size();
}
std::uint32_t __falx_sub_group_max_size() {
  return launch.sub_group_size;
}
std::uint32_t __falx_sub_group_id() {
  return self->linear / launch.sub_group_size;
}
std::uint32_t __falx_sub_group_count() {
  return (group_size() + launch.sub_group_size - 1) / launch.sub_group_size;
}
bool __falx_sub_groups_in_order() {
  return false;
}
bool __falx_work_group_votes() {
  return false;
}
bool __falx_work_group_any(bool) {
  std::abort(); // nothing votes
}
bool __falx_sub_group_any(bool predicate) {
  return __falx_sub_group_ballot(predicate) != 0;
}
bool __falx_sub_group_all(bool predicate) {
  return __falx_sub_group_ballot(!predicate) == 0;
}
std::uint64_t __falx_sub_group_ballot(bool predicate) {
  return combine(std::uint64_t{predicate} << lane(), bor());
}
void* __falx_local_memory() {
  return local_memory_base;
}
void* __falx_group_scratch(std::size_t bytes_per_work_item) {
  alignas(64) static char scratch[1 << 14];
  if (bytes_per_work_item * group_size() > sizeof scratch) {
    std::printf("FAILED: the group needs %zu bytes of scratch memory\n", bytes_per_work_item * group_size());
    std::exit(1);
  }
  return scratch;
}

// Asynchronous barriers, with the bits of jit/targets/cpu/cpu_builtins.ll, as what is left in local memory is
// compared. Who waits is asked again and again.
void __falx_async_barrier_initialize(std::uint64_t* state, std::uint32_t expected) {
  *state = expected | std::uint64_t{expected} << 20;
}
void __falx_async_barrier_invalidate(std::uint64_t* state) {
  *state = 0;
}
std::uint64_t __falx_async_barrier_arrive(std::uint64_t* state) {
  return arrive_at(*state, 0);
}
std::uint64_t __falx_async_barrier_arrive_and_drop(std::uint64_t* state) {
  return arrive_at(*state, 1);
}
bool __falx_async_barrier_test(std::uint64_t* state, std::uint64_t token) {
  if (is_over(*state, token))
    return true;
  wait();
  return is_over(*state, token);
}
void __falx_async_barrier_wait(std::uint64_t* state, std::uint64_t token) {
  while (!is_over(*state, token))
    wait();
}
}
