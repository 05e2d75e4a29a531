// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <memory>
#include <new>
#include <pthread.h>

/// \file
/// LLVM lives as long as the process. It is loaded by the first kernel that must be compiled, so its static
/// objects would be destroyed before all that the program made earlier; a kernel that is compiled in a static
/// destructor of the program, or by a function given to atexit, would find an LLVM in ruins. LLVM and lld are
/// linked into libfalx-jit.so, and the two functions below, which are not exported, stand there for those of
/// the C++ library (Itanium C++ ABI §3.3.6): static objects are never destroyed, and thread_local ones only
/// when a thread ends, not when the process does.

namespace {

struct thread_local_object {
  void (*destroy)(void*);
  void* object;
  thread_local_object* before;
};

/// The objects of the calling thread, the newest first.
thread_local constinit thread_local_object* newest = nullptr;

/// The thread ends; at the end of the process, exit calls no such function.
void destroy_objects(void*) noexcept {
  while (newest != nullptr) {
    const std::unique_ptr<thread_local_object> last(newest);
    newest = last->before;
    last->destroy(last->object);
  }
}

struct thread_end {
  thread_end() noexcept { is_known = pthread_key_create(&key, &destroy_objects) == 0; }
  pthread_key_t key{};
  bool is_known;
};

} // namespace

extern "C" {

[[gnu::visibility("hidden")]] int __cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}

[[gnu::visibility("hidden")]] int __cxa_thread_atexit(void (*destroy)(void*), void* object, void*) {
  static const thread_end end;
  auto* const added = new (std::nothrow) thread_local_object{destroy, object, newest};
  // Without memory the object is left to the process's end, as all are without the key.
  if (added == nullptr)
    return 0;
  newest = added;
  if (end.is_known)
    pthread_setspecific(end.key, added);
  return 0;
}
}
