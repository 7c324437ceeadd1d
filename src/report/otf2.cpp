// Recorded runs as OTF2 archives, through the library of that name.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/error.hpp"
#include "report/exports.hpp"
#include "report/version.hpp"

#ifdef HEDDLE_OTF2
#include <otf2/otf2.h>
#endif

namespace heddle::report {
namespace fs = std::filesystem;

#ifdef HEDDLE_OTF2

namespace {

using record::Kind;
using record::Record;

constexpr ExportSizes kOtf2Sizes = {26, 48};
constexpr char kArchiveName[] = "traces";
constexpr std::uint64_t kChunk = 1 << 20;
constexpr std::uint64_t kTicksPerSecond = 1'000'000'000'000;

OTF2_FlushType always_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

void expect_written(OTF2_ErrorCode code, const std::string& folder) {
  if (code == OTF2_SUCCESS) return;
  throw RunError("'" + folder + "' could not be written: " + OTF2_Error_GetDescription(code));
}

/// The numbers of locations: ranks first, then what other threads they have.
class Otf2Locations {
 public:
  explicit Otf2Locations(const record::Overview& overview) {
    for (std::uint32_t r = 0; r < overview.ranks; ++r) threads_.push_back({r, 0});
    for (const record::ThreadTotals& t : overview.threads) {
      others_[{t.rank, t.thread}] = static_cast<std::uint32_t>(threads_.size());
      threads_.push_back({t.rank, t.thread});
    }
  }
  std::uint32_t of(const record::RankThread& who) const {
    const auto found = others_.find({who.rank, who.thread});
    return found == others_.end() ? who.rank : found->second;
  }
  const std::vector<record::RankThread>& threads() const { return threads_; }

 private:
  std::vector<record::RankThread> threads_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> others_;
};

/// What happens at an instant of one location.
struct Otf2Instant {
  enum Kind : std::uint8_t { leave, enter, send, receive };
  std::int64_t time = 0;
  std::int64_t other_end = 0;  ///< Of a region.
  std::uint32_t location = 0;
  std::uint32_t what = 0;  ///< A region, or the other rank.
  std::uint64_t bytes = 0;
  Kind kind = enter;

  /// Outer regions are entered before inner ones.
  bool operator<(const Otf2Instant& b) const {
    if (location != b.location) return location < b.location;
    if (time != b.time) return time < b.time;
    if (kind != b.kind) return kind < b.kind;
    return kind == enter && other_end > b.other_end;
  }
};

class Otf2Writer {
 public:
  Otf2Writer(const RecordedRun& run, const ExportFilter& filter, const std::string& folder)
      : run_(run), filter_(filter), folder_(folder), locations_(run.overview) {}

