// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AdaptiveCpp's extensions of buffers and accessors: EXPLICIT_BUFFER_POLICIES, BUFFER_PAGE_SIZE,
// BUFFER_USM_INTEROP, ACCESSOR_VARIANTS and ACCESSOR_VARIANT_DEDUCTION.
#define ACPP_EXT_ACCESSOR_VARIANT_DEDUCTION
#include "../thrown_message.hpp"
#include <sycl/sycl.hpp>

#include <atomic>
#include <cstddef>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#if !defined(ACPP_EXT_EXPLICIT_BUFFER_POLICIES) || !defined(ACPP_EXT_BUFFER_PAGE_SIZE) ||                    \
    !defined(ACPP_EXT_BUFFER_USM_INTEROP) || !defined(ACPP_EXT_ACCESSOR_VARIANTS) ||                         \
    !defined(SYCL_EXT_ACPP_ACCESSOR_VARIANT_DEDUCTION)
#error "a feature-test macro of AdaptiveCpp's is missing"
#endif

namespace {

using sycl::accessor_variant;
namespace buffer_property = sycl::property::buffer;

constexpr std::size_t COUNT = 1024;

std::vector<int> counting() {
  std::vector<int> data(COUNT);
  std::iota(data.begin(), data.end(), 0);
  return data;
}

template <class Buffer>
sycl::event add(sycl::queue& queue, Buffer& buffer, int value) {
  return queue.submit([&](sycl::handler& group) {
    sycl::accessor access(buffer, group, sycl::read_write);
    group.parallel_for(buffer.get_range(), [=](sycl::id<1> i) { access[i] += value; });
  });
}

/// Whether element i is i + \p value for all.
bool counts_from(const int* data, int value) {
  for (std::size_t i = 0; i < COUNT; ++i)
    if (data[i] != static_cast<int>(i) + value)
      return false;
  return true;
}

template <class T, int D, sycl::access_mode M, sycl::target G, accessor_variant V>
constexpr accessor_variant variant_of(const sycl::accessor<T, D, M, G, V>&) {
  return V;
}

// What each variant stores.
template <int D>
constexpr bool sizes_are_as_documented() {
  constexpr std::size_t word = 8, range = word * D;
  constexpr std::size_t raw = sizeof(sycl::raw_accessor<int, D>);
  constexpr std::size_t unranged = sizeof(sycl::unranged_accessor<int, D>);
  constexpr std::size_t ranged = sizeof(sycl::ranged_accessor<int, D>);
  constexpr std::size_t unranged_placeholder = sizeof(sycl::unranged_placeholder_accessor<int, D>);
  constexpr std::size_t ranged_placeholder = sizeof(sycl::ranged_placeholder_accessor<int, D>);
  return raw == word && unranged == word + range && ranged == word + 2 * range + (D - 1) * word &&
         unranged_placeholder == unranged + word && ranged_placeholder == ranged + word &&
         sizeof(sycl::accessor<int, D>) == ranged_placeholder;
}
static_assert(sizes_are_as_documented<1>() && sizes_are_as_documented<2>() && sizes_are_as_documented<3>());

template <accessor_variant From, accessor_variant To>
constexpr bool converts =
    std::is_convertible_v<sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device, From>,
                          sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device, To>>;
template <accessor_variant From, accessor_variant To>
constexpr bool converts_to_read_only =
    std::is_convertible_v<sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device, From>,
                          sycl::accessor<const int, 1, sycl::access_mode::read, sycl::target::device, To>>;

// The source is raw.
static_assert(!converts<accessor_variant::raw, accessor_variant::unranged> &&
              !converts<accessor_variant::raw, accessor_variant::ranged> &&
              !converts<accessor_variant::raw, accessor_variant::false_t>);
// A range would be forgotten.
static_assert(!converts<accessor_variant::ranged, accessor_variant::unranged> &&
              !converts<accessor_variant::ranged_placeholder, accessor_variant::unranged> &&
              !converts<accessor_variant::false_t, accessor_variant::unranged>);
// A placeholder would come out of nothing.
static_assert(!converts<accessor_variant::unranged, accessor_variant::unranged_placeholder> &&
              !converts<accessor_variant::ranged, accessor_variant::ranged_placeholder>);
static_assert(converts<accessor_variant::unranged, accessor_variant::ranged> &&
              converts<accessor_variant::unranged_placeholder, accessor_variant::ranged_placeholder> &&
              converts<accessor_variant::unranged_placeholder, accessor_variant::unranged> &&
              converts<accessor_variant::ranged_placeholder, accessor_variant::ranged> &&
              converts<accessor_variant::ranged_placeholder, accessor_variant::raw> &&
              converts<accessor_variant::unranged, accessor_variant::false_t> &&
              converts<accessor_variant::ranged, accessor_variant::true_t> &&
              converts<accessor_variant::false_t, accessor_variant::ranged> &&
              converts<accessor_variant::false_t, accessor_variant::raw>);
static_assert(converts_to_read_only<accessor_variant::unranged, accessor_variant::raw> &&
              !converts_to_read_only<accessor_variant::raw, accessor_variant::ranged> &&
              std::is_trivially_copyable_v<sycl::raw_accessor<int>>);

// What constructors there are.
template <class Accessor, class... Arguments>
constexpr bool constructs = std::is_constructible_v<Accessor, sycl::buffer<int>&, Arguments...>;
static_assert(!constructs<sycl::raw_accessor<int>> && !constructs<sycl::ranged_accessor<int>> &&
              !constructs<sycl::unranged_accessor<int>> &&
              constructs<sycl::unranged_placeholder_accessor<int>> &&
              constructs<sycl::ranged_placeholder_accessor<int>, sycl::range<1>, sycl::id<1>> &&
              !constructs<sycl::unranged_placeholder_accessor<int>, sycl::range<1>> &&
              !constructs<sycl::unranged_accessor<int>, sycl::handler&, sycl::range<1>> &&
              constructs<sycl::ranged_accessor<int>, sycl::handler&, sycl::range<1>> &&
              constructs<sycl::raw_accessor<int>, sycl::handler&, sycl::range<1>, sycl::id<1>>);

template <class T, class = void>
constexpr bool has_subscript = false;
template <class T>
constexpr bool has_subscript<T, std::void_t<decltype(std::declval<T>()[0])>> = true;
template <class T, class = void>
constexpr bool has_size = false;
template <class T>
constexpr bool has_size<T, std::void_t<decltype(std::declval<T>().size())>> = true;
static_assert(has_subscript<sycl::raw_accessor<int, 1>> && !has_subscript<sycl::raw_accessor<int, 2>> &&
              !has_size<sycl::raw_accessor<int, 1>> && has_size<sycl::raw_accessor<int, 0>>);

template <sycl::accessor_variant Variant>
constexpr bool throws_nothing() {
  using one = sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device, Variant>;
  using two = sycl::accessor<int, 2, sycl::access_mode::read_write, sycl::target::device, Variant>;
  using std::declval;
  return noexcept(declval<one>().get_size()) && noexcept(declval<one>().get_count()) &&
         noexcept(declval<one>().get_range()) && noexcept(declval<one>().get_offset()) &&
         noexcept(declval<one>()[0]) && noexcept(declval<one>()[sycl::id<1>()]) &&
         noexcept(declval<two>()[0]) && noexcept(declval<two>()[sycl::id<2>()]);
}
static_assert(throws_nothing<sycl::accessor_variant::ranged>());
static_assert(throws_nothing<sycl::accessor_variant::unranged>());
static_assert(throws_nothing<sycl::accessor_variant::ranged_placeholder>());

TEST(acpp_accessors, are_deduced_and_work) {
  sycl::queue queue;
  const sycl::range<1> size(COUNT), part(512);
  const sycl::id<1> offset(256);
  sycl::buffer<int> buffer(size);
  sycl::accessor unranged_placeholder(buffer, sycl::read_write, sycl::no_init);
  sycl::accessor ranged_placeholder(buffer, part, offset, sycl::read_write);
  static_assert(variant_of(decltype(unranged_placeholder){}) == accessor_variant::unranged_placeholder);
  static_assert(variant_of(decltype(ranged_placeholder){}) == accessor_variant::ranged_placeholder);
  EXPECT_EQ(unranged_placeholder.get_range(), size);
  EXPECT_EQ(unranged_placeholder.get_offset(), sycl::id<1>());
  EXPECT_EQ(ranged_placeholder.get_range(), part);
  EXPECT_EQ(ranged_placeholder.get_offset(), offset);
  EXPECT_TRUE(unranged_placeholder.is_placeholder());
  EXPECT_TRUE(unranged_placeholder.has_property<sycl::property::no_init>());

  queue.submit([&](sycl::handler& group) {
    sycl::accessor raw(buffer, group, sycl::write_only_raw, sycl::no_init);
    static_assert(variant_of(decltype(raw){}) == accessor_variant::raw);
    EXPECT_FALSE(raw.is_placeholder());
    EXPECT_EQ(raw.get_offset(), sycl::id<1>());
    group.parallel_for(size, [=](sycl::id<1> i) { raw[i] = static_cast<int>(i[0]); });
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor unranged(buffer, group, sycl::read_write);
    static_assert(variant_of(decltype(unranged){}) == accessor_variant::unranged);
    static_assert(std::is_same_v<decltype(buffer.get_access(group)), sycl::unranged_accessor<int>>);
    EXPECT_EQ(unranged.size(), COUNT);
    sycl::accessor<int> standard = unranged; // keeps the requirement
    group.parallel_for(size, [=](sycl::item<1> i) {
      sycl::raw_accessor<int> raw = unranged; // keeps the pointer
      if (i[0] % 2 == 0)
        raw[i] += 1;
      else
        standard[i] += 1;
    });
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor ranged(buffer, group, part, offset, sycl::read_write);
    static_assert(variant_of(decltype(ranged){}) == accessor_variant::ranged);
    static_assert(std::is_same_v<decltype(buffer.get_access(group, part)), sycl::ranged_accessor<int>>);
    group.parallel_for(part, [=](sycl::id<1> i) { ranged[i] += 1000; });
  });
  queue.submit([&](sycl::handler& group) {
    group.require(ranged_placeholder);
    sycl::ranged_accessor<int> ranged = ranged_placeholder;
    sycl::raw_accessor<int> raw = ranged_placeholder;
    group.parallel_for(part, [=](sycl::id<1> i) {
      ranged[i] -= 999;
      if (i[0] == 0)
        raw[256] += 5; // counts from the buffer's start
    });
  });
  sycl::host_accessor host(buffer);
  EXPECT_EQ(host[0], 1);
  EXPECT_EQ(host[256], 256 + 2 + 5);
  EXPECT_EQ(host[257], 257 + 2);
  EXPECT_EQ(host[768], 769);
}

TEST(acpp_accessors, have_dimensions_and_explicit_operations) {
  sycl::queue queue;
  sycl::buffer<int, 2> plane(sycl::range<2>(8, 16));
  sycl::buffer<int, 3> cube(sycl::range<3>(4, 4, 8));
  queue.submit([&](sycl::handler& group) {
    sycl::accessor all(plane, group, sycl::write_only, sycl::no_init);
    group.fill(all, 7);
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor from(plane, group, sycl::read_only);
    sycl::accessor to(cube, group, sycl::write_only, sycl::no_init);
    group.copy(from, to);
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor access(cube, group, sycl::read_write);
    sycl::accessor flat(plane, group, sycl::range<2>(2, 2), sycl::id<2>(3, 5), sycl::read_write);
    group.parallel_for(sycl::range<3>(4, 4, 8), [=](sycl::id<3> i) {
      access[i] += static_cast<int>(i[0] * 100 + i[1] * 10 + i[2]);
      if (i[0] == 0 && i[1] < 2 && i[2] < 2)
        flat[i[1]][i[2]] = *(access.begin()) >= 0 ? 9 : 8;
    });
  });
  queue.submit([&](sycl::handler& group) {
    sycl::raw_accessor<int, 3> raw(cube, group);
    group.single_task([=] { raw.get_multi_ptr<sycl::access::decorated::no>()[127] += 1; });
  });
  sycl::host_accessor host(cube);
  sycl::host_accessor part(plane);
  EXPECT_EQ((host[1][2][3]), 7 + 123);
  EXPECT_EQ((host[3][3][7]), 7 + 337 + 1);
  EXPECT_EQ((part[3][5]), 9);
  EXPECT_EQ((part[4][6]), 9);
  EXPECT_EQ((part[5][5]), 7);
}

TEST(acpp_accessors, belong_to_their_command_group) {
  sycl::queue queue;
  sycl::buffer<int> buffer(sycl::range<1>(1));
  sycl::raw_accessor<int> stale;
  queue.submit([&](sycl::handler& group) {
    stale = sycl::raw_accessor<int>(buffer, group);
    group.single_task([=, raw = stale] { raw[0] = 1; });
  });
  EXPECT_TRUE(mentions(
      message_of(sycl::errc::kernel_argument, [&] { queue.single_task([=, raw = stale] { raw[0] = 2; }); }),
      "does not require"));
  sycl::unranged_accessor<int> foreign;
  queue.submit([&](sycl::handler& group) {
    foreign = sycl::unranged_accessor<int>(buffer, group);
    group.update(foreign);
  });
  EXPECT_TRUE(
      mentions(message_of(sycl::errc::invalid,
                          [&] { queue.submit([&](sycl::handler& group) { group.fill(foreign, 1); }); }),
               "another command group"));
  EXPECT_EQ(sycl::host_accessor(buffer)[0], 1);
}

TEST(acpp_policies, own_memory_is_a_copy_and_is_not_written_back) {
  sycl::queue queue;
  std::vector<int> data = counting();
  {
    auto buffer = sycl::make_async_buffer(data.data(), sycl::range<1>(COUNT));
    data[20] = -1;
    add(queue, buffer, 1);
    EXPECT_TRUE(counts_from(sycl::host_accessor(buffer).get_pointer(), 1));
    add(queue, buffer, 1);
  }
  {
    auto buffer = sycl::make_sync_buffer<const int>(data.data(), sycl::range<1>(COUNT));
    EXPECT_EQ(sycl::host_accessor(buffer)[20], -1);
    auto empty = sycl::make_sync_buffer<int>(sycl::range<1>(COUNT));
    auto other = sycl::make_async_buffer<int>(sycl::range<1>(COUNT));
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access(empty, group, sycl::write_only, sycl::no_init);
      sycl::accessor more(other, group, sycl::write_only, sycl::no_init);
      group.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) { access[i] = more[i] = 3; });
    });
  }
  queue.wait();
  data[20] = 20;
  EXPECT_TRUE(counts_from(data.data(), 0));
}

