// Reads SimGrid's time-independent traces: one line per action, "rank action arguments".
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "traces/readers/fields.hpp"
#include "traces/readers/readers.hpp"

namespace heddle::traces {
namespace {

/// Bytes of SMPI's predefined datatypes, by number; 0 for numbers that differ between versions.
constexpr std::array<std::uint8_t, 60> kSizes = {
    8, 4,  1,  2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8,
    8, 16, 16, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0, 8};

/// Counts and flops are written as decimals, with an exponent or without.
constexpr double kMost = 9e15;

}  // namespace

/// One action of one rank.
class TimeIndependentReader::Line {
 public:
  Line(TimeIndependentReader& reader, std::string_view text, std::uint32_t number,
       const std::string& file)
      : reader_(reader), fields_(text, number, file, ' ') {
    call_.line = number;
  }

  void read() {
    find_rank();
    call_.synchronous = std::exchange(state_->synchronous, false);
    call_.buffered = call_.detached = std::exchange(state_->buffered, false);
    for_action(std::string(fields_.take("an action such as send")));
    if (!rest_ignored_) fields_.expect_done();
    if (call_.synchronous && call_.kind != CallKind::send)
      throw InputError(fields_.where(), "behind #synchronous a send or isend is accepted");
    if (call_.buffered && (call_.kind != CallKind::send || !call_.nonblocking))
      throw InputError(fields_.where(), "behind #buffered an isend is accepted");
  }

  /// "#synchronous RANK": the send that follows ends only when it is received.
  void read_synchronous() {
    read_mark("#synchronous");
    state_->synchronous = true;
  }
  /// "#buffered RANK": the isend that follows, for which nobody waits, is MPI_Bsend.
  void read_buffered() {
    read_mark("#buffered");
    state_->buffered = true;
  }

  /// "#among MEMBERS RANK ACTION ...": what the messages up to the next mark are together.
  void read_among() {
    fields_.take("#among");
    const std::string members(fields_.take("ranks"));
    const auto ranks = static_cast<std::uint32_t>(reader_.ranks_.size());
    const std::optional<RankList> list = RankList::read(members, ranks);
    if (!list) fields_.reject("ranks such as 0:6:2,9");
    read();
    if (!is_collective(call_.kind) || call_.per_member)
      fields_.reject("a collective with parts of equal size");
    if (state_->among) throw InputError(fields_.where(), "the one before has no #end");
    trace_->calls.pop_back();
    const auto [group, fresh] =
        state_->groups.try_emplace(members, static_cast<std::uint32_t>(trace_->groups.size()));
    if (fresh) trace_->groups.push_back(*list);
    trace_->among.push_back({call_, group->second, trace_->calls.size(), trace_->calls.size()});
    state_->among = true;
  }

  /// "#end RANK"
  void read_end() {
    fields_.take("#end");
    find_rank();
    fields_.expect_done();
    if (!state_->among) throw InputError(fields_.where(), "there is no #among before it");
    trace_->among.back().end = trace_->calls.size();
    state_->among = false;
  }

 private:
  void read_mark(const char* mark) {
    fields_.take(mark);
    find_rank();
    fields_.expect_done();
  }
  void find_rank() {
    const std::int64_t rank = fields_.integer("a rank", 0);
    const auto ranks = static_cast<std::int64_t>(reader_.ranks_.size());
    if (rank >= ranks) fields_.reject("a rank below " + std::to_string(ranks));
    state_ = &reader_.states_[static_cast<std::size_t>(rank)];
    trace_ = &reader_.ranks_[static_cast<std::size_t>(rank)];
    if (trace_->file.empty()) trace_->file = fields_.where().file;
    rank_ = rank;
  }

  using Handler = void (Line::*)();
  struct Action {
    std::string_view name;
    Handler handle;
    CallKind kind = CallKind::finalize;
  };

