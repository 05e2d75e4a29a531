// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/native_objects.hpp"
#include "fake_backend.hpp"
#include "sycl/accessor.hpp"
#include "sycl/backend/cuda.hpp"
#include "sycl/buffer.hpp"
#include "sycl/interop_handle.hpp"
#include "sycl/queue.hpp"

#include <atomic>
#include <string>
#include <thread>

/// \file
/// Interoperability as far as the runtime does it (SYCL 2020 §4.5.1, §4.10.2): order between native work and
/// commands, errors by name.

namespace {

using namespace falx;
using namespace falx::test;
using sycl::detail::internals;

constexpr native_handle THE_DEVICE = 7, THE_CONTEXT = 70, THE_QUEUE = 700, THE_EVENT = 7000;

class fake_event final : public native_event {
public:
  explicit fake_event(native_handle the_handle) : handle_(the_handle) {}
  native_handle handle() const noexcept override { return handle_; }

private:
  native_handle handle_;
};

/// Native objects that are numbers; foreign work is a function that waiting calls.
class fake_objects final : public native_objects {
public:
  std::function<void()> foreign_work = [] {};
  std::atomic<int> waits{0}, events_made{0};
  std::atomic<bool> event_has_occurred{false};

  native_handle device() override { return THE_DEVICE; }
  native_handle context() override { return THE_CONTEXT; }
  bool is_context(native_handle native) override { return native == THE_CONTEXT; }
  native_handle queue(queue_view&) override { return THE_QUEUE; }
  void wait_for_foreign_work(queue_view&) override {
    ++waits;
    foreign_work();
  }
  bool is_queue_of_device(native_handle native) override { return native == THE_QUEUE; }
  std::unique_ptr<backend_queue> adopt_queue(native_handle) override {
    return std::make_unique<backend_queue>();
  }
  std::unique_ptr<native_event> event_of(command_view& self) override {
    EXPECT_TRUE(self.is_complete() || self.is_handed_over());
    return std::make_unique<fake_event>(THE_EVENT + static_cast<native_handle>(++events_made));
  }
  std::unique_ptr<native_event> adopt_event(native_handle native) override {
    return std::make_unique<fake_event>(native);
  }
  void wait_on_queue(native_handle queue, native_handle event) override {
    EXPECT_EQ(event, THE_EVENT);
    reinterpret_cast<native_work*>(queue)->push_back([this] {
      while (!event_has_occurred)
        std::this_thread::yield();
    });
  }
};

/// A device that says it is CUDA's. Not destroyed, as fake devices are not.
struct machine {
  fake_objects objects;
  fake_backend& backend;

  machine() : backend(fake_backend::make(1, behaviour_with(objects))) {}
  static fake_behaviour behaviour_with(fake_objects& objects) {
    fake_behaviour behaviour;
    behaviour.native = &objects;
    behaviour.backend_name = "cuda";
    return behaviour;
  }
  static machine& instance() {
    static machine& made = *new machine;
    return made;
  }

