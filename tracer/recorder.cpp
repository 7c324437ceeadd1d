#include "recorder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace heddle_trace {
namespace {

constexpr const char* kDefaultFolder = "heddle-trace";

std::string folder() {
  const char* chosen = std::getenv("HEDDLE_TRACE_DIR");
  return chosen && *chosen ? chosen : kDefaultFolder;
}

void make_folders(const std::string& path) {
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
    mkdir(path.substr(0, at).c_str(), 0777);
  }
  mkdir(path.c_str(), 0777);
}

std::string file_of_rank(int rank) {
  char name[32];
  std::snprintf(name, sizeof(name), "/rank-%06d.htrace", rank);
  return folder() + name;
}

/// An earlier run with more ranks would leave files that do not belong to this one.
void remove_files_from(int rank) {
  while (unlink(file_of_rank(rank).c_str()) == 0) ++rank;
}

TraceHeader describe_process(std::int64_t time) {
  TraceHeader header;
  PMPI_Comm_rank(MPI_COMM_WORLD, &header.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &header.size);
  char host[256] = "";
  gethostname(host, sizeof(host) - 1);
  header.host = host;
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(library, &length);
  header.library.assign(library, std::strcspn(library, "\n"));
  timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  header.wall_clock =
      static_cast<std::uint64_t>(wall.tv_sec * 1'000'000'000LL + wall.tv_nsec - (now() - time));
  return header;
}

std::int64_t portable_rank(int rank) {
  if (rank == MPI_ANY_SOURCE) return -1;
  if (rank == MPI_PROC_NULL) return -2;
  if (rank == MPI_ROOT) return -3;
  return rank;
}

std::int64_t portable_tag(int tag) {
  return tag == MPI_ANY_TAG ? -1 : tag;
}

std::uint64_t portable_address(Word word) {
  return word == to_word(MPI_IN_PLACE) ? 1 : word;
}

std::uint64_t size_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return 0;
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  return size < 0 ? 0 : static_cast<std::uint64_t>(size);
}

void put_status(const MPI_Status& status, Bytes& out) {
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  out.signed_number(portable_rank(status.MPI_SOURCE));
  out.signed_number(portable_tag(status.MPI_TAG));
  out.number(bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes));
}

/// How many neighbours a member receives from and sends to.
void count_neighbours(MPI_Comm comm, int& sources, int& destinations) {
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_DIST_GRAPH) {
    int weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
  } else if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &sources);
    destinations = sources *= 2;
  } else if (topology == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &sources);
    destinations = sources;
  }
}

}  // namespace

thread_local int Scope::depth_ = 0;

/// What lies between `before` and `after` of a call.
struct Recorder::Scratch {
  std::vector<MPI_Request> requests;
  MPI_Status status;
  std::vector<MPI_Status> statuses;
  Word message = 0;
};

/// The fields of one call.
class Recorder::Record {
 public:
  Record(Recorder& recorder, CallId id, const Word* words)
      : recorder_(recorder),
        call_(kCalls[static_cast<unsigned>(id)]),
        words_(words),
        out_(recorder.file_.record()) {
    if (const Word* comm = find('c')) {
      comm_ = recorder.communicators_.find(from_word<MPI_Comm>(*comm));
    }
    if (find('T') || find('W')) set_sides();
    sources_ = destinations_ = comm_.size;
    if (std::strstr(call_.name, "eighbor")) {
      count_neighbours(from_word<MPI_Comm>(*find('c')), sources_, destinations_);
    }
  }

  void put() {
    for (unsigned i = 0; call_.letters[i]; ++i) put(call_.letters[i], words_[i]);
  }

 private:
  const Word* find(char letter) const {
    const char* at = std::strchr(call_.letters, letter);
    return at ? words_ + (at - call_.letters) : nullptr;
  }
  template <class T>
  T value(char letter, T otherwise) const {
    const Word* word = find(letter);
    return word ? from_word<T>(*word) : otherwise;
  }
  /// What an output argument holds now.
  template <class T>
  T result(char letter, T otherwise) const {
    const Word* word = find(letter);
    return word ? *from_word<const T*>(*word) : otherwise;
  }

  /// Arguments that mean nothing to the MPI may hold anything.
  void set_sides() {
    const int root = value<int>(find('<') ? '<' : '>', 0);
    const bool is_root = comm_.between_groups ? root == MPI_ROOT : root == comm_.rank;
    const bool contributes = !comm_.between_groups || root >= 0;
    if (find('<')) sends_ = contributes, receives_ = is_root;
    if (find('>')) receives_ = contributes, sends_ = is_root;
    sends_ = sends_ && value<Word>('b', 0) != to_word(MPI_IN_PLACE);
    receives_ = receives_ && value<Word>('B', 0) != to_word(MPI_IN_PLACE);
  }

