// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "falx/sizes.hpp"
#include "sycl/context.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/detail/accessor_request.hpp"
#include "sycl/detail/buffer_storage.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/device_copyable.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/acpp/buffer_allocation.hpp"
#include "sycl/ext/acpp/buffer_properties.hpp"
#include "sycl/ext/oneapi/memory_properties.hpp"
#include "sycl/id.hpp"
#include "sycl/property_list.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>
// std::mutex alone.
#if __has_include(<bits/std_mutex.h>)
#include <bits/std_mutex.h>
#else
#include <mutex>
#endif

namespace sycl {

/// Properties of buffers (SYCL 2020 §4.7.2.3).
namespace property::buffer {

/// The buffer lives in the memory that it was constructed with.
struct use_host_ptr : detail::property_base {};

/// The mutex is locked from before a command uses the buffer until the memory that it was constructed with
/// has what the command wrote, and while the destructor writes elsewhere. Do not wait for commands while
/// holding it.
class use_mutex : public detail::property_base {
public:
  use_mutex(std::mutex& mutexRef) noexcept : mutex_(&mutexRef) {}
  std::mutex* get_mutex_ptr() const noexcept { return mutex_; }

private:
  std::mutex* mutex_;
};

/// Command groups of other contexts may not use the buffer.
class context_bound : public detail::property_base {
public:
  context_bound(context boundContext) noexcept : context_(std::move(boundContext)) {}
  context get_context() const { return context_; }

private:
  context context_;
};

} // namespace property::buffer

template <typename T, int D, typename A>
struct is_property_of<property::buffer::use_host_ptr, buffer<T, D, A>> : std::true_type {};
template <typename T, int D, typename A>
struct is_property_of<property::buffer::use_mutex, buffer<T, D, A>> : std::true_type {};
template <typename T, int D, typename A>
struct is_property_of<property::buffer::context_bound, buffer<T, D, A>> : std::true_type {};

/// An array of one, two or three dimensions that kernels and the host reach through accessors (SYCL 2020
/// §4.7.2). Copies share the array. The default constructor, which makes a buffer without elements, is Falx's
/// extension.
template <typename T, int Dimensions, typename AllocatorT>
class buffer : public detail::owner_ordered<buffer<T, Dimensions, AllocatorT>> {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "a sycl::buffer has 1, 2 or 3 dimensions");
  /// `const T*` unless that is the same as `T*`, which has constructors of its own.
  using constant_pointer =
      std::conditional_t<std::is_const_v<T>, detail::no_such_argument, const std::remove_const_t<T>*>;
  using extent = range<Dimensions>;

public:
  using value_type = T;
  using reference = value_type&;
  using const_reference = const value_type&;
  using allocator_type = AllocatorT;

  buffer() : buffer(extent()) {}

  buffer(const extent& bufferRange, AllocatorT allocator, const property_list& propList = {})
      : buffer(bufferRange, std::move(allocator), propList, falx::host_data::none, nullptr, nullptr) {}
  buffer(const extent& bufferRange, const property_list& propList = {})
      : buffer(bufferRange, AllocatorT(), propList) {}

  buffer(T* hostData, const extent& bufferRange, AllocatorT allocator, const property_list& propList = {})
      : buffer(bufferRange, std::move(allocator), propList,
               std::is_const_v<T> ? falx::host_data::read_only : falx::host_data::writable, hostData,
               nullptr) {}
  buffer(T* hostData, const extent& bufferRange, const property_list& propList = {})
      : buffer(hostData, bufferRange, AllocatorT(), propList) {}

  // Templates, so that a literal nullptr, which is as good a const T* as a T*, chooses the constructors
  // above.
  template <int = 0>
  buffer(constant_pointer hostData, const extent& bufferRange, AllocatorT allocator,
         const property_list& propList = {})
      : buffer(bufferRange, std::move(allocator), propList, falx::host_data::read_only, hostData, nullptr) {}
  template <int = 0>
  buffer(constant_pointer hostData, const extent& bufferRange, const property_list& propList = {})
      : buffer(hostData, bufferRange, AllocatorT(), propList) {}

