// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_file.hpp"

#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace falx {
namespace {

using bytes = std::vector<unsigned char>;

constexpr std::string_view IMAGES = ".llvm.offloading", COMPILED_KERNELS = ".falx.kernels";

/// The structure at an offset of the file. Throws std::out_of_range if the file ends before it does.
template <class Structure>
Structure read(const bytes& file, std::size_t offset) {
  Structure result;
  if (offset > file.size() || file.size() - offset < sizeof result)
    throw std::out_of_range("the file ends too early");
  std::memcpy(&result, file.data() + offset, sizeof result);
  return result;
}

/// LLVM's OffloadBinary says how long it is behind magic and version.
std::size_t size_of_image(const bytes& file, std::size_t offset) {
  constexpr unsigned char MAGIC[] = {0x10, 0xFF, 0x10, 0xAD};
  if (const auto magic = read<std::uint32_t>(file, offset); std::memcmp(&magic, MAGIC, sizeof magic) != 0)
    return 0;
  return read<std::uint64_t>(file, offset + 8);
}

/// The second line of a bundle.
std::size_t size_of_bundle(const bytes& file, std::size_t offset) {
  constexpr std::string_view TITLE = "falx kernels 1\n";
  constexpr std::size_t DIGITS = 16;
  if (offset > file.size() || file.size() - offset < TITLE.size() + DIGITS)
    return 0;
  const std::string_view text(reinterpret_cast<const char*>(file.data()) + offset, TITLE.size() + DIGITS);
  if (!text.starts_with(TITLE))
    return 0;
  std::size_t size = 0;
  for (const char digit : text.substr(TITLE.size()))
    size = size * 10 + static_cast<std::size_t>(digit - '0');
  return size;
}

/// What a section holds, one after the other with zeros between them.
std::vector<byte_range> parts_of(const bytes& file, const Elf64_Shdr& section,
                                 std::size_t (*size_of)(const bytes&, std::size_t)) {
  std::vector<byte_range> parts;
  const std::size_t end = section.sh_offset + section.sh_size;
  if (end > file.size() || end < section.sh_offset)
    throw std::out_of_range("a section goes beyond the file");
  for (std::size_t offset = section.sh_offset; offset < end;) {
    if (file[offset] == 0) {
      ++offset;
      continue;
    }
    const std::size_t size = size_of(file, offset);
    if (size == 0 || size > end - offset)
      throw std::out_of_range("a section of Falx's is damaged");
    parts.push_back({file.data() + offset, file.data() + offset + size});
    offset += size;
  }
  return parts;
}

void append(std::vector<byte_range>& to, const std::vector<byte_range>& parts) {
  to.insert(to.end(), parts.begin(), parts.end());
}

} // namespace

program_file::program_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  bytes_.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  if (!stream || bytes_.empty())
    throw std::runtime_error(fmt::format("'{}' cannot be read", path.string()));
  try {
    const auto header = read<Elf64_Ehdr>(bytes_, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
      throw std::out_of_range("it is no 64-bit object, program or shared library (ELF)");
    const auto section_at = [&](std::size_t index) {
      return read<Elf64_Shdr>(bytes_, header.e_shoff + index * sizeof(Elf64_Shdr));
    };
    if (header.e_shoff == 0)
      return;
    const Elf64_Shdr first = section_at(0);
    const std::size_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
    const Elf64_Shdr names = section_at(header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first.sh_link);
    for (std::size_t i = 1; i < count; ++i) {
      const Elf64_Shdr section = section_at(i);
      const std::size_t name = names.sh_offset + section.sh_name;
      const auto is_called = [&](std::string_view wanted) {
        return name < bytes_.size() && bytes_.size() - name > wanted.size() &&
               std::memcmp(bytes_.data() + name, wanted.data(), wanted.size()) == 0 &&
               bytes_[name + wanted.size()] == 0;
      };
      if (is_called(IMAGES))
        append(images_, parts_of(bytes_, section, &size_of_image));
      else if (is_called(COMPILED_KERNELS))
        append(compiled_kernels_, parts_of(bytes_, section, &size_of_bundle));
    }
  } catch (const std::out_of_range& mistake) {
    throw std::runtime_error(fmt::format("'{}': {}", path.string(), mistake.what()));
  }
}

} // namespace falx
