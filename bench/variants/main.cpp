// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// variants [regular expression of rows]
// Prints a line per row and variant: milliseconds of the processor, ratio to the best variant of the same
// row and type, and an arrow behind those that take over 10 % longer.
#include "variant.hpp"

int main(int argc, char** argv) {
  const std::regex wanted(argc > 1 ? argv[1] : ".");
  std::printf("%-14s %-7s %-30s %9s %6s\n", "row", "type", "variant", "ms", "ratio");
  bench::variants::run_loops(wanted);
  bench::variants::run_streams(wanted);
}