  sycl::queue queue(bool in_order, sycl::async_handler handler = {}) {
    return internals::make<sycl::queue>(backend.make_queue(
        0, in_order ? sycl::property_list(sycl::property::queue::in_order()) : sycl::property_list(),
        std::move(handler)));
  }
  sycl::context context() { return internals::make<sycl::context>(backend.context()); }
  fake_device& device() { return backend.native(0); }
};

/// A kernel launch that calls \p body.
sycl::event launch(sycl::queue& queue, std::function<void()> body,
                   const std::vector<sycl::event>& after = {}) {
  queue_state& state = *internals::state(queue);
  handle<command> self = make_launch(state, std::move(body));
  std::vector<handle<command>> dependencies;
  for (const sycl::event& each : after)
    dependencies.push_back(internals::state(each));
  state.submit(self, std::move(dependencies));
  return internals::make<sycl::event>(std::move(self));
}

native_work& work_on(CUstream queue) {
  return *reinterpret_cast<native_work*>(queue);
}

template <class Function>
sycl::errc thrown_code(Function function) {
  try {
    function();
  } catch (const sycl::exception& exception) {
    EXPECT_GT(std::string(exception.what()).size(), 20u);
    return static_cast<sycl::errc>(exception.code().value());
  }
  return sycl::errc::success;
}

constexpr auto cuda = sycl::backend::cuda;

class native_command : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(in_both_orders, native_command, testing::Bool());

TEST_P(native_command, is_enqueued_at_once_and_runs_in_order) {
  machine& all = machine::instance();
  sycl::queue queue = all.queue(GetParam());
  all.device().hold(true);
  int step = 0;
  const sycl::event first = launch(queue, [&] { EXPECT_EQ(step++, 0); });
  bool was_called = false;
  const sycl::event native = queue.submit([&](sycl::handler& group) {
    group.depends_on(first);
    group.ext_codeplay_enqueue_native_command([&](sycl::interop_handle interop) {
      was_called = true;
      work_on(interop.get_native_queue<cuda>()).push_back([&] { EXPECT_EQ(step++, 1); });
    });
  });
  EXPECT_TRUE(was_called) << "the host does not wait for dependencies";
  sycl::event last = launch(queue, [&] { EXPECT_EQ(step++, 2); }, {native});
  EXPECT_NE(native.get_info<sycl::info::event::command_execution_status>(),
            sycl::info::event_command_status::complete);
  all.device().hold(false);
  last.wait();
  EXPECT_EQ(step, 3);
  queue.wait();
}

TEST_P(native_command, has_the_memory_of_its_accessors) {
  sycl::queue queue = machine::instance().queue(GetParam());
  sycl::buffer<int> numbers(sycl::range<1>(4)), others(sycl::range<1>(1));
  sycl::errc error = sycl::errc::success;
  sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device,
                 sycl::access::placeholder::true_t>
      placeholder(numbers), foreign(others);
  queue.submit([&](sycl::handler& group) {
    group.require(placeholder);
    group.AdaptiveCpp_enqueue_custom_operation([placeholder, foreign, &error](sycl::interop_handle& interop) {
      void* const memory = interop.get_native_mem<cuda>(placeholder);
      work_on(interop.get_native_queue<cuda>()).push_back([memory] {
        for (int i = 0; i < 4; ++i)
          static_cast<int*>(memory)[i] = 10 + i;
      });
      error = thrown_code([&] { interop.get_native_mem<cuda>(foreign); });
    });
  });
  const sycl::host_accessor values(numbers, sycl::read_only);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(values[i], 10 + i);
  EXPECT_EQ(error, sycl::errc::invalid);
}

TEST_P(native_command, that_throws_fails) {
  int errors = 0;
  sycl::queue queue = machine::instance().queue(
      GetParam(), [&](const sycl::exception_list& list) { errors += static_cast<int>(list.size()); });
  queue.AdaptiveCpp_enqueue_custom_operation([](sycl::interop_handle) { throw std::runtime_error("no"); });
  queue.wait_and_throw();
  EXPECT_EQ(errors, 1);
}

TEST_P(native_command, on_the_cpu_is_a_host_task) {
  sycl::queue queue(sycl::cpu_selector_v, GetParam() ? sycl::property_list(sycl::property::queue::in_order())
                                                     : sycl::property_list());
  int value = 0;
  const sycl::event first = queue.submit([&](sycl::handler& group) { group.host_task([&] { value = 1; }); });
  sycl::errc of_cpu = sycl::errc::success, of_cuda = sycl::errc::success;
  queue.AdaptiveCpp_enqueue_custom_operation(
      [&](sycl::interop_handle interop) {
        value = 10 * value + 2;
        of_cpu = thrown_code([&] { interop.get_native_queue<sycl::backend::cpu>(); });
        of_cuda = thrown_code([&] { interop.get_native_queue<cuda>(); });
      },
      first);
  queue.wait();
  EXPECT_EQ(value, 12);
  EXPECT_EQ(of_cpu, sycl::errc::feature_not_supported);
  EXPECT_EQ(of_cuda, sycl::errc::backend_mismatch);
}

TEST(host_task, that_takes_the_native_queue_is_complete_when_the_work_there_is) {
  machine& all = machine::instance();
  for (const bool in_order : {false, true}) {
    sycl::queue queue = all.queue(in_order);
    bool is_done = false;
    all.objects.foreign_work = [&] { is_done = true; };
    const int waits = all.objects.waits;
    sycl::event event = queue.submit([&](sycl::handler& group) {
      group.host_task([&](sycl::interop_handle interop) {
        EXPECT_EQ(interop.get_native_queue<cuda>(), reinterpret_cast<CUstream>(THE_QUEUE));
        EXPECT_EQ(interop.get_native_device<cuda>(), static_cast<CUdevice>(THE_DEVICE));
        EXPECT_EQ(interop.get_native_context<cuda>().front(), reinterpret_cast<CUcontext>(THE_CONTEXT));
      });
    });
    event.wait();
    EXPECT_TRUE(is_done);
    EXPECT_EQ(all.objects.waits, waits + 1);
    queue.submit([&](sycl::handler& group) { group.host_task([](sycl::interop_handle) {}); }).wait();
    EXPECT_EQ(all.objects.waits, waits + 1) << "it has put nothing there";
    all.objects.foreign_work = [] {};
  }
}

TEST(native_queue, is_waited_for_with_the_queue) {
  machine& all = machine::instance();
  std::string error;
  sycl::queue queue = all.queue(true, [&](const sycl::exception_list& list) {
    for (const std::exception_ptr& each : list)
      try {
        std::rethrow_exception(each);
      } catch (const std::exception& caught) {
        error = caught.what();
      }
  });
  EXPECT_EQ(sycl::get_native<cuda>(queue), reinterpret_cast<CUstream>(THE_QUEUE));
  all.objects.foreign_work = [] { throw std::runtime_error("a foreign kernel failed"); };
  queue.wait();
  EXPECT_TRUE(error.empty()) << "errors are asynchronous";
  queue.wait_and_throw();
  EXPECT_EQ(error, "a foreign kernel failed");
  all.objects.foreign_work = [] {};
}

TEST(native_queue, becomes_an_in_order_queue) {
  machine& all = machine::instance();
  const sycl::context context = all.context();
  sycl::queue queue = sycl::make_queue<cuda>(reinterpret_cast<CUstream>(THE_QUEUE), context);
  EXPECT_TRUE(queue.is_in_order());
  EXPECT_EQ(queue.get_context(), context);
  EXPECT_EQ(queue.get_backend(), cuda);
  EXPECT_NE(internals::state(queue)->native(), nullptr);
  bool ran = false;
  launch(queue, [&] { ran = true; }).wait();
  EXPECT_TRUE(ran);
  EXPECT_EQ(thrown_code([&] { sycl::make_queue<cuda>(reinterpret_cast<CUstream>(THE_QUEUE + 1), context); }),
            sycl::errc::invalid);
  const sycl::context cpu{sycl::device(sycl::cpu_selector_v)};
  EXPECT_EQ(thrown_code([&] { sycl::make_queue<cuda>(reinterpret_cast<CUstream>(THE_QUEUE), cpu); }),
            sycl::errc::backend_mismatch);
}

TEST(native_event, stands_for_a_command_that_the_device_has) {
  machine& all = machine::instance();
  sycl::queue queue = all.queue(true);
  all.device().hold(true);
  const sycl::event event = launch(queue, [] {});
  EXPECT_TRUE(sycl::cuda::has_native_event(event));
  const CUevent native = sycl::get_native<cuda>(event);
  EXPECT_EQ(sycl::get_native<cuda>(event), native) << "one event per command";
  EXPECT_EQ(sycl::get_native<cuda>(sycl::event(event)), native);
  all.device().hold(false);
  queue.wait();
  EXPECT_EQ(sycl::get_native<cuda>(event), native);
}

TEST(native_event, of_a_host_task_exists_when_the_task_is_complete) {
  machine& all = machine::instance();
  sycl::queue queue = all.queue(true);
  std::atomic<bool> goes_on{false};
  const sycl::event event = queue.submit([&](sycl::handler& group) {
    group.host_task([&] {
      while (!goes_on)
        std::this_thread::yield();
    });
  });
  EXPECT_FALSE(sycl::cuda::has_native_event(event));
  std::thread releaser([&] { goes_on = true; });
  EXPECT_NE(sycl::get_native<cuda>(event), nullptr);
  EXPECT_EQ(internals::state(event)->current_status(), command::status::complete);
  releaser.join();
}

TEST(native_event, becomes_a_command_that_others_come_after) {
  machine& all = machine::instance();
  all.objects.event_has_occurred = false;
  sycl::event event = sycl::make_event<cuda>(reinterpret_cast<CUevent>(THE_EVENT), all.context());
  EXPECT_EQ(sycl::get_native<cuda>(event), reinterpret_cast<CUevent>(THE_EVENT));
  EXPECT_EQ(event.get_backend(), cuda);
  sycl::queue queue = all.queue(false);
  const sycl::event after = launch(queue, [&] { EXPECT_TRUE(all.objects.event_has_occurred); }, {event});
  EXPECT_NE(event.get_info<sycl::info::event::command_execution_status>(),
            sycl::info::event_command_status::complete);
  all.objects.event_has_occurred = true;
  event.wait();
  queue.wait();
}

TEST(native_event, orders_work_of_the_host_as_well) {
  machine& all = machine::instance();
  all.objects.event_has_occurred = false;
  const sycl::event event = sycl::make_event<cuda>(reinterpret_cast<CUevent>(THE_EVENT), all.context());
  sycl::queue cpu(sycl::cpu_selector_v);
  cpu.submit([&](sycl::handler& group) {
    group.depends_on(event);
    group.host_task([&] { EXPECT_TRUE(all.objects.event_has_occurred); });
  });
  all.objects.event_has_occurred = true;
  cpu.wait();
}

TEST(native_objects, of_another_backend_are_refused_by_name) {
  const sycl::queue cpu(sycl::cpu_selector_v);
  EXPECT_EQ(thrown_code([&] { sycl::get_native<cuda>(cpu); }), sycl::errc::backend_mismatch);
  EXPECT_EQ(thrown_code([&] { sycl::get_native<cuda>(cpu.get_context()); }), sycl::errc::backend_mismatch);
  EXPECT_EQ(thrown_code([&] { sycl::get_native<sycl::backend::cpu>(cpu); }),
            sycl::errc::feature_not_supported);
  EXPECT_EQ(thrown_code([&] { sycl::make_device<cuda>(12345); }), sycl::errc::invalid);
  EXPECT_EQ(thrown_code([&] { sycl::make_context<cuda>(reinterpret_cast<CUcontext>(8)); }),
            sycl::errc::feature_not_supported);
}

TEST(native_objects, that_falx_does_not_exchange_say_what_to_do_instead) {
  const sycl::context context = machine::instance().context();
  int memory = 0;
  EXPECT_EQ(thrown_code([&] { sycl::make_buffer<cuda, int>(static_cast<void*>(&memory), context); }),
            sycl::errc::feature_not_supported);
  EXPECT_EQ(thrown_code([&] { sycl::make_kernel<cuda>(CUfunction{}, context); }),
            sycl::errc::feature_not_supported);
  EXPECT_EQ(thrown_code([&] { sycl::get_native<cuda>(sycl::buffer<int>(sycl::range<1>(1))); }),
            sycl::errc::feature_not_supported);
}

TEST(peer_access, is_refused_between_devices_that_do_not_have_it) {
  sycl::device cpu(sycl::cpu_selector_v);
  EXPECT_FALSE(cpu.ext_oneapi_can_access_peer(cpu));
  EXPECT_EQ(thrown_code([&] { cpu.ext_oneapi_enable_peer_access(cpu); }), sycl::errc::feature_not_supported);
  EXPECT_EQ(thrown_code([&] { cpu.ext_oneapi_disable_peer_access(cpu); }), sycl::errc::invalid);
}

TEST(device_information, that_a_device_does_not_have_is_refused_as_its_aspects_say) {
  const sycl::device cpu(sycl::cpu_selector_v);
  namespace intel = sycl::ext::intel::info::device;
  EXPECT_FALSE(cpu.has(sycl::aspect::ext_intel_pci_address));
  EXPECT_EQ(thrown_code([&] { cpu.get_info<intel::pci_address>(); }), sycl::errc::feature_not_supported);
  EXPECT_EQ(thrown_code([&] { cpu.get_info<intel::gpu_eu_count>(); }), sycl::errc::feature_not_supported);
  EXPECT_EQ(thrown_code([&] { cpu.get_info<intel::free_memory>(); }), sycl::errc::feature_not_supported);
}

TEST(device_information, is_what_the_backend_knows) {
  machine& all = machine::instance();
  device_description& description = all.device().change_description();
  description.memory_clock = 2619;
  description.memory_bus_width = 5120;
  const auto device = internals::make<sycl::device>(handle<device_state>::share(&all.backend.device(0)));
  namespace intel = sycl::ext::intel::info::device;
  EXPECT_TRUE(device.has(sycl::aspect::ext_intel_max_mem_bandwidth));
  EXPECT_EQ(device.get_info<intel::memory_clock_rate>(), 2619u);
  EXPECT_EQ(device.get_info<intel::max_mem_bandwidth>(), std::uint64_t{2619} * 1'000'000 * 2 * 640);
}

} // namespace
