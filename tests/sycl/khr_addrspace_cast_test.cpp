// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_khr_static_addrspace_cast, sycl_khr_dynamic_addrspace_cast and SYCL 2020's address_space_cast: objects
// of each space, where the compiler sees which it is and where it does not.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace {

using namespace sycl;
using access::address_space;
using access::decorated;

static_assert(SYCL_KHR_STATIC_ADDRSPACE_CAST == 1 && SYCL_KHR_DYNAMIC_ADDRSPACE_CAST == 1);
static_assert(std::is_same_v<
              decltype(khr::static_addrspace_cast<address_space::local_space>(std::declval<const int*>())),
              multi_ptr<const int, address_space::local_space, decorated::no>>);
static_assert(std::is_same_v<decltype(khr::dynamic_addrspace_cast<address_space::global_space>(
                                 std::declval<decorated_generic_ptr<int>>())),
                             multi_ptr<int, address_space::global_space, decorated::yes>>);
static_assert(std::is_same_v<decltype(khr::static_addrspace_cast<address_space::private_space>(
                                 std::declval<generic_ptr<int>>())),
                             multi_ptr<int, address_space::private_space, decorated::legacy>>);

enum : int { IN_GLOBAL = 1, IN_LOCAL = 2, IN_PRIVATE = 4, CHANGED = 8 };

/// The spaces that a cast finds the object in.
template <class T>
int spaces(T* object) {
  int found = 0;
  const auto note = [&](auto cast, int space) {
    if (cast.get() != nullptr)
      found |= space | (cast.get() == object ? 0 : CHANGED);
  };
  note(khr::dynamic_addrspace_cast<address_space::global_space>(object), IN_GLOBAL);
  note(khr::dynamic_addrspace_cast<address_space::local_space>(raw_generic_ptr<T>(object)), IN_LOCAL);
  note(address_space_cast<address_space::private_space, decorated::yes>(object), IN_PRIVATE);
  return found;
}

class addrspace_cast : public testing::Test {
protected:
  static constexpr std::size_t SIZE = 64;

  /// Runs \p body(item, int of local memory per work-item, int of global memory) -> result over groups of 16.
  template <class Body>
  void expect_everywhere(int expected, Body body) {
    std::vector<int> results(SIZE, -1), memory(SIZE, 5);
    {
      buffer<int> out(results), values(memory);
      queue_.submit([&](handler& cgh) {
        accessor to(out, cgh, write_only, no_init);
        accessor global(values, cgh, read_write);
        local_accessor<int> local(16, cgh);
        cgh.parallel_for(nd_range<1>(SIZE, 16), [=](nd_item<1> item) {
          int* const shared = &local[0];
          int* const data = &global[0];
          to[item.get_global_id()] = body(item, shared, data);
        });
      });
    }
    EXPECT_EQ(results, std::vector<int>(SIZE, expected));
  }

  queue queue_;
};

TEST_F(addrspace_cast, finds_global_memory) {
  expect_everywhere(
      IN_GLOBAL, [](nd_item<1> item, int*, int* global) { return spaces(global + item.get_global_id(0)); });
}

TEST_F(addrspace_cast, finds_local_memory) {
  expect_everywhere(IN_LOCAL,
                    [](nd_item<1> item, int* local, int*) { return spaces(local + item.get_local_id(0)); });
}

TEST_F(addrspace_cast, finds_private_variables) {
  expect_everywhere(IN_PRIVATE, [](nd_item<1>, int*, int* global) {
    int variable = global[0];
    return spaces(&variable);
  });
}

TEST_F(addrspace_cast, finds_private_arrays_across_barriers) {
  expect_everywhere(IN_PRIVATE, [](nd_item<1> item, int* local, int* global) {
    int array[8];
    for (int i = 0; i < 8; ++i)
      array[i] = global[i] + static_cast<int>(item.get_local_id(0));
    local[item.get_local_id(0)] = array[global[1]];
    group_barrier(item.get_group());
    array[3] += local[0];
    return spaces(&array[global[2]]) | (array[3] < 0 ? CHANGED : 0);
  });
}

