#include "mpi/io/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

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

}  // namespace heddle::mpi
