// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "consumer.hpp"

#include "attributes_rewriter.hpp"
#include "device_globals.hpp"
#include "device_pass.hpp"
#include "diagnostics.hpp"
#include "dynamic_function_uses.hpp"
#include "function_kernels.hpp"
#include "ir/ahead_of_time.hpp"
#include "ir/device_module.hpp"
#include "kernel_collector.hpp"
#include "kernel_names.hpp"
#include "kernel_rules.hpp"
#include "restricted_variables.hpp"
#include "specialization_id_rules.hpp"
#include "work_group_variables.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Serialization/ASTDeserializationListener.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Path.h"

#include <memory>
#include <optional>

namespace falx::compiler {

namespace {

class ast_consumer;
/// The consumer of this process's translation unit while its AST is alive.
ast_consumer* current_consumer = nullptr;

bool reads_precompiled_code(const clang::CompilerInstance& compiler) {
  return !compiler.getPreprocessorOpts().ImplicitPCHInclude.empty() ||
         !compiler.getFrontendOpts().ModuleFiles.empty() ||
         !compiler.getHeaderSearchOpts().PrebuiltModuleFiles.empty() ||
         (compiler.getLangOpts().Modules && compiler.getLangOpts().ImplicitModules);
}

/// Rules for make begin with the source, as if its headers were not precompiled: -MP takes the first file for
/// the source, and so do people.
void put_source_first(clang::CompilerInstance& compiler) {
  const clang::FrontendOptions& frontend = compiler.getFrontendOpts();
  if (frontend.Inputs.size() != 1 || !frontend.Inputs.front().isFile())
    return;
  const llvm::StringRef source = llvm::sys::path::remove_leading_dotslash(frontend.Inputs.front().getFile());
  for (const std::shared_ptr<clang::DependencyCollector>& collector : compiler.getDependencyCollectors())
    collector->maybeAddDependency(source, /*FromModule=*/false, /*IsSystem=*/false, /*IsModuleFile=*/false,
                                  /*IsMissing=*/false);
}

/// Gathers kernel entries and SYCL_EXTERNAL definitions from what clang hands to consumers anyway (so the
/// cost grows with the number of instantiations, not with the size of the AST), and works on them at the end
/// of the translation unit, when all instantiations are there.
class ast_consumer final : public clang::SemaConsumer, private clang::ASTDeserializationListener {
public:
  /// \p has_own_header: what is precompiled is sycl.hpp alone, by falx++.
  ast_consumer(clang::CompilerInstance& compiler, bool has_own_header)
      : compiler_(compiler), uses_precompiled_(reads_precompiled_code(compiler)),
        has_own_header_(has_own_header) {
    current_consumer = this;
    // Kernels from a precompiled header may come to light as late as code generation.
    if (uses_precompiled_)
      compiler.getCodeGenOpts().ClearASTBeforeBackend = false;
  }
  ~ast_consumer() override {
    if (current_consumer == this)
      current_consumer = nullptr;
  }

  void InitializeSema(clang::Sema& sema) override {
    collector_.emplace(sema, uses_precompiled_ ? ".u" : "");
    checker_.emplace(sema, compiler_.getCodeGenOpts().OptimizationLevel == 0);
    sema_ = &sema;
    answer_function_properties(sema);
  }
  void ForgetSema() override {
    sema_ = nullptr;
    collector_.reset();
    checker_.reset();
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) {
      if (!compiler_.getSourceManager().isInSystemHeader(declaration->getLocation()))
        user_declarations_.push_back(declaration);
      make_work_group_variables_static(*declaration);
      look_at(declaration);
    }
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override {
    make_work_group_variables_static(*function);
    look_at_function(function);
  }
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl* function) override {
    if (collector_ && (is_kernel_entry(*function) || is_accessor_offsets_function(*function)))
      collector_->give_stable_name(*function);
    names_functions_ |= names_functions(*function);
    name_uses_.note(*function);
    constant_rules_.note(*function);
  }

