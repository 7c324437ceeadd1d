#include "traces/convert/communicators.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::traces {
namespace {

/// Numbers of open events are told from those of communicators by this bit.
constexpr std::uint32_t kOpen = 0x80000000;
constexpr std::uint32_t kNoMember = Communicators::kUnknown;

}  // namespace

Communicators::Communicators(const Trace& trace) : trace_(trace) {
  const std::size_t ranks = trace.ranks.size();
  ids_.resize(ranks);
  first_use_.resize(ranks);
  pending_.resize(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    ids_[r].assign(trace.ranks[r].comms.size(), kUnknown);
    first_use_[r].assign(trace.ranks[r].comms.size(), kUnknown);
  }
  if (trace.agreed_handles) {
    take_agreed_handles();
    return;
  }
  find_first_uses();
  find_world();
  std::uint32_t processed = 0;
  bool progress = true;
  while (progress) {
    progress = false;
    while (processed < size()) {
      process(processed);
      create_groups(processed++);
    }
    for (std::uint32_t r = 0; r < ranks; ++r) progress |= bind(r);
    // Groups of open events are formed once every rank had its turn.
    for (auto& instances : open_) {
      if (instances.empty()) continue;
      form_groups(instances);
      instances.clear();
    }
    progress |= processed < size();
  }
  form_leftovers();
}

void Communicators::take_agreed_handles() {
  std::map<std::uint64_t, std::uint32_t> numbers;
  for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
    const RankTrace& rank = trace_.ranks[r];
    for (std::size_t c = 0; c < rank.comms.size(); ++c) {
      const CommName& comm = rank.comms[c];
      const auto size = static_cast<std::size_t>(comm.size);
      const auto [number, fresh] = numbers.try_emplace(comm.handle, this->size());
      if (fresh) add(std::vector<std::uint32_t>(size, kNoMember));
      std::vector<std::uint32_t>& members = members_[number->second];
      const auto member = static_cast<std::size_t>(comm.rank);
      if (members.size() != size || members[member] != kNoMember) {
        throw InputError({rank.file}, "it contradicts the other traces: communicator " +
                                          std::to_string(comm.handle) +
                                          " has another size or another member " +
                                          std::to_string(comm.rank) + " there");
      }
      members[member] = r;
      ids_[r][c] = number->second;
    }
  }
}

void Communicators::find_first_uses() {
  for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
    const RankTrace& rank = trace_.ranks[r];
    for (std::uint32_t i = 0; i < rank.calls.size(); ++i) {
      const Call& call = rank.calls[i];
      if (!has_communicator(call.kind)) continue;
      std::uint32_t& first = first_use_[r][call.comm];
      if (first == kUnknown) first = i;
    }
  }
}

void Communicators::find_world() {
  const auto ranks = static_cast<std::int32_t>(trace_.ranks.size());
  std::vector<std::uint32_t> all;
  for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
    const RankTrace& rank = trace_.ranks[r];
    all.push_back(r);
    bool found = false;
    for (std::uint32_t c = 0; c < rank.comms.size(); ++c) {
      const CommName& comm = rank.comms[c];
      if (first_use_[r][c] == kUnknown) continue;
      if (comm.size > ranks) {
        throw InputError(rank.where(rank.calls[first_use_[r][c]]),
                         "'" + std::to_string(comm.size) +
                             "' ranks are in this communicator, but there are traces of " +
                             std::to_string(ranks) + " only: those of all ranks are expected");
      }
      if (found || comm.size != ranks || comm.rank != static_cast<std::int32_t>(r)) continue;
      ids_[r][c] = 0;
      found = true;
    }
  }
  members_.push_back(std::move(all));
}

std::size_t Communicators::used() const {
  std::vector<bool> used(size());
  for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
    for (const Call& call : trace_.ranks[r].calls) {
      if (has_communicator(call.kind)) used[id(r, call.comm)] = true;
    }
  }
  return static_cast<std::size_t>(std::ranges::count(used, true));
}

bool Communicators::complete(std::uint32_t id) const {
  return std::find(members_[id].begin(), members_[id].end(), kNoMember) == members_[id].end();
}

std::uint32_t Communicators::add(std::vector<std::uint32_t> members) {
  members_.push_back(std::move(members));
  return size() - 1;
}

