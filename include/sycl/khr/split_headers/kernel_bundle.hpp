// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bundle_state.hpp"
#include "sycl/device_image.hpp"
#include "sycl/info/kernel.hpp"
#include "sycl/kernel.hpp"
#include "sycl/kernel_bundle.hpp"
#include "sycl/kernel_id.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/specialization_id.hpp"

/// \file
/// sycl_khr_split_headers: kernel_bundle, what it is made of, its functions and its information descriptors.
