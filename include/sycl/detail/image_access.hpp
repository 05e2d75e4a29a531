// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "falx/kernel.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/detail/accessor_request.hpp"
#include "sycl/detail/image_declarations.hpp"
#include "sycl/detail/image_pixel.hpp"
#include "sycl/detail/image_storage.hpp"
#include "sycl/detail/image_view.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/vec.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// What the four accessors of images have in common.

namespace sycl::detail {

/// The class of colors that an accessor reads and writes: Component is what they are for filters.
template <class DataT>
struct image_color {
  static_assert(!std::is_same_v<DataT, DataT>,
                "an image's pixels are of type sycl::int4, uint4, float4 or half4 in a kernel");
};
template <class T>
struct image_color<vec<T, 4>> {
  static_assert(std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t> ||
                    std::is_same_v<T, float> || std::is_same_v<T, half>,
                "an image's pixels are of type sycl::int4, uint4, float4 or half4 in a kernel");
  using component = std::conditional_t<std::is_same_v<T, half>, float, T>;

  static vec<T, 4> from(const pixel<component>& color) noexcept {
    return {static_cast<T>(color.component[0]), static_cast<T>(color.component[1]),
            static_cast<T>(color.component[2]), static_cast<T>(color.component[3])};
  }
  static pixel<component> to(const vec<T, 4>& color) noexcept {
    return {{color[0], color[1], color[2], color[3]}};
  }
};
template <class T>
struct image_color<const T> : image_color<T> {};

/// The type of a coordinate: a scalar, or a vec of two or four, of which the last is ignored.
template <class T, int Dimensions>
using image_coordinate = std::conditional_t<Dimensions == 1, T, vec<T, Dimensions == 3 ? 4 : 2>>;

/// A coordinate by axis.
template <class T, int Dimensions>
struct image_position {
  template <class CoordT>
  explicit image_position(const CoordT& coordinate) noexcept {
    static_assert(
        std::is_convertible_v<const CoordT&, image_coordinate<T, Dimensions>>,
        "coordinates of unsampled images are int, int2 or int4, those of sampled images float, float2 or "
        "float4, for one, two or three dimensions");
    const image_coordinate<T, Dimensions> converted = coordinate;
    if constexpr (Dimensions == 1)
      axis[0] = converted;
    else
      for (int i = 0; i < Dimensions; ++i)
        axis[i] = converted[i];
  }
  T axis[Dimensions];
};

/// What accessors know of an image.
struct image_parts {
  template <int D, class A>
  static image_view<D> view(const image_storage<D, A>& image) noexcept {
    return {image.shape_, image.reading_};
  }
  /// The view of an accessor that samples with \p texture, unless that is 0.
  template <int D, class A>
  static image_view<D> view(const image_storage<D, A>& image, std::uint64_t texture) noexcept {
    image_reading reading = image.reading_;
    reading.has_texture = texture != 0;
    return {image.shape_, reading};
  }
  template <int D, class A>
  static std::uint64_t texture(handler& group, const image_storage<D, A>& image) {
    return texture_of(command_group_of(group), state(image), image.shape_, image.reading_);
  }
  template <int D, class A>
  static falx::buffer_state& state(const image_storage<D, A>& image) noexcept {
    return falx::state_of(*image.state_);
  }
  /// For pixels of type DataT. \p accessor names the accessor's class.
  template <class DataT, int D, class A>
  static falx::access_request request(const char* accessor, const image_storage<D, A>& image,
                                      access_mode mode, bool on_host, const property_list& properties) {
    check_pixel_kind(accessor, image.reading_.format, kind_of_pixel<typename image_color<DataT>::component>);
    falx::access_request request;
    request.reads = mode_reads(mode);
    request.writes = mode_writes(mode);
    request.discards = properties.has_property<property::no_init>();
    request.on_host = on_host;
    request.buffer_range = image.stored_range();
    request.range = image.shape_.range;
    request.element_size = image.shape_.pixel_bytes;
    return request;
  }
};

} // namespace sycl::detail
