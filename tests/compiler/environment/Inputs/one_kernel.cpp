#include <sycl/sycl.hpp>

int main() {
  sycl::queue(sycl::cpu_selector_v).single_task([] {}).wait();
}
