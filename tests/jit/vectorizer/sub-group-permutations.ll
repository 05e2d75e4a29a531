; Shuffles by numbers that vary: permutations within the registers that the target has instructions for, registers times
; registers of them; by way of memory where there are none, or where these would be more than accesses of lanes.
; RUN: falx-opt -mtriple=x86_64 -mcpu=icelake-server --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s --check-prefix=LARGE
; RUN: falx-opt -mtriple=x86_64 -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s --check-prefix=HALF
; RUN: falx-opt -mtriple=x86_64 -mcpu=nehalem --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s --check-prefix=QUARTER
; RUN: sed 's/"falx-sub-group-size"="16"/"falx-sub-group-size"="32"/' %s | falx-opt -mtriple=x86_64 -mcpu=nehalem \
; RUN:   --passes=falx-lower-builtins,falx-vectorize -S | FileCheck %s --check-prefix=MEMORY32
; RUN: falx-opt -mtriple=x86_64 -mcpu=x86-64 --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s --check-prefix=MEMORY
; RUN: sed 's/store i32 %y/store i64 %y/; s/%at = getelementptr i32/%at = getelementptr i64/; s/%x = load i32/%x = load i64/; s/%y = call i32 @__falx_sub_group_shuffle_u32(i32 %x/%y = call i64 @__falx_sub_group_shuffle_u64(i64 %x/; s/declare i32 @__falx_sub_group_shuffle_u32(i32,/declare i64 @__falx_sub_group_shuffle_u64(i64,/' %s \
; RUN:   | falx-opt -mtriple=x86_64 -mcpu=haswell --passes=falx-lower-builtins,falx-vectorize -S | FileCheck %s --check-prefix=WIDE

declare i64 @__falx_local_id_x()
declare i32 @__falx_sub_group_shuffle_u32(i32, i32) convergent

; One register's elements.
; LARGE: %[[AT:.*]] = and <16 x i32> %number, splat (i32 15)
; LARGE: %[[N:.*]] = extractelement <16 x i32> %[[AT]], i64 0
; LARGE: %[[V:.*]] = extractelement <16 x i32> %x, i32 %[[N]]
; LARGE: insertelement <16 x i32> poison, i32 %[[V]], i64 0
; LARGE-NOT: shufflevector
; LARGE-NOT: alloca

; Each half of the lanes from each half of the values.
; HALF: %[[AT:.*]] = and <16 x i32> %number, splat (i32 15)
; HALF: %[[LOW:.*]] = shufflevector <16 x i32> %[[AT]], <16 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; HALF: %[[BIT:.*]] = and <8 x i32> %[[LOW]], splat (i32 8)
; HALF: %[[UPPER:.*]] = icmp ne <8 x i32> %[[BIT]], zeroinitializer
; HALF: %[[WITHIN:.*]] = and <8 x i32> %[[LOW]], splat (i32 7)
; HALF: %[[N:.*]] = extractelement <8 x i32> %[[WITHIN]], i64 0
; HALF: extractelement <8 x i32> %{{.*}}, i32 %[[N]]
; HALF: select <8 x i1> %[[UPPER]], <8 x i32> %{{.*}}, <8 x i32> %{{.*}}
; HALF: %[[HIGH:.*]] = shufflevector <16 x i32> %[[AT]], <16 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; HALF: select <8 x i1>
; HALF-NOT: alloca

; QUARTER-COUNT-12: select <4 x i1> %{{.*}}, <4 x i32>
; QUARTER-NOT: select <4 x i1> %{{.*}}, <4 x i32>

; MEMORY32: %permuted = alloca <32 x i32>
; MEMORY: %permuted = alloca <16 x i32>
; MEMORY: %[[AT:.*]] = and <16 x i32> %number, splat (i32 15)
; MEMORY: call void @llvm.lifetime.start.p0(ptr %permuted)
; MEMORY: store <16 x i32> %x, ptr %permuted
; MEMORY: %[[N:.*]] = extractelement <16 x i32> %[[AT]], i64 15
; MEMORY: %[[PLACE:.*]] = getelementptr i32, ptr %permuted, i32 %[[N]]
; MEMORY: %[[V:.*]] = load i32, ptr %[[PLACE]]
; MEMORY: insertelement <16 x i32> %{{.*}}, i32 %[[V]], i64 15
; MEMORY: call void @llvm.lifetime.end.p0(ptr %permuted)

; Values of 64 bits as halves of 32.
; WIDE: %[[PARTS:.*]] = bitcast <16 x i64> %x to <32 x i32>
; WIDE: shufflevector <32 x i32> %[[PARTS]], <32 x i32> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16,
; WIDE: extractelement <8 x i32>
; WIDE: shufflevector <32 x i32> %[[PARTS]], <32 x i32> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17,
; WIDE: bitcast <32 x i32> %{{.*}} to <16 x i64>
define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="16" {
  %id = call i64 @__falx_local_id_x()
  %data = load ptr, ptr %f
  %number.at = getelementptr i32, ptr %data, i64 %id
  %number = load i32, ptr %number.at
  %at = getelementptr i32, ptr %data, i64 %id
  %x = load i32, ptr %at
  %y = call i32 @__falx_sub_group_shuffle_u32(i32 %x, i32 %number)
  store i32 %y, ptr %at
  ret void
}