  /// Containers whose data is const are taken too (an extension): nothing is written back to them.
  template <typename Container, class = detail::if_container<Container, T, Dimensions>>
  buffer(Container& container, AllocatorT allocator, const property_list& propList = {})
      : buffer(extent(static_cast<std::size_t>(std::size(container))), std::move(allocator), propList,
               std::is_convertible_v<decltype(std::data(container)), std::remove_const_t<T>*>
                   ? falx::host_data::writable
                   : falx::host_data::read_only,
               std::data(container), nullptr) {}
  template <typename Container, class = detail::if_container<Container, T, Dimensions>>
  buffer(Container& container, const property_list& propList = {})
      : buffer(container, AllocatorT(), propList) {}

  buffer(const std::shared_ptr<T>& hostData, const extent& bufferRange, AllocatorT allocator,
         const property_list& propList = {})
      : buffer(bufferRange, std::move(allocator), propList, detail::shared_data<T>(hostData.get()),
               hostData.get(), detail::shared_storage(hostData)) {}
  buffer(const std::shared_ptr<T>& hostData, const extent& bufferRange, const property_list& propList = {})
      : buffer(hostData, bufferRange, AllocatorT(), propList) {}
  buffer(const std::shared_ptr<T[]>& hostData, const extent& bufferRange, AllocatorT allocator,
         const property_list& propList = {})
      : buffer(bufferRange, std::move(allocator), propList, detail::shared_data<T>(hostData.get()),
               hostData.get(), detail::shared_storage(hostData)) {}
  buffer(const std::shared_ptr<T[]>& hostData, const extent& bufferRange, const property_list& propList = {})
      : buffer(hostData, bufferRange, AllocatorT(), propList) {}

  template <typename InputIterator, class = detail::if_iterator<InputIterator>>
  buffer(InputIterator first, InputIterator last, AllocatorT allocator, const property_list& propList = {})
      : buffer(detail::copied_elements<T>(first, last), std::move(allocator), propList) {
    static_assert(Dimensions == 1, "a buffer made from iterators has one dimension");
  }
  template <typename InputIterator, class = detail::if_iterator<InputIterator>>
  buffer(InputIterator first, InputIterator last, const property_list& propList = {})
      : buffer(first, last, AllocatorT(), propList) {}

  /// AdaptiveCpp's ACPP_EXT_BUFFER_USM_INTEROP: on memory that is there already, at most one allocation per
  /// device. Nothing is written back elsewhere unless set_final_data says so; the destructor waits. Throw
  /// errc::invalid for null pointers, for two allocations of one device, and for memory to be owned that is
  /// not USM.
  buffer(const std::vector<buffer_allocation::tracked_descriptor<T>>& input_allocations, const extent& r,
         AllocatorT allocator, const property_list& prop_list = {})
      : buffer(r, std::move(allocator), prop_list, falx::host_data::none, nullptr, nullptr,
               detail::tracked_allocations(input_allocations)) {}
  buffer(const std::vector<buffer_allocation::tracked_descriptor<T>>& input_allocations, const extent& r,
         const property_list& prop_list = {})
      : buffer(input_allocations, r, AllocatorT(), prop_list) {}

  /// A sub-buffer. Throws errc::invalid if \p b is one, if the box is not in it or is not contiguous.
  buffer(buffer& b, const id<Dimensions>& baseIndex, const extent& subRange)
      : range_(subRange), allocator_(b.allocator_), properties_(b.properties_), is_sub_buffer_(true) {
    if (b.is_sub_buffer_)
      throw exception(make_error_code(errc::invalid),
                      "sycl::buffer: a sub-buffer cannot be made from a sub-buffer; make it from the parent");
    falx::check_sub_buffer(detail::extent_of(b.range_), detail::offset_of(baseIndex),
                           detail::extent_of(subRange));
    base_ = b.base_ + detail::linearize(baseIndex, b.range_) * sizeof(T);
    state_ = b.state_;
  }

