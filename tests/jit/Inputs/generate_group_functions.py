"""Group functions in random kernels: what generate_kernels.py takes from here.

A work-item writes elements that others read: right before a group function, and right behind it others read them, or
the function reads them itself. Group functions are all that keeps the two apart (SYCL 2020, section 4.17.3). Sums and
the like are of unsigned numbers, so their order does not matter."""

PRELUDE = """
#include "sycl/group_algorithms.hpp"

namespace group_functions {
inline auto work_group() { return sycl::detail::index_access::make<sycl::group<3>>(false); }
inline auto sub_group() { return sycl::detail::index_access::make<sycl::sub_group>(0); }
/// Behind what other statements use.
inline unsigned* local_elements() { return static_cast<unsigned*>(__falx_local_memory()) + 512; }
/// No device has an instruction for it.
struct product_and_one {
  unsigned operator()(unsigned a, unsigned b) const { return a * b + a + b; }
};
}
"""

OPERATIONS = ["sycl::plus<unsigned>()", "sycl::maximum<unsigned>()", "sycl::bit_xor<unsigned>()", "sycl::minimum<unsigned>()",
              "group_functions::product_and_one()"]


class Memory:
    """Elements of a group, as many as it has work-items and as many again for scans: expressions for pointers."""

    def __init__(self, group, count, own, first, second):
        self.group, self.count, self.own, self.first, self.second = group, count, own, first, second


def of_work_group(rng):
    """In local or in global memory."""
    place = rng.choice(["group_functions::local_elements()", "(a.of_groups + group_linear() * group_size() * 4)"])
    return Memory("group_functions::work_group()", "group_size()", "linear_id()", place, f"({place} + group_size())")


def of_sub_group(rng):
    place = rng.choice(["(group_functions::local_elements() + 128)",
                        "(a.of_groups + group_linear() * group_size() * 4 + group_size() * 2)"])
    place = f"({place} + 2 * sub_group_first())"
    return Memory("group_functions::sub_group()", "int(__falx_sub_group_size())", "int(__falx_sub_group_local_id())", place,
                  f"({place} + __falx_sub_group_size())")


def of_values(kernel, group):
    """An expression for a call on values."""
    rng = kernel.rng
    value, operation = f"unsigned(word({kernel.value(1)}))", rng.choice(OPERATIONS)
    last = f"({group}.get_local_linear_range() - 1)"
    return rng.choice([
        f"sycl::reduce_over_group({group}, {value}, {operation})",
        f"sycl::inclusive_scan_over_group({group}, {value}, {operation})",
        f"sycl::exclusive_scan_over_group({group}, {value}, {rng.randint(0, 9)}u, {operation})",
        f"sycl::group_broadcast({group}, {value}, {last})",
        f"unsigned(sycl::any_of_group({group}, {kernel.condition(1)}))",
        f"unsigned(sycl::all_of_group({group}, {kernel.condition(1)}))",
    ])


def of_range(kernel, memory):
    """A statement that calls a function on the elements, and an expression for what it gives."""
    rng, operation, name = kernel.rng, kernel.rng.choice(OPERATIONS), kernel.name()
    bound = rng.choice([memory.count, f"({memory.count} + 1) / 2", "0", memory.count])
    range_ = f"{memory.group}, {memory.first}, {memory.first} + {bound}"
    choice = rng.random()
    if choice < 0.5:
        call = rng.choice([f"sycl::joint_reduce({range_}, {rng.randint(0, 9)}u, {operation})",
                           f"unsigned(sycl::joint_any_of({range_}, [](unsigned x) {{ return x % 8 == {rng.randint(0, 7)}; }}))",
                           f"unsigned(sycl::joint_all_of({range_}, [](unsigned x) {{ return x % 8 != {rng.randint(0, 7)}; }}))",
                           f"unsigned(sycl::joint_none_of({range_}, [](unsigned x) {{ return x == {rng.randint(0, 7)}; }}))"])
        return f"unsigned {name} = {call};", name
    to, element = memory.first, f"{memory.first}[{kernel.index(1, memory.count)}]"
    if rng.random() < 0.5:
        # What a scan of fewer elements leaves out is not what was there before.
        to, element = memory.second, f"({bound}) == 0 ? 3u : {memory.second}[{kernel.index(1, f'({bound}) > 0 ? long({bound}) : 1')}]"
    call = rng.choice([f"sycl::joint_inclusive_scan({range_}, {to}, {operation}, {rng.randint(0, 9)}u)",
                       f"sycl::joint_exclusive_scan({range_}, {to}, {rng.randint(0, 9)}u, {operation})"])
    return f"{call};", element


def emit(kernel, whole_group):
    """Writes, calls and reads in succession; gives the name of an int variable with what came out."""
    rng, result = kernel.rng, kernel.name()
    memory = of_work_group(rng) if whole_group else of_sub_group(rng)
    barrier = "barrier();" if whole_group else "__falx_sub_group_barrier();"
    kernel.emit(barrier)
    kernel.emit(f"int {result} = 0;")
    for _ in range(rng.randint(1, 3)):
        # Its own element, or another one's.
        at = rng.choice([memory.own, f"{memory.count} - 1 - {memory.own}"])
        kernel.emit(f"{memory.first}[{at}] = unsigned(word({kernel.value()}));")
        if rng.random() < 0.7:
            statement, value = of_range(kernel, memory)
            kernel.emit(statement)
        else:
            value = of_values(kernel, memory.group)
        kernel.emit(f"{result} = int(mixed({result}, {value}));")
        if rng.random() < 0.7:
            kernel.emit(f"{result} = int(mixed({result}, {memory.first}[{kernel.index(1, memory.count)}]));")
        # What is read above may be written behind another call.
        if rng.random() < 0.7:
            kernel.emit(f"{result} = int(mixed({result}, {of_values(kernel, memory.group)}));")
        else:
            kernel.emit(of_range(kernel, memory)[0])
    kernel.emit(barrier)
    return result