  clang::ASTDeserializationListener* GetASTDeserializationListener() override {
    return uses_precompiled_ ? this : nullptr;
  }

  void HandleTranslationUnit(clang::ASTContext&) override {
    add_dependencies_of_device_pass(compiler_);
    const bool was_wrong = compiler_.getDiagnostics().hasErrorOccurred();
    // Code generation has put aside what nothing calls. Told once more of what has to be there, it makes it.
    if (!was_wrong)
      for (clang::FunctionDecl* function : name_uses_.requested_descriptors()) {
        function->addAttr(clang::UsedAttr::CreateImplicit(function->getASTContext()));
        compiler_.getASTConsumer().HandleTopLevelDecl(clang::DeclGroupRef(function));
      }
    work();
    if (!was_wrong && compiler_.getDiagnostics().hasErrorOccurred())
      suggest_device_pass(compiler_);
    else if (!was_wrong && sema_ != nullptr &&
             llvm::any_of(roots_, [](const clang::FunctionDecl* root) { return is_kernel_entry(*root); }))
      warn_of_one_pass(*sema_);
    if (sema_ != nullptr && !is_device_pass() && !compiler_.getDiagnostics().hasUncompilableErrorOccurred())
      constant_rules_.report(*sema_);
    // What precompiled code holds comes to light when it is used, and a precompiled header's kernels may
    // follow it.
    if (sema_ != nullptr && (!uses_precompiled_ || has_own_header_) && device_pass_module() == nullptr &&
        !compiler_.getLangOpts().isCompilingModule() &&
        compiler_.getFrontendOpts().ProgramAction != clang::frontend::GeneratePCH &&
        !compiler_.getDiagnostics().hasUncompilableErrorOccurred())
      name_uses_.report(*sema_);
  }

  void work() {
    // A program that clang has found wrong is not to be trusted with more than clang's own errors.
    if (working_ || !collector_ ||
        (next_root_ == 0 && compiler_.getDiagnostics().hasUncompilableErrorOccurred()))
      return;
    working_ = true;
    // All of them are known before calls of functions without a definition are checked.
    if (std::exchange(names_functions_, false))
      find_dynamic_functions(*sema_, user_declarations_, [this](const clang::FunctionDecl& definition) {
        add_root(const_cast<clang::FunctionDecl&>(definition));
      });
    if (!std::exchange(has_device_globals_, true))
      collect_device_globals(*sema_);
    do {
      for (const clang::FunctionDecl* function : std::exchange(read_, {}))
        look_at_function(const_cast<clang::FunctionDecl*>(function));
      // Checking may read more bodies, so nothing here iterates over what may grow.
      while (next_root_ != roots_.size())
        work_on(*roots_[next_root_++]);
    } while (!read_.empty());
    working_ = false;
  }

private:
  void DeclRead(clang::GlobalDeclID, const clang::Decl* declaration) override {
    // The declaration is incomplete as yet: only remember it.
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      read_.push_back(function);
  }

  void look_at(clang::Decl* declaration) {
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      look_at_function(function);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(declaration)) {
      // The standard library holds neither kernels nor SYCL_EXTERNAL functions, but many declarations.
      if (compiler_.getSourceManager().isInSystemHeader(declaration->getLocation()))
        return;
      for (clang::Decl* inner : llvm::cast<clang::DeclContext>(declaration)->decls())
        look_at(inner);
    }
  }

  void look_at_function(clang::FunctionDecl* function) {
    if (!function->hasAttrs() || !collector_ || function->isDependentContext())
      return;
    names_functions_ |= names_functions(*function);
    if (is_kernel_entry(*function) || is_accessor_offsets_function(*function)) {
      collector_->give_stable_name(*function);
      add_root(*function);
      // What launches it may be the host's code, of which the device pass has nothing.
      if (is_device_pass() && is_kernel_entry(*function))
        function->addAttr(clang::UsedAttr::CreateImplicit(function->getASTContext()));
    } else if (is_sycl_external(*function)) {
      note_restricted_variables(*function); // now, as code for it may be made before it is checked
      add_root(*function);
    }
  }