  range<Dimensions> get_range() const { return range_; }
  std::size_t size() const noexcept { return range_.size(); }
  std::size_t byte_size() const noexcept { return range_.size() * sizeof(T); }
  /// Deprecated.
  std::size_t get_count() const { return size(); }
  /// Deprecated.
  std::size_t get_size() const { return byte_size(); }
  AllocatorT get_allocator() const { return allocator_; }
  bool is_sub_buffer() const { return is_sub_buffer_; }

  template <access_mode Mode = access_mode::read_write, target Targ = target::device>
  accessor<T, Dimensions, Mode, Targ,
           detail::variant_for<accessor_variant::unranged, detail::variant_deduction>>
  get_access(handler& commandGroupHandler) {
    static_assert(Targ == target::device || Targ == target::constant_buffer || Targ == target::host_task,
                  "accessors of a command group have target device, host_task or constant_buffer");
    return {*this, commandGroupHandler};
  }
  template <access_mode Mode = access_mode::read_write, target Targ = target::device>
  accessor<T, Dimensions, Mode, Targ,
           detail::variant_for<accessor_variant::ranged, detail::variant_deduction>>
  get_access(handler& commandGroupHandler, range<Dimensions> accessRange, id<Dimensions> accessOffset = {}) {
    static_assert(Targ == target::device || Targ == target::constant_buffer || Targ == target::host_task,
                  "accessors of a command group have target device, host_task or constant_buffer");
    return {*this, commandGroupHandler, accessRange, accessOffset};
  }
  /// Deprecated: get_host_access does the same.
  template <access_mode Mode>
  accessor<T, Dimensions, Mode, target::host_buffer, access::placeholder::false_t> get_access() {
    return {*this};
  }
  /// Deprecated: get_host_access does the same.
  template <access_mode Mode>
  accessor<T, Dimensions, Mode, target::host_buffer, access::placeholder::false_t>
  get_access(range<Dimensions> accessRange, id<Dimensions> accessOffset = {}) {
    return {*this, accessRange, accessOffset};
  }
  /// As accessor's constructor with the buffer as first argument.
  template <typename... Ts>
  auto get_access(Ts&&... arguments) {
    return accessor(*this, std::forward<Ts>(arguments)...);
  }
  template <typename... Ts>
  auto get_host_access(Ts&&... arguments) {
    return host_accessor(*this, std::forward<Ts>(arguments)...);
  }
  /// Not in SYCL 2020, but in DPC++: an accessor for the command group's host task.
  template <typename... Ts>
  auto get_host_access(handler& commandGroupHandler, Ts... arguments) {
    if constexpr ((detail::is_access_tag<Ts> || ...))
      return accessor(*this, commandGroupHandler, detail::for_host_task(arguments)...);
    else
      return accessor<T, Dimensions, detail::default_mode<T>, target::host_task>(*this, commandGroupHandler,
                                                                                 arguments...);
  }

  /// Where the contents go when the buffer is destroyed: an output iterator, a pointer, a weak_ptr or
  /// shared_ptr, or nullptr for nowhere.
  template <typename Destination = std::nullptr_t>
  void set_final_data(Destination finalData = nullptr) {
    falx::set_final_destination(
        *state_, detail::make_final_destination<std::remove_const_t<T>>(std::move(finalData), base_, size()));
  }
  void set_write_back(bool flag = true) { falx::set_write_back(*state_, flag); }

