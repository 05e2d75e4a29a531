// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiled_bundle.hpp"

#include "cache_entry.hpp"
#include "falx_code_identity.hpp"
#include "jit_loader.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace falx {
namespace {

constexpr std::string_view TITLE = "falx kernels 1";
/// The size of all has as many digits in every bundle, so that it can be written last.
constexpr std::size_t SIZE_DIGITS = 16;

/// Takes the text up to \p end off \p text; nothing if there is no end.
std::optional<std::string_view> take(std::string_view& text, char end) {
  const std::size_t found = text.find(end);
  if (found == std::string_view::npos)
    return std::nullopt;
  const std::string_view taken = text.substr(0, found);
  text.remove_prefix(found + 1);
  return taken;
}

template <class Number>
bool read(std::string_view text, Number& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

template <class Number>
bool take_number(std::string_view& text, char end, Number& number) {
  const std::optional<std::string_view> field = take(text, end);
  return field && read(*field, number);
}

bool take_target(std::string_view& text, compiled_target& target) {
  for (std::string* const field : {&target.name, &target.jit_target, &target.cpu, &target.host}) {
    const std::optional<std::string_view> taken = take(text, '\t');
    if (!taken)
      return false;
    *field = *taken;
  }
  return take_number(text, '\n', target.sub_group_size);
}

bool take_kernel(std::string_view& text, compiled_kernel& kernel) {
  const std::optional<std::string_view> key = take(text, '\t');
  if (!key || key->size() != 32 || !read(key->substr(0, 16), kernel.key.high, 16) ||
      !read(key->substr(16), kernel.key.low, 16) || !take_number(text, '\t', kernel.target) ||
      !take_number(text, '\t', kernel.offset) || !take_number(text, '\t', kernel.size))
    return false;
  const std::optional<std::string_view> configuration = take(text, '\t');
  const std::optional<std::string_view> name = take(text, '\n');
  if (!configuration || !name)
    return false;
  kernel.configuration = *configuration;
  kernel.name = *name;
  return true;
}

std::pair<std::uint64_t, std::uint64_t> order_of(const digest128& key) {
  return {key.high, key.low};
}

bool parse(std::string_view text, compiled_bundle& bundle) {
  const std::string_view all = text;
  std::size_t size = 0, count = 0;
  if (take(text, '\n') != TITLE || !take_number(text, '\n', size) || size != all.size())
    return false;
  const std::optional<std::string_view> code = take(text, '\n'), jit = take(text, '\n');
  if (!code || !jit || !take_number(text, '\n', count))
    return false;
  bundle.code_identity = *code;
  bundle.jit_identity = *jit;
  for (std::size_t i = 0; i < count; ++i)
    if (!take_target(text, bundle.targets.emplace_back()))
      return false;
  if (!take_number(text, '\n', count))
    return false;
  for (std::size_t i = 0; i < count; ++i)
    if (compiled_kernel& kernel = bundle.kernels.emplace_back();
        !take_kernel(text, kernel) || kernel.target >= bundle.targets.size())
      return false;
  bundle.entries = {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
  return std::ranges::all_of(bundle.kernels, [&](const compiled_kernel& kernel) {
    return kernel.size <= bundle.entries.size() && kernel.offset <= bundle.entries.size() - kernel.size;
  });
}

} // namespace

std::string_view code_identity() noexcept {
  return FALX_CODE_IDENTITY;
}

const compiled_kernel* compiled_bundle::find(const digest128& key, std::size_t target) const noexcept {
  const auto found = std::ranges::lower_bound(kernels, order_of(key), {},
                                              [](const compiled_kernel& each) { return order_of(each.key); });
  return found != kernels.end() && found->key == key && found->target == target ? &*found : nullptr;
}

std::optional<std::span<const unsigned char>>
compiled_bundle::binary_of(const compiled_kernel& kernel) const noexcept {
  const std::span<const unsigned char> entry = entries.subspan(kernel.offset, kernel.size);
  // Of kernels that share an entry the checksum is that of the first.
  for (const compiled_kernel& each : kernels)
    if (each.offset == kernel.offset)
      if (const std::optional<std::size_t> size = check_entry(entry, each.key))
        return entry.first(*size);
  return std::nullopt;
}

bool compiled_bundle::is_usable() const {
  // Where the JIT is, it tells builds apart that have the same sources.
  return code_identity == falx::code_identity() &&
         (falx::jit_identity().empty() || jit_identity == falx::jit_identity());
}

std::optional<compiled_bundle> parse_bundle(std::span<const unsigned char> bytes, std::string& error) {
  compiled_bundle bundle;
  if (!parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, bundle)) {
    error = "the kernels that were compiled ahead of time are damaged, or of another version of Falx";
    return std::nullopt;
  }
  std::ranges::sort(bundle.kernels, {}, [](const compiled_kernel& each) { return order_of(each.key); });
  return bundle;
}

bool bundle_writer::has(const digest128& key) const noexcept {
  return std::ranges::find(rows_, key, &row::key) != rows_.end();
}

void bundle_writer::add(const digest128& key, std::size_t target, std::string configuration, std::string name,
                        std::span<const unsigned char> binary) {
  const std::size_t size = binary.size() + TRAILER_BYTES;
  // Often what is known makes no difference.
  for (const row& other : rows_)
    if (other.size == size &&
        std::ranges::equal(binary, std::span(entries_).subspan(other.offset, binary.size()))) {
      rows_.push_back({key, target, other.offset, size, std::move(configuration), std::move(name)});
      return;
    }
  rows_.push_back({key, target, entries_.size(), size, std::move(configuration), std::move(name)});
  entries_.insert(entries_.end(), binary.begin(), binary.end());
  const auto trailer = trailer_of(binary, key);
  entries_.insert(entries_.end(), trailer.begin(), trailer.end());
}

std::vector<unsigned char> bundle_writer::finish() const {
  std::string rest = fmt::format("{}\n{}\n{}\n", code_identity(), jit_identity(), targets_.size());
  for (const compiled_target& target : targets_)
    fmt::format_to(std::back_inserter(rest), "{}\t{}\t{}\t{}\t{}\n", target.name, target.jit_target,
                   target.cpu, target.host, target.sub_group_size);
  fmt::format_to(std::back_inserter(rest), "{}\n", rows_.size());
  for (const row& each : rows_)
    fmt::format_to(std::back_inserter(rest), "{}\t{}\t{}\t{}\t{}\t{}\n", each.key.hex(), each.target,
                   each.offset, each.size, each.configuration, each.name);
  const std::size_t size = TITLE.size() + 1 + SIZE_DIGITS + 1 + rest.size() + entries_.size();
  const std::string text = fmt::format("{}\n{:0{}}\n{}", TITLE, size, SIZE_DIGITS, rest);
  std::vector<unsigned char> bytes(text.begin(), text.end());
  bytes.insert(bytes.end(), entries_.begin(), entries_.end());
  return bytes;
}

} // namespace falx
