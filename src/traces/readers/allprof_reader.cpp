// Reads liballprof traces: one line per call, "MPI_Name:start:arguments:end".
#include "traces/readers/allprof_reader.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "goal/formats/mapped_file.hpp"
#include "traces/readers/allprof_fields.hpp"
#include "traces/readers/allprof_functions.hpp"
#include "traces/readers/fields.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

/// Handles of MPICH's MPI_COMM_WORLD and of communicators made later carry these high bits.
bool is_mpich_handle(std::uint64_t handle) {
  const std::uint64_t high = (handle & 0xffffffff) >> 24;
  return high == 0x44 || high == 0x84 || high == 0xc4;
}

/// Addresses that stand for MPI_IN_PLACE.
bool is_in_place(std::uint64_t address) {
  return address == 1 || address == UINT64_MAX;
}

void negative_is_null(std::int32_t& peer) {
  if (peer < 0) peer = kNoPeer;
}
class AllprofReader {
 public:
  AllprofReader(std::string_view text, const std::string& file) : text_(text) {
    trace_.file = file;
  }

  RankTrace read() {
    for_each_line(text_, [this](std::string_view line, std::uint32_t number) {
      if (line.empty() || line.starts_with('#')) return;
      read_line(Fields(line, number, trace_.file, ':'), number);
    });
    if (!clock_.started()) {
      throw InputError({trace_.file}, "no MPI call: not a trace, or an empty one");
    }
    if (!ended_ && !text_.ends_with('\n')) {
      throw InputError({trace_.file, last_line_},
                       "the file ends within this line, before MPI_Finalize: the program was "
                       "stopped or the trace is not all there, so messages are missing");
    }
    finish();
    return std::move(trace_);
  }

 private:
  /// What is known of a function by its name.
  struct Name {
    std::string plain;
    const AllprofFunction* function;  ///< Null: a schedule does not care for it.
  };

  const Name& name_of(std::string_view name) {
    const auto known = names_.find(name);
    if (known != names_.end()) return known->second;
    return names_.emplace(name, Name{plain_name(name), find_function(name)}).first->second;
  }

  void read_line(Fields fields, std::uint32_t number) {
    last_line_ = number;
    const std::string_view name = fields.take("a function such as MPI_Send");
    const Name& known = name_of(name);
    const std::string& plain = known.plain;
    if (plain.empty()) fields.reject("a function that begins with MPI_");
    if (ended_) fields.reject("nothing after MPI_Finalize");
    if (known.function != nullptr) return read_call(fields, *known.function, number);
    if (plain == "init" || plain == "init_thread") return read_init(fields);
    if (plain == "finalize") return read_finalize(fields, number);
    if (plain == "mprobe" || plain == "improbe") return read_matched_probe(fields, plain);
    // Its time is part of what lies between two calls that matter.
    if (!clock_.started()) clock_.start(instant_of(fields));
    if (!is_local_function(plain)) ++trace_.left_out[std::string(name)];
  }

  void read_init(Fields& fields) {
    if (fields.take("'-' or a time") != "-") fields.reject("'-'");
    while (!fields.done()) fields.take("the time of return");
    const auto end = parse_instant(fields.token());
    if (!end) fields.reject("a time in microseconds");
    clock_.start(*end);
  }

  void read_finalize(Fields& fields, std::uint32_t number) {
    Call call;
    call.kind = CallKind::finalize;
    call.line = number;
    call.start = call.end = clock_.time(fields, trace_.backwards);
    fields.take("'-'");
    add(call);
    ended_ = true;
  }

  /// What is to be received of it is what was asked for.
  void read_matched_probe(Fields& fields, std::string_view plain) {
    clock_.start(instant_of(fields));
    Call probe;
    for (const char letter : std::string_view("sgc")) argument(fields, letter, probe);
    if (plain == "improbe") fields.take("an argument");
    probes_[fields.address("the address of a message")] = probe;
  }

  void read_call(Fields& fields, const AllprofFunction& function, std::uint32_t number) {
    Call call = kNoCall;
    call.kind = function.kind;
    call.line = number;
    using F = AllprofFunction;
    call.synchronous =
        function.mode == F::synchronous || function.mode == F::nonblocking_synchronous;
    call.nonblocking =
        function.mode == F::nonblocking || function.mode == F::nonblocking_synchronous;
    call.persistent = function.mode == F::persistent;
    call.start = clock_.time(fields, trace_.backwards);
    arguments_ = {};
    for (const char letter : function.arguments) argument(fields, letter, call);
    call.end = clock_.time(fields, trace_.backwards);
    fields.expect_done();
    set_sizes(fields, function, call);
    if (arguments_.lost) {
      ++trace_.left_out["MPI_Mrecv, of messages that no MPI_Mprobe found,"];
    } else {
      add(call);
    }
  }

