// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_residency.hpp"

#include "scheduler/access_tracker.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace falx {

std::size_t buffer_residency::add_memory(std::vector<bool> reached) {
  assert(reached.size() <= current_.size() && "only memories that there are can reach a new one");
  reached.resize(current_.size());
  reached_.push_back(std::move(reached));
  current_.emplace_back();
  return current_.size() - 1;
}

/// A failed transfer leaves what it should have copied as it is where it is from.
bool buffer_residency::is_lost(const part& some) noexcept {
  return some.producer && some.producer->is_complete() && some.producer->error() != nullptr;
}

void buffer_residency::remove(parts& from, const byte_box& box) {
  parts kept;
  std::vector<byte_box> rest;
  for (part& p : from) {
    if (!intersects(p.box, box)) {
      kept.push_back(std::move(p));
      continue;
    }
    rest.clear();
    subtract(p.box, box, rest);
    for (const byte_box& piece : rest)
      kept.push_back({piece, p.producer});
  }
  from.swap(kept);
}

void buffer_residency::insert(parts& into, part added) {
  remove(into, added.box);
  // Merging may make the part a neighbour of another one: look again until it does not grow.
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t i = 0; i < into.size(); ++i) {
      part& other = into[i];
      if (other.producer && other.producer->is_complete() && !is_lost(other))
        other.producer = {};
      if (other.producer == added.producer && merge(added.box, other.box)) {
        other = std::move(into.back());
        into.pop_back();
        grew = true;
        break;
      }
    }
  }
  assert(std::ranges::none_of(into, [&](const part& other) { return intersects(other.box, added.box); }) &&
         "a byte has two producers");
  into.push_back(std::move(added));
}

std::vector<byte_box> buffer_residency::absent(const parts& from, const byte_box& box) {
  std::vector<byte_box> present;
  for (const part& p : from)
    if (covers(p.box, box))
      return {};
    else if (intersects(p.box, box))
      present.push_back(p.box);
  return difference(box, present);
}

bool buffer_residency::is_reached(std::size_t from, std::size_t to) const noexcept {
  return from != to && (from < to ? reached_[to][from] : reached_[from][to]);
}

namespace {

/// What planned copies bring to one memory.
std::vector<byte_box> brought(const std::vector<buffer_residency::transfer>& planned, std::size_t to) {
  std::vector<byte_box> boxes;
  for (const buffer_residency::transfer& copy : planned)
    if (copy.to == to)
      boxes.push_back(copy.box);
  return boxes;
}

} // namespace

void buffer_residency::bring_directly(std::size_t to, const byte_box& wanted,
                                      std::vector<transfer>& result) const {
  for (std::size_t from = 1; from < current_.size(); ++from) {
    if (!is_reached(from, to))
      continue;
    for (const part& p : current_[from])
      if (intersects(p.box, wanted))
        for (const byte_box& piece : difference(intersection(p.box, wanted), brought(result, to)))
          result.push_back({from, to, piece});
  }
}

void buffer_residency::bring_to_host(std::size_t except, const byte_box& wanted,
                                     std::vector<transfer>& result) const {
  for (const byte_box& far : absent(current_[0], wanted))
    for (std::size_t from = 1; from < current_.size(); ++from) {
      if (from == except)
        continue;
      // A part that is current on several devices is brought from the first.
      for (const part& p : current_[from])
        if (intersects(p.box, far))
          for (const byte_box& piece : difference(intersection(p.box, far), brought(result, 0)))
            result.push_back({from, 0, piece});
    }
}

void buffer_residency::bring_from_host(std::size_t to, const byte_box& wanted,
                                       std::vector<transfer>& result) const {
  std::vector<byte_box> on_host;
  for (const part& p : current_[0])
    if (intersects(p.box, wanted))
      on_host.push_back(intersection(p.box, wanted));
  for (const byte_box& box : brought(result, 0))
    if (intersects(box, wanted))
      on_host.push_back(intersection(box, wanted));
  for (std::size_t i = 1; i < on_host.size();)
    if (merge(on_host[i - 1], on_host[i]))
      on_host.erase(on_host.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  for (const byte_box& piece : on_host)
    result.push_back({0, to, piece});
}

std::vector<buffer_residency::transfer> buffer_residency::missing(std::size_t to, const byte_box& box) {
  assert(to < current_.size() && "there is no such memory");
  for (parts& memory : current_)
    std::erase_if(memory, is_lost);
  std::vector<transfer> result;
  for (const byte_box& wanted : absent(current_[to], box)) {
    if (to == 0) {
      bring_to_host(to, wanted, result);
      continue;
    }
    bring_directly(to, wanted, result);
    for (const byte_box& rest : difference(wanted, brought(result, to))) {
      bring_to_host(to, rest, result);
      bring_from_host(to, rest, result);
    }
  }
  assert(std::ranges::all_of(result,
                             [&](const transfer& copy) {
                               return copy.from != copy.to && !copy.box.is_empty() && covers(box, copy.box);
                             }) &&
         "a copy moves more than the box");
  return result;
}

std::size_t buffer_residency::distance(std::size_t to, const byte_box& box) const {
  const auto volume = [](const byte_box& some) {
    return (some.end[0] - some.begin[0]) * (some.end[1] - some.begin[1]) * (some.end[2] - some.begin[2]);
  };
  std::size_t bytes = 0;
  const std::vector<byte_box> wanted = to < current_.size() ? absent(current_[to], box) : std::vector{box};
  for (const byte_box& far : wanted) {
    // What is current nowhere need not be copied.
    std::vector<byte_box> rest{far};
    for (std::size_t from = 0; from < current_.size() && !rest.empty(); ++from) {
      if (from == to)
        continue;
      // Through the host it is copied twice.
      const std::size_t copies =
          from == 0 || to == 0 || (to < current_.size() && is_reached(from, to)) ? 1 : 2;
      std::vector<byte_box> left;
      for (const byte_box& piece : rest)
        for (const byte_box& hole : absent(current_[from], piece))
          left.push_back(hole);
      std::size_t before = 0, after = 0;
      for (const byte_box& piece : rest)
        before += volume(piece);
      for (const byte_box& piece : left)
        after += volume(piece);
      bytes += copies * (before - after);
      rest.swap(left);
    }
  }
  return bytes;
}

void buffer_residency::producers(std::size_t memory, const byte_box& box,
                                 std::vector<handle<command>>& result) const {
  assert(memory < current_.size() && "there is no such memory");
  for (const part& p : current_[memory])
    if (p.producer && intersects(p.box, box)) {
      add_dependency_once(result, p.producer);
      if (is_lost(p))
        result.push_back(p.producer); // which carries the error
    }
}

void buffer_residency::copied(std::size_t memory, const byte_box& box, handle<command> producer) {
  assert(memory < current_.size() && !box.is_empty() && "something is copied somewhere");
  insert(current_[memory], {box, std::move(producer)});
}

void buffer_residency::written(std::size_t memory, const byte_box& box) {
  for (std::size_t other = 0; other < current_.size(); ++other)
    if (other != memory)
      remove(current_[other], box);
  insert(current_[memory], {box, {}});
  assert(absent(current_[memory], box).empty() && "what was written is current nowhere");
}

} // namespace falx
