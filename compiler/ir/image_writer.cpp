// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image_writer.hpp"

#include "image/device_image.hpp"
#include "kernel_info.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace falx::compiler {

namespace {

// Sources give work-group sizes slowest dimension first, images fastest first.
std::vector<std::size_t> fastest_first(std::vector<std::size_t> sizes) {
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

// From offsets and sizes one after the other.
std::vector<image::byte_part> parts_of(const std::vector<std::size_t>& numbers) {
  std::vector<image::byte_part> parts;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
    parts.push_back({numbers[i], numbers[i + 1]});
  return parts;
}

image::kernel_metadata describe(const llvm::Function& kernel, const kernel_annotation& annotation,
                                llvm::ArrayRef<std::size_t> used_aspects) {
  image::kernel_metadata result;
  result.name = kernel.getName().str();
  result.kind = annotation.kind;
  result.dimensions = annotation.dimensions;
  auto info = kernel_infos().find(result.name);
  if (info != kernel_infos().end()) {
    result.function_size = info->second.function_size;
    result.function_alignment = info->second.function_alignment;
    result.accessor_offsets = info->second.accessor_offsets;
    result.specialized_parts = parts_of(info->second.specialized_parts);
    result.captured_values = parts_of(info->second.captured_values);
    result.captured_pointers = info->second.captured_pointers;
    result.reqd_work_group_size = fastest_first(info->second.reqd_work_group_size);
    result.work_group_size_hint = fastest_first(info->second.work_group_size_hint);
    result.reqd_sub_group_size = info->second.reqd_sub_group_size;
    result.has_local_accessors = info->second.has_local_accessors;
    result.aspects = info->second.aspects;
    result.pretty_name = info->second.pretty_name;
  }
  for (const std::size_t used : used_aspects)
    if (!llvm::is_contained(result.aspects, used))
      result.aspects.push_back(used);
  if (result.pretty_name.empty())
    result.pretty_name = llvm::demangle(result.name);
  for (char& c : result.pretty_name)
    if (c == '\t' || c == '\n')
      c = ' ';
  return result;
}

std::string describe(const device_constant& constant) {
  const llvm::DataLayout& layout = constant.variable->getDataLayout();
  image::constant_metadata result;
  result.symbol = constant.variable->getName();
  result.size = layout.getTypeAllocSize(constant.variable->getValueType());
  result.read_by_exports = constant.read_by_exports;
  for (const llvm::Function* kernel : constant.kernels)
    result.kernels.push_back(kernel->getName());
  return image::format_constant_line(result);
}

std::string describe(const device_global& global) {
  image::global_metadata result;
  result.symbol = global.variable->getName();
  const llvm::DataLayout& layout = global.variable->getDataLayout();
  result.size = layout.getTypeAllocSize(global.variable->getValueType());
  result.alignment = global.variable->getAlign().value_or(layout.getPreferredAlign(global.variable)).value();
  result.image_scope = global.image_scope;
  result.used_by_exports = global.used_by_exports;
  for (const llvm::Function* kernel : global.kernels)
    result.kernels.push_back(kernel->getName());
  return image::format_global_line(result);
}

} // namespace

llvm::SmallString<0> write_device_image(const llvm::Module& device, const device_annotations& annotations,
                                        const kernel_aspects& aspects,
                                        llvm::ArrayRef<device_constant> constants,
                                        llvm::ArrayRef<device_global> globals) {
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(device, stream);

  std::string kernels;
  for (const auto& [kernel, annotation] : annotations.kernels)
    if (!kernel->isDeclaration())
      kernels += image::format_kernel_line(describe(*kernel, annotation, aspects.lookup(kernel))) + "\n";

  std::string exports;
  std::string imports;
  for (const llvm::Function* external : annotations.externals) {
    const llvm::Function* copy = device.getFunction(external->getName());
    if (copy == nullptr)
      continue;
    (copy->isDeclaration() ? imports : exports) += (external->getName() + "\n").str();
  }

  std::string constant_lines;
  for (const device_constant& constant : constants)
    constant_lines += describe(constant) + "\n";

  std::string global_lines;
  for (const device_global& global : globals)
    global_lines += describe(global) + "\n";

  const std::string digest =
      llvm::toHex(llvm::SHA256::hash(
                      llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(bitcode.data()), bitcode.size())),
                  /*LowerCase=*/true);
  const std::string triple = device.getTargetTriple().str();

  llvm::object::OffloadBinary::OffloadingImage image;
  image.TheImageKind = llvm::object::IMG_Bitcode;
  image.TheOffloadKind = llvm::object::OFK_SYCL;
  image.StringData["triple"] = triple;
  image.StringData["arch"] = "generic";
  image.StringData["producer"] = "falx";
  image.StringData["falx.abi"] = "1";
  image.StringData["falx.sha256"] = digest;
  image.StringData["falx.kernels"] = kernels;
  image.StringData["falx.exports"] = exports;
  image.StringData["falx.imports"] = imports;
  image.StringData["falx.constants"] = constant_lines;
  image.StringData["falx.globals"] = global_lines;
  image.Image = llvm::MemoryBuffer::getMemBuffer(bitcode, "", /*RequiresNullTerminator=*/false);
  return llvm::object::OffloadBinary::write(image);
}

} // namespace falx::compiler
