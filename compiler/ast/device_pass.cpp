// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_pass.hpp"

#include "diagnostic_ids.hpp"

#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/LexDiagnostic.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <vector>

namespace falx::compiler {

namespace {

constexpr llvm::StringLiteral DEVICE_MACRO = "__SYCL_DEVICE_ONLY__";

struct file_read {
  std::string name;
  bool is_system;
};

/// A compiler process compiles one translation unit.
struct device_pass_result {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::vector<file_read> files;
  bool is_running = false;
  /// Where the host's pass tests the macro that the device pass has: the first place, and the first one
  /// outside of system headers.
  clang::SourceLocation macro_test, own_macro_test;
};

device_pass_result& result() {
  static device_pass_result only;
  return only;
}

void report_error(clang::CompilerInstance& host, const char* sentence) {
  clang::DiagnosticsEngine& diagnostics = host.getDiagnostics();
  diagnostics.Report(error_id(diagnostics, sentence));
}

std::shared_ptr<clang::CompilerInvocation> invocation_for_devices(clang::CompilerInstance& host,
                                                                  llvm::StringRef target_macro) {
  auto invocation = std::make_shared<clang::CompilerInvocation>(host.getInvocation());
  for (const llvm::StringRef macro : {llvm::StringRef(DEVICE_MACRO), target_macro})
    if (!macro.empty())
      invocation->getPreprocessorOpts().addMacroDef((macro + "=1").str());
  clang::FrontendOptions& frontend = invocation->getFrontendOpts();
  frontend.ProgramAction = clang::frontend::EmitLLVMOnly;
  frontend.PluginArgs.erase("falx"); // which asked for this pass
  frontend.OutputFile.clear();
  frontend.DisableFree = false;
  invocation->getDependencyOutputOpts() = clang::DependencyOutputOptions();
  clang::CodeGenOptions& code = invocation->getCodeGenOpts();
  code.DisableLLVMPasses = true; // the host's pipeline takes the module over
  code.PassPlugins.clear();
  code.CoverageMapping = false;
  code.CoverageNotesFile.clear();
  code.CoverageDataFile.clear();
  // The host's pass warns, of everything but what only this pass reads (report_program_warnings).
  invocation->getDiagnosticOpts().IgnoreWarnings = true;
  invocation->getDiagnosticOpts().VerifyDiagnostics = false;
  return invocation;
}

/// Hands on errors, and the remarks that #warning has become so that it is not ignored.
class device_messages final : public clang::ForwardingDiagnosticConsumer {
public:
  using ForwardingDiagnosticConsumer::ForwardingDiagnosticConsumer;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& message) override {
    const bool is_program_warning = message.getID() == clang::diag::pp_hash_warning;
    ForwardingDiagnosticConsumer::HandleDiagnostic(
        is_program_warning ? clang::DiagnosticsEngine::Warning : level, message);
  }
};

/// Programs tell by it what they have found of the target, and read that in the compiler's output. As with
/// every compiler of two passes, one that both passes read is there twice.
void report_program_warnings(clang::CompilerInstance& device, const clang::CompilerInstance& host) {
  const clang::DiagnosticsEngine& wanted = host.getDiagnostics();
  if (!wanted.getIgnoreAllWarnings() &&
      !wanted.isIgnored(clang::diag::pp_hash_warning, clang::SourceLocation()))
    device.getDiagnostics().setSeverity(clang::diag::pp_hash_warning, clang::diag::Severity::Remark,
                                        clang::SourceLocation());
}

/// Gathers what a compilation has read before its source manager is gone.
class device_action final : public clang::EmitLLVMOnlyAction {
public:
  using EmitLLVMOnlyAction::EmitLLVMOnlyAction;

  void EndSourceFileAction() override {
    const clang::SourceManager& sources = getCompilerInstance().getSourceManager();
    for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
      const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
      if (!entry.isFile())
        continue;
      if (const clang::OptionalFileEntryRef file = entry.getFile().getContentCache().OrigEntry)
        result().files.push_back(
            {std::string(file->getName()), clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic())});
    }
    EmitLLVMOnlyAction::EndSourceFileAction();
  }
};

