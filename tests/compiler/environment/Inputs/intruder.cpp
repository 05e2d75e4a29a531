// What a caller would like to have loaded.
#include <cstdio>

__attribute__((constructor)) static void enter() {
  std::puts("the intruder is in");
  std::fflush(stdout);
}
