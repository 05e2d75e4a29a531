// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lifetime.hpp"

#include <mutex>
#include <new>
#include <unordered_map>

namespace falx {
namespace {

/// The lifetimes of objects that live.
struct lifetime_registry {
  std::mutex mutex;
  std::unordered_map<const ref_counted*, handle<lifetime>> lifetimes;

  /// Never destroyed: objects may go when the process ends.
  static lifetime_registry& instance() noexcept {
    alignas(lifetime_registry) static unsigned char memory[sizeof(lifetime_registry)];
    static lifetime_registry& registry = *::new (memory) lifetime_registry;
    return registry;
  }
};

} // namespace

handle<lifetime> lifetime::of(ref_counted& object, retain_function retain) {
  lifetime_registry& registry = lifetime_registry::instance();
  const std::lock_guard lock(registry.mutex);
  handle<lifetime>& known = registry.lifetimes[&object];
  if (!known) {
    known = handle<lifetime>::adopt(new lifetime(object, retain));
    object.set_watched();
  }
  return known;
}

bool lifetime::retain_if_alive() noexcept {
  const std::lock_guard lock(lifetime_registry::instance().mutex);
  return object_ != nullptr && retain_(*object_);
}

bool lifetime::is_alive() noexcept {
  const std::lock_guard lock(lifetime_registry::instance().mutex);
  return object_ != nullptr;
}

void end_lifetime(ref_counted& object) noexcept {
  handle<lifetime> ended; // released without the lock
  lifetime_registry& registry = lifetime_registry::instance();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.lifetimes.find(&object);
  if (found == registry.lifetimes.end())
    return;
  ended = std::move(found->second);
  ended->object_ = nullptr;
  registry.lifetimes.erase(found);
}

void retain(lifetime* object) noexcept {
  object->retain_reference();
}
void release(lifetime* object) noexcept {
  object->release_reference();
}
bool retain_if_alive(lifetime& of) noexcept {
  return of.retain_if_alive();
}
bool is_alive(lifetime& of) noexcept {
  return of.is_alive();
}

} // namespace falx
