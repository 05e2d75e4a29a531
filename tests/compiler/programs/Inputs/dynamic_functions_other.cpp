#include "dynamic_functions.hpp"

SYCL_EXTERNAL int helper(int x) {
  return x + 1;
}
SYCL_EXTERNAL int from_other_file(int x) {
  return helper(x) * 10;
}
static int local(int x) {
  return helper(x) * 100;
}

sycl::jit::dynamic_function_id local_of_other_file() {
  return sycl::jit::dynamic_function_definition{&local}.id();
}

int run_in_other_file(sycl::queue& queue, int* result, const sycl::jit::dynamic_function_config& functions) {
  queue.single_task(functions.apply([=] { *result = step(2); })).wait();
  return *result;
}
