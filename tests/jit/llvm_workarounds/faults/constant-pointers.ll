; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and jit/llvm_workarounds/constant_pointers may go.
;
; InferAddressSpaces puts no operand where a phi of global memory had an address that is made of a constant.
; RUN: not --crash opt -mtriple=nvptx64-nvidia-cuda --passes=infer-address-spaces -disable-output %s 2>&1 | FileCheck %s
; CHECK: Operand is null
; CHECK: phi ptr addrspace(1) {{.*}}<null operand!>

define ptx_kernel void @kernel(ptr addrspace(1) %global, i64 %step) {
entry:
  %data = addrspacecast ptr addrspace(1) %global to ptr
  br label %loop
loop:
  %at = phi ptr [ %data, %entry ], [ %next, %loop ]
  %x = load volatile i8, ptr %at
  %next = getelementptr i8, ptr null, i64 %step
  br label %loop
}
