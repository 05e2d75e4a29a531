// Loops that devices do not enter may do what the host's code may.
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <sycl/sycl.hpp>
// expected-note@*:* 0+{{}}

int changes = 0;

int main() {
  sycl::queue().single_task([] {
    while (!__falx_is_device() && changes < 3)
      ++changes;
    for (int i = 0; !__falx_is_device() && i < 3; ++i)
      ++changes;
    // expected-error@+1 {{device code refers to 'changes'}}
    while (__falx_is_device() && changes < 3) {
    }
  });
}
