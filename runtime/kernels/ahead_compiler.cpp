// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ahead_compiler.hpp"

#include "falx/cache.hpp"
#include "jit_loader.hpp"
#include "process/idle_threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

namespace falx {
namespace {

constinit std::atomic<std::uint64_t> made{0};

} // namespace

owned_request own(jit::request request, std::vector<std::shared_ptr<const owned_request::bytes>> bitcode) {
  owned_request owned;
  const auto keep = [&](std::string_view& text) {
    text = *owned.texts.emplace_back(std::make_unique<const std::string>(text));
  };
  owned.images = std::move(bitcode);
  for (std::size_t i = 0; i < owned.images.size(); ++i) {
    request.images[i].bytes = *owned.images[i];
    keep(request.images[i].identity);
  }
  keep(request.kernel);
  for (jit::specialization_constant& constant : request.constants)
    keep(constant.symbol);
  for (jit::device_global& global : request.device_globals)
    keep(global.symbol);
  owned.request = std::move(request);
  return owned;
}

struct ahead_compiler::compilation {
  compilation(owned_request the_request, std::function<bool()> is_needless)
      : request(std::move(the_request)),
        task(std::make_shared<idle_task>([this, check = std::move(is_needless)] { compile(check); })) {}

  void compile(const std::function<bool()>& is_needless) {
    if (is_needless())
      return;
    try {
      response = jit_compile(request.request);
    } catch (const std::exception&) {
      response = {}; // no JIT, or no memory: a launch that needs the kernel finds that out, and says it
    }
    request = {};
    made.fetch_add(1, std::memory_order_relaxed);
  }

  owned_request request;
  jit::response response;
  const std::shared_ptr<idle_task> task;
};

ahead_compiler& ahead_compiler::instance() {
  // Never destroyed: its threads are not waited for.
  static ahead_compiler& compiler = *std::make_unique<ahead_compiler>().release();
  return compiler;
}

std::size_t ahead_compiler::room() {
  const std::lock_guard lock(mutex_);
  if (pause_ != 0) {
    --pause_;
    return 0;
  }
  std::size_t bytes = 0;
  for (const auto& [key, each] : compilations_)
    if (each->task->is_done())
      bytes += each->response.binary.size();
  const std::size_t most = std::min<std::size_t>(MOST_UNUSED + 2 * used_, MOST_AT_ALL);
  return bytes > MOST_BYTES || compilations_.size() >= most ? 0 : most - compilations_.size();
}

void ahead_compiler::drop_needless() {
  std::erase_if(compilations_, [](const auto& each) {
    return each.second->task->is_done() && each.second->response.binary.empty();
  });
}

void ahead_compiler::add(const digest128& key, owned_request request, std::function<bool()> is_needless) {
  std::shared_ptr<compilation> added;
  {
    const std::lock_guard lock(mutex_);
    drop_needless();
    std::shared_ptr<compilation>& known = compilations_[place_of(key)];
    if (known != nullptr)
      return;
    known = added = std::make_shared<compilation>(std::move(request), std::move(is_needless));
  }
  // The task keeps what it works on.
  run_on_idle_threads({added, added->task.get()});
}

bool ahead_compiler::is_ready(const digest128& key) const {
  const std::lock_guard lock(mutex_);
  const auto known = compilations_.find(place_of(key));
  return known == compilations_.end() || known->second->task->is_done();
}

std::optional<jit::response> ahead_compiler::take(const digest128& key) {
  std::shared_ptr<compilation> found;
  {
    const std::lock_guard lock(mutex_);
    const auto known = compilations_.find(place_of(key));
    if (known == compilations_.end())
      return std::nullopt;
    found = std::move(known->second);
    compilations_.erase(known);
  }
  if (found->task->withdraw())
    return std::nullopt;
  const bool advances = found->task->wait_while_it_advances();
  const std::lock_guard lock(mutex_);
  last_pause_ = advances ? 0 : std::min(2 * last_pause_ + 4, LONGEST_PAUSE);
  pause_ = last_pause_;
  if (!advances || !found->response.ok)
    return std::nullopt;
  ++used_;
  return std::move(found->response);
}

compilations_ahead ahead_compiler::so_far() const {
  const std::lock_guard lock(mutex_);
  return {made.load(std::memory_order_relaxed), used_};
}

compilations_ahead kernels_compiled_ahead() noexcept {
  return ahead_compiler::instance().so_far();
}

} // namespace falx
