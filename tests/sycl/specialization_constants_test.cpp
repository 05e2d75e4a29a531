// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SYCL 2020 §4.9.5: specialization constants.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <array>
#include <vector>

namespace {

struct point {
  float x, y;
  friend bool operator==(const point& a, const point& b) { return a.x == b.x && a.y == b.y; }
};

class with_constructor {
public:
  constexpr explicit with_constructor(int a, int b) : sum_(a + b) {}
  int sum() const { return sum_; }

private:
  int sum_;
};

constexpr sycl::specialization_id<int> number(3);
constexpr sycl::specialization_id<int> other_number(30);
constexpr sycl::specialization_id<point> pair(point{1, 2});
constexpr sycl::specialization_id<with_constructor> constructed(4, 5);
constexpr sycl::specialization_id<std::array<int, 300>> table;
constexpr sycl::specialization_id<bool> flag(false);
constexpr sycl::specialization_id<sycl::vec<double, 16>> wide(2.5);
constexpr sycl::specialization_id<char> small('a');

} // namespace

inline constexpr sycl::specialization_id<long> inline_number(7L);
template <class T>
inline constexpr sycl::specialization_id<T> of_type(T(8));
template <int I>
struct holder {
  static constexpr sycl::specialization_id<int> id{I};
};

namespace {

template <class Set, class Read>
auto run(const Set& set, const Read& read) {
  using value_type = decltype(read(std::declval<sycl::kernel_handler>()));
  sycl::queue queue;
  sycl::buffer<value_type> result(sycl::range<1>(1));
  queue.submit([&](sycl::handler& group) {
    set(group);
    sycl::accessor out(result, group, sycl::write_only);
    group.single_task([=](sycl::kernel_handler kernel) { out[0] = read(kernel); });
  });
  return result.get_host_access()[0];
}

TEST(specialization_constants, have_their_default_values) {
  const auto nothing = [](sycl::handler&) {};
  EXPECT_EQ(run(nothing, [](sycl::kernel_handler k) { return k.get_specialization_constant<number>(); }), 3);
  EXPECT_EQ(run(nothing, [](sycl::kernel_handler k) { return k.get_specialization_constant<pair>(); }),
            (point{1, 2}));
  EXPECT_EQ(
      run(nothing, [](sycl::kernel_handler k) { return k.get_specialization_constant<constructed>().sum(); }),
      9);
  EXPECT_EQ(run(nothing, [](sycl::kernel_handler k) { return k.get_specialization_constant<table>()[299]; }),
            0);
  EXPECT_EQ(run(nothing, [](sycl::kernel_handler k) { return k.get_specialization_constant<wide>()[15]; }),
            2.5);
  EXPECT_EQ(
      run(nothing, [](sycl::kernel_handler k) { return k.get_specialization_constant<holder<6>::id>(); }), 6);
}

TEST(specialization_constants, have_the_values_of_their_command_group) {
  for (int value : {5, -1, 5, 0})
    EXPECT_EQ(run([&](sycl::handler& group) { group.set_specialization_constant<number>(value); },
                  [](sycl::kernel_handler k) { return k.get_specialization_constant<number>(); }),
              value);
  EXPECT_EQ(run([&](sycl::handler& group) { group.set_specialization_constant<pair>({8, 9}); },
                [](sycl::kernel_handler k) { return k.get_specialization_constant<pair>(); }),
            (point{8, 9}));
  EXPECT_EQ(run(
                [](sycl::handler& group) {
                  group.set_specialization_constant<constructed>(with_constructor(1, 1));
                },
                [](sycl::kernel_handler k) { return k.get_specialization_constant<constructed>().sum(); }),
            2);
  EXPECT_EQ(run([](sycl::handler& group) { group.set_specialization_constant<flag>(true); },
                [](sycl::kernel_handler k) { return k.get_specialization_constant<flag>(); }),
            true);
  EXPECT_EQ(run([](sycl::handler& group) { group.set_specialization_constant<small>('z'); },
                [](sycl::kernel_handler k) { return k.get_specialization_constant<small>(); }),
            'z');
  EXPECT_EQ(
      run([](sycl::handler& group) { group.set_specialization_constant<wide>(sycl::vec<double, 16>(1.5)); },
          [](sycl::kernel_handler k) { return k.get_specialization_constant<wide>()[3]; }),
      1.5);
}

TEST(specialization_constants, of_every_linkage_can_be_set) {
  EXPECT_EQ(run([](sycl::handler& group) { group.set_specialization_constant<inline_number>(70); },
                [](sycl::kernel_handler k) { return k.get_specialization_constant<inline_number>(); }),
            70);
  EXPECT_EQ(run([](sycl::handler& group) { group.set_specialization_constant<of_type<short>>(short(80)); },
                [](sycl::kernel_handler k) {
                  return k.get_specialization_constant<of_type<short>>() +
                         k.get_specialization_constant<of_type<int>>();
                }),
            88);
  EXPECT_EQ(run([](sycl::handler& group) { group.set_specialization_constant<holder<1>::id>(10); },
                [](sycl::kernel_handler k) {
                  return k.get_specialization_constant<holder<1>::id>() +
                         k.get_specialization_constant<holder<2>::id>();
                }),
            12);
}

TEST(specialization_constants, large_values_arrive_whole) {
  std::array<int, 300> values{};
  for (int i = 0; i < 300; ++i)
    values[static_cast<std::size_t>(i)] = i * i;
  EXPECT_EQ(run([&](sycl::handler& group) { group.set_specialization_constant<table>(values); },
                [](sycl::kernel_handler k) {
                  const auto copy = k.get_specialization_constant<table>();
                  int sum = 0;
                  for (int each : copy)
                    sum += each;
                  return sum;
                }),
            299 * 300 * 599 / 6);
}

TEST(specialization_constants, are_read_by_every_form_of_kernel_and_by_functions_it_calls) {
  sycl::queue queue;
  std::vector<int> values(4, 0);
  {
    sycl::buffer<int> buffer(values.data(), 4);
    queue.submit([&](sycl::handler& group) {
      group.set_specialization_constant<number>(11);
      sycl::accessor out(buffer, group);
      group.parallel_for(sycl::range<1>(2), [=](sycl::item<1> i, sycl::kernel_handler k) {
        out[i] = k.get_specialization_constant<number>();
      });
    });
    queue.submit([&](sycl::handler& group) {
      group.set_specialization_constant<number>(12);
      sycl::accessor out(buffer, group);
      group.parallel_for(sycl::nd_range<1>(2, 1), [=](sycl::nd_item<1> i, sycl::kernel_handler k) {
        const auto read = [](auto handler) { return handler.template get_specialization_constant<number>(); };
        out[i.get_global_id(0) + 2] = read(k);
      });
    });
  }
  EXPECT_EQ(values, (std::vector<int>{11, 11, 12, 12}));
}

TEST(specialization_constants, handler_tells_what_was_set) {
  sycl::queue().submit([](sycl::handler& group) {
    EXPECT_EQ(group.get_specialization_constant<number>(), 3);
    group.set_specialization_constant<number>(4);
    group.set_specialization_constant<number>(5);
    EXPECT_EQ(group.get_specialization_constant<number>(), 5);
    EXPECT_EQ(group.get_specialization_constant<other_number>(), 30);
    EXPECT_EQ(group.get_specialization_constant<wide>()[7], 2.5);
  });
}

TEST(specialization_constants, not_read_by_the_kernel_have_no_effect) {
  EXPECT_EQ(run([](sycl::handler& group) { group.set_specialization_constant<other_number>(1); },
                [](sycl::kernel_handler k) { return k.get_specialization_constant<number>(); }),
            3);
}

template <class Call>
void expect_invalid(const Call& call) {
  try {
    call();
    ADD_FAILURE() << "no exception";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::invalid) << error.what();
  }
}

