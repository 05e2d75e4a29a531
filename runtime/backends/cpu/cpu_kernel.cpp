// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_kernel.hpp"

#include "process/owned_descriptor.hpp"
#include "sycl/exception.hpp"

#include <cerrno>
#include <dlfcn.h>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace falx {
namespace {

/// Nanoseconds that quick code has run when better code is made, which takes some tens of milliseconds: on an
/// idle processor, as what has run so long is likely to go on; and by a launch, if none was idle, as by then
/// waiting costs no more than has been lost.
constexpr std::uint64_t WORTH_REQUESTING = 2'000'000, WORTH_WAITING = 30'000'000;
/// The same for another form, which may turn out to be slower.
constexpr std::uint64_t WORTH_REQUESTING_FORM = 20'000'000, WORTH_WAITING_FORM = 500'000'000;

[[noreturn]] void cannot_load(std::string_view kernel_name, const std::string& reason) {
  throw sycl::exception(sycl::errc::build,
                        "kernel '" + std::string(kernel_name) + "' could not be loaded: " + reason);
}

/// What dlopen complained about last.
std::string loading_error() {
  const char* error = ::dlerror();
  return error != nullptr ? error : "the dynamic linker gave no reason";
}

loaded_library open_library(const std::string& path) {
  return loaded_library(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
}

/// A file in memory, named for debuggers and profilers.
owned_descriptor make_memory_file(std::string_view kernel_name) {
  constexpr std::size_t LONGEST_NAME = 200; // memfd_create allows 249
  const std::string name = "falx " + std::string(kernel_name.substr(0, LONGEST_NAME));
#ifdef MFD_EXEC
  constexpr unsigned EXECUTABLE = MFD_EXEC;
#else
  constexpr unsigned EXECUTABLE = 0x10; // since Linux 6.3, younger than many C libraries
#endif
  owned_descriptor file(::memfd_create(name.c_str(), MFD_CLOEXEC | EXECUTABLE));
  if (!file && errno == EINVAL)
    file = owned_descriptor(::memfd_create(name.c_str(), MFD_CLOEXEC));
  return file;
}

loaded_library open_bytes(std::span<const unsigned char> bytes, std::string_view kernel_name) {
  const owned_descriptor file = make_memory_file(kernel_name);
  if (!file)
    cannot_load(kernel_name, "no file can be made in memory: " + std::generic_category().message(errno));
  if (!write_all(file, bytes))
    cannot_load(kernel_name, errno == EFBIG ? "its code has " + std::to_string(bytes.size()) +
                                                  " bytes, which is more than the process may write to a "
                                                  "file; raise the limit (ulimit -f)"
                                            : std::generic_category().message(errno));
  loaded_library library = open_library(unique_path_to(file));
  if (library == nullptr)
    cannot_load(kernel_name, loading_error());
  return library;
}

loaded_library open_binary(const kernel_binary& binary, std::string_view kernel_name) {
  if (binary.path.empty())
    return open_bytes(binary.bytes, kernel_name);
  loaded_library library = open_library(binary.path);
  if (library == nullptr)
    cannot_load(kernel_name, loading_error());
  return library;
}

/// Better now than when it is on its way. What is not touched takes no memory, but the system may have
/// limits.
void check_stack(const cpu_loaded_kernel& kernel, std::string_view kernel_name) {
  try {
    cpu_kernel_stack().reserve(kernel.stack_bytes());
  } catch (const std::bad_alloc&) {
    throw sycl::exception(
        sycl::make_error_code(sycl::errc::kernel_not_supported),
        fmt::format(
            "kernel '{}' needs {} bytes of stack on each thread for private variables, those of the {} "
            "work-items of a sub-group at once, which the system does not give (its memory, ulimit "
            "-v); use smaller private arrays or a smaller sub-group size",
            kernel_name, kernel.stack_bytes(), kernel.properties().sub_group_size));
  }
}

} // namespace

void library_closer::operator()(void* library) const noexcept {
  ::dlclose(library);
}

void cpu_loaded_kernel::expect_other_form(std::unique_ptr<other_code> other) {
  code_ = std::move(other);
  is_other_form_ = true;
  earlier_ = code_->history().outcome;
  if (earlier_ == form_outcome::changes)
    taken_ = code_->take_faster();
  published_.store(static_cast<const cpu_loaded_kernel*>(taken_.get()), std::memory_order_release);
}

/// Adds a launch to what this kernel has run, and gives that.
std::uint64_t cpu_loaded_kernel::spend(double unit_cost, std::uint64_t units,
                                       std::size_t available_threads) const noexcept {
  const double nanoseconds = unit_cost * static_cast<double>(units);
  const std::size_t threads = is_other_form_ ? count_threads(nanoseconds, available_threads) : 1;
  const auto launch = static_cast<std::uint64_t>(nanoseconds / static_cast<double>(threads));
  return spent_.fetch_add(launch, std::memory_order_relaxed) + launch;
}

/// Null if this launch has to do without.
const cpu_loaded_kernel* cpu_loaded_kernel::take_code(std::uint64_t units,
                                                      std::size_t available_threads) const noexcept {
  const std::uint64_t spent = spend(unit_cost(), units, available_threads);
  if (spent < (is_other_form_ ? WORTH_REQUESTING_FORM : WORTH_REQUESTING) ||
      has_taken_.load(std::memory_order_relaxed))
    return nullptr;
  if (!has_requested_.exchange(true)) {
    code_->request();
    return nullptr;
  }
  if ((spent < (is_other_form_ ? WORTH_WAITING_FORM : WORTH_WAITING) && !code_->is_ready()) ||
      has_taken_.exchange(true))
    return nullptr;
  taken_ = code_->take();
  const auto* const taken = static_cast<const cpu_loaded_kernel*>(taken_.get());
  published_.store(taken, std::memory_order_release);
  return taken;
}

cpu_kernel_forms cpu_loaded_kernel::forms_for(std::uint64_t units,
                                              std::size_t available_threads) const noexcept {
  const cpu_loaded_kernel* taken = published_.load(std::memory_order_acquire);
  if (taken == nullptr)
    taken = take_code(units, available_threads);
  if (taken == nullptr)
    return {this};
  if (!is_other_form_)
    return taken->for_launch_of(units, available_threads);
  switch (trial_.result()) {
  case cpu_form_trial::outcome::keeps:
    return {this};
  case cpu_form_trial::outcome::changes:
    return {taken};
  case cpu_form_trial::outcome::undecided:
    break;
  }
  if (earlier_ == form_outcome::changes && spent_.load(std::memory_order_relaxed) < WORTH_REQUESTING_FORM &&
      spend(taken->unit_cost(), units, available_threads) < WORTH_REQUESTING_FORM)
    return {taken};
  return {this, taken, &trial_};
}

std::unique_ptr<loaded_kernel> load_cpu_kernel(const kernel_binary& binary, std::string_view kernel_name) {
  loaded_library library = open_binary(binary, kernel_name);
  const auto* properties =
      static_cast<const cpu::kernel_properties*>(::dlsym(library.get(), cpu::KERNEL_PROPERTIES_SYMBOL));
  if (properties == nullptr)
    cannot_load(kernel_name, "its code has no description of itself");
  if (properties->abi_version != cpu::CPU_ABI_VERSION)
    cannot_load(kernel_name, "its code has version " + std::to_string(properties->abi_version) +
                                 ", but libfalx.so needs " + std::to_string(cpu::CPU_ABI_VERSION) +
                                 "; install libfalx.so and libfalx-jit.so from the same build");
  auto kernel = std::make_unique<cpu_loaded_kernel>(std::move(library), *properties);
  check_stack(*kernel, kernel_name);
  return kernel;
}

} // namespace falx
