// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../thrown_code.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

// SYCL 2020 §4.7.2: buffers, their constructors, what they write back, and when.

namespace {

template <class A, class B>
inline constexpr bool same = std::is_same_v<A, B>;

static_assert(std::is_copy_constructible_v<sycl::buffer<int>> &&
              std::is_move_assignable_v<sycl::buffer<int>>);

/// Adds one to every element on the device.
template <class T>
void increment(sycl::buffer<T>& b) {
  sycl::queue().submit([&](sycl::handler& h) {
    sycl::accessor a{b, h};
    h.parallel_for(b.get_range(), [=](sycl::id<1> i) { a[i] += 1; });
  });
}

TEST(buffer, deduces_its_arguments) {
  std::vector<int> v(4);
  const std::vector<int> constant(4);
  std::array<float, 4> a{};
  std::allocator<float> allocator;
  static_assert(same<decltype(sycl::buffer(v)), sycl::buffer<int, 1>>);
  static_assert(same<decltype(sycl::buffer(constant)), sycl::buffer<int, 1>>);
  static_assert(same<decltype(sycl::buffer(a, allocator)), sycl::buffer<float, 1, std::allocator<float>>>);
  static_assert(same<decltype(sycl::buffer(v.data(), sycl::range(2, 2))), sycl::buffer<int, 2>>);
  static_assert(same<decltype(sycl::buffer(v.begin(), v.end())), sycl::buffer<int, 1>>);
  static_assert(
      same<decltype(sycl::buffer(v, sycl::property::buffer::use_host_ptr{})), sycl::buffer<int, 1>>);
}

TEST(buffer, tells_its_size) {
  sycl::buffer<double, 3> b({2, 3, 4});
  EXPECT_EQ(b.get_range(), sycl::range(2, 3, 4));
  EXPECT_EQ(b.size(), 24u);
  EXPECT_EQ(b.byte_size(), 24 * sizeof(double));
  EXPECT_FALSE(b.is_sub_buffer());
  EXPECT_EQ(sycl::buffer<int>().size(), 0u);
}

// nullptr is as good a const int* as an int*: oneDPL makes its empty buffers so.
TEST(buffer, of_no_elements_and_a_null_pointer) {
  sycl::buffer<int, 1> none{nullptr, sycl::range{0}};
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ((sycl::buffer<const int>(nullptr, 0, sycl::buffer_allocator<const int>()).size()), 0u);
  std::vector<int> seen(1);
  {
    sycl::buffer out(seen);
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor a{none, h};
      sycl::accessor size{out, h, sycl::write_only};
      h.single_task([=] { size[0] = a.empty() ? 7 : 8; });
    });
  }
  EXPECT_EQ(seen[0], 7);
}

