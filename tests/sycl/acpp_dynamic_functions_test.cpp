// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// AdaptiveCpp's extension DYNAMIC_FUNCTIONS. Several translation units: tests/compiler/programs.
#include "../thrown_code.hpp"

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#if !defined(ACPP_EXT_DYNAMIC_FUNCTIONS) || !defined(SYCL_EXT_ACPP_DYNAMIC_FUNCTIONS)
#error "the feature-test macros are missing"
#endif

using config = sycl::jit::dynamic_function_config;

// Defined nowhere.
void operation(int* data, sycl::item<1> item);
// With a definition of its own, which looks as if calls had no effect.
void with_default(int* data, sycl::item<1>) {
  sycl::jit::arguments_are_used(data);
}
extern "C" int c_function(int);

struct large {
  long values[5];
};
large of_structures(large a, const large& b, short c);

namespace {

void add_one(int* data, sycl::item<1> item) {
  data[item] += 1;
}
void times_three(int* data, sycl::item<1> item) {
  data[item] *= 3;
}
template <int N>
inline void add(int* data, sycl::item<1> item) {
  data[item] += N;
}
int twice(int x) {
  return 2 * x;
}
int square(int x) {
  return x * x;
}
int local_function(int) {
  return -1;
}
[[gnu::const]] int constant_function(int) {
  return 1;
}
large sum(large a, const large& b, short c) {
  for (int i = 0; i < 5; ++i)
    a.values[i] += b.values[i] * c;
  return a;
}

struct with_members {
  static void add_hundred(int* data, sycl::item<1> item) { data[item] += 100; }
};

struct fixture : testing::Test {
  sycl::queue queue;
  int* data = sycl::malloc_shared<int>(64, queue);
  ~fixture() override { sycl::free(data, queue); }

  /// What launching operation(data, item) for 64 items does to 0, 1, …, 63, at index 7.
  int seventh(const config& applied) {
    for (int i = 0; i < 64; ++i)
      data[i] = i;
    int* const captured = data;
    queue
        .parallel_for(sycl::range<1>(64),
                      applied.apply([=](sycl::item<1> item) { operation(captured, item); }))
        .wait();
    return data[7];
  }
};

using dynamic_functions = fixture;

} // namespace

TEST_F(dynamic_functions, are_defined) {
  config functions;
  functions.define(&operation, &add_one);
  EXPECT_EQ(seventh(functions), 8);
  // Once more from memory, then another definition of the same object.
  EXPECT_EQ(seventh(functions), 8);
  functions.define(&operation, times_three);
  EXPECT_EQ(seventh(functions), 21);
  functions.define(operation, &with_members::add_hundred);
  EXPECT_EQ(seventh(functions), 107);
  functions.define(operation, &add<30>);
  EXPECT_EQ(seventh(functions), 37);
}

TEST_F(dynamic_functions, are_defined_as_call_sequences) {
  config functions;
  functions.define_as_call_sequence(&operation, {&add_one, &times_three});
  EXPECT_EQ(seventh(functions), 24);
  functions.define_as_call_sequence(&operation, {&times_three, &add_one});
  EXPECT_EQ(seventh(functions), 22);
  functions.define_as_call_sequence(&operation, {&times_three, &times_three, &add<5>, &times_three});
  EXPECT_EQ(seventh(functions), 204);
  functions.define_as_call_sequence(&operation, {});
  EXPECT_EQ(seventh(functions), 7);
}

using pointer = void (*)(int*, sycl::item<1>);
using definition = sycl::jit::dynamic_function_definition<void, int*, sycl::item<1>>;

/// A list that no call names.
SYCL_EXTERNAL void add_seven(int* data, sycl::item<1> item) {
  data[item] += 7;
}
SYCL_EXTERNAL void times_two(int* data, sycl::item<1> item) {
  data[item] *= 2;
}
const std::vector<pointer>& external_functions() {
  static const std::vector<pointer> functions{&add_seven, &times_two};
  return functions;
}

TEST_F(dynamic_functions, are_defined_as_lists_of_pointers) {
  config functions;
  functions.define_as_call_sequence(&operation, std::vector<pointer>{&add_one, &times_three});
  EXPECT_EQ(seventh(functions), 24);
  const std::vector<pointer> list{&times_three, &add_one};
  functions.define_as_call_sequence(&operation, list);
  EXPECT_EQ(seventh(functions), 22);
  functions.define_as_call_sequence(&operation, std::vector{&add<5>, &add<6>});
  EXPECT_EQ(seventh(functions), 18);
  functions.define_as_call_sequence(&operation, external_functions());
  EXPECT_EQ(seventh(functions), 28);
  functions.define_as_call_sequence(&operation, std::vector<pointer>());
  EXPECT_EQ(seventh(functions), 7);
}

