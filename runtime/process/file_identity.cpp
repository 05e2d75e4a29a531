// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file_identity.hpp"

#include "owned_descriptor.hpp"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace falx {

using namespace std::string_view_literals;
namespace {

/// Notes and program headers of real libraries are far smaller; a damaged file must not cost memory.
constexpr std::size_t LONGEST_PART = 1 << 16;

/// False if the file is shorter.
bool read_at(const owned_descriptor& file, void* to, std::size_t size, std::uint64_t offset) {
  return ::pread(file.get(), to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (unsigned char byte : bytes)
    (text += "0123456789abcdef"[byte >> 4]) += "0123456789abcdef"[byte & 0xF];
  return text;
}

/// The build id among the notes; empty if it is not there.
std::string find_build_id(std::string_view notes) {
  const auto padded = [](std::size_t size) { return (size + 3) & ~std::size_t{3}; };
  ElfW(Nhdr) note{};
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    notes.remove_prefix(sizeof note);
    const std::size_t name = padded(note.n_namesz), content = padded(note.n_descsz);
    if (name > notes.size() || note.n_descsz > notes.size() - name)
      return {};
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(0, note.n_namesz) == "GNU\0"sv)
      return hex(notes.substr(name, note.n_descsz));
    notes.remove_prefix(std::min(name + content, notes.size()));
  }
  return {};
}

/// Empty if it is no ELF file of this machine.
std::vector<ElfW(Phdr)> segments_of(const owned_descriptor& file) {
  ElfW(Ehdr) header{};
  if (!read_at(file, &header, sizeof header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_phentsize != sizeof(ElfW(Phdr)))
    return {};
  std::vector<ElfW(Phdr)> segments(header.e_phnum);
  if (!read_at(file, segments.data(), segments.size() * sizeof segments[0], header.e_phoff))
    return {};
  return segments;
}

/// Empty if that is not in the file, or too long to be true.
std::vector<char> contents_of(const owned_descriptor& file, const ElfW(Phdr) & segment) {
  std::vector<char> bytes(segment.p_filesz > LONGEST_PART ? 0 : segment.p_filesz);
  if (!read_at(file, bytes.data(), bytes.size(), segment.p_offset))
    return {};
  return bytes;
}

std::string read_build_id(const owned_descriptor& file) {
  for (const ElfW(Phdr) & segment : segments_of(file))
    if (segment.p_type == PT_NOTE) {
      const std::vector<char> notes = contents_of(file, segment);
      if (std::string id = find_build_id({notes.data(), notes.size()}); !id.empty())
        return id;
    }
  return {};
}

} // namespace

std::string file_identity(const std::string& path) {
  const owned_descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0)
    return {};
  if (std::string id = read_build_id(file); !id.empty())
    return "id " + id;
  return "file " + std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) + '.' +
         std::to_string(status.st_mtim.tv_nsec);
}

} // namespace falx
