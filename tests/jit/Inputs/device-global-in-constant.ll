@__falx_device_global.0 = external global i64, align 8
@__falx_device_global.1 = external global i64, align 8
@table = internal constant [2 x ptr] [ptr @__falx_device_global.0, ptr @__falx_device_global.1]

define void @kernel(ptr dereferenceable(8) %f, i64 %i) "falx-kind"="2" "falx-device-globals"="2" "falx-device-globals-offset"="8" {
  %at = getelementptr ptr, ptr @table, i64 %i
  %p = load ptr, ptr %at
  store i64 1, ptr %p
  ret void
}