TEST(acpp_policies, views_write_back_where_they_say_so) {
  sycl::queue queue;
  std::vector<int> data = counting();
  {
    auto view = sycl::make_sync_writeback_view(data.data(), sycl::range<1>(COUNT));
    add(queue, view, 1);
  }
  EXPECT_TRUE(counts_from(data.data(), 1));
  {
    auto view = sycl::make_async_writeback_view(data.data(), sycl::range<1>(COUNT), queue);
    add(queue, view, 1);
  }
  queue.wait();
  EXPECT_TRUE(counts_from(data.data(), 2));
  sycl::queue other{sycl::property::queue::in_order()};
  {
    auto view = sycl::make_async_writeback_view(data.data(), sycl::range<1>(COUNT), other);
    add(queue, view, 1);
  }
  other.wait(); // though the command was submitted to another queue
  EXPECT_TRUE(counts_from(data.data(), 3));
  {
    auto view = sycl::make_sync_view(data.data(), sycl::range<1>(COUNT));
    EXPECT_TRUE(counts_from(sycl::host_accessor(view).get_pointer(), 3));
    EXPECT_EQ(sycl::host_accessor(view).get_pointer(), data.data());
    auto again = sycl::make_async_view(data.data(), sycl::range<1>(COUNT));
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access(again, group, sycl::read_only);
      group.update(access);
    });
  }
  queue.wait();
}

