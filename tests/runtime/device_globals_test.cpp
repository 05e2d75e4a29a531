// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_backend.hpp"
#include "memory/device_globals.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <thread>

namespace falx::test {
namespace {

struct device_globals : testing::Test {
  static handle<context_state> make_context(std::initializer_list<device_state*> devices) {
    std::vector<handle<device_state>> handles;
    for (device_state* device : devices)
      handles.push_back(handle<device_state>::share(device));
    return handle<context_state>::adopt(
        new context_state(std::move(handles), sycl::async_handler(), sycl::property_list()));
  }
  static device_global_variable describe(const std::array<int, 4>& variable) {
    return {&variable, sizeof(variable), 64};
  }

  fake_backend& backend = fake_backend::make(2);
  device_state& first = backend.device(0);
  device_state& second = backend.device(1);
  const std::array<int, 4> numbers = {1, 2, 3, 4}, zeros = {};
};

TEST_F(device_globals, are_one_per_device_and_context_and_start_with_the_initial_value) {
  const handle<context_state> both = make_context({&first, &second}), alone = make_context({&first});
  const std::set<void*> places = {both->device_globals().find(first, describe(numbers)),
                                  both->device_globals().find(second, describe(numbers)),
                                  both->device_globals().find(first, describe(zeros)),
                                  alone->device_globals().find(first, describe(numbers))};
  EXPECT_EQ(places.size(), 4u);
  for (void* place : places)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % 64, 0u);
  EXPECT_EQ(std::memcmp(both->device_globals().find(second, describe(numbers)), &numbers, sizeof(numbers)),
            0);
  EXPECT_EQ(std::memcmp(both->device_globals().find(first, describe(zeros)), &zeros, sizeof(zeros)), 0);
  EXPECT_TRUE(places.contains(alone->device_globals().find(first, describe(numbers)))) << "the same again";
}

TEST_F(device_globals, go_with_their_context_or_when_they_are_forgotten) {
  {
    const handle<context_state> context = make_context({&first, &second}), other = make_context({&first});
    void* const kept = context->device_globals().find(first, describe(zeros));
    std::memset(context->device_globals().find(first, describe(numbers)), 0, sizeof(numbers));
    std::memset(other->device_globals().find(first, describe(numbers)), 0, sizeof(numbers));
    erase_device_global(&numbers);
    EXPECT_EQ(context->device_globals().find(first, describe(zeros)), kept);
    for (const handle<context_state>& each : {context, other})
      EXPECT_EQ(std::memcmp(each->device_globals().find(first, describe(numbers)), &numbers, sizeof(numbers)),
                0)
          << "a new variable at that address";
  }
  EXPECT_TRUE(backend.has_freed_everything());
}

TEST_F(device_globals, threads_agree_on_the_place) {
  const handle<context_state> context = make_context({&first, &second});
  std::array<std::array<void*, 2>, 4> seen{};
  std::vector<std::thread> threads;
  for (std::array<void*, 2>& mine : seen)
    threads.emplace_back([&] {
      mine = {context->device_globals().find(first, describe(numbers)),
              context->device_globals().find(second, describe(zeros))};
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_TRUE(std::ranges::all_of(seen, [&](const auto& each) { return each == seen.front(); }));
}

TEST_F(device_globals, memory_that_runs_out_is_an_exception) {
  const handle<context_state> context = make_context({&first});
  backend.native(0).memory_limit = 0;
  try {
    context->device_globals().find(first, describe(numbers));
    ADD_FAILURE();
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::memory_allocation);
  }
}

} // namespace
} // namespace falx::test
