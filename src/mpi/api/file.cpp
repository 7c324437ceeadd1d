// Calls on files other than reading and writing.
#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <string>

#include "coll/datatype/external32.hpp"
#include "mpi/api/call.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/datatypes.hpp"
#include "mpi/io/file.hpp"

namespace heddle::mpi::file_calls {
namespace {

/// A call on a file: `body(process, file)` does it.
template <class Body>
int on(const char* name, MPI_File handle, Body body) {
  return call(name, on_file(handle),
              [&](Process& process) { body(process, file(process, handle)); });
}

void check_mode(int mode) {
  const auto ways =
      static_cast<unsigned>(mode & (MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR));
  if (std::popcount(ways) != 1) {
    bad_argument(MPI_ERR_AMODE, "amode",
                 "needs one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR");
  }
  if ((mode & MPI_MODE_RDONLY) != 0 && (mode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0) {
    bad_argument(MPI_ERR_AMODE, "amode",
                 "MPI_MODE_RDONLY goes with neither MPI_MODE_CREATE nor MPI_MODE_EXCL");
  }
  if ((mode & MPI_MODE_RDWR) != 0 && (mode & MPI_MODE_SEQUENTIAL) != 0) {
    bad_argument(MPI_ERR_AMODE, "amode", "MPI_MODE_RDWR does not go with MPI_MODE_SEQUENTIAL");
  }
}

void check_size(std::int64_t size) {
  if (size < 0) {
    bad_argument(MPI_ERR_ARG, "size", std::to_string(size) + ": accepted are 0 and more");
  }
}
void check_writable(const File& file) {
  if ((file.data().mode & MPI_MODE_RDONLY) != 0) {
    throw Error{MPI_ERR_READ_ONLY, file.label() + " was opened with MPI_MODE_RDONLY"};
  }
}

Representation representation_of(Process& process, const std::string& name) {
  if (name == "native" || name == "internal") return Representation::native;
  if (name == "external32") return Representation::external32;
  if (process.part<Files>().representations.contains(name)) return Representation::registered;
  bad_argument(MPI_ERR_UNSUPPORTED_DATAREP, "datarep",
               name +
                   ": accepted are native, internal, external32 and what "
                   "MPI_Register_datarep has named");
}

void check_file_type(const Datatype& type, const char* argument, bool writes) {
  if (const char* problem = file_type_problem(type, writes)) {
    bad_argument(MPI_ERR_IO, argument, problem);
  }
}

void check_view(const View& view, bool writes) {
  check_file_type(*view.etype, "etype", writes);
  check_file_type(*view.filetype, "filetype", writes);
  const std::int64_t unit = view.etype->size();
  if (unit > 0 && view.filetype->size() % unit != 0) {
    bad_argument(MPI_ERR_ARG, "filetype",
                 "has " + std::to_string(view.filetype->size()) +
                     " bytes, no whole number of etypes of " + std::to_string(unit));
  }
  const bool changes_size = view.representation == Representation::external32 &&
                            external_size(*view.filetype) != view.filetype->size();
  if (changes_size && !view.filetype->gapless()) {
    throw Error{MPI_ERR_UNSUPPORTED_DATAREP,
                "argument filetype: has gaps and other sizes in external32 than in memory"};
  }
}

/// A handle that the program may free.
MPI_Datatype handle_for(Process& process, const Datatype& type) {
  if (!type.is_predefined()) process.part<TypeTable>().hold(type);
  return type.handle();
}

std::int64_t sought(const File& file, std::int64_t offset, int whence, std::int64_t current) {
  switch (whence) {
    case MPI_SEEK_SET:
      break;
    case MPI_SEEK_CUR:
      offset = checked_size(Wide{offset} + current, MPI_ERR_ARG);
      break;
    case MPI_SEEK_END:
      offset = checked_size(Wide{offset} + file.end_offset(), MPI_ERR_ARG);
      break;
    default:
      bad_argument(
          MPI_ERR_ARG, "whence",
          std::to_string(whence) + ": accepted are MPI_SEEK_SET, MPI_SEEK_CUR and MPI_SEEK_END");
  }
  if (offset < 0) {
    bad_argument(MPI_ERR_ARG, "offset",
                 "leads to " + std::to_string(offset) + ", before the beginning of the file");
  }
  return offset;
}

void refuse_sequential(const File& file) {
  if ((file.data().mode & MPI_MODE_SEQUENTIAL) != 0) {
    throw Error{MPI_ERR_UNSUPPORTED_OPERATION,
                file.label() + " was opened with MPI_MODE_SEQUENTIAL"};
  }
}

void set_view(Process& process, File& file, MPI_Offset displacement, MPI_Datatype etype,
              MPI_Datatype filetype, const char* representation) {
  View view;
  const bool sequential = (file.data().mode & MPI_MODE_SEQUENTIAL) != 0;
  if (displacement == MPI_DISPLACEMENT_CURRENT && sequential) {
    displacement = file.view.place(file.data().shared_position * file.view.unit());
  }
  if (displacement < 0) {
    bad_argument(MPI_ERR_ARG, "disp", std::to_string(displacement) + ": accepted are 0 and more");
  }
  view.displacement = displacement;
  view.etype = &committed(process, etype, "etype");
  view.filetype = &committed(process, filetype, "filetype");
  view.name = representation;
  view.representation = representation_of(process, view.name);
  check_view(view, (file.data().mode & MPI_MODE_RDONLY) == 0);
  file.barrier();
  file.view = std::move(view);
  file.position = 0;
  file.data().shared_position = 0;
  file.barrier();
}

template <class Extent>
int type_extent(const char* name, MPI_File handle, MPI_Datatype type, Extent* extent) {
  return on(name, handle, [&](Process& process, File& of) {
    const Datatype& asked = datatype(process, type);
    *extent = asked.extent();
    if (of.view.representation == Representation::external32 && asked.gapless()) {
      *extent = external_size(asked);
    }
    const auto& known = process.part<Files>().representations;
    const auto found = known.find(of.view.name);
    if (found == known.end() || found->second.extent == nullptr) return;
    MPI_Aint answer = 0;
    found->second.extent(type, &answer, found->second.extra);
    *extent = answer;
  });
}

int add_representation(const char* call_name, const char* name, const UserRepresentation& user) {
  return call(call_name, on_file(MPI_FILE_NULL), [&](Process& process) {
    if (std::strlen(name) >= MPI_MAX_DATAREP_STRING) {
      bad_argument(MPI_ERR_ARG, "datarep", "is longer than MPI_MAX_DATAREP_STRING");
    }
    const std::string added = name;
    auto& known = process.part<Files>().representations;
    const bool own = added == "native" || added == "internal" || added == "external32";
    if (own || !known.emplace(added, user).second) {
      bad_argument(MPI_ERR_DUP_DATAREP, "datarep", added + " is known already");
    }
  });
}

}  // namespace
}  // namespace heddle::mpi::file_calls

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_File_open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh) {
  return mpi::call("MPI_File_open", mpi::on_file(MPI_FILE_NULL), [&](mpi::Process& process) {
    mpi::need(fh, "fh");
    *fh = MPI_FILE_NULL;
    mpi::Communicator& over = mpi::communicator(process, comm);
    if (over.inter()) mpi::bad_argument(MPI_ERR_COMM, "comm", "is an intercommunicator");
    mpi::file_calls::check_mode(amode);
    mpi::File& opened =
        mpi::open_file(over, mpi::plain_path(filename), amode, mpi::info_copy(process, info));
    *fh = reinterpret_cast<MPI_File>(&opened);
  });
}
int PMPI_File_close(MPI_File* fh) {
  return mpi::file_calls::on(
      "MPI_File_close", *fh, [&](mpi::Process& /*process*/, mpi::File& file) {
        mpi::need(fh, "fh");
        if (file.split.kind != nullptr) {
          throw mpi::Error{MPI_ERR_IO, file.label() + ": a split operation has not been ended"};
        }
        mpi::close_file(file);
        *fh = MPI_FILE_NULL;
      });
}
int PMPI_File_delete(const char* filename, MPI_Info /*info*/) {
  return mpi::call("MPI_File_delete", mpi::on_file(MPI_FILE_NULL), [&](mpi::Process& /*process*/) {
    const std::string path = mpi::plain_path(filename);
    if (::unlink(path.c_str()) != 0) mpi::throw_system_error(errno, "file '" + path + "'");
  });
}

