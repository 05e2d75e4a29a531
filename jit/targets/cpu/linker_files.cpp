// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linker_files.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace falx::jit {

static std::string path_of(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

linker_input::linker_input(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {}

linker_input::~linker_input() {
  if (descriptor_ >= 0)
    close(descriptor_);
}

std::string linker_input::path() const {
  return path_of(descriptor_);
}

std::error_code linker_input::write(llvm::ArrayRef<char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return {errno, std::generic_category()};
    bytes = bytes.drop_front(std::size_t(std::max<ssize_t>(written, 0)));
  }
  return {};
}

linker_output::linker_output(std::size_t most) {
  if (pipe2(ends_, O_CLOEXEC) != 0 || fcntl(ends_[0], F_SETFL, O_NONBLOCK) != 0)
    return;
  fcntl(ends_[0], F_SETPIPE_SZ, int(std::min<std::size_t>(most, INT_MAX)));
  const int capacity = fcntl(ends_[0], F_GETPIPE_SZ);
  exists_ = (capacity >= 0 && std::size_t(capacity) >= most) || start_reader();
}

linker_output::~linker_output() {
  stop_reader();
  for (int descriptor : {ends_[0], ends_[1], done_})
    if (descriptor >= 0)
      close(descriptor);
}

std::string linker_output::path() const {
  return path_of(ends_[1]);
}

std::vector<unsigned char> linker_output::take() {
  stop_reader();
  empty_pipe();
  return std::move(bytes_);
}

/// Goes by what is in the pipe and not by its end: a forked child may hold the writer's end open.
void linker_output::empty_pipe() {
  constexpr std::size_t PORTION = 1 << 16;
  for (;;) {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + PORTION);
    const ssize_t got = read(ends_[0], bytes_.data() + before, PORTION);
    const bool again = got > 0 || (got < 0 && errno == EINTR);
    bytes_.resize(before + std::size_t(std::max<ssize_t>(got, 0)));
    if (!again)
      return;
  }
}

bool linker_output::start_reader() {
  done_ = eventfd(0, EFD_CLOEXEC);
  if (done_ < 0)
    return false;
  // The program's signals are no business of this thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(&reader_, nullptr, &run_reader, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return reads_ = error == 0;
}

void* linker_output::run_reader(void* self) {
  auto& output = *static_cast<linker_output*>(self);
  pollfd sources[] = {{output.ends_[0], POLLIN, 0}, {output.done_, POLLIN, 0}};
  while (sources[1].revents == 0) {
    poll(sources, 2, -1);
    output.empty_pipe();
  }
  return nullptr;
}

void linker_output::stop_reader() {
  if (!reads_)
    return;
  eventfd_write(done_, 1);
  pthread_join(reader_, nullptr);
  reads_ = false;
}

} // namespace falx::jit