  /// Throws errc::invalid if the sizes in bytes differ.
  template <typename ReinterpretT, int ReinterpretDim>
  auto reinterpret(range<ReinterpretDim> reinterpretRange) const {
    using result = detail::reinterpreted<ReinterpretT, ReinterpretDim, AllocatorT>;
    if (falx::checked_bytes("sycl::buffer::reinterpret", detail::extent_of(reinterpretRange),
                            sizeof(ReinterpretT)) != byte_size())
      throw exception(make_error_code(errc::invalid),
                      "sycl::buffer::reinterpret: the new range has another size "
                      "in bytes than the buffer");
    return result(*this, reinterpretRange);
  }
  /// Throws errc::invalid if the buffer is not a whole number of \p ReinterpretT.
  template <typename ReinterpretT, int ReinterpretDim = Dimensions>
  auto reinterpret() const {
    static_assert(
        ReinterpretDim == 1 || (ReinterpretDim == Dimensions && sizeof(ReinterpretT) == sizeof(T)),
        "buffer::reinterpret needs a range unless the result has one dimension, or the same dimensions "
        "and element size");
    using result = detail::reinterpreted<ReinterpretT, ReinterpretDim, AllocatorT>;
    if (byte_size() % sizeof(ReinterpretT) != 0)
      throw exception(make_error_code(errc::invalid),
                      "sycl::buffer::reinterpret: the buffer's size in bytes is not "
                      "a multiple of the new element's");
    if constexpr (ReinterpretDim == 1)
      return result(*this, range<1>(byte_size() / sizeof(ReinterpretT)));
    else
      return result(*this, range_);
  }

  // AdaptiveCpp's ACPP_EXT_BUFFER_USM_INTEROP. The pointers are USM while the buffer lives, and after it if
  // the buffer does not own them. Their users take care of the order with commands. Memory appears
  // when the buffer is first used on a device; of a sub-buffer, pointers are to its first element.

  /// Calls \p h with a buffer_allocation::descriptor of each allocation.
  template <class Handler>
  void for_each_allocation(Handler&& h) const {
    visit_allocations([&](const falx::buffer_allocation& each) { h(described(each)); });
  }
  /// Null if there is none for \p dev.
  T* get_pointer(const device& dev) const {
    const falx::buffer_allocation found = find_allocation(dev);
    return found.pointer == nullptr ? nullptr : described(found).ptr;
  }
  bool has_allocation(const device& dev) const { return find_allocation(dev).pointer != nullptr; }
  /// These throw errc::invalid if there is no such allocation, as do the functions below.
  buffer_allocation::descriptor<T> get_allocation(const device& dev) const {
    return described(existing(find_allocation(dev)));
  }
  buffer_allocation::descriptor<T> get_allocation(const T* ptr) const {
    return described(existing(find_allocation(ptr)));
  }
  /// The buffer frees the allocation at its end. Also throws if it is not USM.
  void own_allocation(const device& dev) { set_owned(existing(find_allocation(dev)), true); }
  void own_allocation(const T* ptr) { set_owned(existing(find_allocation(ptr)), true); }
  /// The buffer does not free the allocation. What it allocated itself, the user then frees: with sycl::free
  /// and a queue of the device in its default context, or of the buffer's if it is context_bound.
  void disown_allocation(const device& dev) { set_owned(existing(find_allocation(dev)), false); }
  void disown_allocation(const T* ptr) { set_owned(existing(find_allocation(ptr)), false); }

  template <typename Property>
  bool has_property() const noexcept {
    return properties_.template has_property<Property>();
  }
  /// Throws errc::invalid if the buffer was constructed without the property.
  template <typename Property>
  Property get_property() const {
    return properties_.template get_property<Property>();
  }

  friend bool operator==(const buffer& a, const buffer& b) noexcept {
    return a.state_ == b.state_ && a.base_ == b.base_ && a.range_ == b.range_ &&
           a.is_sub_buffer_ == b.is_sub_buffer_;
  }
  friend bool operator!=(const buffer& a, const buffer& b) noexcept { return !(a == b); }

private:
  friend struct detail::internals;
  friend struct detail::buffer_parts;
  template <typename, int, typename>
  friend class buffer;

