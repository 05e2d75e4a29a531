// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../rows.hpp"

int main(int argc, char** argv) {
  return rows::main(argc, argv);
}
