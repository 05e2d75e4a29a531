// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barrier_kernels.hpp"
#include "falx/device_builtins.hpp"

/// \file
/// Kernels with every legal shape of barriers (and one illegal but tolerated one). Compiled twice: as device
/// code for the JIT, and natively with builtins that are backed by one thread per work-item
/// (run_barrier_kernels.cpp).

namespace {

int linear_id() {
  return int(__falx_local_id_x() +
             __falx_local_range_x() * (__falx_local_id_y() + __falx_local_range_y() * __falx_local_id_z()));
}
int group_size() {
  return int(__falx_local_range_x() * __falx_local_range_y() * __falx_local_range_z());
}
int group_linear() {
  return int(__falx_group_id_x() +
             __falx_group_range_x() * (__falx_group_id_y() + __falx_group_range_y() * __falx_group_id_z()));
}
int global_linear() {
  return group_linear() * group_size() + linear_id();
}
int* local_ints() {
  return static_cast<int*>(__falx_local_memory());
}
void barrier() {
  __falx_work_group_barrier();
}
int right_neighbour() {
  return (linear_id() + 1) % group_size();
}

/// Writes to local memory, waits, reads the neighbour's, waits.
int exchange(int value) {
  local_ints()[linear_id()] = value;
  barrier();
  const int result = local_ints()[right_neighbour()];
  barrier();
  return result;
}
/// Sum over the group in a tree; every work-item gets it.
int reduce(int value) {
  int* memory = local_ints();
  const int me = linear_id(), size = group_size();
  memory[me] = value;
  barrier();
  int width = 1;
  while (width < size)
    width *= 2;
  for (int stride = width / 2; stride > 0; stride /= 2) {
    if (me < stride && me + stride < size)
      memory[me] += memory[me + stride];
    barrier();
  }
  const int result = memory[0];
  barrier();
  return result;
}
struct point {
  int x, y, z;
  int sum() const { return x + 10 * y + 100 * z; }
};
void shift(point& p, int by) {
  p.x += by;
  barrier();
  p.y = local_ints()[0] + p.x;
}
/// Recursion in templates: barriers several calls deep.
template <int DEPTH>
int nested_calls(int value) {
  if constexpr (DEPTH == 0)
    return exchange(value);
  else
    return nested_calls<DEPTH - 1>(value + DEPTH) * 3;
}

} // namespace

