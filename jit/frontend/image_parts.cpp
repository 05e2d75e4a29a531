// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image:                                     The part for "kernel":
//   @table = constant [4 x i32] …                  @table = constant [4 x i32] …
//   define void @kernel(ptr %f) {                  define void @kernel(ptr %f) {
//     … @table …                                     … @table …
//   define void @other(ptr %f) { … }
//
// LLVM reads function bodies on demand, but every type, global value and name of a module: of 230 kernels in
// one image, that took a third of each one's time. A kept image stays in a context of its own, as linking
// would take it apart; what leaves it is bitcode, so a kernel's code does not depend on those before it.

#include "image_parts.hpp"

#include "pipeline/budgets.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <string>

using namespace llvm;

namespace falx::jit {

namespace {

/// Copies what symbols reach from a module to another one of the same context. Metadata are shared: none of
/// them but debug information names global values.
class part_maker final : ValueMaterializer {
public:
  part_maker(Module& image, Module& part) : image_(image), part_(part) {}

  void add(StringRef symbol) {
    if (GlobalValue* value = image_.getNamedValue(symbol); value != nullptr && !map_.count(value))
      map_[value] = declare(*value);
  }
  /// False if the part would not be what the image is.
  bool finish();

private:
  static constexpr RemapFlags FLAGS = RF_NoModuleLevelChanges;

  Value* materialize(Value* value) override {
    auto* global = dyn_cast<GlobalValue>(value);
    return global != nullptr ? declare(*global) : nullptr;
  }
  GlobalValue* declare(GlobalValue& original);
  void share_metadata(const GlobalObject& from, GlobalObject& to);
  bool define(Function& function, Function& copy);
  bool define(GlobalValue& value);
  template <class T>
  T* mapped(T* value) {
    return cast<T>(MapValue(static_cast<const Value*>(value), map_, FLAGS, nullptr, this));
  }

  Module& image_;
  Module& part_;
  ValueToValueMapTy map_;
  SmallVector<GlobalValue*, 32> open_;
};

/// An image that several kernels were requested of.
class kept_image {
public:
  explicit kept_image(std::string identity) : identity_(std::move(identity)) {}

  const std::string& identity() const { return identity_; }
  image_part part(StringRef bitcode, ArrayRef<StringRef> symbols);

private:
  void parse(StringRef bitcode);

