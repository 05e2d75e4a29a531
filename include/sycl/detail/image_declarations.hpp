// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/accessor_declarations.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// Names of images and their accessors with their default arguments.

namespace sycl {

/// The allocator of images that are given none (SYCL 2020 §4.7.1): Falx chooses the memory.
using image_allocator = buffer_allocator<std::byte>;

template <int Dimensions = 1, typename AllocatorT = image_allocator>
class sampled_image;
template <int Dimensions = 1, typename AllocatorT = image_allocator>
class unsampled_image;

/// Where an image's accessor is used.
enum class image_target { device, host_task };

template <typename DataT, int Dimensions, image_target AccessTarget = image_target::device>
class sampled_image_accessor;
template <typename DataT, int Dimensions, access_mode AccessMode,
          image_target AccessTarget = image_target::device>
class unsampled_image_accessor;
template <typename DataT, int Dimensions>
class host_sampled_image_accessor;
template <typename DataT, int Dimensions = 1,
          access_mode AccessMode = (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write)>
class host_unsampled_image_accessor;

template <typename DataT, int Dimensions, access_mode Mode, image_target Target>
struct is_property_of<property::no_init, unsampled_image_accessor<DataT, Dimensions, Mode, Target>>
    : std::true_type {};
template <typename DataT, int Dimensions, access_mode Mode>
struct is_property_of<property::no_init, host_unsampled_image_accessor<DataT, Dimensions, Mode>>
    : std::true_type {};

namespace detail {

/// Of images that have rows.
template <int Dimensions>
using if_pitched = std::enable_if_t<(Dimensions > 1), int>;

} // namespace detail
} // namespace sycl
