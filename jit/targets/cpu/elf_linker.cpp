// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "elf_linker.hpp"
#include "frontend/kernel_attributes.hpp"
#include "linker_files.hpp"
#include "request/shared_libraries.hpp"

#include <lld/Common/Driver.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Errno.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <mutex>
#include <set>
#include <signal.h>
#include <string>
#include <system_error>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace falx::jit {

/// What a shared object takes that is made of one relocatable object, usually: what the linker adds for each
/// relocation and each symbol is about what is in the object, and there are few segments to align.
static std::size_t usual_linked_size(std::size_t object) {
  constexpr std::size_t ALIGNMENTS = 4, LARGEST_PAGE = std::size_t{64} << 10;
  return 2 * object + ALIGNMENTS * LARGEST_PAGE;
}

/// Of symbols whose names begin with \p prefix. Those that the kernel's description is made of are defined
/// here.
static bool has_undefined_symbols(ArrayRef<char> object, StringRef prefix = "") {
  auto parsed = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(object.data(), object.size()), "kernel.o"));
  if (!parsed) {
    consumeError(parsed.takeError());
    return true;
  }
  for (const object::SymbolRef& symbol : (*parsed)->symbols()) {
    Expected<std::uint32_t> flags = symbol.getFlags();
    if (!flags)
      consumeError(flags.takeError());
    else if ((*flags & object::SymbolRef::SF_Undefined) && !(*flags & object::SymbolRef::SF_FormatSpecific)) {
      Expected<StringRef> name = symbol.getName();
      if (name && name->starts_with(prefix) && !name->starts_with("falx_kernel_"))
        return true;
      consumeError(name.takeError());
    }
  }
  return false;
}

/// The names in lld's "undefined symbol: x" lines, each once.
static std::string undefined_symbols(StringRef messages) {
  constexpr StringLiteral MARK = "undefined symbol: ";
  std::set<std::string> names;
  for (std::size_t at = messages.find(MARK); at != StringRef::npos; at = messages.find(MARK, at + 1))
    names.insert(messages.substr(at + MARK.size()).take_until([](char c) { return c == '\n'; }).str());
  return join(names, ", ");
}

/// lld keeps state in globals.
static std::mutex& lld_mutex() {
  static std::mutex mutex;
  return mutex;
}

namespace {

/// For files that it writes, LLVM handles fatal signals, and gives the thread another signal stack (for good)
/// if it has none that is large enough. Both belong to the program, not to us: what was there is put back.
class kept_signal_state {
public:
  kept_signal_state() : large_stack_(std::make_unique_for_overwrite<char[]>(STACK_BYTES)) {
    stack_t large{};
    large.ss_sp = large_stack_.get();
    large.ss_size = STACK_BYTES;
    sigaltstack(&large, &stack_);
  }
  ~kept_signal_state() {
    sys::unregisterHandlers();
    sigaltstack(&stack_, nullptr);
  }
  kept_signal_state(const kept_signal_state&) = delete;
  kept_signal_state& operator=(const kept_signal_state&) = delete;

private:
  static constexpr std::size_t STACK_BYTES = std::size_t{512} << 10;
  const std::unique_ptr<char[]> large_stack_;
  stack_t stack_{};
};

} // namespace

static Error run_lld(ArrayRef<const char*> arguments, StringRef kernel) {
  static bool usable = true;
  std::lock_guard lock(lld_mutex());
  if (!usable)
    return failure("Kernel '" + kernel + "' cannot be linked: an earlier failure of lld left it unusable.");
  std::string messages;
  raw_string_ostream stream(messages);
  const kept_signal_state kept;
  const lld::Result result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  if (result.retCode == 0)
    return Error::success();
  if (const std::string names = undefined_symbols(messages); !names.empty())
    return failure(
        "Kernel '" + kernel + "' uses symbols that device code cannot reach: " + names +
        ". Define functions in the same translation unit, or mark them SYCL_EXTERNAL where they are "
        "defined.");
  return failure("Kernel '" + kernel + "' cannot be linked: " + messages);
}

Expected<std::vector<unsigned char>> link_shared_object(const link_input& objects, StringRef kernel,
                                                        ArrayRef<shared_library> libraries) {
  const std::size_t size = objects.code.size() + objects.data.size();
  linker_input input("falx kernel.o"), data("falx data.o");
  linker_output output(usual_linked_size(size));
  if (!input.exists() || !data.exists() || !output.exists())
    return failure("Kernel '" + kernel + "' cannot be linked: no file in memory, or no pipe, can be made: " +
                   errnoAsErrorCode().message() + ".");
  std::error_code error = input.write(objects.code);
  if (!error)
    error = data.write(objects.data);
  if (error)
    return failure("Kernel '" + kernel + "' cannot be linked: its code of " + Twine(size) +
                   " bytes cannot be written: " + error.message() +
                   (error == std::errc::file_too_large ? "; raise the limit (ulimit -f)." : "."));

  const std::string input_path = input.path(), data_path = data.path(), output_path = output.path();
  std::vector<const char*> arguments = {"ld.lld",
                                        "-shared",
                                        "-Bsymbolic",
                                        "-z",
                                        "defs",
                                        "--as-needed",
                                        "--threads=1",
                                        "--build-id=none",
                                        "--hash-style=gnu",
                                        "--color-diagnostics=never",
                                        "--error-limit=0",
                                        "-o",
                                        output_path.c_str(),
                                        input_path.c_str()};
  if (!objects.data.empty())
    arguments.push_back(data_path.c_str());
  std::vector<std::string> numbers;
  numbers.reserve(objects.numbers.size());
  for (const auto& [symbol, number] : objects.numbers)
    numbers.push_back(("--defsym=" + symbol + "=" + Twine(number)).str());
  for (const std::string& number : numbers)
    arguments.push_back(number.c_str());
  std::vector<std::string> paths;
  const bool needs_any = has_undefined_symbols(objects.code),
             needs_vectors = has_undefined_symbols(objects.code, "Sleef_");
  for (const shared_library& library : libraries)
    if (library.name == VECTOR_MATH_LIBRARY ? needs_vectors : needs_any)
      paths.emplace_back(library.path);
  for (const std::string& path : paths)
    arguments.push_back(path.c_str());
  if (Error failed = run_lld(arguments, kernel))
    return failed;
  std::vector<unsigned char> linked = output.take();
  if (linked.empty())
    return failure("Kernel '" + kernel + "' cannot be linked: the linker's output cannot be read.");
  return linked;
}

} // namespace falx::jit
