; Small kernels have everything inlined. A large one shares what is large, called often and uses no builtins; and
; takes and returns no vectors, which lanes cannot pass one by one. What it copies several times is brought into shape
; before: loops are gone.
; RUN: split-file %s %t
; RUN: cat %t/large.ll %t/common.ll | falx-opt --passes=falx-prepare,falx-simplify -S - | FileCheck %s --check-prefix=LARGE
; RUN: cat %t/small.ll %t/common.ll | falx-opt --passes=falx-prepare,falx-simplify -S - | FileCheck %s --check-prefix=SMALL

; LARGE-NOT: define {{.*}}@add(
; LARGE-NOT: define {{.*}}@hundred_with_id(
; LARGE-NOT: define {{.*}}@hundred_wanted(
; LARGE-NOT: define {{.*}}@eighty_of_vectors(
; LARGE-LABEL: define void @kernel(
; LARGE-COUNT-8: load volatile i32
; LARGE-NOT: phi
; LARGE-NOT: call void @
; LARGE: call void @eighty(
; LARGE: call i64 @__falx_global_id_x()
; LARGE: define {{.*}}@eighty(
; LARGE-NOT: define

; SMALL-NOT: define
; SMALL: define void @kernel(
; SMALL: phi i32
; SMALL-NOT: call void @
; SMALL-NOT: define

; What the program calls cold stays a function where calls cost little, unless it uses builtins.
; RUN: cat %t/cold.ll %t/common.ll | falx-opt --passes=falx-prepare,falx-keep-cold-functions,falx-simplify -S - | FileCheck %s --check-prefix=COLD
; RUN: cat %t/cold.ll %t/common.ll | falx-opt --passes=falx-prepare,falx-simplify -S - | FileCheck %s --check-prefix=SMALL
; COLD-LABEL: define void @kernel(
; COLD: call void @seldom(
; COLD-NOT: call void @
; COLD: call i64 @__falx_global_id_x()
; COLD: define {{.*}}@seldom(
; COLD-NOT: define

;--- cold.ll
define void @kernel(ptr %f) "falx-kind"="2" {
  %p = load ptr, ptr %f
  %first = call i32 @sum_of_four(ptr %p)
  %second = call i32 @sum_of_four(ptr %p)
  store volatile i32 %first, ptr %p
  store volatile i32 %second, ptr %p
  call void @seldom(ptr %p)
  call void @seldom_with_id(ptr %p)
  call void @seldom_of_vectors(ptr %p, <2 x i64> zeroinitializer)
  ret void
}
define internal void @seldom_of_vectors(ptr %p, <2 x i64> %v) cold {
  store <2 x i64> %v, ptr %p
  ret void
}
define internal void @seldom(ptr %p) cold {
  call void @add(ptr %p)
  ret void
}
define internal void @seldom_with_id(ptr %p) cold {
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr i64, ptr %p, i64 %id
  call void @add(ptr %at)
  ret void
}

;--- large.ll
define void @kernel(ptr %f) "falx-kind"="2" {
  %p = load ptr, ptr %f
  %first = call i32 @sum_of_four(ptr %p)
  %second = call i32 @sum_of_four(ptr %p)
  store volatile i32 %first, ptr %p
  store volatile i32 %second, ptr %p
  call void @eight_times_eighty(ptr %p)
  call void @eight_times_eighty(ptr %p)
  call void @eight_times_eighty(ptr %p)
  call void @eight_times_eighty(ptr %p)
  call void @eight_times_eighty(ptr %p)
  call void @hundred_with_id(ptr %p)
  call void @hundred_with_id(ptr %p)
  call void @hundred_wanted(ptr %p)
  call void @hundred_wanted(ptr %p)
  %v = call { <2 x float>, <2 x float> } @eighty_of_vectors(ptr %p)
  %w = call { <2 x float>, <2 x float> } @eighty_of_vectors(ptr %p)
  store { <2 x float>, <2 x float> } %v, ptr %p
  store { <2 x float>, <2 x float> } %w, ptr %p
  ret void
}
;--- small.ll
define void @kernel(ptr %f) "falx-kind"="2" {
  %p = load ptr, ptr %f
  %first = call i32 @sum_of_four(ptr %p)
  %second = call i32 @sum_of_four(ptr %p)
  store volatile i32 %first, ptr %p
  store volatile i32 %second, ptr %p
  call void @eight_times_eighty(ptr %p)
  call void @hundred_wanted(ptr %p)
  ret void
}
;--- common.ll
declare i64 @__falx_global_id_x()
define internal i32 @sum_of_four(ptr %p) {
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %n.next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %sum.next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %n
  %value = load volatile i32, ptr %at
  %sum.next = add i32 %sum, %value
  %n.next = add i32 %n, 1
  %again = icmp ult i32 %n.next, 4
  br i1 %again, label %loop, label %end
end:
  ret i32 %sum.next
}
define internal void @eight_times_eighty(ptr %p) {
  call void @eighty(ptr %p)
  call void @eighty(ptr %p)
  call void @eighty(ptr %p)
  call void @eighty(ptr %p)
  call void @eighty(ptr %p)
  call void @eighty(ptr %p)
  call void @eighty(ptr %p)
  call void @eighty(ptr %p)
  ret void
}
define internal void @eighty(ptr %p) {
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  ret void
}
define internal { <2 x float>, <2 x float> } @eighty_of_vectors(ptr %p) {
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  %v = load { <2 x float>, <2 x float> }, ptr %p
  ret { <2 x float>, <2 x float> } %v
}
define internal void @add(ptr %p) {
  %old = load volatile i64, ptr %p
  %new = add i64 %old, 1
  store volatile i64 %new, ptr %p
  ret void
}
define internal void @hundred_wanted(ptr %p) alwaysinline {
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  ret void
}
define internal void @hundred_with_id(ptr %p) {
  %id = call i64 @__falx_global_id_x()
  store volatile i64 %id, ptr %p
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  call void @add(ptr %p)
  ret void
}
