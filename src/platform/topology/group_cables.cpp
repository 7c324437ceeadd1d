#include "platform/topology/group_cables.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::platform {
namespace {

/// Tables of as many entries stay in caches.
constexpr std::uint64_t kTabulated = std::uint64_t{1} << 16;

}  // namespace

GroupCables::GroupCables(const CirculantCables& cables, std::uint32_t per_switch)
    : groups_(cables.groups()),
      cables_(cables.cables()),
      per_switch_(std::max(per_switch, 1U)),
      circulant_(cables) {
  if (std::uint64_t{groups_} * groups_ > kTabulated || cables_ > kTabulated) return;
  for (std::uint32_t number = 0; number < cables_; ++number) {
    const CirculantCables::Ends ends = circulant_->ends(number);
    list_.push_back({ends.a, ends.port_a / per_switch_, ends.b, ends.port_b / per_switch_});
  }
  tabulate();
}

GroupCables::GroupCables(std::uint32_t groups, std::vector<GroupCable> cables)
    : groups_(groups),
      cables_(static_cast<std::uint32_t>(cables.size())),
      list_(std::move(cables)) {
  tabulate();
}

/// Those of a pair in the order of their numbers.
void GroupCables::tabulate() {
  first_.resize(std::size_t{groups_} * groups_ + 1);
  const auto pair = [this](std::uint32_t from, std::uint32_t to) {
    return std::size_t{from} * groups_ + to;
  };
  for (const GroupCable& cable : list_) {
    ++first_[pair(cable.a, cable.b) + 1];
    ++first_[pair(cable.b, cable.a) + 1];
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  seen_.resize(2 * list_.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t number = 0; number < cables_; ++number) {
    const GroupCable& cable = list_[number];
    seen_[next[pair(cable.a, cable.b)]++] = {number, false, cable.switch_a, cable.switch_b};
    seen_[next[pair(cable.b, cable.a)]++] = {number, true, cable.switch_b, cable.switch_a};
  }
}

GroupCable GroupCables::cable(std::uint32_t number) const {
  if (!list_.empty()) return list_[number];
  const CirculantCables::Ends ends = circulant_->ends(number);
  return {ends.a, ends.port_a / per_switch_, ends.b, ends.port_b / per_switch_};
}

std::uint32_t GroupCables::twins(std::uint32_t number) const {
  const GroupCable own = cable(number);
  std::uint32_t twins = 0;
  for (std::uint32_t round = 0; round < joining(own.a, own.b); ++round) {
    const Seen other = between(own.a, own.b, round);
    if (other.cable >= number) break;
    twins += other.near == own.switch_a && other.far == own.switch_b ? 1 : 0;
  }
  return twins;
}

std::uint32_t GroupCables::most_at_switch() const {
  if (circulant_) return std::min(per_switch_, circulant_->used_ports());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> at_switch;
  std::uint32_t most = 0;
  for (const GroupCable& cable : list_) {
    most = std::max(most, ++at_switch[{cable.a, cable.switch_a}]);
    most = std::max(most, ++at_switch[{cable.b, cable.switch_b}]);
  }
  return most;
}

}  // namespace heddle::platform
