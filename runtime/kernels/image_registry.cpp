// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image_registry.hpp"

#include "backends/wait_help.hpp"
#include "function_replacements.hpp"
#include "kernel_state.hpp"
#include "memory/device_globals.hpp"
#include "process/owned_mutex.hpp"
#include "process/process_state.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <cxxabi.h>
#include <dlfcn.h>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace falx {
namespace {

/// Guards the list, and parsing. A leaf except for the mutexes of image_state.
constinit owned_mutex registry_mutex;
/// In the order of registration.
constinit image_registration* first_image = nullptr;
constinit image_registration* last_image = nullptr;

using kernels_by_name = std::unordered_map<const kernel_name*, std::vector<const kernel_descriptor*>>;
/// Those of all images, for programs with thousands of kernels. Null until it is asked for, and again when
/// the list has changed. Guarded like the list; no destructor ends it, as images are unregistered by those.
constinit kernels_by_name* named_kernels = nullptr;

/// The caller holds registry_mutex, and changes the list.
void discard_named_kernels() noexcept {
  delete std::exchange(named_kernels, nullptr);
}

/// For those who wait until an image is unused, whichever it is: kernel_use must not touch an image_state
/// after its last decrement, because the waiting thread may delete it then.
constinit std::mutex unused_mutex;

std::condition_variable& image_unused() {
  // Never destroyed: images are unregistered by static destructors.
  static std::condition_variable& condition = *std::make_unique<std::condition_variable>().release();
  return condition;
}

std::atomic_ref<void*> state_slot(image_registration& registration) noexcept {
  return std::atomic_ref<void*>(registration.runtime_state);
}

/// The executable or shared library that holds \p address: where it is loaded, and its path.
struct loaded_object {
  explicit loaded_object(const void* address) {
    if (Dl_info info{}; ::dladdr(address, &info) != 0) {
      base = info.dli_fbase;
      path = info.dli_fname != nullptr && *info.dli_fname != '\0' ? info.dli_fname : "this program";
    }
  }
  const void* base = nullptr;
  std::string path = "an unknown library";
};

/// Of a record of another version nothing but the version and the addresses behind it can be read.
void require_same_interface(const image_registration& registration) {
  if (registration.interface_version != INTERFACE_VERSION)
    throw sycl::exception(sycl::errc::kernel_not_supported,
                          loaded_object(registration.begin).path + " was compiled for version " +
                              std::to_string(registration.interface_version) +
                              " of Falx's interface, but this is libfalx.so." +
                              std::to_string(INTERFACE_VERSION) + " of " +
                              loaded_object(reinterpret_cast<const void*>(&require_same_interface)).path +
                              ": recompile it with the falx++ that belongs to this library");
}

/// The image's state. The caller holds registry_mutex.
image_state& parsed(image_registration& registration) {
  assert(registry_mutex.is_held() && "the caller holds it");
  if (void* state = state_slot(registration).load(std::memory_order_acquire))
    return *static_cast<image_state*>(state);
  require_same_interface(registration);
  const loaded_object object(registration.begin);
  std::string error = "it has no bytes";
  std::optional<image::device_image> image;
  if (registration.begin != nullptr && registration.begin < registration.end)
    image = image::parse({registration.begin, registration.end}, error);
  if (!image)
    throw sycl::exception(sycl::errc::invalid, "device image of " + object.path + " is damaged: " + error +
                                                   "; rebuild " + object.path);
  if (image->constants.size() != registration.constant_count)
    throw sycl::exception(sycl::errc::invalid,
                          "device image of " + object.path +
                              " is damaged: its list of specialization constants does not "
                              "fit the program's; rebuild " +
                              object.path);
  if (image->globals.size() != registration.device_global_count)
    throw sycl::exception(sycl::errc::invalid,
                          "device image of " + object.path +
                              " is damaged: its list of device globals does not fit the program's; rebuild " +
                              object.path);
  auto state = std::make_unique<image_state>(std::move(*image), object.path, registration);
  state_slot(registration).store(state.get(), std::memory_order_release);
  return *state.release(); // owned by the registration until falx_unregister_image
}

/// Says which image defines \p symbol. The caller holds registry_mutex. Images that cannot be read are passed
/// over, as they need not have to do with the symbol; why is put into \p damage.
image_state* find_definition(const std::string_view symbol, const void* preferred_base, std::string& damage) {
  assert(registry_mutex.is_held() && "the caller holds it");
  image_state* found = nullptr;
  for (image_registration* candidate = first_image; candidate != nullptr; candidate = candidate->next) {
    try {
      image_state& state = parsed(*candidate);
      if (!state.exports(symbol))
        continue;
      if (loaded_object(candidate->begin).base == preferred_base)
        return &state;
      if (found == nullptr)
        found = &state;
    } catch (const sycl::exception& error) {
      damage = error.what();
    }
  }
  return found;
}

/// By name. Where each kernel, in the order before, is after it.
std::vector<std::uint32_t> sort_kernels(std::vector<image::kernel_metadata>& kernels) {
  std::vector<std::uint32_t> order(kernels.size()), places(kernels.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::uint32_t index) { return std::string_view(kernels[index].name); });
  std::vector<image::kernel_metadata> sorted;
  sorted.reserve(kernels.size());
  for (const std::uint32_t index : order) {
    places[index] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(kernels[index]));
  }
  kernels = std::move(sorted);
  return places;
}

