// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %token = call i64 @__falx_async_barrier_arrive(ptr %state)
//   call void @__falx_async_barrier_wait(ptr %state, i64 %token)
// After:
//   %token = call i64 @falx.async_barrier.arrive(ptr %state, i64 1, i64 0, ptr %links, ptr %ready)
//   %waits = call i1 @falx.async_barrier.join(ptr %state, i64 %token, ptr %links, i32 %self)
//   br i1 %waits, label %suspended, label %behind
// suspended:
//   call void @falx.suspend.wait()           ; split_barriers cuts here
//   br label %behind
//
// A thread runs all work-items of a group, so a barrier's state is plain memory. Its 64 bits, lowest first:
// 20 of pending arrivals, 20 of those that the next cycle expects, 12 of the cycle's number, and 12 of the
// last work-item in the list of those that wait. A token is the state before the arrival: what counts is the
// cycle, which with 12 bits is never mistaken for the current or the previous one. The arrival that completes
// a cycle puts the list behind those that can run, so waking costs the same for one work-item and for all.
//
// A test that fails lets the others run, once, and looks again: a program that polls until it succeeds
// would otherwise never end.

#include "async_barriers.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

static constexpr unsigned COUNT_BITS = 20, EXPECTED_AT = 20, CYCLE_AT = 40, CYCLE_BITS = 12, LAST_AT = 52;

bool is_async_barrier_builtin(StringRef name) {
  return name.consume_front("async_barrier_") &&
         is_contained({"initialize", "invalidate", "arrive", "arrive_and_drop", "arrive_no_complete",
                       "arrive_and_drop_no_complete", "arrive_after_copies", "arrive_after_copies_no_inc",
                       "wait", "test"},
                      name);
}

/// The rest of the name of __falx_async_barrier_*; empty if \p instruction calls none.
static StringRef async_barrier_builtin(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  StringRef name = callee != nullptr ? callee->getName() : "";
  return name.consume_front("__falx_async_barrier_") ? name : "";
}

bool has_async_barriers(const Function& work_item) {
  return any_of(instructions(work_item),
                [](const Instruction& each) { return !async_barrier_builtin(each).empty(); });
}

scheduling reserve_scheduling(kernel_attributes& attributes, Function& work_item) {
  Type* number = Type::getInt32Ty(work_item.getContext());
  const auto reserve = [&] {
    return reserve_context(attributes, work_item.getDataLayout(), number, Align(4));
  };
  return {reserve(), reserve(), reserve()};
}

namespace {

/// Field \p at of a state, \p bits wide.
Value* field(IRBuilder<>& builder, Value* state, unsigned at, unsigned bits, const Twine& name) {
  Value* shifted = at == 0 ? state : builder.CreateLShr(state, at);
  return at + bits == 64 ? shifted : builder.CreateAnd(shifted, (1ULL << bits) - 1, name);
}

Value* with_field(IRBuilder<>& builder, Value* state, Value* value, unsigned at) {
  return builder.CreateOr(state, builder.CreateShl(value, at));
}

/// The functions that the builtins become.
class async_barrier_functions {
public:
  explicit async_barrier_functions(Module& module) : module_(module), builder_(module.getContext()) {}
  /// i64 (ptr state, i64 arrivals, i64 dropped, ptr links, ptr ready): the token.
  Function* arrive();
  /// i1 (ptr state, i64 token, ptr links, i32 self): true if the cycle is not complete, and the work-item now
  /// in the barrier's list.
  Function* join();

private:
  Function* begin(StringRef name, Type* result, ArrayRef<Type*> parameters, ArrayRef<StringRef> names);
  BasicBlock* block(const Twine& name) {
    return BasicBlock::Create(builder_.getContext(), name, builder_.GetInsertBlock()->getParent());
  }
  Value* link_of(Value* links, Value* number);
  LoadInst* load(Value* address, const Twine& name) {
    return builder_.CreateAlignedLoad(builder_.getInt32Ty(), address, Align(4), name);
  }
  void store(Value* value, Value* address) { builder_.CreateAlignedStore(value, address, Align(4)); }

