#include "traces/readers/otf2_archive.hpp"

#include "core/error.hpp"

#ifdef HEDDLE_OTF2

#include <otf2/otf2.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

namespace heddle::traces {

bool reads_otf2() {
  return true;
}

namespace {

/// Keeps the first thing that the library has to say, which else it would print.
class Otf2Complaint {
 public:
  Otf2Complaint() : before_(OTF2_Error_RegisterCallback(&Otf2Complaint::keep, this)) {}
  ~Otf2Complaint() { OTF2_Error_RegisterCallback(before_, nullptr); }
  Otf2Complaint(const Otf2Complaint&) = delete;
  Otf2Complaint& operator=(const Otf2Complaint&) = delete;

  [[noreturn]] void refuse(const std::string& file, const std::string& expected) const {
    const std::string said = text_.empty() ? "" : " (the library OTF2 says: " + text_ + ")";
    throw InputError({file}, expected + said);
  }

 private:
  static OTF2_ErrorCode keep(void* self, const char*, std::uint64_t, const char*,
                             OTF2_ErrorCode code, const char* format, va_list values) {
    std::string& text = static_cast<Otf2Complaint*>(self)->text_;
    if (!text.empty()) return code;
    char line[256];
    std::vsnprintf(line, sizeof line, format, values);
    const char* const name = OTF2_Error_GetDescription(code);
    text = std::string(name != nullptr ? name : "error") + ": " + line;
    return code;
  }

  std::string text_;
  OTF2_ErrorCallback before_;
};

template <class T, void (*release)(T*)>
struct Otf2Deleter {
  void operator()(T* what) const { release(what); }
};
using EventCallbacks =
    std::unique_ptr<OTF2_EvtReaderCallbacks,
                    Otf2Deleter<OTF2_EvtReaderCallbacks, OTF2_EvtReaderCallbacks_Delete>>;
using DefinitionCallbacks = std::unique_ptr<
    OTF2_GlobalDefReaderCallbacks,
    Otf2Deleter<OTF2_GlobalDefReaderCallbacks, OTF2_GlobalDefReaderCallbacks_Delete>>;

/// Definitions as they come; what they refer to may come later.
struct RawDefinitions {
  std::map<std::uint32_t, std::string> strings;
  std::map<std::uint32_t, std::uint32_t> region_names;
  std::map<std::uint32_t, std::vector<std::uint64_t>> groups;  ///< Of ranks.
  std::map<std::uint32_t, bool> self_groups;
  std::map<std::uint32_t, std::uint32_t> comms;  ///< Their groups.
  std::vector<std::uint64_t> ranks;              ///< Locations.
  std::uint64_t locations = 0;
  std::uint64_t ticks_per_second = 0;
  std::uint64_t begin = 0;
};

OTF2_CallbackCode on_string(void* to, OTF2_StringRef self, const char* text) {
  static_cast<RawDefinitions*>(to)->strings[self] = text != nullptr ? text : "";
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_clock(void* to, std::uint64_t resolution, std::uint64_t begin, std::uint64_t,
                           std::uint64_t) {
  static_cast<RawDefinitions*>(to)->ticks_per_second = resolution;
  static_cast<RawDefinitions*>(to)->begin = begin;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location(void* to, OTF2_LocationRef, OTF2_StringRef, OTF2_LocationType,
                              std::uint64_t, OTF2_LocationGroupRef) {
  ++static_cast<RawDefinitions*>(to)->locations;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_region(void* to, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef,
                            OTF2_StringRef, OTF2_RegionRole, OTF2_Paradigm, OTF2_RegionFlag,
                            OTF2_StringRef, std::uint32_t, std::uint32_t) {
  static_cast<RawDefinitions*>(to)->region_names[self] = name;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_group(void* to, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
                           OTF2_Paradigm paradigm, OTF2_GroupFlag, std::uint32_t count,
                           const std::uint64_t* members) {
  RawDefinitions& raw = *static_cast<RawDefinitions*>(to);
  if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) raw.ranks.assign(members, members + count);
  if (type == OTF2_GROUP_TYPE_COMM_GROUP) raw.groups[self].assign(members, members + count);
  if (type == OTF2_GROUP_TYPE_COMM_SELF) raw.self_groups[self] = true;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_comm(void* to, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef group,
                          OTF2_CommRef, OTF2_CommFlag) {
  static_cast<RawDefinitions*>(to)->comms[self] = group;
  return OTF2_CALLBACK_SUCCESS;
}

DefinitionCallbacks definition_callbacks() {
  DefinitionCallbacks callbacks(OTF2_GlobalDefReaderCallbacks_New());
  OTF2_GlobalDefReaderCallbacks* const c = callbacks.get();
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, on_string);
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, on_clock);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, on_location);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, on_region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, on_comm);
  return callbacks;
}

/// What takes the events of one location. Exceptions wait until the library has returned.
struct EventTaker {
  const std::function<void(const Otf2Event&)>& take;
  std::map<std::string, std::uint64_t> passed_over = {};
  std::exception_ptr failure = nullptr;