/// A choice among three, so it is not known before the kernel runs.
TEST_F(addrspace_cast, finds_what_is_chosen_at_run_time) {
  std::vector<int> results(SIZE, -1), memory(SIZE, 7);
  {
    buffer<int> out(results), values(memory);
    queue_.submit([&](handler& cgh) {
      accessor to(out, cgh, write_only, no_init);
      accessor global(values, cgh, read_write);
      local_accessor<int> local(16, cgh);
      cgh.parallel_for(nd_range<1>(SIZE, 16), [=](nd_item<1> item) {
        const std::size_t self = item.get_local_id(0);
        int variable[4] = {global[0], global[1], global[2], global[3]};
        local[self] = variable[self % 4];
        int* const chosen = self % 3 == 0   ? &global[self]
                            : self % 3 == 1 ? &local[self]
                                            : &variable[self % 4];
        to[item.get_global_id()] = spaces(chosen) + 16 * *chosen;
      });
    });
  }
  for (std::size_t i = 0; i < SIZE; ++i)
    EXPECT_EQ(results[i], (1 << (i % 16 % 3)) + 16 * 7) << i;
}

/// Local memory that the group's work-items know by a pointer that lies in local memory.
TEST_F(addrspace_cast, finds_what_a_pointer_in_memory_points_to) {
  std::vector<int> results(SIZE, -1), memory(SIZE, 7);
  {
    buffer<int> out(results), values(memory);
    queue_.submit([&](handler& cgh) {
      accessor to(out, cgh, write_only, no_init);
      accessor global(values, cgh, read_write);
      local_accessor<int> local(16, cgh);
      local_accessor<int*> pointers(2, cgh);
      cgh.parallel_for(nd_range<1>(SIZE, 16), [=](nd_item<1> item) {
        const std::size_t self = item.get_local_id(0);
        if (self < 2)
          pointers[self] = self == 0 ? &global[0] : &local[0];
        group_barrier(item.get_group());
        to[item.get_global_id()] = spaces(pointers[self % 2]);
      });
    });
  }
  for (std::size_t i = 0; i < SIZE; ++i)
    EXPECT_EQ(results[i], i % 2 == 0 ? IN_GLOBAL : IN_LOCAL) << i;
}

TEST_F(addrspace_cast, leaves_null_alone) {
  expect_everywhere(0, [](nd_item<1>, int*, int*) { return spaces(static_cast<int*>(nullptr)); });
}

TEST_F(addrspace_cast, works_over_ranges) {
  std::vector<int> results(SIZE, -1);
  {
    buffer<int> out(results);
    queue_.submit([&](handler& cgh) {
      accessor to(out, cgh, write_only, no_init);
      cgh.parallel_for(range<1>(SIZE), [=](item<1> item) {
        int variable = static_cast<int>(item.get_linear_id());
        const int found = spaces(&variable) + 16 * spaces(&to[item]);
        to[item] = found;
      });
    });
  }
  EXPECT_EQ(results, std::vector<int>(SIZE, IN_PRIVATE + 16 * IN_GLOBAL));
}

TEST_F(addrspace_cast, finds_private_memory_of_hierarchical_kernels) {
  std::vector<int> results(SIZE, -1);
  {
    buffer<int> out(results);
    queue_.submit([&](handler& cgh) {
      accessor to(out, cgh, write_only, no_init);
      cgh.parallel_for_work_group(range<1>(SIZE / 16), range<1>(16), [=](group<1> work_group) {
        private_memory<int> mine(work_group);
        int shared = 3;
        work_group.parallel_for_work_item([&](h_item<1> item) {
          mine(item) = shared;
          const int own = (spaces(&mine(item)) & IN_PRIVATE) + (spaces(&shared) & IN_LOCAL);
          to[item.get_global_id()] = own + 16 * spaces(&to[item.get_global_id()]);
        });
      });
    });
  }
  EXPECT_EQ(results, std::vector<int>(SIZE, IN_PRIVATE + IN_LOCAL + 16 * IN_GLOBAL));
}

TEST_F(addrspace_cast, static_casts_keep_the_pointer) {
  expect_everywhere(1, [](nd_item<1> item, int* local, int* global) {
    int variable = global[0];
    const std::size_t self = item.get_local_id(0);
    local[self] = variable;
    const auto of_global = khr::static_addrspace_cast<address_space::global_space>(global);
    const auto of_local =
        khr::static_addrspace_cast<address_space::local_space>(decorated_generic_ptr<int>(local + self));
    const auto of_private = khr::static_addrspace_cast<address_space::private_space>(&variable);
    return int{of_global.get() == global && *of_local == variable && of_private.get() == &variable};
  });
}

TEST(addrspace_cast_on_the_host, has_one_space) {
  int object = 4;
  EXPECT_EQ(spaces(&object), IN_GLOBAL | IN_LOCAL | IN_PRIVATE);
}

} // namespace
