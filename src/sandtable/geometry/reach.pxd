# The C types of reach.py: they bind when it is compiled and are not read when it is interpreted.
cimport cython

cdef class Reach:
    cdef readonly object hexes
    cdef readonly object costs
    cdef object _came_from
    cdef dict _cost_of

    @cython.locals(hexes=cython.int[::1], came_from=cython.int[::1], here=int, i=int)
    cpdef list path_to(self, object h)

cdef class Reacher:
    cdef readonly int size
    cdef int _base
    cdef int _mask
    cdef int _used
    cdef unsigned short[::1] _laid
    cdef int _times
    cdef bint _is_plain
    cdef int[::1] _fresh
    cdef int[::1] _value
    cdef int[::1] _came
    cdef int[::1] _steps
    cdef const unsigned char[::1] _odd
    cdef int[::1] _head
    cdef int[::1] _entry
    cdef int[::1] _link
    cdef int[::1] _out_hexes
    cdef int[::1] _out_costs
    cdef int[::1] _out_froms
    cdef object _hexes
    cdef object _costs
    cdef object _froms

    @cython.locals(size=int)
    cdef void _check(self, object costs, object flags, object alternate, int zone_cost, int zone_to_zone) except *
    @cython.locals(h=int, cost=long)
    cdef void _lay(self, object entering, int zone_to_zone) except *
    @cython.locals(h=int)
    cdef void _lift(self, object entering) except *
    cdef void _check_hex(self, int h) except *
    @cython.locals(limit=int)
    cdef Reach _reach(self, int source, long allowance, object costs, object flags, object alternate, int zone_cost)
    cdef int _widest(self, int zone_cost) noexcept
    @cython.locals(widest=int, most=int)
    cdef int _unlimited(self, int zone_cost) noexcept
    @cython.locals(widest=int, mask=int)
    cdef void _begin(self, int allowance, int zone_cost) except *
    @cython.locals(head=cython.int[::1], slot=int)
    cdef void _empty_buckets(self) noexcept
    cdef void _seed(self, int source) except *
    @cython.locals(
        value=cython.int[::1], came=cython.int[::1], steps=cython.int[::1], odd="const unsigned char[::1]",
        head=cython.int[::1], entry=cython.int[::1], link=cython.int[::1],
        out_hexes=cython.int[::1], out_costs=cython.int[::1], out_froms=cython.int[::1],
        is_plain=int, base=int, mask=int, used=int, n=int, c=int, highest=int, slot=int, e=int, h=int, came_from=int, step=int, i=int,
        t=int, f=int, k=int, slot_t=int,
    )
    cdef int _search(
        self, int allowance, const unsigned char* costs, const unsigned char* flags, const unsigned char* alternate,
        int zone_cost, int goal,
    ) except -1
    cdef int _price(self, int cost, int t, int is_from_zone) noexcept
    cdef Reach _result(self, int n)
    @cython.locals(cells=cython.int[::1], out_hexes=cython.int[::1], out_costs=cython.int[::1], i=int)
    cdef object _field(self, int n)