  void put(char letter, Word word) {
    switch (letter) {
      case 'b':
      case 'B':
        return out_.number(portable_address(word));
      case 'n':
        return out_.signed_number(sends_ ? static_cast<std::int64_t>(word) : 0);
      case 'N':
        return out_.signed_number(receives_ ? static_cast<std::int64_t>(word) : 0);
      case 't':
        return out_.number(sends_ ? size_of(from_word<MPI_Datatype>(word)) : 0);
      case 'T':
        return out_.number(receives_ ? size_of(from_word<MPI_Datatype>(word)) : 0);
      case 'v':
        return put_counts(word, sends_ ? destinations_ : 0);
      case 'V':
        return put_counts(word, receives_ ? sources_ : 0);
      case 'w':
        return put_types(word, sends_ ? destinations_ : 0);
      case 'W':
        return put_types(word, receives_ ? sources_ : 0);
      case 'd':
      case 's':
      case 'r':
      case '<':
      case '>':
        return out_.signed_number(portable_rank(from_word<int>(word)));
      case 'g':
      case 'G':
        return out_.signed_number(portable_tag(from_word<int>(word)));
      case 'C':
      case 'K':
        return out_.signed_number(from_word<int>(word));
      case 'c':
        return out_.number(comm_.id);
      case 'f':
        return out_.number(result<int>('f', 0) != 0);
      case 'S':
        return put_status_if_any(word);
      case 'q':
        return put_new_request(word);
      case 'Q':
        return put_requests(word);
      case 'h':
        return put_message();
      case 'H':
        return keep_message(word);
      case 'e':
        return out_.number(recorder_.windows_.count(word) ? recorder_.windows_[word] : kUnknownId);
      case 'E':
        recorder_.windows_[to_word(*from_word<MPI_Win*>(word))] = comm_.id;
        return;
      default:
        return;
    }
  }

  void put_counts(Word word, int length) {
    const std::size_t name_length = std::strlen(call_.name);
    const bool large = std::strcmp(call_.name + name_length - 2, "_c") == 0;
    out_.number(static_cast<std::uint64_t>(length));
    for (int i = 0; i < length; ++i) {
      out_.signed_number(large ? static_cast<std::int64_t>(from_word<const MPI_Count*>(word)[i])
                               : from_word<const int*>(word)[i]);
    }
  }
  void put_types(Word word, int length) {
    out_.number(static_cast<std::uint64_t>(length));
    for (int i = 0; i < length; ++i) out_.number(size_of(from_word<const MPI_Datatype*>(word)[i]));
  }
  void put_status_if_any(Word word) {
    const bool any = result<int>('f', 1) != 0;
    out_.number(any);
    if (any) put_status(*from_word<const MPI_Status*>(word), out_);
  }

  void put_new_request(Word word) {
    const bool receives = find('s') || find('h');
    out_.number(recorder_.requests_.add(to_word(*from_word<MPI_Request*>(word)), receives));
  }

  /// The requests named, then those that the call found complete: position, and what was received.
  void put_requests(Word word) {
    const std::vector<MPI_Request>& before = scratch().requests;
    const auto* after = from_word<const MPI_Request*>(word);
    std::vector<Request>& named = named_;
    named.clear();
    for (std::size_t i = 0; i < before.size(); ++i) {
      named.push_back(recorder_.requests_.find(to_word(before[i])));
      if (before[i] != MPI_REQUEST_NULL && after[i] == MPI_REQUEST_NULL) {
        recorder_.requests_.remove(to_word(before[i]));
      }
    }
    out_.number(named.size());
    for (const Request& request : named) out_.number(request.id);
    put_completed(named);
  }
  void put_completed(const std::vector<Request>& named) {
    const int complete = completed(static_cast<int>(named.size()));
    out_.number(static_cast<std::uint64_t>(complete));
    for (int i = 0; i < complete; ++i) {
      const auto position = static_cast<std::size_t>(position_of(i));
      const bool receives = named[position].receives;
      out_.number(position << 1 | receives);
      if (!receives) continue;
      const MPI_Status* statuses =
          from_word<const MPI_Status*>(value<Word>(find('1') ? '1' : '*', 0));
      put_status(statuses[i], out_);
    }
  }
  int completed(int named) const {
    if (!find('1') && !find('*')) return 0;
    if (result<int>('F', 1) == 0) return 0;
    if (find('i')) return result<int>('i', 0) == MPI_UNDEFINED ? 0 : 1;
    const int some = result<int>('m', named);
    return some == MPI_UNDEFINED ? 0 : some;
  }
  int position_of(int i) const {
    if (find('i')) return result<int>('i', 0);
    return find('I') ? from_word<const int*>(*find('I'))[i] : i;
  }

