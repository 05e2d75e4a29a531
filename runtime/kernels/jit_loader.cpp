// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit_loader.hpp"

#include "code_by_content.hpp"
#include "diagnostics/environment.hpp"
#include "falx/cache.hpp"
#include "process/file_identity.hpp"
#include "process/file_size_signal.hpp"
#include "request_digest.hpp"
#include "sycl/exception.hpp"

#include <atomic>
#include <cstdio>
#include <dlfcn.h>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

namespace falx {
namespace {

constexpr const char* LIBRARY = "libfalx-jit.so";

constinit std::atomic<std::uint64_t> compilations{0};

/// libfalx-jit.so beside the library that holds this function, or in lib beside the folder of a program that
/// does (a test of the runtime's internals); its plain name if it is in neither place.
std::string library_path() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&library_path), &info) == 0 || info.dli_fname == nullptr)
    return LIBRARY;
  const std::string mine = info.dli_fname;
  const std::size_t slash = mine.rfind('/');
  const std::string folder = slash == std::string::npos ? std::string() : mine.substr(0, slash + 1);
  for (const char* place : {"", "../lib/"})
    if (const std::string path = folder + place + LIBRARY; ::access(path.c_str(), R_OK) == 0)
      return path;
  return LIBRARY;
}

[[noreturn]] void cannot_compile(const std::string& reason) {
  throw sycl::exception(sycl::errc::build, "kernels cannot be compiled: " + reason);
}

const jit::interface& load_interface() {
  const std::string path = library_path();
  // Never closed: LLVM keeps state for the life of the process.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const said = ::dlerror();
    const std::string reason = said != nullptr ? said : path;
    // The dynamic linker's words for what mmap, malloc and open lack.
    for (const char* lack : {"failed to map segment", "annot allocate memory", "cannot create"})
      if (reason.find(lack) != std::string::npos)
        cannot_compile(reason +
                       "; the process has too little memory or address space for the compiler: raise the "
                       "limit (ulimit -v), or run the program once without it, so that its kernels are "
                       "in the cache");
    if (reason.find("Too many open files") != std::string::npos)
      cannot_compile(reason + "; raise the limit of open files (ulimit -n)");
    cannot_compile(reason + "; install libfalx-jit.so, of the same version, beside libfalx.so");
  }
  using entry_point = const jit::interface* (*)();
  const auto entry = reinterpret_cast<entry_point>(::dlsym(library, "falx_jit_interface"));
  if (entry == nullptr)
    cannot_compile(path + " is not Falx's JIT; install the libfalx-jit.so that belongs to this libfalx.so");
  const jit::interface* found = entry();
  if (found == nullptr || found->version != jit::INTERFACE_VERSION)
    cannot_compile(path + " has interface version " +
                   (found == nullptr ? "0" : std::to_string(found->version)) + ", but libfalx.so needs " +
                   std::to_string(jit::INTERFACE_VERSION) + "; install both from the same build");
  return *found;
}

jit::response compile(const jit::interface& jit, const jit::request& request) {
  jit::response response;
  jit.compile(request, {.verify = the_environment().verifies_kernels}, response);
  return response;
}

} // namespace

// Weak, as jit_identity below, so that tests can define their own.
[[gnu::weak]] jit::response jit_compile(const jit::request& request) {
  static const jit::interface& jit = load_interface(); // tried again if it throws
  const file_size_signal_blocker blocker;              // the linker writes files
  jit::image_part part;
  jit.find_part(request, part);
  jit::request reduced = request;
  digest128 key;
  if (!part.bitcode.empty()) {
    reduced.images = {{part.bitcode, part.content}};
    reduced.kernel = {};
    key = digest_of(reduced, jit_identity());
    if (std::optional<jit::response> known = code_by_content::instance().find(key, request.kernel))
      return std::move(*known);
    reduced.kernel = request.kernel;
  }
  // Of an image without one the JIT looks for no part, which it has been asked for.
  for (jit::identified_bytes& image : reduced.images)
    image.identity = {};
  jit::response response = compile(jit, reduced);
  if (!part.bitcode.empty())
    code_by_content::instance().keep(key, request.kernel, response);
  return response;
}

void count_compilation(const jit::response& response) {
  compilations.fetch_add(1, std::memory_order_relaxed);
  if (the_environment().reports_scalar_kernels && !response.remark.empty())
    std::fprintf(stderr, "falx: %s\n", response.remark.c_str());
}

// The build of the JIT, of which LLVM is a part; empty if it is not known which one is going to be loaded.
[[gnu::weak]] std::string_view jit_identity() {
  // Never destroyed: static destructors of the program may still launch kernels.
  static const std::string& identity = *std::make_unique<std::string>([] {
                                          const std::string path = library_path();
                                          return path == LIBRARY ? std::string() : file_identity(path);
                                        }())
                                            .release();
  return identity;
}

std::uint64_t jit_compilations() noexcept {
  return compilations.load(std::memory_order_relaxed);
}

} // namespace falx
