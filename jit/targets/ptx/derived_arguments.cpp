// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define ptx_kernel void @kernel(ptr byval([24 x i8]) %function, ptr byval([48 x i8]) %launch) {
//     %n = load i32, ptr %function
//     %q = udiv i32 %i, %n                           ; 0 <= %i
// After:
//   !falx.derived_arguments = !{!{!"function:32:0 half_multiplier:32 result:32
//                                   function:32:0 half_shift:32 result:32"}}
//   define ptx_kernel void @kernel(ptr byval([24 x i8]) %function, ptr byval([48 x i8]) %launch,
//                                  ptr byval([8 x i8]) %derived) {
//     %m = load i32, ptr %derived
//     %s = load i32, ptr %derived + 4
//     %t = shl nuw i32 %i, 1
//     %h = (zext %t * zext %m) >> 32                 ; mul.hi
//     %q = lshr i32 %h, %s
//
// What only depends on the launch is the same for all of its work-items: the host computes once what is slow,
// quotients, remainders and roots with what they are of, and passes the results. Of an integer division of
// other numbers by such a one it passes the multiplier and the shift that a division by a constant would
// have.

#include "derived_arguments_abi.hpp"
#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"
#include "ptx_abi.hpp"
#include "ptx_ir.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <string>

using namespace llvm;
using falx::ptx::derived_operation;

namespace falx::jit {
namespace {

/// Instructions for the host, one after the other.
struct host_code {
  std::string text;
  unsigned instructions = 0;
  /// Is it worth a parameter?
  bool is_slow = false;
};

std::string word(derived_operation operation, unsigned bits, std::optional<std::uint64_t> number = {}) {
  const std::string_view name = ptx::form_of(operation).word;
  return (Twine(" ") + StringRef(name.data(), name.size()) + ":" + Twine(bits) +
          (number ? ":" + Twine(*number) : Twine()))
      .str();
}

bool is_host_type(const Type& type) {
  return type.isIntegerTy(8) || type.isIntegerTy(16) || type.isIntegerTy(32) || type.isIntegerTy(64) ||
         type.isFloatTy() || type.isDoubleTy();
}

unsigned bits_of(const Type& type) {
  return static_cast<unsigned>(type.getPrimitiveSizeInBits().getFixedValue());
}
unsigned bits_of(const Value& value) {
  return bits_of(*value.getType());
}

bool is_division(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return (instruction.getType()->isIntegerTy(32) || instruction.getType()->isIntegerTy(64)) &&
           !isa<Constant>(instruction.getOperand(1));
  default:
    return false;
  }
}

std::optional<derived_operation> operation_of(const BinaryOperator& operation) {
  switch (operation.getOpcode()) {
  case Instruction::Add:
    return derived_operation::add;
  case Instruction::Sub:
    return derived_operation::subtract;
  case Instruction::Mul:
    return derived_operation::multiply;
  case Instruction::UDiv:
    return derived_operation::unsigned_divide;
  case Instruction::SDiv:
    return derived_operation::signed_divide;
  case Instruction::URem:
    return derived_operation::unsigned_remainder;
  case Instruction::SRem:
    return derived_operation::signed_remainder;
  case Instruction::Shl:
    return derived_operation::shift_left;
  case Instruction::LShr:
    return derived_operation::logical_shift_right;
  case Instruction::AShr:
    return derived_operation::arithmetic_shift_right;
  case Instruction::And:
    return derived_operation::bit_and;
  case Instruction::Or:
    return derived_operation::bit_or;
  case Instruction::Xor:
    return derived_operation::bit_xor;
  case Instruction::FAdd:
    return derived_operation::float_add;
  case Instruction::FSub:
    return derived_operation::float_subtract;
  case Instruction::FMul:
    return derived_operation::float_multiply;
  case Instruction::FDiv:
    return derived_operation::float_divide;
  default:
    return std::nullopt;
  }
}

std::optional<derived_operation> operation_of(const IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::umin:
    return derived_operation::unsigned_minimum;
  case Intrinsic::umax:
    return derived_operation::unsigned_maximum;
  case Intrinsic::smin:
    return derived_operation::signed_minimum;
  case Intrinsic::smax:
    return derived_operation::signed_maximum;
  case Intrinsic::sqrt:
    return derived_operation::float_square_root;
  default:
    return std::nullopt;
  }
}

/// What the host can compute, and how.
class host_computations {
public:
  explicit host_computations(bool flushes_denormals) : flushes_denormals_(flushes_denormals) {}