  /// Answers what is missing in it, as a sentence; "" for nothing.
  std::string write() {
    archive_.reset(OTF2_Archive_Open(folder_.c_str(), kArchiveName, OTF2_FILEMODE_WRITE, kChunk,
                                     kChunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    if (archive_ == nullptr) expect_written(OTF2_ERROR_FILE_CAN_NOT_OPEN, folder_);
    static const OTF2_FlushCallbacks flush = {always_flush, nullptr};
    expect_written(OTF2_Archive_SetFlushCallbacks(archive_.get(), &flush, nullptr), folder_);
    expect_written(OTF2_Archive_SetSerialCollectiveCallbacks(archive_.get()), folder_);
    OTF2_Archive_SetCreator(archive_.get(), ("Heddle " + std::string(version())).c_str());
    const ExportPlan plan = plan_export(*run_.recorder, filter_, kOtf2Sizes);
    OTF2_Archive_SetDescription(
        archive_.get(),
        (run_.facts.title + (plan.text().empty() ? "" : "; ") + plan.text()).c_str());
    visit_wanted(*run_.recorder, filter_, [&](const Record& r) {
      if (plan.takes(r)) keep(r);
    });
    std::sort(instants_.begin(), instants_.end());
    write_events();
    write_own_definitions();
    write_definitions();
    expect_written(OTF2_Archive_Close(archive_.release()), folder_);
    return plan.text();
  }

 private:
  struct Closer {
    void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
  };

  // What happened.

  void keep(const Record& r) {
    const record::RankThread who{r.rank, r.thread};
    if (r.kind == Kind::message) {
      // A receiver that comes later has it then.
      const Time there = std::max(r.middle, r.end);
      instants_.push_back({r.begin.ps(), 0, locations_.of(who), r.peer,
                           static_cast<std::uint64_t>(r.bytes), Otf2Instant::send});
      instants_.push_back({there.ps(), 0, locations_.of(record::RankThread{r.peer}), r.rank,
                           static_cast<std::uint64_t>(r.bytes), Otf2Instant::receive});
      return;
    }
    if (r.end == r.begin) return;
    const std::uint32_t region = r.kind == Kind::call
                                     ? static_cast<std::uint32_t>(record::kActivities) + r.what
                                     : static_cast<std::uint32_t>(r.activity);
    instants_.push_back(
        {r.begin.ps(), r.end.ps(), locations_.of(who), region, 0, Otf2Instant::enter});
  }

  /// Regions are entered in their order; each is left at its end, or at that of the one around it.
  void write_events() {
    const std::size_t locations = locations_.threads().size();
    counts_.assign(locations, 0);
    expect_written(OTF2_Archive_OpenEvtFiles(archive_.get()), folder_);
    std::size_t next = 0;
    for (std::uint32_t location = 0; location < locations; ++location) {
      OTF2_EvtWriter* const out = OTF2_Archive_GetEvtWriter(archive_.get(), location);
      if (out == nullptr) expect_written(OTF2_ERROR_FILE_CAN_NOT_OPEN, folder_);
      std::vector<Otf2Instant> around;
      const auto leave_until = [&](std::int64_t time) {
        for (; !around.empty() && around.back().other_end <= time; around.pop_back()) {
          expect_written(
              OTF2_EvtWriter_Leave(out, nullptr, at(around.back().other_end), around.back().what),
              folder_);
        }
      };
      for (; next < instants_.size() && instants_[next].location == location; ++next) {
        Otf2Instant instant = instants_[next];
        // What has just been received or sent belongs to what ends then.
        leave_until(instant.kind == Otf2Instant::enter ? instant.time : instant.time - 1);
        if (instant.kind == Otf2Instant::enter) {
          if (!around.empty()) {
            instant.other_end = std::min(instant.other_end, around.back().other_end);
          }
          around.push_back(instant);
        }
        expect_written(write_event(out, instant), folder_);
      }
      leave_until(INT64_MAX);
      OTF2_EvtWriter_GetNumberOfEvents(out, &counts_[location]);
      expect_written(OTF2_Archive_CloseEvtWriter(archive_.get(), out), folder_);
    }
    expect_written(OTF2_Archive_CloseEvtFiles(archive_.get()), folder_);
  }

  static OTF2_TimeStamp at(std::int64_t ps) { return static_cast<OTF2_TimeStamp>(ps); }

  static OTF2_ErrorCode write_event(OTF2_EvtWriter* out, const Otf2Instant& instant) {
    switch (instant.kind) {
      case Otf2Instant::send:
        return OTF2_EvtWriter_MpiSend(out, nullptr, at(instant.time), instant.what, 0, 0,
                                      instant.bytes);
      case Otf2Instant::receive:
        return OTF2_EvtWriter_MpiRecv(out, nullptr, at(instant.time), instant.what, 0, 0,
                                      instant.bytes);
      default:
        return OTF2_EvtWriter_Enter(out, nullptr, at(instant.time), instant.what);
    }
  }

  // What it is called.

  /// Each location has a file for definitions of its own, which is expected though there are none.
  void write_own_definitions() {
    expect_written(OTF2_Archive_OpenDefFiles(archive_.get()), folder_);
    for (std::uint32_t location = 0; location < locations_.threads().size(); ++location) {
      OTF2_DefWriter* const out = OTF2_Archive_GetDefWriter(archive_.get(), location);
      if (out == nullptr) expect_written(OTF2_ERROR_FILE_CAN_NOT_OPEN, folder_);
      expect_written(OTF2_Archive_CloseDefWriter(archive_.get(), out), folder_);
    }
    expect_written(OTF2_Archive_CloseDefFiles(archive_.get()), folder_);
  }

  std::uint32_t text(const std::string& words) {
    const auto [found, fresh] =
        texts_.try_emplace(words, static_cast<std::uint32_t>(texts_.size()));
    if (fresh) {
      expect_written(OTF2_GlobalDefWriter_WriteString(definitions_, found->second, words.c_str()),
                     folder_);
    }
    return found->second;
  }

  void write_definitions() {
    definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_.get());
    if (definitions_ == nullptr) expect_written(OTF2_ERROR_FILE_CAN_NOT_OPEN, folder_);
    expect_written(OTF2_GlobalDefWriter_WriteClockProperties(definitions_, kTicksPerSecond, 0,
                                                             at(run_.overview.end.ps()) + 1,
                                                             OTF2_UNDEFINED_TIMESTAMP),
                   folder_);
    write_regions();
    write_locations();
    write_groups();
    expect_written(OTF2_Archive_CloseGlobalDefWriter(archive_.get(), definitions_), folder_);
  }

  void write_regions() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < record::kActivities; ++i) {
      names.emplace_back(record::name_of(static_cast<record::Activity>(i)));
    }
    for (const std::string& call : run_.recorder->call_names()) names.push_back(call);
    const std::uint32_t nothing = text("");
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      const bool call = i >= record::kActivities;
      const std::uint32_t name = text(names[i]);
      const bool mpi = names[i].starts_with("MPI_");
      expect_written(
          OTF2_GlobalDefWriter_WriteRegion(definitions_, i, name, name, nothing,
                                           call ? OTF2_REGION_ROLE_FUNCTION : OTF2_REGION_ROLE_CODE,
                                           mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                           OTF2_REGION_FLAG_NONE, nothing, 0, 0),
          folder_);
    }
  }

