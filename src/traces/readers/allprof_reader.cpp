// Reads liballprof traces: one line per call, "MPI_Name:start:arguments:end".
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "traces/readers/allprof_functions.hpp"
#include "traces/readers/fields.hpp"
#include "traces/readers/readers.hpp"

namespace heddle::traces {
namespace {

/// Handles of MPICH's MPI_COMM_WORLD and of communicators made later carry these high bits.
bool is_mpich_handle(std::uint64_t handle) {
  const std::uint64_t high = (handle & 0xffffffff) >> 24;
  return high == 0x44 || high == 0x84 || high == 0xc4;
}

/// Picoseconds of a wall clock in microseconds: too large for 64 bits, so in two parts.
struct Instant {
  std::int64_t us = 0;
  std::int64_t ps = 0;
};

/// "1302767374553965" or "1237666047187471.0".
std::optional<Instant> parse_instant(std::string_view text) {
  const std::size_t point = text.find('.');
  Instant instant;
  const auto us = whole_number<std::int64_t>(text.substr(0, point));
  if (!us || *us < 0) return std::nullopt;
  instant.us = *us;
  if (point == std::string_view::npos) return instant;
  std::int64_t digit = 100'000;
  for (const char c : text.substr(point + 1)) {
    if (c < '0' || c > '9') return std::nullopt;
    instant.ps += (c - '0') * digit;
    digit /= 10;
  }
  return instant;
}

/// Addresses that stand for MPI_IN_PLACE.
bool is_in_place(std::uint64_t address) {
  return address == 1 || address == UINT64_MAX;
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
    if (!started_) throw InputError({trace_.file}, "no MPI call: not a trace, or an empty one");
    if (!ended_ && !text_.ends_with('\n'))
      throw InputError({trace_.file, last_line_},
                       "the file ends within this line, before MPI_Finalize: the program was "
                       "stopped or the trace is not all there, so messages are missing");
    finish();
    return std::move(trace_);
  }

 private:
  void read_line(Fields fields, std::uint32_t number) {
    last_line_ = number;
    const std::string_view name = fields.take("a function such as MPI_Send");
    const std::string plain = plain_name(name);
    if (plain.empty()) fields.reject("a function that begins with MPI_");
    if (ended_) fields.reject("nothing after MPI_Finalize");
    if (plain == "init" || plain == "init_thread") return read_init(fields);
    if (plain == "finalize") return read_finalize(fields, number);
    if (plain == "mprobe" || plain == "improbe") return read_matched_probe(fields, plain);
    const AllprofFunction* function = find_function(name);
    if (function) return read_call(fields, *function, number);
    // Its time is part of what lies between two calls that matter.
    if (!started_) started_at(instant(fields));
    if (!is_local_function(plain)) ++trace_.left_out[std::string(name)];
  }

  void read_init(Fields& fields) {
    if (fields.take("'-' or a time") != "-") fields.reject("'-'");
    while (!fields.done()) fields.take("the time of return");
    const auto end = parse_instant(fields.token());
    if (!end) fields.reject("a time in microseconds");
    started_at(*end);
  }

  void read_finalize(Fields& fields, std::uint32_t number) {
    Call call;
    call.kind = CallKind::finalize;
    call.line = number;
    call.start = call.end = clock(fields, instant(fields));
    fields.take("'-'");
    add(call);
    ended_ = true;
  }

  /// What is to be received of it is what was asked for.
  void read_matched_probe(Fields& fields, std::string_view plain) {
    started_at(instant(fields));
    Call probe;
    for (const char letter : std::string_view("sgc")) argument(fields, letter, probe);
    if (plain == "improbe") fields.take("an argument");
    probes_[fields.address("the address of a message")] = probe;
  }

  void read_call(Fields& fields, const AllprofFunction& function, std::uint32_t number) {
    Call call;
    call.kind = function.kind;
    call.line = number;
    using F = AllprofFunction;
    call.synchronous =
        function.mode == F::synchronous || function.mode == F::nonblocking_synchronous;
    call.nonblocking =
        function.mode == F::nonblocking || function.mode == F::nonblocking_synchronous;
    call.persistent = function.mode == F::persistent;
    call.start = clock(fields, instant(fields));
    arguments_ = {};
    for (const char letter : function.arguments) argument(fields, letter, call);
    call.end = clock(fields, instant(fields));
    fields.expect_done();
    set_sizes(fields, function, call);
    if (arguments_.lost)
      ++trace_.left_out["MPI_Mrecv, of messages that no MPI_Mprobe found,"];
    else
      add(call);
  }

