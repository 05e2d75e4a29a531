// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// \file
/// The headers of the standard library that programs expect of <sycl/sycl.hpp>, because those of other
/// implementations bring them along: programs that were written for these use std::cout, std::sort, memset or
/// std::chrono without an include of their own. For the umbrella header alone, which leaves them out where
/// FALX_LEAN_HEADERS is defined; every other header includes what it needs itself.
///
/// <regex>, <random>, <future>, <iomanip> and the headers that are new in C++20 are not among them: programs
/// include those themselves, and all of this shall cost less than <bits/stdc++.h>.

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
