#include "traces/readers/otf2_follower.hpp"

#include <algorithm>
#include <utility>

namespace heddle::traces {

Otf2Follower::Otf2Follower(const std::vector<Otf2Rank>& ranks,
                           const std::vector<std::vector<Otf2Arrival>>& arrivals,
                           WorldRank world_rank)
    : ranks_(ranks),
      arrivals_(arrivals),
      world_rank_(std::move(world_rank)),
      states_(ranks.size()),
      got_(ranks.size()) {
  for (std::size_t to = 0; to < arrivals.size(); ++to) {
    for (std::size_t i = 0; i < arrivals[to].size(); ++i) {
      states_[arrivals[to][i].from].sends[arrivals[to][i].call] = {to, i};
    }
  }
}

std::vector<std::map<std::size_t, std::size_t>> Otf2Follower::run() {
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) enqueue(r);
  while (!ready_.empty()) {
    const std::uint32_t rank = ready_.top().second;
    ready_.pop();
    if (!step(rank)) {
      states_[rank].waits = true;
      continue;
    }
    ++states_[rank].next;
    states_[rank].half_done = false;
    enqueue(rank);
  }
  return std::move(got_);
}

void Otf2Follower::enqueue(std::uint32_t rank) {
  const CallList& calls = ranks_[rank].trace.calls;
  const std::size_t next = states_[rank].next;
  if (next < calls.size()) ready_.emplace(calls[next].start, rank);
}

void Otf2Follower::wake(std::uint32_t rank) {
  if (std::exchange(states_[rank].waits, false)) enqueue(rank);
}

/// Whether the next call is over.
bool Otf2Follower::step(std::uint32_t rank) {
  const RankTrace& trace = ranks_[rank].trace;
  Rank& state = states_[rank];
  const Call call = trace.calls[state.next];
  switch (call.kind) {
    case CallKind::send:
      send(rank, call);
      return true;
    case CallKind::sendrecv:
      if (!std::exchange(state.half_done, true)) send(rank, call);
      return call.source < 0 || receive(state, key_of(trace, call, true));
    case CallKind::recv:
      if (!call.nonblocking) return call.peer < 0 || receive(state, key_of(trace, call, false));
      post(rank, call);
      return true;
    case CallKind::wait:
      return wait(rank, call);
    default:
      return !is_collective(call.kind) || call.nonblocking || meet(rank, call);
  }
}

Otf2Arrival::Key Otf2Follower::key_of(const RankTrace& trace, const Call& call, bool both) {
  const std::uint64_t comm = trace.comms[call.comm].handle;
  if (both) return {comm, call.source, call.recv_tag, call.recv_bytes};
  return {comm, call.peer, call.tag, call.bytes};
}

void Otf2Follower::send(std::uint32_t rank, const Call& call) {
  if (call.peer < 0) return;
  const auto known = states_[rank].sends.find(states_[rank].next);
  if (known != states_[rank].sends.end()) {
    const auto [to, arrival] = known->second;
    states_[to].there.emplace(arrivals_[to][arrival].sent, arrival);
    return wake(static_cast<std::uint32_t>(to));
  }
  const CommName& comm = ranks_[rank].trace.comms[call.comm];
  const std::size_t to = world_rank_(comm, call.peer, rank);
  ++states_[to].known[{comm.handle, comm.rank, call.tag, call.bytes}];
  wake(static_cast<std::uint32_t>(to));
}

bool Otf2Follower::receive(Rank& state, const Otf2Arrival::Key& key) {
  const auto there = state.known.find(key);
  if (there == state.known.end() || there->second == 0) return false;
  --there->second;
  return true;
}

void Otf2Follower::post(std::uint32_t rank, const Call& call) {
  Rank& state = states_[rank];
  const auto& unsaid = ranks_[rank].unsaid;
  if (std::binary_search(unsaid.begin(), unsaid.end(), state.next)) {
    state.open[call.request] = state.next;
  } else if (call.peer >= 0) {
    state.posted[call.request] = key_of(ranks_[rank].trace, call, false);
  }
}

/// All messages that it waits for have to be there; those without one get what came first.
bool Otf2Follower::wait(std::uint32_t rank, const Call& call) {
  Rank& state = states_[rank];
  std::vector<std::uint64_t> requests = {call.request};
  if (call.list != kNoList) requests = ranks_[rank].trace.lists[call.list];
  std::vector<std::size_t> open;
  for (const std::uint64_t request : requests) {
    if (const auto found = state.open.find(request); found != state.open.end()) {
      open.push_back(found->second);
    }
  }
  if (open.size() > state.there.size()) return false;
  for (const std::uint64_t request : requests) {
    const auto found = state.posted.find(request);
    if (found == state.posted.end()) continue;
    if (!receive(state, found->second)) return false;
    state.posted.erase(found);
  }
  std::sort(open.begin(), open.end());
  for (const std::size_t receive : open) {
    got_[rank][receive] = state.there.begin()->second;
    state.there.erase(state.there.begin());
  }
  for (const std::uint64_t request : requests) state.open.erase(request);
  return true;
}

/// Whether all members are at the collective.
bool Otf2Follower::meet(std::uint32_t rank, const Call& call) {
  const CommName& comm = ranks_[rank].trace.comms[call.comm];
  Rank& state = states_[rank];
  std::uint32_t& number = state.meetings[comm.handle];
  const auto meeting = meetings_.try_emplace({comm.handle, number}).first;
  std::set<std::uint32_t>& members = meeting->second.members;
  members.insert(rank);
  if (members.size() < static_cast<std::size_t>(comm.size)) return false;
  ++number;
  for (const std::uint32_t member : members) wake(member);
  if (++meeting->second.gone == members.size()) meetings_.erase(meeting);
  return true;
}

}  // namespace heddle::traces
