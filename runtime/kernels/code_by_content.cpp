// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "code_by_content.hpp"

#include "jit/targets/ptx/ptx_abi.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace falx {

code_by_content& code_by_content::instance() {
  // Never destroyed: static destructors of the program may still launch kernels.
  static code_by_content& codes = *std::make_unique<code_by_content>().release();
  return codes;
}

namespace {

/// \p text, where it is PTX of kernel \p from, as that of kernel \p to.
void rename_entry(std::vector<unsigned char>& text, std::string_view from, std::string_view to) {
  constexpr unsigned char ELF[] = {0x7f, 'E', 'L', 'F'};
  if (from == to || (text.size() > sizeof(ELF) && std::equal(std::begin(ELF), std::end(ELF), text.begin())))
    return;
  const std::string old_name = ptx::ptx_entry_name(from), new_name = ptx::ptx_entry_name(to);
  std::vector<unsigned char> result;
  result.reserve(text.size());
  for (auto at = text.cbegin(); at != text.cend();) {
    const auto next = std::search(at, text.cend(), old_name.begin(), old_name.end());
    result.insert(result.end(), at, next);
    if (next != text.cend())
      result.insert(result.end(), new_name.begin(), new_name.end());
    at = next == text.cend() ? next : next + static_cast<std::ptrdiff_t>(old_name.size());
  }
  text = std::move(result);
}

} // namespace

std::optional<jit::response> code_by_content::find(const digest128& key, std::string_view kernel) {
  std::shared_ptr<const made_code> made;
  {
    const std::lock_guard lock(mutex_);
    const auto known = places_.find({key.high, key.low});
    if (known == places_.end())
      return std::nullopt;
    codes_.splice(codes_.begin(), codes_, known->second);
    made = codes_.front().made;
  }
  jit::response response = made->response;
  rename_entry(response.binary, made->kernel, kernel);
  return response;
}

void code_by_content::keep(const digest128& key, std::string_view kernel, const jit::response& response) {
  if (!response.ok || !response.remark.empty())
    return;
  auto made = std::make_shared<const made_code>(std::string(kernel), response);
  const std::lock_guard lock(mutex_);
  const place at{key.high, key.low};
  if (places_.contains(at)) // by another thread meanwhile
    return;
  codes_.push_front({at, std::move(made)});
  places_[at] = codes_.begin();
  bytes_ += response.binary.size();
  while (bytes_ > MOST_BYTES && codes_.size() > 1) {
    bytes_ -= codes_.back().made->response.binary.size();
    places_.erase(codes_.back().key);
    codes_.pop_back();
  }
}

} // namespace falx