  Module& module_;
  IRBuilder<> builder_;
};

} // namespace

Function* async_barrier_functions::begin(StringRef name, Type* result, ArrayRef<Type*> parameters,
                                         ArrayRef<StringRef> names) {
  Function* function = Function::Create(FunctionType::get(result, parameters, false),
                                        GlobalValue::InternalLinkage, name, module_);
  function->addFnAttr(Attribute::NoUnwind);
  for (const auto& [index, parameter] : enumerate(names))
    function->getArg(unsigned(index))->setName(parameter);
  builder_.SetInsertPoint(BasicBlock::Create(builder_.getContext(), "entry", function));
  return function;
}

Value* async_barrier_functions::link_of(Value* links, Value* number) {
  Value* index = builder_.CreateZExt(builder_.CreateSub(number, builder_.getInt32(1)), builder_.getInt64Ty());
  return builder_.CreateInBoundsGEP(builder_.getInt32Ty(), links, index);
}

Function* async_barrier_functions::arrive() {
  constexpr StringRef NAME = "falx.async_barrier.arrive";
  if (Function* made = module_.getFunction(NAME))
    return made;
  Type *word = builder_.getInt64Ty(), *pointer = builder_.getPtrTy();
  Function* function = begin(NAME, word, {pointer, word, word, pointer, pointer},
                             {"state", "arrivals", "dropped", "links", "ready"});
  Value *state = function->getArg(0), *links = function->getArg(3), *ready = function->getArg(4);
  Value* before = builder_.CreateAlignedLoad(word, state, Align(8), "before");
  Value* pending = builder_.CreateSub(field(builder_, before, 0, COUNT_BITS, "pending"), function->getArg(1));
  Value* expected =
      builder_.CreateSub(field(builder_, before, EXPECTED_AT, COUNT_BITS, "expected"), function->getArg(2));
  Value* cycle = field(builder_, before, CYCLE_AT, CYCLE_BITS, "cycle");
  Value* last = field(builder_, before, LAST_AT, 64 - LAST_AT, "last");
  BasicBlock *completes = block("completes"), *goes_on = block("goes.on"), *wakes = block("wakes"),
             *alone = block("alone"), *behind = block("behind"), *done = block("done");
  builder_.CreateCondBr(builder_.CreateIsNull(pending), completes, goes_on);

  builder_.SetInsertPoint(goes_on);
  Value* rest = builder_.CreateAnd(before, ~((1ULL << CYCLE_AT) - 1));
  rest = with_field(builder_, builder_.CreateOr(rest, pending), expected, EXPECTED_AT);
  builder_.CreateAlignedStore(rest, state, Align(8));
  builder_.CreateRet(before);

  builder_.SetInsertPoint(completes);
  Value* next_cycle =
      builder_.CreateAnd(builder_.CreateAdd(cycle, builder_.getInt64(1)), (1ULL << CYCLE_BITS) - 1);
  Value* next =
      with_field(builder_, with_field(builder_, expected, expected, EXPECTED_AT), next_cycle, CYCLE_AT);
  builder_.CreateAlignedStore(next, state, Align(8));
  builder_.CreateCondBr(builder_.CreateIsNull(last), done, wakes);

  // Two cycles become one when the successors of their last members change places.
  builder_.SetInsertPoint(wakes);
  Value* woken = builder_.CreateTrunc(last, builder_.getInt32Ty(), "woken");
  Value* before_them = load(ready, "before.them");
  store(woken, ready);
  builder_.CreateCondBr(builder_.CreateIsNull(before_them), alone, behind);
  builder_.SetInsertPoint(alone);
  builder_.CreateRet(before);
  builder_.SetInsertPoint(behind);
  Value *end_of_ready = link_of(links, before_them), *end_of_woken = link_of(links, woken);
  Value *first_ready = load(end_of_ready, "first.ready"), *first_woken = load(end_of_woken, "first.woken");
  store(first_woken, end_of_ready);
  store(first_ready, end_of_woken);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
  builder_.CreateRet(before);
  return function;
}

