// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/multi_ptr.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

sycl::multi_ptr<int, sycl::access::address_space::global_space, sycl::access::decorated::no> pointer;
sycl::raw_private_ptr<int> of_private;
sycl::decorated_local_ptr<int> of_local;
static_assert(std::is_same_v<sycl::global_ptr<int, sycl::access::decorated::no>, decltype(pointer)>);
