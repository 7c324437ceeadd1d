#include "traces/readers/dumpi_communicators.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include <fmt/core.h>

#include "core/error.hpp"
#include "traces/readers/dumpi_functions.hpp"

namespace heddle::traces {
namespace {

using RankSet = std::vector<std::uint32_t>;

constexpr std::string_view kMaking[] = {
    "Comm_dup",     "Comm_create", "Comm_split",       "Cart_create",        "Cart_sub",
    "Graph_create", "Comm_group",  "Group_union",      "Group_intersection", "Group_difference",
    "Group_incl",   "Group_excl",  "Group_range_incl", "Group_range_excl"};
constexpr std::int64_t kEmptyGroup = 2;
/// Names of communicators that are made count from here: fixed ones are below.
constexpr std::uint64_t kFirstMade = 16;

std::string_view name_of_making(const DumpiMaking& making) {
  return dumpi_functions()[making.function].name;
}

struct FollowedComm {
  RankSet members;
  std::vector<std::int64_t> dimensions;  ///< Of a grid.
};

bool has(const RankSet& set, std::uint32_t rank) {
  return std::find(set.begin(), set.end(), rank) != set.end();
}

/// The places in a group that ranges of first, last and step name.
std::vector<std::int64_t> unfolded(const std::vector<std::int64_t>& ranges, std::size_t most) {
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i + 2 < ranges.size(); i += 3) {
    const std::int64_t step = ranges[i + 2];
    for (std::int64_t place = ranges[i];
         step != 0 && (step > 0 ? place <= ranges[i + 1] : place >= ranges[i + 1]) &&
         places.size() <= most;
         place += step) {
      places.push_back(place);
    }
  }
  return places;
}

RankSet chosen(const RankSet& group, const std::vector<std::int64_t>& places) {
  RankSet result;
  for (const std::int64_t place : places) {
    if (place >= 0 && place < static_cast<std::int64_t>(group.size())) {
      result.push_back(group[static_cast<std::size_t>(place)]);
    }
  }
  return result;
}

RankSet without(const RankSet& group, const RankSet& others) {
  RankSet result;
  std::copy_if(group.begin(), group.end(), std::back_inserter(result),
               [&](std::uint32_t rank) { return !has(others, rank); });
  return result;
}

/// All ranks, from call to call.
class DumpiFollower {
 public:
  DumpiFollower(const std::vector<std::vector<DumpiMaking>>& calls,
                const std::vector<std::string>& files)
      : calls_(calls), files_(files), ranks_(calls.size()), made_(calls.size()) {
    RankSet all(calls.size());
    std::iota(all.begin(), all.end(), 0U);
    comms_.push_back({std::move(all), {}});
    for (std::uint32_t r = 0; r < calls.size(); ++r) {
      comms_.push_back({{r}, {}});
      ranks_[r].comms = {{kDumpiWorld, 0}, {kDumpiSelf, r + 1}};
      ranks_[r].groups = {{kEmptyGroup, {}}};
    }
  }

  std::vector<std::vector<DumpiMade>> follow() {
    for (std::uint32_t r = 0; r < calls_.size(); ++r) ready_.push_back(r);
    while (!ready_.empty()) {
      const std::uint32_t rank = ready_.back();
      ready_.pop_back();
      advance(rank);
    }
    for (std::uint32_t r = 0; r < calls_.size(); ++r) {
      if (ranks_[r].at < calls_[r].size()) {
        fail(r, "not all members of its communicator make this call");
      }
    }
    return std::move(made_);
  }

 private:
  struct Rank {
    std::size_t at = 0;                         ///< The next call.
    std::map<std::int64_t, std::size_t> comms;  ///< By handle; numbers in comms_.
    std::map<std::int64_t, RankSet> groups;     ///< By handle.
  };

  const DumpiMaking& call_of(std::uint32_t rank) const { return calls_[rank][ranks_[rank].at]; }
  [[noreturn]] void fail(std::uint32_t rank, std::string_view problem) const {
    const DumpiMaking& call = call_of(rank);
    throw InputError({files_[rank], call.number},
                     fmt::format("MPI_{}: {}", name_of_making(call), problem));
  }

