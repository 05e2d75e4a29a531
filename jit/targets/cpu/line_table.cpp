// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "line_table.hpp"
#include "cpu_abi.hpp"
#include "targets/target_machine.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Object/ELFObjectFile.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

using namespace llvm;

namespace falx::jit {

namespace {

struct place {
  std::uint64_t section = object::SectionedAddress::UndefSection;
  std::uint64_t address = 0;
};

/// Collects lines and files in the layout of cpu::line_table.
class line_table_layout {
public:
  /// In the order of addresses. \p file is not looked at if \p line is 0.
  void add(std::int64_t code, std::uint32_t line, StringRef file) {
    if (code < std::numeric_limits<std::int32_t>::min() || code > std::numeric_limits<std::int32_t>::max())
      return;
    const std::uint32_t number = line == 0 ? 0 : number_of(file);
    if (!lines_.empty() && lines_.back().code == code)
      lines_.pop_back(); // code that takes no byte
    if (!lines_.empty() && lines_.back().line == line && lines_.back().file == number)
      return;
    lines_.push_back({static_cast<std::int32_t>(code), line, number});
  }

  std::string bytes() {
    const std::size_t names_at = sizeof(cpu::line_table) + lines_.size() * sizeof(cpu::source_line);
    for (cpu::source_line& line : lines_)
      line.file += static_cast<std::uint32_t>(names_at);
    const cpu::line_table header{static_cast<std::uint32_t>(lines_.size())};
    std::string result(reinterpret_cast<const char*>(&header), sizeof(header));
    result.append(reinterpret_cast<const char*>(lines_.data()), lines_.size() * sizeof(cpu::source_line));
    return result + names_;
  }

private:
  /// Where the file's name begins, counted from the first name.
  std::uint32_t number_of(StringRef file) {
    const auto [entry, is_new] = files_.try_emplace(file, static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      names_ += file;
      names_ += '\0';
    }
    return entry->second;
  }

  std::vector<cpu::source_line> lines_;
  StringMap<std::uint32_t> files_;
  std::string names_;
};

} // namespace

static place find_symbol(const object::ObjectFile& object, StringRef name) {
  place result;
  for (const object::SymbolRef& symbol : object.symbols()) {
    Expected<StringRef> its_name = symbol.getName();
    if (!its_name || *its_name != name) {
      consumeError(its_name.takeError());
      continue;
    }
    Expected<object::section_iterator> section = symbol.getSection();
    Expected<std::uint64_t> address = symbol.getAddress();
    if (section && address && *section != object.section_end())
      result = {(*section)->getIndex(), *address};
    consumeError(section.takeError());
    consumeError(address.takeError());
  }
  return result;
}

/// Is it the code of Falx's headers or of the C++ library, by the mangled name of the function that it is in?
static bool is_of_library(StringRef function) {
  if (!function.consume_front("_Z"))
    return false;
  function = function.ltrim('Z'); // a local class, or a lambda, of the function that follows
  function.consume_front("N");
  function = function.ltrim("rVKRO"); // const and the like
  for (const char* space : {"4sycl", "4falx", "St", "9__gnu_cxx"})
    if (function.starts_with(space))
      return true;
  return false;
}

/// The innermost line that is not a library's; the innermost if all are.
static DILineInfo program_line(DWARFContext& context, object::SectionedAddress address) {
  const DILineInfoSpecifier specifier(DILineInfoSpecifier::FileLineInfoKind::RawValue,
                                      DINameKind::LinkageName);
  const DIInliningInfo frames = context.getInliningInfoForAddress(address, specifier);
  for (std::uint32_t i = 0; i < frames.getNumberOfFrames(); ++i)
    if (const DILineInfo& frame = frames.getFrame(i); frame.Line != 0 && !is_of_library(frame.FunctionName))
      return frame;
  return frames.getNumberOfFrames() != 0 ? frames.getFrame(0) : DILineInfo();
}

static std::string describe_lines(DWARFContext& context, const place& kernel) {
  std::set<std::uint64_t> beginnings, ends;
  for (const std::unique_ptr<DWARFUnit>& unit : context.compile_units())
    if (const DWARFDebugLine::LineTable* table = context.getLineTableForUnit(unit.get()))
      for (const DWARFDebugLine::Row& row : table->Rows)
        if (row.Address.SectionIndex == kernel.section)
          (row.EndSequence ? ends : beginnings).insert(row.Address.Address);
  line_table_layout layout;
  const auto code = [&](std::uint64_t address) {
    return static_cast<std::int64_t>(address) - static_cast<std::int64_t>(kernel.address);
  };
  for (const std::uint64_t address : beginnings) {
    const DILineInfo line = program_line(context, {address, kernel.section});
    layout.add(code(address), line.Line, line.FileName);
  }
  if (!ends.empty())
    layout.add(code(*ends.rbegin()), 0, {});
  return layout.bytes();
}

static Expected<SmallVector<char, 0>> emit_data(StringRef bytes, TargetMachine& machine) {
  LLVMContext context;
  Module module(cpu::LINE_TABLE_SYMBOL, context);
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  Constant* data = ConstantDataArray::getString(context, bytes, /*AddNull=*/false);
  auto* variable = new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                      GlobalValue::ExternalLinkage, data, cpu::LINE_TABLE_SYMBOL);
  variable->setVisibility(GlobalValue::HiddenVisibility);
  variable->setAlignment(Align(alignof(cpu::line_table)));
  return emit_code(module, machine, CodeGenFileType::ObjectFile);
}

Expected<SmallVector<char, 0>> make_line_table(ArrayRef<char> object, StringRef kernel_function,
                                               TargetMachine& machine) {
  auto parsed = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(object.data(), object.size()), "kernel.o"));
  if (!parsed)
    return parsed.takeError();
  // Line information that cannot be read is none.
  const auto ignore = [](Error error) { consumeError(std::move(error)); };
  const std::unique_ptr<DWARFContext> context = DWARFContext::create(
      **parsed, DWARFContext::ProcessDebugRelocations::Process, nullptr, "", ignore, ignore);
  return emit_data(describe_lines(*context, find_symbol(**parsed, kernel_function)), machine);
}

} // namespace falx::jit
