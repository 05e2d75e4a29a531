// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// AdaptiveCpp's extensions SCOPED_PARALLELISM_V2 and CUSTOM_PFWI_SYNCHRONIZATION.
#include <CL/sycl.hpp>
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#if !defined(ACPP_EXT_SCOPED_PARALLELISM_V2) || !defined(SYCL_EXT_ACPP_SCOPED_PARALLELISM_V2) ||             \
    !defined(ACPP_EXT_CUSTOM_PFWI_SYNCHRONIZATION) || !defined(SYCL_EXT_ACPP_CUSTOM_PFWI_SYNCHRONIZATION)
#error "the feature-test macros are missing"
#endif

namespace {

struct scoped_parallelism : testing::Test {
  sycl::queue queue;
  int* data = sycl::malloc_shared<int>(4096, queue);
  scoped_parallelism() {
    for (int i = 0; i < 4096; ++i)
      data[i] = i;
  }
  ~scoped_parallelism() override { sycl::free(data, queue); }
};

} // namespace

// The document's example: a sum in local memory.
TEST_F(scoped_parallelism, reduces_in_local_memory) {
  constexpr std::size_t size = 1024, group_size = 128;
  std::vector<int> input(size);
  for (std::size_t i = 0; i < size; ++i)
    input[i] = static_cast<int>(i);
  {
    sycl::buffer<int> buffer{input.data(), sycl::range<1>{size}};
    queue.submit([&](sycl::handler& cgh) {
      auto accessor = buffer.get_access<sycl::access::mode::read_write>(cgh);
      cgh.parallel<class document_example>(
          sycl::range<1>{size / group_size}, sycl::range<1>{group_size}, [=](auto grp) {
            sycl::memory_environment(
                grp, sycl::require_local_mem<int[group_size]>(), sycl::require_private_mem<int>(),
                [&](auto& scratch, auto& private_mem) {
                  sycl::distribute_items(grp, [&](sycl::s_item<1> idx) {
                    scratch[idx.get_local_id(grp, 0)] = accessor[idx.get_global_id(0)];
                    private_mem(idx) = 0;
                  });
                  sycl::group_barrier(grp);
                  sycl::distribute_groups(grp, [&](auto subgroup) { sycl::single_item(subgroup, [&]() {}); });
                  for (std::size_t i = group_size / 2; i > 0; i /= 2) {
                    sycl::distribute_items_and_wait(grp, [&](sycl::s_item<1> idx) {
                      const std::size_t lid = idx.get_innermost_local_id(0);
                      if (lid < i)
                        scratch[lid] += scratch[lid + i];
                    });
                  }
                  sycl::single_item(grp, [&]() { accessor[grp.get_group_id(0) * group_size] = scratch[0]; });
                });
          });
    });
  }
  for (std::size_t group = 0; group < size / group_size; ++group) {
    const int first = static_cast<int>(group * group_size);
    EXPECT_EQ(input[group * group_size], (2 * first + int(group_size) - 1) * int(group_size) / 2);
  }
}

namespace {

/// What a kernel finds wrong is counted.
struct checker {
  int* errors;
  void operator()(bool condition) const {
    if (!condition)
      sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*errors).fetch_add(1);
  }
};

template <int D>
void check_groups(sycl::queue& queue, int* data, sycl::range<D> groups, sycl::range<D> size) {
  data[0] = 0;
  data[1] = 0;
  const checker expect{data};
  int* const items = data + 1;
  const sycl::range<D> global = groups * size;
  queue
      .parallel(
          groups, size,
          [=](auto grp) {
            using group_type = decltype(grp);
            static_assert(group_type::dimensions == D);
            static_assert(group_type::fence_scope == sycl::memory_scope::work_group);
            static_assert(!std::is_same_v<group_type, sycl::group<D>>);
            static_assert(std::is_same_v<typename group_type::id_type, sycl::id<D>>);
            expect(grp.get_group_range() == groups && grp.get_group_linear_range() == groups.size());
            expect(grp.get_logical_local_range() == size);
            expect(grp[D - 1] == grp.get_group_id(D - 1));
            expect(grp.get_physical_local_id(0) < grp.get_physical_local_range(0));
            expect(grp.leader() == (grp.get_physical_local_linear_id() == 0));
            sycl::distribute_items(grp, [&](sycl::s_item<D> idx) {
              sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*items)
                  .fetch_add(1);
              expect(idx.get_global_range() == global && idx.get_global_linear_range() == global.size());
              expect(idx.get_global_id() == grp.get_group_id() * sycl::id<D>(size) + idx.get_local_id(grp));
              expect(idx.get_innermost_local_id() == idx.get_local_id(grp));
              expect(idx.get_innermost_local_range() == idx.get_local_range(grp));
              expect(idx.get_innermost_local_linear_id() == idx.get_local_linear_id(grp));
              expect(grp.get_local_id(idx) == grp.get_logical_local_id(idx));
            });
            sycl::distribute_groups(grp, [&](auto sub) {
              using sub_type = decltype(sub);
              static_assert(sub_type::fence_scope == sycl::memory_scope::sub_group ||
                            sub_type::fence_scope == sycl::memory_scope::work_item);
              expect(sub.get_group_linear_range() * sub.get_logical_local_linear_range() == size.size());
              expect(sub.get_group_linear_id() < sub.get_group_linear_range());
              sycl::distribute_items(sub, [&](sycl::s_item<D> idx) {
                expect(sub.get_group_id() * sycl::id<D>(sub.get_logical_local_range()) +
                           idx.get_local_id(sub) ==
                       idx.get_local_id(grp));
              });
              sycl::distribute_groups_and_wait(sub, [&](auto scalar) {
                using scalar_type = decltype(scalar);
                static_assert(scalar_type::fence_scope == sycl::memory_scope::work_item);
                expect(scalar.get_logical_local_linear_range() == 1 && scalar.leader());
                expect(scalar.get_group_linear_range() == sub.get_logical_local_linear_range());
                sycl::distribute_groups(scalar, [&](auto inner) {
                  sycl::distribute_items(inner, [&](sycl::s_item<D> idx) {
                    expect(idx.get_local_linear_id(sub) == scalar.get_group_linear_id());
                    expect(idx.get_innermost_local_linear_range() == 1);
                  });
                  sycl::group_barrier(inner);
                });
              });
              sycl::group_barrier(sub);
            });
          })
      .wait();
  EXPECT_EQ(data[0], 0);
  EXPECT_EQ(data[1], static_cast<int>(global.size()));
}

} // namespace