  void for_action(const std::string& name) {
    using L = Line;
    static constexpr std::array kActions = {
        Action{"init", &L::init},
        Action{"finalize", &L::add_plain, CallKind::finalize},
        Action{"compute", &L::compute},
        Action{"sleep", &L::sleep},
        Action{"location", &L::ignore},
        Action{"comm_size", &L::ignore},
        Action{"comm_split", &L::ignore},
        Action{"comm_dup", &L::ignore},
        Action{"send", &L::message, CallKind::send},
        Action{"isend", &L::nonblocking_message, CallKind::send},
        Action{"recv", &L::message, CallKind::recv},
        Action{"irecv", &L::nonblocking_message, CallKind::recv},
        Action{"wait", &L::wait, CallKind::wait},
        Action{"test", &L::wait, CallKind::test},
        Action{"waitall", &L::wait_all, CallKind::wait},
        Action{"sendRecv", &L::sendrecv, CallKind::sendrecv},
        Action{"sendrecv", &L::sendrecv, CallKind::sendrecv},
        Action{"barrier", &L::add_plain, CallKind::barrier},
        Action{"bcast", &L::bcast, CallKind::bcast},
        Action{"reduce", &L::reduce, CallKind::reduce},
        Action{"allreduce", &L::reduction, CallKind::allreduce},
        Action{"scan", &L::reduction, CallKind::scan},
        Action{"exscan", &L::reduction, CallKind::exscan},
        Action{"alltoall", &L::exchange, CallKind::alltoall},
        Action{"allgather", &L::exchange, CallKind::allgather},
        Action{"gather", &L::rooted, CallKind::gather},
        Action{"scatter", &L::rooted, CallKind::scatter},
        Action{"alltoallv", &L::alltoallv, CallKind::alltoall},
        Action{"gatherv", &L::gatherv, CallKind::gather},
        Action{"scatterv", &L::scatterv, CallKind::scatter},
        Action{"allgatherv", &L::gatherv, CallKind::allgather},
        Action{"reducescatter", &L::reduce_scatter, CallKind::reduce_scatter},
    };
    for (const Action& action : kActions) {
      if (action.name != name) continue;
      call_.kind = action.kind;
      return (this->*action.handle)();
    }
    std::vector<std::string> names;
    for (const Action& action : kActions) names.emplace_back(action.name);
    fields_.reject("one of " + joined(names) + did_you_mean(name, names));
  }

  // Numbers.

  double amount(std::string_view what) {
    const auto value = whole_number<double>(fields_.take(what));
    if (!value || !(*value >= 0) || *value > kMost)
      fields_.reject(std::string(what) + ", a number from 0 to 9e15");
    return *value;
  }
  std::uint64_t count(std::string_view what) {
    const double value = amount(what);
    if (value != std::floor(value)) fields_.reject(std::string(what) + ", a whole number");
    return static_cast<std::uint64_t>(value);
  }
  std::uint64_t size_of_datatype() {
    const auto id = whole_number<std::uint64_t>(fields_.take("a datatype's number"));
    if (!id || *id >= kSizes.size() || kSizes[*id] == 0)
      fields_.reject("the number of a datatype: 0 to 34 or 59");
    return call_.element = kSizes[*id];
  }
  /// The datatype at the end of the line, or what stands for it.
  std::uint64_t optional_datatype() {
    if (!fields_.done()) return size_of_datatype();
    return call_.element = state_->doubles ? 8 : 1;
  }
  /// The same where something else may follow; leaves it for the next.
  std::optional<std::uint64_t> maybe_datatype() const {
    if (fields_.done()) return state_->doubles ? 8 : 1;
    Fields ahead = fields_;
    const auto id = whole_number<std::uint64_t>(ahead.take("a datatype's number"));
    if (!id || *id >= kSizes.size() || kSizes[*id] == 0) return std::nullopt;
    return kSizes[*id];
  }
  std::uint64_t bytes(std::uint64_t elements, std::uint64_t size) {
    if (elements > (std::uint64_t{1} << 55)) fields_.reject("a smaller count");
    return elements * size;
  }
  std::int32_t member(std::string_view what, std::int32_t least = 0) {
    const std::int64_t value = fields_.integer(what, least);
    const auto ranks = static_cast<std::int64_t>(reader_.ranks_.size());
    if (value >= ranks) fields_.reject("a rank below " + std::to_string(ranks));
    return static_cast<std::int32_t>(value);
  }
  std::int32_t tag() {
    const std::int64_t value = fields_.integer("a tag", -1);
    if (value > INT32_MAX) fields_.reject("a tag of 31 bits");
    return static_cast<std::int32_t>(value);
  }
  void advance(double seconds) {
    const double ps = seconds * 1e12 + 0.5;
    if (!(static_cast<double>(state_->clock) + ps < 2e18))
      fields_.reject("less work: the trace would last more than 23 days");
    state_->clock += static_cast<std::int64_t>(ps);
  }
  void advance_flops(double flops) { advance(flops / static_cast<double>(reader_.speed_.flops())); }

