// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Target/TargetMachine.h>

#include <optional>

namespace falx::jit::simd {

/// \file
/// What vector code takes on the CPU at hand: LLVM's cost model, and beside it the numbers that LLVM's does
/// not have, each with its source. Limits that serve compile time are in pipeline/budgets.hpp.

/// What an operation takes. Throughput counts operations of the units; clocks are these by processor_units.
struct operation_cost {
  double vector = 0;
  double memory = 0;
  double issue = 0;
  /// In clocks, from its operands to its result.
  double latency = 0;

  operation_cost& operator+=(const operation_cost& other);
};

/// What a processor does per clock. LLVM's reciprocal throughputs are whole clocks, so they say of an
/// addition that begins twice a clock what they say of one that begins once.
struct processor_units {
  /// Units that begin a vector operation each clock. x86-64: 2 (Intel 64 and IA-32 Architectures Optimization
  /// Reference Manual, ports 0 and 1, with AVX-512 0 and 5; Software Optimization Guide for AMD's family 1Ah,
  /// floating-point pipes 0 and 1). AArch64: 2 (Arm Neoverse N1 and N2 Software Optimization Guide, V0 and
  /// V1).
  double vector = 2;
  /// Loads of a whole vector, of the same sources: 2.
  double memory = 2;
  /// Instructions that enter the processor's core. MCSchedModel::IssueWidth; 4 where LLVM has no model.
  double issue = 4;
  /// Clocks from a branch that goes another way than predicted until instructions enter again:
  /// MCSchedModel::MispredictPenalty; 15 where LLVM has no model.
  double mispredicted = 15;

  /// Clocks in which the units begin what \p cost counts.
  double clocks(const operation_cost& cost) const;
  /// Clocks of a branch on whether any lane is active, which leaves code out every other time (LLVM's guess,
  /// getPredBlockCostDivisor) and is predicted wrongly every other time that it does.
  double branch_on_mask() const { return mispredicted / 2; }
};

/// Narrower than any vector register: targets without vectors, such as none in particular, have scalars.
constexpr unsigned LEAST_REGISTER_BITS = 128;
/// Of all targets: AVX-512's.
constexpr unsigned LARGEST_REGISTER_BYTES = 64;

/// A function for vectors of SLEEF, per register. Measured on AMD's family 1Ah, AVX-512, functions with an
/// error of 1 unit in the last place: exp 53 and 10, log 51 and 17, sin 69 and 20; in double precision 56 and
/// 17 (exp), 76 and 22 (sin).
constexpr double VECTOR_MATH_LATENCY = 60, VECTOR_MATH_THROUGHPUT = 16;

/// A product of integers, and one by a constant, which is often a shift and a sum (lea). LLVM's costs have up
/// to 6, those of processors that have no vectors of ours; its scheduling models of Nehalem to Zen 5 have 3.
constexpr double PRODUCT_LATENCY = 3, FACTOR_LATENCY = 2;

/// A quotient of integers, per register, as vector_divisions makes it: conversions, a division of doubles, a
/// product and a comparison. Measured on Zen 4: 29 clocks of throughput for 16 lanes with AVX-512, 33 for 8
/// with AVX2 and 29 for 4 with SSE, of two operations each; as long as a result is waited for with all three.
constexpr double INTEGER_DIVISION_LATENCY = 40, INTEGER_DIVISION_THROUGHPUT = 56;

/// The same by a number that all lanes share, whose reciprocal is known: conversions, a product, for the rest
/// another one and a difference. Zen 5, of both units: 7 of 16 lanes with AVX-512, 9 of 8 with AVX2 and 8 of
/// 4 with SSE, of 32 bits; of 64 bits as many a register.
constexpr double COMMON_DIVISION_LATENCY = 24, COMMON_DIVISION_THROUGHPUT = 10;

/// Clocks of a quotient of integers that are no vector; LLVM's costs have 1 to 4. Recent x86-64 processors
/// (Ice Lake, Alder Lake, Zen 3 and later, which have VAES) and AArch64's take 10 to 18 clocks for a result,
/// one after the other 6; those before 17 to 29, and 8 to 11 (Nehalem, Haswell, Skylake, Zen 2).
struct scalar_division {
  double latency, throughput;
};
constexpr scalar_division OF_RECENT_PROCESSORS{12, 6}, OF_OLDER_PROCESSORS{24, 10};

/// A call for one lane, with the branch that chooses the lane: LLVM's own guess at a call (BasicTTIImpl,
/// getCallInstrCost: 10), twice for what goes into memory around it.
constexpr double LANE_CALL = 20;

/// By how much the last of twice the lanes leaves a loop later. Of the Mandelbrot set
/// (bench/cpu/mandelbrot.cpp), from 16 lanes to 32, 64 and 128: 1.07, 1.10 and 1.08.
constexpr double DIVERGENT_GROWTH = 1.08;

/// Instructions of numbers that compute a value again rather than keep it in memory: at four a clock
/// (processor_units::issue) they begin while a store and a load take theirs.
constexpr unsigned REMATERIALISED_INSTRUCTIONS = 8;

/// Instructions of numbers by which a loop's end is known before a comparison of vectors tells it
/// (leading_lane.cpp), one clock each: the comparison takes 3 or 4 clocks, what makes a number of its result
/// 3 (LLVM's scheduling models of Skylake and Sapphire Rapids with AVX-512).
constexpr unsigned LEADING_LANE_INSTRUCTIONS = 3;

/// Work-items of the shortest rows of which a vector holds several: a register of 128 bits, the narrowest, of
/// 32-bit values.
constexpr unsigned LEAST_COLUMNS = 4;

class lane_shapes;
struct lane_shape;

/// One instruction does for all lanes, as it is the same for them, or its results are by one number.
bool is_done_once(const llvm::Instruction& instruction, const lane_shapes& shapes);

/// Vectors of \p division, which is one of integers, are left to LLVM, which multiplies by a constant, or
/// shifts: not where products have 128 bits.
bool is_product_by_constant(const llvm::Instruction& division);

/// The costs of one function's code on one machine.
class cost_model {
public:
  /// \p machine: null for LLVM's costs of no machine in particular. \p has_vector_math: SLEEF may be called.
  cost_model(const llvm::TargetMachine* machine, const llvm::Function& function, bool has_vector_math);

