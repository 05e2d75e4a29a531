"""Kernels of generate_kernels.py that write what they captured, of which each work-item has its own: members, elements of
arrays, the whole, by values, pointers, copies and atomic operations."""
import random

INTEGERS = {"number": "int", "small": "signed char", "wide": "unsigned long"}
FLOATS = {"factor": "double", "half_factor": "float"}
MEMBERS = {**INTEGERS, **FLOATS}
ARRAYS = {"elements": ("int", 8), "bytes": ("unsigned char", 12), "rows[1]": ("double", 3)}


class CapturedState:
    """A part of the class Kernel. What it chooses at random does not change the kernels that have no such state."""

    def choose_captured_state(self, seed):
        self.writes_captures = random.Random(f"{seed}/{self.number}/captured state").random() < 0.3
        self.copies_captures = random.Random(f"{seed}/{self.number}/captured copies").random() < 0.2

    def captured_value(self, depth):
        rng = self.rng
        if rng.random() < 0.5:
            return f"a.state.{rng.choice(list(MEMBERS))}"
        return self.captured_element(depth)

    def captured_element(self, depth):
        name = self.rng.choice(list(ARRAYS))
        size = ARRAYS[name][1]
        at = self.rng.randrange(size) if self.rng.random() < 0.5 else self.index(depth + 1, size)
        return f"a.state.{name}[{at}]"

    def captured_parts(self):
        return [f"a.state.{name}" for name in MEMBERS] + [f"a.state.{name}[{size - 1}]" for name, (_, size) in ARRAYS.items()]

    def captured_pointer(self):
        """To 4 ints."""
        return f"(a.state.elements + {self.rng.choice([self.rng.randint(0, 4), self.index(1, 5)])})"

    def copy_captured(self):
        """Reads a copy of what is captured, which may be a copy of a copy, of one of two, or written to."""
        rng = self.rng
        whole = rng.choice(["a.initial", "a.state"]) if self.writes_captures else "a.initial"
        copy, name = self.name(), rng.choice(list(ARRAYS))
        kind, size = ARRAYS[name]
        self.emit(f"{{ captured_state {copy} = {whole};")
        if rng.random() < 0.3:
            self.emit(f"const captured_state {copy}_again = {copy};")
            copy += "_again" if rng.random() < 0.7 else ""
        elif rng.random() < 0.3:
            self.emit(f"{copy}.{name}[{self.index(1, size)}] = convert<{kind}>({self.value()});")
        places = [f"{copy}.{name}[{self.index(0, size)}]" for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.3:
            places[0] = f"*({self.value()} > 0 ? &{places[0]} : &a.initial.{name}[{self.index(1, size)}])"
        self.emit(f"x = convert<int>(mixed({' + '.join(places)}, {self.value()})); }}")

    def write_captured(self):
        rng = self.rng
        choice = rng.random()
        if choice < 0.35:
            name = rng.choice(list(MEMBERS))
            self.emit(f"a.state.{name} = convert<{MEMBERS[name]}>({self.value()});")
        elif choice < 0.6:
            name = rng.choice(list(ARRAYS))
            kind, size = ARRAYS[name]
            at = rng.randrange(size) if rng.random() < 0.5 else self.index(1, size)
            self.emit(f"a.state.{name}[{at}] = convert<{kind}>({self.value()});")
        elif choice < 0.7:
            name = rng.choice(list(INTEGERS))
            how = rng.choice(["fetch_add", "fetch_xor", "exchange_n", "fetch_sub"])
            self.emit(f"x = convert<int>(__atomic_{how}(&a.state.{name}, convert<{INTEGERS[name]}>({self.value()}), "
                      f"__ATOMIC_RELAXED));")
        elif choice < 0.8:
            self.emit(f"for (int i = 0; i < 8; ++i) a.state.elements[i] = convert<int>(mixed(a.state.elements[i], {self.value()}));")
        elif choice < 0.87:
            self.emit(f"for (auto& byte : a.state.bytes) byte = (unsigned char)(byte + {rng.randint(1, 9)});")
        elif choice < 0.94:
            self.emit("{ const captured_state whole = a.state; a.state.number = whole.elements[3]; "
                      f"a.state.elements[{rng.randrange(8)}] = int(whole.small) + whole.number; }}")
        else:
            self.emit(f"a.state = {rng.choice(['captured_state{}', 'a.initial'])};")