TEST(acpp_policies, of_properties_combine) {
  sycl::queue queue;
  std::vector<int> data = counting();
  { // the copy goes back in the end
    sycl::buffer<int> buffer(data.data(), sycl::range<1>(COUNT),
                             buffer_property::AdaptiveCpp_buffer_uses_external_storage(false));
    data.assign(COUNT, 0);
    add(queue, buffer, 5);
  }
  EXPECT_TRUE(counts_from(data.data(), 5));
  {
    sycl::buffer<int> buffer(data.data(), sycl::range<1>(COUNT),
                             {buffer_property::AdaptiveCpp_buffer_uses_external_storage(false),
                              buffer_property::AdaptiveCpp_buffer_writes_back(true),
                              buffer_property::AdaptiveCpp_buffer_destructor_blocks(false)});
    EXPECT_TRUE(buffer.get_property<buffer_property::AdaptiveCpp_buffer_writes_back>().is_on());
    add(queue, buffer, 5);
  }
  queue.wait();
  {
    sycl::buffer<int> buffer(data.data(), sycl::range<1>(COUNT),
                             buffer_property::AdaptiveCpp_buffer_writes_back(false));
    add(queue, buffer, 100);
  }
  EXPECT_NE(data[0], 105);
  EXPECT_TRUE(mentions(message_of(sycl::errc::invalid,
                                  [&] {
                                    sycl::buffer<int>(sycl::range<1>(1),
                                                      buffer_property::AdaptiveCpp_buffer_writes_back(true));
                                  }),
                       "AdaptiveCpp_buffer_writes_back"));
}

