// With -ffast-math denormal floats are 0 on every device; -mno-daz-ftz keeps them, and -ftz takes them for 0 without
// -ffast-math. On GPUs alone: the options of clang++ for CUDA.
// RUN: %falxpp -O2 -ffast-math %s -o %t.fast && %t.fast | FileCheck %s --check-prefix=FLUSHED
// RUN: falx-ptx %t.fast --kernel=main | FileCheck %s --check-prefix=PTX-FLUSHED
// RUN: %falxpp -O2 -ffast-math -mno-daz-ftz %s -o %t.kept && %t.kept | FileCheck %s --check-prefix=KEPT
// RUN: falx-ptx %t.kept --kernel=main | FileCheck %s --check-prefix=PTX-KEPT
// RUN: %falxpp -O2 -ffast-math -no-ftz %s -o %t.kept && %t.kept | FileCheck %s --check-prefix=KEPT
// RUN: falx-ptx %t.kept --kernel=main | FileCheck %s --check-prefix=PTX-KEPT
// RUN: %falxpp -O2 %s -o %t.plain && %t.plain | FileCheck %s --check-prefix=KEPT
// RUN: falx-ptx %t.plain --kernel=main | FileCheck %s --check-prefix=PTX-KEPT
// RUN: %falxpp -O2 -ftz %s -o %t.ftz && %t.ftz | FileCheck %s --check-prefix=FLUSHED
// RUN: falx-ptx %t.ftz --kernel=main | FileCheck %s --check-prefix=PTX-FLUSHED
// RUN: %falxpp -O2 -fgpu-flush-denormals-to-zero %s -o %t.gpu
// RUN: falx-ptx %t.gpu --kernel=main | FileCheck %s --check-prefix=PTX-FLUSHED
// RUN: %falxpp -O2 -fcuda-flush-denormals-to-zero -fno-gpu-flush-denormals-to-zero %s -o %t.gpu
// RUN: falx-ptx %t.gpu --kernel=main | FileCheck %s --check-prefix=PTX-KEPT
// RUN: %falxpp -O2 -ffast-math -fdenormal-fp-math=ieee %s -o %t.gpu
// RUN: falx-ptx %t.gpu --kernel=main | FileCheck %s --check-prefix=PTX-KEPT
// RUN: %falxpp -O2 -ffast-math -fsycl-device-pass %s -o %t.pass
// RUN: falx-ptx %t.pass --kernel=main | FileCheck %s --check-prefix=PTX-FLUSHED
// RUN: %falxpp -O2 -Werror -ftz -c %s -o %t.o && %falxpp -ftz %t.o -o %t.linked && %t.linked | FileCheck %s --check-prefix=FLUSHED
// FLUSHED: 0 of 1024 left
// KEPT: 1024 of 1024 left
// PTX-FLUSHED: mul{{(.rn)?}}.ftz.f32
// PTX-KEPT: mul{{(.rn)?}}.f32
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>

int main() {
  sycl::queue queue;
  constexpr int size = 1024;
  auto* const bits = sycl::malloc_shared<std::uint32_t>(size, queue);
  for (int i = 0; i < size; ++i)
    bits[i] = std::uint32_t(2 + i);
  queue
      .parallel_for(sycl::range<1>(size),
                    [=](sycl::id<1> i) {
                      bits[i] = sycl::bit_cast<std::uint32_t>(sycl::bit_cast<float>(bits[i]) * 0.75F);
                    })
      .wait();
  int left = 0;
  for (int i = 0; i < size; ++i)
    left += bits[i] != 0 ? 1 : 0;
  std::printf("%d of %d left\n", left, size);
  sycl::free(bits, queue);
}
