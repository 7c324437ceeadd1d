// Standard streams by their descriptors, and the working folder.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <ios>

#include "host/libc/calls/rank_call.hpp"

namespace heddle::host {
namespace {

/// Which standard stream a rank means by a descriptor.
bool is_stream(int file) {
  return (file == STDOUT_FILENO || file == STDERR_FILENO) && shared_streams() != nullptr;
}

Stream stream_of(int file) {
  return file == STDOUT_FILENO ? Stream::out : Stream::err;
}

/// Whether the rank has closed a descriptor for itself, which is open for others.
bool is_closed(int file) {
  return file >= STDIN_FILENO && file <= STDERR_FILENO && current_process() != nullptr &&
         in_simulator() && current_process()->streams().closed(file);
}

ssize_t put(int file, const void* text, size_t size) {
  if (is_closed(file)) {
    errno = EBADF;
    return -1;
  }
  RankStreams& streams = *shared_streams();
  streams.drain();
  streams.write(stream_of(file), {static_cast<const char*>(text), size});
  return static_cast<ssize_t>(size);
}

/// Standard streams of a rank are pipes wherever its lines come out in the end, as under mpirun:
/// who writes to a file may keep that back, which is lost where another rank ends the job.
template <class Status>
int as_pipe(int result, int file, Status* status) {
  if (result == 0 && is_stream(file) && S_ISREG(status->st_mode)) {
    status->st_mode = S_IFIFO | S_IRUSR | S_IWUSR;
    status->st_size = 0;
  }
  return result;
}

/// The descriptor of a stream that ranks share, or -1 for other streams.
int descriptor_of(FILE* file) {
  const auto stream = RankStreams::stream_of(file);
  if (!stream) return -1;
  return *stream == Stream::out ? STDOUT_FILENO : STDERR_FILENO;
}

/// freopen() of a stream that is the rank's own as far as it can tell.
FILE* reopen(const char* path, const char* mode, FILE* file) {
  if (path == nullptr) return file;
  const Stream stream = stream_of(descriptor_of(file));
  return shared_streams()->redirect(stream, path, mode) ? file : nullptr;
}

/// Notes the folder the rank has changed to.
int keep_folder(int status) {
  Process* process = current_process();
  if (status != 0 || process == nullptr) return status;
  char* folder = HEDDLE_REAL(getcwd)(nullptr, 0);
  if (folder == nullptr) return -1;
  process->set_folder(folder);
  free(folder);
  return 0;
}

}  // namespace
}  // namespace heddle::host

using namespace heddle::host;

extern "C" {

ssize_t write(int file, const void* text, size_t size) {
  return is_stream(file) ? put(file, text, size) : HEDDLE_REAL(write)(file, text, size);
}

ssize_t writev(int file, const iovec* parts, int count) {
  if (!is_stream(file)) return HEDDLE_REAL(writev)(file, parts, count);
  ssize_t total = 0;
  for (int i = 0; i < count; ++i) total += put(file, parts[i].iov_base, parts[i].iov_len);
  return total;
}

int vdprintf(int file, const char* format, va_list arguments) {
  if (!is_stream(file)) return HEDDLE_REAL(vdprintf)(file, format, arguments);
  shared_streams()->drain();
  return vfprintf(shared_streams()->file(stream_of(file)), format, arguments);
}

int dprintf(int file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int size = vdprintf(file, format, arguments);
  va_end(arguments);
  return size;
}

int fstat(int file, struct stat* status) noexcept {
  return as_pipe(HEDDLE_REAL(fstat)(file, status), file, status);
}

int fstat64(int file, struct stat64* status) noexcept {
  return as_pipe(HEDDLE_REAL(fstat64)(file, status), file, status);
}

int fileno(FILE* file) noexcept {
  const int descriptor = descriptor_of(file);
  return descriptor >= 0 ? descriptor : HEDDLE_REAL(fileno)(file);
}

/// A rank that closes a standard stream or its descriptor does not close it for the others.
int fclose(FILE* file) {
  if (current_process() == nullptr) return HEDDLE_REAL(fclose)(file);
  const int descriptor = file == stdin ? STDIN_FILENO : descriptor_of(file);
  if (descriptor < 0) return HEDDLE_REAL(fclose)(file);
  const int status = file == stdin ? 0 : fflush(file);
  current_process()->streams().closed(descriptor) = true;
  return status;
}

int close(int file) {
  const bool standard = file >= STDIN_FILENO && file <= STDERR_FILENO;
  if (!standard || current_process() == nullptr || !in_simulator()) return HEDDLE_REAL(close)(file);
  if (is_closed(file)) {
    errno = EBADF;
    return -1;
  }
  current_process()->drain_streams();
  current_process()->streams().closed(file) = true;
  return 0;
}

ssize_t read(int file, void* text, size_t size) {
  if (!is_closed(file)) return HEDDLE_REAL(read)(file, text, size);
  errno = EBADF;
  return -1;
}

FILE* freopen(const char* path, const char* mode, FILE* file) {
  return descriptor_of(file) >= 0 && shared_streams() != nullptr
             ? reopen(path, mode, file)
             : HEDDLE_REAL(freopen)(path, mode, file);
}

FILE* freopen64(const char* path, const char* mode, FILE* file) {
  return freopen(path, mode, file);
}

int chdir(const char* path) noexcept {
  return keep_folder(HEDDLE_REAL(chdir)(path));
}

int fchdir(int file) noexcept {
  return keep_folder(HEDDLE_REAL(fchdir)(file));
}
}

/// The C++ streams write to the C streams as long as ranks run. Weak: where the C++ library is
/// linked statically, its own stands beside this one.
__attribute__((weak)) bool std::ios_base::sync_with_stdio(bool) {
  return true;
}
