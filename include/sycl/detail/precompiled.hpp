// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What falx++ precompiles. A file of its own, so that sycl.hpp is an included header there, too, and one of
// the system.
#include <sycl/sycl.hpp>
