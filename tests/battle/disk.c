/* A disk that is watched, and that can fail: loaded before the C library, it sees every write, cut, sync, creation and
   removal of files in one folder, writes them down in the order in which they happened, and fails when it is told to.

   DISK_FOLDER is the folder, DISK_LOG the file of what happened (none is written without it). A record is a kind
   ('C'reated, 'W'ritten, 'T'runcated, 'S'ynced, 'U'nlinked), the lengths of the path and of the data, an offset, then
   the path and the data. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITES = 1, SYNCS = 2, SWALLOWED_SYNCS = 4 };

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static int log_fd = -1;

/* What fails: calls of these kinds from the n-th on, with this error. */
static int fail_what, fail_error;
static long fail_at, fail_until, calls;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("DISK_LOG");
    folder = getenv("DISK_FOLDER");
    if (name)
        log_fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* From the n-th call of these kinds on, and for so many calls, the disk fails; the count begins anew. */
void disk_fails(int what, long at, long times, int error) {
    pthread_mutex_lock(&door);
    fail_what = what, fail_at = at, fail_until = at + times, fail_error = error, calls = 0;
    pthread_mutex_unlock(&door);
}

/* How many calls of the kinds that may fail there were. */
long disk_calls(void) { return calls; }

static int is_watched(const char *path) { return folder && !strncmp(path, folder, strlen(folder)); }

static int path_of(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return is_watched(path);
}

static int fails(int what) {
    if (!(fail_what & what))
        return 0;
    calls++;
    return calls >= fail_at && calls < fail_until;
}

static void note(char kind, const char *path, int64_t offset, const void *data, uint32_t size) {
    if (log_fd < 0)
        return;
    struct __attribute__((packed)) { char kind; uint32_t path, data; int64_t offset; } head;
    head.kind = kind, head.path = (uint32_t)strlen(path), head.data = size, head.offset = offset;
    struct iovec parts[3] = {{&head, sizeof head}, {(void *)path, head.path}, {(void *)data, size}};
    if (writev(log_fd, parts, 3) != (ssize_t)(sizeof head + head.path + size))
        abort();
}

static ssize_t written(int fd, const void *data, size_t size, off64_t offset, int is_at) {
    char path[4096];
    if (!path_of(fd, path, sizeof path))
        return is_at ? syscall(SYS_pwrite64, fd, data, size, offset) : syscall(SYS_write, fd, data, size);
    pthread_mutex_lock(&door);
    ssize_t done;
    if (fails(WRITES)) {
        errno = fail_error, done = -1;
    } else {
        if (!is_at)
            offset = syscall(SYS_lseek, fd, 0, SEEK_CUR);
        done = is_at ? syscall(SYS_pwrite64, fd, data, size, offset) : syscall(SYS_write, fd, data, size);
        if (done > 0)
            note('W', path, offset, data, (uint32_t)done);
    }
    int error = errno;
    pthread_mutex_unlock(&door);
    errno = error;
    return done;
}

ssize_t write(int fd, const void *data, size_t size) { return written(fd, data, size, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return written(fd, data, size, offset, 1); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) { return written(fd, data, size, offset, 1); }

static int truncated(int fd, off64_t length) {
    char path[4096];
    if (!path_of(fd, path, sizeof path))
        return (int)syscall(SYS_ftruncate, fd, length);
    pthread_mutex_lock(&door);
    int done = (int)syscall(SYS_ftruncate, fd, length), error = errno;
    if (!done)
        note('T', path, length, "", 0);
    pthread_mutex_unlock(&door);
    errno = error;
    return done;
}

int ftruncate(int fd, off_t length) { return truncated(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncated(fd, length); }

static int synced(int fd, long number) {
    char path[4096];
    if (!path_of(fd, path, sizeof path))
        return (int)syscall(number, fd);
    pthread_mutex_lock(&door);
    int done = 0, error = 0;
    if (fails(SYNCS)) {
        /* a disk that swallows its errors says that all is well */
        done = fail_what & SWALLOWED_SYNCS ? 0 : -1;
        error = fail_error;
    } else {
        /* what counts is the order of events: the test need not wait for a real disk */
        note('S', path, 0, "", 0);
    }
    pthread_mutex_unlock(&door);
    errno = error;
    return done;
}

int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

static int opened(int where, const char *name, int flags, mode_t mode) {
    if (!(flags & O_CREAT) || !is_watched(name))
        return (int)syscall(SYS_openat, where, name, flags, mode);
    pthread_mutex_lock(&door);
    int is_new = access(name, F_OK) != 0;
    int fd = (int)syscall(SYS_openat, where, name, flags, mode), error = errno;
    if (fd >= 0 && is_new)
        note('C', name, 0, "", 0);
    pthread_mutex_unlock(&door);
    errno = error;
    return fd;
}

#define MODE(flags, last) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, last); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

int open(const char *name, int flags, ...) { MODE(flags, flags) return opened(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE(flags, flags) return opened(AT_FDCWD, name, flags, mode); }

int unlink(const char *name) {
    if (!is_watched(name))
        return (int)syscall(SYS_unlinkat, AT_FDCWD, name, 0);
    pthread_mutex_lock(&door);
    int done = (int)syscall(SYS_unlinkat, AT_FDCWD, name, 0), error = errno;
    if (!done)
        note('U', name, 0, "", 0);
    pthread_mutex_unlock(&door);
    errno = error;
    return done;
}

/* Nothing may reach the files unseen. */
int posix_fallocate(int fd, off_t offset, off_t length) { abort(); }
int posix_fallocate64(int fd, off64_t offset, off64_t length) { abort(); }
int fallocate64(int fd, int mode, off64_t offset, off64_t length) { abort(); }
int rename(const char *from, const char *to) {
    if (is_watched(from) || is_watched(to))
        abort();
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