void Communicators::contradiction(std::uint32_t rank, std::uint32_t call, std::uint32_t other,
                                  std::uint32_t other_call) const {
  const RankTrace& a = trace_.ranks[rank];
  const RankTrace& b = trace_.ranks[other];
  throw InputError(
      a.where(a.calls[call]),
      std::string(name_of(a.calls[call].kind)) +
          " is called where another member of the communicator calls " +
          (other_call == kUnknown ? "nothing more (" + b.file + ")"
                                  : std::string(name_of(b.calls[other_call].kind)) + " (" +
                                        b.where(b.calls[other_call]).str() + ")"));
}

/// The calls of a rank that all members of this communicator make to have another one.
std::vector<std::uint32_t> Communicators::making_calls(std::uint32_t id, std::uint32_t rank) const {
  std::vector<std::uint32_t> found;
  if (rank == kNoMember) return found;
  constexpr CallKinds kMaking = set_of(CallKind::comm_dup, CallKind::comm_create);
  trace_.ranks[rank].calls.for_kinds(kMaking, [&](std::uint32_t i, const Call& call) {
    if (ids_[rank][call.comm] == id) found.push_back(i);
  });
  return found;
}

/// Matches the calls that make communicators out of this one.
void Communicators::process(std::uint32_t id) {
  const std::vector<std::uint32_t> members = members_[id];
  std::vector<std::vector<std::uint32_t>> calls;
  std::size_t most = 0;
  for (const std::uint32_t rank : members) {
    calls.push_back(making_calls(id, rank));
    most = std::max(most, calls.back().size());
  }
  for (std::size_t event = 0; event < most; ++event) {
    std::vector<std::uint32_t> chosen;
    for (const auto& of_member : calls) {
      chosen.push_back(event < of_member.size() ? of_member[event] : kUnknown);
    }
    make(id, members, chosen);
  }
}

/// What the calls of all members make; throws InputError where they differ.
CallKind Communicators::agreed_kind(const std::vector<std::uint32_t>& members,
                                    const std::vector<std::uint32_t>& calls) const {
  const auto kind_of = [&](std::size_t m) { return trace_.ranks[members[m]].calls[calls[m]].kind; };
  const auto first = static_cast<std::size_t>(
      std::ranges::find_if(calls, [](std::uint32_t call) { return call != kUnknown; }) -
      calls.begin());
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m] == kNoMember) continue;
    if (calls[m] == kUnknown || kind_of(m) != kind_of(first)) {
      contradiction(members[first], calls[first], members[m], calls[m]);
    }
  }
  return kind_of(first);
}

/// Carries out what one call of each member of a communicator makes.
void Communicators::make(std::uint32_t id, const std::vector<std::uint32_t>& members,
                         const std::vector<std::uint32_t>& calls) {
  const CallKind kind = agreed_kind(members, calls);
  if (kind == CallKind::comm_split) return split(members, calls);
  if (kind == CallKind::comm_dup) return duplicate(id, calls);
  const auto number = static_cast<std::uint32_t>(open_.size());
  open_.emplace_back();
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m] != kNoMember) pending_[members[m]].push_back({calls[m], -1, -1, number | kOpen});
  }
}

/// Only those call MPI_Comm_create_group who are in: the i-th with the same tag belong together.
void Communicators::create_groups(std::uint32_t id) {
  std::map<std::pair<std::int32_t, std::uint32_t>, std::uint32_t> events;
  for (const std::uint32_t rank : members_[id]) {
    if (rank == kNoMember) continue;
    std::map<std::int32_t, std::uint32_t> count;
    const CallKinds making = set_of(CallKind::comm_create_group);
    trace_.ranks[rank].calls.for_kinds(making, [&](std::uint32_t i, const Call& call) {
      if (ids_[rank][call.comm] != id) return;
      const auto [event, fresh] = events.try_emplace({call.tag, count[call.tag]++}, open_.size());
      if (fresh) open_.emplace_back();
      pending_[rank].push_back({i, -1, -1, event->second | kOpen});
    });
  }
}

void Communicators::duplicate(std::uint32_t id, const std::vector<std::uint32_t>& calls) {
  const std::uint32_t copy = add(members_[id]);
  const auto size = static_cast<std::int32_t>(members_[copy].size());
  for (std::size_t m = 0; m < calls.size(); ++m) {
    const std::uint32_t rank = members_[copy][m];
    if (rank != kNoMember) {
      pending_[rank].push_back({calls[m], static_cast<std::int32_t>(m), size, copy});
    }
  }
}

