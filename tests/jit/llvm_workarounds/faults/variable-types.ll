; LLVM by itself, no code of Falx. If this fails, LLVM no longer has the fault, and jit/targets/ptx/variable_types may go.
;
; PTX has integers of 8, 16, 32, 64 and 128 bits. A variable of another number of bits is declared with a type that is none.
; RUN: llc -mtriple=nvptx64 -mcpu=sm_70 %s -o - | FileCheck %s

; CHECK: .u48 value
@value = addrspace(1) global i48 7
