// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <cstddef>
#include <pthread.h>
#include <string>
#include <system_error>
#include <vector>

/// \file
/// lld reads and writes files. These have no names that could outlive the process, whatever ends it.

namespace falx::jit {

/// What lld reads.
class linker_input {
public:
  explicit linker_input(const char* name);
  linker_input(const linker_input&) = delete;
  linker_input& operator=(const linker_input&) = delete;
  ~linker_input();

  /// False if it could not be made; errno says why.
  bool exists() const { return descriptor_ >= 0; }
  std::string path() const;
  std::error_code write(llvm::ArrayRef<char> bytes);

private:
  int descriptor_;
};

/// Takes what lld writes: a pipe, as regular files it makes under other names first and renames. Where not
/// all goes into the pipe, a thread empties it meanwhile.
class linker_output {
public:
  /// For \p most bytes without a thread.
  explicit linker_output(std::size_t most);
  linker_output(const linker_output&) = delete;
  linker_output& operator=(const linker_output&) = delete;
  ~linker_output();

  /// False if it could not be made; errno says why.
  bool exists() const { return exists_; }
  std::string path() const;
  /// All that was written. The writer has finished.
  std::vector<unsigned char> take();

private:
  void empty_pipe();
  bool start_reader();
  static void* run_reader(void* self);
  void stop_reader();

  int ends_[2] = {-1, -1};
  int done_ = -1; // an event for the reader
  bool exists_ = false, reads_ = false;
  pthread_t reader_{};
  std::vector<unsigned char> bytes_;
};

} // namespace falx::jit
