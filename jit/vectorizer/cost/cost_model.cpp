// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost_model.hpp"
#include "access_costs.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "vectorizer/analysis/integer_divisions.hpp"
#include "vectorizer/analysis/lane_safety.hpp"
#include "vectorizer/emission/vector_calls.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

using namespace llvm;
using namespace llvm::PatternMatch;
using TTI = TargetTransformInfo;

namespace falx::jit::simd {

operation_cost& operation_cost::operator+=(const operation_cost& other) {
  vector += other.vector;
  memory += other.memory;
  issue += other.issue;
  latency += other.latency;
  return *this;
}

double processor_units::clocks(const operation_cost& cost) const {
  return std::max({cost.vector / vector, cost.memory / memory, cost.issue / issue});
}

static unsigned permuted_elements_of(const TargetMachine* machine) {
  constexpr struct {
    StringLiteral feature;
    unsigned elements;
  } PERMUTATIONS[] = {{"avx512f", 16}, {"avx", 8}, {"ssse3", 4}};
  if (machine != nullptr)
    for (const auto& [feature, elements] : PERMUTATIONS)
      if (has_x86_feature(*machine, feature))
        return elements;
  return 1;
}

static bool converts_unsigned(const TTI& target, LLVMContext& context) {
  auto* doubles = FixedVectorType::get(Type::getDoubleTy(context), 4);
  auto* integers = FixedVectorType::get(Type::getInt32Ty(context), 4);
  const auto cost = [&](unsigned opcode) {
    return target.getCastInstrCost(opcode, integers, doubles, TTI::CastContextHint::None,
                                   TTI::TCK_RecipThroughput);
  };
  return cost(Instruction::FPToUI) <= cost(Instruction::FPToSI);
}

cost_model::cost_model(const TargetMachine* machine, const Function& function, bool has_vector_math)
    : target_(machine != nullptr ? machine->getTargetTransformInfo(function) : TTI(function.getDataLayout())),
      permuted_elements_(permuted_elements_of(machine)),
      converts_unsigned_(simd::converts_unsigned(target_, function.getContext())),
      has_vector_math_(has_vector_math),
      has_mask_registers_(machine != nullptr && has_x86_feature(*machine, "avx512f")) {
  if (machine != nullptr)
    if (const MCSchedModel& model = machine->getMCSubtargetInfo()->getSchedModel(); model.IssueWidth > 1) {
      units_.issue = model.IssueWidth;
      units_.mispredicted = model.MispredictPenalty;
    }
  if (machine != nullptr && machine->getTargetTriple().isX86() && !has_x86_feature(*machine, "vaes"))
    division_ = OF_OLDER_PROCESSORS;
  auto* floats = FixedVectorType::get(Type::getFloatTy(function.getContext()), 4);
  registers_ = target_.getNumberOfRegisters(target_.getRegisterClassForType(/*Vector=*/true, floats));
  register_bits_ = std::max(LEAST_REGISTER_BITS,
                            unsigned(target_.getRegisterBitWidth(TTI::RGK_FixedWidthVector).getFixedValue()));
}

/// The elements of a value in memory order; pointers are numbers. Null if it is no scalar or vector.
static Type* element_type(Type& type) {
  Type* element = type.getScalarType();
  if (element->isPointerTy())
    return Type::getInt64Ty(type.getContext());
  return element->isIntegerTy() || element->isFloatingPointTy() ? element : nullptr;
}

static unsigned elements_of(const Type& type) {
  const auto* vector = dyn_cast<FixedVectorType>(&type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

/// Vectors of bits are masks, which have registers of their own or the width of what was compared.
static unsigned bits_of(const Type& element) {
  return std::max(8U, unsigned(PowerOf2Ceil(element.getScalarSizeInBits())));
}

unsigned cost_model::registers_of(Type& type, unsigned lanes) const {
  const Type* element = element_type(type);
  if (element == nullptr)
    return lanes;
  return unsigned(divideCeil(std::uint64_t(bits_of(*element)) * lanes * elements_of(type), register_bits_));
}

unsigned cost_model::mask_registers(LLVMContext& context, unsigned lanes) const {
  return has_mask_registers_ ? 0 : registers_of(*Type::getInt32Ty(context), lanes);
}

FixedVectorType* cost_model::register_type(Type& element, unsigned lanes) const {
  return FixedVectorType::get(&element, std::clamp(register_bits_ / bits_of(element), 1U, lanes));
}

static bool is_fused(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call != nullptr &&
         (call->getIntrinsicID() == Intrinsic::fma || call->getIntrinsicID() == Intrinsic::fmuladd);
}

/// LLVM's tables of latencies lack them: each takes as long as a product on all processors that have it.
static InstructionCost fused_latency(const TTI& target, Type& type) {
  return target.getArithmeticInstrCost(Instruction::FMul, &type, TTI::TCK_Latency);
}

operation_cost cost_model::of_scalar(const Instruction& instruction) const {
  operation_cost cost;
  if (isa<PHINode>(instruction) || instruction.isTerminator())
    return cost;
  const InstructionCost throughput = target_.getInstructionCost(&instruction, TTI::TCK_RecipThroughput);
  const InstructionCost latency = target_.getInstructionCost(&instruction, TTI::TCK_Latency);
  cost.issue = throughput.isValid() ? double(throughput.getValue()) : LANE_CALL;
  cost.latency = latency.isValid() ? double(latency.getValue()) : LANE_CALL;
  if (is_fused(instruction))
    cost.latency = double(fused_latency(target_, *instruction.getType()).getValue());
  if (instruction.getOpcode() == Instruction::Mul)
    cost.latency =
        std::min(cost.latency, isa<Constant>(instruction.getOperand(1)) ? FACTOR_LATENCY : PRODUCT_LATENCY);
  if (instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1))) {
    cost.latency = division_.latency;
    cost.issue = division_.throughput * units_.issue;
  }
  if (getLoadStorePointerOperand(&instruction) != nullptr)
    cost.memory = cost.issue;
  else if (instruction.getType()->isFloatingPointTy())
    cost.vector = cost.issue;
  return cost;
}

InstructionCost cost_model::of_intrinsic(const IntrinsicInst& call, unsigned lanes,
                                         TTI::TargetCostKind kind) const {
  Intrinsic::ID id = call.getIntrinsicID();
  auto* result = FixedVectorType::get(call.getType(), lanes);
  if (kind == TTI::TCK_Latency && is_fused(call))
    return fused_latency(target_, *result);
  // A conversion of the exponent and the instruction itself, which LLVM's costs do not know.
  if (id == Intrinsic::ldexp && call.getAttributes().hasFnAttr(VECTOR_INSTRUCTION))
    return 2 * target_.getArithmeticInstrCost(Instruction::FMul, result, kind);
  SmallVector<Type*, 4> types;
  for (const Use& argument : call.args())
    types.push_back(element_type(*argument->getType()) == nullptr ||
                            isVectorIntrinsicWithScalarOpAtArg(id, argument.getOperandNo(), nullptr)
                        ? argument->getType()
                        : FixedVectorType::get(argument->getType(), lanes));
  return target_.getIntrinsicInstrCost(IntrinsicCostAttributes(id, result, types), kind);
}

/// Of as many lanes as fill a register.
InstructionCost cost_model::of_register(const Instruction& instruction, unsigned lanes,
                                        TTI::TargetCostKind kind) const {
  const auto widened = [&](const Value* value) -> Type* {
    return FixedVectorType::get(element_type(*value->getType()), lanes);
  };
  const unsigned opcode = instruction.getOpcode();
  if (isa<BinaryOperator>(instruction) && isa<Constant>(instruction.getOperand(1))) // divisors above all
    return target_.getArithmeticInstrCost(opcode, widened(&instruction), kind,
                                          {TTI::OK_AnyValue, TTI::OP_None},
                                          TTI::getOperandInfo(instruction.getOperand(1)));
  if (isa<BinaryOperator, UnaryOperator>(instruction))
    return target_.getArithmeticInstrCost(opcode, widened(&instruction), kind);
  if (isa<GetElementPtrInst>(instruction))
    return target_.getArithmeticInstrCost(Instruction::Add, widened(&instruction), kind);
  if (const auto* compare = dyn_cast<CmpInst>(&instruction))
    return target_.getCmpSelInstrCost(opcode, widened(compare->getOperand(0)), widened(compare),
                                      compare->getPredicate(), kind);
  if (match(&instruction, m_LogicalOp()))
    return target_.getArithmeticInstrCost(Instruction::And, widened(&instruction), kind);
  if (const auto* select = dyn_cast<SelectInst>(&instruction))
    return target_.getCmpSelInstrCost(opcode, widened(select), widened(select->getCondition()),
                                      CmpInst::BAD_ICMP_PREDICATE, kind);
  if (const auto* cast = dyn_cast<CastInst>(&instruction)) {
    if (widened(cast) == widened(cast->getOperand(0)))
      return 0;
    return target_.getCastInstrCost(opcode, widened(cast), widened(cast->getOperand(0)),
                                    TTI::CastContextHint::None, kind);
  }
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction))
    return of_intrinsic(*call, lanes, kind);
  return 1;
}

