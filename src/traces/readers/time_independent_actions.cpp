#include "traces/readers/time_independent_actions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "traces/readers/name_table.hpp"

namespace heddle::traces {
namespace actions {
namespace {

/// Bytes of SMPI's predefined datatypes, by number; 0 for numbers that differ between versions.
constexpr std::array<std::uint8_t, 60> kSizes = {
    8, 4,  1,  2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8,
    8, 16, 16, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0, 8};

/// Counts and flops are written as decimals, with an exponent or without.
constexpr double kMost = 9e15;

std::uint8_t size_of(std::optional<std::uint64_t> datatype) {
  return datatype && *datatype < kSizes.size() ? kSizes[*datatype] : 0;
}

}  // namespace
}  // namespace actions

// Numbers.

double ActionFields::amount(std::string_view what) {
  const std::string_view text = take(what);
  // Most are whole and small.
  if (const auto whole = plain_number<std::uint32_t>(text)) return *whole;
  const auto value = whole_number<double>(text);
  if (!value || !(*value >= 0) || *value > actions::kMost) {
    reject(std::string(what) + ", a number from 0 to 9e15");
  }
  return *value;
}

std::uint64_t ActionFields::count(std::string_view what) {
  const double value = amount(what);
  if (value != std::floor(value)) reject(std::string(what) + ", a whole number");
  return static_cast<std::uint64_t>(value);
}

std::vector<std::uint64_t> ActionFields::counts() {
  std::vector<std::uint64_t> list;
  for (std::size_t i = 0; i < ranks_; ++i) list.push_back(count("a count"));
  return list;
}

std::uint8_t ActionFields::datatype() {
  const std::uint8_t size =
      actions::size_of(whole_number<std::uint64_t>(take("a datatype's number")));
  if (size == 0) reject("the number of a datatype: 0 to 34 or 59");
  return size;
}

std::optional<std::uint8_t> ActionFields::datatype_ahead() const {
  Fields ahead = *this;
  const std::uint8_t size =
      actions::size_of(whole_number<std::uint64_t>(ahead.take("a datatype's number")));
  if (size == 0) return std::nullopt;
  return size;
}

std::uint64_t ActionFields::bytes(std::uint64_t elements, std::uint64_t size) const {
  if (elements > (std::uint64_t{1} << 55)) reject("a smaller count");
  return elements * size;
}

std::int32_t ActionFields::rank(std::string_view what, std::int32_t least) {
  const std::int64_t value = integer(what, least);
  const auto ranks = static_cast<std::int64_t>(ranks_);
  if (value >= ranks) reject("a rank below " + std::to_string(ranks));
  return static_cast<std::int32_t>(value);
}

std::int32_t ActionFields::tag() {
  const std::int64_t value = integer("a tag", -1);
  if (value > INT32_MAX) reject("a tag of 31 bits");
  return static_cast<std::int32_t>(value);
}

// What all actions do.

std::uint64_t Action::element() {
  return call.element = !fields.done() ? fields.datatype() : rank.doubles ? 8 : 1;
}

void Action::add() {
  call.start = call.end = rank.clock;
  rank.trace.calls.push_back(call);
}

void Action::advance(double seconds) {
  const double ps = seconds * 1e12 + 0.5;
  if (!(static_cast<double>(rank.clock) + ps < 2e18)) {
    fields.reject("less work: the trace would last more than 23 days");
  }
  rank.clock += static_cast<std::int64_t>(ps);
}

std::uint32_t Action::keep(std::vector<std::uint64_t> list) {
  rank.trace.lists.push_back(std::move(list));
  return static_cast<std::uint32_t>(rank.trace.lists.size() - 1);
}

std::uint32_t Action::keep_bytes(std::vector<std::uint64_t> list, std::uint64_t size) {
  for (std::uint64_t& elements : list) elements = fields.bytes(elements, size);
  return keep(std::move(list));
}

// The actions.

namespace actions {
namespace {

void add_plain(Action& a) {
  a.add();
}
void ignore(Action& a) {
  a.rest_ignored = true;
}
void init(Action& a) {
  a.rank.doubles = !a.fields.done();
  ignore(a);
}
void compute(Action& a) {
  a.advance_flops(a.fields.amount("a number of flops"));
}
void sleep(Action& a) {
  a.advance(a.fields.amount("a number of seconds"));
}

void message(Action& a) {
  a.call.peer = a.fields.rank("a rank", -1);
  if (a.call.kind == CallKind::send && a.call.peer < 0) a.fields.reject("the rank to send to");
  a.call.tag = a.fields.tag();
  const std::uint64_t elements = a.fields.count("a count");
  a.call.bytes = a.fields.bytes(elements, a.element());
  a.add();
}
void nonblocking_message(Action& a) {
  a.call.nonblocking = true;
  a.call.requests = 1;
  a.call.request = ++a.rank.requests;
  message(a);
  if (a.call.buffered) return;
  const bool sends = a.call.kind == CallKind::send;
  a.rank.pending.push_back(
      {a.call.request, sends ? a.number : a.call.peer, sends ? a.call.peer : a.number, a.call.tag});
}
void wait(Action& a) {
  const std::int64_t source = a.fields.integer("a source");
  const std::int64_t destination = a.fields.integer("a destination");
  const std::int64_t wanted = a.fields.integer("a tag");
  auto& pending = a.rank.pending;
  // A receive from any rank or of any tag is waited for by what it received.
  const auto fits = [](std::int64_t posted, std::int64_t asked) {
    return posted == asked || posted < 0 || asked < 0;
  };
  const auto found =
      std::find_if(pending.begin(), pending.end(), [&](const RankActions::Pending& p) {
        return fits(p.source, source) && p.destination == destination && fits(p.tag, wanted);
      });
  if (found == pending.end()) {
    throw InputError(a.fields.where(), "no message from " + std::to_string(source) + " to " +
                                           std::to_string(destination) + " with tag " +
                                           std::to_string(wanted) + " is under way to wait for");
  }
  a.call.requests = 1;
  a.call.request = found->request;
  if (a.call.kind == CallKind::wait) pending.erase(found);
  a.add();
}
void wait_all(Action& a) {
  if (!a.fields.done()) a.fields.count("a number of requests");
  std::vector<std::uint64_t> list;
  for (const RankActions::Pending& p : a.rank.pending) list.push_back(p.request);
  a.rank.pending.clear();
  a.call.list = a.keep(std::move(list));
  a.add();
}
void sendrecv(Action& a) {
  const std::uint64_t sent = a.fields.count("a count");
  a.call.peer = a.fields.rank("a destination");
  const std::uint64_t received = a.fields.count("a count");
  a.call.source = a.fields.rank("a source");
  a.call.bytes = a.fields.bytes(sent, a.element());
  a.call.recv_bytes = a.fields.bytes(received, a.element());
  a.add();
}

void bcast(Action& a) {
  const std::uint64_t elements = a.fields.count("a count");
  if (!a.fields.done()) a.call.peer = a.fields.rank("a root");
  a.call.bytes = a.fields.bytes(elements, a.element());
  a.add();
}
void reduce(Action& a) {
  const std::uint64_t elements = a.fields.count("a count");
  const double flops = a.fields.amount("a number of flops");
  if (!a.fields.done()) a.call.peer = a.fields.rank("a root");
  a.call.bytes = a.fields.bytes(elements, a.element());
  a.add();
  a.advance_flops(flops);
}
void reduction(Action& a) {
  const std::uint64_t elements = a.fields.count("a count");
  const double flops = a.fields.amount("a number of flops");
  a.call.bytes = a.fields.bytes(elements, a.element());
  a.add();
  a.advance_flops(flops);
}
void exchange(Action& a) {
  const std::uint64_t sent = a.fields.count("a count");
  const std::uint64_t received = a.fields.count("a count");
  a.call.bytes = a.fields.bytes(sent, a.element());
  a.call.others = a.fields.bytes(received, a.element());
  a.add();
}
void rooted(Action& a) {
  const std::uint64_t sent = a.fields.count("a count");
  const std::uint64_t received = a.fields.count("a count");
  if (!a.fields.done()) a.call.peer = a.fields.rank("a root");
  a.call.bytes = a.fields.bytes(sent, a.element());
  a.call.others = a.fields.bytes(received, a.element());
  if (a.call.kind == CallKind::scatter) std::swap(a.call.bytes, a.call.others);
  a.add();
}

// The v-collectives have a number for every rank.

void alltoallv(Action& a) {
  a.call.per_member = true;
  a.fields.count("the size of a buffer");
  std::vector<std::uint64_t> sent = a.fields.counts();
  a.fields.count("the size of a buffer");
  std::vector<std::uint64_t> received = a.fields.counts();
  a.call.list = a.keep_bytes(std::move(sent), a.element());
  a.call.others_list = a.keep_bytes(std::move(received), a.element());
  a.add();
}
void gatherv(Action& a) {
  a.call.per_member = true;
  const std::uint64_t sent = a.fields.count("a count");
  std::vector<std::uint64_t> received = a.fields.counts();
  if (a.call.kind == CallKind::gather) a.call.peer = a.fields.rank("a root");
  a.call.bytes = a.fields.bytes(sent, a.element());
  const std::uint8_t unsaid = a.rank.doubles ? 8 : 1;
  if (const auto size = a.fields.done() ? unsaid : a.fields.datatype_ahead()) {
    a.call.others_list = a.keep_bytes(std::move(received), *size);
  }
  ignore(a);
  a.add();
}
void scatterv(Action& a) {
  a.call.per_member = true;
  std::vector<std::uint64_t> sent = a.fields.counts();
  const std::uint64_t received = a.fields.count("a count");
  a.call.peer = a.fields.rank("a root");
  a.call.others_list = a.keep_bytes(std::move(sent), a.element());
  a.call.bytes = a.fields.bytes(received, a.element());
  a.add();
}
void reduce_scatter(Action& a) {
  a.call.per_member = true;
  std::vector<std::uint64_t> parts = a.fields.counts();
  const double flops = a.fields.amount("a number of flops");
  a.call.list = a.keep_bytes(std::move(parts), a.element());
  a.add();
  a.advance_flops(flops);
}

struct Named {
  std::string_view name;
  void (*handle)(Action&);
  CallKind kind = CallKind::finalize;
};
constexpr std::array kActions = {
    Named{"init", init},
    Named{"finalize", add_plain, CallKind::finalize},
    Named{"compute", compute},
    Named{"sleep", sleep},
    Named{"location", ignore},
    Named{"comm_size", ignore},
    Named{"comm_split", ignore},
    Named{"comm_dup", ignore},
    Named{"send", message, CallKind::send},
    Named{"isend", nonblocking_message, CallKind::send},
    Named{"recv", message, CallKind::recv},
    Named{"irecv", nonblocking_message, CallKind::recv},
    Named{"wait", wait, CallKind::wait},
    Named{"test", wait, CallKind::test},
    Named{"waitall", wait_all, CallKind::wait},
    Named{"sendRecv", sendrecv, CallKind::sendrecv},
    Named{"sendrecv", sendrecv, CallKind::sendrecv},
    Named{"barrier", add_plain, CallKind::barrier},
    Named{"bcast", bcast, CallKind::bcast},
    Named{"reduce", reduce, CallKind::reduce},
    Named{"allreduce", reduction, CallKind::allreduce},
    Named{"scan", reduction, CallKind::scan},
    Named{"exscan", reduction, CallKind::exscan},
    Named{"alltoall", exchange, CallKind::alltoall},
    Named{"allgather", exchange, CallKind::allgather},
    Named{"gather", rooted, CallKind::gather},
    Named{"scatter", rooted, CallKind::scatter},
    Named{"alltoallv", alltoallv, CallKind::alltoall},
    Named{"gatherv", gatherv, CallKind::gather},
    Named{"scatterv", scatterv, CallKind::scatter},
    Named{"allgatherv", gatherv, CallKind::allgather},
    Named{"reducescatter", reduce_scatter, CallKind::reduce_scatter},
};

}  // namespace
}  // namespace actions

void carry_out(std::string_view name, Action& action) {
  static const NameTable<actions::Named> table(actions::kActions);
  if (const actions::Named* const one = table.find(name)) {
    action.call.kind = one->kind;
    return one->handle(action);
  }
  std::vector<std::string> names;
  for (const actions::Named& one : actions::kActions) names.emplace_back(one.name);
  action.fields.reject("one of " + joined(names) + did_you_mean(name, names));
}

}  // namespace heddle::traces