  buffer(const extent& bufferRange, AllocatorT allocator, const property_list& properties,
         falx::host_data initial, const volatile void* data, std::shared_ptr<void> owner,
         const std::vector<falx::buffer_allocation>& allocations = {})
      : range_(bufferRange), allocator_(std::move(allocator)), properties_(properties) {
    // Not of the class, so that T may be incomplete where a buffer is only named. A copy constructor alone
    // does no harm: what has no destructor does not own anything.
    static_assert(
        is_device_copyable_v<T> || std::is_trivially_destructible_v<T>,
        "the elements of a sycl::buffer are device copyable (SYCL 2020 §3.13.1): copies of their bytes "
        "are used and nobody destroys them; specialize sycl::is_device_copyable if that is fine");
    const std::size_t bytes = falx::checked_bytes("sycl::buffer", detail::extent_of(bufferRange), sizeof(T));
    falx::buffer_description description;
    description.range = detail::extent_of(bufferRange);
    description.element_size = sizeof(T);
    description.element_alignment = alignof(T);
    description.initial = initial;
    description.is_constant = std::is_const_v<T>;
    description.data = const_cast<void*>(data);
    if (owner != nullptr)
      description.data_owner = falx::make_user_object<detail::shared_data_owner>(std::move(owner));
    if (data != nullptr && owner == nullptr &&
        properties.has_property<ext::oneapi::property::buffer::use_pinned_host_memory>())
      throw exception(errc::invalid,
                      "sycl::buffer: property use_pinned_host_memory is for buffers that allocate "
                      "their own host memory; make the buffer without a pointer");
    description.use_host_pointer = properties.has_property<property::buffer::use_host_ptr>();
    if (properties.has_property<property::buffer::use_mutex>())
      description.mutex = properties.get_property<property::buffer::use_mutex>().get_mutex_ptr();
    if (properties.has_property<property::buffer::context_bound>())
      bind_to(properties.get_property<property::buffer::context_bound>().get_context(), description);
    description.allocator = detail::make_host_allocator<std::remove_const_t<T>>(allocator_);
    description.allocations = allocations.data();
    description.allocation_count = allocations.size();
    using page = property::buffer::AdaptiveCpp_page_size<Dimensions>;
    if (properties.has_property<page>())
      description.page = detail::page_extent(properties.get_property<page>().get_page_size());
    falx::final_destination destination =
        detail::apply_policies(description, properties, bytes, [&](void* memory) {
          return detail::make_final_destination<std::remove_const_t<T>>(
              static_cast<std::remove_const_t<T>*>(memory), 0, bufferRange.size());
        });
    state_ = falx::make_buffer(std::move(description));
    if (destination)
      falx::set_final_destination(*state_, std::move(destination));
  }

  /// As the user of this (sub-)buffer sees it.
  buffer_allocation::descriptor<T> described(const falx::buffer_allocation& allocation) const {
    return {reinterpret_cast<T*>(static_cast<char*>(allocation.pointer) + base_),
            detail::internals::make<device>(falx::handle<falx::device_state>::share(allocation.device)),
            allocation.is_owned};
  }
  template <class Visitor>
  void visit_allocations(Visitor&& visitor) const {
    using type = std::remove_reference_t<Visitor>;
    falx::visit_allocations(
        falx::state_of(*state_),
        [](void* data, const falx::buffer_allocation& each) { (*static_cast<type*>(data))(each); }, &visitor);
  }
  falx::buffer_allocation find_allocation(const device& dev) const {
    falx::buffer_allocation found;
    visit_allocations([&](const falx::buffer_allocation& each) {
      if (found.pointer == nullptr && falx::is_allocation_of(each, *detail::internals::state(dev)))
        found = each;
    });
    return found;
  }
  falx::buffer_allocation find_allocation(const T* ptr) const {
    falx::buffer_allocation found;
    visit_allocations([&](const falx::buffer_allocation& each) {
      if (found.pointer == nullptr && described(each).ptr == ptr)
        found = each;
    });
    return found;
  }
  static const falx::buffer_allocation& existing(const falx::buffer_allocation& found) {
    if (found.pointer == nullptr)
      throw exception(make_error_code(errc::invalid),
                      "sycl::buffer: the buffer has no such allocation; use it on the device first "
                      "(handler::update does), and pass a pointer that get_pointer gave");
    return found;
  }
  void set_owned(const falx::buffer_allocation& allocation, bool is_owned) {
    falx::set_owned(falx::state_of(*state_), allocation.pointer, is_owned);
  }

