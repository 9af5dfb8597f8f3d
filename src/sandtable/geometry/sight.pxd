# The C types of sight.py: they bind when it is compiled and are not read when it is interpreted.
cimport cython

@cython.final
cdef class SymbolSight:
    cdef readonly int size
    cdef int _stride
    cdef int _width
    cdef int _height
    cdef int _farthest
    cdef bint _is_limited
    cdef int[::1] _q
    cdef int[::1] _r
    cdef int[::1] _fan
    cdef const unsigned char[::1] _on_board
    cdef const unsigned char[::1] _levels
    cdef const unsigned char[::1] _cells
    cdef int[::1] _steps
    cdef int _column
    cdef int _origin
    cdef const unsigned char[::1] _effects
    cdef int _lower
    cdef int _row
    cdef int _allowed
    cdef int _first
    cdef int _last
    cdef list _packed
    cdef dict _order
    cdef dict _spread
    cdef long _spread_room
    cdef long _packed_room
    cdef long _packed_free

    @cython.locals(known=bytes)
    cpdef bint sees(self, int a, int b) except -1
    @cython.locals(b=int, seen=list, known=bytes, is_clear=int)
    cpdef list sees_each(self, int a, hexes)
    cdef bint _is_on(self, int h) noexcept
    cdef void _check_hex(self, int h) except *
    @cython.locals(q=int, r=int)
    cdef int _distance(self, int a, int b) noexcept
    @cython.locals(first=int)
    cdef int _begin(self, int a) noexcept
    @cython.locals(at=int)
    cdef int _bit(self, const unsigned char* known, int a, int b) noexcept
    @cython.locals(known=bytes, found=bytes)
    cdef bytes _look(self, int a)
    @cython.locals(
        stride=int, farthest=int, begin=int, last=int, end=int, bits=bytearray, packed=list, limited=int, column=int, b=int,
        known=bytes, clear=int,
    )
    cdef bytes _find(self, int a)
    @cython.locals(mask=bytearray, i=int, eight=int, h=int)
    cdef bytes _spread_out(self, const unsigned char[::1] bits, int begin)
    @cython.locals(lower=int, upper=int)
    cdef void _prepare(self, int a, int b) noexcept
    cdef int _middle(self, int dq, int dr) noexcept
    cdef int _cell(self, int h) noexcept
    @cython.locals(
        dq=int, dr=int, fan=int, u=int, v=int, w=int, step_u=int, step_v=int, step_w=int, turn_u=int, turn_v=int, turn_w=int,
        first=int, second=int, third=int, start=int, end=int, place=int, cell=int, hand=int, corner=int, side=int, step=int,
        turn=int, symbol=int, is_left=bint,
    )
    cdef int _judge(self, int a, int b) noexcept
    @cython.locals(effect=int)
    cdef int _side_blocks(self, int symbol, int place, int cell, int other) noexcept
    @cython.locals(symbol=int, u=int, v=int, w=int, left=int, right=int, far=int)
    cdef int _corner_blocks(self, int at, int place, int cell, bint is_lengthwise, int end) noexcept
    @cython.locals(effect=int)
    cdef int _area_blocks(self, int symbol, int cell) noexcept
    @cython.locals(away=int)
    cdef bint _is_beside_lower(self, int cell) noexcept
