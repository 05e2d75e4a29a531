declare ptr @__falx_specialization_constant(ptr)

define i32 @read(ptr %id) {
  %bytes = call ptr @__falx_specialization_constant(ptr %id)
  %value = load i32, ptr %bytes
  ret i32 %value
}