/// The symbol as the user wrote it.
std::string demangled(std::string_view symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : std::string(symbol);
}

} // namespace

image_state::image_state(image::device_image image, std::string origin,
                         const image_registration& registration)
    : image_(std::move(image)), forecast_(image_.kernels, sort_kernels(image_.kernels)),
      origin_(std::move(origin)), registration_(registration) {
  std::ranges::sort(image_.exports);
}

image_state::~image_state() {
  assert(uses_.load() == 0 && "wait_for_image_use comes before, and no use begins behind it");
}

const image::kernel_metadata* image_state::find_kernel(std::string_view name) const noexcept {
  const auto found = std::ranges::lower_bound(image_.kernels, name, std::less<std::string_view>(),
                                              &image::kernel_metadata::name);
  return found != image_.kernels.end() && found->name == name ? &*found : nullptr;
}

bool image_state::exports(std::string_view symbol) const noexcept {
  return std::ranges::binary_search(image_.exports, symbol);
}

kernel_state& image_state::kernel(const kernel_descriptor& descriptor) {
  const std::lock_guard lock(mutex_);
  if (kernel_state* known = kernel_state::known(descriptor))
    return *known;
  const image::kernel_metadata* metadata = find_kernel(descriptor.name);
  if (metadata == nullptr)
    throw sycl::exception(sycl::errc::invalid, "device image of " + origin_ +
                                                   " is damaged: it has no kernel '" +
                                                   demangled(descriptor.name) + "'; rebuild " + origin_);
  return *kernels_.emplace_back(std::make_unique<kernel_state>(descriptor, *this, *metadata));
}

std::shared_ptr<const std::vector<unsigned char>> image_state::copy_of_bitcode() {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const std::vector<unsigned char>> copy = bitcode_.lock();
  if (copy == nullptr) {
    copy = std::make_shared<const std::vector<unsigned char>>(image_.bitcode.begin(), image_.bitcode.end());
    bitcode_ = copy;
  }
  return copy;
}

void kernel_use::wake_waiting() noexcept {
  const std::lock_guard lock(unused_mutex);
  image_unused().notify_all();
}

bool wait_for_image_use(image_state& image) noexcept {
  // At exit within a host task, kernels may wait for that host task.
  if (is_process_ending() && program_code::current() != nullptr)
    return image.uses_.load(std::memory_order_acquire) == 0;
  if (image.uses_.load(std::memory_order_acquire) != 0 && do_waiting_threads_do_all())
    wait_until_idle();
  if (image.uses_.load(std::memory_order_acquire) != 0)
    complete_all_in_background(); // or a kernel that has run may wait for a poll
  std::unique_lock lock(unused_mutex);
  image.uses_.fetch_or(1, std::memory_order_acq_rel);
  image_unused().wait(lock, [&] { return image.uses_.load(std::memory_order_acquire) == 1; });
  image.uses_.fetch_and(~std::uint64_t{1}, std::memory_order_relaxed);
  return true;
}

