// Calls that read and write files.
#include <algorithm>
#include <string>

#include "mpi/api/call.hpp"
#include "mpi/call_log.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/io/file.hpp"
#include "mpi/p2p/arguments.hpp"
#include "mpi/request.hpp"

namespace heddle::mpi::access_calls {
namespace {

enum class Direction : std::uint8_t { read, write };
/// Which place in a file an access means.
enum class Pointer : std::uint8_t { given, individual, shared, ordered };

struct Access {
  const char* name;  ///< Of the call.
  Direction direction;
  Pointer pointer;
  MPI_File file;
  MPI_Offset offset;  ///< If given.
  const void* memory;
  MPI_Count count;
  MPI_Datatype type;
};

/// What an access has done, and when it is through.
struct Done {
  Outcome outcome;
  Time end;
};

/// The end of an access, at its time.
class AccessEnd final : public Event {
 public:
  AccessEnd(const Process& process, Completion& completion, const Outcome& outcome)
      : process_(process), completion_(completion), outcome_(outcome) {}

 private:
  void fire() override {
    const host::Rank& rank = process_.rank();
    if (record::RunRecorder* const recorder = rank.job().recorder()) {
      recorder->causes().held_up(rank.job().recorded_as(rank.id()), record::Activity::storage,
                                 process_.now());
    }
    completion_.completed(outcome_);
  }
  const Process& process_;
  Completion& completion_;
  Outcome outcome_;
};

class AccessRequest final : public Request, private Completion {
 public:
  AccessRequest(Process& process, const Done& done, std::string what)
      : Request(process),
        end_(process, *this, done.outcome),
        what_(std::move(what)),
        begin_(process.now()),
        until_(done.end),
        waited_(process.rank().account().times().waiting) {
    process.world().simulation().schedule(end_, done.end, process.world().part<IoState>().source);
  }
  std::string describe() const override { return what_; }

