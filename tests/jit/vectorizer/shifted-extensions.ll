; InstCombine extends an index of 32 bits and multiplies it by the size of an element in two shifts. Numbers within a block have
; one sign, so their addresses follow each other; others may go from the largest to the smallest number.
; RUN: falx-opt --passes="falx-index-ranges,falx-lower-builtins,function(instcombine),falx-vectorize-range" -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(
; CHECK: %up = shl i64 %{{.*}}, 32
; CHECK: %bytes = ashr i64 %up, 30
; CHECK: %at = getelementptr i8, ptr %data, i64 %bytes
; CHECK: %x = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 4 %at
; CHECK: ashr {{.*}}<4 x i64>
; CHECK: call <4 x float> @llvm.masked.gather
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" "falx-no-offset" {
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %row = and i64 %id, -64
  %next = add i64 %row, 2147483648
  %column = and i64 %id, 63
  %index = or disjoint i64 %next, %column
  %up = shl i64 %index, 32
  %bytes = ashr exact i64 %up, 30
  %at = getelementptr i8, ptr %data, i64 %bytes
  %x = load float, ptr %at
  %after = add i64 %index, 1
  %after.up = shl i64 %after, 32
  %after.bytes = ashr exact i64 %after.up, 30
  %after.at = getelementptr i8, ptr %data, i64 %after.bytes
  %y = load float, ptr %after.at
  %sum = fadd float %x, %y
  store float %sum, ptr %at
  ret void
}
