/* The C twin of the two kernels: what a C programmer would write for the same task, to measure the compiled ones by. */
#include <stdint.h>
#include <string.h>

typedef int32_t i32;
typedef uint8_t u8;

#define TOP (1 << 30)
#define NEVER 0x7fffffff

typedef struct {
    i32 size, base;
    const i32 *steps; /* 6 for even columns, then 6 for odd ones */
    const u8 *odd;
    i32 *value, *came, *head, *entry, *link;
} Scratch;

/* Dial's buckets in a ring; values count down from TOP call by call, so that old ones read as infinite. */
i32 reach(Scratch *s, i32 source, i32 allowance, const u8 *costs, const u8 *flags, const u8 *alternate, i32 zone_cost,
          i32 *restrict hexes, i32 *restrict spent, i32 *restrict from)
{
    i32 *restrict value = s->value, *restrict came = s->came, *restrict head = s->head;
    i32 *restrict entry = s->entry, *restrict link = s->link;
    i32 widest = 254 + zone_cost < allowance ? 254 + zone_cost : allowance, mask = 1;
    while (mask <= widest) mask += mask;
    for (i32 i = 0; i < mask; i++) head[i] = -1;
    mask--;
    if (s->base <= allowance + 1) {
        for (i32 h = 0; h < s->size; h++) if (value[h] >= 0) value[h] = NEVER;
        s->base = TOP;
    }
    i32 base = s->base -= allowance + 1, used = 1, n = 0, highest = 0;
    value[source] = base; came[source] = 0; entry[0] = source; link[0] = -1; head[0] = 0;
    for (i32 c = 0; c <= highest; c++) {
        i32 e;
        while ((e = head[c & mask]) >= 0) {
            head[c & mask] = link[e];
            i32 h = entry[e];
            if (value[h] != base + c) continue;
            hexes[n] = h; spent[n] = c; from[n++] = came[h];
            if ((flags[h] & 4) && came[h]) continue;
            const i32 *step = s->steps + 6 * s->odd[h];
            for (int d = 0; d < 6; d++) {
                i32 t = h + step[d], k = (flags[t] & 8 ? alternate : costs)[8 * h + d];
                if (k == 255 || (flags[t] & 1)) continue;
                k += c + (flags[t] & 2 ? zone_cost : 0);
                if (k > allowance || base + k >= value[t]) continue;
                value[t] = base + k; came[t] = h;
                entry[used] = t; link[used] = head[k & mask]; head[k & mask] = used++;
                if (k > highest) highest = k;
            }
        }
    }
    return n;
}

/* Each source in turn; results overwrite each other unless `keep`, when they follow each other. */
i32 reach_all(Scratch *s, const i32 *sources, i32 count, i32 allowance, const u8 *costs, const u8 *flags,
              const u8 *alternate, i32 zone_cost, i32 keep, i32 *hexes, i32 *spent, i32 *from)
{
    i32 total = 0;
    for (i32 i = 0; i < count; i++) {
        i32 at = keep ? total : 0;
        total += reach(s, sources[i], allowance, costs, flags, alternate, zone_cost, hexes + at, spent + at, from + at);
    }
    return total;
}

void flood_all(Scratch *s, const i32 *sources, i32 count, const u8 *costs, const u8 *flags, const u8 *alternate,
               i32 zone_cost, i32 *hexes, i32 *spent, i32 *from, i32 *field)
{
    for (i32 i = 0; i < count; i++) {
        i32 n = reach(s, sources[i], (254 + zone_cost) * s->size, costs, flags, alternate, zone_cost, hexes, spent, from);
        memset(field, 255, 4 * (size_t)s->size);
        for (i32 k = 0; k < n; k++) field[hexes[k]] = spent[k];
    }
}

typedef struct {
    i32 size, stride, columns, highest, count;
    const i32 *even, *odd, *slopes, *beyond;
    const uint16_t *cells;
} Relief;

/* Depth-first walk of the tree of all lines; see SlopeSight for the layout. */
static void mark(const Relief *s, i32 origin, u8 *restrict mask)
{
    const i32 *nodes = (origin / s->stride - 1) & 1 ? s->odd : s->even, *slopes = s->slopes;
    const uint16_t *cells = s->cells;
    i32 horizon[128], columns = s->columns, eye = cells[8 * origin + 6], level = (s->highest - eye) * columns;
    const i32 *beyond = s->beyond + eye * (columns / 2 + 1);
    mask[origin] = 1;
    horizon[0] = -TOP;
    for (i32 i = 0; i < s->count;) {
        i32 h = origin + nodes[i], meta = nodes[i + 1];
        const uint16_t *cell = cells + 8 * (int64_t)h;
        i32 top = cell[7];
        if (top == 65535) { i = nodes[i + 2]; continue; }
        i32 depth = meta >> 4, rise = horizon[depth - 1], side = cell[meta & 7], slope;
        const i32 *at = slopes + level + 2 * depth;
        slope = at[side * columns - 1];
        if (slope > rise) rise = slope;
        mask[h] |= (meta >> 3) & (at[cell[6] * columns] >= rise);
        slope = at[top * columns];
        if (slope > rise) rise = slope;
        if (rise > beyond[depth]) i = nodes[i + 2];
        else { horizon[depth] = rise; i += 3; }
    }
}

/* Each source in turn, with a clean mask for each when `apart`, else all into one. */
void visible_all(const Relief *s, const i32 *sources, i32 count, i32 apart, u8 *mask)
{
    memset(mask, 0, (size_t)s->size);
    for (i32 i = 0; i < count; i++) {
        if (apart) memset(mask, 0, (size_t)s->size);
        mark(s, sources[i], mask);
    }
}
