// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// first_launch.cpp in CUDA: the smallest useful program, timed as a whole process.
#include <cuda_runtime.h>

__global__ void fill(int* values) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  values[i] = i * 2;
}

int main() {
  int* values = nullptr;
  if (cudaMallocManaged(&values, 1024 * sizeof(int)) != cudaSuccess)
    return 1;
  fill<<<4, 256>>>(values);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  const bool right = values[0] == 0 && values[1023] == 2046;
  cudaFree(values);
  return right ? 0 : 1;
}
