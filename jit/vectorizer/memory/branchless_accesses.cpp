// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, on a processor without gathers:
//   %x = call <8 x i32> @llvm.masked.gather(<8 x ptr> align 4 %at, <8 x i1> %mask, <8 x i32> zeroinitializer)
//   call void @llvm.masked.scatter(<8 x i32> %y, <8 x ptr> align 4 %at, <8 x i1> %mask)
// After:
//   %from = select <8 x i1> %mask, <8 x ptr> %at, <8 x ptr> splat (@falx.zeros)
//   %x.0 = load i32, (lane 0 of %from), align 4
//   … and seven more, which become a vector
//   %to = select <8 x i1> %mask, <8 x ptr> %at, <8 x ptr> splat (%nowhere)
//   store i32 (lane 0 of %y), (lane 0 of %to), align 4
//   … and seven more
//
// LLVM would make a branch for each lane. Which lanes are active is what nobody can predict where lanes part,
// and each wrong prediction takes as long as eight lanes' accesses. The same is done to masked stores of
// neighbours, of which a lane's address is one further than the last one's. A masked load of neighbours
// becomes
//   %from = select i1 (any of %mask), ptr %at, ptr @falx.zeros
//   %in.page = icmp ule i64 (%from modulo 4096), (4096 - 8 * 4)
//   br i1 %in.page, label %whole, label %lanes
// whole:                        ; of a page that an active lane may read: all of it can be read
//   %all = load <8 x i32>, ptr %from, align 4
//   %x = select <8 x i1> %mask, <8 x i32> %all, <8 x i32> zeroinitializer
// lanes:                        ; as above
// Where the mask is a constant, LLVM needs no branches. Of a gather of all lanes it would take addresses out
// of vectors, though, where each load can add a base and an index by itself, which may be in memory:
//   %index = load <8 x i32>, ptr %indices
//   %at = getelementptr i32, ptr %base, <8 x i64> (zext <8 x i32> %index)
//   %x = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %at, <8 x i1> splat (i1 true), …)
// becomes
//   %index.0 = load i32, ptr %indices
//   %x.0 = load i32, ptr (getelementptr i32, ptr %base, i64 (zext i32 %index.0 to i64)), align 4
//   … and seven more

#include "masked_access.hpp"
#include "pipeline/replacements.hpp"
#include "vectorizer/analysis/lane_safety.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit::simd {

/// No processor's pages are smaller.
constexpr std::uint64_t LEAST_PAGE = 4096;

namespace {

class branch_removal {
public:
  branch_removal(Function& function, const TargetTransformInfo& target)
      : function_(function), target_(target), layout_(function.getDataLayout()) {}
  bool run();

private:
  Align alignment_of(const masked_access& access) const;
  Value* zeros();
  Value* nowhere();
  Value* addresses(IRBuilder<>& builder, const masked_access& access);
  bool is_gather_of_all(const masked_access& access) const;
  Value* load_lanes(IRBuilder<>& builder, const masked_access& access);
  Value* load_whole_or_lanes(IRBuilder<>& builder, const masked_access& access);
  void store_lanes(const masked_access& access);
  void replace_load(const masked_access& access);

  Function& function_;
  const TargetTransformInfo& target_;
  const DataLayout& layout_;
  /// What is accessed for lanes that are not active.
  GlobalVariable* zeros_ = nullptr;
  AllocaInst* nowhere_ = nullptr;
  /// Of the largest vector and of the largest element: powers of two, which are alignments of these, too.
  std::uint64_t bytes_ = 1, element_bytes_ = 1;
};

} // namespace

Value* branch_removal::zeros() {
  if (zeros_ == nullptr) {
    auto* type = ArrayType::get(Type::getInt8Ty(function_.getContext()), bytes_);
    zeros_ = new GlobalVariable(*function_.getParent(), type, /*isConstant=*/true,
                                GlobalValue::PrivateLinkage, Constant::getNullValue(type), "falx.zeros");
    zeros_->setAlignment(Align(bytes_));
  }
  return zeros_;
}