extern "C" {

KERNEL(no_barrier) {
  a.out[global_linear()] = a.in[global_linear()] * 3 + linear_id();
}
KERNEL(one_barrier) {
  local_ints()[linear_id()] = a.in[global_linear()];
  barrier();
  a.out[global_linear()] = local_ints()[right_neighbour()];
}
KERNEL(barrier_first) {
  barrier();
  a.out[global_linear()] = linear_id();
}
KERNEL(barrier_last) {
  a.out[global_linear()] = linear_id() + 5;
  barrier();
}
KERNEL(only_barriers) {
  barrier();
  barrier();
}
KERNEL(two_in_one_block) {
  int* memory = local_ints();
  memory[linear_id()] = a.in[global_linear()];
  barrier();
  const int first = memory[right_neighbour()];
  barrier();
  memory[linear_id()] = first * 2;
  barrier();
  a.out[global_linear()] = memory[right_neighbour()] + first;
}
KERNEL(adjacent) {
  local_ints()[linear_id()] = linear_id();
  barrier();
  barrier();
  barrier();
  a.out[global_linear()] = local_ints()[right_neighbour()];
}
KERNEL(loop) {
  int value = a.in[global_linear()];
  for (int i = 0; i < 5; ++i)
    value = exchange(value) + i;
  a.out[global_linear()] = value;
}
KERNEL(loop_with_argument_count) {
  int value = a.in[global_linear()];
  for (long i = 0; i < a.count; ++i) {
    local_ints()[linear_id()] = value;
    barrier();
    value += local_ints()[right_neighbour()] * int(i + 1);
    barrier();
  }
  a.out[global_linear()] = value;
}
KERNEL(loop_that_may_not_run) {
  int value = linear_id();
  for (long i = 0; i < a.count - 3; ++i)
    value = exchange(value) + 1;
  for (long i = 0; i < 0 * a.count; ++i)
    value = exchange(value) + 100;
  a.out[global_linear()] = value;
}
KERNEL(loop_count_from_memory) {
  int value = linear_id();
  for (int i = 0; i < (a.in[0] & 3) + 1; ++i)
    value = exchange(value) + i;
  a.out[global_linear()] = value;
}
KERNEL(nested_loops) {
  int value = a.in[global_linear()];
  for (int i = 0; i < 3; ++i) {
    int inner = i;
    for (int j = 0; j <= i; ++j) {
      inner += exchange(value + j);
      if (j == 1)
        barrier();
    }
    value ^= inner;
    barrier();
  }
  a.out[global_linear()] = value;
}
KERNEL(three_nested_loops) {
  int value = a.in[global_linear()];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k)
        value = exchange(value * 3 + i * 100 + j * 10 + k);
  a.out[global_linear()] = value;
}
KERNEL(divergent_loop_between) {
  int value = a.in[global_linear()];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < linear_id() % 4; ++i)
      value += i * round + 1;
    value = exchange(value);
  }
  a.out[global_linear()] = value;
}
KERNEL(divergent_conditional_between) {
  int value = a.in[global_linear()], other;
  if (linear_id() % 2 != 0)
    other = value * 7;
  else
    other = value - 9;
  barrier();
  if (linear_id() % 3 == 0)
    value += other;
  value += exchange(value);
  a.out[global_linear()] = value + other;
}
KERNEL(uniform_if) {
  int value = a.in[global_linear()];
  if (a.count > 2)
    value = exchange(value);
  if (a.count > 200)
    value = exchange(value);
  a.out[global_linear()] = value;
}
KERNEL(uniform_if_by_group) {
  int value = a.in[global_linear()];
  if (group_linear() % 2 == 0)
    value = exchange(value);
  a.out[global_linear()] = value;
}
KERNEL(both_arms) {
  int value = a.in[global_linear()];
  local_ints()[linear_id()] = value;
  if (group_linear() % 2 == 0) {
    value += 3;
    barrier();
    value += local_ints()[right_neighbour()];
  } else {
    value -= 4;
    barrier();
    value *= local_ints()[right_neighbour()];
  }
  a.out[global_linear()] = value;
}
KERNEL(barrier_in_one_of_nested_ifs) {
  int value = linear_id();
  if (a.count > 0) {
    if (group_linear() == 1) {
      if (a.count < 100)
        value = exchange(value) + 1000;
      else
        value = 1;
    } else if (group_linear() == 0) {
      value += 2;
    }
    value = exchange(value);
  }
  a.out[global_linear()] = value;
}
KERNEL(do_while_with_break) {
  int value = a.in[global_linear()], i = 0;
  do {
    value = exchange(value + i);
    if (i == int(a.count))
      break;
    value += 10;
    barrier();
    ++i;
  } while (i < 10);
  a.out[global_linear()] = value + i;
}
KERNEL(loop_with_continue) {
  int value = a.in[global_linear()];
  for (int i = 0; i < 6; ++i) {
    if (i % 2 == 1) {
      value += linear_id();
      continue;
    }
    value = exchange(value);
    if (i == 4)
      continue;
    value -= 1;
  }
  a.out[global_linear()] = value;
}
KERNEL(endless_loop_with_return) {
  int value = a.in[global_linear()];
  for (int i = 0;; ++i) {
    value = exchange(value);
    if (i == 3) {
      a.out[global_linear()] = value;
      return;
    }
  }
}
KERNEL(switch_of_barriers) {
  int value = a.in[global_linear()];
  switch ((int(a.count) + group_linear()) % 4) {
  case 0:
    value = exchange(value);
    break;
  case 1:
    value = exchange(value) + 1;
    [[fallthrough]];
  case 2:
    value = exchange(value) * 2;
    break;
  default:
    value = -value;
  }
  a.out[global_linear()] = value;
}
KERNEL(state_machine) {
  int state = 0, value = a.in[global_linear()];
  while (state != 9)
    switch (state) {
    case 0:
      value += 1;
      barrier();
      state = 2;
      break;
    case 1:
      value = exchange(value);
      state = 9;
      break;
    case 2:
      value = exchange(value) * 3;
      state = a.count > 2 ? 1 : 9;
      break;
    default:
      state = 9;
    }
  a.out[global_linear()] = value;
}
KERNEL(private_array) {
  int array[4];
  for (int i = 0; i < 4; ++i)
    array[i] = a.in[global_linear()] + i * linear_id();
  barrier();
  int sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += array[(i + linear_id()) % 4] * (i + 1);
  a.out[global_linear()] = sum;
}
KERNEL(private_array_in_loop) {
  int history[8] = {};
  for (int i = 0; i < 8; ++i) {
    history[(i + linear_id()) % 8] += exchange(i * linear_id());
    if (i > 2)
      history[i] ^= history[i - 1];
  }
  int sum = 0;
  for (int value : history)
    sum = sum * 5 + value;
  a.out[global_linear()] = sum;
}
KERNEL(two_arrays_one_crossing) {
  int before[4], across[4];
  for (int i = 0; i < 4; ++i)
    before[i] = a.in[global_linear()] >> i;
  for (int i = 0; i < 4; ++i)
    across[i] = before[(i + linear_id()) % 4];
  barrier();
  int after[4], sum = 0;
  for (int i = 0; i < 4; ++i)
    after[(i * linear_id()) % 4] = across[i];
  for (int i = 0; i < 4; ++i)
    sum += after[0] + across[(linear_id() + i) % 4];
  a.out[global_linear()] = sum;
}
KERNEL(address_taken) {
  int first = a.in[global_linear()], second = linear_id();
  int* chosen = linear_id() % 2 != 0 ? &first : &second;
  barrier();
  *chosen += 100;
  barrier();
  a.out[global_linear()] = first * 3 + second;
}
KERNEL(pointer_to_pointer) {
  int value = a.in[global_linear()];
  int* pointer = &value;
  int** handle = &pointer;
  int other = 4;
  if (linear_id() > 1)
    *handle = &other;
  barrier();
  **handle += linear_id();
  barrier();
  a.out[global_linear()] = value + 7 * other + *pointer;
}
KERNEL(pointer_into_array_across) {
  int array[6];
  for (int i = 0; i < 6; ++i)
    array[i] = i * 11 + linear_id();
  int* pointer = array + linear_id() % 6;
  barrier();
  *pointer = -1;
  pointer = array + (linear_id() + a.count) % 6;
  barrier();
  a.out[global_linear()] = *pointer + array[0] + array[5];
}
KERNEL(structure_in_called_function) {
  point p{linear_id(), 2, 3};
  if (linear_id() == 0)
    local_ints()[0] = group_linear() + 50;
  shift(p, 4);
  barrier();
  shift(p, a.in[global_linear()] & 7);
  a.out[global_linear()] = p.sum();
}
KERNEL(deep_calls) {
  a.out[global_linear()] = nested_calls<4>(a.in[global_linear()]);
}
KERNEL(swapped_values) {
  int first = linear_id(), second = a.in[global_linear()];
  for (int i = 0; i < 5; ++i) {
    const int kept = first;
    first = second;
    second = kept;
    barrier();
    if (i == 2)
      second += exchange(first);
  }
  a.out[global_linear()] = first * 31 + second;
}
KERNEL(fibonacci_phis) {
  int previous = linear_id(), current = 1;
  for (int i = 0; i < 7; ++i) {
    const int next = previous + current;
    previous = current;
    barrier();
    current = next;
  }
  a.out[global_linear()] = previous * 1000 + current;
}
KERNEL(counter_live_across) {
  int hits = 0;
  for (int i = 0, j = linear_id(); i < 6; ++i, j += 2) {
    local_ints()[linear_id()] = j;
    barrier();
    if (local_ints()[right_neighbour()] > j)
      ++hits;
    barrier();
  }
  a.out[global_linear()] = hits;
}
KERNEL(boolean_and_small_types) {
  const bool odd = (a.in[global_linear()] & 1) != 0;
  const char letter = char('a' + linear_id() % 20);
  const short number = short(linear_id() * 300);
  const long long wide = 1LL << (linear_id() % 40);
  const float real = float(linear_id()) * 0.5f;
  const double precise = double(a.in[global_linear()]) / 8;
  barrier();
  a.out[global_linear()] =
      (odd ? 1 : 2) + letter + number + int(wide >> 3) + int(real * 4) + int(precise * 8);
}
struct alignas(128) wide_block {
  int values[32];
};
KERNEL(overaligned_array) {
  wide_block block;
  for (int i = 0; i < 32; ++i)
    block.values[i] = i * linear_id();
  barrier();
  int sum = int(reinterpret_cast<unsigned long>(&block) % 128);
  for (int i = 0; i < 32; ++i)
    sum += block.values[(i * 7 + linear_id()) % 32] * i;
  a.out[global_linear()] = sum;
}
typedef float float8 __attribute__((vector_size(32)));
KERNEL(vector_across) {
  float8 values = {};
  for (int i = 0; i < 8; ++i)
    values[i] = float(linear_id() + i);
  barrier();
  values = values * values;
  barrier();
  float sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += values[i];
  a.out[global_linear()] = int(sum);
}
KERNEL(reduction_tree) {
  a.out[global_linear()] = reduce(a.in[global_linear()]);
}
KERNEL(reductions_in_loop) {
  int value = linear_id();
  for (int i = 0; i < 3; ++i)
    value = (value + reduce(value)) % 10007;
  a.out[global_linear()] = value;
}
KERNEL(prefix_sum) {
  int* memory = local_ints();
  const int me = linear_id();
  memory[me] = a.in[global_linear()];
  barrier();
  for (int distance = 1; distance < group_size(); distance *= 2) {
    int addend = 0;
    if (me >= distance)
      addend = memory[me - distance];
    barrier();
    memory[me] += addend;
    barrier();
  }
  a.out[global_linear()] = memory[me];
}
KERNEL(tile_loop) {
  int* tile = local_ints();
  int sum = 0;
  const int size = group_size(), me = linear_id();
  for (int block = 0; block < 3; ++block) {
    tile[me] = a.in[(block * size + me) % a.total];
    barrier();
    for (int i = 0; i < size; ++i)
      sum += tile[i] * (me + i);
    barrier();
  }
  a.out[global_linear()] = sum;
}
KERNEL(matrix_transpose) {
  int* tile = local_ints();
  const int x = int(__falx_local_id_x()), y = int(__falx_local_id_y()), z = int(__falx_local_id_z());
  const int width = int(__falx_local_range_x()), height = int(__falx_local_range_y());
  tile[(z * width + x) * height + y] = a.in[global_linear()];
  barrier();
  a.out[global_linear()] = tile[linear_id()] + x * 3 + y * 5 + z * 7;
}
KERNEL(global_ids) {
  const unsigned long x = __falx_global_id_x(), y = __falx_global_id_y(), z = __falx_global_id_z();
  barrier();
  a.out[global_linear()] = int(x + 100 * y + 10000 * z + __falx_global_range_x() +
                               7 * __falx_global_range_y() + __falx_global_offset_x());
}
KERNEL(global_memory_between) {
  a.out[global_linear()] = a.in[global_linear()];
  barrier();
  const int neighbour = a.out[group_linear() * group_size() + right_neighbour()];
  barrier();
  a.out[global_linear()] = neighbour + 1;
}
KERNEL(scratch) {
  int* memory = static_cast<int*>(__falx_group_scratch(8));
  memory[linear_id() * 2] = a.in[global_linear()];
  memory[linear_id() * 2 + 1] = linear_id();
  barrier();
  a.out[global_linear()] = memory[right_neighbour() * 2] - memory[right_neighbour() * 2 + 1];
}
KERNEL(common_tail_after_uniform_return) {
  int value = exchange(linear_id());
  if (group_linear() == 1) {
    a.out[global_linear()] = -value;
    return;
  }
  a.out[global_linear()] = exchange(value);
}
KERNEL(return_before_tail_without_barrier) {
  int value = exchange(linear_id());
  if (linear_id() % 2 == 0)
    return;
  a.out[global_linear()] = value;
}
KERNEL(goto_shapes) {
  int value = a.in[global_linear()], i = 0;
again:
  barrier();
  value += i;
  if (i == 2)
    goto behind;
  ++i;
  barrier();
  if (i < 5)
    goto again;
behind:
  value = exchange(value);
  if (i++ < 4 && a.count > 1)
    goto again;
  a.out[global_linear()] = value * 10 + i;
}
KERNEL(conditional_expression) {
  const int value = a.count > 2 ? exchange(linear_id()) : linear_id();
  const int both = a.count > 2 && exchange(value) >= 0 && a.count > 1 ? 1 : 2;
  a.out[global_linear()] = value + both;
}
KERNEL(leader_writes) {
  if (linear_id() == 0)
    local_ints()[0] = a.in[group_linear()];
  barrier();
  const int common = local_ints()[0];
  barrier();
  int value = 0;
  for (int i = 0; i < (common & 3) + 1; ++i)
    value += exchange(linear_id() + common) + i;
  a.out[global_linear()] = value;
}
KERNEL(atomics_between) {
  int* counter = local_ints();
  if (linear_id() == 0)
    *counter = 0;
  barrier();
  __atomic_fetch_add(counter, linear_id() + 1, __ATOMIC_RELAXED);
  barrier();
  const int sum = *counter;
  barrier();
  a.out[global_linear()] = sum + exchange(sum);
}
KERNEL(sub_group_functions) {
  __falx_sub_group_barrier();
  const unsigned value = __falx_sub_group_shuffle_u32(unsigned(linear_id()), 0);
  const unsigned long long votes = __falx_sub_group_ballot(linear_id() % 2 == 0);
  unsigned neighbour = __falx_sub_group_shuffle_u32(
      unsigned(linear_id()) * 3, (__falx_sub_group_local_id() + 1) % __falx_sub_group_size());
  for (unsigned offset = 1; offset < __falx_sub_group_max_size(); offset *= 2) {
    const unsigned other = __falx_sub_group_shuffle_u32(neighbour, __falx_sub_group_local_id() - offset);
    if (__falx_sub_group_local_id() >= offset)
      neighbour += other;
  }
  barrier();
  a.out[global_linear()] =
      int(neighbour * 7 + value + votes * 10 + __falx_sub_group_id() * 100 + __falx_sub_group_count() +
          __falx_sub_group_size() + __falx_sub_group_local_id());
}
/// Against the rules (SYCL 2020 §3.8.3.4), but common in code that came from GPUs: those that returned are
/// gone.
KERNEL(early_return) {
  if (linear_id() >= 2 + group_linear())
    return;
  local_ints()[linear_id()] = a.in[global_linear()];
  barrier();
  a.out[global_linear()] = local_ints()[0] + 1;
  barrier();
  if (linear_id() == 0)
    return;
  barrier();
  a.out[global_linear()] += 5;
}
KERNEL(early_return_in_loop) {
  int value = linear_id();
  for (int i = 0; i < 4; ++i) {
    a.out[global_linear()] = value;
    if (linear_id() == i + 1)
      return;
    barrier();
    value += 10;
  }
  a.out[global_linear()] = -value;
}

