#include <sycl/sycl.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

// Objects and data that change threads inside the runtime, with nothing but SYCL to order them.
int main() {
  constexpr std::size_t N = 1 << 16;
  std::vector<unsigned> data(N, 1);
  long sum = 0;
  for (int round = 0; round < 20; ++round) {
    sycl::queue queue = round % 2 == 0 ? sycl::queue{} : sycl::queue{sycl::property::queue::in_order{}};
    std::vector<unsigned> seen;
    {
      sycl::buffer<unsigned> buffer(data.data(), sycl::range<1>(N));
      queue.submit([&](sycl::handler& handler) {
        sycl::accessor values(buffer, handler, sycl::read_write);
        handler.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) {
          unsigned x = values[i];
          for (int step = 0; step < 500; ++step)
            x = x * 3 + 1;
          values[i] = x % 7;
        });
      });
      queue.submit([&](sycl::handler& handler) {
        sycl::accessor values(buffer, handler, sycl::read_only);
        handler.host_task([&seen, values] { seen.assign(values.begin(), values.end()); });
      });
      queue.submit([&](sycl::handler& handler) {
        sycl::accessor values(buffer, handler, sycl::read_write);
        handler.host_task([&seen, &sum, values] {
          seen[0] += 1;
          sum += std::accumulate(seen.begin(), seen.end(), 0L);
          values[0] = 2;
        });
      });
    }
    sum += seen[1] + data[0];
    sycl::event event = queue.submit([&](sycl::handler& handler) { handler.host_task([&sum] { ++sum; }); });
    queue.submit([&](sycl::handler& handler) {
      handler.depends_on(event);
      handler.host_task([&sum] { ++sum; });
    });
    queue.wait();
    ++sum;
    while (event.get_info<sycl::info::event::command_execution_status>() !=
           sycl::info::event_command_status::complete)
      ;
  }
  std::printf("sum %ld\n", sum);
}
