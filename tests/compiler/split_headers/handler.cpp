// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/handler.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

void add(sycl::handler& cgh, int* data) { cgh.single_task([=] { *data = 1; }); }
void add(sycl::handler& cgh) { cgh.host_task([] {}); }