  /// To the next call that others have to make, too.
  void advance(std::uint32_t r) {
    Rank& rank = ranks_[r];
    for (; rank.at < calls_[r].size(); ++rank.at) {
      const DumpiMaking& call = call_of(r);
      if (call.new_group != 0) {
        make_group(rank, call);
        continue;
      }
      rank.comms.erase(call.new_comm);
      const auto comm = rank.comms.find(call.old_comm);
      if (comm == rank.comms.end()) continue;
      const std::size_t waiting = ++waiting_[comm->second];
      if (waiting < comms_[comm->second].members.size()) return;
      waiting_[comm->second] = 0;
      return make(comm->second);
    }
  }

  // Groups.

  void make_group(Rank& rank, const DumpiMaking& call) const {
    rank.groups.erase(call.new_group);
    if (auto group = group_of(rank, call)) rank.groups[call.new_group] = std::move(*group);
  }
  /// Nothing where it is made of one that is not known.
  std::optional<RankSet> group_of(const Rank& rank, const DumpiMaking& call) const {
    const std::string_view name = name_of_making(call);
    if (name == "Comm_group") {
      const auto comm = rank.comms.find(call.old_comm);
      if (comm == rank.comms.end()) return std::nullopt;
      return comms_[comm->second].members;
    }
    const auto group = rank.groups.find(call.group);
    if (group == rank.groups.end()) return std::nullopt;
    const RankSet& base = group->second;
    if (name == "Group_incl") return chosen(base, call.list);
    if (name == "Group_excl") return without(base, chosen(base, call.list));
    if (name.starts_with("Group_range")) {
      const RankSet named = chosen(base, unfolded(call.list, base.size()));
      return name == "Group_range_incl" ? named : without(base, named);
    }
    const auto other = rank.groups.find(call.other_group);
    if (other == rank.groups.end()) return std::nullopt;
    const RankSet common = without(base, other->second);
    if (name == "Group_difference") return common;
    if (name == "Group_intersection") return without(base, common);
    RankSet both = base;
    const RankSet more = without(other->second, base);
    both.insert(both.end(), more.begin(), more.end());
    return both;
  }

  // Communicators.

  /// All members are at the call.
  void make(std::size_t parent) {
    const RankSet members = comms_[parent].members;
    const std::uint32_t function = call_of(members[0]).function;
    for (const std::uint32_t r : members) {
      if (call_of(r).function == function) continue;
      fail(r, fmt::format("another member of its communicator calls MPI_{} ({})",
                          dumpi_functions()[function].name, files_[members[0]]));
    }
    const std::string_view name = dumpi_functions()[function].name;
    if (name == "Comm_split") {
      split(members);
    } else if (name == "Comm_create") {
      create(members);
    } else if (name == "Cart_sub") {
      divide(parent);
    } else {
      copy(parent, name);
    }
    for (const std::uint32_t r : members) {
      ++ranks_[r].at;
      ready_.push_back(r);
    }
  }

  /// A communicator of those who got a handle of it.
  void add(RankSet members, std::vector<std::int64_t> dimensions = {}) {
    std::erase_if(members, [&](std::uint32_t r) { return call_of(r).new_comm <= kDumpiNoComm; });
    const std::size_t number = comms_.size();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::uint32_t r = members[i];
      const DumpiMaking& call = call_of(r);
      ranks_[r].comms[call.new_comm] = number;
      made_[r].push_back(
          {call.number, call.new_comm, {kFirstMade + number, i, members.size(), {}}});
    }
    comms_.push_back({std::move(members), std::move(dimensions)});
  }