  const std::string identity_;
  std::mutex mutex_; // guards what follows
  bool was_parsed_ = false;
  LLVMContext context_;
  std::unique_ptr<MemoryBuffer> bitcode_; // a copy: the program may unload the image's library
  std::unique_ptr<Module> module_;        // null if it cannot be divided
};

} // namespace

GlobalValue* part_maker::declare(GlobalValue& original) {
  GlobalValue* copy = nullptr;
  if (auto* function = dyn_cast<Function>(&original)) {
    auto* declared = Function::Create(function->getFunctionType(), function->getLinkage(),
                                      function->getAddressSpace(), function->getName(), &part_);
    declared->copyAttributesFrom(function);
    copy = declared;
  } else if (auto* variable = dyn_cast<GlobalVariable>(&original)) {
    auto* declared = new GlobalVariable(part_, variable->getValueType(), variable->isConstant(),
                                        variable->getLinkage(), nullptr, variable->getName(), nullptr,
                                        variable->getThreadLocalMode(), variable->getAddressSpace());
    declared->copyAttributesFrom(variable);
    copy = declared;
  } else if (auto* alias = dyn_cast<GlobalAlias>(&original)) {
    auto* declared = GlobalAlias::create(alias->getValueType(), alias->getAddressSpace(), alias->getLinkage(),
                                         alias->getName(), &part_);
    declared->copyAttributesFrom(alias);
    copy = declared;
  } else {
    return nullptr;
  }
  if (auto* object = dyn_cast<GlobalObject>(copy))
    if (const Comdat* comdat = original.getComdat()) {
      Comdat* same = part_.getOrInsertComdat(comdat->getName());
      same->setSelectionKind(comdat->getSelectionKind());
      object->setComdat(same);
    }
  open_.push_back(&original);
  return copy;
}

void part_maker::share_metadata(const GlobalObject& from, GlobalObject& to) {
  SmallVector<std::pair<unsigned, MDNode*>, 4> all;
  from.getAllMetadata(all);
  for (const auto& [kind, node] : all)
    to.addMetadata(kind, *node);
}

bool part_maker::define(Function& function, Function& copy) {
  if (Error error = function.materialize()) {
    consumeError(std::move(error)); // who reads the whole image says so
    return false;
  }
  if (function.hasPersonalityFn() || function.hasPrefixData() || function.hasPrologueData())
    return false;
  share_metadata(function, copy);
  for (auto [from, to] : zip_equal(function.args(), copy.args())) {
    to.setName(from.getName());
    map_[&from] = &to;
  }
  for (const BasicBlock& block : function) {
    if (block.hasAddressTaken())
      return false;
    map_[&block] = CloneBasicBlock(&block, map_, "", &copy);
  }
  for (BasicBlock& block : copy)
    for (Instruction& instruction : block)
      RemapInstruction(&instruction, map_, FLAGS, nullptr, this);
  return true;
}

bool part_maker::define(GlobalValue& value) {
  Value* copy = map_[&value];
  if (auto* function = dyn_cast<Function>(&value))
    return function->isDeclaration() || define(*function, *cast<Function>(copy));
  if (auto* variable = dyn_cast<GlobalVariable>(&value)) {
    share_metadata(*variable, *cast<GlobalVariable>(copy));
    if (variable->hasInitializer())
      cast<GlobalVariable>(copy)->setInitializer(mapped(variable->getInitializer()));
    return true;
  }
  cast<GlobalAlias>(copy)->setAliasee(mapped(cast<GlobalAlias>(value).getAliasee()));
  return true;
}

bool part_maker::finish() {
  while (!open_.empty())
    if (!define(*open_.pop_back_val()))
      return false;
  for (const NamedMDNode& list : image_.named_metadata())
    for (unsigned i = 0; i < list.getNumOperands(); ++i)
      part_.getOrInsertNamedMetadata(list.getName())->addOperand(list.getOperand(i));
  return true;
}

void kept_image::parse(StringRef bitcode) {
  bitcode_ = MemoryBuffer::getMemBufferCopy(bitcode, "device image");
  Expected<std::unique_ptr<Module>> module = getLazyBitcodeModule(bitcode_->getMemBufferRef(), context_);
  if (!module) {
    consumeError(module.takeError()); // who reads the whole image says so
    return;
  }
  if ((*module)->getNamedMetadata("llvm.dbg.cu") == nullptr && (*module)->ifunc_empty())
    module_ = std::move(*module);
}

/// Whether the name of a definition means nothing to passes, which know functions of C.
static bool has_name_of_no_meaning(const GlobalValue& value) {
  return value.getName().starts_with("_Z") || (isa<GlobalVariable>(value) && value.hasLocalLinkage());
}

/// Of integers that are narrower than registers: how callers extend them, which both sides know.
static void remove_extensions(Function& function) {
  const auto remove = [](auto& owner, unsigned arguments) {
    for (const Attribute::AttrKind kind : {Attribute::ZExt, Attribute::SExt}) {
      owner.removeRetAttr(kind);
      for (unsigned i = 0; i < arguments; ++i)
        owner.removeParamAttr(i, kind);
    }
  };
  remove(function, unsigned(function.arg_size()));
  for (User* user : function.users())
    if (auto* call = dyn_cast<CallBase>(user); call != nullptr && call->getCalledFunction() == &function)
      remove(*call, call->arg_size());
}

namespace {

/// Numbers classes in what accesses say of types (TBAA), in the order in which they come: names but tell them
/// apart there.
class class_numbers {
public:
  void apply(Instruction& instruction) {
    for (const unsigned kind : {LLVMContext::MD_tbaa, LLVMContext::MD_tbaa_struct})
      if (MDNode* node = instruction.getMetadata(kind))
        instruction.setMetadata(kind, renamed(*node));
  }

private:
  MDNode* renamed(MDNode& node);

