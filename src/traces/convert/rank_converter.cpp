#include "traces/convert/rank_converter.hpp"

#include <algorithm>

#include "goal/adapters.hpp"
#include "goal/schedule_builder.hpp"

namespace heddle::traces {
namespace {

/// Calls whose own time is work, as they wait for nobody.
bool is_local(CallKind k) {
  return k == CallKind::start || k == CallKind::request_free || k == CallKind::cancel ||
         creates_communicator(k);
}

/// Receives that are cancelled later get no message; empty if none are.
std::vector<bool> find_cancelled(const RankTrace& trace, ConversionReport& report) {
  if (!trace.calls.has_any(set_of(CallKind::cancel))) return {};
  std::vector<bool> cancelled(trace.calls.size());
  std::map<std::uint64_t, std::uint32_t> last;
  for (std::uint32_t i = 0; i < trace.calls.size(); ++i) {
    const Call& call = trace.calls[i];
    if (call.nonblocking && call.kind <= CallKind::recv) last[call.request] = i;
    if (call.kind != CallKind::cancel) continue;
    const auto found = last.find(call.request);
    if (found != last.end()) cancelled[found->second] = true;
    report.warn(found != last.end() && trace.calls[found->second].kind == CallKind::recv
                    ? "cancelled receives, taken to get no message"
                    : "cancelled requests that are kept");
  }
  return cancelled;
}

}  // namespace

RankConverter::RankConverter(const ConversionContext& context, std::uint32_t rank,
                             goal::ScheduleBuilder& out, const RankPlan* plan)
    : context_(context),
      trace_(context.trace.ranks[rank]),
      rank_(rank),
      out_(out),
      plan_(plan),
      frontier_(out),
      requests_(trace_),
      cancelled_(find_cancelled(trace_, context.report)),
      one_sided_(context.trace.one_sided, rank, out, frontier_),
      acknowledgements_(plan, out, context.report) {}

RankPosts RankConverter::run() {
  if (!context_.one_sided.empty()) one_sided_.add_unasked(context_.one_sided[rank_]);
  std::int64_t now = 0;
  for (call_ = 0; call_ < trace_.calls.size(); ++call_) {
    const Call& call = trace_.calls[call_];
    work(call.start - now);
    now = call.end;
    convert(call);
  }
  requests_.for_all([this](const ActiveRequest& active) { settle(active); });
  return std::move(posts_);
}

// Time and order.

std::uint64_t RankConverter::units(std::int64_t ps) const {
  const double scale = context_.config.compute_scale;
  const std::int64_t unit = context_.config.unit.ps();
  if (ps <= 0) return 0;
  if (scale == 1) return static_cast<std::uint64_t>(ps / unit + (ps % unit >= unit - ps % unit));
  const double value = static_cast<double>(ps) * scale / static_cast<double>(unit) + 0.5;
  return value < 9e18 ? static_cast<std::uint64_t>(value)
                      : std::uint64_t{9'000'000'000'000'000'000};
}

/// Time that passes on the rank, before whatever comes next.
void RankConverter::work(std::int64_t ps) {
  const std::uint64_t value = units(ps);
  if (value > 0 || !frontier_.single()) frontier_.calc(value);
}

std::int64_t RankConverter::planned_before() const {
  return plan_ && !plan_->before.empty() ? plan_->before[call_] : 0;
}

/// The part of a call's duration that lies before its messages.
void RankConverter::before_messages() {
  messages_ = bytes_ = 0;
  if (planned_before() > 0) work(planned_before());
}

/// The rest of the duration, without what the replay charges for the messages.
void RankConverter::after_messages() {
  if (!context_.config.durations) return;
  const ConvertConfig& c = context_.config;
  const std::int64_t charged = c.message_cost.ps() * static_cast<std::int64_t>(messages_) +
                               c.byte_cost.time_for(Bytes(static_cast<std::int64_t>(bytes_))).ps();
  const std::int64_t rest = trace_.calls[call_].duration() - planned_before() - charged;
  if (rest > 0) work(rest);
}

void RankConverter::pin(std::uint64_t address, std::uint64_t bytes) {
  if (!context_.config.pinning || address == 0) return;
  const std::uint64_t fresh = pinned_.add(address, bytes);
  if (fresh == 0) return;
  const ConvertConfig& c = context_.config;
  work((c.pin_fixed + c.pin_per_byte.time_for(Bytes(static_cast<std::int64_t>(fresh)))).ps());
}

// Calls.

void RankConverter::convert(const Call& call) {
  ++context_.report.calls;
  if (is_local(call.kind)) work(call.duration());
  if (creates_communicator(call.kind) && call.nonblocking) {
    activate(call.request, frontier_.calc(0), kNoPost);
  }
  switch (call.kind) {
    case CallKind::send:
    case CallKind::recv:
      return convert_message(call);
    case CallKind::sendrecv:
      return convert_sendrecv(call);
    case CallKind::start:
      return convert_start(call);
    case CallKind::wait:
      return convert_wait(call);
    case CallKind::wait_any:
    case CallKind::wait_some:
      return convert_choice(call);
    case CallKind::test:
      return convert_test(call);
    case CallKind::request_free:
      return convert_request_free(call);
    case CallKind::put:
      return one_sided_.put(static_cast<std::uint32_t>(call.request));
    case CallKind::see:
      return one_sided_.see(trace_.lists[call.list]);
    default:
      break;
  }
  if (is_collective(call.kind)) convert_collective(call);
}

std::uint32_t RankConverter::world_rank(const Call& call, std::int32_t peer) const {
  const auto& members = context_.communicators.members(context_.communicators.id(rank_, call.comm));
  if (peer < 0 || static_cast<std::size_t>(peer) >= members.size()) {
    throw InputError(trace_.where(call),
                     "'" + std::to_string(peer) +
                         "' is not a rank of the communicator: accepted are 0 to " +
                         std::to_string(members.size() - 1));
  }
  const std::uint32_t rank = members[static_cast<std::size_t>(peer)];
  if (rank == Communicators::kUnknown) {
    throw InputError(
        trace_.where(call),
        "rank '" + std::to_string(peer) + "' of the communicator could not be found in the traces");
  }
  return rank;
}

/// Nothing for MPI_PROC_NULL.
std::optional<RankConverter::Posted> RankConverter::post_send(const Call& call) {
  if (call.peer == kNoPeer) return std::nullopt;
  const std::uint32_t comm = context_.communicators.id(rank_, call.comm);
  const std::uint32_t peer = world_rank(call, call.peer);
  if (call.tag < 0) {
    throw InputError(trace_.where(call), "'" + std::to_string(call.tag) +
                                             "' is not a tag to send with: 0 or more is expected");
  }
  posts_.posts.push_back({true, call_, comm, peer, call.tag, call.synchronous});
  ++messages_;
  bytes_ += call.bytes;
  const std::uint8_t nic = call.buffered ? goal::kBuffered : goal::kMessages;
  const std::uint32_t op = out_.add(
      {goal::OpKind::send, call.bytes, peer, context_.tags.message(comm, call.tag), 0, nic});
  return Posted{op, call.synchronous ? acknowledgements_.await(op, posts_.posts.size() - 1) : op};
}

std::optional<RankConverter::Posted> RankConverter::post_recv(const Call& call, std::int32_t peer,
                                                              std::int32_t tag,
                                                              std::uint64_t bytes) {
  if (peer == kNoPeer) return std::nullopt;
  const std::uint32_t comm = context_.communicators.id(rank_, call.comm);
  const std::uint32_t source = peer == kAnyPeer ? goal::kAnySource : world_rank(call, peer);
  const std::size_t number = posts_.posts.size();
  posts_.posts.push_back({false, call_, comm, source, tag < 0 ? kAnyPeer : tag});
  const std::int32_t found = plan_ ? plan_->tags[number] : tag;
  ++messages_;
  bytes_ += bytes;
  if (found < 0) {
    context_.report.warn(
        "receives of any tag that more than one message fits: in the replay they may take another "
        "one, even of another communicator");
  }
  const std::uint32_t op =
      out_.recv(bytes, source, found < 0 ? goal::kAnyTag : context_.tags.message(comm, found));
  acknowledgements_.answer(op, number);
  return Posted{op, op};
}

void RankConverter::convert_message(const Call& call) {
  if (call.persistent) {
    persistent_[call.request] = call_;
    return work(call.duration());
  }
  if (!cancelled_.empty() && cancelled_[call_] && call.kind == CallKind::recv) return;
  pin(call.buffer, call.bytes);
  before_messages();
  const auto posted = call.kind == CallKind::send
                          ? post_send(call)
                          : post_recv(call, call.peer, call.tag, call.bytes);
  if (posted) {
    const auto post = static_cast<std::uint32_t>(posts_.posts.size() - 1);
    frontier_.hold_up(posted->op);
    if (call.nonblocking) {
      frontier_.only_start(posted->op);
      if (!call.detached) activate(call.request, posted->end, post);
    } else {
      frontier_.only_end(posted->end);
      posts_.completions.push_back({call_, post});
    }
  }
  after_messages();
}

void RankConverter::convert_sendrecv(const Call& call) {
  pin(call.buffer, call.bytes);
  pin(call.recv_buffer, call.recv_bytes);
  before_messages();
  std::vector<std::uint32_t> ops;
  const auto keep = [&](std::optional<Posted> posted) {
    if (!posted) return;
    frontier_.hold_up(posted->op);
    ops.push_back(posted->end);
    posts_.completions.push_back({call_, static_cast<std::uint32_t>(posts_.posts.size() - 1)});
  };
  keep(post_send(call));
  keep(post_recv(call, call.source, call.recv_tag, call.recv_bytes));
  if (!ops.empty()) {
    frontier_.only_ends(std::move(ops));
  }
  after_messages();
}

void RankConverter::convert_start(const Call& call) {
  const std::uint64_t step = trace_.request_size;
  const auto begin = persistent_.lower_bound(call.request);
  const std::uint64_t size = std::uint64_t{call.requests} * step;
  std::uint64_t started = 0;
  for (auto it = begin; it != persistent_.end() && it->first - call.request < size; ++it) {
    if ((it->first - call.request) % step != 0) continue;
    const Call& made = trace_.calls[it->second];
    pin(made.buffer, made.bytes);
    const auto posted = made.kind == CallKind::send
                            ? post_send(made)
                            : post_recv(made, made.peer, made.tag, made.bytes);
    ++started;
    if (!posted) continue;
    frontier_.hold_up(posted->op);
    frontier_.add_start(posted->op);
    activate(it->first, posted->end, static_cast<std::uint32_t>(posts_.posts.size() - 1));
  }
  if (started < call.requests) {
    context_.report.warn("persistent requests started that no call has made",
                         call.requests - started);
  }
}

void RankConverter::activate(std::uint64_t request, std::uint32_t op, std::uint32_t post) {
  if (const ActiveRequest* const before = requests_.find(request)) settle(*before);
  requests_.activate(request, op, post);
}

/// A request that nobody waited for: it was complete at the last call that looked at it.
void RankConverter::settle(const ActiveRequest& active) {
  if (active.maybe_op == kNoPost) {
    context_.report.warn("requests that nothing waits for");
    return;
  }
  out_.requires_end(active.maybe_op, active.op);
  if (active.post != kNoPost) posts_.completions.push_back({active.maybe_call, active.post});
}

void RankConverter::complete(const ActiveRequest& active) {
  frontier_.add_end(active.op);
  if (active.post != kNoPost) posts_.completions.push_back({call_, active.post});
}

void RankConverter::convert_wait(const Call& call) {
  before_messages();
  bool any = false;
  requests_.for_call(call, [&](ActiveRequest& active) {
    complete(active);
    any = true;
    return false;
  });
  if (!any && call.list == kNoList && call.requests == 1 && !persistent_.contains(call.request)) {
    context_.report.warn("waits for requests that are not under way");
  }
  after_messages();
}

/// When the message of a request under way was sent, as far as is known.
std::int64_t RankConverter::sent(const ActiveRequest& active) const {
  return plan_ == nullptr || active.post == kNoPost ? kNeverSent : plan_->sent[active.post];
}

/// One of the requests is complete, but the trace does not say which: the one whose message was
/// sent first by the ranks' clocks, then the one posted first. What was sent after the call's end
/// was not.
void RankConverter::convert_choice(const Call& call) {
  before_messages();
  const ActiveRequest* first = nullptr;
  std::uint32_t several = 0;
  std::uint32_t in_time = 0;
  const auto key = [this](const ActiveRequest& active) {
    return std::pair(sent(active), active.order);
  };
  requests_.for_call(call, [&](ActiveRequest& active) {
    if (!first || key(active) < key(*first)) first = &active;
    ++several;
    in_time += sent(active) <= call.end;
    return true;
  });
  if (several > 1 && in_time != 1) {
    context_.report.warn(std::string(name_of(call.kind)) +
                         " does not say which request was complete: the one whose message was sent "
                         "first is taken");
  }
  if (!first) return after_messages();
  const std::uint32_t order = first->order;
  complete(*first);
  const std::uint32_t join = frontier_.calc(0);
  requests_.for_call(call, [&](ActiveRequest& active) {
    active.maybe_op = join;
    active.maybe_call = call_;
    return active.order != order;
  });
  after_messages();
}

void RankConverter::convert_test(const Call& call) {
  bool any = false;
  requests_.for_call(call, [&](ActiveRequest&) { return any = true; });
  if (!any) return work(call.duration());
  const std::uint32_t join = frontier_.calc(units(call.duration()));
  requests_.for_call(call, [&](ActiveRequest& active) {
    active.maybe_op = join;
    active.maybe_call = call_;
    return true;
  });
}

void RankConverter::convert_request_free(const Call& call) {
  persistent_.erase(call.request);
  requests_.erase(call.request);
}

void RankConverter::convert_collective(const Call& call) {
  ++context_.report.collectives;
  const std::uint32_t comm = context_.communicators.id(rank_, call.comm);
  const std::uint32_t number = collective_numbers_[comm]++;
  const auto& members = context_.communicators.members(comm);
  const PinnedBuffers pinned = pinned_by(trace_, call);
  if (pinned.sent) pin(call.buffer, *pinned.sent);
  if (pinned.received) pin(call.recv_buffer, *pinned.received);
  before_messages();
  const std::uint32_t first = out_.size();
  const std::size_t first_link = out_.links();
  const goal::Side side{out_, static_cast<std::uint32_t>(trace_.comms[call.comm].rank),
                        static_cast<std::uint32_t>(members.size()), members,
                        context_.tags.collective(comm, number)};
  if (side.size > 1) {
    expand(side, {context_.trace, members, context_.collectives, comm, number}, context_.config);
  }
  // What waits for nothing within waits for what was before; what nothing within waits for ends it.
  const std::uint32_t ops = out_.size() - first;
  std::vector<bool> waits(ops), waited_for(ops);
  out_.for_links(first_link, [&](std::uint32_t later, std::uint32_t earlier) {
    waits[later - first] = true;
    waited_for[earlier - first] = true;
  });
  std::vector<std::uint32_t> last;
  for (std::uint32_t i = 0; i < ops; ++i) {
    if (!waits[i]) frontier_.hold_up(first + i);
    if (!waited_for[i]) last.push_back(first + i);
  }
  messages_ = ops;
  if (call.nonblocking) {
    const std::uint32_t join = out_.calc(0);
    if (last.empty()) frontier_.hold_up(join);
    for (const std::uint32_t op : last) out_.requires_end(join, op);
    activate(call.request, join, kNoPost);
  } else if (!last.empty()) {
    frontier_.only_ends(std::move(last));
  }
  after_messages();
}

}  // namespace heddle::traces