Function* async_barrier_functions::join() {
  constexpr StringRef NAME = "falx.async_barrier.join";
  if (Function* made = module_.getFunction(NAME))
    return made;
  Type *word = builder_.getInt64Ty(), *pointer = builder_.getPtrTy(), *number = builder_.getInt32Ty();
  Function* function = begin(NAME, builder_.getInt1Ty(), {pointer, word, pointer, number},
                             {"state", "token", "links", "self"});
  Value *state = function->getArg(0), *links = function->getArg(2), *self = function->getArg(3);
  Value* before = builder_.CreateAlignedLoad(word, state, Align(8), "before");
  Value* difference = builder_.CreateXor(before, function->getArg(1));
  Value* is_over = builder_.CreateIsNotNull(field(builder_, difference, CYCLE_AT, CYCLE_BITS, "cycles"));
  BasicBlock *over = block("over"), *waits = block("waits"), *first = block("first"), *more = block("more"),
             *joined = block("joined");
  builder_.CreateCondBr(is_over, over, waits);
  builder_.SetInsertPoint(over);
  builder_.CreateRet(builder_.getFalse());

  builder_.SetInsertPoint(waits);
  Value* last = builder_.CreateTrunc(field(builder_, before, LAST_AT, 64 - LAST_AT, "last"), number);
  Value* mine = link_of(links, self);
  builder_.CreateCondBr(builder_.CreateIsNull(last), first, more);
  builder_.SetInsertPoint(first);
  store(self, mine);
  builder_.CreateBr(joined);
  builder_.SetInsertPoint(more);
  Value* end = link_of(links, last);
  store(load(end, "head"), mine);
  store(self, end);
  builder_.CreateBr(joined);
  builder_.SetInsertPoint(joined);
  Value* rest = builder_.CreateAnd(before, (1ULL << LAST_AT) - 1);
  Value* after = with_field(builder_, rest, builder_.CreateZExt(self, word), LAST_AT);
  builder_.CreateAlignedStore(after, state, Align(8));
  builder_.CreateRet(builder_.getTrue());
  return function;
}

namespace {

/// Expands the calls of one work-item function.
class async_barrier_expansion {
public:
  async_barrier_expansion(Function& work_item, const kernel_attributes& attributes, const scheduling& lists)
      : work_item_(work_item), attributes_(attributes), lists_(lists), functions_(*work_item.getParent()) {}
  void expand(CallInst& call, StringRef name);

private:
  Value* array(IRBuilder<>& builder, const context_slot& slot) {
    return context_array(builder, work_item_, context_count(builder, work_item_, attributes_), slot);
  }
  Value* arrive(CallInst& call, IRBuilder<>& builder, Value* arrivals, Value* dropped);
  void wait(CallInst& call, IRBuilder<>& builder);
  Value* test(CallInst& call, IRBuilder<>& builder);
  Value* is_complete(CallInst& call, IRBuilder<>& builder);
  void suspend(Instruction& before, StringRef how);

  Function& work_item_;
  const kernel_attributes& attributes_;
  const scheduling& lists_;
  async_barrier_functions functions_;
};

} // namespace

Value* async_barrier_expansion::arrive(CallInst& call, IRBuilder<>& builder, Value* arrivals,
                                       Value* dropped) {
  const auto count = [&](Value* number) { return builder.CreateZExtOrTrunc(number, builder.getInt64Ty()); };
  return builder.CreateCall(functions_.arrive(), {call.getArgOperand(0), count(arrivals), count(dropped),
                                                  array(builder, lists_.link), array(builder, lists_.ready)});
}

void async_barrier_expansion::suspend(Instruction& before, StringRef how) {
  FunctionCallee marker =
      work_item_.getParent()->getOrInsertFunction(how, Type::getVoidTy(work_item_.getContext()));
  IRBuilder<>(&before).CreateCall(marker);
}