 private:
  void completed(const Outcome& outcome) override { finish(outcome); }
  /// Who goes on in the instant of the end has waited for it, with what the rank has waited since
  /// the beginning.
  void deliver(Outcome&) override {
    CallLog* const log = process().world().call_log();
    if (log == nullptr || process().now() != until_) return;
    log->stays(process(),
               std::min(process().rank().account().times().waiting - waited_, until_ - begin_));
  }
  AccessEnd end_;
  std::string what_;
  Time begin_;
  Time until_;
  Time waited_;  ///< By the rank, before it began.
};

void check_mode(const File& file, const Access& access) {
  const int mode = file.data().mode;
  if (access.direction == Direction::read && (mode & MPI_MODE_WRONLY) != 0) {
    throw Error{MPI_ERR_ACCESS, file.label() + " was opened with MPI_MODE_WRONLY"};
  }
  if (access.direction == Direction::write && (mode & MPI_MODE_RDONLY) != 0) {
    throw Error{MPI_ERR_READ_ONLY, file.label() + " was opened with MPI_MODE_RDONLY"};
  }
  const bool sequential = (mode & MPI_MODE_SEQUENTIAL) != 0;
  if (sequential && (access.pointer == Pointer::given || access.pointer == Pointer::individual)) {
    throw Error{MPI_ERR_UNSUPPORTED_OPERATION,
                file.label() +
                    " was opened with MPI_MODE_SEQUENTIAL: only the shared pointer "
                    "may be used"};
  }
  if (access.pointer == Pointer::given && access.offset < 0) {
    bad_argument(MPI_ERR_ARG, "offset",
                 std::to_string(access.offset) + ": accepted are 0 and more");
  }
}

std::int64_t place_of(File& file, const Access& access, const Buffer& data) {
  switch (access.pointer) {
    case Pointer::given:
      return access.offset;
    case Pointer::individual:
      return file.position;
    case Pointer::shared:
      return file.take_shared(data);
    default:
      return file.ordered_offset(data);
  }
}

/// Does the access now; it takes its time later.
Done perform(Process& process, File& file, const Access& access) {
  check_mode(file, access);
  const Buffer data = buffer(process, access.memory, access.count, access.type);
  const std::int64_t unit = file.view.etype->size();
  if (unit > 0 && bytes(data) % unit != 0) {
    bad_argument(MPI_ERR_ARG, "count",
                 std::to_string(bytes(data)) + " bytes are no whole number of etypes of " +
                     std::to_string(unit) + " bytes");
  }
  const std::int64_t place = place_of(file, access, data);
  Done done;
  done.outcome.bytes = access.direction == Direction::read ? file.read(data, place, done.end)
                                                           : file.write(data, place, done.end);
  if (access.pointer == Pointer::individual) {
    Buffer moved = data;
    if (data.type->size() > 0) moved.count = done.outcome.bytes / data.type->size();
    file.position += file.etypes(moved);
  }
  return done;
}

void wait_for(Process& process, const File& file, const Done& done) {
  Signal signal(process);
  AccessEnd end(process, signal, done.outcome);
  process.world().simulation().schedule(end, done.end, process.world().part<IoState>().source);
  const Time begin = process.now();
  process.wait_until([&] { return signal.done(); }, FileWait(file, "data of"));
  if (CallLog* log = process.world().call_log()) log->stays(process, process.now() - begin);
}

int blocking(const Access& access, MPI_Status* status) {
  return call(access.name, on_file(access.file), [&](Process& process) {
    File& on = file(process, access.file);
    const Done done = perform(process, on, access);
    wait_for(process, on, done);
    set_status(status, done.outcome);
  });
}

int nonblocking(const Access& access, MPI_Request* request) {
  return call(access.name, on_file(access.file), [&](Process& process) {
    need(request, "request");
    File& on = file(process, access.file);
    const Done done = perform(process, on, access);
    add_request(
        make_request<AccessRequest>(process, done, std::string(access.name) + " on " + on.label()),
        request);
  });
}

int begin(const Access& access, const char* kind) {
  return call(access.name, on_file(access.file), [&](Process& process) {
    File& on = file(process, access.file);
    if (on.split.kind != nullptr) {
      throw Error{MPI_ERR_IO, on.label() + ": " + on.split.kind + " has been begun and not ended"};
    }
    const Done done = perform(process, on, access);
    on.split = {kind, done.outcome, done.end};
  });
}

int end(const char* name, MPI_File handle, const char* kind, MPI_Status* status) {
  return call(name, on_file(handle), [&](Process& process) {
    File& on = file(process, handle);
    if (on.split.kind == nullptr || std::string(on.split.kind) != kind) {
      throw Error{MPI_ERR_IO, on.label() + ": " + kind + " has not been begun"};
    }
    Done done{on.split.outcome, std::max(on.split.end, process.now())};
    on.split = {};
    wait_for(process, on, done);
    set_status(status, done.outcome);
  });
}

}  // namespace
}  // namespace heddle::mpi::access_calls

namespace mpi = heddle::mpi;
using mpi::access_calls::Direction;
using mpi::access_calls::Pointer;

// Each access with a count that is an int, and with a large one. Behind OFFSET: the first
// arguments.

#define HEDDLE_BLOCKING(NAME, SUFFIX, COUNT, DIRECTION, POINTER, OFFSET, ...)                     \
  int PMPI_File_##NAME##SUFFIX(__VA_ARGS__, COUNT count, MPI_Datatype type, MPI_Status* status) { \
    return mpi::access_calls::blocking({"MPI_File_" #NAME #SUFFIX, Direction::DIRECTION,          \
                                        Pointer::POINTER, fh, OFFSET, buf, count, type},          \
                                       status);                                                   \
  }