TEST(buffer, writes_back_to_pointers_and_containers) {
  std::vector<int> data{1, 2, 3}, container{4, 5, 6};
  {
    sycl::buffer<int> b(data.data(), 3);
    sycl::buffer c(container);
    increment(b);
    increment(c);
  }
  EXPECT_EQ(data, (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(container, (std::vector<int>{5, 6, 7}));
}

TEST(buffer, does_not_write_back_to_constant_data_or_iterators) {
  const std::vector<int> constant{1, 2, 3};
  std::list<int> list{4, 5, 6};
  std::vector<int> out(3), out_list(3);
  {
    sycl::buffer<int> b(constant.data(), 3);
    sycl::buffer c(list.begin(), list.end());
    b.set_final_data(out.begin());
    c.set_final_data(out_list.data());
    increment(b);
    increment(c);
  }
  EXPECT_EQ(constant, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(list, (std::list<int>{4, 5, 6}));
  EXPECT_EQ(out, (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(out_list, (std::vector<int>{5, 6, 7}));
}

TEST(buffer, set_write_back_and_null_final_data_cancel) {
  std::vector<int> data{1, 2, 3};
  {
    sycl::buffer<int> b(data.data(), 3);
    b.set_write_back(false);
    increment(b);
  }
  {
    sycl::buffer<int> b(data.data(), 3);
    b.set_final_data(nullptr);
    increment(b);
  }
  EXPECT_EQ(data, (std::vector<int>{1, 2, 3}));
  {
    sycl::buffer<int> b(data.data(), 3);
    b.set_write_back(false);
    increment(b);
    b.set_write_back();
  }
  EXPECT_EQ(data, (std::vector<int>{2, 3, 4}));
}

TEST(buffer, writes_to_shared_pointers_while_somebody_shares_them) {
  auto shared = std::make_shared<int>(1);
  std::shared_ptr<int[]> array(new int[2]{1, 2});
  std::weak_ptr<int> final_data = shared;
  std::vector<int> data{41};
  {
    sycl::buffer<int> b(shared, 1), c(array, 2), d(data);
    sycl::buffer<int> e(std::make_unique<int>(7), 1);
    d.set_final_data(final_data);
    increment(b);
    increment(c);
    increment(e);
    b = c; // the first buffer ends here
    EXPECT_EQ(*shared, 2);
    increment(d);
  }
  EXPECT_EQ(*shared, 42);
  EXPECT_EQ(array[1], 3);
  EXPECT_EQ(data[0], 41);
}

TEST(buffer, gives_up_what_it_shares_when_it_ends) {
  // As SyclParallelSTL does: what deletes the elements takes them out first.
  std::vector<int> out(8);
  std::shared_ptr<int> elements(new int[8](), [&](int* contents) {
    std::copy_n(contents, 8, out.begin());
    delete[] contents;
  });
  {
    sycl::buffer<int> b(elements, 8);
    b.set_final_data(elements);
    elements.reset();
    increment(b);
  }
  EXPECT_EQ(out, std::vector<int>(8, 1));
}

TEST(buffer, writes_into_containers_that_are_shared) {
  std::vector<int> v{1, 2, 3, 4};
  const auto whole = std::make_shared<std::array<int, 4>>();
  const auto grown = std::make_shared<std::vector<int>>(4);
  {
    sycl::buffer<int> b(v);
    b.set_final_data(whole);
    increment(b);
  }
  {
    sycl::buffer<int> b(v);
    b.set_final_data(std::weak_ptr(grown));
    increment(b);
  }
  EXPECT_EQ(*whole, (std::array{2, 3, 4, 5}));
  EXPECT_EQ(*grown, (std::vector{2, 3, 4, 5}));
  // An array that is one element is that element.
  {
    sycl::buffer<std::array<int, 4>> b(sycl::range(1));
    b.set_final_data(whole);
    sycl::host_accessor{b}[0] = {6, 7, 8, 9};
  }
  EXPECT_EQ(*whole, (std::array{6, 7, 8, 9}));
}

/// What can be copied, but not assigned to.
struct fixed_number {
  const int value;
};
static_assert(sycl::is_device_copyable_v<fixed_number> && !std::is_copy_assignable_v<fixed_number>);

TEST(buffer, writes_back_elements_that_cannot_be_assigned) {
  fixed_number data[]{{1}, {2}};
  const fixed_number constant[]{{3}, {4}};
  std::vector<fixed_number> copy(2, fixed_number{0});
  std::list<fixed_number> list(2, fixed_number{0});
  const auto shared =
      std::make_shared<std::array<fixed_number, 2>>(std::array{fixed_number{0}, fixed_number{0}});
  {
    sycl::buffer<fixed_number> b(data, 2), c(constant, 2), d(constant, 2), e(constant, 2);
    c.set_final_data(copy.begin());
    d.set_final_data(list.begin());
    e.set_final_data(shared);
    sycl::queue q;
    for (sycl::buffer<fixed_number>& each : {std::ref(b), std::ref(c), std::ref(d), std::ref(e)})
      q.submit([&](sycl::handler& h) {
        sycl::accessor a(each, h);
        h.parallel_for(2, [=](sycl::id<1> i) { new (&a[i]) fixed_number{a[i].value + 10}; });
      });
  }
  const auto values = [](const auto& elements) {
    std::vector<int> result;
    for (const fixed_number& each : elements)
      result.push_back(each.value);
    return result;
  };
  EXPECT_EQ(values(data), (std::vector{11, 12}));
  EXPECT_EQ(values(copy), (std::vector{13, 14}));
  EXPECT_EQ(values(list), (std::vector{13, 14}));
  EXPECT_EQ(values(*shared), (std::vector{13, 14}));
}

/// A destination that throws what is no std::exception.
struct broken_iterator {
  using iterator_category = std::output_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = void;
  broken_iterator& operator*() { return *this; }
  broken_iterator& operator++() { return *this; }
  broken_iterator& operator=(int) { throw 7; }
};

TEST(buffer, errors_of_its_end_reach_the_async_handler) {
  int seen = 0;
  sycl::queue q([&](sycl::exception_list errors) {
    for (const std::exception_ptr& each : errors)
      try {
        std::rethrow_exception(each);
      } catch (int what) {
        seen += what;
      }
  });
  {
    sycl::buffer<int> b(sycl::range(4));
    b.set_final_data(broken_iterator());
    q.submit([&](sycl::handler& h) {
      sycl::accessor a(b, h, sycl::write_only, sycl::no_init);
      h.parallel_for(4, [=](sycl::id<1> i) { a[i] = 1; });
    });
  }
  EXPECT_EQ(seen, 0);
  q.throw_asynchronous();
  EXPECT_EQ(seen, 7);
}

TEST(buffer, shows_constant_host_memory_in_its_place) {
  const std::vector<int> v{1, 2, 3, 4};
  sycl::buffer<int> b(v.data(), sycl::range(4), sycl::property::buffer::use_host_ptr());
  EXPECT_EQ(&sycl::host_accessor(b, sycl::read_only)[1], &v[1]);
  sycl::buffer<int> sum(sycl::range(1));
  sycl::queue().submit([&](sycl::handler& h) {
    sycl::accessor from(b, h, sycl::read_only);
    sycl::accessor to(sum, h, sycl::write_only, sycl::no_init);
    h.single_task([=] { to[0] = from[0] + from[3]; });
  });
  EXPECT_EQ(sycl::host_accessor(sum)[0], 5);
  EXPECT_EQ(&sycl::host_accessor(b, sycl::read_only)[0], v.data());
  increment(b); // devices may write, but not there
  EXPECT_EQ(sycl::host_accessor(b, sycl::read_only)[3], 5);
  EXPECT_EQ(v, (std::vector{1, 2, 3, 4}));
}

TEST(buffer, copies_are_the_same_buffer) {
  std::vector<int> data{1};
  {
    sycl::buffer<int> a(data), b = a, c(1);
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
    EXPECT_EQ(std::hash<sycl::buffer<int>>()(a), std::hash<sycl::buffer<int>>()(b));
    {
      sycl::buffer<int> d = b;
      increment(d);
    }
    increment(a);
    EXPECT_EQ(sycl::host_accessor(b)[0], 3);
  }
  EXPECT_EQ(data[0], 3);
}

TEST(buffer, reinterprets_its_bytes) {
  std::vector<unsigned> data{0x01020304, 0x05060708, 3, 4};
  {
    sycl::buffer<unsigned> b(data);
    auto bytes = b.reinterpret<unsigned char>();
    static_assert(same<decltype(bytes), sycl::buffer<unsigned char, 1>>);
    EXPECT_EQ(bytes.size(), 16u);
    auto square = b.reinterpret<int, 2>(sycl::range(2, 2));
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor a{bytes, h};
      h.single_task([=] { a[0] = 0xff; });
    });
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor a{square, h};
      h.parallel_for(square.get_range(), [=](sycl::id<2> i) { a[i] += i[0] == 1 ? 10 : 0; });
    });
    EXPECT_TRUE(throws_invalid([&] { (void)b.reinterpret<int, 2>(sycl::range(3, 2)); }));
    sycl::buffer<char> odd(7);
    EXPECT_TRUE(throws_invalid([&] { (void)odd.reinterpret<short, 1>(); }));
  }
  EXPECT_EQ(data, (std::vector<unsigned>{0x010203ff, 0x05060708, 13, 14}));
}

/// Not default constructible from another, and counts.
template <class T>
struct counting_allocator {
  using value_type = T;
  explicit counting_allocator(int* the_count) : count(the_count) {}
  T* allocate(std::size_t n) {
    ++*count;
    return static_cast<T*>(std::malloc(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t) {
    --*count;
    std::free(p);
  }
  int* count;
};

TEST(buffer, takes_temporary_host_memory_from_its_allocator) {
  int count = 0;
  {
    sycl::buffer<int, 1, counting_allocator<int>> b(10, counting_allocator<int>(&count));
    sycl::host_accessor a(b);
    EXPECT_EQ(count, 1);
  }
  EXPECT_EQ(count, 0);
}

TEST(buffer, keeps_its_properties) {
  std::mutex mutex;
  sycl::context context;
  std::vector<int> data(3);
  sycl::buffer<int> b(data.data(), 3,
                      {sycl::property::buffer::use_mutex(mutex),
                       sycl::property::buffer::context_bound(context),
                       sycl::property::buffer::use_host_ptr()});
  EXPECT_TRUE(b.has_property<sycl::property::buffer::use_host_ptr>());
  EXPECT_EQ(b.get_property<sycl::property::buffer::use_mutex>().get_mutex_ptr(), &mutex);
  EXPECT_EQ(b.get_property<sycl::property::buffer::context_bound>().get_context(), context);
  EXPECT_EQ(&sycl::host_accessor(b)[0], data.data());
  EXPECT_TRUE(
      throws_invalid([] { (void)sycl::buffer<int>(3).get_property<sycl::property::buffer::use_mutex>(); }));
}

// SYCL 2020 §4.7.2.3 and §4.7.5: the mutex is the runtime's while a command uses the data, and the user's
// memory has the contents when it is not.

TEST(buffer, with_a_mutex_leaves_the_contents_in_the_user_s_memory) {
  std::mutex mutex;
  const auto data = std::make_shared<std::array<int, 64>>();
  sycl::buffer<int> b(std::shared_ptr<int>(data, data->data()), 64,
                      {sycl::property::buffer::use_mutex(mutex)});
  increment(b);
  sycl::queue in_order{sycl::property::queue::in_order()};
  in_order.submit([&](sycl::handler& h) {
    sycl::accessor a{b, h};
    h.parallel_for(64, [=](sycl::id<1> i) { a[i] += 1; });
  });
  in_order.wait();
  {
    const std::lock_guard lock(mutex);
    EXPECT_EQ((*data)[63], 2); // while the buffer lives
    (*data)[63] = 10;
  }
  increment(b);
  in_order.submit([&](sycl::handler& h) { // which waits for it
    const sycl::accessor a{b, h, sycl::range<1>(2), sycl::id<1>(62), sycl::write_only};
    h.fill(a, 7);
  });
  in_order.submit([&](sycl::handler& h) {
    sycl::accessor a{b, h, sycl::range<1>(1), sycl::id<1>(63), sycl::read_write};
    h.single_task([=] { a[0] += 4; });
  });
  in_order.submit([&](sycl::handler& h) {
    sycl::accessor a{b, h, sycl::read_write_host_task};
    h.host_task([=] { a[0] += 100; });
  });
  in_order.wait();
  const std::lock_guard lock(mutex);
  EXPECT_EQ((*data)[0], 103);
  EXPECT_EQ((*data)[61], 3);
  EXPECT_EQ((*data)[62], 7);
  EXPECT_EQ((*data)[63], 11);
}

TEST(buffer, with_a_mutex_is_not_used_while_the_application_has_it) {
  std::mutex mutex;
  std::vector<int> data(16);
  sycl::buffer<int> b(data.data(), 16, {sycl::property::buffer::use_mutex(mutex)});
  sycl::queue q;
  sycl::event done;
  {
    const std::lock_guard lock(mutex);
    done = q.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h};
      h.parallel_for(16, [=](sycl::id<1> i) { a[i] += 1; });
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_NE(done.get_info<sycl::info::event::command_execution_status>(),
              sycl::info::event_command_status::complete);
    EXPECT_EQ(data[3], 0);
    std::fill(data.begin(), data.end(), 5);
  }
  done.wait();
  const std::lock_guard lock(mutex);
  EXPECT_EQ(std::accumulate(data.begin(), data.end(), 0), 16 * 6);
}

TEST(buffer, mutexes_are_locked_without_deadlock) {
  constexpr int TURNS = 100;
  std::mutex first, second;
  std::vector<int> one(8), two(8);
  sycl::buffer<int> b(one.data(), 8, {sycl::property::buffer::use_mutex(first)});
  sycl::buffer<int> c(two.data(), 8, {sycl::property::buffer::use_mutex(second)});
  // Reads on both sides: the commands of the threads do not wait for each other but by the mutexes.
  const auto use = [&](sycl::buffer<int>& left, sycl::buffer<int>& right) {
    sycl::queue q;
    for (int i = 0; i < TURNS; ++i)
      q.submit([&](sycl::handler& h) {
        const sycl::accessor from{left, h, sycl::read_only}, also{right, h, sycl::read_only};
        h.single_task([=] { (void)(from[0] + also[0]); });
      });
    q.wait();
  };
  std::thread forth([&] { use(b, c); }), back([&] { use(c, b); });
  for (int i = 0; i < TURNS; ++i) {
    const std::scoped_lock both(second, first);
    ++one[1];
    ++two[1];
  }
  forth.join();
  back.join();
  increment(b);
  EXPECT_EQ(sycl::host_accessor(b)[1], TURNS + 1);
}

TEST(buffer, with_a_mutex_waits_for_commands_that_need_it) {
  sycl::event done;
  {
    std::mutex mutex;
    sycl::buffer<int> b(std::make_shared<int>(1), 1, {sycl::property::buffer::use_mutex(mutex)});
    done = sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor a{b, h, sycl::read_write_host_task};
      h.host_task([=] { std::this_thread::sleep_for(std::chrono::milliseconds(5 * a[0])); });
    });
  }
  EXPECT_EQ(done.get_info<sycl::info::event::command_execution_status>(),
            sycl::info::event_command_status::complete);
}

