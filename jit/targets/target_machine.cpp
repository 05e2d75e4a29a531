// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target_machine.hpp"
#include "frontend/kernel_attributes.hpp"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetOptions.h>

#include <map>
#include <mutex>
#include <string>

using namespace llvm;

namespace falx::jit {

static CodeGenOptLevel level_of(unsigned level) {
  return level == 0   ? CodeGenOptLevel::None
         : level == 1 ? CodeGenOptLevel::Less
                      : CodeGenOptLevel::Aggressive;
}

Expected<std::unique_ptr<TargetMachine>> create_machine(const Triple& triple, StringRef cpu,
                                                        StringRef features, unsigned level) {
  std::string error;
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr)
    return failure("No machine code can be made for " + triple.str() + ": " + error);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, cpu, features, options, Reloc::PIC_, CodeModel::Small, level_of(level)));
}

namespace {

/// Machines that are not in use, and what each was made for.
struct idle_machines {
  std::mutex mutex;
  std::multimap<std::string, std::unique_ptr<TargetMachine>> machines;
};

} // namespace

/// Never destroyed: static destructors may still launch kernels.
static idle_machines& idle() {
  static idle_machines& all = *std::make_unique<idle_machines>().release();
  return all;
}

static std::string describe(const Triple& triple, StringRef cpu, StringRef features, CodeGenOptLevel level) {
  return (triple.str() + " " + cpu + " " + features + " " + Twine(unsigned(level))).str();
}

void machine_return::operator()(TargetMachine* machine) const {
  std::unique_ptr<TargetMachine> owned(machine);
  const std::lock_guard lock(idle().mutex);
  idle().machines.emplace(purpose, std::move(owned));
}

Expected<borrowed_machine> borrow_machine(const Triple& triple, StringRef cpu, StringRef features,
                                          unsigned level) {
  machine_return giving_back{describe(triple, cpu, features, level_of(level))};
  {
    const std::lock_guard lock(idle().mutex);
    auto& machines = idle().machines;
    if (const auto found = machines.find(giving_back.purpose); found != machines.end()) {
      borrowed_machine machine(found->second.release(), std::move(giving_back));
      machines.erase(found);
      return machine;
    }
  }
  Expected<std::unique_ptr<TargetMachine>> machine = create_machine(triple, cpu, features, level);
  if (!machine)
    return machine.takeError();
  return borrowed_machine(machine->release(), std::move(giving_back));
}

Expected<SmallVector<char, 0>> emit_code(Module& module, TargetMachine& machine, CodeGenFileType type) {
  SmallVector<char, 0> code;
  raw_svector_ostream stream(code);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return failure("No machine code can be made for " + machine.getTargetTriple().str() + ".");
  passes.run(module);
  return code;
}

} // namespace falx::jit
