/*
 * A disk for tests, preloaded between a process and the system's own calls.
 *
 * DISK_FOLDER   the folder that lies on it
 * DISK_LOG      a file that gets every change, in order, and every sync: from it the test works out
 *               what is left when the power goes at any moment (power-loss.ts)
 * DISK_TROUBLE  a folder: while it has a file "full" or "read-only" nothing can be written (ENOSPC,
 *               EROFS), while it has a file "broken" nothing can be synced (EIO)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The system's own. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1;

/* The path below the folder, "." for the folder itself, or nothing when it lies elsewhere. */
static const char *below(const char *path) {
  const char *folder = getenv("DISK_FOLDER");
  size_t length = folder ? strlen(folder) : 0;
  if (!length || strncmp(path, folder, length)) return NULL;
  if (path[length] == 0) return ".";
  return path[length] == '/' ? path + length + 1 : NULL;
}

static const char *below_of(int fd, char *buffer, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, buffer, size - 1);
  if (length < 0) return NULL;
  buffer[length] = 0;
  return below(buffer);
}

static void note(const char *what, const char *name, off_t offset, const void *data, size_t length) {
  const char *path = getenv("DISK_LOG");
  if (!path) return;
  int kept = errno;
  char line[5000];
  int head = snprintf(line, sizeof line, "%s %s %lld %zu\n", what, name, (long long)offset,
                      data ? length : 0);
  pthread_mutex_lock(&one_at_a_time);
  if (log_file < 0) log_file = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct iovec both[] = {{line, (size_t)head}, {(void *)data, data ? length : 0}};
  if (REAL(writev)(log_file, both, 2) < 0) abort();
  pthread_mutex_unlock(&one_at_a_time);
  errno = kept;
}

static int in_trouble(const char *which, int code) {
  const char *folder = getenv("DISK_TROUBLE");
  char path[4096];
  if (!folder) return 0;
  snprintf(path, sizeof path, "%s/%s", folder, which);
  int kept = errno;
  int is = access(path, F_OK) == 0;
  errno = is ? code : kept;
  return is;
}

static int cannot_write(void) {
  return in_trouble("full", ENOSPC) || in_trouble("read-only", EROFS);
}

#define NAMED(fd)     \
  char buffer[4096];  \
  const char *name = below_of(fd, buffer, sizeof buffer)

ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) {
  NAMED(fd);
  if (name && cannot_write()) return -1;
  ssize_t written = REAL(pwrite64)(fd, data, length, offset);
  if (name && written > 0) note("write", name, offset, data, (size_t)written);
  return written;
}

ssize_t write(int fd, const void *data, size_t length) {
  NAMED(fd);
  if (name && cannot_write()) return -1;
  ssize_t written = REAL(write)(fd, data, length);
  if (name && written > 0)
    note("write", name, lseek(fd, 0, SEEK_CUR) - written, data, (size_t)written);
  return written;
}

int ftruncate64(int fd, off_t size) {
  NAMED(fd);
  int failed = REAL(ftruncate64)(fd, size);
  if (name && !failed) note("truncate", name, size, NULL, 0);
  return failed;
}

/* With a log no power is ever really lost, so no time is spent on a real sync. */
static int sync_file(int fd, int (*really)(int)) {
  NAMED(fd);
  if (!name) return really(fd);
  if (in_trouble("broken", EIO)) return -1;
  if (!getenv("DISK_LOG")) return really(fd);
  note("sync", name, 0, NULL, 0);
  return 0;
}

int fsync(int fd) { return sync_file(fd, REAL(fsync)); }
int fdatasync(int fd) { return sync_file(fd, REAL(fdatasync)); }

int unlink(const char *path) {
  int failed = REAL(unlink)(path);
  const char *name = below(path);
  if (name && !failed) note("unlink", name, 0, NULL, 0);
  return failed;
}

int rename(const char *from, const char *to) {
  int failed = REAL(rename)(from, to);
  const char *old = below(from), *name = below(to);
  if (old && name && !failed) note("rename", old, 0, name, strlen(name));
  return failed;
}

static int open_file(int folder, const char *path, int flags, mode_t mode) {
  const char *name = below(path);
  int is_new = name && (flags & O_CREAT) && access(path, F_OK) != 0;
  if (is_new && cannot_write()) return -1;
  int fd = REAL(openat)(folder, path, flags, mode);
  if (fd >= 0 && is_new) note("create", name, 0, NULL, 0);
  else if (fd >= 0 && name && (flags & O_TRUNC)) note("truncate", name, 0, NULL, 0);
  return fd;
}

#define MODE                                               \
  va_list rest;                                            \
  va_start(rest, flags);                                   \
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
  va_end(rest)

int open(const char *path, int flags, ...) {
  MODE;
  return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE;
  return open_file(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE;
  return open_file(folder, path, flags, mode);
}