TEST(acpp_policies, asynchronous_destructors_do_not_wait) {
  std::vector<int> data = counting();
  std::atomic<bool> may_go{false};
  sycl::queue queue;
  {
    auto view = sycl::make_async_writeback_view(data.data(), sycl::range<1>(COUNT), queue);
    auto buffer = sycl::make_async_buffer<int>(sycl::range<1>(COUNT));
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access(view, group, sycl::read_write_host_task);
      sycl::accessor other(buffer, group, sycl::write_only_host_task);
      group.host_task([=, &may_go] {
        while (!may_go)
          std::this_thread::yield();
        access[0] = other[0] = 77;
      });
    });
  }
  may_go = true; // which a destructor that waits would never reach
  queue.wait();
  EXPECT_EQ(data[0], 77);
}

TEST(acpp_page_size, makes_commands_on_different_pages_independent) {
  constexpr std::size_t size = 100, page = 64;
  sycl::queue queue;
  sycl::buffer<int, 2> buffer(sycl::range<2>(size, size),
                              buffer_property::AdaptiveCpp_page_size<2>(sycl::range<2>(page, page)));
  for (std::size_t y = 0; y < size; y += page)
    for (std::size_t x = 0; x < size; x += page)
      queue.submit([&](sycl::handler& group) {
        const sycl::range<2> range(std::min(page, size - y), std::min(page, size - x));
        const sycl::id<2> offset(y, x);
        sycl::accessor access(buffer, group, range, offset, sycl::write_only, sycl::no_init);
        group.parallel_for(
            range, [=](sycl::id<2> i) { access[i] = static_cast<int>(i[0] + i[1] + offset[0] + offset[1]); });
      });
  {
    sycl::host_accessor host(buffer);
    for (std::size_t y = 0; y < size; ++y)
      for (std::size_t x = 0; x < size; ++x)
        ASSERT_EQ((host[y][x]), static_cast<int>(x + y));
  }
  // A task that only ends when one on another page has run, and one on its own page that waits for it.
  std::atomic<bool> other_ran{false}, same_ran{false}, first_ended{false};
  const auto task = [&](std::size_t y, std::size_t x, auto function) {
    return queue.submit([&](sycl::handler& group) {
      sycl::accessor access(buffer, group, sycl::range<2>(1, 1), sycl::id<2>(y, x),
                            sycl::read_write_host_task);
      group.host_task([function, access] {
        if (!access.empty())
          function();
      });
    });
  };
  task(10, 10, [&] {
    while (!other_ran)
      std::this_thread::yield();
    first_ended = true;
  });
  task(20, 20, [&] { same_ran = first_ended.load(); });
  task(10, 70, [&] { other_ran = true; });
  queue.wait();
  EXPECT_TRUE(same_ran);
  EXPECT_TRUE(mentions(
      message_of(sycl::errc::invalid,
                 [&] { sycl::buffer<int>(sycl::range<1>(1), buffer_property::AdaptiveCpp_page_size<1>(0)); }),
      "extent of 0"));
}

