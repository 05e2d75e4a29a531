// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"
#include "sycl/buffer.hpp"
#include "sycl/detail/accessor_core.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/detail/accessor_geometry.hpp"
#include "sycl/detail/accessor_iterator.hpp"
#include "sycl/detail/accessor_request.hpp"
#include "sycl/detail/accessor_subscript.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/ext/oneapi/accessor_property_list.hpp"
#include "sycl/handler.hpp"
#include "sycl/host_accessor.hpp"
#include "sycl/local_accessor.hpp"
#include "sycl/multi_ptr.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace sycl {

/// Access to a buffer from within a command: target::device for kernels, target::host_task for host tasks
/// (SYCL 2020 §4.7.6.9); target::constant_buffer, deprecated, is target::device for reading. Bytes of an
/// accessor go to the device as they are.
template <typename DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
          access::placeholder IsPlaceholder, typename PropertyListT>
class accessor
    : public detail::owner_ordered<accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder>> {
  static_assert(!std::is_const_v<DataT> || AccessMode == access_mode::read,
                "an accessor of a const type has access_mode::read");
  static_assert(AccessTarget == target::device || AccessTarget == target::host_task ||
                    AccessTarget == target::constant_buffer,
                "images have accessors of their own");
  static_assert(AccessTarget != target::constant_buffer || AccessMode == access_mode::read,
                "an accessor with target::constant_buffer has access_mode::read");
  static constexpr bool is_atomic = AccessMode == access_mode::atomic;
  static constexpr int buffer_dimensions = detail::buffer_dimensions(Dimensions);
  static constexpr access::address_space space = AccessTarget == target::constant_buffer
                                                     ? access::address_space::constant_space
                                                     : access::address_space::global_space;
  static constexpr bool is_compact = detail::is_compact(IsPlaceholder);
  static constexpr bool is_unranged = detail::is_unranged(IsPlaceholder);
  using core = std::conditional_t<is_compact, falx::compact_accessor_core, falx::accessor_core>;
  using geometry = std::conditional_t<is_unranged, detail::unranged_geometry<Dimensions>,
                                      detail::accessor_geometry<Dimensions>>;
  using element = detail::accessor_element<detail::accessed<DataT, AccessMode>, AccessMode, space>;
  using extent = range<buffer_dimensions>;
  using position = id<buffer_dimensions>;
  template <class T, int BufferDimensions>
  using if_buffer =
      std::enable_if_t<BufferDimensions == buffer_dimensions && detail::may_access_v<T, DataT, AccessMode>,
                       int>;
  template <class T, int BufferDimensions>
  using if_ranged_buffer = std::enable_if_t<
      BufferDimensions == Dimensions && !is_unranged && detail::may_access_v<T, DataT, AccessMode>, int>;
  template <class T, int BufferDimensions>
  using if_placeholder = std::enable_if_t<!is_compact, if_buffer<T, BufferDimensions>>;
  template <class T, int BufferDimensions>
  using if_ranged_placeholder = std::enable_if_t<!is_compact, if_ranged_buffer<T, BufferDimensions>>;
  /// The tag must agree with the type: it is there to deduce it.
  template <class Tag>
  using if_tag = std::enable_if_t<
      detail::access_tag<Tag>::mode == AccessMode && detail::access_tag<Tag>::target == AccessTarget, int>;

public:
  using value_type = detail::accessed<DataT, AccessMode>;
  using reference = value_type&;
  using const_reference = const DataT&;
  template <access::decorated IsDecorated>
  using accessor_ptr = multi_ptr<value_type, space, IsDecorated>;
  using iterator = detail::accessor_iterator_t<value_type, Dimensions>;
  using const_iterator = detail::accessor_iterator_t<const value_type, Dimensions>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = typename std::iterator_traits<iterator>::difference_type;
  using size_type = std::size_t;

  /// An accessor that reaches nothing. Host and device.
  accessor() noexcept = default;

  // Placeholders: without a handler.
  template <typename T, int D, typename A, if_placeholder<T, D> = 0>
  accessor(buffer<T, D, A>& b, const property_list& propList = {})
      : accessor(b, nullptr, detail::default_access_range<Dimensions>(b), {}, propList) {}
  template <typename T, int D, typename A, typename Tag, if_placeholder<T, D> = 0, if_tag<Tag> = 0>
  accessor(buffer<T, D, A>& b, Tag, const property_list& propList = {}) : accessor(b, propList) {}
  template <typename T, int D, typename A, if_ranged_placeholder<T, D> = 0>
  accessor(buffer<T, D, A>& b, extent accessRange, const property_list& propList = {})
      : accessor(b, nullptr, accessRange, {}, propList) {}
  template <typename T, int D, typename A, typename Tag, if_ranged_placeholder<T, D> = 0, if_tag<Tag> = 0>
  accessor(buffer<T, D, A>& b, extent accessRange, Tag, const property_list& propList = {})
      : accessor(b, nullptr, accessRange, {}, propList) {}
  template <typename T, int D, typename A, if_ranged_placeholder<T, D> = 0>
  accessor(buffer<T, D, A>& b, extent accessRange, position accessOffset, const property_list& propList = {})
      : accessor(b, nullptr, accessRange, accessOffset, propList) {}
  template <typename T, int D, typename A, typename Tag, if_ranged_placeholder<T, D> = 0, if_tag<Tag> = 0>
  accessor(buffer<T, D, A>& b, extent accessRange, position accessOffset, Tag,
           const property_list& propList = {})
      : accessor(b, nullptr, accessRange, accessOffset, propList) {}

  // Accessors of a command group.
  template <typename T, int D, typename A, if_buffer<T, D> = 0>
  accessor(buffer<T, D, A>& b, handler& group, const property_list& propList = {})
      : accessor(b, &group, detail::default_access_range<Dimensions>(b), {}, propList) {}
  template <typename T, int D, typename A, typename Tag, if_buffer<T, D> = 0, if_tag<Tag> = 0>
  accessor(buffer<T, D, A>& b, handler& group, Tag, const property_list& propList = {})
      : accessor(b, group, propList) {}
  template <typename T, int D, typename A, if_ranged_buffer<T, D> = 0>
  accessor(buffer<T, D, A>& b, handler& group, extent accessRange, const property_list& propList = {})
      : accessor(b, &group, accessRange, {}, propList) {}
  template <typename T, int D, typename A, typename Tag, if_ranged_buffer<T, D> = 0, if_tag<Tag> = 0>
  accessor(buffer<T, D, A>& b, handler& group, extent accessRange, Tag, const property_list& propList = {})
      : accessor(b, &group, accessRange, {}, propList) {}
  template <typename T, int D, typename A, if_ranged_buffer<T, D> = 0>
  accessor(buffer<T, D, A>& b, handler& group, extent accessRange, position accessOffset,
           const property_list& propList = {})
      : accessor(b, &group, accessRange, accessOffset, propList) {}
  template <typename T, int D, typename A, typename Tag, if_ranged_buffer<T, D> = 0, if_tag<Tag> = 0>
  accessor(buffer<T, D, A>& b, handler& group, extent accessRange, position accessOffset, Tag,
           const property_list& propList = {})
      : accessor(b, &group, accessRange, accessOffset, propList) {}

  /// From an accessor that can do more (SYCL 2020 §4.7.6.9.3), or that knows as much in another size.
  template <typename T, access_mode Mode, access::placeholder P,
            std::enable_if_t<detail::variant_converts_v<T, Mode, P, DataT, AccessMode, IsPlaceholder> &&
                                 !std::is_same_v<accessor<T, Dimensions, Mode, AccessTarget, P>, accessor>,
                             int> = 0>
  accessor(const accessor<T, Dimensions, Mode, AccessTarget, P>& other) noexcept
      : state_(detail::converted_core<core, AccessTarget>(other.state_)),
        geometry_(converted(other.geometry_)) {}

  void swap(accessor& other) {
    const accessor mine = *this;
    *this = other;
    other = mine;
  }

  bool is_placeholder() const {
    if constexpr (is_compact)
      return false;
    else
      return (state_.requirement & falx::PLACEHOLDER_REQUIREMENT) != 0;
  }
  size_type byte_size() const noexcept { return size() * sizeof(DataT); }
  size_type size() const noexcept { return geometry_.size(); }
  /// Deprecated.
  size_type max_size() const noexcept { return static_cast<size_type>(PTRDIFF_MAX) / sizeof(DataT); }
  /// Deprecated.
  std::size_t get_size() const noexcept { return byte_size(); }
  /// Deprecated.
  std::size_t get_count() const noexcept { return size(); }
  bool empty() const noexcept { return size() == 0; }

  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  range<D> get_range() const noexcept {
    return geometry_.extent();
  }
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  id<D> get_offset() const noexcept {
    return geometry_.offset();
  }

  // What follows gives references, or, with access_mode::atomic (deprecated), a sycl::atomic.
  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  operator typename element::type() const {
    return element::at(data());
  }
  template <int D = Dimensions,
            std::enable_if_t<D == 0 && !is_atomic && AccessMode != access_mode::read, int> = 0>
  const accessor& operator=(const value_type& other) const {
    *data() = other;
    return *this;
  }
  template <int D = Dimensions,
            std::enable_if_t<D == 0 && !is_atomic && AccessMode != access_mode::read, int> = 0>
  const accessor& operator=(value_type&& other) const {
    *data() = static_cast<value_type&&>(other);
    return *this;
  }
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  typename element::type operator[](position index) const noexcept {
    return element::at(data() + geometry_.linear(index));
  }
  /// An item converts both to an id and, in one dimension, to a number; here is the choice.
  template <bool WithOffset, int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  typename element::type operator[](const item<buffer_dimensions, WithOffset>& index) const noexcept {
    return element::at(data() + geometry_.linear(index.get_id()));
  }
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  typename element::type operator[](std::size_t index) const noexcept {
    return element::at(data() + geometry_.linear(id<1>(index)));
  }
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  detail::accessor_subscript<value_type, element, D - 1> operator[](std::size_t index) const noexcept {
    return {data() + geometry_.first() + index * geometry_.outer_stride(), geometry_.row_length()};
  }

  /// The start of the buffer, whatever the accessor's offset. For target::device deprecated.
  auto get_pointer() const noexcept {
    if constexpr (AccessTarget == target::host_task)
      return data();
    else if constexpr (AccessTarget == target::constant_buffer)
      // Though read only, the interface of SYCL 1.2.1 has no const here.
      return constant_ptr<DataT>(const_cast<DataT*>(data()));
    else
      return accessor_ptr<access::decorated::legacy>(data());
  }
  template <access::decorated IsDecorated, target Target = AccessTarget,
            std::enable_if_t<Target != target::host_task, int> = 0>
  accessor_ptr<IsDecorated> get_multi_ptr() const noexcept {
    return accessor_ptr<IsDecorated>(data());
  }

  iterator begin() const noexcept { return iterator_at<iterator>(0); }
  iterator end() const noexcept { return iterator_at<iterator>(size()); }
  const_iterator cbegin() const noexcept { return iterator_at<const_iterator>(0); }
  const_iterator cend() const noexcept { return iterator_at<const_iterator>(size()); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

  template <typename Property,
            std::enable_if_t<!ext::oneapi::is_compile_time_property<Property>::value, int> = 0>
  bool has_property() const noexcept {
    if constexpr (is_compact) // which no longer knows
      return false;
    else
      return std::is_same_v<Property, property::no_init> &&
             (state_.requirement & falx::NO_INIT_REQUIREMENT) != 0;
  }
  /// Of sycl_ext_oneapi_accessor_properties: in accessors whose type lists them.
  template <typename Property,
            std::enable_if_t<ext::oneapi::is_compile_time_property<Property>::value, int> = 0>
  static constexpr bool has_property() noexcept {
    return false;
  }
  /// Throws errc::invalid if the accessor was constructed without the property. Host only.
  template <typename Property>
  Property get_property() const {
    return detail::accessor_property<Property>(has_property<Property>());
  }

  friend bool operator==(const accessor& a, const accessor& b) noexcept {
    return detail::same_core(a.state_, b.state_);
  }
  friend bool operator!=(const accessor& a, const accessor& b) noexcept { return !(a == b); }

  /// For the handler: the box that the accessor reaches. The base is null in a placeholder.
  friend falx::memory_box memory_box_of(const accessor& a) noexcept {
    return a.geometry_.box(detail::full_core(a.state_).data, sizeof(DataT));
  }
  /// For the handler: adds a placeholder's requirement to the command group.
  friend void require_accessor(falx::command_group& group, const accessor& a) {
    falx::require_placeholder(group, detail::full_core(a.state_).requirement);
  }

private:
  friend struct detail::internals;
  template <typename, int, access_mode, target, access::placeholder, typename>
  friend class accessor;
  template <typename T, typename A>
  accessor(const buffer<T, buffer_dimensions, A>& b, handler* group, const extent& accessed,
           const position& offset, const property_list& properties)
      : state_(detail::converted_core<core, AccessTarget>(
            detail::bind_accessor<AccessMode, AccessTarget>(b, group, accessed, offset, properties))),
        geometry_(b.get_range(), accessed, offset) {}

  static geometry converted(const geometry& same) noexcept { return same; }
  template <class Geometry, class = std::enable_if_t<!std::is_same_v<Geometry, geometry>>>
  static geometry converted(const Geometry& other) noexcept {
    return other.ranged();
  }

  value_type* data() const noexcept { return static_cast<value_type*>(detail::data_of(state_)); }
  template <class Iterator>
  Iterator iterator_at(std::size_t index) const noexcept {
    if constexpr (Dimensions < 2)
      return data() + geometry_.first() + index;
    else
      return Iterator(data(), geometry_.ranged(), static_cast<difference_type>(index));
  }

  /// First member: the compiler and the runtime find it.
  core state_{};
  geometry geometry_;
};

/// Deprecated name of host_accessor (SYCL 2020 §4.7.6.9.4).
template <typename DataT, int Dimensions, access_mode AccessMode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, AccessMode, target::host_buffer, IsPlaceholder>
    : public host_accessor<DataT, Dimensions, AccessMode> {
  using base = host_accessor<DataT, Dimensions, AccessMode>;

public:
  using base::base;
  using base::operator=;
  accessor() = default;

  bool is_placeholder() const { return false; }
  std::size_t get_size() const noexcept { return this->byte_size(); }
  std::size_t get_count() const noexcept { return this->size(); }
};

/// Deprecated name of local_accessor (SYCL 2020 §4.7.6.9.4).
template <typename DataT, int Dimensions, access_mode AccessMode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, AccessMode, target::local, IsPlaceholder>
    : public local_accessor<DataT, Dimensions> {
  using base = local_accessor<DataT, Dimensions>;

public:
  using base::base;
  using base::operator=;
  accessor() = default;

  std::size_t get_size() const noexcept { return this->byte_size(); }
  std::size_t get_count() const noexcept { return this->size(); }
};

/// The same with deprecated atomic access: elements are sycl::atomic, however they are reached.
template <typename DataT, int Dimensions, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, access_mode::atomic, target::local, IsPlaceholder>
    : public local_accessor<DataT, Dimensions> {
  using base = local_accessor<DataT, Dimensions>;
  using element = detail::atomic_element<DataT, access::address_space::local_space>;

public:
  using base::base;
  accessor() = default;

  std::size_t get_size() const noexcept { return this->byte_size(); }
  std::size_t get_count() const noexcept { return this->size(); }

  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  operator typename element::type() const {
    return element::at(this->get_pointer());
  }
  /// Not past the atomic.
  operator DataT&() const = delete;
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  typename element::type operator[](id<D> index) const noexcept {
    return element::at(&base::operator[](index));
  }
  template <bool WithOffset, int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  typename element::type operator[](const item<D, WithOffset>& index) const noexcept {
    return (*this)[index.get_id()];
  }
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  typename element::type operator[](std::size_t index) const noexcept {
    return (*this)[id<1>(index)];
  }
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  detail::accessor_subscript<DataT, element, D - 1> operator[](std::size_t index) const noexcept {
    return this->template row_at<element>(index);
  }
};

/// With properties that are known at compile time (sycl_ext_oneapi_accessor_properties); otherwise as
/// without.
template <typename DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
          access::placeholder IsPlaceholder, typename First, typename... Others>
class accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder,
               ext::oneapi::accessor_property_list<First, Others...>>
    : public accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder> {
  using base = accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder>;
  using list = ext::oneapi::accessor_property_list<First, Others...>;

public:
  using base::base;
  accessor() = default;
  /// Of the element, in zero dimensions.
  template <typename T, int D = Dimensions,
            std::enable_if_t<D == 0 && !std::is_base_of_v<base, std::decay_t<T>>, int> = 0>
  const accessor& operator=(T&& value) const {
    static_cast<const base&>(*this) = static_cast<T&&>(value);
    return *this;
  }

  /// From an accessor whose list has the same properties of compile time.
  template <typename List, std::enable_if_t<std::is_same_v<ext::oneapi::detail::compile_time_part<List>,
                                                           ext::oneapi::detail::compile_time_part<list>> &&
                                                !std::is_same_v<List, list>,
                                            int> = 0>
  accessor(const accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder, List>& other) noexcept
      : base(other) {}

  template <typename Property,
            std::enable_if_t<!ext::oneapi::is_compile_time_property<Property>::value, int> = 0>
  bool has_property() const noexcept {
    return base::template has_property<Property>();
  }
  template <typename Property,
            std::enable_if_t<ext::oneapi::is_compile_time_property<Property>::value, int> = 0>
  static constexpr bool has_property() noexcept {
    return list::template has_property<Property>();
  }
  template <typename Property,
            std::enable_if_t<!ext::oneapi::is_compile_time_property<Property>::value, int> = 0>
  Property get_property() const {
    return base::template get_property<Property>();
  }
  template <typename Property,
            std::enable_if_t<ext::oneapi::is_compile_time_property<Property>::value, int> = 0>
  static constexpr auto get_property() noexcept {
    return list::template get_property<Property>();
  }
};

// Without a tag, the element type says whether the accessor may write. The other arguments say what an
// accessor has to know, for programs that want small ones. Of a list of properties the type has those of
// compile time.
template <typename T, int D, typename A, typename List = property_list, detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, const List& = {})
    -> accessor<T, D, detail::default_mode<T>, target::device,
                detail::variant_for<accessor_variant::unranged_placeholder, detail::variant_deduction>,
                detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename List = property_list, detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, handler&, const List& = {})
    -> accessor<T, D, detail::default_mode<T>, target::device,
                detail::variant_for<accessor_variant::unranged, detail::variant_deduction>,
                detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename List = property_list, detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, range<D>, const List& = {})
    -> accessor<T, D, detail::default_mode<T>, target::device,
                detail::variant_for<accessor_variant::ranged_placeholder, detail::variant_deduction>,
                detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename List = property_list, detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, range<D>, id<D>, const List& = {})
    -> accessor<T, D, detail::default_mode<T>, target::device,
                detail::variant_for<accessor_variant::ranged_placeholder, detail::variant_deduction>,
                detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename List = property_list, detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, handler&, range<D>, const List& = {})
    -> accessor<T, D, detail::default_mode<T>, target::device,
                detail::variant_for<accessor_variant::ranged, detail::variant_deduction>,
                detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename List = property_list, detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, handler&, range<D>, id<D>, const List& = {})
    -> accessor<T, D, detail::default_mode<T>, target::device,
                detail::variant_for<accessor_variant::ranged, detail::variant_deduction>,
                detail::listed_in_type<List>>;

