; A module has one kernel; with several, passes say so and change nothing.
; RUN: not falx-opt --passes=falx-lower-builtins,falx-kernel-function %s 2>&1 | FileCheck %s
; CHECK: error: several functions have the attribute "falx-kind"
define void @first(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
  ret void
}
define void @second(ptr %f) "falx-kind"="1" "falx-dimensions"="1" {
  ret void
}
