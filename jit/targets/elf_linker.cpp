// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "elf_linker.hpp"
#include "passes/kernel_attributes.hpp"

#include <lld/Common/Driver.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <signal.h>
#include <string>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace falx::jit {

namespace {

/// lld reads and writes files: they live in a directory that only this user can enter, in memory if possible.
class private_directory {
public:
  private_directory() {
    const char* chosen = std::getenv("TMPDIR");
    for (const char* base : {"/dev/shm", chosen, "/tmp"}) {
      if (base == nullptr)
        continue;
      std::string name = std::string(base) + "/falx-XXXXXX";
      if (mkdtemp(name.data()) != nullptr) {
        path_ = name;
        return;
      }
    }
  }
  private_directory(const private_directory&) = delete;
  private_directory& operator=(const private_directory&) = delete;
  ~private_directory() {
    if (path_.empty())
      return;
    for (const char* file : {"/kernel.o", "/kernel.so"})
      unlink((path_ + file).c_str());
    rmdir(path_.c_str());
  }
  bool exists() const { return !path_.empty(); }
  std::string file(const char* name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

} // namespace

/// Where the dynamic linker finds \p name.
static std::optional<std::string> library_path(const char* name) {
  void* handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr)
    return std::nullopt;
  link_map* map = nullptr;
  std::optional<std::string> path;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr)
    path = map->l_name;
  dlclose(handle);
  return path;
}

/// Functions of vectors. The name says which version: kernels from the cache get the same.
static constexpr const char* VECTOR_MATH_LIBRARY = "libsleef.so.3";

bool has_vector_math_library() {
  static const bool exists = library_path(VECTOR_MATH_LIBRARY).has_value();
  return exists;
}

/// Of symbols whose names begin with \p prefix.
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
      if (name && name->starts_with(prefix))
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

Expected<std::vector<unsigned char>> link_shared_object(ArrayRef<char> object, StringRef kernel) {
  private_directory directory;
  if (!directory.exists())
    return failure("Kernel '" + kernel +
                   "' cannot be linked: no directory can be made in /dev/shm, $TMPDIR or /tmp.");
  const std::string input = directory.file("kernel.o");
  const std::string output = directory.file("kernel.so");
  std::error_code error;
  raw_fd_ostream stream(input, error, sys::fs::OF_None);
  if (!error) {
    stream.write(object.data(), object.size());
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return failure("Kernel '" + kernel + "' cannot be linked: writing " + input + ": " + error.message() +
                   ".");

  std::vector<std::string> libraries;
  if (has_undefined_symbols(object))
    for (const char* name : {"libm.so.6", "libc.so.6", "libgcc_s.so.1"})
      if (std::optional<std::string> path = library_path(name))
        libraries.push_back(*path);
  if (has_undefined_symbols(object, "Sleef_"))
    if (std::optional<std::string> path = library_path(VECTOR_MATH_LIBRARY))
      libraries.push_back(*path);
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
                                        output.c_str(),
                                        input.c_str()};
  for (const std::string& library : libraries)
    arguments.push_back(library.c_str());
  if (Error failed = run_lld(arguments, kernel))
    return failed;

  ErrorOr<std::unique_ptr<MemoryBuffer>> linked =
      MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!linked)
    return failure("Kernel '" + kernel + "' cannot be linked: reading " + output + ": " +
                   linked.getError().message() + ".");
  const StringRef bytes = (*linked)->getBuffer();
  return std::vector<unsigned char>(bytes.bytes_begin(), bytes.bytes_end());
}

} // namespace falx::jit