  /// Null if \p value also depends on other things than the launch, or the host does not compute it.
  const host_code* of(const Value& value) {
    const auto found = known_.find(&value);
    if (found != known_.end())
      return found->second ? &*found->second : nullptr;
    std::optional<host_code> code = find(value);
    if (code && code->instructions > ptx::MOST_DERIVED_OPERANDS)
      code.reset();
    std::optional<host_code>& kept = known_[&value] = std::move(code);
    return kept ? &*kept : nullptr;
  }

private:
  static std::optional<host_code> leaf(std::string text) { return host_code{std::move(text), 1, false}; }

  std::optional<host_code> find(const Value& value) {
    const Type& type = *value.getType();
    if (!is_host_type(type) || (type.isFloatTy() && flushes_denormals_))
      return std::nullopt;
    if (const auto* number = dyn_cast<ConstantInt>(&value))
      return leaf(word(derived_operation::constant, bits_of(value), number->getZExtValue()));
    if (const auto* number = dyn_cast<ConstantFP>(&value))
      return leaf(word(derived_operation::constant, bits_of(value),
                       number->getValueAPF().bitcastToAPInt().getZExtValue()));
    if (const auto* load = dyn_cast<LoadInst>(&value))
      return find_load(*load);
    if (isa<FreezeInst>(&value))
      return find_operation(cast<Instruction>(value), "", /*is_slow=*/false);
    if (const auto* operation = dyn_cast<BinaryOperator>(&value)) {
      const std::optional<derived_operation> its = operation_of(*operation);
      const bool is_slow = is_division(*operation) ||
                           (operation->getOpcode() == Instruction::FDiv && !is_approximate(*operation));
      return its ? find_operation(*operation, word(*its, bits_of(value)), is_slow) : std::nullopt;
    }
    if (const auto* call = dyn_cast<IntrinsicInst>(&value)) {
      const std::optional<derived_operation> its = operation_of(*call);
      return its ? find_operation(*call, word(*its, bits_of(value)),
                                  call->getIntrinsicID() == Intrinsic::sqrt && !is_approximate(*call))
                 : std::nullopt;
    }
    if (const auto* negation = dyn_cast<UnaryOperator>(&value);
        negation != nullptr && negation->getOpcode() == Instruction::FNeg)
      return find_operation(*negation, word(derived_operation::float_negate, bits_of(value)), false);
    if (const auto* cast_of = dyn_cast<CastInst>(&value))
      return find_cast(*cast_of);
    return std::nullopt;
  }

  static std::optional<host_code> find_load(const LoadInst& load) {
    APInt offset;
    const auto* parameter = dyn_cast<Argument>(base_of(load, offset));
    if (parameter == nullptr || !load.isSimple())
      return std::nullopt;
    const std::uint64_t begin = offset.getZExtValue();
    const std::uint64_t size = load.getDataLayout().getTypeAllocSize(parameter->getParamByValType());
    if (begin > size || size - begin < bits_of(load) / 8)
      return std::nullopt;
    return leaf(word(parameter->getArgNo() == FUNCTION_OBJECT ? derived_operation::function
                                                              : derived_operation::launch,
                     bits_of(load), begin));
  }

  std::optional<host_code> find_operation(const Instruction& instruction, const std::string& last,
                                          bool is_slow) {
    host_code code{"", last.empty() ? 0u : 1u, is_slow};
    const unsigned operands =
        isa<CallInst>(instruction) ? cast<CallInst>(instruction).arg_size() : instruction.getNumOperands();
    for (unsigned i = 0; i < operands; ++i) {
      const host_code* operand = of(*instruction.getOperand(i));
      if (operand == nullptr)
        return std::nullopt;
      code.text += operand->text;
      code.instructions += operand->instructions;
      code.is_slow = code.is_slow || operand->is_slow;
    }
    code.text += last;
    return code;
  }

