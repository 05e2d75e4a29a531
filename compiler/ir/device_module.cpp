// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// From the unoptimised host module to device code.
//
// Before, in the host module (one translation unit, straight from Clang):
//
//   define internal void @entry(ptr %f) personality ptr @__gxx_personality_v0 optnone noinline {
//     invoke void @body(ptr %f) to label %ok unwind label %pad
//   ...
//
// After, in a module that holds only what kernels and SYCL_EXTERNAL functions reach:
//
//   define weak_odr void @entry(ptr %f) convergent {
//     call void @body(ptr %f)
//     ret void
//   }
//
// The copy is taken before any inlining, so a call that the JIT later wants to replace is still a call.
#include "device_module.hpp"

#include "device_code/cleaning.hpp"
#include "device_code/exceptions.hpp"
#include "device_globals.hpp"
#include "dynamic_functions.hpp"
#include "kernel_info.hpp"
#include "target_branches.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/StripDeadPrototypes.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace falx::compiler {

namespace {

// Vtables are written by constructors, but nothing may be called through them on a device: device code gets
// them as opaque symbols, so that the virtual functions and type information behind them stay on the host.
bool is_class_data(const llvm::GlobalValue& value) {
  llvm::StringRef name = value.getName();
  return name.starts_with("_ZTV") || name.starts_with("_ZTT") || name.starts_with("_ZTI") ||
         name.starts_with("_ZTS");
}

void add_operands(const llvm::User& user, global_set& reached,
                  llvm::SmallVectorImpl<const llvm::GlobalValue*>& work,
                  llvm::SmallPtrSetImpl<const llvm::Constant*>& seen) {
  for (const llvm::Use& use : user.operands()) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(use.get());
    if (constant == nullptr || !seen.insert(constant).second)
      continue;
    if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
      if (reached.insert(global).second)
        work.push_back(global);
    } else {
      add_operands(*constant, reached, work, seen);
    }
  }
}

} // namespace

// Personality functions are not followed.
global_set reachable_from(llvm::ArrayRef<const llvm::GlobalValue*> roots, const global_set& without) {
  global_set reached;
  llvm::SmallPtrSet<const llvm::Constant*, 32> seen;
  llvm::SmallVector<const llvm::GlobalValue*> work(roots);
  reached.insert_range(roots);
  while (!work.empty()) {
    const llvm::GlobalValue* next = work.pop_back_val();
    if (is_class_data(*next) || without.contains(next))
      continue;
    if (auto* function = llvm::dyn_cast<llvm::Function>(next)) {
      if (device_code::starts_unwinding(function->getName()))
        continue;
      visit_device_blocks(*function, [&](const llvm::BasicBlock& block) {
        for (const llvm::Instruction& instruction : block)
          add_operands(instruction, reached, work, seen);
      });
    } else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(next)) {
      if (variable->hasInitializer())
        add_operands(*variable, reached, work, seen);
    } else if (auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(next)) {
      add_operands(*alias, reached, work, seen);
    }
  }
  return reached;
}

namespace {

// Whether a call of the function can reach a barrier: not so for libm and its like, which no other module
// defines.
bool may_hold_barrier(const llvm::Function* function, const device_annotations& annotations) {
  if (function == nullptr || !function->isDeclaration())
    return true;
  for (const llvm::Function* external : annotations.externals)
    if (external->getName() == function->getName())
      return true;
  return function->isConvergent();
}

void describe_function(llvm::Function& function, const device_annotations& annotations) {
  device_code::remove_host_attributes(function);
  // What may contain a barrier must not be moved under divergent control flow; LLVM takes the mark off again
  // where it can see that there is none.
  if (!function.isIntrinsic()) {
    if (may_hold_barrier(&function, annotations))
      function.addFnAttr(llvm::Attribute::Convergent);
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  function.setComdat(nullptr);
}

void mark_calls_convergent(llvm::Function& function, const device_annotations& annotations) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call) || call->isInlineAsm())
      continue;
    if (may_hold_barrier(call->getCalledFunction(), annotations))
      call->setConvergent();
    call->removeFnAttr(llvm::Attribute::NoInline);
  }
}

