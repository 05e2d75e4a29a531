; A library of the form of libdevice's: what the program calls is always inlined, and calls functions that are not.
target triple = "nvptx64-nvidia-cuda"

define float @__nv_sinf(float %x) #0 {
  ret float %x
}

define double @__nv_sin(double %x) #0 {
  %large = fcmp ogt double %x, 1.0e9
  br i1 %large, label %slow, label %fast
slow:
  %reduced = call double @reduce(double %x)
  br label %fast
fast:
  %near = phi double [ %x, %0 ], [ %reduced, %slow ]
  ret double %near
}

define double @__nv_pow(double %x, double %y) #0 {
  %result = call double @accurate_pow(double %x, double %y)
  ret double %result
}

; Has an array in memory.
define internal double @reduce(double %x) #1 {
  %digits = alloca [5 x i64]
  %bits = bitcast double %x to i64
  store i64 %bits, ptr %digits
  %which = and i64 %bits, 3
  %digit = getelementptr i64, ptr %digits, i64 %which
  %number = load i64, ptr %digit
  %result = bitcast i64 %number to double
  ret double %result
}

define internal double @accurate_pow(double %x, double %y) #1 {
  %result = fmul double %x, %y
  ret double %result
}

attributes #0 = { alwaysinline nounwind }
attributes #1 = { noinline nounwind }