TEST(specialization_constants, do_not_mix_with_kernel_bundles) {
  sycl::queue queue;
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(queue.get_context());
  queue.submit([&](sycl::handler& group) {
    group.use_kernel_bundle(bundle);
    expect_invalid([&] { group.set_specialization_constant<number>(1); });
    expect_invalid([&] { group.get_specialization_constant<number>(); });
  });
  queue.submit([&](sycl::handler& group) {
    group.set_specialization_constant<number>(1);
    expect_invalid([&] { group.use_kernel_bundle(bundle); });
  });
}

struct reads_number {
  int* out;
  void operator()(sycl::kernel_handler k) const { *out = k.get_specialization_constant<number>(); }
};

TEST(specialization_constants, are_set_in_input_bundles) {
  sycl::queue queue;
  int* result = sycl::malloc_shared<int>(1, queue);
  queue.single_task(reads_number{result}).wait();
  EXPECT_EQ(*result, 3);

  auto input = sycl::get_kernel_bundle<reads_number, sycl::bundle_state::input>(queue.get_context());
  EXPECT_TRUE(input.contains_specialization_constants());
  EXPECT_TRUE(input.native_specialization_constant());
  EXPECT_TRUE(input.has_specialization_constant<number>());
  EXPECT_FALSE(input.has_specialization_constant<other_number>());
  EXPECT_EQ(input.get_specialization_constant<number>(), 3);
  input.set_specialization_constant<number>(21);
  input.set_specialization_constant<other_number>(22);
  const auto executable = sycl::build(input);
  input.set_specialization_constant<number>(23);
  const auto in_steps = sycl::link(sycl::compile(input));
  EXPECT_EQ(input.get_specialization_constant<number>(), 23);
  EXPECT_EQ(executable.get_specialization_constant<number>(), 21);
  EXPECT_EQ(executable.get_specialization_constant<other_number>(), 22);

  const auto launch = [&](const auto& bundle) {
    queue
        .submit([&](sycl::handler& group) {
          group.use_kernel_bundle(bundle);
          group.single_task(reads_number{result});
        })
        .wait();
    return *result;
  };
  EXPECT_EQ(launch(executable), 21);
  EXPECT_EQ(launch(in_steps), 23);
  EXPECT_EQ(launch(sycl::get_kernel_bundle<sycl::bundle_state::executable>(queue.get_context())), 3);
  EXPECT_NE(executable, in_steps);

  // Joined or linked with one where it was not set, in either order: the kernel reads what the bundle tells.
  const auto unset =
      sycl::get_kernel_bundle<reads_number, sycl::bundle_state::executable>(queue.get_context());
  const auto object = sycl::compile(input);
  const auto unset_object =
      sycl::compile(sycl::get_kernel_bundle<reads_number, sycl::bundle_state::input>(queue.get_context()));
  for (const auto& bundle : {sycl::join<sycl::bundle_state::executable>({executable, unset}),
                             sycl::join<sycl::bundle_state::executable>({unset, executable}),
                             sycl::join<sycl::bundle_state::executable>({unset, executable, in_steps}),
                             sycl::link({object, unset_object}), sycl::link({unset_object, object})})
    EXPECT_EQ(launch(bundle), bundle.get_specialization_constant<number>());
  sycl::free(result, queue);
}

} // namespace