TEST_F(dynamic_functions, are_defined_through_library_code) {
  config functions;
  std::vector<definition> definitions;
  definitions.emplace_back(&add_one);
  definitions.push_back(&times_three);
  const auto shared = std::make_shared<definition>(&add<2>);
  const std::optional<definition> maybe{&times_three};
  std::map<int, definition> numbered;
  numbered.emplace(1, &add<4>);
  definitions.insert(definitions.end(), {*shared, *maybe, numbered.at(1)});
  functions.define_as_call_sequence(&operation, definitions);
  EXPECT_EQ(seventh(functions), ((7 + 1) * 3 + 2) * 3 + 4);
}

TEST_F(dynamic_functions, that_device_code_does_not_have_are_errors) {
  config functions;
  std::vector<pointer> list;
  list.push_back([](int*, sycl::item<1>) {});
  EXPECT_EQ(thrown_code([&] { functions.define_as_call_sequence(&operation, list); }), sycl::errc::invalid);
}

void overloaded(int* data, sycl::item<1> item);
void overloaded(float* data, sycl::item<1> item);
void implementation(int* data, sycl::item<1> item) {
  data[item] += 11;
}
void implementation(float* data, sycl::item<1> item) {
  data[item] += 12;
}

TEST_F(dynamic_functions, are_picked_among_overloads_by_casts) {
  config functions;
  functions.define(&operation, static_cast<pointer>(&implementation));
  EXPECT_EQ(seventh(functions), 18);
  functions.define(static_cast<pointer>(&overloaded), (pointer)implementation);
  functions.define(static_cast<void (*)(float*, sycl::item<1>)>(overloaded),
                   static_cast<void (*)(float*, sycl::item<1>)>(implementation));
  sycl::queue queue;
  int* const numbers = sycl::malloc_shared<int>(2, queue);
  numbers[0] = numbers[1] = 1;
  queue
      .parallel_for(2, functions.apply([=](sycl::item<1> item) {
        float one[2] = {1, 1};
        overloaded(numbers, item);
        overloaded(one, item);
        numbers[item] += static_cast<int>(one[item]);
      }))
      .wait();
  EXPECT_EQ(numbers[1], 25);
  sycl::free(numbers, queue);
}

TEST_F(dynamic_functions, have_ids) {
  const sycl::jit::dynamic_function function{&operation};
  const sycl::jit::dynamic_function_definition one{&add_one}, three{&times_three};
  static_assert(
      std::is_same_v<decltype(function), const sycl::jit::dynamic_function<void, int*, sycl::item<1>>>);
  config functions;
  functions.define(function, one);
  EXPECT_EQ(seventh(functions), 8);
  functions.define_as_call_sequence(function, {three, one});
  EXPECT_EQ(seventh(functions), 22);
  const sycl::jit::dynamic_function_id id = function.id();
  functions.define(id, three.id());
  EXPECT_EQ(seventh(functions), 21);
  const std::vector<sycl::jit::dynamic_function_id> sequence{one.id(), one.id(), three.id()};
  functions.define_as_call_sequence(sycl::jit::dynamic_function_id(id.get_handle()), sequence);
  EXPECT_EQ(seventh(functions), 27);

  EXPECT_THROW(functions.define(sycl::jit::dynamic_function_id(), one.id()), sycl::exception);
  EXPECT_THROW(functions.define_as_call_sequence(id, {one.id(), sycl::jit::dynamic_function_id()}),
               sycl::exception);
}

TEST_F(dynamic_functions, keep_their_default_definition) {
  int* const captured = data;
  const auto kernel = [=](sycl::item<1> item) { with_default(captured, item); };
  data[7] = 1;
  queue.parallel_for(sycl::range<1>(8), kernel).wait();
  EXPECT_EQ(data[7], 1);
  config functions;
  functions.define(&operation, &add_one); // which the kernel does not call
  queue.parallel_for(sycl::range<1>(8), functions.apply(kernel)).wait();
  EXPECT_EQ(data[7], 1);
  functions.define(&with_default, &add_one);
  queue.parallel_for(sycl::range<1>(8), functions.apply(kernel)).wait();
  EXPECT_EQ(data[7], 2);
  queue.parallel_for(sycl::range<1>(8), kernel).wait();
  EXPECT_EQ(data[7], 2);
}

TEST_F(dynamic_functions, return_values_and_take_objects) {
  int* const out = data;
  large* const objects = sycl::malloc_shared<large>(3, queue);
  objects[0] = {{1, 2, 3, 4, 5}};
  objects[1] = {{10, 20, 30, 40, 50}};
  const auto kernel = [=] {
    out[0] = c_function(5);
    out[1] = local_function(5);
    out[2] = constant_function(5) + constant_function(6);
    objects[2] = of_structures(objects[0], objects[1], 2);
  };
  config functions;
  functions.define(&c_function, &twice);
  functions.define(&local_function, &square);
  functions.define(&constant_function, &square);
  functions.define(&of_structures, &sum);
  queue.single_task(functions.apply(kernel)).wait();
  EXPECT_EQ(out[0], 10);
  EXPECT_EQ(out[1], 25);
  EXPECT_EQ(out[2], 25 + 36);
  EXPECT_EQ(objects[2].values[4], 105);
  sycl::free(objects, queue);
}