Value* branch_removal::nowhere() {
  if (nowhere_ == nullptr) {
    auto* type = ArrayType::get(Type::getInt8Ty(function_.getContext()), element_bytes_);
    nowhere_ = new AllocaInst(type, layout_.getAllocaAddrSpace(), nullptr, Align(element_bytes_), "nowhere",
                              function_.getEntryBlock().begin());
  }
  return nowhere_;
}

/// Of each lane's address.
Align branch_removal::alignment_of(const masked_access& access) const {
  return commonAlignment(access.alignment, layout_.getTypeAllocSize(access.type->getElementType()));
}

/// Of each lane; lanes that are not active have another one.
Value* branch_removal::addresses(IRBuilder<>& builder, const masked_access& access) {
  const unsigned lanes = access.type->getNumElements();
  Value* at = access.at;
  if (!access.is_scattered) {
    auto* offset = FixedVectorType::get(builder.getInt64Ty(), lanes);
    Constant* size = ConstantInt::get(offset, layout_.getTypeAllocSize(access.type->getElementType()));
    at =
        builder.CreateGEP(builder.getInt8Ty(), at, builder.CreateMul(builder.CreateStepVector(offset), size));
  }
  return builder.CreateSelect(access.mask, at,
                              builder.CreateVectorSplat(lanes, access.is_load ? zeros() : nowhere()));
}

static void copy_metadata(Instruction& to, const masked_access& access) {
  to.copyMetadata(access.call, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
}

bool branch_removal::is_gather_of_all(const masked_access& access) const {
  return access.is_taken_apart(target_) && access.is_load && access.is_scattered &&
         match(access.mask, m_AllOnes());
}

/// Computed by another block than \p block: outside of a loop over a row, as where the row starts.
static bool is_from_elsewhere(const Value& value, const BasicBlock& block) {
  const auto* instruction = dyn_cast<Instruction>(&value);
  return instruction != nullptr && !isa<PHINode>(instruction) && !instruction->isTerminator() &&
         instruction->getParent() != &block;
}

/// \p vector adds what all lanes have to what another block computes.
static bool is_step_from_elsewhere(const Value& vector) {
  Value *left = nullptr, *right = nullptr;
  if (!match(&vector, m_Add(m_Value(left), m_Value(right))))
    return false;
  if (getSplatValue(left) != nullptr)
    std::swap(left, right);
  return getSplatValue(right) != nullptr && is_from_elsewhere(*left, *cast<Instruction>(vector).getParent());
}

/// Of what another block computes it is taken there.
static Value* element_of(IRBuilder<>& builder, Value& vector, unsigned lane) {
  if (!is_from_elsewhere(vector, *builder.GetInsertBlock()))
    return builder.CreateExtractElement(&vector, lane);
  return IRBuilder<>(cast<Instruction>(vector).getNextNode()).CreateExtractElement(&vector, lane);
}

/// Of \p vector, down to what instructions that load do not compute by themselves.
static Value* lane_of(IRBuilder<>& builder, Value& vector, unsigned lane) {
  return rematerialiser(
             builder, rematerialiser::flags::kept,
             [&](Value& value) -> Value* {
               if (!value.getType()->isVectorTy())
                 return &value;
               if (Value* element = findScalarElement(&value, lane))
                 return element;
               if (isa<GetElementPtrInst, ZExtInst, SExtInst>(value) || is_step_from_elsewhere(value))
                 return nullptr;
               if (auto* splat = getSplatValue(&value))
                 return splat;
               auto* load = dyn_cast<LoadInst>(&value);
               if (load == nullptr || !load->isSimple() || !load->hasOneUse())
                 return element_of(builder, value, lane);
               IRBuilder<> there(load);
               Type* type = load->getType()->getScalarType();
               const std::uint64_t offset = lane * load->getDataLayout().getTypeAllocSize(type);
               LoadInst* element = there.CreateAlignedLoad(
                   type,
                   there.CreateConstInBoundsGEP1_64(there.getInt8Ty(), load->getPointerOperand(), offset),
                   commonAlignment(load->getAlign(), offset));
               element->copyMetadata(*load, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                                             LLVMContext::MD_noalias, LLVMContext::MD_invariant_load});
               return element;
             })
      .emit(vector);
}

