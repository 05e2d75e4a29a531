; A loop of two entries, which a block of it branches to both of: each gets the value that comes along its own edge.
; RUN: falx-opt --passes=falx-lower-builtins,falx-vectorize -S %s | FileCheck %s

declare i64 @__falx_global_id_x()

; CHECK-LABEL: define internal void @kernel.work_item.lanes(

; CHECK: %done = icmp ugt <4 x i32> %[[Y:.*]], splat (i32 1000)
; CHECK: %tripled = mul <4 x i32> %[[Y]], splat (i32 3)
; CHECK: %halved = add <4 x i32> %[[Y]], splat (i32 7)
; CHECK: %[[X:.*]] = select <4 x i1> %{{.*}}, <4 x i32> %tripled, <4 x i32> %
; CHECK: %[[OLD:.*]] = select <4 x i1> %{{.*}}, <4 x i32> %halved, <4 x i32> poison
; CHECK: %sum = add <4 x i32> %[[X]], splat (i32 5)
; CHECK: select <4 x i1> %{{.*}}, <4 x i32> %sum, <4 x i32> %[[OLD]]
define void @kernel(ptr %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="4" {
entry:
  %id = call i64 @__falx_global_id_x()
  %data = load ptr, ptr %f
  %at = getelementptr i32, ptr %data, i64 %id
  %start = load i32, ptr %at
  %odd = trunc i32 %start to i1
  br i1 %odd, label %first, label %second

first:
  %x = phi i32 [ %start, %entry ], [ %tripled, %both ]
  %sum = add i32 %x, 5
  br label %second

second:
  %y = phi i32 [ 0, %entry ], [ %sum, %first ], [ %halved, %both ]
  %done = icmp ugt i32 %y, 1000
  br i1 %done, label %end, label %both

both:
  %tripled = mul i32 %y, 3
  %halved = add i32 %y, 7
  %which = icmp ult i32 %halved, 100
  br i1 %which, label %first, label %second

end:
  store i32 %y, ptr %at
  ret void
}
