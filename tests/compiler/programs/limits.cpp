// Under limits of processes, files and memory a program computes, or says in an exception what it lacks.
// RUN: %falxpp -O2 %s -o %t.exe
// RUN: %python %S/Inputs/under_limits.py %t.exe
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  try {
    sycl::queue queue([](sycl::exception_list errors) { std::rethrow_exception(*errors.begin()); });
    constexpr std::size_t count = 1 << 14;
    int* const values = sycl::malloc_shared<int>(count, queue);
    const sycl::event computed =
        queue.parallel_for(count, [=](sycl::id<1> i) { values[i] = static_cast<int>(i[0]) * 3; });
    while (computed.get_info<sycl::info::event::command_execution_status>() !=
           sycl::info::event_command_status::complete) {
    }
    queue.submit([&](sycl::handler& handler) { handler.host_task([=] { values[0] = 1; }); });
    queue.wait_and_throw();
    std::printf("computed %d %d\n", values[0], values[count - 1]);
    sycl::free(values, queue);
    return 0;
  } catch (const sycl::exception& error) {
    std::printf("sycl::exception: %s\n", error.what());
  }
  return 3;
}