  OTF2_CallbackCode give(const Otf2Event& event) {
    try {
      take(event);
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      failure = std::current_exception();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }
};

Otf2Event event_of(Otf2Event::Kind kind, OTF2_TimeStamp time, std::uint64_t position) {
  Otf2Event event;
  event.kind = kind;
  event.time = time;
  event.number = position;
  return event;
}

template <Otf2Event::Kind kind>
OTF2_CallbackCode on_region_event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position,
                                  void* to, OTF2_AttributeList*, OTF2_RegionRef region) {
  Otf2Event event = event_of(kind, time, position);
  event.region = region;
  return static_cast<EventTaker*>(to)->give(event);
}

template <Otf2Event::Kind kind>
OTF2_CallbackCode on_message(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position,
                             void* to, OTF2_AttributeList*, std::uint32_t peer, OTF2_CommRef comm,
                             std::uint32_t tag, std::uint64_t bytes) {
  Otf2Event event = event_of(kind, time, position);
  event.peer = peer;
  event.comm = comm;
  event.tag = tag;
  event.bytes = bytes;
  return static_cast<EventTaker*>(to)->give(event);
}

template <Otf2Event::Kind kind>
OTF2_CallbackCode on_request_message(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position,
                                     void* to, OTF2_AttributeList*, std::uint32_t peer,
                                     OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                                     std::uint64_t request) {
  Otf2Event event = event_of(kind, time, position);
  event.peer = peer;
  event.comm = comm;
  event.tag = tag;
  event.bytes = bytes;
  event.request = request;
  return static_cast<EventTaker*>(to)->give(event);
}

template <Otf2Event::Kind kind>
OTF2_CallbackCode on_request(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position,
                             void* to, OTF2_AttributeList*, std::uint64_t request) {
  Otf2Event event = event_of(kind, time, position);
  event.request = request;
  return static_cast<EventTaker*>(to)->give(event);
}

Otf2Event collective_event(Otf2Event::Kind kind, OTF2_TimeStamp time, std::uint64_t position,
                           OTF2_CollectiveOp operation, OTF2_CommRef comm, std::uint32_t root) {
  Otf2Event event = event_of(kind, time, position);
  event.operation = operation < static_cast<OTF2_CollectiveOp>(Otf2Operation::others)
                        ? static_cast<Otf2Operation>(operation)
                        : Otf2Operation::others;
  event.comm = comm;
  event.peer = root;
  return event;
}

OTF2_CallbackCode on_collective(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position,
                                void* to, OTF2_AttributeList*, OTF2_CollectiveOp operation,
                                OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                                std::uint64_t received) {
  Otf2Event event =
      collective_event(Otf2Event::Kind::collective, time, position, operation, comm, root);
  event.bytes = sent;
  event.received = received;
  return static_cast<EventTaker*>(to)->give(event);
}

OTF2_CallbackCode on_icollective_end(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position,
                                     void* to, OTF2_AttributeList*, OTF2_CollectiveOp operation,
                                     OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                                     std::uint64_t received, std::uint64_t request) {
  Otf2Event event =
      collective_event(Otf2Event::Kind::icollective_end, time, position, operation, comm, root);
  event.bytes = sent;
  event.received = received;
  event.request = request;
  return static_cast<EventTaker*>(to)->give(event);
}

constexpr char kOneSided[] = "one-sided operations";
constexpr char kFileAccesses[] = "accesses to files";
constexpr char kMetrics[] = "values of metrics";
constexpr char kUnknownEvents[] = "events that the library OTF2 does not know";

/// Only counts an event of any kind.
template <const char* what, class... Arguments>
OTF2_CallbackCode pass_over(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* to,
                            OTF2_AttributeList*, Arguments...) {
  ++static_cast<EventTaker*>(to)->passed_over[what];
  return OTF2_CALLBACK_SUCCESS;
}

void count_others(OTF2_EvtReaderCallbacks* c) {
  OTF2_EvtReaderCallbacks_SetUnknownCallback(c, pass_over<kUnknownEvents>);
  OTF2_EvtReaderCallbacks_SetMetricCallback(c, pass_over<kMetrics>);
  OTF2_EvtReaderCallbacks_SetRmaPutCallback(c, pass_over<kOneSided>);
  OTF2_EvtReaderCallbacks_SetRmaGetCallback(c, pass_over<kOneSided>);
  OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(c, pass_over<kOneSided>);
  OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(c, pass_over<kFileAccesses>);
}

EventCallbacks event_callbacks() {
  using enum Otf2Event::Kind;
  EventCallbacks callbacks(OTF2_EvtReaderCallbacks_New());
  OTF2_EvtReaderCallbacks* const c = callbacks.get();
  OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_region_event<enter>);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(c, on_region_event<leave>);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, on_message<send>);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, on_message<recv>);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, on_request_message<isend>);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, on_request_message<irecv>);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_request<isend_complete>);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_request<irecv_request>);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, on_request<cancelled>);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_collective);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c, on_request<icollective>);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c, on_icollective_end);
  count_others(c);
  return callbacks;
}

}  // namespace