  void add_root(clang::FunctionDecl& function) {
    clang::FunctionDecl* canonical = function.getCanonicalDecl();
    if (seen_.insert(canonical).second)
      roots_.push_back(canonical);
  }

  void work_on(const clang::FunctionDecl& root) {
    const clang::FunctionDecl* definition = nullptr;
    if (!root.hasBody(definition))
      return;
    if (is_accessor_offsets_function(*definition))
      return collector_->collect_accessor_offsets(*definition);
    // Device code is what the device pass has compiled, and checked.
    if (device_pass_module() != nullptr) {
      if (is_kernel_entry(*definition))
        collector_->compare_with_device_pass(*definition);
      return;
    }
    if (is_kernel_entry(*definition)) {
      collector_->collect(*definition);
      name_uses_.note_kernel(*definition);
    } else if (is_sycl_external(*definition)) {
      check_external_rules(*sema_, *definition);
    }
    checker_->check(*definition);
  }

  clang::CompilerInstance& compiler_;
  clang::Sema* sema_ = nullptr;
  bool uses_precompiled_, has_own_header_;
  bool working_ = false;
  /// A function that takes names of functions was instantiated.
  bool names_functions_ = false;
  kernel_name_uses name_uses_;
  specialization_id_rules constant_rules_;
  /// Those at the top level, outside of system headers.
  llvm::SmallVector<clang::Decl*, 0> user_declarations_;
  bool has_device_globals_ = false; // in device_global_infos()
  std::optional<kernel_collector> collector_;
  std::optional<restriction_checker> checker_;
  llvm::SmallVector<clang::FunctionDecl*> roots_;
  std::size_t next_root_ = 0;
  llvm::DenseSet<const clang::FunctionDecl*> seen_;
  llvm::SmallVector<const clang::FunctionDecl*, 0> read_;
};

class ast_action final : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    if (!compiler.getLangOpts().CPlusPlus)
      return std::make_unique<clang::ASTConsumer>();
    if (has_device_pass_)
      run_device_pass(compiler, device_macro_);
    if (!compiler.getPreprocessorOpts().ImplicitPCHInclude.empty())
      put_source_first(compiler);
    watch_for_device_macro(compiler);
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.setTokenWatcher([rewriter = attribute_rewriter(preprocessor)](
                                     const clang::Token& token) mutable { rewriter.on_token(token); });
    return std::make_unique<ast_consumer>(compiler, has_own_header_);
  }
  bool ParseArgs(const clang::CompilerInstance& compiler, const std::vector<std::string>& options) override {
    // -fplugin-arg-falx-device-pass
    has_device_pass_ = llvm::is_contained(options, "device-pass") &&
                       compiler.getFrontendOpts().ProgramAction != clang::frontend::GeneratePCH;
    // -fplugin-arg-falx-device-macro=__SPIR__
    for (llvm::StringRef option : options)
      if (option.consume_front("device-macro="))
        device_macro_ = option.str();
    // -fplugin-arg-falx-precompiled-sycl: with the header of falx++'s -include-pch
    has_own_header_ = llvm::is_contained(options, "precompiled-sycl");
    // -fplugin-arg-falx-aot=native,sm_90
    for (llvm::StringRef option : options)
      if (option.consume_front("aot="))
        ahead_of_time_targets() = option.str();
    // -fplugin-arg-falx-denormals=flush
    flushes_denormals() = compiler.getLangOpts().FastMath;
    for (llvm::StringRef option : options)
      if (option.consume_front("denormals="))
        flushes_denormals() = option == "flush";
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  bool has_device_pass_ = false, has_own_header_ = false;
  std::string device_macro_;
};

const clang::FrontendPluginRegistry::Add<ast_action> REGISTER_ACTION("falx", "SYCL kernels and their checks");

} // namespace

void collect_late_kernels() {
  if (current_consumer != nullptr)
    current_consumer->work();
}

} // namespace falx::compiler
