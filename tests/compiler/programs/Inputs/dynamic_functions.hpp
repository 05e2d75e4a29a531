#pragma once
#include <sycl/sycl.hpp>

// Called by kernels of both files.
SYCL_EXTERNAL int step(int);
SYCL_EXTERNAL int from_other_file(int);
inline int in_both_files(int x) {
  return x + 1000;
}

int run_in_other_file(sycl::queue& queue, int* result, const sycl::jit::dynamic_function_config& functions);
// A definition with internal linkage there, of the same name as one here.
sycl::jit::dynamic_function_id local_of_other_file();
