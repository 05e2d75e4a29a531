; Every pass alone in LLVM's opt: none crashes.
; RUN: %python %root/tests/check_passes.py --plugin %build/lib/libfalx-passes.so %s

; What a pass takes is checked before it runs, in opt and falx-opt; the sentence says what to run before it.
; DEFINE: %{opt} = opt -load-pass-plugin=%build/lib/libfalx-passes.so -disable-output %s
; RUN: not %{opt} -passes=falx-target-attributes 2>&1 | FileCheck %s --check-prefix=MACHINE
; MACHINE: error: falx-target-attributes needs a target machine: run it in falx-opt, with -mtriple and -mcpu
; RUN: not %{opt} '-passes=falx-cpu<lanes=8>' 2>&1 | FileCheck %s --check-prefix=CPU
; CPU: falx-cpu<lanes=8> needs a target machine: run it in falx-opt, with -mtriple and -mcpu of a CPU
; RUN: falx-opt -mtriple=x86_64-linux-gnu -mcpu=haswell --passes=falx-target-attributes %s | FileCheck %s --check-prefix=HASWELL
; HASWELL: "target-cpu"="haswell"
; RUN: not falx-opt --passes=falx-vectorize %s 2>&1 | FileCheck %s --check-prefix=ITEM
; ITEM: error: falx-vectorize takes a work-item function: run falx-lower-builtins before it
; RUN: not falx-opt --passes=falx-lower-builtins,falx-kernel-function %s 2>&1 | FileCheck %s --check-prefix=BODY
; BODY: error: falx-kernel-function takes a work-item function, a vector of them for a range with sub-groups
; RUN: not falx-opt --passes=falx-ptx-builtins %s 2>&1 | FileCheck %s --check-prefix=ENTRY
; ENTRY: error: falx-ptx-builtins takes an entry of PTX: run falx-ptx-entry before it
; RUN: not falx-opt --passes=falx-lower-builtins,falx-ptx-entry %s 2>&1 | FileCheck %s --check-prefix=DEVICE
; DEVICE: error: falx-ptx-entry takes device code, whose kernel has one parameter
; RUN: sed -e 's/(ptr dereferenceable(8) %%f)/()/' -e 's/ptr %%f/ptr null/' %s | not falx-opt --passes=falx-captured-state 2>&1 | FileCheck %s --check-prefix=KERNEL
; KERNEL: error: falx-captured-state takes kernels that have a body and the address of their function object
declare i64 @__falx_global_id_x()

define void @kernel(ptr dereferenceable(8) %f) "falx-kind"="1" "falx-dimensions"="1" "falx-sub-group-size"="8" {
  %data = load ptr, ptr %f
  %id = call i64 @__falx_global_id_x()
  %at = getelementptr float, ptr %data, i64 %id
  store float 1.0, ptr %at
  ret void
}