  void split(const RankSet& members) {
    std::vector<std::tuple<std::int64_t, std::int64_t, std::size_t>> order;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const DumpiMaking& call = call_of(members[m]);
      if (call.new_comm > kDumpiNoComm) order.emplace_back(call.colour, call.key, m);
    }
    std::sort(order.begin(), order.end());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      RankSet group;
      for (; end < order.size() && std::get<0>(order[end]) == std::get<0>(order[begin]); ++end) {
        group.push_back(members[std::get<2>(order[end])]);
      }
      add(std::move(group));
    }
  }

  /// Members may name different groups that have nobody in common.
  void create(const RankSet& members) {
    std::map<RankSet, bool> groups;
    for (const std::uint32_t r : members) {
      const auto group = ranks_[r].groups.find(call_of(r).group);
      if (call_of(r).new_comm <= kDumpiNoComm || group == ranks_[r].groups.end()) continue;
      RankSet inside = group->second;
      std::erase_if(inside, [&](std::uint32_t other) { return !has(members, other); });
      if (has(inside, r)) groups[std::move(inside)] = true;
    }
    RankSet taken;
    for (const auto& [group, unused] : groups) {
      RankSet free = without(group, taken);
      taken.insert(taken.end(), free.begin(), free.end());
      add(std::move(free));
    }
  }

  /// With all members, or as many as a grid or graph has places.
  void copy(std::size_t parent, std::string_view name) {
    RankSet members = comms_[parent].members;
    const DumpiMaking& call = call_of(members[0]);
    std::vector<std::int64_t> dimensions;
    if (name == "Cart_create") dimensions = call.list;
    const std::int64_t places = name == "Cart_create"    ? places_in(dimensions, members.size())
                                : name == "Graph_create" ? call.colour
                                                         : INT64_MAX;
    if (places < static_cast<std::int64_t>(members.size())) {
      members.resize(static_cast<std::size_t>(std::max<std::int64_t>(places, 0)));
    }
    add(std::move(members), std::move(dimensions));
  }
  static std::int64_t places_in(const std::vector<std::int64_t>& dimensions, std::size_t most) {
    if (std::ranges::any_of(dimensions, [](std::int64_t d) { return d < 1; })) return 0;
    std::int64_t places = 1;
    for (const std::int64_t d : dimensions) {
      if (places > static_cast<std::int64_t>(most)) break;
      places *= d;
    }
    return places;
  }

  /// Rows, columns and planes of a grid: together are those who differ only where it remains.
  void divide(std::size_t parent) {
    const RankSet members = comms_[parent].members;
    const std::vector<std::int64_t> dimensions = comms_[parent].dimensions;
    const std::vector<std::int64_t>& remain = call_of(members[0]).list;
    std::vector<std::int64_t> left;
    for (std::size_t d = 0; d < std::min(remain.size(), dimensions.size()); ++d) {
      if (remain[d] != 0) left.push_back(dimensions[d]);
    }
    std::map<std::vector<std::int64_t>, RankSet> parts;
    for (std::size_t m = 0; m < members.size(); ++m) {
      std::vector<std::int64_t> place;
      auto rest = static_cast<std::int64_t>(m);
      for (std::size_t d = dimensions.size(); d-- > 0;) {
        const bool remains = d < remain.size() && remain[d] != 0;
        place.push_back(remains ? -1 : rest % dimensions[d]);
        rest /= dimensions[d];
      }
      parts[std::move(place)].push_back(members[m]);
    }
    for (auto& [place, part] : parts) add(std::move(part), left);
  }

  const std::vector<std::vector<DumpiMaking>>& calls_;
  const std::vector<std::string>& files_;
  std::vector<Rank> ranks_;
  std::vector<std::vector<DumpiMade>> made_;
  std::vector<FollowedComm> comms_;
  std::map<std::size_t, std::size_t> waiting_;  ///< How many members are at a call, by comm.
  std::vector<std::uint32_t> ready_;
};

}  // namespace

bool makes_dumpi_comm(const DumpiCall& call) {
  static const std::vector<bool> making = [] {
    std::vector<bool> all;
    for (const DumpiFunction& f : dumpi_functions()) {
      all.push_back(std::find(std::begin(kMaking), std::end(kMaking), f.name) != std::end(kMaking));
    }
    return all;
  }();
  return call.function < making.size() && making[call.function];
}

DumpiMaking dumpi_making(const DumpiCall& call) {
  DumpiMaking making;
  making.function = call.function;
  making.number = call.number;
  making.old_comm = call.number_of('c');
  making.new_comm = call.number_of('m');
  making.group = call.number_of('u');
  making.other_group = call.number_of('w');
  making.new_group = call.number_of('U');
  making.colour = call.number_of('C') + call.number_of('z');
  making.key = call.number_of('K');
  for (const char letter : {'R', 'X', 'D'}) {
    if (!call.list_of(letter).empty()) making.list = call.list_of(letter);
  }
  return making;
}

std::vector<std::vector<DumpiMade>> follow_dumpi_comms(
    const std::vector<std::vector<DumpiMaking>>& calls, const std::vector<std::string>& files) {
  return DumpiFollower(calls, files).follow();
}

}  // namespace heddle::traces
