# The C types of slope_sight.py: they bind when it is compiled and are not read when it is interpreted.
cimport cython

@cython.final
cdef class SlopeSight:
    cdef readonly int size
    cdef object _board
    cdef int _stride
    cdef int _columns
    cdef int _lowest
    cdef int _eyes
    cdef int _highest
    cdef int _highest_ground
    cdef unsigned short[::1] _cells
    cdef int[::1] _slopes
    cdef int[::1] _beyond
    cdef int[::1] _even
    cdef int[::1] _odd
    cdef int[::1] _horizon
    cdef int[::1] _places
    cdef int[::1] _values

    cdef void _check_place(self, int h) except *
    @cython.locals(derived=SlopeSight)
    cpdef object with_heights(self, object hexes, object side_tops=*)
    cdef void _derive(self, SlopeSight base, int highest, int highest_ground, dict changes) except *
    @cython.locals(places=cython.int[::1], values=cython.int[::1], i=int, at=int, value=int)
    cdef void _swap(self) noexcept
    @cython.locals(
        nodes=cython.int[::1], cells="unsigned short[::1]", slopes=cython.int[::1], beyond=cython.int[::1],
        horizon=cython.int[::1], columns=int, eye=int, level=int, limit=int, i=int, end=int, h=int, meta=int, cell=int,
        top=int, depth=int, rise=int, side=int, at=int, slope=int, hidden=int, is_raised=bint,
    )
    cdef void _mark(self, int origin, unsigned char* mask) noexcept
