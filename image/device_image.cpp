// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_image.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

/// \file
/// The layout, version 1 of LLVM's OffloadBinary (all numbers little endian, all offsets from the image's
/// start):
///
///   header   magic 10 FF 10 AD, u32 version, u64 size, u64 entry offset, u64 entry size
///   entry    u16 image kind, u16 offload kind, u32 flags, u64 string offset, u64 number of strings,
///            u64 bitcode offset, u64 bitcode size
///   strings  per string u64 key offset, u64 value offset; both name NUL-terminated text
///
/// Nothing is cast to a struct: the bytes may be unaligned, and every number is checked before it is used.

namespace falx::image {
namespace {

constexpr std::array<unsigned char, 4> MAGIC = {0x10, 0xFF, 0x10, 0xAD};
constexpr std::array<unsigned char, 4> BITCODE_MAGIC = {'B', 'C', 0xC0, 0xDE};
constexpr std::uint64_t HEADER_SIZE = 32;
constexpr std::uint64_t ENTRY_SIZE = 40;
constexpr std::uint64_t STRING_ENTRY_SIZE = 16;
constexpr std::uint64_t LONGEST_KEY = 255;
constexpr std::uint16_t BITCODE_KIND = 2;
/// Size of falx::accessor_core, which every accessor offset must leave room for.
constexpr std::size_t ACCESSOR_CORE_SIZE = 16, COMPACT_ACCESSOR_CORE_SIZE = 8;

/// Bytes [begin, begin + size) of the image.
struct region {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

/// Only for regions that lie inside an image, so the sums cannot overflow. Empty regions overlap nothing.
bool overlap(region a, region b) {
  return a.size != 0 && b.size != 0 && a.begin < b.begin + b.size && b.begin < a.begin + a.size;
}

/// Reads numbers and text from untrusted bytes.
class byte_reader {
public:
  explicit byte_reader(std::span<const unsigned char> bytes) : bytes_(bytes) {}

  std::uint64_t size() const { return bytes_.size(); }
  bool contains(region r) const { return r.begin <= size() && r.size <= size() - r.begin; }

  /// The caller has checked that the number is inside.
  template <class T>
  T number(std::uint64_t offset) const {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value = static_cast<T>(value | static_cast<T>(static_cast<T>(bytes_[offset + i]) << (8 * i)));
    return value;
  }

  /// Text of at most \p longest bytes from \p offset to the next NUL; nothing if none follows that near.
  std::optional<std::string_view> text(std::uint64_t offset, std::uint64_t longest) const {
    if (offset >= size())
      return std::nullopt;
    const unsigned char* begin = bytes_.data() + offset;
    const void* nul = std::memchr(begin, 0, std::min(size() - offset, longest + 1));
    if (nul == nullptr)
      return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(begin),
                            static_cast<const unsigned char*>(nul) - begin);
  }

  std::span<const unsigned char> bytes(region r) const { return bytes_.subspan(r.begin, r.size); }

private:
  std::span<const unsigned char> bytes_;
};

/// The string metadata that Falx knows; other keys are left alone, so that tools may add some.
struct known_strings {
  std::optional<std::string_view> triple, arch, producer, abi, sha256, kernels, exports, imports, constants,
      globals;

