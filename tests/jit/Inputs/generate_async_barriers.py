"""Asynchronous barriers in random kernels (generate_kernels.py): all work-items of a group arrive once in each cycle, and wait
where they like: at once or later, in both branches of a conditional, in some iterations of a loop, by asking again and
again, or not at all. What one writes before it arrives another reads behind its wait; a second cycle keeps the next
round's writes from this one's readers."""
import random


class AsyncBarriers:
    """Random numbers of its own, so that the rest of a kernel stays the same."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.rng = random.Random(f"asynchronous barriers of {kernel.seed}/{kernel.number}")
        self.is_used = not kernel.is_range and self.rng.random() < 0.12
        self.names = 0

    def emit(self, text):
        self.kernel.emit(text)

    def name(self):
        self.names += 1
        return f"async{self.names}"

    def value(self):
        """Of variables alone: other expressions would draw from the kernel's random numbers."""
        return self.rng.choice(self.kernel.variables)[0]

    def condition(self):
        rng = self.rng
        return rng.choice([f"(linear_id() & {rng.choice([1, 2, 3, 4, 8, 12])}) {rng.choice(['==', '!='])} 0",
                           f"linear_id() < {rng.choice([1, 3, 8, 20])}", f"linear_id() == {rng.choice([0, 5])}",
                           f"index({self.value()}, 3) == 0", f"index({self.value()}, 2) == 0",
                           f"a.count {rng.choice(['<', '>'])} {rng.randint(0, 4)}"])

    def begin(self):
        if not self.is_used:
            return
        self.emit("if (linear_id() == 0) for (int i = 0; i < 2; ++i) __falx_async_barrier_initialize(async_barriers() + i, group_size());")
        self.emit("barrier();")

    def wait(self, barrier, token):
        if self.rng.random() < 0.15:
            self.emit(f"while (!__falx_async_barrier_test({barrier}, {token})) {{}}")
        else:
            self.emit(f"__falx_async_barrier_wait({barrier}, {token});")

    def arrive(self, barrier, token):
        self.emit(f"const std::uint64_t {token} = __falx_async_barrier_arrive({barrier});")

    def work(self):
        """Between an arrival and the wait."""
        for _ in range(self.rng.randint(0, 2)):
            name, kind = self.rng.choice([("x", "int"), ("y", "float")])
            self.emit(f"{name} = convert<{kind}>(mixed({name}, {self.value()}));")

    def write(self):
        self.emit(f"meeting_ints()[linear_id()] = convert<int>({self.value()});")

    def read(self):
        self.emit(f"x = convert<int>(mixed(x, meeting_ints()[index({self.value()}, group_size())]));")

    def leave_readers(self):
        """Nobody writes again until all have read."""
        token = self.name()
        self.arrive("async_barriers() + 1", token)
        self.work()
        self.wait("async_barriers() + 1", token)

    def statement(self):
        if not self.is_used or self.kernel.level != 0 or self.rng.random() < 0.5:
            return
        self.rng.choice([self.together, self.some_wait, self.branches, self.rounds])()

    def together(self):
        barrier, token = "async_barriers()", self.name()
        self.write()
        self.arrive(barrier, token)
        self.work()
        self.wait(barrier, token)
        self.read()
        self.leave_readers()

    def some_wait(self):
        barrier, token = "async_barriers()", self.name()
        self.write()
        self.arrive(barrier, token)
        self.emit(f"if ({self.condition()}) {{")
        self.work()
        self.wait(barrier, token)
        self.read()
        if self.rng.random() < 0.5:
            self.emit("} else {")
            self.work()
        self.emit("}")
        self.leave_readers()

    def branches(self):
        barrier = "async_barriers()"
        self.emit(f"if ({self.condition()}) {{")
        for last in (False, True):
            token = self.name()
            self.work()
            self.write()
            self.arrive(barrier, token)
            self.work()
            if self.rng.random() < 0.8:
                self.wait(barrier, token)
                self.read()
            if not last:
                self.emit("} else {")
        self.emit("}")
        self.leave_readers()

    def rounds(self):
        """A loop in which some work-items wait in some iterations."""
        barrier, token, counter = "async_barriers()", self.name(), self.name()
        bound = self.rng.choice(["a.count + 1", "3", "2", f"{self.rng.choice(self.kernel.uniforms)} + 2"])
        self.emit(f"for (int {counter} = 0; {counter} < int({bound}) % 6; ++{counter}) {{")
        self.write()
        self.arrive(barrier, token)
        if self.rng.random() < 0.5:
            self.emit(f"if ((linear_id() + {counter}) & {self.rng.choice([1, 2, 3, 4])}) {{")
            self.wait(barrier, token)
            self.read()
            self.emit("}")
        else:
            self.emit(f"if ({self.condition()}) {{")
            self.work()
            self.emit("}")
            self.wait(barrier, token)
            self.read()
        self.leave_readers()
        self.emit("}")

    def end(self):
        """Some leave for good, and the others meet without them."""
        if not self.is_used or self.rng.random() < 0.5:
            return
        barrier, token, counter = "async_barriers()", self.name(), self.name()
        self.emit(f"if ({self.condition()}) {{")
        self.emit(f"__falx_async_barrier_arrive_and_drop({barrier});")
        self.emit("} else {")
        self.emit(f"for (int {counter} = 0; {counter} < {self.rng.randint(1, 3)}; ++{counter}) {{")
        self.arrive(barrier, token)
        self.work()
        self.wait(barrier, token)
        self.emit("}")
        self.emit("}")