class macro_watcher final : public clang::PPCallbacks {
public:
  explicit macro_watcher(const clang::SourceManager& sources) : sources_(sources) {}

  void Ifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    see(name);
  }
  void Ifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    see(name);
  }
  void Defined(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange) override {
    see(name);
  }
  void Elifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    see(name);
  }
  void Elifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override {
    see(name);
  }

private:
  void see(const clang::Token& name) {
    const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
    if (identifier == nullptr || !identifier->isStr(DEVICE_MACRO))
      return;
    if (result().macro_test.isInvalid())
      result().macro_test = name.getLocation();
    if (result().own_macro_test.isInvalid() && !sources_.isInSystemHeader(name.getLocation()))
      result().own_macro_test = name.getLocation();
  }

  const clang::SourceManager& sources_;
};

} // namespace

void watch_for_device_macro(clang::CompilerInstance& host) {
  result().macro_test = result().own_macro_test = clang::SourceLocation();
  host.getPreprocessor().addPPCallbacks(std::make_unique<macro_watcher>(host.getSourceManager()));
}

void suggest_device_pass(clang::CompilerInstance& host) {
  if (result().macro_test.isInvalid() || host.getPreprocessor().isMacroDefined(DEVICE_MACRO))
    return;
  clang::DiagnosticsEngine& diagnostics = host.getDiagnostics();
  diagnostics.Report(result().macro_test,
                     note_id(diagnostics, "device code is not told apart here: __SYCL_DEVICE_ONLY__ is "
                                          "defined with '-fsycl-device-pass' alone"));
}

void warn_of_one_pass(clang::Sema& sema) {
  if (result().own_macro_test.isInvalid() || is_device_pass() || device_pass_module() != nullptr ||
      sema.getPreprocessor().isMacroDefined(DEVICE_MACRO))
    return;
  sema.Diag(result().own_macro_test,
            portability_id(sema, "device code takes the side of this test that is for the host: "
                                 "__SYCL_DEVICE_ONLY__ is defined with '-fsycl-device-pass' alone"));
}

void run_device_pass(clang::CompilerInstance& host, llvm::StringRef target_macro) {
  const clang::FrontendOptions& frontend = host.getFrontendOpts();
  if (frontend.Inputs.size() != 1 || !frontend.Inputs.front().isFile() ||
      frontend.Inputs.front().getFile() == "-")
    return report_error(host, "a pass of its own for device code needs a source file to read twice");
  if (!host.getPreprocessorOpts().ImplicitPCHInclude.empty())
    return report_error(host,
                        "a pass of its own for device code cannot use a precompiled header, which was made "
                        "without __SYCL_DEVICE_ONLY__; include the header instead");

  clang::CompilerInstance device(invocation_for_devices(host, target_macro),
                                 host.getPCHContainerOperations());
  device.setVirtualFileSystem(host.getVirtualFileSystemPtr());
  device.createDiagnostics(new device_messages(host.getDiagnosticClient()),
                           /*ShouldOwnClient=*/true);
  report_program_warnings(device, host);
  device_action action(&result().context);
  result().is_running = true;
  const bool works = device.ExecuteAction(action) && !device.getDiagnostics().hasErrorOccurred();
  result().is_running = false;
  if (works)
    result().module = action.takeModule();
  // The host's pass must not go on to an object file.
  if (result().module == nullptr)
    report_error(host, "the pass for device code, with __SYCL_DEVICE_ONLY__ defined, has found errors");
}

bool is_device_pass() {
  return result().is_running;
}

llvm::Module* device_pass_module() {
  return result().module.get();
}

void add_dependencies_of_device_pass(clang::CompilerInstance& host) {
  for (const std::shared_ptr<clang::DependencyCollector>& collector : host.getDependencyCollectors())
    for (const file_read& file : result().files)
      collector->maybeAddDependency(file.name, /*FromModule=*/false, file.is_system, /*IsModuleFile=*/false,
                                    /*IsMissing=*/false);
}

} // namespace falx::compiler