  std::optional<std::string_view>* slot(std::string_view key) {
    const std::pair<std::string_view, std::optional<std::string_view>*> slots[] = {
        {"triple", &triple},
        {"arch", &arch},
        {"producer", &producer},
        {"falx.abi", &abi},
        {"falx.sha256", &sha256},
        {"falx.kernels", &kernels},
        {"falx.exports", &exports},
        {"falx.imports", &imports},
        {"falx.constants", &constants},
        {"falx.globals", &globals}};
    for (const auto& [name, slot] : slots)
      if (name == key)
        return slot;
    return nullptr;
  }
};

/// Puts the sentence into \p error and answers false, so that checks read `return fail(error, …)`.
bool fail(std::string& error, std::string sentence) {
  error = std::move(sentence);
  return false;
}

/// Text from an image for a message: short, and without bytes that would upset a terminal.
std::string quoted(std::string_view text) {
  constexpr std::size_t LONGEST = 60;
  std::string result = "'";
  for (char c : text.substr(0, LONGEST))
    result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > LONGEST ? "…'" : "'");
}

/// Where the parts of the image lie. Filled by read_layout, checked to be inside and apart.
struct layout {
  std::uint64_t size = 0;
  region entry, string_entries, bitcode;
};

bool read_layout(const byte_reader& whole, layout& result, std::string& error) {
  if (whole.size() < HEADER_SIZE + ENTRY_SIZE)
    return fail(error, "it has " + std::to_string(whole.size()) + " bytes, fewer than its header needs");
  if (!std::ranges::equal(whole.bytes({0, MAGIC.size()}), MAGIC))
    return fail(error, "it does not start with the magic number of an offload binary");
  if (std::uint32_t version = whole.number<std::uint32_t>(4); version != 1)
    return fail(error, "it is an offload binary of version " + std::to_string(version) + ", not 1");
  result.size = whole.number<std::uint64_t>(8);
  // The writer pads to 8 bytes; whatever follows is not ours.
  if (result.size > whole.size() || result.size < HEADER_SIZE + ENTRY_SIZE || whole.size() - result.size >= 8)
    return fail(error, "its header claims " + std::to_string(result.size) + " bytes, but it has " +
                           std::to_string(whole.size()));

  const byte_reader image(whole.bytes({0, result.size}));
  result.entry = {image.number<std::uint64_t>(16), ENTRY_SIZE};
  if (image.number<std::uint64_t>(24) != ENTRY_SIZE)
    return fail(error, "the size of its entry is wrong");
  if (result.entry.begin < HEADER_SIZE || !image.contains(result.entry))
    return fail(error, "its entry lies outside of it or in its header");

  const std::uint64_t entry = result.entry.begin;
  if (image.number<std::uint16_t>(entry) != BITCODE_KIND)
    return fail(error, "it does not hold LLVM bitcode");
  const std::uint64_t strings = image.number<std::uint64_t>(entry + 16);
  if (strings > result.size / STRING_ENTRY_SIZE)
    return fail(error, "it claims more strings than fit into it");
  result.string_entries = {image.number<std::uint64_t>(entry + 8), strings * STRING_ENTRY_SIZE};
  if (!image.contains(result.string_entries))
    return fail(error, "its string table lies outside of it");
  result.bitcode = {image.number<std::uint64_t>(entry + 24), image.number<std::uint64_t>(entry + 32)};
  if (!image.contains(result.bitcode))
    return fail(error, "its bitcode lies outside of it");

  const region parts[] = {{0, HEADER_SIZE}, result.entry, result.string_entries, result.bitcode};
  for (std::size_t i = 0; i < std::size(parts); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(parts[i], parts[j]))
        return fail(error, "its parts overlap");
  return true;
}

/// A string of the table at \p offset. Strings may share bytes (LLVM merges equal tails), but must not reach
/// into the other parts.
std::optional<std::string_view> read_string(const byte_reader& image, const layout& where,
                                            std::uint64_t offset, std::uint64_t longest) {
  const std::optional<std::string_view> text = image.text(offset, longest);
  if (!text)
    return std::nullopt;
  const region bytes{offset, text->size() + 1};
  for (region part : {region{0, HEADER_SIZE}, where.entry, where.string_entries, where.bitcode})
    if (overlap(bytes, part))
      return std::nullopt;
  return text;
}

bool read_strings(const byte_reader& image, const layout& where, known_strings& result, std::string& error) {
  for (std::uint64_t i = 0; i < where.string_entries.size; i += STRING_ENTRY_SIZE) {
    const std::uint64_t entry = where.string_entries.begin + i;
    // Only few strings are read at length: else many entries with one long text would cost a scan each.
    const auto key = read_string(image, where, image.number<std::uint64_t>(entry), LONGEST_KEY);
    if (!key)
      return fail(error, "a metadata key lies outside of its string table or does not end");
    std::optional<std::string_view>* slot = result.slot(*key);
    if (slot == nullptr)
      continue;
    if (*slot)
      return fail(error, "its metadata " + quoted(*key) + " is there twice");
    *slot = read_string(image, where, image.number<std::uint64_t>(entry + 8), image.size());
    if (!*slot)
      return fail(error,
                  "its metadata " + quoted(*key) + " lies outside of its string table or does not end");
  }
  for (std::string_view key : {"triple", "arch", "producer", "falx.abi", "falx.sha256", "falx.kernels",
                               "falx.exports", "falx.imports"})
    if (!*result.slot(key))
      return fail(error, "its metadata " + quoted(key) + " is missing");
  return true;
}

/// Cuts \p text at \p separator. The text after the last separator counts as a piece, even when empty.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return pieces;
    text.remove_prefix(end + 1);
  }
}