/// The sign of an operand of a fused operation, which has a form with that sign.
static bool is_part_of_fused(const Instruction& instruction) {
  return instruction.getOpcode() == Instruction::FNeg &&
         all_of(instruction.users(), [](const User* user) { return is_fused(*cast<Instruction>(user)); });
}

operation_cost cost_model::of_vector(const Instruction& instruction, const lane_shapes& shapes,
                                     unsigned lanes) const {
  if (isa<PHINode, ExtractValueInst, InsertValueInst>(instruction) || instruction.isTerminator() ||
      is_part_of_fused(instruction))
    return {};
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  if (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
    return {};
  if (const auto* copy = dyn_cast<MemIntrinsic>(&instruction);
      copy != nullptr && isa<ConstantInt>(copy->getLength())) {
    const std::uint64_t bits = cast<ConstantInt>(copy->getLength())->getZExtValue() * 8 * lanes;
    const auto registers = double(divideCeil(bits, register_bits_));
    return {0, 2 * registers, 2 * registers, 0};
  }
  const auto lane_by_lane = [&] {
    return operation_cost{LANE_CALL * lanes * units_.vector, 0, LANE_CALL * lanes, LANE_CALL * lanes};
  };
  // The element that decides how many registers the operation has.
  Type* widest = element_type(*instruction.getType());
  const auto* any_call = dyn_cast<CallInst>(&instruction);
  for (const Use& operand : any_call != nullptr ? any_call->args() : instruction.operands())
    if (Type* element = element_type(*operand->getType());
        element != nullptr && (widest == nullptr || bits_of(*element) > bits_of(*widest)))
      widest = element;
  if (widest == nullptr || instruction.getOpcode() == Instruction::FRem)
    return lane_by_lane();
  lanes *= elements_of(*instruction.getType());
  const unsigned registers = registers_of(*widest, lanes);
  if (const auto* call = any_call) {
    if (has_vector_math_ && is_vector_math(*call))
      return {VECTOR_MATH_THROUGHPUT * registers * units_.vector, 0,
              VECTOR_MATH_THROUGHPUT * registers * units_.vector, VECTOR_MATH_LATENCY};
    if (!has_vector_form(*call) || call->getType()->isVoidTy() || call->getType()->isAggregateType())
      return lane_by_lane();
  }
  if (instruction.isIntDivRem() && !is_product_by_constant(instruction)) {
    const bool is_common = shapes[instruction.getOperand(1)].is_uniform();
    const double operations =
        registers * (is_common ? COMMON_DIVISION_THROUGHPUT : INTEGER_DIVISION_THROUGHPUT);
    return {operations, 0, operations, is_common ? COMMON_DIVISION_LATENCY : INTEGER_DIVISION_LATENCY};
  }
  const unsigned in_register = register_type(*widest, lanes)->getNumElements();
  const InstructionCost throughput = of_register(instruction, in_register, TTI::TCK_RecipThroughput);
  const InstructionCost latency = of_register(instruction, in_register, TTI::TCK_Latency);
  if (!throughput.isValid() || !latency.isValid())
    return lane_by_lane();
  const double clocks = double(throughput.getValue());
  if (instruction.getType()->isIntOrIntVectorTy(1) && !isa<CmpInst>(instruction))
    return of_masks(instruction.getContext(), clocks, lanes);
  return {registers * clocks, 0, registers * clocks, double(latency.getValue())};
}

operation_cost cost_model::of_masks(LLVMContext& context, double count, unsigned lanes) const {
  if (has_mask_registers_)
    return {0, 0, count, 1};
  const double operations = count * mask_registers(context, lanes);
  return {operations, 0, operations, 1};
}

operation_cost cost_model::of_blend(Type& type, unsigned lanes) const {
  Type* element = element_type(type);
  if (element == nullptr)
    return {};
  auto* vector = register_type(*element, lanes * elements_of(type));
  auto* mask = FixedVectorType::get(Type::getInt1Ty(type.getContext()), vector->getNumElements());
  const auto cost = [&](TTI::TargetCostKind kind) {
    return double(
        target_.getCmpSelInstrCost(Instruction::Select, vector, mask, CmpInst::BAD_ICMP_PREDICATE, kind)
            .getValue());
  };
  const double operations = registers_of(type, lanes) * cost(TTI::TCK_RecipThroughput);
  return {operations, 0, operations, cost(TTI::TCK_Latency)};
}

operation_cost cost_model::of_access(const Instruction& access, bool is_consecutive, unsigned lanes) const {
  Type& type = *getLoadStoreType(&access);
  Type* element = element_type(type);
  const bool is_load = isa<LoadInst>(access);
  const unsigned all = lanes * elements_of(type);
  if (element == nullptr)
    return {0, double(lanes), double(lanes), double(lanes)};
  if (is_consecutive) {
    const double registers = registers_of(type, lanes);
    const double latency = double(target_
                                      .getMemoryOpCost(access.getOpcode(), register_type(*element, all),
                                                       getLoadStoreAlignment(&access), 0, TTI::TCK_Latency)
                                      .getValue());
    return {0, registers, registers, latency};
  }
  const auto cost = [&](TTI::TargetCostKind kind) {
    const InstructionCost found = target_.getMemIntrinsicInstrCost(
        MemIntrinsicCostAttributes(is_load ? Intrinsic::masked_gather : Intrinsic::masked_scatter,
                                   FixedVectorType::get(element, all), getLoadStorePointerOperand(&access),
                                   /*VariableMask=*/false, getLoadStoreAlignment(&access)),
        kind);
    return found.isValid() ? double(found.getValue()) : LANE_CALL * all;
  };
  const double throughput = cost(TTI::TCK_RecipThroughput);
  const double latency = cost(TTI::TCK_Latency);
  if (access_costs(target_).has_scattered(is_load, *element, getLoadStoreAlignment(&access), all))
    return {0, throughput, throughput, latency};
  // Addresses are taken out of vectors, and what is loaded goes into a register one after the other: each
  // move takes a unit of vectors, and the way to or from memory.
  const InstructionCost one = target_.getMemoryOpCost(
      access.getOpcode(), element, getLoadStoreAlignment(&access), 0, TTI::TCK_RecipThroughput);
  return {std::max(throughput - all * double(one.getValue()), 0.0), throughput, throughput, latency};
}

bool cost_model::has_masked(const Instruction& access, bool is_scattered, unsigned lanes) const {
  Type* element = element_type(*getLoadStoreType(&access));
  if (element == nullptr)
    return true;
  const access_costs accesses(target_);
  return is_scattered
             ? accesses.has_scattered(isa<LoadInst>(access), *element, getLoadStoreAlignment(&access), lanes)
             : accesses.has_masks(access, lanes);
}

double cost_model::of_addresses(const Instruction& access, unsigned lanes) const {
  return access_costs(target_).of_addresses(access, lanes);
}

bool cost_model::is_within_registers(const Instruction& access, const lane_shape& shape, unsigned lanes,
                                     unsigned members) const {
  Type* type = getLoadStoreType(&access);
  const double bytes = double(access.getDataLayout().getTypeStoreSize(type)) * lanes;
  return double(std::abs(shape.stride)) < bytes / registers_of(*type, lanes) * members;
}

std::optional<operation_cost> cost_model::of_shuffles(const Instruction& access, unsigned lanes,
                                                      unsigned members,
                                                      const operation_cost& scattered) const {
  const double registers = registers_of(*getLoadStoreType(&access), lanes);
  // A step of the network for each time that members double.
  const double shuffles = registers * std::max(Log2_32_Ceil(members), 2U);
  if (scattered.memory <= 3 * registers || (shuffles >= scattered.vector && scattered.vector != 0))
    return std::nullopt;
  return operation_cost{shuffles, registers, shuffles + registers, scattered.latency};
}

bool is_product_by_constant(const Instruction& division) {
  const auto* constant = dyn_cast<ConstantInt>(division.getOperand(1));
  if (constant == nullptr || constant->isZero() || constant->isMinusOne())
    return false;
  const APInt magnitude = is_signed(division) ? constant->getValue().abs() : constant->getValue();
  return constant->getBitWidth() != 64 || magnitude.isPowerOf2();
}

bool is_done_once(const Instruction& instruction, const lane_shapes& shapes) {
  if (const Value* pointer = getLoadStorePointerOperand(&instruction))
    return shapes[pointer].is_uniform();
  if (!instruction.getType()->isVoidTy())
    return shapes[&instruction].is_scalar();
  const auto* call = dyn_cast<CallInst>(&instruction);
  return call != nullptr && is_dense_prefetch(*call, shapes);
}

operation_cost cost_model::in_lanes(const Instruction& instruction, const lane_shapes& shapes,
                                    unsigned lanes) const {
  if (is_done_once(instruction, shapes))
    return of_scalar(instruction);
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr)
    return of_vector(instruction, shapes, lanes);
  const lane_shape shape = shapes[pointer];
  const std::uint64_t size = instruction.getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
  // Private variables are laid out by element, then by lane.
  const bool is_consecutive = shape.is_progression() && (std::uint64_t(shape.stride) == size ||
                                                         isa<AllocaInst>(getUnderlyingObject(pointer)));
  return of_access(instruction, is_consecutive, lanes);
}

} // namespace falx::jit::simd
