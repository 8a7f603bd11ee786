// Preloaded into a program: something goes wrong at one of its calls that read
// or write files, counted from 1. What is asked for comes in the environment:
//   FAULT_CALLS   read, write or all: which calls count
//   FAULT_AT      the number of the call
//   FAULT         an errno with which this call and, of `write`, all later ones
//                 fail; or kill=SIGNAL, or run=COMMAND, just before the call
//   FAULT_COUNT   a file that gets the number of calls when the program ends
//   FAULT_FREE    how many bytes are free on every file system
//   FAULT_SIMPLE  the file system knows no locks, and no flags of renameat2
// Output to stdout and stderr does not count.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static atomic_int busy;  // a command is run, or the count written
static const char *kind = "", *what = "";
static long at = -1;

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

__attribute__((constructor)) static void begin(void) {
  if (getenv("FAULT_CALLS")) kind = getenv("FAULT_CALLS");
  if (getenv("FAULT")) what = getenv("FAULT");
  if (getenv("FAULT_AT")) at = atol(getenv("FAULT_AT"));
}

__attribute__((destructor)) static void end(void) {
  const char* name = getenv("FAULT_COUNT");
  if (!name) return;
  busy = 1;
  FILE* file = fopen(name, "w");
  if (!file) return;
  fprintf(file, "%ld\n", (long)calls);
  fclose(file);
}

// True where the call has to fail; errno says how.
static int fails(int writes) {
  const int counts = !strcmp(kind, "all") || !strcmp(kind, writes ? "write" : "read");
  if (!counts || busy) return 0;
  const long now = ++calls;
  if (now == at && !strncmp(what, "kill=", 5)) raise(atoi(what + 5));
  if (now == at && !strncmp(what, "run=", 4)) {
    busy = 1;
    unsetenv("LD_PRELOAD");
    if (system(what + 4) != 0) abort();
    busy = 0;
  }
  const int code = atoi(what);
  if (code == 0 || at < 0 || now < at || (now > at && strcmp(kind, "write"))) return 0;
  errno = code;
  return 1;
}

static int opens_to_write(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT); }

#define OPEN(name)                                                 \
  int name(const char* path, int flags, ...) {                     \
    va_list list;                                                  \
    va_start(list, flags);                                         \
    const mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0; \
    va_end(list);                                                  \
    return fails(opens_to_write(flags)) ? -1 : NEXT(name)(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

FILE* fopen(const char* path, const char* mode) { return fails(mode[0] != 'r') ? NULL : NEXT(fopen)(path, mode); }
FILE* fopen64(const char* path, const char* mode) { return fails(mode[0] != 'r') ? NULL : NEXT(fopen64)(path, mode); }
size_t fread(void* data, size_t size, size_t n, FILE* file) { return fails(0) ? 0 : NEXT(fread)(data, size, n, file); }
size_t fwrite(const void* data, size_t size, size_t n, FILE* file) {
  return file != stdout && file != stderr && fails(1) ? 0 : NEXT(fwrite)(data, size, n, file);
}
int fclose(FILE* file) {
  if ((fcntl(fileno(file), F_GETFL) & O_ACCMODE) == O_RDONLY || !fails(1)) return NEXT(fclose)(file);
  const int code = errno;
  NEXT(fclose)(file);
  errno = code;
  return EOF;
}
ssize_t read(int handle, void* data, size_t size) { return handle != 0 && fails(0) ? -1 : NEXT(read)(handle, data, size); }
ssize_t pread(int handle, void* data, size_t size, off_t offset) { return fails(0) ? -1 : NEXT(pread)(handle, data, size, offset); }
ssize_t write(int handle, const void* data, size_t size) { return handle > 2 && fails(1) ? -1 : NEXT(write)(handle, data, size); }
ssize_t writev(int handle, const struct iovec* parts, int n) { return handle > 2 && fails(1) ? -1 : NEXT(writev)(handle, parts, n); }
ssize_t pwrite(int handle, const void* data, size_t size, off_t offset) { return fails(1) ? -1 : NEXT(pwrite)(handle, data, size, offset); }
ssize_t pwritev2(int handle, const struct iovec* parts, int n, off_t offset, int flags) {
  return fails(1) ? -1 : NEXT(pwritev2)(handle, parts, n, offset, flags);
}
int fsync(int handle) { return fails(1) ? -1 : NEXT(fsync)(handle); }
int syncfs(int handle) { return fails(1) ? -1 : NEXT(syncfs)(handle); }
int fchmod(int handle, mode_t mode) { return fails(1) ? -1 : NEXT(fchmod)(handle, mode); }
int mkdir(const char* path, mode_t mode) { return fails(1) ? -1 : NEXT(mkdir)(path, mode); }
char* mkdtemp(char* name) { return fails(1) ? NULL : NEXT(mkdtemp)(name); }
int mkostemp(char* name, int flags) { return fails(1) ? -1 : NEXT(mkostemp)(name, flags); }
int mkostemp64(char* name, int flags) { return fails(1) ? -1 : NEXT(mkostemp64)(name, flags); }
int rename(const char* from, const char* to) { return fails(1) ? -1 : NEXT(rename)(from, to); }
int renameat2(int a, const char* from, int b, const char* to, unsigned flags) {
  if (flags && getenv("FAULT_SIMPLE")) return errno = EINVAL, -1;
  return fails(1) ? -1 : NEXT(renameat2)(a, from, b, to, flags);
}
int statvfs(const char* path, struct statvfs* found) {
  const int code = NEXT(statvfs)(path, found);
  if (code == 0 && getenv("FAULT_FREE")) {
    found->f_frsize = 1;
    found->f_bavail = found->f_bfree = (fsblkcnt_t)atol(getenv("FAULT_FREE"));
  }
  return code;
}
int flock(int handle, int operation) {
  if (getenv("FAULT_SIMPLE")) return errno = ENOSYS, -1;
  return NEXT(flock)(handle, operation);
}
int link(const char* from, const char* to) { return fails(1) ? -1 : NEXT(link)(from, to); }