class Otf2Archive::Reader {
 public:
  explicit Reader(const std::string& anchor) : anchor_(anchor) {
    const Otf2Complaint complaint;
    // The library would lose memory on it.
    constexpr std::uintmax_t kSmallestAnchor = 60;
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(anchor, ignored);
    if (size < kSmallestAnchor) {
      throw InputError({anchor_}, "this is no whole OTF2 archive: it breaks off at byte " +
                                      std::to_string(size));
    }
    reader_.reset(OTF2_Reader_Open(anchor.c_str()));
    if (reader_ == nullptr) complaint.refuse(anchor_, "this is no whole OTF2 archive");
    expect(OTF2_Reader_SetSerialCollectiveCallbacks(reader_.get()), complaint, anchor_);
    read_definitions(complaint);
    check_comms();
    open_events(complaint);
  }

  std::map<std::string, std::uint64_t> read_events(
      std::uint32_t rank, const std::function<void(const Otf2Event&)>& take) {
    const Otf2Complaint complaint;
    const std::string file = events_file(rank);
    expect_end(file);
    OTF2_EvtReader* const events =
        OTF2_Reader_GetEvtReader(reader_.get(), definitions.locations[rank]);
    if (events == nullptr) {
      complaint.refuse(file, "the events of rank " + std::to_string(rank) + " are expected here");
    }
    EventTaker taker{take};
    OTF2_EvtReader_ApplyMappingTables(events, true);
    OTF2_EvtReader_ApplyClockOffsets(events, true);
    OTF2_Reader_RegisterEvtCallbacks(reader_.get(), events, event_callbacks().get(), &taker);
    std::uint64_t read = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalEvents(reader_.get(), events, &read);
    OTF2_Reader_CloseEvtReader(reader_.get(), events);
    if (taker.failure) std::rethrow_exception(taker.failure);
    if (code != OTF2_SUCCESS) {
      complaint.refuse(file, "it breaks off after event " + std::to_string(read) +
                                 ": another event, or the end of the buffer, is expected");
    }
    return std::move(taker.passed_over);
  }

