// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the pointer %p goes that the kernel passes to @begin:
//   define internal void @begin(ptr %statement, ptr %p) cold {
//     store ptr %p, ptr %statement                   ; which all callers keep in a private variable,
//   define internal void @end(ptr %statement) cold {
//     %q = load ptr, ptr %statement                  ; so this may be it,
//     %at = getelementptr i8, ptr %statement, i64 8
//     %other = load ptr, ptr %at                     ; and this is not.
//
// A stream is such a pointer: what is written to it in one statement is collected in a variable that refers
// to it. What private variables hold is told by their offsets, whatever the order of stores and loads.

#include "pointer_flow.hpp"
#include "builtin_calls.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace falx::jit {

CallInst* as_forwarding_builtin(Value& value) {
  return builtin_name(value) == "atomic_scope" ? cast<CallInst>(&value) : nullptr;
}

/// The parameter that takes argument \p number of \p call; null if it is not known or a copy.
static Argument* parameter_of(const CallBase& call, unsigned number) {
  Function* callee = call.getCalledFunction();
  return callee != nullptr && !callee->isDeclaration() && number < callee->arg_size() &&
                 !call.isByValArgument(number)
             ? callee->getArg(number)
             : nullptr;
}

/// Calls of \p function; none if it has other uses, too.
static std::optional<SmallVector<CallBase*>> all_calls(Function& function) {
  SmallVector<CallBase*> calls;
  for (Use& use : function.uses()) {
    auto* call = dyn_cast<CallBase>(use.getUser());
    if (call == nullptr || !call->isCallee(&use))
      return std::nullopt;
    calls.push_back(call);
  }
  return calls;
}

static bool is_harmless(const CallBase& call) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
  return intrinsic != nullptr &&
         (intrinsic->isAssumeLikeIntrinsic() || intrinsic->getIntrinsicID() == Intrinsic::prefetch);
}

void pointer_flow::add(Value& pointer) {
  if (seen_.insert(&pointer).second)
    open_.push_back(&pointer);
}

void pointer_flow::pass(const CallBase& call, unsigned number) {
  passed_to_ = &call;
  if (Argument* parameter = parameter_of(call, number))
    add(*parameter);
  else
    may_write_ = true;
}

void pointer_flow::keep(const StoreInst& store) {
  offsets seen;
  may_write_ |= store.isVolatile() || !resolve(*const_cast<Value*>(store.getPointerOperand()), 0, seen);
}

void pointer_flow::follow() {
  while (!open_.empty() && !may_write_)
    for (Use& use : open_.pop_back_val()->uses())
      follow_use(use);
}

void pointer_flow::follow_use(Use& use) {
  auto* user = cast<Instruction>(use.getUser());
  if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(user) ||
      as_forwarding_builtin(*user) != nullptr)
    return add(*user);
  if (isa<LoadInst, ICmpInst>(user))
    return;
  if (auto* store = dyn_cast<StoreInst>(user);
      store != nullptr && use.getOperandNo() != StoreInst::getPointerOperandIndex())
    return keep(*store);
  if (isa<ReturnInst>(user)) {
    const std::optional<SmallVector<CallBase*>> calls = all_calls(*user->getFunction());
    may_write_ |= !calls;
    for (CallBase* call : calls.value_or(SmallVector<CallBase*>()))
      if (call == passed_to_)
        is_returned_ = true;
      else
        add(*call);
    return;
  }
  auto* call = dyn_cast<CallBase>(user);
  if (call == nullptr || !call->isArgOperand(&use)) {
    may_write_ = true;
    return;
  }
  const unsigned number = call->getArgOperandNo(&use);
  if (is_harmless(*call) || (isa<MemTransferInst>(call) && number == 1) || call->isByValArgument(number) ||
      (call->onlyReadsMemory(number) && call->doesNotCapture(number)))
    return;
  if (Argument* parameter = parameter_of(*call, number))
    add(*parameter);
  else
    may_write_ = true;
}