// With a tag, the tag says it.
template <typename T, int D, typename A, typename Tag, typename List = property_list,
          detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, Tag, const List& = {}) -> accessor<
    T, D, detail::access_tag<Tag>::mode, detail::access_tag<Tag>::target,
    detail::tagged_variant<Tag, accessor_variant::unranged_placeholder, detail::variant_deduction>,
    detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename Tag, typename List = property_list,
          detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, handler&, Tag, const List& = {})
    -> accessor<T, D, detail::access_tag<Tag>::mode, detail::access_tag<Tag>::target,
                detail::tagged_variant<Tag, accessor_variant::unranged, detail::variant_deduction>,
                detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename Tag, typename List = property_list,
          detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, range<D>, Tag, const List& = {})
    -> accessor<T, D, detail::access_tag<Tag>::mode, detail::access_tag<Tag>::target,
                detail::tagged_variant<Tag, accessor_variant::ranged_placeholder, detail::variant_deduction>,
                detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename Tag, typename List = property_list,
          detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, range<D>, id<D>, Tag, const List& = {})
    -> accessor<T, D, detail::access_tag<Tag>::mode, detail::access_tag<Tag>::target,
                detail::tagged_variant<Tag, accessor_variant::ranged_placeholder, detail::variant_deduction>,
                detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename Tag, typename List = property_list,
          detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, handler&, range<D>, Tag, const List& = {})
    -> accessor<T, D, detail::access_tag<Tag>::mode, detail::access_tag<Tag>::target,
                detail::tagged_variant<Tag, accessor_variant::ranged, detail::variant_deduction>,
                detail::listed_in_type<List>>;
