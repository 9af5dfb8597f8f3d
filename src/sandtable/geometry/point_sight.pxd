# The C types of point_sight.py: they bind when it is compiled and are not read when it is interpreted.
cimport cython

cdef class PointSight:
    cdef readonly int size
    cdef int _stride
    cdef int _radius
    cdef object _board
    cdef const unsigned char[::1] _ground
    cdef const unsigned char[::1] _top
    cdef const unsigned char[::1] _thickets
    cdef const unsigned char[::1] _on
    cdef int[::1] _q
    cdef int[::1] _r
    cdef int[::1] _step_q
    cdef int[::1] _step_r
    cdef dict _kept

    @cython.locals(kept=bytes)
    cpdef bint sees(self, int a, int b) except -1
    @cython.locals(kept=bytes)
    cpdef bytes visible(self, int a)
    @cython.locals(mask=bytearray, b=int)
    cdef bytes _look(self, int a)
    @cython.locals(
        dq=int, dr=int, n=int, low=int, high=int, highs=int, d=int, along=int, across=int, low_q=int, low_r=int, high_q=int,
        high_r=int, thicket=int, here=int, there=int, clear=int, i=int, twice=int, k=int, first=int, second=int, top=int,
    )
    cdef int _judge(self, int a, int b) noexcept
    @cython.locals(column=int, row=int, h=int)
    cdef int _place(self, int a, int q, int r) noexcept