TEST(buffer, with_a_mutex_reports_what_commands_fail_with) {
  std::mutex mutex;
  std::vector<int> data(4);
  sycl::buffer<int> b(data.data(), 4, {sycl::property::buffer::use_mutex(mutex)});
  int failures = 0;
  sycl::queue q([&](const sycl::exception_list& errors) { failures += static_cast<int>(errors.size()); });
  q.submit([&](sycl::handler& h) {
    sycl::accessor a{b, h, sycl::write_only_host_task};
    h.host_task([=] {
      a[1] = 1;
      throw std::runtime_error("failed on purpose");
    });
  });
  q.wait_and_throw();
  EXPECT_EQ(failures, 1);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(data[1], 1);
}

TEST(buffer, bound_to_a_context_is_for_queues_of_its_devices) {
  const sycl::device device;
  sycl::buffer<int> b(3, {sycl::property::buffer::context_bound(sycl::context(device))});
  const sycl::accessor placeholder(b);
  sycl::queue queue{sycl::context(device), device};
  queue.submit([&](sycl::handler& h) {
    sycl::accessor a{b, h};
    h.single_task([=] { a[0] = 1; });
  });
  queue.submit([&](sycl::handler& h) {
    h.require(placeholder);
    h.single_task([=] { placeholder[0] += 1; });
  });
  EXPECT_EQ(sycl::host_accessor(b)[0], 2);
}