  // Actions.

  void add() {
    call_.start = call_.end = state_->clock;
    trace_->calls.push_back(call_);
  }
  void add_plain() { add(); }
  void init() {
    state_->doubles = !fields_.done();
    ignore();
  }
  void ignore() { rest_ignored_ = true; }
  void compute() { advance_flops(amount("a number of flops")); }
  void sleep() { advance(amount("a number of seconds")); }

  void message() {
    call_.peer = member("a rank", -1);
    if (call_.kind == CallKind::send && call_.peer < 0) fields_.reject("the rank to send to");
    call_.tag = tag();
    const std::uint64_t elements = count("a count");
    call_.bytes = bytes(elements, optional_datatype());
    add();
  }
  void nonblocking_message() {
    call_.nonblocking = true;
    call_.requests = 1;
    call_.request = ++state_->requests;
    message();
    if (call_.buffered) return;
    const bool sends = call_.kind == CallKind::send;
    state_->pending.push_back(
        {call_.request, sends ? rank_ : call_.peer, sends ? call_.peer : rank_, call_.tag});
  }
  void wait() {
    const std::int64_t source = fields_.integer("a source");
    const std::int64_t destination = fields_.integer("a destination");
    const std::int64_t wanted = fields_.integer("a tag");
    auto& pending = state_->pending;
    // A receive from any rank or of any tag is waited for by what it received.
    const auto fits = [](std::int64_t posted, std::int64_t asked) {
      return posted == asked || posted < 0 || asked < 0;
    };
    const auto found = std::find_if(pending.begin(), pending.end(), [&](const Pending& p) {
      return fits(p.source, source) && p.destination == destination && fits(p.tag, wanted);
    });
    if (found == pending.end())
      throw InputError(fields_.where(), "no message from " + std::to_string(source) + " to " +
                                            std::to_string(destination) + " with tag " +
                                            std::to_string(wanted) + " is under way to wait for");
    call_.requests = 1;
    call_.request = found->request;
    if (call_.kind == CallKind::wait) pending.erase(found);
    add();
  }
  void wait_all() {
    if (!fields_.done()) count("a number of requests");
    std::vector<std::uint64_t> list;
    for (const Pending& p : state_->pending) list.push_back(p.request);
    state_->pending.clear();
    call_.list = keep(std::move(list));
    add();
  }
  void sendrecv() {
    const std::uint64_t sent = count("a count");
    call_.peer = member("a destination");
    const std::uint64_t received = count("a count");
    call_.source = member("a source");
    call_.bytes = bytes(sent, optional_datatype());
    call_.recv_bytes = bytes(received, optional_datatype());
    add();
  }

  void bcast() {
    const std::uint64_t elements = count("a count");
    if (!fields_.done()) call_.peer = member("a root");
    call_.bytes = bytes(elements, optional_datatype());
    add();
  }
  void reduce() {
    const std::uint64_t elements = count("a count");
    const double flops = amount("a number of flops");
    if (!fields_.done()) call_.peer = member("a root");
    call_.bytes = bytes(elements, optional_datatype());
    add();
    advance_flops(flops);
  }
  void reduction() {
    const std::uint64_t elements = count("a count");
    const double flops = amount("a number of flops");
    call_.bytes = bytes(elements, optional_datatype());
    add();
    advance_flops(flops);
  }
  void exchange() {
    const std::uint64_t sent = count("a count");
    const std::uint64_t received = count("a count");
    call_.bytes = bytes(sent, optional_datatype());
    call_.others = bytes(received, optional_datatype());
    add();
  }
  void rooted() {
    const std::uint64_t sent = count("a count");
    const std::uint64_t received = count("a count");
    if (!fields_.done()) call_.peer = member("a root");
    call_.bytes = bytes(sent, optional_datatype());
    call_.others = bytes(received, optional_datatype());
    if (call_.kind == CallKind::scatter) std::swap(call_.bytes, call_.others);
    add();
  }