  void argument(Fields& fields, char letter, Call& call) {
    if (!read_number(fields, letter, arguments_, call)) special_argument(fields, letter, call);
  }

  void special_argument(Fields& fields, char letter, Call& call) {
    switch (letter) {
      case 't':
        arguments_.size = datatype(fields);
        ++arguments_.types;
        break;
      case 'T':
        arguments_.recv_size = datatype(fields);
        break;
      case 's':
        (call.kind == CallKind::sendrecv ? call.source : call.peer) = number32(fields, "a rank");
        break;
      case 'c':
        call.comm = communicator(fields);
        break;
      case 'k':
        arguments_.requests = fields.integer("a number of requests", 0);
        break;
      case 'm':
        probed_message(fields, call);
        break;
      case '*':
        fields.skip_to_last();
        break;
      default:
        fields.take("an argument");
        break;
    }
  }

  void probed_message(Fields& fields, Call& call) {
    const auto probe = probes_.find(fields.address("the address of a message"));
    arguments_.lost = probe == probes_.end();
    if (arguments_.lost) return;
    call.peer = probe->second.peer;
    call.tag = probe->second.tag;
    call.comm = probe->second.comm;
    probes_.erase(probe);
  }

  /// "handle,rank,size"
  std::uint32_t communicator(Fields& fields) {
    Fields parts = fields.parts("a communicator", ',');
    CommName comm;
    const std::int64_t handle = parts.integer("a communicator's handle");
    comm.handle = static_cast<std::uint64_t>(handle);
    comm.rank = number32(parts, "a rank");
    if (comm.rank < 0) parts.reject("a rank of at least 0");
    comm.size = number32(parts, "the size of a communicator");
    if (comm.size <= comm.rank) parts.reject("a size larger than the rank before it");
    parts.expect_done();
    mpich_ = mpich_ || is_mpich_handle(comm.handle);
    std::vector<CommName>& comms = trace_.comms;
    // Mostly the same one again.
    if (last_comm_ < comms.size() && comms[last_comm_] == comm) return last_comm_;
    last_comm_ =
        static_cast<std::uint32_t>(std::find(comms.begin(), comms.end(), comm) - comms.begin());
    if (last_comm_ == comms.size()) comms.push_back(comm);
    return last_comm_;
  }

  std::uint32_t sizes(Fields& fields, const std::vector<std::int64_t>& list, std::int64_t size) {
    std::vector<std::uint64_t> bytes;
    bytes.reserve(list.size());
    for (const std::int64_t count : list) bytes.push_back(product(fields, count, size));
    trace_.lists.push_back(std::move(bytes));
    return static_cast<std::uint32_t>(trace_.lists.size() - 1);
  }

  /// Turns counts and datatypes into bytes.
  void set_sizes(Fields& fields, const AllprofFunction& function, Call& call) {
    const AllprofArguments& a = arguments_;
    const bool in_place = is_in_place(call.buffer);
    call.per_member = function.name.ends_with('v') || function.name.ends_with('w');
    switch (call.kind) {
      case CallKind::scatter:
        if (!is_in_place(call.recv_buffer)) call.bytes = product(fields, a.recv_count, a.recv_size);
        break;
      case CallKind::gather:
        if (!in_place) call.bytes = product(fields, a.count, a.size);
        break;
      case CallKind::allgather:
        call.bytes = !in_place         ? product(fields, a.count, a.size)
                     : call.per_member ? product(fields, own_count(call), a.recv_size)
                                       : product(fields, a.recv_count, a.recv_size);
        break;
      case CallKind::alltoall:
        set_alltoall_sizes(fields, in_place, call);
        break;
      case CallKind::reduce_scatter:
        call.bytes = product(fields, a.count, a.size);
        if (!a.recv_counts.empty()) call.list = sizes(fields, a.recv_counts, a.size);
        break;
      case CallKind::sendrecv:
        call.bytes = call.recv_bytes = product(fields, a.count, a.size);
        if (call.recv_buffer != 0) call.recv_bytes = product(fields, a.recv_count, a.recv_size);
        if (function.name == "sendrecv_replace") call.recv_buffer = call.buffer;
        break;
      default:
        call.bytes = product(fields, a.count, a.size);
    }
    set_others(fields, call);
    if (in_place) call.buffer = call.recv_buffer;
    call.requests = static_cast<std::uint32_t>(
        std::min<std::int64_t>(a.requests.value_or(1), std::numeric_limits<std::uint32_t>::max()));
    note_requests(function, call);
  }