TEST(acpp_usm_interop, a_buffer_shows_its_memory) {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  int* pointer = nullptr;
  {
    sycl::buffer<int> buffer{sycl::range<1>(COUNT)};
    EXPECT_FALSE(buffer.has_allocation(device));
    EXPECT_EQ(buffer.get_pointer(device), nullptr);
    message_of(sycl::errc::invalid, [&] { buffer.get_allocation(device); });
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access(buffer, group, sycl::write_only, sycl::no_init);
      group.update(access);
    });
    ASSERT_TRUE(buffer.has_allocation(device));
    pointer = buffer.get_pointer(device);
    sycl::buffer_allocation::descriptor<int> found = buffer.get_allocation(pointer);
    EXPECT_EQ(found.ptr, pointer);
    EXPECT_EQ(found.dev, device);
    EXPECT_TRUE(found.is_owned);
    EXPECT_NE(sycl::get_pointer_type(pointer, queue.get_context()), sycl::usm::alloc::unknown);
    buffer.own_allocation(pointer);
    buffer.own_allocation(device);
    std::size_t count = 0;
    buffer.for_each_allocation(
        [&](const sycl::buffer_allocation::descriptor<int>& each) { count += each.ptr == pointer ? 1 : 0; });
    EXPECT_EQ(count, 1u);
    sycl::buffer<int> half(buffer, sycl::id<1>(COUNT / 2), sycl::range<1>(COUNT / 2));
    EXPECT_EQ(half.get_pointer(device), pointer + COUNT / 2);
    buffer.disown_allocation(pointer);
    buffer.own_allocation(device);
    buffer.disown_allocation(device);
    EXPECT_FALSE(buffer.get_allocation(device).is_owned);
    const int elsewhere = 0;
    EXPECT_TRUE(mentions(message_of(sycl::errc::invalid, [&] { buffer.disown_allocation(&elsewhere); }),
                         "no such allocation"));
  }
  queue.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) { pointer[i] = static_cast<int>(i[0]); });
  std::vector<int> data(COUNT);
  queue.wait();
  queue.memcpy(data.data(), pointer, COUNT * sizeof(int)).wait();
  EXPECT_TRUE(counts_from(data.data(), 0));
  sycl::free(pointer, queue);
}