Value* branch_removal::load_lanes(IRBuilder<>& builder, const masked_access& access) {
  const bool has_all = is_gather_of_all(access);
  Value *at = has_all ? access.at : addresses(builder, access), *result = PoisonValue::get(access.type);
  for (unsigned lane = 0; lane < access.type->getNumElements(); ++lane) {
    Value* from = has_all ? lane_of(builder, *at, lane) : builder.CreateExtractElement(at, lane);
    LoadInst* each = builder.CreateAlignedLoad(access.type->getElementType(), from, alignment_of(access));
    copy_metadata(*each, access);
    result = builder.CreateInsertElement(result, each, lane);
  }
  return result;
}

Value* branch_removal::load_whole_or_lanes(IRBuilder<>& builder, const masked_access& access) {
  const std::uint64_t bytes = layout_.getTypeStoreSize(access.type);
  Value* some = builder.CreateIsNotNull(
      builder.CreateBitCast(access.mask, builder.getIntNTy(access.type->getNumElements())));
  Value* from = builder.CreateSelect(some, access.at, zeros());
  Value* in_page = builder.CreateICmpULE(
      builder.CreateAnd(builder.CreatePtrToInt(from, builder.getInt64Ty()), LEAST_PAGE - 1),
      builder.getInt64(LEAST_PAGE - bytes));
  Instruction *whole = nullptr, *lanes = nullptr;
  SplitBlockAndInsertIfThenElse(in_page, access.call.getIterator(), &whole, &lanes);
  builder.SetInsertPoint(whole);
  LoadInst* all = builder.CreateAlignedLoad(access.type, from, access.alignment);
  copy_metadata(*all, access);
  Value* of_active = builder.CreateSelect(access.mask, all, Constant::getNullValue(access.type));
  builder.SetInsertPoint(lanes);
  Value* one_by_one = load_lanes(builder, access);
  builder.SetInsertPoint(&access.call);
  PHINode* result = builder.CreatePHI(access.type, 2);
  result->addIncoming(of_active, whole->getParent());
  result->addIncoming(one_by_one, lanes->getParent());
  return result;
}

void branch_removal::replace_load(const masked_access& access) {
  IRBuilder<> builder(&access.call);
  Value* result = access.is_scattered ? load_lanes(builder, access) : load_whole_or_lanes(builder, access);
  Value* otherwise = access.call.getArgOperand(2);
  if (!match(otherwise, m_CombineOr(m_Undef(), m_Zero())))
    result = builder.CreateSelect(access.mask, result, otherwise);
  Value* at = access.at;
  replace_instruction(access.call, result);
  RecursivelyDeleteTriviallyDeadInstructions(at);
}

void branch_removal::store_lanes(const masked_access& access) {
  IRBuilder<> builder(&access.call);
  Value *at = addresses(builder, access), *values = access.call.getArgOperand(0);
  for (unsigned lane = 0; lane < access.type->getNumElements(); ++lane) {
    StoreInst* each =
        builder.CreateAlignedStore(builder.CreateExtractElement(values, lane),
                                   builder.CreateExtractElement(at, lane), alignment_of(access));
    copy_metadata(*each, access);
  }
  access.call.eraseFromParent();
}

bool branch_removal::run() {
  SmallVector<IntrinsicInst*, 8> found;
  for (Instruction& instruction : instructions(function_))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction))
      if (const masked_access access(*call); (access.would_branch(target_) || is_gather_of_all(access)) &&
                                             has_vector_layout(access.type->getElementType(), layout_)) {
        found.push_back(call);
        const auto bytes_of = [&](Type* type) { return PowerOf2Ceil(layout_.getTypeAllocSize(type)); };
        bytes_ = std::max(bytes_, bytes_of(access.type));
        element_bytes_ = std::max(element_bytes_, bytes_of(access.type->getElementType()));
      }
  // What one of them has loaded may be the address or the mask of another.
  for (IntrinsicInst* call : found) {
    const masked_access access(*call);
    access.is_load ? replace_load(access) : store_lanes(access);
  }
  return !found.empty();
}

PreservedAnalyses remove_branches_of_lanes::run(Function& function, FunctionAnalysisManager& analyses) {
  return branch_removal(function, analyses.getResult<TargetIRAnalysis>(function)).run()
             ? PreservedAnalyses::none()
             : PreservedAnalyses::all();
}

} // namespace falx::jit::simd