/// Lines of \p text; the last one may or may not end with a newline.
std::vector<std::string_view> lines(std::string_view text) {
  if (text.ends_with('\n'))
    text.remove_suffix(1);
  return text.empty() ? std::vector<std::string_view>() : split(text, '\n');
}

bool is_symbol(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return c > ' ' && c != 0x7F; });
}

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size();
}

/// Comma-separated numbers; empty text is an empty list.
bool read_numbers(std::string_view text, std::vector<std::size_t>& values) {
  if (text.empty())
    return true;
  for (std::string_view piece : split(text, ',')) {
    std::size_t value = 0;
    if (!read_number(piece, value))
      return false;
    values.push_back(value);
  }
  return true;
}

/// Pairs of offset and size inside an object of \p object_size bytes, one behind the other.
bool read_parts(std::string_view text, std::size_t object_size, std::vector<byte_part>& parts) {
  std::vector<std::size_t> numbers;
  if (!read_numbers(text, numbers) || numbers.size() % 2 != 0)
    return false;
  std::size_t end = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    const byte_part part{numbers[i], numbers[i + 1]};
    if (part.offset < end || part.size > object_size || part.offset > object_size - part.size)
      return false;
    end = part.offset + part.size;
    parts.push_back(part);
  }
  return true;
}

/// Up to three extents, none of them zero.
bool is_range(const std::vector<std::size_t>& values) {
  return values.size() <= 3 && std::ranges::find(values, 0u) == values.end();
}

bool read_kernel(std::string_view line, kernel_metadata& kernel, std::string& error) {
  constexpr std::size_t FIELDS = 15;
  std::vector<std::string_view> fields = split(line, '\t');
  if (fields.size() == FIELDS - 1)
    fields.emplace_back("1"); // of a compiler of the same interface before there was the last
  if (fields.size() != FIELDS)
    return fail(error, "a kernel's metadata has " + std::to_string(fields.size()) + " fields, not " +
                           std::to_string(FIELDS) + ": " + quoted(line));
  const std::string of_kernel = " of kernel " + quoted(fields[0]);
  if (!is_symbol(fields[0]))
    return fail(error, "the name" + of_kernel + " is no symbol");
  kernel.name = fields[0];
  if (!read_number(fields[1], kernel.kind) || kernel.kind > 3)
    return fail(error, "the kind" + of_kernel + " is wrong");
  if (!read_number(fields[2], kernel.dimensions) || kernel.dimensions < 1 || kernel.dimensions > 3)
    return fail(error, "the number of dimensions" + of_kernel + " is wrong");
  if (!read_number(fields[3], kernel.function_size))
    return fail(error, "the function size" + of_kernel + " is wrong");
  if (!read_number(fields[4], kernel.function_alignment) || !std::has_single_bit(kernel.function_alignment))
    return fail(error, "the function alignment" + of_kernel + " is wrong");
  if (!read_numbers(fields[5], kernel.accessor_offsets) ||
      std::ranges::any_of(kernel.accessor_offsets, [&](std::size_t offset) {
        const std::size_t size = offset % 2 == 0 ? ACCESSOR_CORE_SIZE : COMPACT_ACCESSOR_CORE_SIZE;
        offset -= offset % 2;
        return kernel.function_size < size || offset > kernel.function_size - size ||
               offset % alignof(void*) != 0;
      }))
    return fail(error, "an accessor offset" + of_kernel + " is wrong");
  if (!read_numbers(fields[6], kernel.reqd_work_group_size) || !is_range(kernel.reqd_work_group_size))
    return fail(error, "the required work-group size" + of_kernel + " is wrong");
  if (!read_numbers(fields[7], kernel.work_group_size_hint) || !is_range(kernel.work_group_size_hint))
    return fail(error, "the work-group size hint" + of_kernel + " is wrong");
  if (!read_number(fields[8], kernel.reqd_sub_group_size))
    return fail(error, "the required sub-group size" + of_kernel + " is wrong");
  if (!read_parts(fields[9], kernel.function_size, kernel.specialized_parts))
    return fail(error, "the specialised parts" + of_kernel + " are wrong");
  if (!read_numbers(fields[10], kernel.aspects))
    return fail(error, "the aspects" + of_kernel + " are wrong");
  if (!read_parts(fields[11], kernel.function_size, kernel.captured_values))
    return fail(error, "the captured values" + of_kernel + " are wrong");
  if (!read_numbers(fields[12], kernel.captured_pointers) ||
      std::ranges::any_of(kernel.captured_pointers, [&](std::size_t offset) {
        return kernel.function_size < sizeof(void*) || offset > kernel.function_size - sizeof(void*);
      }))
    return fail(error, "a captured pointer" + of_kernel + " is wrong");
  kernel.pretty_name = fields[13];
  if (fields[14] != "0" && fields[14] != "1")
    return fail(error, "whether there are local accessors" + of_kernel + " is wrong");
  kernel.has_local_accessors = fields[14] == "1";
  return true;
}

