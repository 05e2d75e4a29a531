// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/type_traits.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

static_assert(!sycl::is_property<int>::value && !sycl::is_property_v<int> && !sycl::is_property_of<int, int>::value);
static_assert(!sycl::is_property_of_v<int, int> && !sycl::is_group<int>::value && !sycl::is_group_v<int>);
static_assert(sycl::is_device_copyable<int>::value && sycl::is_device_copyable_v<int>);
static_assert(sycl::any_device_has<sycl::aspect::cpu>::value && sycl::any_device_has_v<sycl::aspect::cpu>);
static_assert(!sycl::all_devices_have<sycl::aspect::gpu>::value && !sycl::all_devices_have_v<sycl::aspect::gpu>);
static_assert(std::is_same_v<sycl::remove_decoration<int>::type, int> && std::is_same_v<sycl::remove_decoration_t<int>, int>);
static_assert(sycl::has_known_identity<sycl::plus<>, int>::value && sycl::has_known_identity_v<sycl::plus<>, int>);
static_assert(sycl::known_identity<sycl::plus<>, int>::value == 0 && sycl::known_identity_v<sycl::plus<>, int> == 0);
// What is not trivially copyable; and arrays of it and its cv-qualified forms (SYCL 2020 §3.13.1).
using pair = std::pair<int, float>;
static_assert(!std::is_trivially_copyable_v<pair> && sycl::is_device_copyable_v<pair>);
static_assert(sycl::is_device_copyable_v<const pair> && sycl::is_device_copyable_v<volatile pair>);
static_assert(sycl::is_device_copyable_v<const pair[2]> && sycl::is_device_copyable_v<volatile pair[2]> &&
              sycl::is_device_copyable_v<const volatile pair[2][3]>);
struct resource {
  ~resource();
};
static_assert(!sycl::is_device_copyable_v<std::array<resource, 1>> &&
              sycl::is_device_copyable_v<std::array<resource, 0>>);