int PMPI_File_set_size(MPI_File fh, MPI_Offset size) {
  return mpi::file_calls::on("MPI_File_set_size", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) {
                               mpi::file_calls::check_size(size);
                               mpi::file_calls::check_writable(file);
                               file.barrier();
                               if (file.communicator().rank() == 0) file.resize(size);
                               file.barrier();
                             });
}
int PMPI_File_preallocate(MPI_File fh, MPI_Offset size) {
  return mpi::file_calls::on("MPI_File_preallocate", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) {
                               mpi::file_calls::check_size(size);
                               mpi::file_calls::check_writable(file);
                               file.barrier();
                               if (file.communicator().rank() == 0 && size > file.file_size()) {
                                 file.resize(size);
                               }
                               file.barrier();
                             });
}
int PMPI_File_get_size(MPI_File fh, MPI_Offset* size) {
  return mpi::file_calls::on("MPI_File_get_size", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) {
                               mpi::need(size, "size");
                               *size = file.file_size();
                             });
}
int PMPI_File_get_group(MPI_File fh, MPI_Group* group) {
  return mpi::file_calls::on("MPI_File_get_group", fh, [&](mpi::Process& process, mpi::File& file) {
    mpi::need(group, "group");
    *group = mpi::new_group(process, file.communicator().data()->group);
  });
}
int PMPI_File_get_amode(MPI_File fh, int* amode) {
  return mpi::file_calls::on("MPI_File_get_amode", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) {
                               mpi::need(amode, "amode");
                               *amode = file.data().mode;
                             });
}
int PMPI_File_set_info(MPI_File fh, MPI_Info info) {
  return mpi::file_calls::on("MPI_File_set_info", fh, [&](mpi::Process& process, mpi::File& file) {
    mpi::Info merged;
    if (file.info) merged = *file.info;
    if (const mpi::InfoRef given = mpi::info_copy(process, info)) {
      for (const auto& [key, value] : given->entries()) merged.set(key, value);
    }
    file.info = std::make_shared<const mpi::Info>(std::move(merged));
  });
}
int PMPI_File_get_info(MPI_File fh, MPI_Info* info_used) {
  return mpi::file_calls::on("MPI_File_get_info", fh, [&](mpi::Process& process, mpi::File& file) {
    mpi::need(info_used, "info_used");
    *info_used = mpi::new_info(process, file.info ? *file.info : mpi::Info());
  });
}

int PMPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                       const char* datarep, MPI_Info /*info*/) {
  return mpi::file_calls::on("MPI_File_set_view", fh, [&](mpi::Process& process, mpi::File& file) {
    mpi::file_calls::set_view(process, file, disp, etype, filetype, datarep);
  });
}
int PMPI_File_get_view(MPI_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                       char* datarep) {
  return mpi::file_calls::on("MPI_File_get_view", fh, [&](mpi::Process& process, mpi::File& file) {
    mpi::need(disp, "disp");
    mpi::need(etype, "etype");
    mpi::need(filetype, "filetype");
    *disp = file.view.displacement;
    *etype = mpi::file_calls::handle_for(process, *file.view.etype);
    *filetype = mpi::file_calls::handle_for(process, *file.view.filetype);
    std::memcpy(datarep, file.view.name.c_str(), file.view.name.size() + 1);
  });
}

int PMPI_File_seek(MPI_File fh, MPI_Offset offset, int whence) {
  return mpi::file_calls::on("MPI_File_seek", fh, [&](mpi::Process& /*process*/, mpi::File& file) {
    mpi::file_calls::refuse_sequential(file);
    file.position = mpi::file_calls::sought(file, offset, whence, file.position);
  });
}
int PMPI_File_get_position(MPI_File fh, MPI_Offset* offset) {
  return mpi::file_calls::on("MPI_File_get_position", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) {
                               mpi::need(offset, "offset");
                               mpi::file_calls::refuse_sequential(file);
                               *offset = file.position;
                             });
}
int PMPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset* disp) {
  return mpi::file_calls::on("MPI_File_get_byte_offset", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) {
                               mpi::need(disp, "disp");
                               mpi::file_calls::refuse_sequential(file);
                               *disp = file.view.place(file.view.byte_of(offset, 0));
                             });
}
int PMPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence) {
  return mpi::file_calls::on(
      "MPI_File_seek_shared", fh, [&](mpi::Process& /*process*/, mpi::File& file) {
        mpi::file_calls::refuse_sequential(file);
        const std::int64_t place =
            mpi::file_calls::sought(file, offset, whence, file.data().shared_position);
        file.barrier();
        file.data().shared_position = place;
        file.barrier();
      });
}
int PMPI_File_get_position_shared(MPI_File fh, MPI_Offset* offset) {
  return mpi::file_calls::on("MPI_File_get_position_shared", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) {
                               mpi::need(offset, "offset");
                               *offset = file.data().shared_position;
                             });
}

