// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that are compiled ahead of time, in the host module:
//   @falx.compiled_kernels = private constant [n x i8] c"…", section ".falx.kernels"
//   @falx.compiled_kernels_registration = internal global
//       { i64 INTERFACE_VERSION, ptr @falx.compiled_kernels, ptr …end, ptr null, ptr null }
//   …registered in llvm.global_ctors, as the image is.
#include "ahead_of_time.hpp"

#include "falx/ahead_of_time.hpp"
#include "host_module.hpp"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

namespace falx::compiler {

namespace {

// <prefix>/bin/falx-aot beside <prefix>/lib/falx/falx-clang-plugin.so.
std::string path_of_tool() {
  Dl_info info{};
  ::dladdr(reinterpret_cast<const void*>(&path_of_tool), &info);
  llvm::SmallString<256> path(info.dli_fname);
  if (llvm::sys::fs::make_absolute(path)) // there is no current directory
    return "falx-aot";
  for (int level = 0; level < 3; ++level)
    llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "bin", "falx-aot");
  return std::string(path);
}

// Empty if it cannot be read.
std::string contents_of(llvm::StringRef path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

// A file that goes when this does.
struct temporary_file {
  explicit temporary_file(llvm::StringRef suffix)
      : exists(!llvm::sys::fs::createTemporaryFile("falx", suffix, path)), remover(path, exists) {}
  llvm::SmallString<128> path;
  bool exists;
  llvm::FileRemover remover;
};

void report_lines(llvm::LLVMContext& context, llvm::StringRef text, llvm::DiagnosticSeverity severity) {
  for (llvm::StringRef rest = text.trim(); !rest.empty();) {
    const auto [line, others] = rest.split('\n');
    context.diagnose(llvm::DiagnosticInfoGeneric(line, severity));
    rest = others;
  }
}

// What falx-aot makes of an image; empty if it has no kernels that can be compiled by themselves.
std::string kernels_of(llvm::LLVMContext& context, llvm::StringRef image) {
  const temporary_file input("image"), output("kernels"), remarks("txt"), errors("txt");
  std::error_code error;
  llvm::raw_fd_ostream stream(input.path, error);
  stream << image;
  stream.close();
  if (error || stream.has_error() || !output.exists || !remarks.exists || !errors.exists) {
    context.emitError(
        "kernels cannot be compiled ahead of time: no temporary file can be written; set TMPDIR to a "
        "directory with room");
    return {};
  }
  const std::string tool = path_of_tool();
  const llvm::StringRef arguments[] = {tool, "--image",  input.path, "--targets", ahead_of_time_targets(),
                                       "-o", output.path};
  const std::optional<llvm::StringRef> streams[] = {"", remarks.path.str(), errors.path.str()};
  std::string reason;
  const int status = llvm::sys::ExecuteAndWait(tool, arguments, std::nullopt, streams, 0, 0, &reason);
  report_lines(context, contents_of(remarks.path), llvm::DS_Warning);
  if (status == 0)
    return contents_of(output.path);
  const std::string said = contents_of(errors.path);
  if (!said.empty())
    report_lines(context, said, llvm::DS_Error);
  else
    context.emitError("kernels cannot be compiled ahead of time, as '" + tool + "' fails: " +
                      (reason.empty() ? "it ended with status " + std::to_string(status) : reason) +
                      "; reinstall Falx");
  return {};
}

} // namespace

std::string& ahead_of_time_targets() {
  static std::string targets;
  return targets;
}

void compile_ahead_of_time(llvm::Module& host, llvm::StringRef image) {
  if (ahead_of_time_targets().empty())
    return;
  llvm::LLVMContext& context = host.getContext();
  const std::string kernels = kernels_of(context, image);
  if (kernels.empty())
    return;
  auto* bytes = llvm::ConstantDataArray::getString(context, kernels, /*AddNull=*/false);
  auto* variable =
      new llvm::GlobalVariable(host, bytes->getType(), /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                               bytes, "falx.compiled_kernels");
  variable->setSection(".falx.kernels");
  variable->setAlignment(llvm::Align(8));
  auto* word = llvm::Type::getInt64Ty(context);
  auto* null = llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context));
  auto* end = llvm::ConstantExpr::getInBoundsGetElementPtr(
      bytes->getType(), variable, llvm::ArrayRef<llvm::Constant*>{llvm::ConstantInt::get(word, 1)});
  auto* value = llvm::ConstantStruct::getAnon(
      {llvm::ConstantInt::get(word, INTERFACE_VERSION), variable, end, null, null});
  auto* registration = new llvm::GlobalVariable(host, value->getType(), /*isConstant=*/false,
                                                llvm::GlobalValue::InternalLinkage, value,
                                                "falx.compiled_kernels_registration");
  register_object(host, registration, "falx.register_compiled_kernels", "falx_register_compiled_kernels",
                  "falx.unregister_compiled_kernels", "falx_unregister_compiled_kernels");
}

} // namespace falx::compiler
