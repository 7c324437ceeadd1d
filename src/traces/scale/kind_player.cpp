#include "traces/scale/kind_player.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "traces/scale/simplify.hpp"

namespace heddle::traces {
namespace {

/// A rank that is being made.
class KindPlayer {
 public:
  KindPlayer(const FittedKind& kind, const RankGrid& grid, std::uint32_t rank)
      : kind_(kind), grid_(grid), rank_(rank) {
    trace_.comms = {{0, static_cast<std::int32_t>(rank), static_cast<std::int32_t>(grid.ranks())}};
    trace_.file = fmt::format("rank {}", rank);
    trace_.request_size = kind.first.model.calls().request_size;
  }

  RankTrace run() {
    std::size_t fitted = 0;
    for (std::size_t l = 0; l < kind_.first.loops.size(); ++l) {
      const Loop& loop = kind_.first.loops[l];
      const auto rounds = static_cast<std::size_t>(std::llround(kind_.rounds[l].value(grid_)));
      for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t c = 0; c < loop.calls; ++c) {
          play_call(loop.first + c, kind_.calls[fitted + c], round);
        }
      }
      fitted += loop.calls;
    }
    return std::move(trace_);
  }

 private:
  std::uint64_t bytes(const Law& law, std::uint8_t element, double factor = 1) const {
    const double count = std::max(0.0, law.value(grid_)) * factor / element;
    return static_cast<std::uint64_t>(std::llround(count)) * element;
  }

  void play_call(std::size_t i, const FittedCall& fitted, std::size_t round) {
    Call call = kind_.first.model.call(i);
    const Law& compute = round == 0 ? fitted.compute : fitted.again;
    clock_ += std::max(0.0, compute.value(grid_));
    call.start = call.end = std::llround(clock_);
    call.bytes = bytes(fitted.bytes, call.element, factor_of(fitted.growth, round));
    if (call.kind == CallKind::sendrecv) call.recv_bytes = bytes(fitted.others, 1);
    if (is_collective(call.kind) && call.others != kUnsaid) {
      call.others = bytes(fitted.others, call.element);
    }
    if (is_message(call) && call.peer >= 0) call.peer = peer(fitted.peer, i, round);
    if (call.kind == CallKind::sendrecv) call.source = peer(fitted.source, i, round);
    if (is_message(call) && call.nonblocking) call.request = ++requests_;
    if (is_agreement(call)) return play_agreement(call);
    if (call.comm != 0) play_group(call.comm - 1, fitted.slice);
    std::vector<std::vector<std::uint64_t>>& lists = trace_.lists;
    for (std::uint32_t Call::*list : {&Call::list, &Call::others_list}) {
      if (call.*list == kNoList) continue;
      call.*list = static_cast<std::uint32_t>(lists.size());
      lists.emplace_back();
      if (is_collective(call.kind)) {
        lists.back().assign(grid_.ranks(), bytes(fitted.member, call.element));
      }
      for (const std::uint64_t back : fitted.back) lists.back().push_back(requests_ - back);
    }
    trace_.calls.push_back(call);
  }

  /// The messages by which ranks agree on a new communicator: a dissemination.
  void play_agreement(const Call& agreement) {
    const std::uint32_t ranks = grid_.ranks();
    for (std::uint32_t distance = 1; distance < ranks; distance *= 2) {
      Call call = agreement;
      call.nonblocking = true;
      call.requests = 1;
      call.kind = CallKind::recv;
      call.peer = static_cast<std::int32_t>((rank_ + ranks - distance) % ranks);
      call.request = ++requests_;
      trace_.calls.push_back(call);
      call.kind = CallKind::send;
      call.peer = static_cast<std::int32_t>((rank_ + distance) % ranks);
      call.request = ++requests_;
      trace_.calls.push_back(call);
      Call wait;
      wait.kind = CallKind::wait;
      wait.start = wait.end = agreement.start;
      wait.list = static_cast<std::uint32_t>(trace_.lists.size());
      trace_.lists.push_back({requests_ - 1, requests_});
      trace_.calls.push_back(wait);
    }
  }

  void play_group(std::uint32_t group, std::uint32_t slice) {
    std::vector<RankList>& groups = trace_.groups;
    if (groups.size() <= group) groups.resize(group + 1);
    if (groups[group].runs() == 0) groups[group] = RankList(grid_.slice(rank_, slice));
  }

  std::int32_t peer(const Relation& relation, std::size_t i, std::size_t round) const {
    const auto found = relation.peer(grid_, rank_, round);
    if (!found) {
      refuse_call(kind_.first.model, i, "there is no " + relation.text() + " in the larger grid");
    }
    return static_cast<std::int32_t>(*found);
  }

  const FittedKind& kind_;
  const RankGrid& grid_;
  std::uint32_t rank_;
  RankTrace trace_;
  double clock_ = 0;
  std::uint64_t requests_ = 0;
};

}  // namespace

RankTrace play_kind(const FittedKind& kind, const RankGrid& grid, std::uint32_t rank) {
  return KindPlayer(kind, grid, rank).run();
}

}  // namespace heddle::traces
