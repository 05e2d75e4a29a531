// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/detail/accessor_geometry.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/acpp/buffer_allocation.hpp"
#include "sycl/ext/acpp/buffer_properties.hpp"
#include "sycl/property_list.hpp"

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

/// Bytes with an alignment.
inline std::shared_ptr<void> copied_bytes(const void* source, std::size_t bytes, std::size_t alignment) {
  const auto aligned = std::align_val_t(alignment < 128 ? 128 : alignment);
  void* const copy = ::operator new(bytes, aligned);
  __builtin_memcpy(copy, source, bytes);
  return {copy, [aligned](void* memory) { ::operator delete(memory, aligned); }};
}

/// A buffer's share of what keeps its memory alive.
class shared_data_owner {
public:
  explicit shared_data_owner(std::shared_ptr<void> owner) : owner_(std::move(owner)) {}
  static const falx::data_owner_functions& functions() noexcept {
    static constexpr falx::data_owner_functions FUNCTIONS{
        falx::destroy_user_object<shared_data_owner>, [](const void* self) noexcept {
          return static_cast<const shared_data_owner*>(self)->owner_.use_count() > 1;
        }};
    return FUNCTIONS;
  }

private:
  std::shared_ptr<void> owner_;
};

template <class A, class T>
class typed_host_allocator {
public:
  explicit typed_host_allocator(const A& allocator) : allocator_(allocator) {}
  void* allocate(std::size_t bytes) {
    return static_cast<void*>(std::allocator_traits<A>::allocate(allocator_, elements(bytes)));
  }
  void deallocate(void* memory, std::size_t bytes) noexcept {
    std::allocator_traits<A>::deallocate(allocator_, static_cast<T*>(memory), elements(bytes));
  }
  static const falx::host_allocator_functions& functions() noexcept {
    static constexpr falx::host_allocator_functions FUNCTIONS{
        falx::destroy_user_object<typed_host_allocator>,
        [](void* self, std::size_t bytes) {
          return static_cast<typed_host_allocator*>(self)->allocate(bytes);
        },
        [](void* self, void* memory, std::size_t bytes) noexcept {
          static_cast<typed_host_allocator*>(self)->deallocate(memory, bytes);
        }};
    return FUNCTIONS;
  }

private:
  static std::size_t elements(std::size_t bytes) noexcept { return (bytes + sizeof(T) - 1) / sizeof(T); }
  A allocator_;
};

/// Null for allocators that leave the choice to Falx.
template <class T, class A>
falx::host_allocator make_host_allocator(const A& allocator) {
  using element = typename A::value_type;
  if constexpr (std::is_same_v<A, buffer_allocator<element>> || std::is_same_v<A, std::allocator<element>>)
    return nullptr;
  else
    return falx::make_user_object<typed_host_allocator<A, element>>(allocator);
}

/// Of a class with the members exists and write.
template <class Destination>
const falx::final_destination_functions& final_destination_functions_of() noexcept {
  static constexpr falx::final_destination_functions FUNCTIONS{
      falx::destroy_user_object<Destination>,
      [](const void* self) noexcept { return static_cast<const Destination*>(self)->exists(); },
      [](void* self, const void* elements) { static_cast<Destination*>(self)->write(elements); }};
  return FUNCTIONS;
}

/// Whether elements go to what an output iterator refers to as bytes: to a T, which need not be assignable,
/// since a copy of a device copyable type is one of its bytes (SYCL 2020 §3.13.1).
template <class T, class Reference>
inline constexpr bool is_written_as_bytes = std::is_same_v<Reference, T&>;

/// Writes elements to an output iterator, of which pointers are a special case.
template <class T, class Iterator>
class iterator_destination {
public:
  iterator_destination(Iterator iterator, std::size_t base, std::size_t count)
      : iterator_(std::move(iterator)), base_(base), count_(count) {}
  bool exists() const noexcept { return true; }
  void write(const void* elements) {
    const T* element = reinterpret_cast<const T*>(static_cast<const char*>(elements) + base_);
    if constexpr (std::is_same_v<Iterator, T*>) {
      __builtin_memcpy(static_cast<void*>(iterator_), element, count_ * sizeof(T));
    } else {
      Iterator out = iterator_;
      for (std::size_t i = 0; i < count_; ++i, ++out)
        if constexpr (is_written_as_bytes<T, decltype(*out)>)
          __builtin_memcpy(static_cast<void*>(std::addressof(*out)), &element[i], sizeof(T));
        else
          *out = element[i];
    }
  }

  static const falx::final_destination_functions& functions() noexcept {
    return final_destination_functions_of<iterator_destination>();
  }

private:
  Iterator iterator_;
  std::size_t base_, count_;
};

/// Where the elements of type T begin that a U holds: at the U, which is the first of them (a void is a T),
/// or in it, if it is a container.
template <class T, class U, class = void>
struct destination_within {
  using pointer = std::conditional_t<std::is_void_v<U>, T, std::remove_extent_t<U>>*;
  template <class P>
  static pointer begin(P* first) {
    return static_cast<pointer>(first);
  }
};
template <class T, class U>
struct destination_within<
    T, U,
    std::enable_if_t<!std::is_same_v<U, T> && !std::is_assignable_v<U&, const T&> && !std::is_array_v<U> &&
                     (is_written_as_bytes<T, decltype(*std::begin(std::declval<U&>()))> ||
                      std::is_assignable_v<decltype(*std::begin(std::declval<U&>())), const T&>)>> {
  static auto begin(U* container) { return std::begin(*container); }
};

