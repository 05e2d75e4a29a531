#!/usr/bin/env python3
"""masked_accesses.py COUNT: prints a kernel with that many masked loads and stores of 64 lanes."""
import sys

print("""target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define void @kernel(ptr %f) {
  %data = load ptr, ptr %f""")
for number in range(int(sys.argv[1])):
    print(f"""  %at.{number} = getelementptr i32, ptr %data, i64 {64 * number}
  %bits.{number} = load volatile i64, ptr %at.{number}
  %mask.{number} = bitcast i64 %bits.{number} to <64 x i1>
  %value.{number} = call <64 x i32> @llvm.masked.load.v64i32.p0(ptr align 4 %at.{number}, <64 x i1> %mask.{number}, <64 x i32> zeroinitializer)
  %twice.{number} = add <64 x i32> %value.{number}, %value.{number}
  call void @llvm.masked.store.v64i32.p0(<64 x i32> %twice.{number}, ptr align 4 %at.{number}, <64 x i1> %mask.{number})""")
print("  ret void\n}")