std::vector<std::string> image_digests() {
  std::vector<std::string> digests;
  const std::lock_guard lock(registry_mutex);
  for (image_registration* image = first_image; image != nullptr; image = image->next)
    try {
      digests.emplace_back(parsed(*image).image().sha256);
    } catch (const sycl::exception&) {
      // Whoever launches one of its kernels is told.
    }
  return digests;
}

image_state& state_of(image_registration& registration) {
  if (void* state = state_slot(registration).load(std::memory_order_acquire))
    return *static_cast<image_state*>(state);
  const std::lock_guard lock(registry_mutex);
  return parsed(registration);
}

namespace {

/// Calls \p visit for every kernel that was given a name. Images of other versions may have no table. The
/// caller holds registry_mutex.
template <class Visitor>
void visit_named_kernels(const Visitor& visit) {
  assert(registry_mutex.is_held() && "the caller holds it");
  for (const image_registration* image = first_image; image != nullptr; image = image->next) {
    if (image->interface_version != INTERFACE_VERSION)
      continue;
    for (std::size_t i = 0; i < image->kernel_count; ++i)
      // A descriptor that images share is visited with the one that it refers to.
      if (const kernel_descriptor& kernel = *image->kernels[i];
          kernel.image == image && kernel.kernel != nullptr)
        visit(kernel);
  }
}

} // namespace

std::vector<const kernel_name*> all_kernel_names() {
  std::vector<const kernel_name*> names;
  const std::lock_guard lock(registry_mutex);
  visit_named_kernels([&](const kernel_descriptor& kernel) { names.push_back(kernel.kernel); });
  std::unordered_set<const kernel_name*> seen;
  std::erase_if(names, [&](const kernel_name* name) { return !seen.insert(name).second; });
  return names;
}

std::vector<const kernel_descriptor*> kernels_named(const kernel_name* name) {
  const std::lock_guard lock(registry_mutex);
  if (named_kernels == nullptr) {
    auto made = std::make_unique<kernels_by_name>();
    visit_named_kernels([&](const kernel_descriptor& kernel) { (*made)[kernel.kernel].push_back(&kernel); });
    named_kernels = made.release();
  }
  const auto found = named_kernels->find(name);
  return found != named_kernels->end() ? found->second : std::vector<const kernel_descriptor*>();
}

bool may_use(std::string_view kernel, std::size_t index, const std::vector<std::string_view>& kernels,
             bool by_exports) noexcept {
  return by_exports || (index == 0 && std::ranges::find(kernels, kernel) != kernels.end());
}

namespace {

bool lists(const image_registration& image, const void* variable) noexcept {
  const void* const* const end = image.device_globals + image.device_global_count;
  return image.interface_version == INTERFACE_VERSION &&
         std::find(image.device_globals, end, variable) != end;
}

/// The variables that no other image lists. The caller holds registry_mutex; the image is not in the list.
std::vector<const void*> device_globals_only_of(const image_registration& image) {
  assert(registry_mutex.is_held() && "the caller holds it");
  std::vector<const void*> variables;
  for (std::size_t i = 0; image.interface_version == INTERFACE_VERSION && i < image.device_global_count;
       ++i) {
    bool is_known_elsewhere = false;
    for (const image_registration* other = first_image; other != nullptr; other = other->next)
      is_known_elsewhere |= lists(*other, image.device_globals[i]);
    if (!is_known_elsewhere)
      variables.push_back(image.device_globals[i]);
  }
  return variables;
}

} // namespace

