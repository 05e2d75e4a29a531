// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/version.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

static_assert(SYCL_LANGUAGE_VERSION >= 202012L && SYCL_DEVICE_COPYABLE == 1 && SYCL_BACKEND_CUDA == 1);
SYCL_EXTERNAL int declared(int value);
static_assert(SYCL_KHR_DEFAULT_CONTEXT == 1 && SYCL_KHR_DYNAMIC_ADDRSPACE_CAST == 1 && SYCL_KHR_GROUP_INTERFACE == 1 &&
              SYCL_KHR_MAX_WORK_GROUP_QUERIES == 1 && SYCL_KHR_QUEUE_EMPTY_QUERY == 1 && SYCL_KHR_QUEUE_FLUSH == 1 &&
              SYCL_KHR_STATIC_ADDRSPACE_CAST == 1 && SYCL_KHR_WORK_ITEM_QUERIES == 1 &&
              SYCL_KHR_FREE_FUNCTION_COMMANDS == 1);
// "Any macros defined by other extensions".
static_assert(SYCL_EXT_ONEAPI_DEVICE_GLOBAL == 1 && SYCL_EXT_ONEAPI_PREFETCH == 1 && SYCL_EXT_ACPP_SPECIALIZED == 1 &&
              ACPP_EXT_SPECIALIZED == 1 && SYCL_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND == 1);
