// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/info/context.hpp"
#include "sycl/info/device.hpp"
#include "sycl/info/enums.hpp"
#include "sycl/info/kernel.hpp"
#include "sycl/info/platform.hpp"