  void put_message() {
    const auto found = recorder_.messages_.find(scratch().message);
    out_.number(found == recorder_.messages_.end() ? kUnknownId : found->second);
    if (found != recorder_.messages_.end()) recorder_.messages_.erase(found);
  }
  void keep_message(Word word) {
    if (result<int>('f', 1) == 0) return;
    recorder_.messages_[to_word(*from_word<MPI_Message*>(word))] = comm_.id;
  }

  Recorder& recorder_;
  const CallInfo& call_;
  const Word* words_;
  Bytes& out_;
  CommInfo comm_;
  bool sends_ = true;
  bool receives_ = true;
  int sources_ = 0;
  int destinations_ = 0;
  static thread_local std::vector<Request> named_;
};

thread_local std::vector<Request> Recorder::Record::named_;

Recorder& Recorder::instance() {
  // Never destroyed: programs may call MPI while the process ends.
  static Recorder* const recorder = new Recorder;
  return *recorder;
}

Recorder::Scratch& Recorder::scratch() {
  static thread_local Scratch scratch;
  return scratch;
}

void Recorder::before(CallId id, Word* words) {
  if (id == CallId::Init || id == CallId::Init_thread) return;
  if (!opened_) open_late();
  if (id == CallId::Abort) {
    const std::int64_t time = now();
    after(id, words, time, time, true);
    return flush();
  }
  int requests = 1;
  const char* letters = kCalls[static_cast<unsigned>(id)].letters;
  for (unsigned i = 0; letters[i]; ++i) {
    Word& word = words[i];
    switch (letters[i]) {
      case 'k':
        requests = from_word<int>(word);
        break;
      case 'Q': {
        const auto* first = from_word<const MPI_Request*>(word);
        scratch().requests.assign(first, first + requests);
        break;
      }
      case '1':
      case 'S':
        if (from_word<MPI_Status*>(word) == MPI_STATUS_IGNORE) word = to_word(&scratch().status);
        break;
      case '*':
        if (from_word<MPI_Status*>(word) != MPI_STATUSES_IGNORE) break;
        scratch().statuses.resize(static_cast<std::size_t>(requests));
        word = to_word(scratch().statuses.data());
        break;
      case 'h':
        scratch().message = to_word(*from_word<MPI_Message*>(word));
        break;
      default:
        break;
    }
  }
}

void Recorder::after(CallId id, const Word* words, std::int64_t start, std::int64_t end,
                     bool success) {
  if (!opened_ && success && (id == CallId::Init || id == CallId::Init_thread)) open(start);
  if (!file_.is_open()) return;
  if (success) {
    write(id, words, start, end);
  } else {
    write_failure(id, start, end);
  }
  if (id != CallId::Finalize) return;
  const std::lock_guard lock(mutex_);
  file_.close();
}

void Recorder::flush() {
  const std::lock_guard lock(mutex_);
  if (file_.is_open()) file_.flush();
}

/// A program in another language may have started the MPI by a function that is not traced.
void Recorder::open_late() {
  int initialized = 0;
  int finalized = 0;
  PMPI_Initialized(&initialized);
  PMPI_Finalized(&finalized);
  if (initialized && !finalized) open(now());
}

void Recorder::open(std::int64_t time) {
  const std::lock_guard lock(mutex_);
  if (opened_) return;
  opened_ = true;
  last_ = time;
  communicators_.open();
  const TraceHeader header = describe_process(time);
  make_folders(folder());
  if (header.rank == 0) remove_files_from(header.size);
  file_.open(file_of_rank(header.rank), header);
}

void Recorder::write(CallId id, const Word* words, std::int64_t start, std::int64_t end) {
  // All members agree on the name of a new communicator, so no lock may be held meanwhile.
  Bytes made;
  const char* letters = kCalls[static_cast<unsigned>(id)].letters;
  if (const char* at = std::strchr(letters, 'M')) {
    communicators_.adopt(*from_word<MPI_Comm*>(words[at - letters]), made);
  }
  const std::lock_guard lock(mutex_);
  if (!file_.is_open()) return;
  write_times(static_cast<unsigned>(id), start, end);
  Record(*this, id, words).put();
  file_.record().append(made);
  file_.end_record(end);
}

void Recorder::write_failure(CallId id, std::int64_t start, std::int64_t end) {
  const std::lock_guard lock(mutex_);
  if (!file_.is_open()) return;
  write_times(kCallCount, start, end);
  file_.record().number(static_cast<unsigned>(id));
  file_.end_record(end);
}

void Recorder::write_times(unsigned call, std::int64_t start, std::int64_t end) {
  Bytes& out = file_.record();
  out.number(call);
  out.signed_number(start - last_);
  out.number(static_cast<std::uint64_t>(end - start));
  last_ = end;
}

}  // namespace heddle_trace

/// When the program ends without MPI_Finalize, what it did is not lost.
__attribute__((destructor)) static void flush_at_exit() {
  heddle_trace::Recorder::instance().flush();
}
