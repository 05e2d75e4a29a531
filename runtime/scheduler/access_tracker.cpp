// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "access_tracker.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace falx {

void add_dependency_once(std::vector<handle<command>>& dependencies, const handle<command>& dependency) {
  if (dependency->is_complete())
    return;
  if (std::find(dependencies.begin(), dependencies.end(), dependency) == dependencies.end())
    dependencies.push_back(dependency);
}

void access_tracker::drop_complete(std::vector<tracked_access>& accesses) {
  std::erase_if(accesses, [](const tracked_access& access) { return access.user->is_complete(); });
}

void access_tracker::collect(std::vector<tracked_access>& accesses, const tracked_access& access,
                             std::vector<handle<command>>& dependencies) {
  for (std::size_t i = 0; i < accesses.size();) {
    tracked_access& earlier = accesses[i];
    if (earlier.user->is_complete()) {
      if (i + 1 != accesses.size())
        earlier = std::move(accesses.back());
      accesses.pop_back();
      continue;
    }
    if (earlier.user != access.user && !(earlier.by_host && access.by_host) &&
        intersects(earlier.box, access.box))
      add_dependency_once(dependencies, earlier.user);
    ++i;
  }
}

void access_tracker::conflicts(const tracked_access& access, std::vector<handle<command>>& dependencies) {
  assert(access.user && "an access is some command's");
  collect(writes_, access, dependencies);
  if (access.writes)
    collect(reads_, access, dependencies);
}

void access_tracker::writers(const byte_box& contents, std::vector<handle<command>>& dependencies) {
  for (const tracked_access& write : writes_)
    if (intersects(write.by_host ? write.contents : write.box, contents))
      add_dependency_once(dependencies, write.user);
}

void access_tracker::add(tracked_access access) {
  assert(access.user && "an access is some command's");
  assert((access.contents.is_empty() || covers(access.box, access.contents)) &&
         "others would not wait for all that the access touches");
  if (access.writes) {
    // What conflicts with a covered access conflicts with this one as well, which waits for the covered one.
    const auto is_covered = [&access](const tracked_access& earlier) {
      if (access.by_host)
        return !earlier.by_host && covers(access.contents, earlier.box); // see writers()
      return covers(access.box, earlier.box);
    };
    std::erase_if(writes_, is_covered);
    std::erase_if(reads_, is_covered);
    if (writes_.size() >= drop_writes_at_) {
      drop_complete(writes_);
      drop_writes_at_ = std::max<std::size_t>(16, 2 * writes_.size());
    }
    writes_.push_back(std::move(access));
    return;
  }
  if (reads_.size() >= drop_reads_at_) {
    drop_complete(reads_);
    drop_reads_at_ = std::max<std::size_t>(16, 2 * reads_.size());
  }
  reads_.push_back(std::move(access));
}

std::vector<handle<command>> access_tracker::live() const {
  std::vector<handle<command>> result;
  for (const auto* accesses : {&writes_, &reads_})
    for (const tracked_access& access : *accesses)
      if (!access.by_host)
        add_dependency_once(result, access.user);
  return result;
}

} // namespace falx
