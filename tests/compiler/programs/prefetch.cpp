// Prefetches are instructions on both targets, of the level and with the hint that the program asks for; work-items
// of a vector share those of one cache line, joint ones deal the lines out.
// RUN: %falxpp -O2 -c %s -o %t.o
// RUN: falx-ptx %t.o --kernel=levels --cpu=sm_80 | FileCheck %s --check-prefix=LEVELS
// LEVELS: prefetch.global.L1
// LEVELS: prefetch.global.L2
// LEVELS: prefetch.global.L2
// LEVELS: prefetch.global.L2
// LEVELS: prefetch.global.L1
// LEVELS: prefetch.global.L2
// LEVELS-NOT: prefetch
// RUN: falx-ptx %t.o --kernel=together --cpu=sm_80 --local=64,1,1 | FileCheck %s --check-prefix=TOGETHER
// 128 KB are 1024 lines of 128 bytes, one more if they do not begin with one: work-item i has every 64th from the i-th.
// TOGETHER: and.b64 [[SKIPPED:%rd[0-9]+]], {{%rd[0-9]+}}, 127;
// TOGETHER: mul.wide.u32 [[SHARE:%rd[0-9]+]], {{%r[0-9]+}}, 128;
// TOGETHER: add.s64 [[AT:%rd[0-9]+]], {{%rd[0-9]+}}, [[SHARE]];
// TOGETHER: sub.s64 [[LINE:%rd[0-9]+]], [[AT]], [[SKIPPED]];
// TOGETHER: prefetch.global.L1 {{\[}}[[LINE]]];
// TOGETHER: add.s64 [[LINE]], [[LINE]], 8192;
// TOGETHER-NOT: prefetch
// RUN: falx-ptx %t.o --target=cpu --cpu=haswell --kernel=together --local=64,1,1 --sub-group=8 --directory=%t.together
// RUN: bash -c 'llvm-objdump -d --no-show-raw-insn %t.together/*.so' | FileCheck %s --check-prefix=VECTOR
// VECTOR: andq $-0x40,
// In the last step, those that have one left, one after the other.
// VECTOR: tzcntl
// VECTOR: prefetcht0
// Before, each of eight work-items of a vector has a line of 64 bytes; in the next step the lines behind those of all 64.
// VECTOR-COUNT-8: prefetcht0
// VECTOR: addq $0x40,
// VECTOR-NOT: prefetch
// RUN: falx-ptx %t.o --target=cpu --cpu=haswell --kernel=levels --directory=%t.levels
// RUN: bash -c 'llvm-objdump -d --no-show-raw-insn %t.levels/*.so' | FileCheck %s --check-prefix=X86
// X86: prefetcht0
// X86: prefetcht1
// X86: prefetcht2
// X86: prefetcht2
// X86: prefetchnta
// X86: prefetchnta
// X86-NOT: prefetch
// 16 floats are 64 bytes: a line at least and two at most, in the loop over vectors and in the rest.
// RUN: falx-ptx %t.o --target=cpu --cpu=haswell --kernel=dense --sub-group=16 --directory=%t.dense
// RUN: bash -c 'llvm-objdump -d --no-show-raw-insn %t.dense/*.so' | FileCheck %s --check-prefix=DENSE
// DENSE-COUNT-4: prefetcht1
// DENSE-NOT: prefetch
#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi::experimental;

int main() {
  sycl::queue queue;
  float* data = sycl::malloc_device<float>(1 << 16, queue);
  queue.single_task<class levels>([=] {
    syclex::prefetch(data);
    syclex::prefetch(data + 64, syclex::properties{syclex::prefetch_hint_L2});
    syclex::prefetch(data + 128, syclex::properties{syclex::prefetch_hint_L3});
    syclex::prefetch(data + 192, syclex::properties{syclex::prefetch_hint_L4});
    syclex::prefetch(data + 256, syclex::properties{syclex::prefetch_hint_L1_nt});
    syclex::prefetch(data + 320, syclex::properties{syclex::prefetch_hint_L3_nt});
  });
  queue.parallel_for<class together>(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
    syclex::joint_prefetch(item.get_group(), data, 1 << 15);
  });
  queue.parallel_for<class dense>(sycl::range<1>(1 << 15), [=](sycl::id<1> i) {
    syclex::prefetch(&data[i + 4096], syclex::properties{syclex::prefetch_hint_L2});
    data[i] += 1;
  });
  queue.wait();
  sycl::free(data, queue);
}
