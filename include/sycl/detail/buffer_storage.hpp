// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "sycl/detail/accessor_declarations.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Where a buffer's elements come from and where they go: containers, iterators, allocators, final
/// destinations. Host code only.

namespace sycl {

/// The allocator of buffers that are given none (SYCL 2020 §4.7.1). Buffers with this allocator or
/// std::allocator have Falx choose the memory, so that devices can reach it quickly.
template <typename T>
class buffer_allocator {
public:
  using value_type = T;

  constexpr buffer_allocator() noexcept = default;
  template <typename U>
  constexpr buffer_allocator(const buffer_allocator<U>&) noexcept {}

  T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  void deallocate(T* memory, std::size_t count) noexcept { std::allocator<T>().deallocate(memory, count); }

  friend constexpr bool operator==(const buffer_allocator&, const buffer_allocator&) noexcept { return true; }
  friend constexpr bool operator!=(const buffer_allocator&, const buffer_allocator&) noexcept {
    return false;
  }
};

namespace detail {

/// Stands where an overload would repeat another one.
struct no_such_argument;

template <class C>
using data_of_container = decltype(std::data(std::declval<C&>()));
template <class C>
using container_element = std::remove_const_t<std::remove_pointer_t<data_of_container<C>>>;

template <class C, class T, int D>
using if_container =
    std::enable_if_t<D == 1 && std::is_convertible_v<data_of_container<C>, const std::remove_const_t<T>*> &&
                     std::is_convertible_v<decltype(std::size(std::declval<C&>())), std::size_t>>;
template <class I>
using if_iterator = typename std::iterator_traits<I>::iterator_category;
template <class A>
using if_allocator = typename A::value_type;

template <class T, int D, class A>
using reinterpreted =
    buffer<T, D, typename std::allocator_traits<A>::template rebind_alloc<std::remove_const_t<T>>>;

template <class To, class From>
To rebind_allocator(const From& from) {
  if constexpr (std::is_constructible_v<To, const From&>)
    return To(from);
  else
    return To();
}

/// An empty shared_ptr makes a buffer without contents.
template <class T>
falx::host_data shared_data(const T* data) noexcept {
  if (data == nullptr)
    return falx::host_data::none;
  return std::is_const_v<T> ? falx::host_data::read_only : falx::host_data::shared;
}
template <class T>
std::shared_ptr<void> shared_storage(const std::shared_ptr<T>& pointer) {
  return {pointer, const_cast<void*>(static_cast<const volatile void*>(pointer.get()))};
}

/// Elements copied from iterators.
struct owned_elements {
  std::shared_ptr<void> owner;
  void* first;
  std::size_t count;
};

template <class T, class Iterator>
owned_elements copied_elements(Iterator first, Iterator last) {
  /// Keeps std::vector<bool> from packing bits.
  struct element {
    explicit element(const T& the_value) : value(the_value) {}
    std::remove_const_t<T> value;
  };
  auto elements = std::make_shared<std::vector<element>>();
  if constexpr (std::is_base_of_v<std::forward_iterator_tag,
                                  typename std::iterator_traits<Iterator>::iterator_category>)
    elements->reserve(static_cast<std::size_t>(std::distance(first, last)));
  for (; first != last; ++first)
    elements->emplace_back(static_cast<const T&>(*first));
  void* data = elements->data();
  const std::size_t count = elements->size();
  return {std::move(elements), data, count};
}

template <class A, class T>
class typed_host_allocator final : public falx::host_allocator {
public:
  explicit typed_host_allocator(const A& allocator) : allocator_(allocator) {}
  void* allocate(std::size_t bytes) override {
    return static_cast<void*>(std::allocator_traits<A>::allocate(allocator_, elements(bytes)));
  }
  void deallocate(void* memory, std::size_t bytes) noexcept override {
    std::allocator_traits<A>::deallocate(allocator_, static_cast<T*>(memory), elements(bytes));
  }

private:
  static std::size_t elements(std::size_t bytes) noexcept { return (bytes + sizeof(T) - 1) / sizeof(T); }
  A allocator_;
};

/// Null for allocators that leave the choice to Falx.
template <class T, class A>
std::unique_ptr<falx::host_allocator> make_host_allocator(const A& allocator) {
  using element = typename A::value_type;
  if constexpr (std::is_same_v<A, buffer_allocator<element>> || std::is_same_v<A, std::allocator<element>>)
    return nullptr;
  else
    return std::make_unique<typed_host_allocator<A, element>>(allocator);
}

/// Writes elements to an output iterator, of which pointers are a special case.
template <class T, class Iterator>
class iterator_destination final : public falx::final_destination {
public:
  iterator_destination(Iterator iterator, std::size_t base, std::size_t count)
      : iterator_(std::move(iterator)), base_(base), count_(count) {}
  bool exists() const noexcept override { return true; }
  void write(const void* elements) override {
    const T* element = reinterpret_cast<const T*>(static_cast<const char*>(elements) + base_);
    Iterator out = iterator_;
    for (std::size_t i = 0; i < count_; ++i, ++out)
      *out = element[i];
  }

private:
  Iterator iterator_;
  std::size_t base_, count_;
};

/// Writes elements to memory that others own, while they do.
template <class T, class U>
class weak_destination final : public falx::final_destination {
public:
  weak_destination(std::weak_ptr<U> pointer, std::size_t base, std::size_t count)
      : pointer_(std::move(pointer)), base_(base), count_(count) {}
  bool exists() const noexcept override { return !pointer_.expired(); }
  void write(const void* elements) override {
    if (const std::shared_ptr<U> pointer = pointer_.lock())
      iterator_destination<T, decltype(pointer.get())>(pointer.get(), base_, count_).write(elements);
  }

private:
  std::weak_ptr<U> pointer_;
  std::size_t base_, count_;
};

template <class T>
std::unique_ptr<falx::final_destination> make_final_destination(std::nullptr_t, std::size_t, std::size_t) {
  return nullptr;
}
template <class T, class U>
std::unique_ptr<falx::final_destination> make_final_destination(std::weak_ptr<U> pointer, std::size_t base,
                                                                std::size_t count) {
  return std::make_unique<weak_destination<T, U>>(std::move(pointer), base, count);
}
template <class T, class U>
std::unique_ptr<falx::final_destination> make_final_destination(std::shared_ptr<U> pointer, std::size_t base,
                                                                std::size_t count) {
  return make_final_destination<T>(std::weak_ptr<U>(pointer), base, count);
}
template <class T, class Iterator>
std::unique_ptr<falx::final_destination> make_final_destination(Iterator iterator, std::size_t base,
                                                                std::size_t count) {
  if constexpr (std::is_pointer_v<Iterator>)
    if (iterator == nullptr)
      return nullptr;
  return std::make_unique<iterator_destination<T, Iterator>>(std::move(iterator), base, count);
}

} // namespace detail
} // namespace sycl