// A function can be replaced and be what replaces another.
TEST_F(dynamic_functions, may_be_swapped) {
  int* const out = data;
  config functions;
  functions.define(&twice, &square);
  functions.define(&square, &twice);
  queue.single_task(functions.apply([=] {
    out[0] = twice(5);
    out[1] = square(5);
  }));
  queue.wait();
  EXPECT_EQ(out[0], 25);
  EXPECT_EQ(out[1], 10);
}

TEST_F(dynamic_functions, of_all_kinds_of_kernels) {
  int* const out = data;
  config functions;
  functions.define(&c_function, &square);
  for (int i = 0; i < 64; ++i)
    out[i] = 0;
  const sycl::nd_range<1> space(32, 8);
  queue.parallel_for(space, functions.apply([=](sycl::nd_item<1> item) {
    const int id = static_cast<int>(item.get_global_id(0));
    out[id] = sycl::reduce_over_group(item.get_group(), c_function(id), sycl::plus<int>());
  }));
  queue.wait();
  EXPECT_EQ(out[3], 0 + 1 + 4 + 9 + 16 + 25 + 36 + 49);
  queue
      .parallel_for(
          sycl::range<1>(10), sycl::reduction(out, sycl::plus<int>()),
          functions.apply([=](sycl::id<1> i, auto& all) { all += c_function(static_cast<int>(i[0])); }))
      .wait();
  EXPECT_EQ(out[0], 140 + 285);
  queue
      .submit([&](sycl::handler& group) {
        group.parallel_for_work_group(
            sycl::range<1>(2), sycl::range<1>(4), functions.apply([=](sycl::group<1> work_group) {
              work_group.parallel_for_work_item([&](sycl::h_item<1> item) {
                out[item.get_global_id(0)] = c_function(static_cast<int>(item.get_global_id(0)));
              });
            }));
      })
      .wait();
  EXPECT_EQ(out[7], 49);
}

// Work-items meet in the function that a launch chooses.
int exchanged(sycl::nd_item<1>, int*);
namespace {
int rotated(sycl::nd_item<1> item, int* scratch) {
  const std::size_t i = item.get_local_id(0);
  scratch[i] = static_cast<int>(i);
  sycl::group_barrier(item.get_group());
  return scratch[(i + 1) % item.get_local_range(0)];
}
} // namespace
TEST_F(dynamic_functions, may_hold_barriers) {
  int* const out = data;
  config functions;
  functions.define(&exchanged, &rotated);
  queue.submit([&](sycl::handler& group) {
    sycl::local_accessor<int> scratch(16, group);
    group.parallel_for(sycl::nd_range<1>(32, 16), functions.apply([=](sycl::nd_item<1> item) {
      out[item.get_global_id(0)] = exchanged(item, &scratch[0]);
    }));
  });
  queue.wait();
  EXPECT_EQ(out[4], 5);
  EXPECT_EQ(out[31], 0);
}

// What apply gives holds all that a launch needs, and does not change with the configuration.
TEST_F(dynamic_functions, outlive_their_configuration) {
  int* const captured = data;
  const auto kernel = [=](sycl::item<1> item) { operation(captured, item); };
  auto functions = std::make_unique<config>();
  functions->define(&operation, &add_one);
  const auto applied = functions->apply(kernel);
  const config copy = *functions;
  functions->define(&operation, &times_three);
  functions.reset();
  data[7] = 7;
  queue.parallel_for(sycl::range<1>(8), applied).wait();
  EXPECT_EQ(data[7], 8);
  EXPECT_EQ(seventh(copy), 8);
}

TEST_F(dynamic_functions, of_other_types_are_refused) {
  config functions;
  functions.define(sycl::jit::dynamic_function{&operation}.id(),
                   sycl::jit::dynamic_function_definition{&twice}.id());
  try {
    seventh(functions);
    FAIL();
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::build);
    EXPECT_NE(std::string(error.what()).find("another type"), std::string::npos) << error.what();
  }
  functions.define_as_call_sequence(sycl::jit::dynamic_function{&c_function}.id(),
                                    {sycl::jit::dynamic_function_definition{&twice}.id(),
                                     sycl::jit::dynamic_function_definition{&square}.id()});
  int* const out = data;
  try {
    queue.single_task(functions.apply([=] { *out = c_function(1); }));
    FAIL();
  } catch (const sycl::exception& error) {
    EXPECT_NE(std::string(error.what()).find("returns a value"), std::string::npos) << error.what();
  }
}

TEST_F(dynamic_functions, without_any_definition_are_refused) {
  int* const captured = data;
  try {
    queue.parallel_for(sycl::range<1>(8), [=](sycl::item<1> item) { operation(captured, item); });
    FAIL();
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::build);
    EXPECT_NE(std::string(error.what()).find("dynamic function without a definition"), std::string::npos)
        << error.what();
  }
}