  void set_alltoall_sizes(Fields& fields, bool in_place, Call& call) {
    const AllprofArguments& a = arguments_;
    const std::int64_t size = in_place ? a.recv_size : a.size;
    if (!call.per_member) {
      call.bytes = product(fields, in_place ? a.recv_count : a.count, size);
      return;
    }
    call.untyped = a.types == 0;
    call.list = sizes(fields, in_place ? a.recv_counts : a.counts, call.untyped ? 1 : size);
  }

  /// The other side. MPI gives that of a gather or scatter no meaning except at the root.
  void set_others(Fields& fields, Call& call) {
    const AllprofArguments& a = arguments_;
    const bool rooted = call.kind == CallKind::gather || call.kind == CallKind::scatter;
    if (!rooted && call.kind != CallKind::allgather && call.kind != CallKind::alltoall) return;
    if (call.untyped || (rooted && call.peer != trace_.comms[call.comm].rank)) return;
    const bool sends = call.kind == CallKind::scatter;
    const std::int64_t size = sends ? a.size : a.recv_size;
    if (call.per_member) {
      call.others_list = sizes(fields, sends ? a.counts : a.recv_counts, size);
    } else {
      call.others = product(fields, sends ? a.count : a.recv_count, size);
    }
  }

  /// The rank's own among the receive counts.
  std::int64_t own_count(const Call& call) const {
    const auto rank = static_cast<std::size_t>(trace_.comms[call.comm].rank);
    return rank < arguments_.recv_counts.size() ? arguments_.recv_counts[rank] : 0;
  }

  /// Requests of 4 bytes give themselves away by an address that is no multiple of 8.
  void note_requests(const AllprofFunction& function, const Call& call) {
    if (call.request % 8 != 4 || function.arguments.find('q') == std::string_view::npos) return;
    trace_.request_size = 4;
  }

  void add(const Call& call) {
    if (call.peer < 0 || call.source < 0) negative_.push_back(trace_.calls.size());
    trace_.calls.push_back(call);
  }

  /// MPI_ANY_SOURCE and MPI_PROC_NULL are -1 and -2 in Open MPI, -2 and -1 in MPICH; which of them
  /// it was is known when all is read.
  void finish() {
    for (const std::size_t i : negative_) {
      Call& call = trace_.calls.edit(i);
      if (call.kind == CallKind::send) negative_is_null(call.peer);
      if (call.kind == CallKind::recv) set_wildcard(call.peer);
      if (call.kind == CallKind::sendrecv) {
        negative_is_null(call.peer);
        set_wildcard(call.source);
      }
    }
  }
  void set_wildcard(std::int32_t& peer) const {
    if (peer < 0) peer = peer == (mpich_ ? -2 : -1) ? kAnyPeer : kNoPeer;
  }

  std::string_view text_;
  RankTrace trace_;
  AllprofArguments arguments_;
  std::map<std::uint64_t, Call> probes_;  ///< By the address of the message found.
  std::uint32_t last_line_ = 0;
  AllprofClock clock_;
  std::uint32_t last_comm_ = 0;
  std::unordered_map<std::string_view, Name> names_;  ///< Those seen so far.
  std::vector<std::size_t> negative_;                 ///< Calls with a rank below 0.
  bool ended_ = false;
  bool mpich_ = false;
};

/// The successor of liballprof writes addresses in hexadecimal, and numbers for datatypes and
/// communicators without their sizes.
void refuse_allprof2(std::string_view text, const std::string& path) {
  constexpr std::size_t kBeginning = 4096;
  const std::size_t at = text.substr(0, kBeginning).find(":0x");
  if (at == std::string_view::npos) return;
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw InputError({path, static_cast<std::uint32_t>(line)},
                   "a trace of liballprof2, which does not tell the sizes of datatypes and so of "
                   "messages: one of liballprof or of libheddle_trace is expected");
}

bool begins_like_allprof(std::string_view beginning) {
  const std::string_view line = first_line(beginning);
  const std::string_view head = line.substr(0, line.find(':'));
  return head.size() < line.size() && head.size() < 64 && !plain_name(head).empty();
}

Trace read_allprof(const std::vector<std::string>& files, const TraceReadOptions&) {
  Trace trace;
  for (const std::string& file : files) {
    const goal::MappedFile mapped(file, "trace");
    trace.ranks.push_back(parse_allprof(mapped.bytes(), file));
  }
  return trace;
}

}  // namespace

RankTrace parse_allprof(std::string_view text, const std::string& file) {
  return AllprofReader(text, file).read();
}

const TraceReader& allprof_reader() {
  static const TraceReader reader = {"liballprof",
                                     "a liballprof trace (lines such as MPI_Send:...)",
                                     begins_like_allprof,
                                     read_allprof,
                                     nullptr,
                                     refuse_allprof2};
  return reader;
}

}  // namespace heddle::traces