  DenseMap<MDNode*, MDNode*> nodes_;
  StringMap<unsigned> numbers_;
};

} // namespace

MDNode* class_numbers::renamed(MDNode& node) {
  if (MDNode* known = nodes_.lookup(&node))
    return known;
  LLVMContext& context = node.getContext();
  SmallVector<Metadata*, 8> operands;
  for (Metadata* operand : node.operands()) {
    if (auto* inner = dyn_cast_or_null<MDNode>(operand)) {
      operand = renamed(*inner);
    } else if (const auto* name = dyn_cast_or_null<MDString>(operand);
               name != nullptr && name->getString().starts_with("_ZTS")) {
      const unsigned number = numbers_.try_emplace(name->getString(), numbers_.size()).first->second;
      operand = MDString::get(context, "class " + utostr(number));
    }
    operands.push_back(operand);
  }
  return nodes_[&node] = MDNode::get(context, operands);
}

/// The digest of what the part says, of which nothing is left but that. What \p symbols has behind the kernel
/// is known by its name.
static std::string content_of(Module& part, ArrayRef<StringRef> symbols) {
  class_numbers numbers;
  part.setModuleIdentifier("");
  part.setSourceFileName("");
  for (GlobalValue& value : part.global_values()) {
    if (value.isDeclaration())
      continue;
    if (auto* object = dyn_cast<GlobalObject>(&value))
      object->setComdat(nullptr);
    if (auto* function = dyn_cast<Function>(&value)) {
      remove_extensions(*function);
      for (Instruction& instruction : instructions(*function))
        numbers.apply(instruction);
    }
    if (has_name_of_no_meaning(value) && !is_contained(symbols.drop_front(), value.getName()))
      value.setName("");
  }
  for (StructType* type : part.getIdentifiedStructTypes())
    type->setName("");
  SmallVector<char, 0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(part, stream);
  return toHex(SHA256::hash(arrayRefFromStringRef(StringRef(bitcode.data(), bitcode.size()))));
}

image_part kept_image::part(StringRef bitcode, ArrayRef<StringRef> symbols) {
  const std::lock_guard lock(mutex_);
  if (!was_parsed_)
    parse(bitcode);
  was_parsed_ = true;
  if (module_ == nullptr)
    return {};
  Module part(module_->getModuleIdentifier(), context_);
  part.setSourceFileName(module_->getSourceFileName());
  part.setDataLayout(module_->getDataLayout());
  part.setTargetTriple(module_->getTargetTriple());
  part_maker maker(*module_, part);
  for (StringRef symbol : symbols)
    maker.add(symbol);
  if (!maker.finish())
    return {};
  SmallVector<char, 0> named;
  raw_svector_ostream stream(named);
  WriteBitcodeToFile(part, stream);
  return {{named.begin(), named.end()}, content_of(part, symbols)};
}

/// The image if a kernel of it was requested before; it is remembered either way.
static std::shared_ptr<kept_image> known_image(std::string_view identity) {
  static std::mutex mutex;
  // The one that was used last stands first. Never destroyed: static destructors may still launch kernels.
  static auto& images = *std::make_unique<std::list<std::shared_ptr<kept_image>>>().release();
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::find(
      images, identity, [](const auto& image) -> std::string_view { return image->identity(); });
  if (found != images.end()) {
    images.splice(images.begin(), images, found);
    return images.front();
  }
  images.push_front(std::make_shared<kept_image>(std::string(identity)));
  if (images.size() > MOST_KEPT_IMAGES)
    images.pop_back();
  return nullptr;
}

image_part part_of_image(const identified_bytes& image, ArrayRef<StringRef> symbols) {
  if (image.identity.empty() || image.bytes.size() < SMALLEST_KEPT_IMAGE)
    return {};
  const std::shared_ptr<kept_image> known = known_image(image.identity);
  if (known == nullptr)
    return {};
  return known->part(StringRef(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()),
                     symbols);
}

} // namespace falx::jit