  std::string events_file(std::uint32_t rank) const {
    const std::filesystem::path folder = std::filesystem::path(anchor_).replace_extension();
    return folder / (std::to_string(definitions.locations[rank]) + ".evt");
  }

  Otf2Definitions definitions;

 private:
  struct Closer {
    void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
  };

  static void expect(OTF2_ErrorCode code, const Otf2Complaint& complaint, const std::string& file) {
    if (code != OTF2_SUCCESS) complaint.refuse(file, "this OTF2 archive cannot be read");
  }

  void read_definitions(const Otf2Complaint& complaint) {
    RawDefinitions raw;
    const std::string file = std::filesystem::path(anchor_).replace_extension("def");
    expect_end(file);
    OTF2_GlobalDefReader* const reader = OTF2_Reader_GetGlobalDefReader(reader_.get());
    if (reader == nullptr) complaint.refuse(file, "the definitions of the archive are expected");
    OTF2_Reader_RegisterGlobalDefCallbacks(reader_.get(), reader, definition_callbacks().get(),
                                           &raw);
    std::uint64_t read = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalDefinitions(reader_.get(), reader, &read);
    std::uint64_t all = 0;
    OTF2_Reader_GetNumberOfGlobalDefinitions(reader_.get(), &all);
    OTF2_Reader_CloseGlobalDefReader(reader_.get(), reader);
    if (code != OTF2_SUCCESS || read < all) {
      complaint.refuse(file, "it breaks off after definition " + std::to_string(read) + " of " +
                                 std::to_string(all));
    }
    take(std::move(raw), file);
  }

  void take(RawDefinitions raw, const std::string& file) {
    if (raw.ranks.empty()) {
      throw InputError({file},
                       "no location is known as a rank of MPI: a trace of an MPI program, with a "
                       "group of its locations, is expected");
    }
    if (raw.ticks_per_second == 0) throw InputError({file}, "the clock's ticks are not said");
    definitions.ticks_per_second = raw.ticks_per_second;
    definitions.begin = raw.begin;
    definitions.locations = std::move(raw.ranks);
    definitions.further_locations =
        raw.locations - std::min<std::uint64_t>(raw.locations, definitions.locations.size());
    for (const auto& [region, name] : raw.region_names) {
      const std::string& text = definitions.regions[region] = raw.strings[name];
      definitions.eztrace |= text.starts_with("EZTrace");
    }
    for (const auto& [comm, group] : raw.comms) {
      if (raw.self_groups.contains(group)) {
        definitions.comms[comm].self = true;
      } else if (const auto found = raw.groups.find(group); found != raw.groups.end()) {
        add_comm(comm, found->second, file);
      }
    }
  }

  void add_comm(std::uint32_t comm, const std::vector<std::uint64_t>& members,
                const std::string& file) {
    std::vector<std::uint32_t>& ranks = definitions.comms[comm].members;
    for (const std::uint64_t member : members) {
      if (member >= definitions.locations.size()) {
        throw InputError({file}, "communicator " + std::to_string(comm) + " has rank " +
                                     std::to_string(member) + ": accepted are 0 to " +
                                     std::to_string(definitions.locations.size() - 1));
      }
      ranks.push_back(static_cast<std::uint32_t>(member));
    }
  }