  void argument(Fields& fields, char letter, Call& call) {
    switch (letter) {
      case 'b':
        call.buffer = fields.address("the address of a buffer");
        break;
      case 'B':
        call.recv_buffer = fields.address("the address of a buffer");
        break;
      case 'n':
        arguments_.count = fields.integer("a count");
        break;
      case 'N':
        arguments_.recv_count = fields.integer("a count");
        break;
      case 't':
        arguments_.size = datatype(fields);
        ++arguments_.types;
        break;
      case 'T':
        arguments_.recv_size = datatype(fields);
        break;
      case 'v':
        counts(fields, arguments_.counts);
        break;
      case 'V':
        counts(fields, arguments_.recv_counts);
        break;
      case 'x':
        counts(fields, arguments_.displacements);
        break;
      case 'd':
      case 'r':
        call.peer = number32(fields, "a rank");
        break;
      case 's':
        (call.kind == CallKind::sendrecv ? call.source : call.peer) = number32(fields, "a rank");
        break;
      case 'g':
        call.tag = number32(fields, "a tag");
        break;
      case 'G':
        call.recv_tag = number32(fields, "a tag");
        break;
      case 'c':
        call.comm = communicator(fields);
        break;
      case 'q':
        call.request = fields.address("the address of a request");
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
      case 'C':
        call.peer = number32(fields, "a colour");
        break;
      case 'K':
        call.tag = number32(fields, "a key");
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

  static std::int32_t number32(Fields& fields, std::string_view what) {
    const std::int64_t value = fields.integer(what);
    if (value < INT32_MIN || value > INT32_MAX) fields.reject(std::string(what) + " of 32 bits");
    return static_cast<std::int32_t>(value);
  }

  /// "code,size,extent"; gives the size.
  static std::int64_t datatype(Fields& fields) {
    Fields parts = fields.parts("a datatype", ',');
    parts.take("a datatype's code");
    const std::int64_t size = parts.integer("a datatype's size");
    parts.integer("a datatype's extent");
    parts.expect_done();
    return size;
  }

  /// An address, then the numbers as a field of their own.
  static void counts(Fields& fields, std::vector<std::int64_t>& list) {
    fields.address("the address of counts");
    Fields parts = fields.parts("counts such as 4,4,8", ',');
    list.clear();
    while (!parts.done()) list.push_back(parts.integer("a count"));
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

  static std::uint64_t product(Fields& fields, std::int64_t count, std::int64_t size) {
    std::int64_t bytes = 0;
    if (count < 0 || size < 0 || __builtin_mul_overflow(count, size, &bytes))
      throw InputError(fields.where(), "'" + std::to_string(count) + "' elements of '" +
                                           std::to_string(size) +
                                           "' bytes is no size: both must be 0 or more");
    return static_cast<std::uint64_t>(bytes);
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
    const Arguments& a = arguments_;
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
    const Arguments& a = arguments_;
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
    const Arguments& a = arguments_;
    const bool rooted = call.kind == CallKind::gather || call.kind == CallKind::scatter;
    if (!rooted && call.kind != CallKind::allgather && call.kind != CallKind::alltoall) return;
    if (call.untyped || (rooted && call.peer != trace_.comms[call.comm].rank)) return;
    const bool sends = call.kind == CallKind::scatter;
    const std::int64_t size = sends ? a.size : a.recv_size;
    if (call.per_member)
      call.others_list = sizes(fields, sends ? a.counts : a.recv_counts, size);
    else
      call.others = product(fields, sends ? a.count : a.recv_count, size);
  }

  /// The rank's own among the receive counts.
  std::int64_t own_count(const Call& call) const {
    const auto rank = static_cast<std::size_t>(trace_.comms[call.comm].rank);
    return rank < arguments_.recv_counts.size() ? arguments_.recv_counts[rank] : 0;
  }

  /// Requests of 4 bytes give themselves away by an address that is no multiple of 8.
  void note_requests(const AllprofFunction& function, const Call& call) {
    if (function.arguments.find('q') == std::string_view::npos) return;
    if (call.request % 8 == 4) trace_.request_size = 4;
  }

  Instant instant(Fields& fields) {
    const auto value = parse_instant(fields.take("a time in microseconds"));
    if (!value) fields.reject("a time in microseconds such as 1302767374553965");
    return *value;
  }

  void started_at(const Instant& instant) {
    if (!started_) origin_ = instant;
    started_ = true;
  }

  /// On the rank's own clock.
  std::int64_t clock(Fields& fields, const Instant& instant) {
    started_at(instant);
    constexpr std::int64_t kLongest = INT64_MAX / 4'000'000;
    const std::int64_t us = instant.us - origin_.us;
    if (us > kLongest || us < -kLongest)
      fields.reject("a time less than 26 days from the beginning of the trace");
    const std::int64_t now = us * 1'000'000 + instant.ps - origin_.ps;
    if (now < latest_) ++trace_.backwards;
    latest_ = std::max(latest_, now);
    return latest_;
  }

  void add(const Call& call) { trace_.calls.push_back(call); }

  /// MPI_ANY_SOURCE and MPI_PROC_NULL are -1 and -2 in Open MPI, -2 and -1 in MPICH.
  void finish() {
    for (Call& call : trace_.calls) {
      if (call.kind == CallKind::send) negative_is_null(call.peer);
      if (call.kind == CallKind::recv) set_wildcard(call.peer);
      if (call.kind == CallKind::sendrecv) {
        negative_is_null(call.peer);
        set_wildcard(call.source);
      }
    }
  }
  static void negative_is_null(std::int32_t& peer) {
    if (peer < 0) peer = kNoPeer;
  }
  void set_wildcard(std::int32_t& peer) const {
    if (peer < 0) peer = peer == (mpich_ ? -2 : -1) ? kAnyPeer : kNoPeer;
  }

  struct Arguments {
    std::int64_t count = 0;
    std::int64_t recv_count = 0;
    std::int64_t size = 0;
    std::int64_t recv_size = 0;
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> recv_counts;
    std::vector<std::int64_t> displacements;
    std::optional<std::int64_t> requests;
    int types = 0;      ///< Send datatypes given.
    bool lost = false;  ///< What is received was not found by any probe.
  };

  std::string_view text_;
  RankTrace trace_;
  Arguments arguments_;
  std::map<std::uint64_t, Call> probes_;  ///< By the address of the message found.
  std::uint32_t last_line_ = 0;
  Instant origin_;
  std::int64_t latest_ = 0;
  std::uint32_t last_comm_ = 0;
  bool started_ = false;
  bool ended_ = false;
  bool mpich_ = false;
};

}  // namespace

RankTrace parse_allprof(std::string_view text, const std::string& file) {
  return AllprofReader(text, file).read();
}

}  // namespace heddle::traces
