define void @kernel(ptr dereferenceable(5000) align 8 %f) {
  %p = load ptr, ptr %f
  store i32 1, ptr %p
  ret void
}
