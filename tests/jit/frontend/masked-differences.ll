; 2 * x - (x & m) as a sum, which says how large it is: so the address below is computed with 64 bits.
; RUN: falx-opt --passes=falx-simplify -S %s | FileCheck %s

declare range(i64 0, 512) i64 @__falx_local_id_x() nounwind memory(none)

; CHECK-LABEL: define void @kernel(
; CHECK-DAG: %[[ID:.*]] = {{.*}}call i64 @__falx_local_id_x()
; CHECK-DAG: %[[OTHERS:.*]] = sub i32 0, %distance
; CHECK-DAG: %[[WIDE:.*]] = zext i32 %[[OTHERS]] to i64
; CHECK: %[[HIGH:.*]] = and i64 %[[ID]], %[[WIDE]]
; CHECK: getelementptr {{.*}}i64 %[[HIGH]]
; The double has the flags that the sum may keep; a negative one would not be less without some bits.
; CHECK-DAG: %[[X:.*]] = load volatile i32, ptr %p
; CHECK-DAG: %[[M:.*]] = xor i32 %m, -1
; CHECK-DAG: %[[XM:.*]] = and i32 %[[X]], %[[M]]
; CHECK-DAG: %shifted{{[0-9]*}} = add nuw i32 %[[X]], %[[XM]]
; CHECK-DAG: %added{{[0-9]*}} = add i32 %[[X]], %{{[0-9]+$}}
; Not twice the same.
; CHECK: %three = mul i32 %[[X]], 3
; CHECK: sub i32 %three,
define void @kernel(ptr %f, i32 %distance, i32 %m) "falx-kind"="2" {
  %p = load ptr, ptr %f
  %id = call i64 @__falx_local_id_x()
  %x = trunc i64 %id to i32
  %double = mul i32 2, %x
  %mask = sub i32 %distance, 1
  %low = and i32 %x, %mask
  %at = sub i32 %double, %low
  %index = zext i32 %at to i64
  %place = getelementptr i32, ptr %p, i64 %index
  store i32 1, ptr %place

  %y = load volatile i32, ptr %p
  %y.low = and i32 %m, %y
  %y.shifted = shl nuw i32 %y, 1
  %shifted = sub i32 %y.shifted, %y.low
  store volatile i32 %shifted, ptr %p
  %y.added = add nsw i32 %y, %y
  %added = sub i32 %y.added, %y.low
  store volatile i32 %added, ptr %p
  %three = mul i32 %y, 3
  %not = sub i32 %three, %y.low
  store volatile i32 %not, ptr %p
  ret void
}
