; The function object is { ptr data, i64 count }, data[i] starts as i.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define weak_odr void @kernel(ptr dereferenceable(16) %object) #0 {
  %data = load ptr, ptr %object, align 8
  call void @f(ptr %data)
  call void @with_default(ptr %data)
  %at = getelementptr i32, ptr %data, i64 3
  %old = load i32, ptr %at, align 4
  %new = call i32 @value(i32 %old)
  store i32 %new, ptr %at, align 4
  ret void
}
define weak_odr void @other(ptr dereferenceable(16) %object) #0 {
  %data = load ptr, ptr %object, align 8
  call void @with_default(ptr %data)
  ret void
}

declare void @f(ptr) #1
define internal void @with_default(ptr %p) #1 {
  ret void
}
define internal i32 @value(i32 %x) #1 {
  ret i32 %x
}

; Both change data[0].
define internal void @g(ptr %p) #0 {
  %old = load i32, ptr %p, align 4
  %new = add i32 %old, 5
  store i32 %new, ptr %p, align 4
  ret void
}
define internal void @h(ptr %p) #0 {
  %old = load i32, ptr %p, align 4
  %new = mul i32 %old, 3
  store i32 %new, ptr %p, align 4
  ret void
}
define internal i32 @seven(i32 %x) #0 {
  ret i32 7
}
define internal i32 @once_more(i32 %x) #0 {
  %y = call i32 @value(i32 %x)
  ret i32 %y
}

attributes #0 = { nounwind }
attributes #1 = { nounwind "falx-dynamic" }