TEST(acpp_usm_interop, update_brings_the_contents_to_the_pointer) {
  sycl::queue queue;
  sycl::buffer<int> buffer{sycl::range<1>(COUNT)};
  {
    sycl::host_accessor host(buffer);
    for (std::size_t i = 0; i < COUNT; ++i)
      host[i] = static_cast<int>(i);
  }
  queue
      .submit([&](sycl::handler& group) {
        sycl::accessor access(buffer, group, sycl::read_write);
        group.update(access);
      })
      .wait();
  std::vector<int> data(COUNT);
  queue.memcpy(data.data(), buffer.get_pointer(queue.get_device()), COUNT * sizeof(int)).wait();
  EXPECT_TRUE(counts_from(data.data(), 0));
}

TEST(acpp_usm_interop, buffers_work_in_usm) {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  const sycl::range<1> size(COUNT);
  for (const sycl::usm::alloc kind : {sycl::usm::alloc::shared, sycl::usm::alloc::device}) {
    int* const memory = sycl::malloc<int>(COUNT, queue, kind);
    {
      sycl::buffer<int> buffer{{sycl::buffer_allocation::empty_view(memory, device)}, size};
      EXPECT_EQ(buffer.get_pointer(device), memory);
      EXPECT_FALSE(buffer.get_allocation(device).is_owned);
      queue.submit([&](sycl::handler& group) {
        sycl::accessor access(buffer, group, sycl::write_only, sycl::no_init);
        group.parallel_for(size, [=](sycl::id<1> i) { access[i] = static_cast<int>(i[0]); });
      });
    } // waits
    std::vector<int> data(COUNT);
    queue.memcpy(data.data(), memory, COUNT * sizeof(int)).wait();
    EXPECT_TRUE(counts_from(data.data(), 0));
    std::vector<int> result(COUNT);
    {
      sycl::buffer<int> buffer{{sycl::buffer_allocation::view(memory, device)}, size};
      buffer.set_final_data(result.data());
      add(queue, buffer, 1);
      EXPECT_TRUE(counts_from(sycl::host_accessor(buffer).get_pointer(), 1));
      add(queue, buffer, 1);
    }
    EXPECT_TRUE(counts_from(result.data(), 2));
    {
      auto view = sycl::make_async_usm_view<int, 1>({sycl::buffer_allocation::view(memory, device)}, size);
      add(queue, view, 1);
    }
    queue.wait();
    { // the buffer frees it
      auto view = sycl::make_sync_usm_view<int, 1>(
          {sycl::buffer_allocation::view(memory, device, sycl::buffer_allocation::take_ownership)}, size);
      EXPECT_TRUE(view.get_allocation(memory).is_owned);
      EXPECT_TRUE(counts_from(sycl::host_accessor(view).get_pointer(), 3));
    }
    EXPECT_EQ(sycl::get_pointer_type(memory, queue.get_context()), sycl::usm::alloc::unknown);
  }
}

TEST(acpp_usm_interop, refuses_what_cannot_be) {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  int on_stack[2] = {};
  const auto make = [&](std::vector<sycl::buffer_allocation::tracked_descriptor<int>> memory) {
    sycl::buffer<int> buffer(memory, sycl::range<1>(2));
  };
  using namespace sycl::buffer_allocation;
  EXPECT_TRUE(
      mentions(message_of(sycl::errc::invalid, [&] { make({view<int>(nullptr, device)}); }), "is null"));
  EXPECT_TRUE(mentions(
      message_of(sycl::errc::invalid, [&] { make({view(on_stack, device, take_ownership)}); }), "own"));
  int* const memory = sycl::malloc_shared<int>(2, queue);
  EXPECT_TRUE(mentions(
      message_of(sycl::errc::invalid, [&] { make({view(memory, device), empty_view(memory, device)}); }),
      "two allocations"));
  sycl::free(memory, queue);
}

} // namespace
