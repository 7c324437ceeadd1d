// Files of MPI programs: real ones, with a model of the time that they take.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "mpi/comm/communicator.hpp"
#include "mpi/io/view.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

/// What all who have opened a file together share.
struct FileData {
  ~FileData();
  std::string path;
  int descriptor = -1;
  int mode = 0;     ///< MPI_MODE_...
  int failure = 0;  ///< errno of opening, or zero.
  CommunicatorDataRef communicator;
  std::int64_t shared_position = 0;   ///< In etypes.
  std::vector<std::int64_t> amounts;  ///< Of an ordered access, by rank.
  std::size_t joined = 0;
  std::size_t closed = 0;
};
using FileDataRef = std::shared_ptr<FileData>;

/// A representation that the program has registered.
struct UserRepresentation {
  MPI_Datarep_conversion_function* read = nullptr;
  MPI_Datarep_conversion_function* write = nullptr;
  MPI_Datarep_conversion_function_c* large_read = nullptr;
  MPI_Datarep_conversion_function_c* large_write = nullptr;
  MPI_Datarep_extent_function* extent = nullptr;
  void* extra = nullptr;
};

/// An operation that was begun and awaits its end.
struct SplitOperation {
  const char* kind = nullptr;  ///< "read_all", for one; null if none is under way.
  Outcome outcome;
  Time end;
};

/// An open file as one process has it; MPI_File points to it.
class File {
 public:
  File(Process& process, FileDataRef data, CommunicatorRef communicator);

  Process& process() const { return process_; }
  FileData& data() const { return *data_; }
  Communicator& communicator() const { return *communicator_; }
  std::string label() const { return "file '" + data_->path + "'"; }

  // All throw Error. Offsets are in etypes of the view.

  /// Moves data between memory and the view's bytes from `offset` on; answers how many bytes of
  /// memory were reached. `end` becomes the time at which the file system is through.
  std::int64_t read(const Buffer& to, std::int64_t offset, Time& end);
  std::int64_t write(const Buffer& from, std::int64_t offset, Time& end);
  /// How many etypes data takes.
  std::int64_t etypes(const Buffer& data) const;
  /// All members have come here.
  void barrier();
  /// Where this process's part of an ordered access begins; collective.
  std::int64_t ordered_offset(const Buffer& data);
  /// Takes so much of the file from the pointer that all share.
  std::int64_t take_shared(const Buffer& data);
  std::int64_t file_size() const;
  void resize(std::int64_t size);
  /// What SEEK_END counts from, in etypes.
  std::int64_t end_offset() const;

  View view;
  std::int64_t position = 0;  ///< In etypes.
  bool atomic = false;
  InfoRef info;
  ErrorHandlerRef error_handler;
  SplitOperation split;

 private:
  std::int64_t read_stretches(std::byte* to, std::int64_t begin, std::int64_t size);
  void write_stretches(const std::byte* from, std::int64_t begin, std::int64_t size);
  std::int64_t file_bytes(const Buffer& data) const;
  void decode(const Buffer& to, const std::vector<std::byte>& raw, std::int64_t place);
  std::vector<std::byte> encode(const Buffer& from, std::int64_t place);
  Time take_time(std::int64_t bytes);

  Process& process_;
  FileDataRef data_;
  CommunicatorRef communicator_;
};

/// A process waits for a file, or for the others that have it.
class FileWait final : public Blocked {
 public:
  FileWait(const File& file, const char* what) : file_(file), what_(what) {}
  std::string text() const override;

 private:
  const File& file_;
  const char* what_;
};

/// Part of a process: its files.
struct Files final : Part {
  explicit Files(Process& process);
  std::map<File*, std::unique_ptr<File>> open;
  std::map<std::string, UserRepresentation> representations;
  /// What files get that are opened, and what is asked for MPI_FILE_NULL.
  ErrorHandlerRef error_handler;
  std::vector<File*> numbered;  ///< By Fortran's handles, from 1 on.
};

/// Part of the world: what files take, and those that not all members have opened.
struct IoState final : Part {
  explicit IoState(World& world);
  EventSource source;
  std::map<std::pair<std::uint32_t, std::uint32_t>, FileDataRef> joining;
  Time free;                     ///< When the file system is through with what it has.
  std::map<NodeId, Time> nodes;  ///< The same of each node's way to it.
};

/// The file of a handle; throws MPI_ERR_FILE.
File& file(Process& process, MPI_File handle);
File* find_file(Process& process, MPI_File handle);
ErrorHandlerRef file_error_handler(Process& process, MPI_File handle);

/// Collective.
File& open_file(Communicator& communicator, const std::string& path, int mode, InfoRef info);
void close_file(File& file);
/// A path without the kind of file system that some libraries let programs put before it ("ufs:").
std::string plain_path(const char* name);
/// The error class and text for a call of the system that failed.
[[noreturn]] void throw_system_error(int error, const std::string& what);

}  // namespace heddle::mpi
