// A program compiled with -stdlib=libc++ exchanges strings, vectors, functions, pointers and exceptions with the
// runtime, and its kernels use what libc++ has in headers.
// REQUIRES: libcxx
// RUN: %falxpp -stdlib=libc++ -std=c++17 -O2 -Wall -Wextra -Wpedantic -Werror %s -o %t.exe
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_CACHE=off %t.exe | FileCheck %s
// RUN: llvm-readelf -d %t.exe | FileCheck %s --check-prefix=LIBRARIES --implicit-check-not=libfalx.so
// LIBRARIES: NEEDED{{.*}}libfalx-libc++.so.{{[0-9]+}}
// LIBRARIES: NEEDED{{.*}}libc++.so
//
// And at -O0, where nothing of libc++ is inlined into the kernels when they become device code.
// RUN: %falxpp -stdlib=libc++ -std=c++20 -O0 %s -o %t.O0.exe
// RUN: env FALX_DEVICE_SELECTOR=cpu FALX_CACHE=off %t.O0.exe | FileCheck %s
#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdio>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#ifndef _LIBCPP_VERSION
#error This test is about libc++.
#endif

namespace {

constexpr sycl::specialization_id<int> FACTOR(1);

void exchange_strings_and_vectors(const sycl::queue& queue) {
  const std::string name = queue.get_device().get_info<sycl::info::device::name>();
  const std::vector<sycl::device> devices = sycl::device::get_devices();
  std::size_t of_platforms = 0;
  for (const sycl::platform& platform : sycl::platform::get_platforms())
    of_platforms += platform.get_devices().size();
  const std::vector<std::size_t> sizes = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  // CHECK: strings and vectors: 1 1 1
  std::printf("strings and vectors: %d %d %d\n", !name.empty(), devices.size() == of_platforms,
              std::find(sizes.begin(), sizes.end(), 1u) != sizes.end());
}

void select_by_function() {
  const std::string wanted = "no such device";
  try {
    const sycl::device none([wanted](const sycl::device& device) {
      return device.get_info<sycl::info::device::name>() == wanted ? 1 : -1;
    });
  } catch (const std::exception& e) {
    const auto* const ours = dynamic_cast<const sycl::exception*>(&e);
    // CHECK: selector: runtime sycl 1
    std::printf("selector: %s %s %d\n",
                ours != nullptr && ours->code() == sycl::errc::runtime ? "runtime" : "other",
                ours != nullptr ? ours->category().name() : "", std::string(e.what()).size() > 10);
  }
}

void hand_exceptions_over() {
  sycl::queue queue([](sycl::exception_list list) {
    for (const std::exception_ptr& each : list)
      try {
        std::rethrow_exception(each);
      } catch (const std::runtime_error& e) {
        // CHECK: asynchronous: thrown by a host task
        std::printf("asynchronous: %s\n", e.what());
      }
  });
  const std::string text = "thrown by a host task";
  queue.submit([&](sycl::handler& group) { group.host_task([text] { throw std::runtime_error(text); }); });
  queue.wait_and_throw();
  try {
    queue.parallel_for(sycl::nd_range<1>(4, 3), [](sycl::nd_item<1>) {});
  } catch (const sycl::exception& e) {
    // CHECK: synchronous: nd_range
    std::printf("synchronous: %s\n", e.code() == sycl::errc::nd_range ? "nd_range" : e.what());
  }
}

void share_memory(sycl::queue queue) {
  std::mutex mutex;
  const auto data = std::make_shared<std::vector<int>>(8, 5);
  {
    sycl::buffer<int> buffer(std::shared_ptr<int>(data, data->data()), 8,
                             {sycl::property::buffer::use_mutex(mutex)});
    queue.submit([&](sycl::handler& group) {
      sycl::accessor values(buffer, group);
      group.set_specialization_constant<FACTOR>(7);
      group.parallel_for(8, [=](sycl::id<1> i, sycl::kernel_handler h) {
        values[i] *= h.get_specialization_constant<FACTOR>();
      });
    });
  }
  using allocator = sycl::usm_allocator<int, sycl::usm::alloc::shared>;
  std::vector<int, allocator> shared(100, 2, allocator(queue));
  int* const sum = sycl::malloc_shared<int>(1, queue);
  *sum = 0;
  const std::vector<sycl::event> before = {
      queue.parallel_for(100, [p = shared.data()](sycl::id<1> i) { p[i] += int(i[0]); })};
  queue
      .submit([&](sycl::handler& group) {
        group.depends_on(before);
        group.parallel_for(100, sycl::reduction(sum, sycl::plus<>()),
                           [p = shared.data()](sycl::id<1> i, auto& total) { total += p[i]; });
      })
      .wait();
  // CHECK: memory: 280 5150
  std::printf("memory: %d %d\n", std::accumulate(data->begin(), data->end(), 0), *sum);
  sycl::free(sum, queue);
}

void use_libcxx_in_kernels(sycl::queue queue) {
  std::array<float, 4>* const results = sycl::malloc_shared<std::array<float, 4>>(1, queue);
  queue
      .single_task([=] {
        const std::complex<float> z = std::complex<float>(1, 2) * std::complex<float>(3, -1);
        const std::pair<int, float> pair(3, 4.5f);
        const std::tuple<int, float> tuple(2, 1.5f);
        const std::optional<int> maybe = pair.first > 2 ? std::optional<int>(6) : std::nullopt;
        std::array<float, 4>& out = *results;
        out = {z.real(), z.imag(), std::max(pair.second, std::get<1>(tuple)), float(maybe.value_or(0))};
        std::rotate(out.begin(), out.begin() + 1, out.end());
      })
      .wait();
  const std::array<float, 4>& rotated = *results;
  // CHECK: kernels: 5 4.5 6 5
  std::printf("kernels: %g %g %g %g\n", rotated[0], rotated[1], rotated[2], rotated[3]);
  sycl::free(results, queue);
}

class named;

void build_bundles(sycl::queue queue) {
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(
      queue.get_context(), std::vector<sycl::kernel_id>{sycl::get_kernel_id<named>()});
  const std::string name = bundle.get_kernel_ids().front().get_name();
  queue.submit([&](sycl::handler& group) {
    sycl::stream out(100, 40, group);
    group.single_task<named>([=] { out << "stream: " << 1.5f << "\n"; });
  });
  queue.wait();
  // CHECK: stream: 1.5
  // CHECK: bundle: 1 {{.*}}named
  std::printf("bundle: %zu %s\n", bundle.get_kernel_ids().size(), name.c_str());
}

} // namespace

int main() {
  sycl::queue queue;
  exchange_strings_and_vectors(queue);
  select_by_function();
  hand_exceptions_over();
  share_memory(queue);
  use_libcxx_in_kernels(queue);
  build_bundles(queue);
}
