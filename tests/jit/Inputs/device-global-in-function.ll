@__falx_device_global.0 = external global i64, align 8

define internal void @recursive(i64 %i) {
  store i64 %i, ptr @__falx_device_global.0
  call void @recursive(i64 %i)
  ret void
}

define void @kernel(ptr dereferenceable(8) %f, i64 %i) "falx-kind"="2" "falx-device-globals"="1" "falx-device-globals-offset"="8" {
  call void @recursive(i64 %i)
  ret void
}