  std::optional<host_code> find_cast(const CastInst& cast) {
    const unsigned from = bits_of(*cast.getOperand(0)), to = bits_of(cast);
    const Type& source = *cast.getOperand(0)->getType();
    if (!is_host_type(source))
      return std::nullopt;
    switch (cast.getOpcode()) {
    case Instruction::ZExt: // which numbers on the stack are
      return find_operation(cast, "", false);
    case Instruction::Trunc:
      return find_operation(cast, word(derived_operation::truncate, to), false);
    case Instruction::SExt:
      return find_operation(
          cast, word(derived_operation::sign_extend, from) + word(derived_operation::truncate, to), false);
    case Instruction::FPExt:
      return find_operation(cast, word(derived_operation::float_extend, to), false);
    case Instruction::FPTrunc:
      return find_operation(cast, word(derived_operation::float_truncate, to), false);
    case Instruction::SIToFP:
    case Instruction::UIToFP: {
      if (from < 32)
        return std::nullopt;
      const bool is_signed = cast.getOpcode() == Instruction::SIToFP;
      const derived_operation narrow =
          is_signed ? derived_operation::float_of_signed_32 : derived_operation::float_of_unsigned_32;
      const derived_operation wide =
          is_signed ? derived_operation::float_of_signed_64 : derived_operation::float_of_unsigned_64;
      return find_operation(cast, word(from == 32 ? narrow : wide, to), false);
    }
    default:
      return std::nullopt;
    }
  }

  const bool flushes_denormals_;
  DenseMap<const Value*, std::optional<host_code>> known_;
};

/// The third parameter. Loads from it are made from a stand-in, until it is known how large it is.
class derived_parameter {
public:
  derived_parameter(Function& entry, std::uint64_t most)
      : entry_(entry), most_(most), builder_(&*entry.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()),
        stand_in_(new Argument(builder_.getPtrTy(), "derived")) {}
  ~derived_parameter() { stand_in_->deleteValue(); }
  derived_parameter(const derived_parameter&) = delete;

  bool is_empty() const { return size_ == 0; }
  bool has_room_for(unsigned results, const Type& type) const {
    const std::uint64_t bytes = bits_of(type) / 8;
    return alignTo(size_, bytes) + results * bytes <= most_;
  }

  /// The number of \p type that the host computes by \p code.
  Value* get(const std::string& code, Type* type) {
    LoadInst*& load = loads_[code];
    if (load != nullptr)
      return load;
    const std::uint64_t bytes = bits_of(*type) / 8, offset = alignTo(size_, bytes);
    size_ = offset + bytes;
    text_ += code + word(derived_operation::result, bits_of(*type));
    load = builder_.CreateAlignedLoad(
        type, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), stand_in_, offset), Align(bytes));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder_.getContext(), {}));
    load->setMetadata(LLVMContext::MD_noundef, MDNode::get(builder_.getContext(), {}));
    return load;
  }

  /// Makes it a parameter of a function in the place of the entry.
  void add() {
    LLVMContext& context = entry_.getContext();
    SmallVector<Type*, 3> types(entry_.getFunctionType()->params());
    types.push_back(builder_.getPtrTy());
    Function* entry = Function::Create(FunctionType::get(entry_.getReturnType(), types, false),
                                       entry_.getLinkage(), "", entry_.getParent());
    entry->copyAttributesFrom(&entry_);
    describe_by_value(*entry, DERIVED_ARGUMENTS, size_, Align(8));
    entry->copyMetadata(&entry_, 0);
    entry->splice(entry->begin(), &entry_);
    for (Argument& argument : entry_.args()) {
      Argument* const its = entry->getArg(argument.getArgNo());
      its->takeName(&argument);
      argument.replaceAllUsesWith(its);
    }
    entry->getArg(DERIVED_ARGUMENTS)->setName("derived");
    stand_in_->replaceAllUsesWith(entry->getArg(DERIVED_ARGUMENTS));
    entry->takeName(&entry_);
    entry_.replaceAllUsesWith(entry);
    entry_.eraseFromParent();
    NamedMDNode* list = entry->getParent()->getOrInsertNamedMetadata(DERIVED_ARGUMENTS_METADATA);
    list->addOperand(MDNode::get(context, MDString::get(context, text_)));
  }

private:
  Function& entry_;
  const std::uint64_t most_;
  IRBuilder<> builder_;
  Argument* const stand_in_;
  std::uint64_t size_ = 0;
  std::string text_;
  StringMap<LoadInst*> loads_;
};

Value* multiply_high(IRBuilder<>& builder, Value* a, Value* b) {
  Type* const type = a->getType();
  Type* const wide = builder.getIntNTy(2 * type->getIntegerBitWidth());
  Value* product = builder.CreateNUWMul(builder.CreateZExt(a, wide), builder.CreateZExt(b, wide));
  return builder.CreateTrunc(builder.CreateLShr(product, type->getIntegerBitWidth()), type);
}

