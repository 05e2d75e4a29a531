// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                            After:
//   call void @_ZSt20__throw_out_of_rangePKc(…)        call void @__assert_fail(
//   unreachable                                          ptr @"device code does not throw std::out_of_range",
//                                                        ptr @file, i32 line, ptr @function)
//                                                      unreachable
//   call void @__cxa_throw(…)                          call void @llvm.trap()
//   unreachable                                        unreachable
//   call void @std::__glibcxx_assert_fail(…)           call void @__assert_fail(…)
//   unreachable                                        unreachable
//
// Each target has __assert_fail, which says on standard error where a kernel ended.

#include "exceptions.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/Local.h"

namespace falx::device_code {

namespace {

/// "out_of_range" of _ZSt24__throw_out_of_range_fmtPKcz; empty for other functions.
llvm::StringRef exception_thrown_by(llvm::StringRef name) {
  // _ZSt<length>__throw_…; of libc++, _ZNSt3__1<length>__throw_…
  std::size_t length = 0;
  if (!(name.consume_front("_ZSt") || name.consume_front("_ZNSt3__1")) || name.consumeInteger(10, length))
    return {};
  name = name.take_front(length);
  if (!name.consume_front("__throw_"))
    return {};
  name.consume_back("_fmt");
  return name;
}

/// One per text and module, found by a name that is short however long the text is.
llvm::Constant* text_in(llvm::Module& module, const llvm::Twine& text) {
  const std::string characters = text.str();
  const std::string name = "falx.thrown." + llvm::utohexstr(llvm::xxh3_64bits(characters));
  llvm::Constant* value = llvm::ConstantDataArray::getString(module.getContext(), characters);
  if (llvm::GlobalVariable* known = module.getNamedGlobal(name);
      known != nullptr && known->getInitializer() == value)
    return known;
  auto* variable = new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                            llvm::GlobalValue::PrivateLinkage, value, name);
  variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  variable->setAlignment(llvm::Align(1));
  return variable;
}

/// void std::__glibcxx_assert_fail(const char* file, int line, const char* function, const char* condition)
bool is_library_assertion(llvm::StringRef name) {
  return name == "_ZSt21__glibcxx_assert_failPKciS0_S0_";
}

void fail_assertion(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> condition_file_line_function) {
  const llvm::FunctionCallee fail = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      "__assert_fail", builder.getVoidTy(), builder.getPtrTy(), builder.getPtrTy(), builder.getInt32Ty(),
      builder.getPtrTy());
  llvm::CallInst* end = builder.CreateCall(fail, condition_file_line_function);
  end->setDoesNotReturn();
  end->setDoesNotThrow();
}

void fail_as_thrown(llvm::IRBuilder<>& builder, const llvm::CallBase& call, llvm::StringRef exception) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const llvm::DILocation* place = call.getDebugLoc().get();
  const llvm::StringRef file = place != nullptr ? place->getFilename() : module.getSourceFileName();
  fail_assertion(builder, {text_in(module, "device code does not throw std::" + exception),
                           text_in(module, file), builder.getInt32(place != nullptr ? place->getLine() : 0),
                           text_in(module, llvm::demangle(call.getFunction()->getName().str()))});
}

} // namespace

bool starts_unwinding(llvm::StringRef name) {
  static constexpr llvm::StringLiteral RUNTIME_FUNCTIONS[] = {
      "__cxa_throw",
      "__cxa_rethrow",
      "__cxa_allocate_exception",
      "__cxa_bad_cast",
      "__cxa_bad_typeid",
      "_Unwind_Resume",
      "__cxa_throw_bad_array_new_length",
      "__cxa_begin_catch",
      "_ZSt9terminatev",
      "__clang_call_terminate",
      "__cxa_pure_virtual",
      "_ZNSt3__122__libcpp_verbose_abortEPKcz",
  };
  for (llvm::StringRef function : RUNTIME_FUNCTIONS)
    if (name == function)
      return true;
  return !exception_thrown_by(name).empty() || is_library_assertion(name);
}

void end_in_place_of(llvm::CallBase& call) {
  llvm::IRBuilder<> builder(&call);
  const llvm::StringRef name = call.getCalledFunction()->getName();
  const llvm::StringRef exception = exception_thrown_by(name);
  if (is_library_assertion(name))
    fail_assertion(builder, {call.getArgOperand(3), call.getArgOperand(0), call.getArgOperand(1),
                             call.getArgOperand(2)});
  else if (exception.empty())
    builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::trap, {});
  else
    fail_as_thrown(builder, call, exception);
  llvm::changeToUnreachable(&call);
}

} // namespace falx::device_code