void set_linkages(llvm::Module& device, const device_annotations& annotations) {
  global_set visible;
  for (const auto& [kernel, annotation] : annotations.kernels) {
    llvm::Function* copy = device.getFunction(kernel->getName());
    if (copy == nullptr || copy->isDeclaration())
      continue;
    // Weak, because other images that are linked in for their exports may hold the same kernel.
    copy->setLinkage(llvm::GlobalValue::WeakODRLinkage);
    if (const auto info = kernel_infos().find(kernel->getName().str());
        info != kernel_infos().end() && info->second.kernel_args_restrict)
      copy->addFnAttr("falx-restrict");
    visible.insert(copy);
  }
  for (const llvm::Function* external : annotations.externals) {
    llvm::Function* copy = device.getFunction(external->getName());
    if (copy != nullptr && !copy->isDeclaration())
      visible.insert(copy);
  }
  for (llvm::GlobalValue& value : device.global_values()) {
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setDLLStorageClass(llvm::GlobalValue::DefaultStorageClass);
    value.setDSOLocal(false);
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
      variable->setComdat(nullptr);
      variable->setSection("");
    }
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
    const bool is_shared = variable != nullptr && variable->hasAttribute("falx-work-group-variable") &&
                           !variable->hasLocalLinkage();
    if (!value.isDeclaration() && !visible.contains(&value) && !is_shared)
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

// The copies of the functions that are there for the sake of launches, except those that are visible anyway.
template <class Visitor>
void visit_dynamic_functions(llvm::Module& device, const device_annotations& annotations,
                             const Visitor& visit) {
  for (llvm::Function* function : annotations.dynamic_functions)
    if (llvm::Function* copy = device.getFunction(function->getName());
        copy != nullptr && !copy->isDeclaration() && !annotations.externals.contains(function))
      visit(*copy);
}

// So that no pass removes them.
void expose_dynamic_functions(llvm::Module& device, const device_annotations& annotations) {
  visit_dynamic_functions(device, annotations, [](llvm::Function& function) {
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  });
}

// They are named together with their image. Definitions from elsewhere are imports, called or not.
void hide_dynamic_functions(llvm::Module& device, const device_annotations& annotations) {
  visit_dynamic_functions(device, annotations, [](llvm::Function& function) {
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  });
  for (llvm::Function* function : annotations.dynamic_functions)
    if (function->isDeclaration() && annotations.externals.contains(function) && !is_replaced(*function))
      device.getOrInsertFunction(function->getName(), function->getFunctionType());
}

// Their memory is the runtime's: what stands in the host's object must not be taken for their value.
void drop_values_of_device_globals(llvm::Module& device) {
  for (llvm::GlobalVariable& variable : device.globals()) {
    if (!is_device_global(variable))
      continue;
    variable.setInitializer(nullptr);
    variable.setComdat(nullptr);
    variable.setConstant(false);
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

// What the variables are in device code: no values, and one for all that is linked.
void mark_work_group_variables(llvm::Module& device) {
  for (const std::string& name : work_group_variables()) {
    llvm::GlobalVariable* variable = device.getGlobalVariable(name, /*AllowInternal=*/true);
    if (variable == nullptr)
      continue;
    variable->addAttribute("falx-work-group-variable");
    variable->setExternallyInitialized(true);
    variable->setInitializer(llvm::Constant::getNullValue(variable->getValueType()));
    if (!variable->hasLocalLinkage())
      variable->setLinkage(llvm::GlobalValue::WeakODRLinkage);
  }
}

// Removes what at -O0 is most of the bitcode: the stack slots of every variable. No inlining except of
// always_inline functions, and nothing that costs more than reading the code once.
void clean_up(llvm::Module& device) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::FunctionPassManager per_function;
  per_function.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  per_function.addPass(llvm::EarlyCSEPass());
  per_function.addPass(llvm::SimplifyCFGPass());

  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(per_function)));
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::StripDeadPrototypesPass());
  passes.run(device, modules);
}

} // namespace

bool& flushes_denormals() {
  static bool flushes = false;
  return flushes;
}

std::unique_ptr<llvm::Module> make_device_module(const llvm::Module& host,
                                                 const device_annotations& annotations) {
  llvm::SmallVector<const llvm::GlobalValue*> roots;
  for (const auto& [kernel, annotation] : annotations.kernels)
    roots.push_back(kernel);
  for (const llvm::Function* external : annotations.externals)
    if (!external->isDeclaration())
      roots.push_back(external);
  for (const llvm::Function* function : annotations.dynamic_functions)
    if (!function->isDeclaration())
      roots.push_back(function);
  global_set reached = reachable_from(roots);

  llvm::ValueToValueMapTy map;
  std::unique_ptr<llvm::Module> device = llvm::CloneModule(host, map, [&](const llvm::GlobalValue* value) {
    return reached.contains(value) && !is_class_data(*value) &&
           !device_code::starts_unwinding(value->getName());
  });

  // Appending globals (constructors, annotations, llvm.used) are host business.
  llvm::SmallVector<llvm::GlobalVariable*> appending;
  for (llvm::GlobalVariable& variable : device->globals())
    if (variable.hasAppendingLinkage() || variable.getName().starts_with("llvm."))
      appending.push_back(&variable);
  for (llvm::GlobalVariable* variable : appending)
    variable->eraseFromParent();
  device->setModuleInlineAsm("");
  fold_target_queries(*device, /*is_device=*/true);

  for (llvm::Function& function : *device) {
    keep_replaceable(function);
    if (!function.isDeclaration())
      device_code::remove_exceptions_and_instrumentation(function);
    describe_function(function, annotations);
    if (flushes_denormals() && !function.isDeclaration())
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  }
  for (llvm::Function& function : *device)
    mark_calls_convergent(function, annotations);
  drop_values_of_device_globals(*device);
  mark_work_group_variables(*device);
  set_linkages(*device, annotations);
  expose_dynamic_functions(*device, annotations);
  clean_up(*device);
  hide_dynamic_functions(*device, annotations);
  return device;
}

} // namespace falx::compiler