/// A division by what the host knows. One of 64 bits is computed with 32 where the dividend has no more: a
/// divisor that has is as good as another one above it.
class invariant_division {
public:
  invariant_division(BinaryOperator& division, const host_code& divisor, derived_parameter& parameter,
                     const SimplifyQuery& query)
      : division_(division), parameter_(parameter), query_(query), builder_(&division),
        type_(division.getType()),
        is_signed_(division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem),
        dividend_(division.getOperand(0)), divisor_(division.getOperand(1)),
        is_below_half_(isKnownNonNegative(dividend_, query)), has_sign_(is_signed_ && !is_below_half_),
        divisor_has_sign_(is_signed_ && !isKnownNonNegative(divisor_, query)), code_(divisor.text) {
    if (divisor_has_sign_)
      code_ += word(derived_operation::absolute, bits());
    if (bits() == 32 || !has_small_dividend())
      return;
    const std::uint64_t above = is_below_half_ ? std::uint64_t{1} << 31 : std::uint32_t(-1);
    code_ += word(derived_operation::constant, 64, above) + word(derived_operation::unsigned_minimum, 64);
    type_ = builder_.getInt32Ty();
  }

  bool fits() const { return parameter_.has_room_for(MOST_RESULTS, *type_); }

  Value* make() {
    Value* const dividend = make_dividend();
    // The absolute value of the least number is one, too, as there are no signs then.
    Value* const x =
        has_sign_ ? builder_.CreateBinaryIntrinsic(Intrinsic::abs, dividend, builder_.getFalse()) : dividend;
    Value* const quotient = is_below_half_ ? quotient_of_half(x) : quotient_of_any(x);
    const bool is_remainder =
        division_.getOpcode() == Instruction::URem || division_.getOpcode() == Instruction::SRem;
    Value* const result =
        builder_.CreateZExt(is_remainder ? remainder(x, quotient) : quotient, division_.getType());
    Value* const sign = is_remainder ? sign_of(dividend, has_sign_) : sign_of_quotient(dividend);
    return sign != nullptr ? builder_.CreateSub(builder_.CreateXor(result, sign), sign) : result;
  }

private:
  /// Multiplier, shift or shifts, and the divisor's absolute value.
  static constexpr unsigned MOST_RESULTS = 4;

  unsigned bits() const { return type_->getIntegerBitWidth(); }

  bool has_small_dividend() const {
    constexpr unsigned HALF = 32;
    return has_sign_ ? ComputeNumSignBits(dividend_, query_.DL, query_.AC, query_.CxtI, query_.DT) > HALF
                     : is_below_half_ && computeKnownBits(dividend_, query_).countMinLeadingZeros() > HALF;
  }

  /// With as many bits as the quotient is computed with. Each of its uses has to see the same number.
  Value* make_dividend() {
    Value* x = dividend_;
    if (const auto* extension = dyn_cast<CastInst>(x);
        extension != nullptr && extension->isIntegerCast() && extension->getSrcTy() == type_)
      x = extension->getOperand(0);
    x = builder_.CreateTrunc(x, type_);
    return isGuaranteedNotToBeUndefOrPoison(x, query_.AC, query_.CxtI, query_.DT) ? x
                                                                                  : builder_.CreateFreeze(x);
  }

  Value* derived(const std::string& words) { return parameter_.get(code_ + words, type_); }
  Value* derived(derived_operation operation) { return derived(word(operation, bits())); }
  /// Which PTX takes as a number of 32 bits.
  Value* derived_shift(const std::string& words) {
    return builder_.CreateZExt(parameter_.get(code_ + words, builder_.getInt32Ty()), type_);
  }

  Value* quotient_of_half(Value* x) {
    Value* const high = multiply_high(builder_, builder_.CreateShl(x, 1, "", /*HasNUW=*/true),
                                      derived(derived_operation::half_multiplier));
    return builder_.CreateLShr(high, derived_shift(word(derived_operation::half_shift, bits())));
  }

  Value* quotient_of_any(Value* x) {
    const std::string shift = word(derived_operation::whole_shift, bits());
    const std::string one = word(derived_operation::constant, bits(), 1);
    const std::string first = shift + one + word(derived_operation::unsigned_minimum, bits());
    const std::string second = shift + one + word(derived_operation::unsigned_maximum, bits()) + one +
                               word(derived_operation::subtract, bits());
    Value* const high = multiply_high(builder_, x, derived(derived_operation::whole_multiplier));
    Value* const rest = builder_.CreateLShr(builder_.CreateNUWSub(x, high), derived_shift(first));
    return builder_.CreateLShr(builder_.CreateNUWAdd(rest, high), derived_shift(second));
  }

