// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// variants [regular expression of rows]
// Prints a line per row and variant: milliseconds on one processor, ratio to the best variant of the same
// row and type, and an arrow behind those that take over 10 % longer.
#include "variant.hpp"
#include <sched.h>

/// Variants differ in their machine code. Two threads that share a core count up to 1.6 times the processor's
/// time for the same work, depending on how they overlap, which hides that; so there is one.
static void stay_on_one_processor() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
    return std::perror("variants: the processors cannot be found out, and times vary with their number");
  int processor = 0;
  while (!CPU_ISSET(processor, &allowed))
    ++processor;
  CPU_ZERO(&allowed);
  CPU_SET(processor, &allowed);
  if (sched_setaffinity(0, sizeof(allowed), &allowed) != 0)
    std::perror("variants: more than one processor will be used, and times vary with their number");
}

int main(int argc, char** argv) {
  stay_on_one_processor();
  const std::regex wanted(argc > 1 ? argv[1] : ".");
  std::printf("%-14s %-7s %-30s %9s %6s\n", "row", "type", "variant", "ms", "ratio");
  bench::variants::run_loops(wanted);
  bench::variants::run_streams(wanted);
}
