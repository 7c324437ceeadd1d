#include "mpi/io/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "coll/datatype/external32.hpp"
#include "mpi/comm/registry.hpp"
#include "mpi/error.hpp"
#include "mpi/p2p/barrier.hpp"

namespace heddle::mpi {
namespace {

int class_of(int error) {
  switch (error) {
    case ENOENT:
      return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
      return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
      return MPI_ERR_ACCESS;
    case EROFS:
      return MPI_ERR_READ_ONLY;
    case ENOSPC:
      return MPI_ERR_NO_SPACE;
    case EDQUOT:
      return MPI_ERR_QUOTA;
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
      return MPI_ERR_BAD_FILE;
    default:
      return MPI_ERR_IO;
  }
}

int system_flags(int mode) {
  int flags = O_CLOEXEC;
  if ((mode & MPI_MODE_RDONLY) != 0) flags |= O_RDONLY;
  if ((mode & MPI_MODE_WRONLY) != 0) flags |= O_WRONLY;
  if ((mode & MPI_MODE_RDWR) != 0) flags |= O_RDWR;
  if ((mode & MPI_MODE_CREATE) != 0) flags |= O_CREAT;
  if ((mode & MPI_MODE_EXCL) != 0) flags |= O_EXCL;
  return flags;
}

/// What the members share; the first one to come opens the file.
FileDataRef join(Communicator& communicator, const std::string& path, int mode) {
  World& world = communicator.process().world();
  auto& joining = world.part<IoState>().joining;
  const std::pair key(communicator.data()->number, communicator.next_object());
  FileDataRef& place = joining[key];
  if (!place) {
    place = std::make_shared<FileData>();
    place->path = path;
    place->mode = mode;
    auto own = std::make_shared<CommunicatorData>();
    own->number = world.part<Registry>().new_number();
    own->group = communicator.data()->group;
    place->communicator = own;
    place->amounts.resize(static_cast<std::size_t>(communicator.size()));
    place->descriptor = ::open(path.c_str(), system_flags(mode), 0666);
    if (place->descriptor < 0) place->failure = errno;
  }
  FileDataRef data = place;
  if (++data->joined == data->amounts.size()) joining.erase(key);
  return data;
}

}  // namespace

IoState::IoState(World& world) : source(world.simulation().new_source()) {}

void throw_system_error(int error, const std::string& what) {
  throw Error{class_of(error), what + ": " + std::strerror(error)};
}

std::string plain_path(const char* name) {
  std::string path = name;
  for (const char* kind : {"ufs:", "nfs:", "lustre:", "gpfs:", "testfs:"}) {
    if (path.starts_with(kind)) return path.substr(std::strlen(kind));
  }
  return path;
}

FileData::~FileData() {
  if (descriptor >= 0) ::close(descriptor);
}

File::File(Process& process, FileDataRef data, CommunicatorRef communicator)
    : process_(process), data_(std::move(data)), communicator_(std::move(communicator)) {
  view.etype = view.filetype = DatatypeRef(Datatype::predefined(MPI_BYTE));
}

Files::Files(Process& /*process*/) {
  ErrorHandler returns;
  returns.does = ErrorHandler::Does::return_code;
  error_handler = std::make_shared<const ErrorHandler>(returns);
}

std::string FileWait::text() const {
  return std::string("waits in ") + file_.process().call + " for " + what_ + " " + file_.label();
}

void File::barrier() {
  wait_for_all(*communicator_, FileWait(*this, "the others that have opened"));
}

std::int64_t File::take_shared(const Buffer& data) {
  const std::int64_t offset = data_->shared_position;
  data_->shared_position += etypes(data);
  return offset;
}

std::int64_t File::ordered_offset(const Buffer& data) {
  const auto self = static_cast<std::size_t>(communicator_->rank());
  data_->amounts[self] = etypes(data);
  barrier();
  std::int64_t offset = data_->shared_position;
  for (std::size_t i = 0; i < self; ++i) offset += data_->amounts[i];
  std::int64_t end = offset;
  for (std::size_t i = self; i < data_->amounts.size(); ++i) end += data_->amounts[i];
  barrier();  // Before the amounts and the pointer are changed.
  data_->shared_position = end;
  return offset;
}

std::int64_t File::file_size() const {
  struct stat status;
  if (::fstat(data_->descriptor, &status) != 0) throw_system_error(errno, label());
  return status.st_size;
}

void File::resize(std::int64_t size) {
  if (::ftruncate(data_->descriptor, size) != 0) throw_system_error(errno, label());
}

std::int64_t File::end_offset() const {
  const std::int64_t unit = view.unit();
  return unit == 0 ? 0 : (view.bytes_before(file_size()) + unit - 1) / unit;
}

File& open_file(Communicator& communicator, const std::string& path, int mode, InfoRef info) {
  Process& process = communicator.process();
  const FileDataRef data = join(communicator, path, mode);
  CommunicatorRef own = make_ref<Communicator>(process, communicator.handle(), data->communicator);
  auto made = std::make_unique<File>(process, data, std::move(own));
  File& opened = *made;
  opened.barrier();
  if (data->failure != 0) throw_system_error(data->failure, opened.label());
  auto& files = process.part<Files>();
  opened.info = std::move(info);
  opened.error_handler = files.error_handler;
  if ((mode & MPI_MODE_APPEND) != 0) {
    opened.position = opened.file_size();
    data->shared_position = opened.position;
  }
  files.open.emplace(&opened, std::move(made));
  return opened;
}

void close_file(File& file) {
  file.barrier();
  FileData& data = file.data();
  const bool last = ++data.closed == data.amounts.size();
  if (last && (data.mode & MPI_MODE_DELETE_ON_CLOSE) != 0) ::unlink(data.path.c_str());
  auto& files = file.process().part<Files>();
  std::ranges::replace(files.numbered, &file, nullptr);
  files.open.erase(&file);
}

File* find_file(Process& process, MPI_File handle) {
  Files* files = process.find_part<Files>();
  if (files == nullptr) return nullptr;
  const auto found = files->open.find(reinterpret_cast<File*>(handle));
  return found == files->open.end() ? nullptr : found->second.get();
}

File& file(Process& process, MPI_File handle) {
  if (File* found = find_file(process, handle)) return *found;
  if (handle == MPI_FILE_NULL) bad_argument(MPI_ERR_FILE, "fh", "is MPI_FILE_NULL");
  bad_argument(MPI_ERR_FILE, "fh", "is not a file");
}

ErrorHandlerRef file_error_handler(Process& process, MPI_File handle) {
  if (const File* found = find_file(process, handle)) return found->error_handler;
  return process.part<Files>().error_handler;
}

// Reading and writing what a view shows.

namespace {

/// As much as there is, up to `size`.
std::int64_t read_at(int descriptor, std::byte* to, std::int64_t size, std::int64_t place) {
  std::int64_t done = 0;
  while (done < size) {
    const ssize_t got =
        ::pread(descriptor, to + done, static_cast<std::size_t>(size - done), place + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system_error(errno, "reading");
    if (got == 0) break;
    done += got;
  }
  return done;
}
void write_at(int descriptor, const std::byte* from, std::int64_t size, std::int64_t place) {
  std::int64_t done = 0;
  while (done < size) {
    const ssize_t put =
        ::pwrite(descriptor, from + done, static_cast<std::size_t>(size - done), place + done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw_system_error(errno, "writing");
    done += put;
  }
}

/// Whether a file has the same bytes as memory, and that has no gaps.
bool moves_as_it_is(const View& view, const Buffer& data) {
  return view.representation == Representation::native && data.type->contiguous();
}

void check_conversion(int code) {
  if (code != MPI_SUCCESS) {
    throw Error{MPI_ERR_CONVERSION,
                "the function for converting data answered " + std::to_string(code)};
  }
}

void convert(MPI_Datarep_conversion_function* plain, MPI_Datarep_conversion_function_c* large,
             const Buffer& memory, std::byte* raw, std::int64_t place, void* extra) {
  if (large != nullptr) {
    check_conversion(large(memory.address, memory.type->handle(), memory.count, raw, place, extra));
  } else {
    check_conversion(plain(memory.address, memory.type->handle(), static_cast<int>(memory.count),
                           raw, place, extra));
  }
}

}  // namespace

std::int64_t File::file_bytes(const Buffer& data) const {
  if (view.representation == Representation::external32) {
    return data.count * external_size(*data.type);
  }
  return bytes(data);
}

std::int64_t File::etypes(const Buffer& data) const {
  const std::int64_t unit = view.unit();
  return unit == 0 ? 0 : file_bytes(data) / unit;
}

/// The file system serves one request after another, and so does each node's way to it.
Time File::take_time(std::int64_t size) {
  const MpiConfig& config = process_.world().config();
  IoState& io = process_.world().part<IoState>();
  const Time now = process_.now();
  Time& node = io.nodes[process_.rank().node()];
  io.free = std::max(io.free, now) + config.io_bandwidth.time_for(Bytes(size));
  node = std::max(node, now) + config.io_node_bandwidth.time_for(Bytes(size));
  return std::max(io.free, node) + config.io_latency;
}

std::int64_t File::read_stretches(std::byte* to, std::int64_t begin, std::int64_t size) {
  std::int64_t done = 0;
  view.for_stretches(begin, begin + size, [&](std::int64_t place, std::int64_t length) {
    const std::int64_t got = read_at(data_->descriptor, to + done, length, place);
    done += got;
    return got == length;
  });
  return done;
}

void File::write_stretches(const std::byte* from, std::int64_t begin, std::int64_t size) {
  view.for_stretches(begin, begin + size, [&](std::int64_t place, std::int64_t length) {
    write_at(data_->descriptor, from, length, place);
    from += length;
    return true;
  });
}

void File::decode(const Buffer& to, const std::vector<std::byte>& raw, std::int64_t place) {
  const std::int64_t size = std::ssize(raw);
  if (view.representation == Representation::external32) {
    const std::int64_t unit = external_size(*to.type);
    const std::int64_t whole = unit == 0 ? 0 : size / unit;
    std::vector<std::byte> packed(static_cast<std::size_t>(whole * to.type->size()));
    decode_external(*to.type, whole, raw.data(), packed.data());
    unpack(process_.memory(), to, packed.data(), std::ssize(packed));
    return;
  }
  const auto& known = process_.part<Files>().representations;
  const auto found = known.find(view.name);
  if (found != known.end() && (found->second.read != nullptr || found->second.large_read)) {
    Buffer filled = to;
    filled.count = to.type->size() == 0 ? 0 : size / to.type->size();
    convert(found->second.read, found->second.large_read, filled,
            const_cast<std::byte*>(raw.data()), place, found->second.extra);
    return;
  }
  unpack(process_.memory(), to, raw.data(), size);
}

std::vector<std::byte> File::encode(const Buffer& from, std::int64_t place) {
  std::vector<std::byte> raw(static_cast<std::size_t>(file_bytes(from)));
  if (view.representation == Representation::external32) {
    std::vector<std::byte> packed(static_cast<std::size_t>(bytes(from)));
    pack(process_.memory(), from, packed.data());
    encode_external(*from.type, from.count, packed.data(), raw.data());
    return raw;
  }
  const auto& known = process_.part<Files>().representations;
  const auto found = known.find(view.name);
  if (found != known.end() && (found->second.write != nullptr || found->second.large_write)) {
    convert(found->second.write, found->second.large_write, from, raw.data(), place,
            found->second.extra);
    return raw;
  }
  pack(process_.memory(), from, raw.data());
  return raw;
}

std::int64_t File::read(const Buffer& to, std::int64_t offset, Time& end) {
  const std::int64_t begin = view.byte_of(offset, bytes(to));
  const std::int64_t size = file_bytes(to);
  end = take_time(size);
  if (size == 0) return 0;
  if (moves_as_it_is(view, to)) {
    std::byte* direct =
        process_.memory().direct_to_change(to.address, static_cast<std::size_t>(bytes(to)));
    if (direct != nullptr) return read_stretches(direct, begin, size);
  }
  std::vector<std::byte> raw(static_cast<std::size_t>(size));
  const std::int64_t got = read_stretches(raw.data(), begin, size);
  raw.resize(static_cast<std::size_t>(got));
  decode(to, raw, offset);
  return size == 0 ? 0 : got * bytes(to) / size;
}

std::int64_t File::write(const Buffer& from, std::int64_t offset, Time& end) {
  const std::int64_t begin = view.byte_of(offset, bytes(from));
  const std::int64_t size = file_bytes(from);
  end = take_time(size);
  if (size == 0) return 0;
  const std::byte* direct =
      moves_as_it_is(view, from)
          ? process_.memory().direct(from.address, static_cast<std::size_t>(bytes(from)))
          : nullptr;
  if (direct != nullptr) {
    write_stretches(direct, begin, size);
  } else {
    const std::vector<std::byte> raw = encode(from, offset);
    write_stretches(raw.data(), begin, size);
  }
  return bytes(from);
}

}  // namespace heddle::mpi