  /// A process for each rank, with its threads.
  void write_locations() {
    const std::uint32_t machine =
        text(run_.facts.platform.empty() ? "machine" : run_.facts.platform);
    expect_written(OTF2_GlobalDefWriter_WriteSystemTreeNode(
                       definitions_, 0, machine, text("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE),
                   folder_);
    const std::vector<record::RankThread>& threads = locations_.threads();
    for (std::uint32_t r = 0; r < run_.overview.ranks; ++r) {
      expect_written(OTF2_GlobalDefWriter_WriteLocationGroup(
                         definitions_, r, text(fmt::format("rank {}", r)),
                         OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP),
                     folder_);
    }
    for (std::uint32_t i = 0; i < threads.size(); ++i) {
      const std::string name =
          threads[i].thread == 0
              ? fmt::format("rank {}", threads[i].rank)
              : fmt::format("rank {}, thread {}", threads[i].rank, threads[i].thread);
      expect_written(OTF2_GlobalDefWriter_WriteLocation(definitions_, i, text(name),
                                                        OTF2_LOCATION_TYPE_CPU_THREAD, counts_[i],
                                                        threads[i].rank),
                     folder_);
    }
  }

  /// All ranks are in one communicator.
  void write_groups() {
    std::vector<std::uint64_t> ranks(run_.overview.ranks);
    for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r] = r;
    const auto members = static_cast<std::uint32_t>(ranks.size());
    const auto write = [&](std::uint32_t number, OTF2_GroupType type, const std::string& name) {
      expect_written(
          OTF2_GlobalDefWriter_WriteGroup(definitions_, number, text(name), type, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, members, ranks.data()),
          folder_);
    };
    write(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, "locations of ranks");
    write(1, OTF2_GROUP_TYPE_COMM_GROUP, "all ranks");
    expect_written(OTF2_GlobalDefWriter_WriteComm(definitions_, 0, text("MPI_COMM_WORLD"), 1,
                                                  OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
                   folder_);
  }

  const RecordedRun& run_;
  const ExportFilter& filter_;
  const std::string& folder_;
  Otf2Locations locations_;
  std::unique_ptr<OTF2_Archive, Closer> archive_;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::vector<Otf2Instant> instants_;
  std::vector<std::uint64_t> counts_;  ///< Events, by location.
  std::map<std::string, std::uint32_t> texts_;
};

}  // namespace

namespace {
void require_otf2(const std::string&) {}
}  // namespace

std::string write_otf2(const RecordedRun& run, const ExportFilter& filter,
                       const std::string& folder) {
  const std::string partial = folder + ".partial";
  std::error_code ignored;
  fs::remove_all(partial, ignored);
  try {
    std::string missing = Otf2Writer(run, filter, partial).write();
    fs::remove(folder, ignored);
    fs::rename(partial, folder);
    return missing;
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(partial, ignored);
    throw RunError("'" + folder + "' could not be written: " + error.code().message());
  } catch (...) {
    fs::remove_all(partial, ignored);
    throw;
  }
}

#else

namespace {
[[noreturn]] void require_otf2(const std::string& option) {
  throw InputError({option},
                   "OTF2 archives are written by a Heddle that was built where the library OTF2 is "
                   "(libotf2-trace-dev); this one was not");
}
}  // namespace

std::string write_otf2(const RecordedRun&, const ExportFilter&, const std::string&) {
  require_otf2("OTF2");
}

#endif

void check_otf2_folder(const std::string& folder, const std::string& option) {
  require_otf2(option);
  std::error_code error;
  if (!fs::exists(folder, error)) {
    const fs::path parent = fs::path(folder).parent_path();
    if (parent.empty() || fs::is_directory(parent, error)) return;
    throw InputError({option}, "the folder '" + parent.string() + "' does not exist");
  }
  if (fs::is_directory(folder, error) && fs::is_empty(folder, error)) return;
  throw InputError({option}, "'" + folder +
                                 "' is there already: accepted is the name of a new folder, or of "
                                 "an empty one");
}

}  // namespace heddle::report