  /// A rank is in a communicator once.
  void check_comms() const {
    for (const auto& [comm, what] : definitions.comms) {
      std::vector<bool> seen(definitions.locations.size());
      for (const std::uint32_t rank : what.members) {
        if (seen[rank]) {
          throw InputError({anchor_}, "communicator " + std::to_string(comm) + " has rank " +
                                          std::to_string(rank) + " twice");
        }
        seen[rank] = true;
      }
    }
  }

  /// The library reads on where a file ends too early; whole ones end with marks of the end of the
  /// file and of its last piece.
  void expect_end(const std::string& file) const {
    OTF2_Compression compression = OTF2_COMPRESSION_NONE;
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_POSIX;
    OTF2_Reader_GetCompression(reader_.get(), &compression);
    OTF2_Reader_GetFileSubstrate(reader_.get(), &substrate);
    if (compression != OTF2_COMPRESSION_NONE || substrate != OTF2_SUBSTRATE_POSIX) return;
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) throw InputError({file}, "this file of the OTF2 archive is missing");
    const std::streamoff size = in.tellg();
    char end[2] = {};
    in.seekg(-std::min<std::streamoff>(size, 2), std::ios::end);
    in.read(end, 2);
    if (size < 2 || end[0] != 2 || end[1] != 1) {
      throw InputError({file}, "it breaks off at byte " + std::to_string(size) +
                                   ": marks of the end are expected there (2, 1)");
    }
  }

  /// Files of events refer to definitions of their own, which are read here.
  void open_events(const Otf2Complaint& complaint) {
    for (const std::uint64_t location : definitions.locations) {
      expect(OTF2_Reader_SelectLocation(reader_.get(), location), complaint, anchor_);
    }
    if (OTF2_Reader_OpenDefFiles(reader_.get()) == OTF2_SUCCESS) {
      for (const std::uint64_t location : definitions.locations) {
        OTF2_DefReader* const reader = OTF2_Reader_GetDefReader(reader_.get(), location);
        if (reader == nullptr) continue;
        std::uint64_t read = 0;
        OTF2_Reader_ReadAllLocalDefinitions(reader_.get(), reader, &read);
        OTF2_Reader_CloseDefReader(reader_.get(), reader);
      }
      OTF2_Reader_CloseDefFiles(reader_.get());
    }
    expect(OTF2_Reader_OpenEvtFiles(reader_.get()), complaint, anchor_);
  }

  std::string anchor_;
  std::unique_ptr<OTF2_Reader, Closer> reader_;
};

Otf2Archive::Otf2Archive(const std::string& anchor) : reader_(std::make_unique<Reader>(anchor)) {}
const Otf2Definitions& Otf2Archive::definitions() const {
  return reader_->definitions;
}
std::string Otf2Archive::events_file(std::uint32_t rank) const {
  return reader_->events_file(rank);
}
std::map<std::string, std::uint64_t> Otf2Archive::read_events(
    std::uint32_t rank, const std::function<void(const Otf2Event&)>& take) {
  return reader_->read_events(rank, take);
}

#else

namespace heddle::traces {

bool reads_otf2() {
  return false;
}

class Otf2Archive::Reader {
 public:
  Otf2Definitions definitions;
};

Otf2Archive::Otf2Archive(const std::string& anchor) {
  throw InputError({anchor},
                   "OTF2 archives are read by a Heddle that was built where the library OTF2 is "
                   "(libotf2-trace-dev); this one was not");
}
const Otf2Definitions& Otf2Archive::definitions() const {
  return reader_->definitions;
}
std::string Otf2Archive::events_file(std::uint32_t) const {
  return {};
}
std::map<std::string, std::uint64_t> Otf2Archive::read_events(
    std::uint32_t, const std::function<void(const Otf2Event&)>&) {
  return {};
}

#endif

Otf2Archive::~Otf2Archive() = default;

}  // namespace heddle::traces