void async_barrier_expansion::wait(CallInst& call, IRBuilder<>& builder) {
  Value* self = builder.CreateTrunc(argument(work_item_, parameter::linear), builder.getInt32Ty());
  self = builder.CreateAdd(self, builder.getInt32(1), "self");
  Value* waits = builder.CreateCall(
      functions_.join(), {call.getArgOperand(0), call.getArgOperand(1), array(builder, lists_.link), self});
  suspend(*SplitBlockAndInsertIfThen(waits, call.getIterator(), /*Unreachable=*/false), SUSPEND_AT_WAIT);
}

Value* async_barrier_expansion::is_complete(CallInst& call, IRBuilder<>& builder) {
  Value* state = builder.CreateAlignedLoad(builder.getInt64Ty(), call.getArgOperand(0), Align(8), "state");
  Value* difference = builder.CreateXor(state, call.getArgOperand(1));
  return builder.CreateIsNotNull(field(builder, difference, CYCLE_AT, CYCLE_BITS, "cycles"), "complete");
}

Value* async_barrier_expansion::test(CallInst& call, IRBuilder<>& builder) {
  Value* at_once = is_complete(call, builder);
  BasicBlock* head = call.getParent();
  Instruction* end =
      SplitBlockAndInsertIfThen(builder.CreateNot(at_once), call.getIterator(), /*Unreachable=*/false);
  suspend(*end, SUSPEND_AND_YIELD);
  builder.SetInsertPoint(end);
  Value* later = is_complete(call, builder);
  builder.SetInsertPoint(&call);
  PHINode* answer = PHINode::Create(builder.getInt1Ty(), 2, "complete", call.getParent()->begin());
  answer->addIncoming(builder.getTrue(), head);
  answer->addIncoming(later, end->getParent());
  return builder.CreateZExtOrTrunc(answer, call.getType());
}

void async_barrier_expansion::expand(CallInst& call, StringRef name) {
  IRBuilder<> builder(&call);
  Value *one = builder.getInt64(1), *none = builder.getInt64(0);
  Value* result = nullptr;
  if (name == "initialize") {
    Value* count = builder.CreateZExt(call.getArgOperand(1), builder.getInt64Ty());
    builder.CreateAlignedStore(with_field(builder, count, count, EXPECTED_AT), call.getArgOperand(0),
                               Align(8));
  } else if (name == "invalidate") {
    builder.CreateAlignedStore(none, call.getArgOperand(0), Align(8));
  } else if (name == "arrive") {
    result = arrive(call, builder, one, none);
  } else if (name == "arrive_and_drop") {
    result = arrive(call, builder, one, one);
  } else if (name == "arrive_no_complete") {
    result = arrive(call, builder, call.getArgOperand(1), none);
  } else if (name == "arrive_and_drop_no_complete") {
    result = arrive(call, builder, call.getArgOperand(1), call.getArgOperand(1));
  } else if (name == "arrive_after_copies_no_inc") {
    // Copies of a work-item are complete when the next instruction runs.
    arrive(call, builder, one, none);
  } else if (name == "wait") {
    wait(call, builder);
  } else if (name == "test") {
    result = test(call, builder);
  } else {
    // arrive_after_copies: the arrival that it adds is made at once.
    assert(name == "arrive_after_copies");
  }
  if (result != nullptr)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void expand_async_barriers(Function& work_item, const kernel_attributes& attributes,
                           const scheduling& lists) {
  SmallVector<CallInst*, 16> calls;
  for (Instruction& instruction : instructions(work_item))
    if (!async_barrier_builtin(instruction).empty())
      calls.push_back(cast<CallInst>(&instruction));
  async_barrier_expansion expansion(work_item, attributes, lists);
  for (CallInst* call : calls)
    expansion.expand(*call, async_barrier_builtin(*call));
  assert(!has_async_barriers(work_item) && "a builtin of asynchronous barriers is left");
}

} // namespace falx::jit