const kernel_entry BARRIER_KERNELS[] = {
    ENTRY(no_barrier),
    ENTRY(one_barrier),
    ENTRY(barrier_first),
    ENTRY(barrier_last),
    ENTRY(only_barriers),
    ENTRY(two_in_one_block),
    ENTRY(adjacent),
    ENTRY(loop),
    ENTRY(loop_with_argument_count),
    ENTRY(loop_that_may_not_run),
    ENTRY(loop_count_from_memory),
    ENTRY(nested_loops),
    ENTRY(three_nested_loops),
    ENTRY(divergent_loop_between),
    ENTRY(divergent_conditional_between),
    ENTRY(uniform_if),
    ENTRY(uniform_if_by_group),
    ENTRY(both_arms),
    ENTRY(barrier_in_one_of_nested_ifs),
    ENTRY(do_while_with_break),
    ENTRY(loop_with_continue),
    ENTRY(endless_loop_with_return),
    ENTRY(switch_of_barriers),
    ENTRY(state_machine),
    ENTRY(private_array),
    ENTRY(private_array_in_loop),
    ENTRY(two_arrays_one_crossing),
    ENTRY(address_taken),
    ENTRY(pointer_to_pointer),
    ENTRY(pointer_into_array_across),
    ENTRY(structure_in_called_function),
    ENTRY(deep_calls),
    ENTRY(swapped_values),
    ENTRY(fibonacci_phis),
    ENTRY(counter_live_across),
    ENTRY(boolean_and_small_types),
    ENTRY(overaligned_array),
    ENTRY(vector_across),
    ENTRY(reduction_tree),
    ENTRY(reductions_in_loop),
    ENTRY(prefix_sum),
    ENTRY(tile_loop),
    ENTRY(matrix_transpose),
    ENTRY(global_ids),
    ENTRY(global_memory_between),
    ENTRY(scratch),
    ENTRY(common_tail_after_uniform_return),
    ENTRY(return_before_tail_without_barrier),
    ENTRY(goto_shapes),
    ENTRY(conditional_expression),
    ENTRY(leader_writes),
    ENTRY(atomics_between),
    ENTRY(sub_group_functions),
    ENTRY(early_return),
    ENTRY(early_return_in_loop),
};
const unsigned BARRIER_KERNEL_COUNT = sizeof(BARRIER_KERNELS) / sizeof(BARRIER_KERNELS[0]);
}
