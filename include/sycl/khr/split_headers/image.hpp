// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/image_format.hpp"
#include "sycl/image_sampler.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/sampled_image.hpp"
#include "sycl/sampled_image_accessor.hpp"
#include "sycl/unsampled_image.hpp"
#include "sycl/unsampled_image_accessor.hpp"

/// \file
/// sycl_khr_split_headers: images, their accessors, formats and samplers.