/// The pointer that is followed is stored at \p at behind \p pointer. Is it known which private variables
/// that may be? Then it is read from there.
bool pointer_flow::resolve(Value& pointer, offset at, offsets& seen) {
  if (auto* variable = dyn_cast<AllocaInst>(&pointer)) {
    const pointers_into* pointers = find_pointers(*variable);
    if (pointers != nullptr)
      read_back(*pointers, at);
    return pointers != nullptr;
  }
  if (auto* address = dyn_cast<GetElementPtrInst>(&pointer)) {
    APInt step(layout_.getIndexTypeSizeInBits(address->getType()), 0);
    if (!address->getType()->isPointerTy())
      return false;
    const bool is_known = at && address->accumulateConstantOffset(layout_, step);
    return resolve(*address->getPointerOperand(), is_known ? offset(*at + step.getSExtValue()) : std::nullopt,
                   seen);
  }
  // Loops and recursion may come back with other offsets.
  if (const auto [before, is_first] = seen.insert({&pointer, at}); !is_first) {
    if (!before->second || before->second == at)
      return true;
    before->second = at = std::nullopt;
  }
  const auto resolve_all = [&](auto&& values) {
    return all_of(values, [&](Value* value) { return resolve(*value, at, seen); });
  };
  if (auto* phi = dyn_cast<PHINode>(&pointer))
    return resolve_all(phi->incoming_values());
  if (auto* select = dyn_cast<SelectInst>(&pointer))
    return resolve_all(ArrayRef{select->getTrueValue(), select->getFalseValue()});
  SmallVector<Value*> sources;
  if (auto* parameter = dyn_cast<Argument>(&pointer); parameter != nullptr && !parameter->hasByValAttr()) {
    const std::optional<SmallVector<CallBase*>> calls = all_calls(*parameter->getParent());
    for (CallBase* call : calls.value_or(SmallVector<CallBase*>()))
      sources.push_back(call->getArgOperand(parameter->getArgNo()));
  } else if (auto* call = dyn_cast<CallInst>(&pointer);
             call != nullptr && call->getCalledFunction() != nullptr) {
    for (BasicBlock& block : *call->getCalledFunction())
      if (auto* result = dyn_cast<ReturnInst>(block.getTerminator()))
        sources.push_back(result->getReturnValue());
  }
  return !sources.empty() && resolve_all(sources);
}

/// All pointers into \p variable, in all functions; null if some may be where they cannot be followed.
const pointer_flow::pointers_into* pointer_flow::find_pointers(AllocaInst& variable) {
  const auto [known, is_new] = variables_.insert({&variable, {}});
  pointers_into& found = known->second;
  if (!is_new)
    return found.empty() ? nullptr : &found;
  found.insert({&variable, 0});
  // Entries that are found a second time, at another offset, are followed again.
  SmallVector<Value*> open = {&variable};
  while (!open.empty()) {
    Value* pointer = open.pop_back_val();
    for (Use& use : pointer->uses()) {
      pointers_into next;
      if (!add_pointers_of_use(use, found.lookup(pointer), next)) {
        found.clear();
        return nullptr;
      }
      for (const auto& [value, at] : next) {
        const auto [entry, is_first] = found.insert({value, at});
        if (!is_first && (!entry->second || entry->second == at))
          continue;
        if (!is_first)
          entry->second = std::nullopt;
        open.push_back(value);
      }
    }
  }
  return &found;
}

/// Adds what \p use makes of a pointer into a variable; false if that cannot be followed.
bool pointer_flow::add_pointers_of_use(Use& use, offset at, pointers_into& found) const {
  auto* user = cast<Instruction>(use.getUser());
  if (auto* address = dyn_cast<GetElementPtrInst>(user)) {
    APInt step(layout_.getIndexTypeSizeInBits(address->getType()), 0);
    const bool is_known = at && address->accumulateConstantOffset(layout_, step);
    found.insert({address, is_known ? offset(*at + step.getSExtValue()) : std::nullopt});
    return address->getType()->isPointerTy();
  }
  if (isa<PHINode, SelectInst, FreezeInst>(user)) {
    found.insert({user, at});
    return true;
  }
  if (auto* result = dyn_cast<ReturnInst>(user)) {
    const std::optional<SmallVector<CallBase*>> calls = all_calls(*result->getFunction());
    for (CallBase* call : calls.value_or(SmallVector<CallBase*>()))
      found.insert({call, at});
    return calls.has_value();
  }
  if (isa<StoreInst>(user))
    return use.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (isa<LoadInst, ICmpInst>(user))
    return true;
  auto* call = dyn_cast<CallBase>(user);
  if (call == nullptr || !call->isArgOperand(&use))
    return false;
  const unsigned number = call->getArgOperandNo(&use);
  if (is_harmless(*call) || isa<MemIntrinsic>(call))
    return true;
  Argument* parameter = parameter_of(*call, number);
  if (parameter != nullptr)
    found.insert({parameter, at});
  return parameter != nullptr;
}

/// What is loaded from \p at of a variable is the pointer; nothing else may take it from there.
void pointer_flow::read_back(const pointers_into& pointers, offset at) {
  const auto size = static_cast<std::int64_t>(layout_.getPointerSize());
  const auto overlaps = [&](offset other, std::int64_t length) {
    return !at || !other || (*other < *at + size && *at < *other + length);
  };
  for (const auto& [pointer, other] : pointers)
    for (User* user : pointer->users()) {
      if (auto* load = dyn_cast<LoadInst>(user)) {
        const TypeSize length = layout_.getTypeStoreSize(load->getType());
        if (load->getType()->isPointerTy() && overlaps(other, size))
          add(*load);
        else if (length.isScalable() ||
                 (at && other && overlaps(other, std::int64_t(length.getFixedValue()))))
          may_write_ = true; // it takes a part, or makes a number of it
      } else if (auto* copy = dyn_cast<MemTransferInst>(user);
                 copy != nullptr && copy->getSource() == pointer) {
        const auto* length = dyn_cast<ConstantInt>(copy->getLength());
        may_write_ |= length == nullptr || overlaps(other, length->getSExtValue());
      }
    }
}

} // namespace falx::jit
