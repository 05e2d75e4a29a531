// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "falx/image.hpp"
#include "sycl/buffer.hpp"
#include "sycl/detail/buffer_storage.hpp"
#include "sycl/detail/image_declarations.hpp"
#include "sycl/detail/image_view.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/property_list.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

/// \file
/// What sampled and unsampled images have in common. Host code only.

namespace sycl {

/// Properties of images (SYCL 2020 §4.7.3.3): as those of buffers.
namespace property::image {

struct use_host_ptr : detail::property_base {};

class use_mutex : public property::buffer::use_mutex {
public:
  using property::buffer::use_mutex::use_mutex;
};

class context_bound : public property::buffer::context_bound {
public:
  using property::buffer::context_bound::context_bound;
};

} // namespace property::image

namespace detail {

/// Images count from x on, whose pixels follow each other; buffers the other way.
template <int D>
falx::extent3 image_extent(const range<D>& sizes) noexcept {
  falx::extent3 extent{sizes[0], 1, 1};
  if constexpr (D > 1)
    extent.y = sizes[1];
  if constexpr (D > 2)
    extent.z = sizes[2];
  return extent;
}

/// Pitches as the user gave them; 0 where there is none.
struct image_pitch {
  std::size_t row = 0, slice = 0;

  image_pitch() noexcept = default;
  image_pitch(const range<1>& pitch) noexcept : row(pitch[0]) {}
  image_pitch(const range<2>& pitch) noexcept : row(pitch[0]), slice(pitch[1]) {}
};

/// What an image is made of.
struct image_source {
  falx::host_data initial = falx::host_data::none;
  void* data = nullptr;
  std::shared_ptr<void> owner;

  image_source() noexcept = default;
  /// Without an address an image is not initialised.
  image_source(void* host_pointer)
      : initial(host_pointer == nullptr ? falx::host_data::none : falx::host_data::writable),
        data(host_pointer) {}
  image_source(const void* host_pointer)
      : initial(host_pointer == nullptr ? falx::host_data::none : falx::host_data::read_only),
        data(const_cast<void*>(host_pointer)) {}
  image_source(const std::shared_ptr<void>& host_pointer)
      : initial(shared_data(host_pointer.get())), data(host_pointer.get()), owner(host_pointer) {}
  image_source(const std::shared_ptr<const void>& host_pointer)
      : initial(shared_data(host_pointer.get())), data(const_cast<void*>(host_pointer.get())),
        owner(shared_storage(host_pointer)) {}
};

/// The type of the elements that are written through an output iterator: its own, or bytes if it has none.
template <class Iterator, class = void>
struct written_element {
  using type = typename std::iterator_traits<Iterator>::value_type;
};
template <class Iterator>
struct written_element<Iterator, std::void_t<typename Iterator::container_type>> {
  using type = typename Iterator::container_type::value_type;
};
template <>
struct written_element<void*> {
  using type = void;
};
template <class T>
struct written_element<std::weak_ptr<T>> {
  using type = std::remove_extent_t<T>;
};
template <class T>
struct written_element<std::shared_ptr<T>> : written_element<std::weak_ptr<T>> {};

/// For an image's contents as they lie in memory, gaps of the pitch included.
template <class Destination>
falx::final_destination image_destination(Destination destination, std::size_t bytes) {
  if constexpr (std::is_null_pointer_v<Destination>) {
    return nullptr;
  } else if constexpr (std::is_same_v<Destination, void*>) {
    return image_destination(static_cast<std::byte*>(destination), bytes);
  } else {
    using found = typename written_element<Destination>::type;
    using element = std::conditional_t<std::is_void_v<found>, std::byte, found>;
    return make_final_destination<element>(std::move(destination), 0, bytes / sizeof(element));
  }
}

/// The members of both classes of images. Copies share the pixels.
template <int Dimensions, class AllocatorT>
class image_storage {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "an image has 1, 2 or 3 dimensions");
  static_assert(std::is_same_v<typename AllocatorT::value_type, std::byte>,
                "an image's allocator allocates elements of std::byte");

public:
  range<Dimensions> get_range() const { return range_; }
  /// In bytes, from row to row and, in three dimensions, from slice to slice.
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  range<D - 1> get_pitch() const {
    if constexpr (D == 2)
      return range<1>(shape_.row_pitch);
    else
      return range<2>(shape_.row_pitch, shape_.slice_pitch);
  }
  /// Gaps of the pitch included.
  std::size_t byte_size() const noexcept { return shape_.slice_pitch * shape_.range.z; }
  std::size_t size() const noexcept { return range_.size(); }
  AllocatorT get_allocator() const { return allocator_; }

  template <typename Property>
  bool has_property() const noexcept {
    return properties_.template has_property<Property>();
  }
  /// Throws errc::invalid if the image was constructed without the property.
  template <typename Property>
  Property get_property() const {
    return properties_.template get_property<Property>();
  }

protected:
  image_storage(const char* what, const image_source& source, image_format format,
                const image_sampler& sampler, const range<Dimensions>& size, const image_pitch& pitch,
                AllocatorT allocator, const property_list& properties)
      : range_(size), reading_{format, sampler, true},
        shape_(falx::checked_image_shape(
            what, {image_extent(size), Dimensions, pixel_bytes(format), pitch.row, pitch.slice})),
        allocator_(std::move(allocator)), properties_(properties) {
    falx::buffer_description description;
    description.range = stored_range();
    description.element_size = shape_.pixel_bytes;
    description.element_alignment = shape_.pixel_bytes;
    description.initial = source.initial;
    description.data = source.data;
    if (source.owner != nullptr)
      description.data_owner = falx::make_user_object<shared_data_owner>(source.owner);
    // What the user declares constant is not written to.
    description.is_constant = source.initial == falx::host_data::read_only;
    description.use_host_pointer = properties.has_property<property::image::use_host_ptr>();
    if (properties.has_property<property::image::use_mutex>())
      description.mutex = properties.get_property<property::image::use_mutex>().get_mutex_ptr();
    if (properties.has_property<property::image::context_bound>()) {
      const context given = properties.get_property<property::image::context_bound>().get_context();
      description.context = internals::state(given).get();
    }
    description.allocator = make_host_allocator<std::byte>(allocator_);
    // The user's memory, and what the user allocates, may begin anywhere.
    reading_.is_aligned =
        !description.allocator && reinterpret_cast<std::uintptr_t>(source.data) % shape_.pixel_bytes == 0;
    state_ = falx::make_buffer(std::move(description));
  }

  falx::handle<falx::buffer_owner> state_;

private:
  friend struct internals;
  friend struct image_parts;

  /// In pixels, gaps included.
  falx::extent3 stored_range() const noexcept {
    return {shape_.row_pitch / shape_.pixel_bytes, shape_.slice_pitch / shape_.row_pitch, shape_.range.z};
  }

  range<Dimensions> range_;
  image_reading reading_;
  falx::image_shape shape_;
  AllocatorT allocator_;
  property_list properties_;
};

} // namespace detail
} // namespace sycl