/// Writes elements to memory that others own, while they do.
template <class T, class U>
class weak_destination {

public:
  weak_destination(std::weak_ptr<U> pointer, std::size_t base, std::size_t count)
      : pointer_(std::move(pointer)), base_(base), count_(count) {}
  bool exists() const noexcept { return !pointer_.expired(); }
  void write(const void* elements) {
    if (const std::shared_ptr<U> pointer = pointer_.lock()) {
      auto begin = destination_within<T, U>::begin(pointer.get());
      iterator_destination<T, decltype(begin)>(begin, base_, count_).write(elements);
    }
  }

  static const falx::final_destination_functions& functions() noexcept {
    return final_destination_functions_of<weak_destination>();
  }

private:
  std::weak_ptr<U> pointer_;
  std::size_t base_, count_;
};

template <class T>
falx::final_destination make_final_destination(std::nullptr_t, std::size_t, std::size_t) {
  return nullptr;
}
template <class T, class U>
falx::final_destination make_final_destination(std::weak_ptr<U> pointer, std::size_t base,
                                               std::size_t count) {
  return falx::make_user_object<weak_destination<T, U>>(std::move(pointer), base, count);
}
template <class T, class U>
falx::final_destination make_final_destination(std::shared_ptr<U> pointer, std::size_t base,
                                               std::size_t count) {
  return make_final_destination<T>(std::weak_ptr<U>(pointer), base, count);
}
template <class T, class Iterator>
falx::final_destination make_final_destination(Iterator iterator, std::size_t base, std::size_t count) {
  if constexpr (std::is_pointer_v<Iterator>)
    if (iterator == nullptr)
      return nullptr;
  return falx::make_user_object<iterator_destination<T, Iterator>>(std::move(iterator), base, count);
}

template <class T>
std::vector<falx::buffer_allocation>
tracked_allocations(const std::vector<sycl::buffer_allocation::tracked_descriptor<T>>& given) {
  std::vector<falx::buffer_allocation> result;
  for (const sycl::buffer_allocation::tracked_descriptor<T>& each : given)
    result.push_back({const_cast<std::remove_const_t<T>*>(each.desc.ptr),
                      internals::state(each.desc.dev).get(), each.desc.is_owned, each.is_recent});
  return result;
}

template <int D>
falx::extent3 page_extent(const range<D>& page) {
  const falx::extent3 extent = extent_of(page);
  if (extent.x == 0 || extent.y == 0 || extent.z == 0)
    throw exception(
        make_error_code(errc::invalid),
        "sycl::buffer: property AdaptiveCpp_page_size has an extent of 0; pages have at least one "
        "element in every dimension");
  return extent;
}

/// AdaptiveCpp's explicit buffer policies. Copies the contents if the buffer is to have its own memory; what
/// is then to be written back goes to the destination that \p make_destination makes of an address.
template <class MakeDestination>
falx::final_destination apply_policies(falx::buffer_description& description, const property_list& properties,
                                       std::size_t bytes, const MakeDestination& make_destination) {
  namespace policies = property::buffer;
  using writes_back = policies::AdaptiveCpp_buffer_writes_back;
  using destructor_blocks = policies::AdaptiveCpp_buffer_destructor_blocks;
  using external_storage = policies::AdaptiveCpp_buffer_uses_external_storage;
  const auto on_or_off = [](bool is_on) { return is_on ? falx::policy::on : falx::policy::off; };
  if (properties.has_property<writes_back>())
    description.writes_back = on_or_off(properties.get_property<writes_back>().is_on());
  if (properties.has_property<destructor_blocks>())
    description.destructor_blocks = on_or_off(properties.get_property<destructor_blocks>().is_on());
  const bool is_given = description.initial == falx::host_data::read_only ||
                        description.initial == falx::host_data::writable ||
                        description.initial == falx::host_data::shared;
  if (description.writes_back == falx::policy::on && description.initial != falx::host_data::writable &&
      description.initial != falx::host_data::shared)
    throw exception(
        make_error_code(errc::invalid),
        "sycl::buffer: property AdaptiveCpp_buffer_writes_back is on, but the buffer was given no "
        "memory that may be written to; construct it with a pointer to non-const elements");
  if (!is_given || !properties.has_property<external_storage>())
    return nullptr;
  if (properties.get_property<external_storage>().is_on()) {
    description.use_host_pointer = true;
    return nullptr;
  }
  if (description.destructor_blocks == falx::policy::as_specified)
    description.destructor_blocks = on_or_off(description.initial != falx::host_data::shared);
  const bool is_final =
      description.initial != falx::host_data::read_only && description.writes_back != falx::policy::off;
  void* const given = std::exchange(description.data, nullptr);
  std::shared_ptr<void> copy = copied_bytes(given, bytes, description.element_alignment);
  description.data = copy.get();
  description.data_owner = falx::make_user_object<shared_data_owner>(std::move(copy));
  description.initial = falx::host_data::owned;
  return is_final ? make_destination(given) : nullptr;
}

} // namespace detail
} // namespace sycl