  // The v-collectives have a number for every rank.

  std::vector<std::uint64_t> counts() {
    std::vector<std::uint64_t> list;
    for (std::size_t i = 0; i < reader_.ranks_.size(); ++i) list.push_back(count("a count"));
    return list;
  }
  std::uint32_t keep_bytes(std::vector<std::uint64_t> list, std::uint64_t size) {
    for (std::uint64_t& elements : list) elements = bytes(elements, size);
    return keep(std::move(list));
  }
  void alltoallv() {
    call_.per_member = true;
    count("the size of a buffer");
    std::vector<std::uint64_t> sent = counts();
    count("the size of a buffer");
    std::vector<std::uint64_t> received = counts();
    call_.list = keep_bytes(std::move(sent), optional_datatype());
    call_.others_list = keep_bytes(std::move(received), optional_datatype());
    add();
  }
  void gatherv() {
    call_.per_member = true;
    const std::uint64_t sent = count("a count");
    std::vector<std::uint64_t> received = counts();
    if (call_.kind == CallKind::gather) call_.peer = member("a root");
    call_.bytes = bytes(sent, optional_datatype());
    if (const auto size = maybe_datatype())
      call_.others_list = keep_bytes(std::move(received), *size);
    ignore();
    add();
  }
  void scatterv() {
    call_.per_member = true;
    std::vector<std::uint64_t> sent = counts();
    const std::uint64_t received = count("a count");
    call_.peer = member("a root");
    call_.others_list = keep_bytes(std::move(sent), optional_datatype());
    call_.bytes = bytes(received, optional_datatype());
    add();
  }
  void reduce_scatter() {
    call_.per_member = true;
    std::vector<std::uint64_t> parts = counts();
    const double flops = amount("a number of flops");
    call_.list = keep_bytes(std::move(parts), optional_datatype());
    add();
    advance_flops(flops);
  }

  std::uint32_t keep(std::vector<std::uint64_t> list) {
    trace_->lists.push_back(std::move(list));
    return static_cast<std::uint32_t>(trace_->lists.size() - 1);
  }

  TimeIndependentReader& reader_;
  Fields fields_;
  Call call_;
  State* state_ = nullptr;
  RankTrace* trace_ = nullptr;
  std::int64_t rank_ = 0;
  bool rest_ignored_ = false;
};

TimeIndependentReader::TimeIndependentReader(std::uint32_t ranks, Speed speed)
    : speed_(speed), ranks_(ranks), states_(ranks) {
  for (std::uint32_t r = 0; r < ranks; ++r)
    ranks_[r].comms = {{0, static_cast<std::int32_t>(r), static_cast<std::int32_t>(ranks)}};
}

void TimeIndependentReader::read(std::string_view text, const std::string& file) {
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    if (line.starts_with("#among ")) return Line(*this, line, number, file).read_among();
    if (line.starts_with("#synchronous "))
      return Line(*this, line, number, file).read_synchronous();
    if (line.starts_with("#buffered ")) return Line(*this, line, number, file).read_buffered();
    if (line.starts_with("#end ")) return Line(*this, line, number, file).read_end();
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) return;
    Line(*this, line, number, file).read();
  });
}

std::vector<RankTrace> TimeIndependentReader::finish(const std::string& source) {
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (states_[r].among)
      throw InputError({ranks_[r].file},
                       "the last #among of rank " + std::to_string(r) + " has no #end");
    if (ranks_[r].file.empty())
      throw InputError({source}, "there is no action of rank " + std::to_string(r) + " of " +
                                     std::to_string(ranks_.size()));
  }
  return std::move(ranks_);
}

std::uint32_t count_ranks(std::string_view text, const std::string& file, std::uint32_t most) {
  std::int64_t highest = -1;
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) return;
    Fields fields(line, number, file, ' ');
    highest = std::max(highest, fields.integer("a rank", 0));
    if (highest >= most) fields.reject("a rank below " + std::to_string(most));
  });
  return static_cast<std::uint32_t>(highest + 1);
}

}  // namespace heddle::traces