TEST(buffer, bound_to_a_context_is_not_for_other_devices) {
  const sycl::device root;
  if (root.get_info<sycl::info::device::partition_max_sub_devices>() < 2)
    GTEST_SKIP() << "no two devices";
  const std::vector<sycl::device> parts =
      root.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  sycl::buffer<int> b(3, {sycl::property::buffer::context_bound(sycl::context(parts[0]))});
  const sycl::accessor placeholder(b);
  sycl::queue other(parts[1]);
  EXPECT_TRUE(throws_invalid([&] {
    other.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h};
      h.single_task([=] { a[0] = 3; });
    });
  }));
  EXPECT_TRUE(throws_invalid([&] {
    other.submit([&](sycl::handler& h) {
      h.require(placeholder);
      h.single_task([=] { placeholder[0] = 3; });
    });
  }));
  EXPECT_TRUE(throws_invalid([&] {
    other.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h, sycl::write_only_host_task};
      h.host_task([=] { a[0] = 3; });
    });
  }));
}

TEST(buffer, without_elements_is_usable) {
  sycl::buffer<int> b(sycl::range<1>(0));
  sycl::queue().submit([&](sycl::handler& h) {
    sycl::accessor a{b, h};
    h.single_task([=] { (void)a.size(); });
  });
  EXPECT_TRUE(sycl::host_accessor(b).empty());
}

} // namespace