#define HEDDLE_NONBLOCKING(NAME, SUFFIX, COUNT, DIRECTION, POINTER, OFFSET, ...)             \
  int PMPI_File_i##NAME##SUFFIX(__VA_ARGS__, COUNT count, MPI_Datatype type,                 \
                                MPI_Request* request) {                                      \
    return mpi::access_calls::nonblocking({"MPI_File_i" #NAME #SUFFIX, Direction::DIRECTION, \
                                           Pointer::POINTER, fh, OFFSET, buf, count, type},  \
                                          request);                                          \
  }
#define HEDDLE_BEGIN(NAME, SUFFIX, COUNT, DIRECTION, POINTER, OFFSET, ...)                     \
  int PMPI_File_##NAME##_begin##SUFFIX(__VA_ARGS__, COUNT count, MPI_Datatype type) {          \
    return mpi::access_calls::begin({"MPI_File_" #NAME "_begin" #SUFFIX, Direction::DIRECTION, \
                                     Pointer::POINTER, fh, OFFSET, buf, count, type},          \
                                    #NAME);                                                    \
  }
#define HEDDLE_COUNTS(KIND, NAME, ...) \
  KIND(NAME, , int, __VA_ARGS__)       \
  KIND(NAME, _c, MPI_Count, __VA_ARGS__)
#define HEDDLE_SPLIT(NAME, MEMORY, ...)                                         \
  HEDDLE_COUNTS(HEDDLE_BEGIN, NAME, __VA_ARGS__)                                \
  int PMPI_File_##NAME##_end(MPI_File fh, MEMORY /*buf*/, MPI_Status* status) { \
    return mpi::access_calls::end("MPI_File_" #NAME "_end", fh, #NAME, status); \
  }
#define HEDDLE_ACCESS(...)                    \
  HEDDLE_COUNTS(HEDDLE_BLOCKING, __VA_ARGS__) \
  HEDDLE_COUNTS(HEDDLE_NONBLOCKING, __VA_ARGS__)

extern "C" {

HEDDLE_ACCESS(read_at, read, given, offset, MPI_File fh, MPI_Offset offset, void* buf)
HEDDLE_ACCESS(read_at_all, read, given, offset, MPI_File fh, MPI_Offset offset, void* buf)
HEDDLE_ACCESS(read, read, individual, 0, MPI_File fh, void* buf)
HEDDLE_ACCESS(read_all, read, individual, 0, MPI_File fh, void* buf)
HEDDLE_ACCESS(read_shared, read, shared, 0, MPI_File fh, void* buf)
HEDDLE_COUNTS(HEDDLE_BLOCKING, read_ordered, read, ordered, 0, MPI_File fh, void* buf)
HEDDLE_SPLIT(read_at_all, void*, read, given, offset, MPI_File fh, MPI_Offset offset, void* buf)
HEDDLE_SPLIT(read_all, void*, read, individual, 0, MPI_File fh, void* buf)
HEDDLE_SPLIT(read_ordered, void*, read, ordered, 0, MPI_File fh, void* buf)

HEDDLE_ACCESS(write_at, write, given, offset, MPI_File fh, MPI_Offset offset, const void* buf)
HEDDLE_ACCESS(write_at_all, write, given, offset, MPI_File fh, MPI_Offset offset, const void* buf)
HEDDLE_ACCESS(write, write, individual, 0, MPI_File fh, const void* buf)
HEDDLE_ACCESS(write_all, write, individual, 0, MPI_File fh, const void* buf)
HEDDLE_ACCESS(write_shared, write, shared, 0, MPI_File fh, const void* buf)
HEDDLE_COUNTS(HEDDLE_BLOCKING, write_ordered, write, ordered, 0, MPI_File fh, const void* buf)
HEDDLE_SPLIT(write_at_all, const void*, write, given, offset, MPI_File fh, MPI_Offset offset,
             const void* buf)
HEDDLE_SPLIT(write_all, const void*, write, individual, 0, MPI_File fh, const void* buf)
HEDDLE_SPLIT(write_ordered, const void*, write, ordered, 0, MPI_File fh, const void* buf)

}  // extern "C"