int PMPI_File_get_type_extent(MPI_File fh, MPI_Datatype type, MPI_Aint* extent) {
  return mpi::file_calls::type_extent("MPI_File_get_type_extent", fh, type, extent);
}
int PMPI_File_get_type_extent_c(MPI_File fh, MPI_Datatype type, MPI_Count* extent) {
  return mpi::file_calls::type_extent("MPI_File_get_type_extent_c", fh, type, extent);
}
int PMPI_Register_datarep(const char* datarep, MPI_Datarep_conversion_function* read_conversion_fn,
                          MPI_Datarep_conversion_function* write_conversion_fn,
                          MPI_Datarep_extent_function* dtype_file_extent_fn, void* extra_state) {
  return mpi::file_calls::add_representation("MPI_Register_datarep", datarep,
                                             {read_conversion_fn, write_conversion_fn, nullptr,
                                              nullptr, dtype_file_extent_fn, extra_state});
}
int PMPI_Register_datarep_c(const char* datarep,
                            MPI_Datarep_conversion_function_c* read_conversion_fn,
                            MPI_Datarep_conversion_function_c* write_conversion_fn,
                            MPI_Datarep_extent_function* dtype_file_extent_fn, void* extra_state) {
  return mpi::file_calls::add_representation(
      "MPI_Register_datarep_c", datarep,
      {nullptr, nullptr, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn,
       extra_state});
}

int PMPI_File_set_atomicity(MPI_File fh, int flag) {
  return mpi::file_calls::on("MPI_File_set_atomicity", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) {
                               file.atomic = flag != 0;
                               file.barrier();
                             });
}
int PMPI_File_get_atomicity(MPI_File fh, int* flag) {
  return mpi::file_calls::on("MPI_File_get_atomicity", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) {
                               mpi::need(flag, "flag");
                               *flag = file.atomic ? 1 : 0;
                             });
}
int PMPI_File_sync(MPI_File fh) {
  return mpi::file_calls::on("MPI_File_sync", fh,
                             [&](mpi::Process& /*process*/, mpi::File& file) { file.barrier(); });
}

int PMPI_File_set_errhandler(MPI_File fh, MPI_Errhandler errhandler) {
  return mpi::call("MPI_File_set_errhandler", mpi::on_file(fh), [&](mpi::Process& process) {
    const mpi::ErrorHandlerRef handler =
        mpi::error_handler(process, errhandler, mpi::HandlerOf::file);
    if (fh == MPI_FILE_NULL) {
      process.part<mpi::Files>().error_handler = handler;
    } else {
      mpi::file(process, fh).error_handler = handler;
    }
  });
}
int PMPI_File_get_errhandler(MPI_File fh, MPI_Errhandler* errhandler) {
  return mpi::call("MPI_File_get_errhandler", mpi::on_file(fh), [&](mpi::Process& process) {
    mpi::need(errhandler, "errhandler");
    if (fh != MPI_FILE_NULL) mpi::file(process, fh);
    *errhandler = mpi::new_handle(process, mpi::file_error_handler(process, fh));
  });
}

int PMPI_File_call_errhandler(MPI_File fh, int errorcode) {
  return mpi::call("MPI_File_call_errhandler", mpi::on_file(fh), [&](mpi::Process& process) {
    mpi::tell_handler(process, process.call, mpi::file_error_handler(process, fh), mpi::on_file(fh),
                      {errorcode, "called by the program"});
  });
}

MPI_File PMPI_File_f2c(MPI_Fint number) {
  MPI_File found = MPI_FILE_NULL;
  mpi::call("MPI_File_f2c", [&](mpi::Process& process) {
    const auto& numbered = process.part<mpi::Files>().numbered;
    const auto place = static_cast<std::size_t>(number) - 1;
    if (number > 0 && place < numbered.size()) {
      found = reinterpret_cast<MPI_File>(numbered[place]);
    }
  });
  return found;
}
MPI_Fint PMPI_File_c2f(MPI_File handle) {
  MPI_Fint number = 0;
  mpi::call("MPI_File_c2f", [&](mpi::Process& process) {
    mpi::File* file = mpi::find_file(process, handle);
    if (file == nullptr) return;
    auto& numbered = process.part<mpi::Files>().numbered;
    const auto found = std::ranges::find(numbered, file);
    number = static_cast<MPI_Fint>(found - numbered.begin()) + 1;
    if (found == numbered.end()) numbered.push_back(file);
  });
  return number;
}

}  // extern "C"
