// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                            After:
//   call void @__assert_fail(ptr %expression,          call void @__assertfail(ptr %expression, ptr %file,
//       ptr %file, i32 %line, ptr %function)               i32 %line, ptr %function, i64 1)
//   unreachable                                        unreachable
//   call void @abort()                                 call void @llvm.trap()
//   unreachable                                        unreachable
//   %r = call i64 @div(i32 %a, i32 %b)                 quotient and remainder, in the form of the result
//   %c = call int @memcmp(ptr %a, ptr %b, i64 %n)      the same, defined
//   %n = call i32 @printf(ptr %format, i32 %i)         store i32 %i, ptr %memory
//                                                      call i32 @vprintf(ptr %format, ptr %memory)
//   %w = uitofp i128 %i to float                       %d = call double @falx_u128_to_double_for_less(…)
//                                                      %w = fptrunc double %d to float

#include "frontend/builtin_calls.hpp"
#include "frontend/library_linking.hpp"
#include "passes.hpp"
#include "pipeline/pass_failures.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <utility>

using namespace llvm;

namespace falx::jit {

static void lower_endings(Module& module) {
  replace_calls(module, "__assert_fail", [](CallInst& call, IRBuilder<>& builder) -> Value* {
    SmallVector<Value*, 5> arguments(call.args());
    arguments.push_back(builder.getInt64(1)); // bytes of a character
    call_function(builder, "__assertfail", builder.getVoidTy(), arguments);
    return nullptr;
  });
  for (StringRef name : {"abort", "exit", "_Exit", "quick_exit", "__assert_fail_base", "__chk_fail"})
    replace_calls(module, name, [](CallInst&, IRBuilder<>& builder) -> Value* {
      builder.CreateIntrinsic(Intrinsic::trap, {});
      return nullptr;
    });
}

namespace {

/// What an argument of h or hh is converted back to: a number of less bits.
struct narrowed_argument {
  unsigned index;
  unsigned bits;
  bool is_signed;
  bool operator==(const narrowed_argument& other) const {
    return index == other.index && bits == other.bits && is_signed == other.is_signed;
  }
};
/// A format as CUDA's vprintf knows it, whose lengths are h, l and ll alone (CUDA C++ Programming Guide,
/// formatted output): what follows another length would be read from the wrong place. Arguments that were
/// promoted are converted back here, so that h and hh need not be said.
struct printed_format {
  std::string text;
  SmallVector<narrowed_argument, 4> narrowed;
};

} // namespace

/// Nothing if the format has what C or CUDA do not know: such a format stays as it is.
static std::optional<printed_format> read_format(StringRef rest, ArrayRef<Value*> arguments) {
  const auto take_any_of = [&](StringRef characters) {
    const StringRef taken = rest.take_while([=](char c) { return characters.contains(c); });
    rest = rest.drop_front(taken.size());
    return taken;
  };
  printed_format known;
  for (std::size_t argument = 0; !rest.empty();) {
    known.text += rest.take_until([](char c) { return c == '%'; });
    rest = rest.drop_until([](char c) { return c == '%'; });
    if (!rest.consume_front("%"))
      break;
    const StringRef flags_and_sizes = take_any_of("-+ #0123456789.*");
    const StringRef length = take_any_of("hlLqjzt");
    if (rest.empty() || !StringRef("%diouxXcspaAeEfFgG").contains(rest.front()))
      return std::nullopt;
    const char conversion = rest.front();
    const bool is_integer = StringRef("diouxX").contains(conversion);
    rest = rest.drop_front();
    argument += flags_and_sizes.count('*');
    known.text += '%';
    known.text += flags_and_sizes;
    if (length.starts_with("h")) {
      if (is_integer && argument < arguments.size() && arguments[argument]->getType()->isIntegerTy(32))
        known.narrowed.push_back(
            {unsigned(argument), length == "hh" ? 8u : 16u, conversion == 'd' || conversion == 'i'});
    } else if (is_integer) {
      known.text += length == "q" || length == "j" || length == "z" || length == "t" ? "ll" : length;
    } else if (conversion == 's') {
      known.text += length;
    }
    known.text += conversion == 'F' ? 'f' : conversion;
    argument += conversion != '%';
  }
  return known;
}

/// The format that CUDA's vprintf gets for \p format, which may be one of two constants. What is not known
/// stays as it is.
static Value* known_format(IRBuilder<>& builder, Value* format, MutableArrayRef<Value*> arguments) {
  auto* choice = dyn_cast<SelectInst>(format);
  SmallVector<Value*, 2> formats{format};
  if (choice != nullptr)
    formats = {choice->getTrueValue(), choice->getFalseValue()};
  SmallVector<printed_format, 2> known;
  for (Value* each : formats) {
    StringRef original;
    if (!getConstantStringInfo(each, original))
      return format;
    std::optional<printed_format> read = read_format(original, arguments);
    if (!read || (!known.empty() && known.front().narrowed != read->narrowed))
      return format;
    known.push_back(std::move(*read));
  }
  for (const auto& [each, with] : zip(formats, known)) {
    StringRef original;
    if (getConstantStringInfo(each, original) && with.text != original)
      each = builder.CreateGlobalString(with.text);
  }
  for (const narrowed_argument& each : known.front().narrowed) {
    Value*& argument = arguments[each.index];
    Value* narrow = builder.CreateTrunc(argument, builder.getIntNTy(each.bits));
    argument = builder.CreateIntCast(narrow, argument->getType(), each.is_signed);
  }
  if (choice == nullptr)
    return formats.front();
  return builder.CreateSelect(choice->getCondition(), formats.front(), formats.back());
}

/// CUDA's vprintf takes the arguments in memory, as a structure of them would lie. Results are not counted.
static Value* print(IRBuilder<>& builder, Value* format, ArrayRef<Value*> arguments) {
  Function& function = *builder.GetInsertBlock()->getParent();
  SmallVector<Type*, 8> types;
  for (const Value* argument : arguments)
    types.push_back(argument->getType());
  StructType* type = StructType::get(builder.getContext(), types);
  BasicBlock& entry = function.getEntryBlock();
  AllocaInst* memory = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  for (const auto& [index, argument] : enumerate(arguments))
    builder.CreateStore(argument, builder.CreateStructGEP(type, memory, unsigned(index)));
  call_function(builder, "vprintf", builder.getInt32Ty(), {format, memory});
  return builder.getInt32(0);
}

static void lower_printing(Module& module) {
  replace_calls(module, "printf", [&](CallInst& call, IRBuilder<>& builder) {
    SmallVector<Value*, 8> arguments(drop_begin(call.args()));
    Value* format = known_format(builder, call.getArgOperand(0), arguments);
    return print(builder, format, arguments);
  });
  replace_calls(module, "puts", [&](CallInst& call, IRBuilder<>& builder) {
    return print(builder, builder.CreateGlobalString("%s\n"), {call.getArgOperand(0)});
  });
  replace_calls(module, "putchar", [&](CallInst& call, IRBuilder<>& builder) {
    return print(builder, builder.CreateGlobalString("%c"), {call.getArgOperand(0)});
  });
}

/// div and its kin, whose result is two numbers side by side: as one integer if that is how the host passes
/// them.
static void lower_divisions(Module& module) {
  for (StringRef name : {"div", "ldiv", "lldiv"})
    replace_calls(module, name, [](CallInst& call, IRBuilder<>& builder) {
      Value* quotient = builder.CreateSDiv(call.getArgOperand(0), call.getArgOperand(1));
      Value* remainder = builder.CreateSRem(call.getArgOperand(0), call.getArgOperand(1));
      Type* result = call.getType();
      Value* both = PoisonValue::get(result);
      if (result->isIntegerTy()) {
        const unsigned bits = quotient->getType()->getIntegerBitWidth();
        both = builder.CreateOr(builder.CreateZExt(quotient, result),
                                builder.CreateShl(builder.CreateZExt(remainder, result), bits));
      } else {
        both = builder.CreateInsertValue(builder.CreateInsertValue(both, quotient, 0), remainder, 1);
      }
      return both;
    });
}

/// By the library's functions, which know doubles and 128 bits.
static Value* convert_wide(CastInst& conversion) {
  IRBuilder<> builder(&conversion);
  Type *type = conversion.getType(), *exact = builder.getDoubleTy(), *wide = builder.getInt128Ty();
  Value* operand = conversion.getOperand(0);
  if (type->isIntegerTy()) {
    const StringRef name = isa<FPToSIInst>(conversion) ? "falx_double_to_s128" : "falx_double_to_u128";
    return builder.CreateTrunc(call_function(builder, name, wide, builder.CreateFPCast(operand, exact)),
                               type);
  }
  const bool is_signed = isa<SIToFPInst>(conversion);
  const StringRef name = is_signed ? "falx_s128_to_double" : "falx_u128_to_double";
  operand = builder.CreateIntCast(operand, wide, is_signed);
  return builder.CreateFPCast(
      call_function(builder, name + (type->isDoubleTy() ? "" : "_for_less"), exact, operand), type);
}

/// Between integers of 65 to 128 bits and floating point, of which LLVM's code generation makes calls that it
/// then does not know.
static void lower_wide_conversions(Function& function) {
  const auto is_wide = [](Type* type) { return type->isIntegerTy() && type->getIntegerBitWidth() > 64; };
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (isa<UIToFPInst, SIToFPInst, FPToUIInst, FPToSIInst>(instruction))
      if (auto& conversion = cast<CastInst>(instruction);
          is_wide(conversion.getSrcTy()) || is_wide(conversion.getDestTy()))
        replace_instruction(conversion, convert_wide(conversion));
}

static Error lower(Module& module) {
  lower_endings(module);
  lower_printing(module);
  lower_divisions(module);
  for (Function& function : module)
    lower_wide_conversions(function);
  return define_from_library(module, library::device);
}

PreservedAnalyses lower_library_calls::run(Module& module, ModuleAnalysisManager& analyses) {
  return report(lower(module), module, analyses);
}

} // namespace falx::jit
