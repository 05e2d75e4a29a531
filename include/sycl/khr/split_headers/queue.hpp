// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/interop_handle.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/queue.hpp"

/// \file
/// sycl_khr_split_headers: queue, its properties and its information descriptors. A host task is packed with
/// what defines interop_handle.