TEST_F(scoped_parallelism, groups_know_where_they_are) {
  check_groups<1>(queue, data, {3}, {64});
  check_groups<1>(queue, data, {5}, {7});
  check_groups<2>(queue, data, {2, 3}, {4, 32});
  check_groups<2>(queue, data, {2, 1}, {8, 6});
  check_groups<3>(queue, data, {1, 2, 2}, {2, 2, 32});
}

// Each sub-group reverses its part.
TEST_F(scoped_parallelism, sub_groups_share_work) {
  int* const captured = data;
  queue
      .parallel(sycl::range<1>(4), sycl::range<1>(128),
                [=](auto grp) {
                  sycl::memory_environment(grp, sycl::require_local_mem<int[128]>(), [&](auto& scratch) {
                    sycl::distribute_groups_and_wait(grp, [&](auto sub) {
                      sycl::distribute_items_and_wait(sub, [&](sycl::s_item<1> idx) {
                        scratch[idx.get_local_id(grp, 0)] = captured[idx.get_global_id(0)];
                      });
                      sycl::distribute_items(sub, [&](sycl::s_item<1> idx) {
                        const std::size_t first = idx.get_local_id(grp, 0) - idx.get_local_id(sub, 0);
                        const std::size_t last = first + sub.get_logical_local_range(0) - 1;
                        captured[idx.get_global_id(0)] = scratch[last - idx.get_local_id(sub, 0)];
                      });
                    });
                    sycl::single_item_and_wait(grp, [&] {
                      int sum = 0;
                      for (std::size_t i = 0; i < 128; ++i)
                        sum += scratch[i];
                      captured[2048 + grp.get_group_id(0)] = sum;
                    });
                  });
                })
      .wait();
  // Whatever the size, the ends of a group's reversed parts differ by its size minus 1.
  const int width = data[0] + 1;
  for (int i = 0; i < 512; ++i)
    EXPECT_EQ(data[i], i / width * width + width - 1 - i % width) << i;
  for (int group = 0; group < 4; ++group)
    EXPECT_EQ(data[2048 + group], (256 * group + 127) * 64);
}

TEST_F(scoped_parallelism, memory_is_initialized_and_kept) {
  int* const captured = data;
  queue
      .parallel(sycl::range<1>(3), sycl::range<1>(32),
                [=](auto grp) {
                  for (int round = 0; round < 3; ++round) // the same memory each time
                    sycl::memory_environment(
                        grp, sycl::require_local_mem<int[4][10]>(round), sycl::require_local_mem<double>(2.5),
                        sycl::require_private_mem<int>(7), sycl::require_local_mem<char[3]>(),
                        [&](int (&table)[4][10], double& number, auto& own, char (&letters)[3]) {
                          sycl::distribute_items_and_wait(grp, [&](sycl::s_item<1> idx) {
                            own(idx) += static_cast<int>(idx.get_global_id(0));
                            const std::size_t i = idx.get_local_id(grp, 0);
                            table[i % 4][i / 4] += 100;
                            if (i < 3)
                              letters[i] = static_cast<char>('a' + i);
                          });
                          sycl::distribute_items_and_wait(grp, [&](sycl::s_item<1> idx) {
                            const std::size_t i = idx.get_local_id(grp, 0);
                            captured[idx.get_global_id(0)] = own(idx) + table[i % 4][i / 4] + table[3][9] +
                                                             static_cast<int>(number * 2) + letters[2];
                          });
                        });
                  sycl::local_memory_environment<long>(grp, [&](long& shared) {
                    sycl::single_item_and_wait(grp, [&] { shared = 1000; });
                    sycl::private_memory_environment<long>(grp, [&](auto& own) {
                      sycl::distribute_items(grp, [&](sycl::s_item<1> idx) { own(idx) = shared; });
                      sycl::distribute_items(
                          grp, [&](sycl::s_item<1> idx) { captured[idx.get_global_id(0)] += int(own(idx)); });
                    });
                  });
                })
      .wait();
  for (int i = 0; i < 96; ++i)
    EXPECT_EQ(data[i], 7 + i + 102 + 2 + 5 + 'c' + 1000) << i;
}