template <typename T, int D, typename A, typename Tag, typename List = property_list,
          detail::if_properties<List> = 0>
accessor(buffer<T, D, A>&, handler&, range<D>, id<D>, Tag, const List& = {})
    -> accessor<T, D, detail::access_tag<Tag>::mode, detail::access_tag<Tag>::target,
                detail::tagged_variant<Tag, accessor_variant::ranged, detail::variant_deduction>,
                detail::listed_in_type<List>>;

} // namespace sycl

template <typename DataT, int Dimensions, sycl::access_mode Mode, sycl::target Target,
          sycl::access::placeholder P, typename List>
struct std::hash<sycl::accessor<DataT, Dimensions, Mode, Target, P, List>> {
  std::size_t
  operator()(const sycl::accessor<DataT, Dimensions, Mode, Target, P, List>& object) const noexcept {
    if constexpr (Target == sycl::target::host_buffer)
      return std::hash<const void*>()(sycl::detail::internals::state(object).get());
    else if constexpr (Target == sycl::target::local)
      return std::hash<sycl::local_accessor<DataT, Dimensions>>()(object);
    else
      return std::hash<std::uint64_t>()(
          sycl::detail::full_core(sycl::detail::internals::state(object)).requirement);
  }
};

#include "sycl/ext/acpp/accessor_variants.hpp"