bool read_kernels(std::string_view text, std::vector<kernel_metadata>& kernels, std::string& error) {
  for (std::string_view line : lines(text))
    if (!read_kernel(line, kernels.emplace_back(), error))
      return false;
  std::vector<std::string_view> names;
  names.reserve(kernels.size());
  for (const kernel_metadata& kernel : kernels)
    names.push_back(kernel.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    return fail(error, "kernel " + quoted(*twice) + " is there twice");
  return true;
}

bool read_symbols(std::string_view text, std::vector<std::string_view>& symbols, std::string& error) {
  symbols = lines(text);
  const auto bad = std::ranges::find_if_not(symbols, is_symbol);
  return bad == symbols.end() ||
         fail(error, "it imports or exports " + quoted(*bad) + ", which is no symbol");
}

bool read_constants(std::string_view text, std::vector<constant_metadata>& constants, std::string& error) {
  for (std::string_view line : lines(text)) {
    const std::vector<std::string_view> fields = split(line, '\t');
    constant_metadata& constant = constants.emplace_back();
    if (fields.size() < 3 || !std::ranges::all_of(fields, is_symbol))
      return fail(error, "the metadata of a specialization constant is wrong: " + quoted(line));
    constant.symbol = fields[0];
    if (!read_number(fields[1], constant.size) || constant.size == 0 ||
        (fields[2] != "0" && fields[2] != "1"))
      return fail(error, "the metadata of specialization constant " + quoted(fields[0]) + " is wrong");
    constant.read_by_exports = fields[2] == "1";
    constant.kernels.assign(fields.begin() + 3, fields.end());
  }
  return true;
}

bool read_flag(std::string_view text, bool& flag) {
  flag = text == "1";
  return flag || text == "0";
}

bool read_globals(std::string_view text, std::vector<global_metadata>& globals, std::string& error) {
  constexpr std::size_t FIELDS = 5; // before the kernels
  for (std::string_view line : lines(text)) {
    const std::vector<std::string_view> fields = split(line, '\t');
    global_metadata& global = globals.emplace_back();
    if (fields.size() < FIELDS || !std::ranges::all_of(fields, is_symbol))
      return fail(error, "the metadata of a device global is wrong: " + quoted(line));
    global.symbol = fields[0];
    if (!read_number(fields[1], global.size) || global.size == 0 ||
        !read_number(fields[2], global.alignment) || !std::has_single_bit(global.alignment) ||
        !read_flag(fields[3], global.image_scope) || !read_flag(fields[4], global.used_by_exports))
      return fail(error, "the metadata of device global " + quoted(fields[0]) + " is wrong");
    global.kernels.assign(fields.begin() + FIELDS, fields.end());
  }
  return true;
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool check_strings(const known_strings& strings, std::string& error) {
  if (*strings.producer != "falx")
    return fail(error, "it was produced by " + quoted(*strings.producer) + ", not by falx");
  if (*strings.abi != "1")
    return fail(error, "its metadata has version " + quoted(*strings.abi) +
                           ", but this libfalx reads version '1'; recompile with the falx++ of this libfalx");
  if (*strings.arch != "generic")
    return fail(error, "it is for architecture " + quoted(*strings.arch) + ", not 'generic'");
  if (strings.triple->empty())
    return fail(error, "its target triple is empty");
  if (!is_sha256(*strings.sha256))
    return fail(error, "its hash is no SHA-256");
  return true;
}

std::string joined(const std::vector<std::size_t>& values) {
  std::string result;
  for (std::size_t value : values)
    (result += result.empty() ? "" : ",") += std::to_string(value);
  return result;
}

std::string joined(const std::vector<byte_part>& parts) {
  std::vector<std::size_t> numbers;
  for (const byte_part& part : parts)
    numbers.insert(numbers.end(), {part.offset, part.size});
  return joined(numbers);
}

} // namespace

std::optional<device_image> parse(std::span<const unsigned char> bytes, std::string& error) {
  layout where;
  if (!read_layout(byte_reader(bytes), where, error))
    return std::nullopt;
  const byte_reader image(bytes.first(where.size));
  known_strings strings;
  if (!read_strings(image, where, strings, error) || !check_strings(strings, error))
    return std::nullopt;

  device_image result;
  result.bitcode = image.bytes(where.bitcode);
  if (result.bitcode.size() < BITCODE_MAGIC.size() ||
      !std::ranges::equal(result.bitcode.first(BITCODE_MAGIC.size()), BITCODE_MAGIC)) {
    error = "its bitcode does not start with the magic number of LLVM bitcode";
    return std::nullopt;
  }
  result.sha256 = *strings.sha256;
  result.triple = *strings.triple;
  if (!read_kernels(*strings.kernels, result.kernels, error) ||
      !read_symbols(*strings.exports, result.exports, error) ||
      !read_symbols(*strings.imports, result.imports, error) ||
      (strings.constants && !read_constants(*strings.constants, result.constants, error)) ||
      (strings.globals && !read_globals(*strings.globals, result.globals, error)))
    return std::nullopt;
  return result;
}

std::string format_kernel_line(const kernel_metadata& kernel) {
  std::string pretty_name = kernel.pretty_name;
  std::ranges::replace_if(pretty_name, [](char c) { return c == '\t' || c == '\n' || c == '\0'; }, ' ');
  std::string line = kernel.name;
  for (const std::string& field :
       {std::to_string(kernel.kind), std::to_string(kernel.dimensions), std::to_string(kernel.function_size),
        std::to_string(kernel.function_alignment), joined(kernel.accessor_offsets),
        joined(kernel.reqd_work_group_size), joined(kernel.work_group_size_hint),
        std::to_string(kernel.reqd_sub_group_size), joined(kernel.specialized_parts), joined(kernel.aspects),
        joined(kernel.captured_values), joined(kernel.captured_pointers), pretty_name,
        std::string(kernel.has_local_accessors ? "1" : "0")})
    (line += '\t') += field;
  return line;
}

std::string format_constant_line(const constant_metadata& constant) {
  std::string line(constant.symbol);
  ((line += '\t') += std::to_string(constant.size)) += constant.read_by_exports ? "\t1" : "\t0";
  for (std::string_view kernel : constant.kernels)
    (line += '\t') += kernel;
  return line;
}

std::string format_global_line(const global_metadata& global) {
  std::string line(global.symbol);
  for (std::size_t number :
       {global.size, global.alignment, std::size_t(global.image_scope), std::size_t(global.used_by_exports)})
    (line += '\t') += std::to_string(number);
  for (std::string_view kernel : global.kernels)
    (line += '\t') += kernel;
  return line;
}

} // namespace falx::image