device_global_uses uses_of_device_global(const void* variable) {
  device_global_uses uses;
  const std::lock_guard lock(registry_mutex);
  for (image_registration* each = first_image; each != nullptr; each = each->next) {
    if (!lists(*each, variable))
      continue;
    image_state& image = parsed(*each);
    for (std::size_t i = 0; i < image.image().globals.size(); ++i) {
      if (image.device_global(i) != variable)
        continue;
      const image::global_metadata& global = image.image().globals[i];
      uses.users += !global.kernels.empty() || global.used_by_exports;
      if (uses.image.image() == nullptr) {
        uses.image = kernel_use(image);
        uses.name = demangled(global.symbol);
      }
    }
  }
  return uses;
}

std::vector<kernel_use> images_for(image_state& image, const function_replacements* functions) {
  std::vector<kernel_use> images;
  images.emplace_back(image);
  if (functions != nullptr)
    for (const function_replacements::replacement& replacement : functions->all())
      for (const function_descriptor* definition : replacement.definitions)
        if (image_state& state = state_of(*definition->image);
            std::ranges::none_of(images, [&](const kernel_use& use) { return use.image() == &state; }))
          images.emplace_back(state);
  const std::lock_guard lock(registry_mutex);
  const auto is_defined = [&](std::string_view symbol) {
    return std::ranges::any_of(images, [&](const kernel_use& use) { return use.image()->exports(symbol); });
  };
  // Grows while it runs: what is appended is visited too.
  for (std::size_t i = 0; i < images.size(); ++i) {
    const image_state& user = *images[i].image();
    const void* base = loaded_object(user.image().bitcode.data()).base;
    for (std::string_view symbol : user.image().imports) {
      if (is_defined(symbol) || (functions != nullptr && functions->replaces(symbol)))
        continue;
      std::string damage;
      image_state* definition = find_definition(symbol, base, damage);
      if (definition == nullptr)
        throw sycl::exception(
            sycl::errc::build,
            "device code in " + user.origin() + " uses '" + demangled(symbol) +
                "', which no device code of this program defines: declare it SYCL_EXTERNAL where "
                "it is defined, compile that file with falx++, and link or load it" +
                (damage.empty() ? std::string() : " (" + damage + ")"));
      images.emplace_back(*definition);
    }
  }
  return images;
}

void require_same_interface() {
  const std::lock_guard lock(registry_mutex);
  for (const image_registration* image = first_image; image != nullptr; image = image->next)
    require_same_interface(*image);
}

extern "C" void falx_register_image(image_registration* image) noexcept {
  const std::lock_guard lock(registry_mutex);
  assert((first_image == nullptr) == (last_image == nullptr) && image != last_image && "registered once");
  assert((last_image == nullptr || last_image->next == nullptr) && "something follows the last image");
  discard_named_kernels();
  image->next = nullptr;
  (last_image == nullptr ? first_image : last_image->next) = image;
  last_image = image;
}

extern "C" void falx_unregister_image(image_registration* image) noexcept {
  if (is_forked_child()) // kernels that it runs in the parent never end here
    return;
  std::vector<const void*> device_globals;
  {
    const std::lock_guard lock(registry_mutex);
    image_registration* previous = nullptr;
    [[maybe_unused]] bool was_registered = false;
    for (image_registration* candidate = first_image; candidate != nullptr; candidate = candidate->next) {
      if (candidate == image) {
        was_registered = true;
        discard_named_kernels();
        (previous == nullptr ? first_image : previous->next) = image->next;
        if (last_image == image)
          last_image = previous;
        break;
      }
      previous = candidate;
    }
    assert(was_registered && "the image is unregistered twice");
    assert((first_image == nullptr) == (last_image == nullptr) && "the list ends with its last image");
    device_globals = device_globals_only_of(*image);
  }
  std::unique_ptr<image_state> state(
      static_cast<image_state*>(state_slot(*image).load(std::memory_order_acquire)));
  if (state != nullptr) {
    if (!wait_for_image_use(*state)) {
      static_cast<void>(state.release()); // for the kernels that go on until the process has ended
      return;
    }
    state_slot(*image).store(nullptr, std::memory_order_release);
  }
  for (const void* variable : device_globals)
    erase_device_global(variable);
}

} // namespace falx