void Communicators::split(const std::vector<std::uint32_t>& members,
                          const std::vector<std::uint32_t>& calls) {
  // Colour, then key, then the rank in the parent.
  std::vector<std::tuple<std::int32_t, std::int32_t, std::size_t>> order;
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m] == kNoMember) continue;
    const Call& call = trace_.ranks[members[m]].calls[calls[m]];
    if (call.peer >= 0) order.emplace_back(call.peer, call.tag, m);
  }
  std::sort(order.begin(), order.end());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && std::get<0>(order[end]) == std::get<0>(order[begin])) ++end;
    std::vector<std::uint32_t> group;
    for (std::size_t i = begin; i < end; ++i) group.push_back(members[std::get<2>(order[i])]);
    const std::uint32_t id = add(group);
    for (std::size_t i = begin; i < end; ++i) {
      pending_[group[i - begin]].push_back({calls[std::get<2>(order[i])],
                                            static_cast<std::int32_t>(i - begin),
                                            static_cast<std::int32_t>(end - begin), id});
    }
  }
}

/// Gives names of the rank to communicators it has made; whether there was one to give.
bool Communicators::bind(std::uint32_t rank) {
  const RankTrace& trace = trace_.ranks[rank];
  std::vector<std::uint32_t> names;
  for (std::uint32_t c = 0; c < trace.comms.size(); ++c) {
    if (ids_[rank][c] == kUnknown && first_use_[rank][c] != kUnknown) names.push_back(c);
  }
  std::sort(names.begin(), names.end(), [&](std::uint32_t a, std::uint32_t b) {
    return first_use_[rank][a] < first_use_[rank][b];
  });
  std::vector<Pending>& pending = pending_[rank];
  std::stable_sort(pending.begin(), pending.end(),
                   [](const Pending& a, const Pending& b) { return a.call < b.call; });
  bool bound = false;
  for (const std::uint32_t c : names) {
    const CommName& comm = trace.comms[c];
    const auto fits = [&](const Pending& p) {
      return p.call < first_use_[rank][c] &&
             (p.rank < 0 || (p.rank == comm.rank && p.size == comm.size));
    };
    const auto found = std::find_if(pending.begin(), pending.end(), fits);
    if (found == pending.end()) continue;
    if (found->group & kOpen) {
      open_[found->group & ~kOpen].push_back({rank, c});
    } else {
      ids_[rank][c] = found->group;
    }
    pending.erase(found);
    bound = true;
  }
  return bound;
}

/// The i-th of each comm rank are together.
void Communicators::form_groups(const std::vector<Instance>& instances) {
  std::map<std::int32_t, std::vector<Instance>> by_size;
  for (const Instance& i : instances) by_size[trace_.ranks[i.rank].comms[i.comm].size].push_back(i);
  for (const auto& [size, list] : by_size) {
    std::vector<std::uint32_t> seen(static_cast<std::size_t>(size), 0);
    std::vector<std::uint32_t> groups;
    for (const Instance& i : list) {
      const auto member = static_cast<std::size_t>(trace_.ranks[i.rank].comms[i.comm].rank);
      const std::uint32_t number = seen[member]++;
      if (number == groups.size()) {
        groups.push_back(
            add(std::vector<std::uint32_t>(static_cast<std::size_t>(size), kNoMember)));
      }
      members_[groups[number]][member] = i.rank;
      ids_[i.rank][i.comm] = groups[number];
    }
    if (groups.size() > 1) guessed_ += groups.size();
  }
}

/// Names whose making is not in the traces: the n-th of a size on each rank are taken together.
void Communicators::form_leftovers() {
  std::map<std::pair<std::int32_t, std::uint32_t>, std::vector<Instance>> buckets;
  for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
    std::map<std::int32_t, std::uint32_t> count;
    for (std::uint32_t c = 0; c < trace_.ranks[r].comms.size(); ++c) {
      if (ids_[r][c] != kUnknown || first_use_[r][c] == kUnknown) continue;
      const std::int32_t size = trace_.ranks[r].comms[c].size;
      buckets[{size, count[size]++}].push_back({r, c});
    }
  }
  for (const auto& [key, instances] : buckets) {
    const std::uint64_t before = guessed_;
    const std::uint32_t had = size();
    form_groups(instances);
    guessed_ = before + (size() - had);
  }
}

}  // namespace heddle::traces
