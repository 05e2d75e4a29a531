// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %twice = shl i64 %row, 1
//   %place = sub i64 %twice, 3
//   %start = getelementptr i8, ptr %data, i64 16
//   %at = getelementptr float, ptr %start, i64 %place           ; %data + 4 + 8 * %row

#include "affine_form.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit::simd {

namespace {

class affine_reader {
public:
  affine_reader(const DataLayout& layout, const affine_reading& reading)
      : layout_(layout), reading_(reading) {}
  void read(Value& value);
  affine_form take();

private:
  bool is_leaf(const Value& value) const { return reading_.is_leaf && reading_.is_leaf(value); }
  void read_address(Value& pointer);
  void read_number(Value& number, std::uint64_t scale);
  bool read_parts(Value& number, std::uint64_t scale);
  bool read_extended_parts(Value& number, std::uint64_t scale);

  const DataLayout& layout_;
  const affine_reading& reading_;
  affine_form form_;
  /// Sums that share operands could be taken apart for ever so long.
  unsigned steps_left_ = 32;
};

} // namespace

void affine_reader::read_address(Value& pointer) {
  form_.base = &pointer;
  while (auto* address = dyn_cast<GEPOperator>(form_.base)) {
    SmallMapVector<Value*, APInt, 4> variable;
    APInt constant(64, 0);
    if (is_leaf(*address) || layout_.getIndexTypeSizeInBits(address->getType()) != 64 ||
        !address->collectOffset(layout_, 64, variable, constant))
      return;
    form_.constant += constant.getZExtValue();
    for (const auto& [index, scale] : variable)
      read_number(*index, scale.getZExtValue());
    form_.base = address->getPointerOperand();
  }
}

void affine_reader::read_number(Value& number, std::uint64_t scale) {
  const unsigned bits = number.getType()->getScalarSizeInBits();
  const APInt* constant = nullptr;
  if (bits <= 64 && match(&number, m_APInt(constant))) {
    form_.constant += std::uint64_t(constant->getSExtValue()) * scale;
    return;
  }
  const bool is_extended = bits == 32 && reading_.takes_extended_sums;
  if ((bits == 64 || is_extended) && steps_left_ > 0 && !is_leaf(number)) {
    --steps_left_;
    if (is_extended ? read_extended_parts(number, scale) : read_parts(number, scale))
      return;
  }
  const auto same =
      find_if(form_.terms, [&](const affine_form::term& term) { return term.value == &number; });
  if (same != form_.terms.end())
    same->scale += scale;
  else
    form_.terms.push_back({&number, scale});
}

/// False if \p number is no sum of others.
bool affine_reader::read_parts(Value& number, std::uint64_t scale) {
  Value *left = nullptr, *right = nullptr;
  const APInt* factor = nullptr;
  if (match(&number, m_Not(m_Value(left)))) {
    form_.constant -= scale;
    read_number(*left, -scale);
  } else if (match(&number, m_AddLike(m_Value(left), m_Value(right)))) {
    read_number(*left, scale);
    read_number(*right, scale);
  } else if (match(&number, m_Sub(m_Value(left), m_Value(right)))) {
    read_number(*left, scale);
    read_number(*right, -scale);
  } else if (match(&number, m_Mul(m_Value(left), m_APInt(factor)))) {
    read_number(*left, scale * std::uint64_t(factor->getSExtValue()));
  } else if (match(&number, m_Shl(m_Value(left), m_APInt(factor))) && factor->ult(64)) {
    read_number(*left, scale << factor->getZExtValue());
  } else if (reading_.takes_extended_sums && match(&number, m_SExtLike(m_Value(left))) &&
             left->getType()->getScalarSizeInBits() == 32) {
    read_number(*left, scale);
  } else {
    return false;
  }
  return true;
}

/// The same for \p number of 32 bits, which is extended with its sign.
bool affine_reader::read_extended_parts(Value& number, std::uint64_t scale) {
  Value *left = nullptr, *right = nullptr;
  const APInt* factor = nullptr;
  if (match(&number, m_NSWAdd(m_Value(left), m_Value(right)))) {
    read_number(*left, scale);
    read_number(*right, scale);
  } else if (match(&number, m_DisjointOr(m_Value(left), m_APInt(factor))) && !factor->isNegative()) {
    read_number(*left, scale);
    form_.constant += factor->getZExtValue() * scale;
  } else if (match(&number, m_NSWSub(m_Value(left), m_Value(right)))) {
    read_number(*left, scale);
    read_number(*right, -scale);
  } else if (match(&number, m_NSWMul(m_Value(left), m_APInt(factor)))) {
    read_number(*left, scale * std::uint64_t(factor->getSExtValue()));
  } else if (match(&number, m_NSWShl(m_Value(left), m_APInt(factor))) && factor->ult(32)) {
    read_number(*left, scale << factor->getZExtValue());
  } else {
    return false;
  }
  return true;
}

void affine_reader::read(Value& value) {
  if (value.getType()->isPtrOrPtrVectorTy())
    read_address(value);
  else
    read_number(value, 1);
}

affine_form affine_reader::take() {
  erase_if(form_.terms, [](const affine_form::term& term) { return term.scale == 0; });
  return std::move(form_);
}

bool affine_form::has_terms_of(const affine_form& other) const {
  return base == other.base && terms.size() == other.terms.size() &&
         all_of(terms, [&](const term& each) { return is_contained(other.terms, each); });
}

affine_form::distance affine_form::sum(function_ref<distance(const Value&)> of_value) const {
  distance result = base != nullptr ? of_value(*base) : 0;
  for (const auto& [value, scale] : terms) {
    const distance of_term = result ? of_value(*value) : std::nullopt;
    if (!of_term || (*of_term != 0 && value->getType()->getScalarSizeInBits() != 64))
      return std::nullopt;
    *result += *of_term * scale;
  }
  return result;
}

affine_form affine_form_of(const Value& value, const DataLayout& layout, const affine_reading& reading) {
  affine_reader reader(layout, reading);
  reader.read(const_cast<Value&>(value));
  return reader.take();
}

} // namespace falx::jit::simd