  const processor_units& units() const { return units_; }
  unsigned vector_registers() const { return registers_; }
  /// Registers that \p lanes values of \p type fill.
  unsigned registers_of(llvm::Type& type, unsigned lanes) const;

  /// 32-bit elements within which the target permutes by variables in one or two instructions; 1 if it has
  /// none for that. LLVM makes larger permutations of an access to memory, and a copy of the vector, for each
  /// element.
  unsigned permuted_elements() const { return permuted_elements_; }

  /// Conversions between doubles and unsigned integers of 32 bits take no more than those of signed ones.
  bool converts_unsigned() const { return converts_unsigned_; }

  /// Those that a mask of \p lanes lanes takes from vectors, of their usual width (mask_widths.cpp); 0 if
  /// masks have registers of their own.
  unsigned mask_registers(llvm::LLVMContext& context, unsigned lanes) const;

  /// Of an instruction in a vector of \p lanes lanes, by how it varies between these.
  operation_cost in_lanes(const llvm::Instruction& instruction, const lane_shapes& shapes,
                          unsigned lanes) const;

  /// Of \p count operations on masks, which have registers and units of their own beside those of vectors, or
  /// are vectors of their usual width (mask_widths.cpp).
  operation_cost of_masks(llvm::LLVMContext& context, double count, unsigned lanes) const;

  /// Of choosing lane by lane between two vectors.
  operation_cost of_blend(llvm::Type& type, unsigned lanes) const;

  /// An access of neighbours, or of lanes here and there, that leaves out some lanes needs no more than one
  /// that does not.
  bool has_masked(const llvm::Instruction& access, bool is_scattered, unsigned lanes) const;
  /// As access_costs has it.
  double of_addresses(const llvm::Instruction& access, unsigned lanes) const;

  /// An access whose addresses are a progression \p shape: several lanes' elements lie in a register's worth
  /// of memory, together with those of \p members accesses that have as far to the next lane's.
  bool is_within_registers(const llvm::Instruction& access, const lane_shape& shape, unsigned lanes,
                           unsigned members) const;
  /// Of such an access as memory/shuffled_accesses.cpp makes it, if it takes less than \p scattered.
  std::optional<operation_cost> of_shuffles(const llvm::Instruction& access, unsigned lanes, unsigned members,
                                            const operation_cost& scattered) const;

  /// Of an instruction that is done once for all lanes.
  operation_cost of_scalar(const llvm::Instruction& instruction) const;

private:
  /// Of an instruction that is done for each of \p lanes lanes; no access of memory.
  operation_cost of_vector(const llvm::Instruction& instruction, const lane_shapes& shapes,
                           unsigned lanes) const;
  /// Of a load or store whose addresses vary: of neighbours, or one here, one there.
  operation_cost of_access(const llvm::Instruction& access, bool is_consecutive, unsigned lanes) const;
  /// As many elements as fill a register, at most \p lanes.
  llvm::FixedVectorType* register_type(llvm::Type& element, unsigned lanes) const;
  llvm::InstructionCost of_register(const llvm::Instruction& instruction, unsigned lanes,
                                    llvm::TargetTransformInfo::TargetCostKind kind) const;
  llvm::InstructionCost of_intrinsic(const llvm::IntrinsicInst& call, unsigned lanes,
                                     llvm::TargetTransformInfo::TargetCostKind kind) const;

  llvm::TargetTransformInfo target_;
  processor_units units_;
  scalar_division division_ = OF_RECENT_PROCESSORS;
  unsigned registers_;
  unsigned register_bits_;
  unsigned permuted_elements_;
  bool converts_unsigned_;
  bool has_vector_math_;
  bool has_mask_registers_;
};

} // namespace falx::jit::simd