  Value* remainder(Value* x, Value* quotient) {
    const bool is_there = is_captured(*divisor_) && !divisor_has_sign_ && divisor_->getType() == type_;
    return builder_.CreateSub(x, builder_.CreateMul(quotient, is_there ? divisor_ : derived("")));
  }

  /// 0 or -1; null if there is none.
  Value* sign_of(Value* value, bool has_sign) {
    return has_sign
               ? builder_.CreateSExt(builder_.CreateAShr(value, value->getType()->getIntegerBitWidth() - 1),
                                     division_.getType())
               : nullptr;
  }
  Value* sign_of_quotient(Value* dividend) {
    if (has_sign_ && divisor_has_sign_ && dividend->getType() == divisor_->getType())
      return sign_of(builder_.CreateXor(dividend, divisor_), true);
    Value* const left = sign_of(dividend, has_sign_);
    Value* const right = sign_of(divisor_, divisor_has_sign_);
    return left != nullptr && right != nullptr ? builder_.CreateXor(left, right)
           : left != nullptr                   ? left
                                               : right;
  }

  BinaryOperator& division_;
  derived_parameter& parameter_;
  const SimplifyQuery query_;
  IRBuilder<> builder_;
  /// Which the quotient is computed with.
  Type* type_;
  const bool is_signed_;
  Value *const dividend_, *const divisor_;
  const bool is_below_half_, has_sign_, divisor_has_sign_;
  /// Of the divisor, or its absolute value.
  std::string code_;
};

/// Is \p value needed where the host does not compute the user, either?
bool is_result(const Instruction& value, host_computations& host) {
  return any_of(value.uses(), [&](const Use& use) {
    const auto& user = *cast<Instruction>(use.getUser());
    const bool is_divisor = is_division(user) && use.getOperandNo() == 1;
    return host.of(user) == nullptr && !is_divisor;
  });
}

} // namespace

void derive_arguments::change(Function& entry, FunctionAnalysisManager& analyses) {
  if (entry.arg_size() != DERIVED_ARGUMENTS ||
      !all_of(entry.args(), [](const Argument& argument) { return argument.hasByValAttr(); }))
    return; // which tests have
  const kernel_attributes attributes = kernel_attributes::read(entry);
  const std::uint64_t captured =
      entry.getDataLayout().getTypeAllocSize(entry.getParamByValType(FUNCTION_OBJECT));
  const std::uint64_t room = alignDown(ptx::max_function_bytes(attributes.ptx) - captured, 8);
  derived_parameter parameter(entry, std::min<std::uint64_t>(room, ptx::MOST_DERIVED_BYTES));
  host_computations host(attributes.flushes_denormals);
  const SimplifyQuery query(entry.getDataLayout(), &analyses.getResult<DominatorTreeAnalysis>(entry),
                            &analyses.getResult<AssumptionAnalysis>(entry));
  SmallVector<BinaryOperator*> divisions;
  SmallVector<Instruction*> results;
  for (Instruction& instruction : instructions(entry)) {
    if (const host_code* const own = host.of(instruction)) {
      if (own->is_slow && is_result(instruction, host))
        results.push_back(&instruction);
      continue;
    }
    if (is_division(instruction) && host.of(*instruction.getOperand(1)) != nullptr)
      divisions.push_back(cast<BinaryOperator>(&instruction));
  }
  SmallVector<std::pair<Instruction*, Value*>> replaced;
  for (Instruction* result : results)
    if (parameter.has_room_for(1, *result->getType()))
      replaced.emplace_back(result, parameter.get(host.of(*result)->text, result->getType()));
  for (BinaryOperator* division : divisions) {
    invariant_division by_host(*division, *host.of(*division->getOperand(1)), parameter,
                               query.getWithInstruction(division));
    if (by_host.fits())
      replaced.emplace_back(division, by_host.make());
  }
  if (parameter.is_empty())
    return;
  for (const auto& [old, value] : replaced)
    old->replaceAllUsesWith(value);
  SmallVector<WeakTrackingVH> dead;
  for (const auto& [old, value] : replaced)
    dead.emplace_back(old);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  parameter.add();
}

} // namespace falx::jit