TEST_F(scoped_parallelism, takes_reductions_accessors_and_dependencies) {
  int* const captured = data;
  data[0] = 5;
  const sycl::event first =
      queue.parallel(sycl::range<1>(4), sycl::range<1>(32), sycl::reduction(data, sycl::plus<int>()),
                     [=](auto grp, auto& sum) {
                       sycl::distribute_items(
                           grp, [&](sycl::s_item<1> idx) { sum += static_cast<int>(idx.get_global_id(0)); });
                     });
  queue
      .parallel(sycl::range<1>(2), sycl::range<1>(16), first,
                [=](auto grp) {
                  sycl::distribute_items(
                      grp, [&](sycl::s_item<1> idx) { captured[8 + idx.get_global_id(0)] = captured[0]; });
                })
      .wait();
  EXPECT_EQ(data[0], 5 + 127 * 64);
  EXPECT_EQ(data[39], data[0]);
  queue.submit([&](sycl::handler& cgh) {
    sycl::local_accessor<int> local(32, cgh);
    cgh.parallel(sycl::range<1>(2), sycl::range<1>(32), [=](auto grp) {
      sycl::local_memory_environment<int[32]>(grp, [&](auto& other) {
        sycl::distribute_items_and_wait(grp, [&](sycl::s_item<1> idx) {
          local[idx.get_local_id(grp, 0)] = static_cast<int>(idx.get_global_id(0));
          other[idx.get_local_id(grp, 0)] = -1;
        });
        sycl::distribute_items(grp, [&](sycl::s_item<1> idx) {
          captured[idx.get_global_id(0)] = local[31 - idx.get_local_id(grp, 0)] + other[0];
        });
      });
    });
  });
  queue.wait();
  EXPECT_EQ(data[0], 30);
  EXPECT_EQ(data[63], 31);
}

TEST_F(scoped_parallelism, copies_asynchronously) {
  int* const captured = data;
  queue.submit([&](sycl::handler& cgh) {
    sycl::local_accessor<int> local(64, cgh);
    cgh.parallel(sycl::range<1>(2), sycl::range<1>(64), [=](auto grp) {
      const auto global =
          sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(
              captured + grp[0] * 64);
      const auto event =
          grp.async_work_group_copy(local.template get_multi_ptr<sycl::access::decorated::no>(), global, 64);
      grp.wait_for(event);
      sycl::distribute_items(grp, [&](sycl::s_item<1> idx) {
        captured[1024 + idx.get_global_id(0)] = local[63 - idx.get_local_id(grp, 0)];
      });
    });
  });
  queue.wait();
  EXPECT_EQ(data[1024], 63);
  EXPECT_EQ(data[1024 + 127], 64);
}

TEST_F(scoped_parallelism, refuses_groups_that_are_too_large) {
  const auto launch = [&] {
    queue.parallel(sycl::range<1>(1), sycl::range<1>(std::size_t(1) << 40),
                   [](auto grp) { sycl::distribute_items(grp, [](sycl::s_item<1>) {}); });
  };
  try {
    launch();
    FAIL();
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::nd_range);
  }
}

namespace ends = cl::sycl::vendor::hipsycl::synchronization;

namespace {
template <class... Synchronizations>
void check_synchronization(sycl::queue& queue, int* data) {
  (..., [&] {
    for (int i = 0; i < 64; ++i)
      data[i] = 0;
    queue
        .submit([&](sycl::handler& group) {
          group.parallel_for_work_group<Synchronizations>(
              sycl::range<1>(4), sycl::range<1>(16), [=](sycl::group<1> work_group) {
                const std::size_t first = work_group.get_group_id(0) * 16;
                work_group.parallel_for_work_item<Synchronizations>(
                    [&](sycl::h_item<1> item) { data[first + item.get_local_id(0)] += 1; });
                // Each reads what it has written, which needs no synchronisation.
                work_group.parallel_for_work_item<Synchronizations>(
                    sycl::range<1>(16),
                    [&](sycl::h_item<1> item) { data[first + item.get_local_id(0)] *= 10; });
                work_group.parallel_for_work_item(
                    [&](sycl::h_item<1> item) { data[first + item.get_local_id(0)] += 2; });
              });
        })
        .wait();
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(data[i], 12) << i;
  }());
}
} // namespace

TEST_F(scoped_parallelism, work_items_of_groups_synchronize_as_told) {
  check_synchronization<ends::none, ends::barrier<sycl::access::fence_space::global_space>,
                        ends::local_barrier, ends::local_mem_fence, ends::global_mem_fence,
                        ends::global_and_local_mem_fence,
                        ends::mem_fence<sycl::access::fence_space::global_space, sycl::access::mode::write>>(
      queue, data);
}