  buffer(const detail::owned_elements& elements, AllocatorT allocator, const property_list& properties)
      : buffer(extent(elements.count), std::move(allocator), properties, falx::host_data::owned,
               elements.first, elements.owner) {}

  static void bind_to(const context& bound, falx::buffer_description& description) {
    description.context = detail::internals::state(bound).get();
  }

  /// A reinterpretation.
  template <class U, int D, class A>
  buffer(const buffer<U, D, A>& other, const extent& newRange)
      : state_(other.state_), range_(newRange), base_(other.base_),
        allocator_(detail::rebind_allocator<AllocatorT>(other.allocator_)), properties_(other.properties_),
        is_sub_buffer_(other.is_sub_buffer_) {}

  falx::handle<falx::buffer_owner> state_;
  extent range_;
  /// Where a sub-buffer starts in its parent, in bytes.
  std::size_t base_ = 0;
  AllocatorT allocator_;
  property_list properties_;
  bool is_sub_buffer_ = false;
};

template <typename InputIterator, typename AllocatorT, class = detail::if_iterator<InputIterator>,
          class = detail::if_allocator<AllocatorT>>
buffer(InputIterator, InputIterator, AllocatorT, const property_list& = {})
    -> buffer<typename std::iterator_traits<InputIterator>::value_type, 1, AllocatorT>;
template <typename InputIterator, class = detail::if_iterator<InputIterator>>
buffer(InputIterator, InputIterator, const property_list& = {})
    -> buffer<typename std::iterator_traits<InputIterator>::value_type, 1>;
template <typename T, int Dimensions, typename AllocatorT, class = detail::if_allocator<AllocatorT>>
buffer(const T*, const range<Dimensions>&, AllocatorT, const property_list& = {})
    -> buffer<T, Dimensions, AllocatorT>;
template <typename T, int Dimensions>
buffer(const T*, const range<Dimensions>&, const property_list& = {}) -> buffer<T, Dimensions>;
template <typename T, int Dimensions, typename AllocatorT, class = detail::if_allocator<AllocatorT>>
buffer(const std::shared_ptr<T>&, const range<Dimensions>&, AllocatorT, const property_list& = {})
    -> buffer<std::remove_extent_t<T>, Dimensions, AllocatorT>;
template <typename T, int Dimensions>
buffer(const std::shared_ptr<T>&, const range<Dimensions>&, const property_list& = {})
    -> buffer<std::remove_extent_t<T>, Dimensions>;
template <typename Container, typename AllocatorT, class = detail::if_allocator<AllocatorT>>
buffer(Container&, AllocatorT, const property_list& = {})
    -> buffer<detail::container_element<Container>, 1, AllocatorT>;
template <typename Container>
buffer(Container&, const property_list& = {}) -> buffer<detail::container_element<Container>, 1>;

} // namespace sycl

template <typename T, int Dimensions, typename AllocatorT>
struct std::hash<sycl::buffer<T, Dimensions, AllocatorT>> {
  std::size_t operator()(const sycl::buffer<T, Dimensions, AllocatorT>& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};

// What get_access and get_host_access return.
#include "sycl/accessor.hpp"
#include "sycl/host_accessor.hpp"
