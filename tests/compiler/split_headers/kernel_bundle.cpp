// RUN: %falxpp -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
#include <sycl/khr/split_headers/kernel_bundle.hpp>
static_assert(SYCL_KHR_SPLIT_HEADERS == 1);

// Arguments of other classes.
#include <sycl/khr/split_headers/context.hpp>
#include <sycl/khr/split_headers/device.hpp>

#include <vector>

extern const sycl::specialization_id<int> constant;
const sycl::specialization_id<int> constant(3);
bool value(const sycl::context& c, const sycl::kernel& k, const sycl::device& d) {
  auto input = sycl::get_kernel_bundle<sycl::bundle_state::input>(c);
  auto object = sycl::compile(input);
  auto executable = sycl::link(object);
  auto built = sycl::join(std::vector{sycl::build(input), executable});
  const std::vector<sycl::kernel_id> ids = sycl::get_kernel_ids();
  using descriptors = sycl::info::kernel::num_args;
  return sycl::has_kernel_bundle<sycl::bundle_state::executable>(c) && sycl::is_compatible(ids, d) && !built.empty() &&
         k.get_info<sycl::info::kernel_device_specific::work_group_size>(d) > sizeof(descriptors);
}
class name;
auto id() { return sycl::get_kernel_id<name>(); }
using image = sycl::device_image<sycl::bundle_state::object>;
static_assert(sizeof(image) > 0);
