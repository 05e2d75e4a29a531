#include <sycl/sycl.hpp>

namespace ends = sycl::vendor::hipsycl::synchronization;

template <class Name, class End>
void two_regions(sycl::queue& queue, int* data) {
  queue.submit([&](sycl::handler& group) {
    group.parallel_for_work_group<Name>(sycl::range<1>(8), sycl::range<1>(128), [=](sycl::group<1> g) {
      g.parallel_for_work_item<End>([&](sycl::h_item<1> item) { data[item.get_global_id(0)] += 1; });
      g.parallel_for_work_item<End>([&](sycl::h_item<1> item) { data[item.get_global_id(0)] *= 2; });
    });
  });
}

void launch(sycl::queue& queue, int* data) {
  queue.parallel<class reverses>(sycl::range<1>(8), sycl::range<1>(128), [=](auto g) {
    sycl::memory_environment(g, sycl::require_local_mem<int[128]>(), sycl::require_local_mem<double>(),
                             [&](auto& scratch, double& other) {
                               sycl::distribute_items_and_wait(g, [&](sycl::s_item<1> item) {
                                 scratch[item.get_local_id(g, 0)] = data[item.get_global_id(0)];
                                 if (item.get_local_id(g, 0) == 5)
                                   other = 2.5 * data[0];
                               });
                               sycl::distribute_items(g, [&](sycl::s_item<1> item) {
                                 data[item.get_global_id(0)] =
                                     scratch[127 - item.get_local_id(g, 0)] + static_cast<int>(other);
                               });
                             });
  });
  queue.parallel<class too_much>(sycl::range<1>(8), sycl::range<1>(128), [=](auto g) {
    sycl::local_memory_environment<char[65536]>(g, [&](auto& memory) {
      sycl::distribute_items_and_wait(g, [&](sycl::s_item<1> item) {
        memory[item.get_local_id(g, 0) * 500] = static_cast<char>(data[0]);
      });
      sycl::distribute_items(g, [&](sycl::s_item<1> item) { data[item.get_global_id(0)] = memory[500]; });
    });
  });
  two_regions<class waits, ends::barrier<>>(queue, data);
  two_regions<class goes_on, ends::none>(queue, data);
}
