# The C types of sight.py: they bind when it is compiled and are not read when it is interpreted.
cimport cython

@cython.locals(
    step_q="int[6]", step_r="int[6]", corner_q="int[7]", corner_r="int[7]", hand="int[7]", k=int, place=int, q=int, r=int,
    center=int, d=int, e=int, f=int, left_q=int, left_r=int, right_q=int, right_r=int, far=int,
)
cdef int _walk(int dq, int dr, list sides) except -1

cdef class SymbolSight:
    cdef readonly int size
    cdef int _stride
    cdef int _width
    cdef int _height
    cdef int[::1] _hexes
    cdef const unsigned char[::1] _levels
    cdef const unsigned char[::1] _sides
    cdef const unsigned char[::1] _areas
    cdef const unsigned char[::1] _effects
    cdef int[::1] _starts
    cdef int[::1] _pool
    cdef int _used
    cdef list _masks

    cdef void _check_hex(self, int h) except *
    @cython.locals(mask=bytearray, hexes=cython.int[::1], masks=list, i=int, b=int, known=bytes)
    cdef bytes _look(self, int a)
    @cython.locals(
        i=int, places=int, end=int, last=int, lower=int, upper=int, lower_end=int, base=int, row=int, allowed=int, symbol=int,
        meta=int, effect=int, place=int,
    )
    cdef int _judge(self, int a, int b) except -1
    @cython.locals(stride=int, col_a=int, col_b=int, across=int, down=int, parity=int, at=int, start=int)
    cdef int _template(self, int a, int b) except -1
    @cython.locals(
        flat=list, areas=dict, places=int, sides=list, i=int, q=int, r=int, d=int, place=int, other_q=int, other_r=int,
        meta=int, owner_q=int, owner_r=int, start=int, end=int, record=list, beside=int, q_left=int, r_left=int,
    )
    cdef int _make_template(self, int dq, int dr, int parity) except -1
    @cython.locals(col=int)
    cdef int _offset(self, int q, int r, int parity) noexcept
    @cython.locals(used=int, length=int, pool=cython.int[::1], i=int)
    cdef void _store(self, list record) except *

cdef class SlopeSight:
    cdef readonly int size
    cdef int _stride
    cdef int _columns
    cdef int _highest
    cdef const unsigned char[::1] _cells
    cdef int[::1] _slopes
    cdef int[::1] _beyond
    cdef int[::1] _even
    cdef int[::1] _odd
    cdef int[::1] _horizon

    @cython.locals(
        nodes=cython.int[::1], cells="const unsigned char[::1]", slopes=cython.int[::1], beyond=cython.int[::1],
        horizon=cython.int[::1], columns=int, eye=int, level=int, limit=int, i=int, end=int, h=int, meta=int, cell=int,
        top=int, depth=int, rise=int, side=int, at=int, slope=int,
    )
    cdef void _mark(self, int origin, unsigned char* mask) except *
