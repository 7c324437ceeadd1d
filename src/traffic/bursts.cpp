#include "traffic/bursts.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace heddle::traffic {

Bursts::Bursts(const std::vector<Stream>& streams, std::vector<NodeId> senders, std::uint32_t nodes,
               std::uint8_t traffic_class, const RandomStream& random)
    : senders_(std::move(senders)), nodes_(nodes), class_(traffic_class), waiting_(nodes) {
  for (const Stream& stream : streams) {
    const auto kind = static_cast<std::uint64_t>(stream.kind);
    const auto most = static_cast<std::uint32_t>(
        stream.kind == FlowKind::incast ? senders_.size() - 1 : nodes_ - 1);
    if (nodes_ < 2 || stream.degree > most) {
      throw ParamError({"traffic.burst_degree"},
                       "is " + std::to_string(stream.degree) + ", which is more than the " +
                           std::to_string(most) + " other nodes there are");
    }
    streams_.push_back({stream, random.split(kind)});
    wait(streams_.back());
  }
}

void Bursts::wait(Made& made) {
  made.last +=
      Time::ps(static_cast<std::int64_t>(made.random.exponential(made.stream.interval) + 0.5));
}

Bursts::Made& Bursts::soonest() {
  return *std::ranges::min_element(streams_, {}, &Made::last);
}

bool Bursts::next(NodeId source, Time until, Request& out) {
  std::list<Request>& own = waiting_[index(source)];
  while (own.empty() && soonest().last < until) make(soonest());
  if (own.empty() || own.front().created >= until) return false;
  out = own.front();
  own.pop_front();
  return true;
}

void Bursts::make(Made& made) {
  if (made.stream.kind == FlowKind::incast) {
    make_incast(made);
  } else {
    make_outcast(made);
  }
  wait(made);
}

NodeId Bursts::any_but(NodeId other, RandomStream& random) const {
  const auto node = static_cast<std::uint32_t>(random.below(nodes_ - 1));
  return NodeId{node + (node >= static_cast<std::uint32_t>(other) ? 1 : 0)};
}

/// The target may be any node; those that send are the first of the senders in a random order.
void Bursts::make_incast(Made& made) {
  const NodeId target{static_cast<std::uint32_t>(made.random.below(nodes_))};
  others_ = senders_;
  std::erase(others_, target);
  for (std::uint32_t i = 0; i < made.stream.degree; ++i) {
    std::swap(others_[i], others_[i + made.random.below(others_.size() - i)]);
    add(made, others_[i], target);
  }
}

void Bursts::make_outcast(Made& made) {
  const NodeId source = senders_[made.random.below(senders_.size())];
  others_.clear();
  while (others_.size() < made.stream.degree) {
    const NodeId destination = any_but(source, made.random);
    if (std::ranges::find(others_, destination) != others_.end()) continue;
    others_.push_back(destination);
    add(made, source, destination);
  }
}

void Bursts::keep(const std::vector<NodeId>& sources) {
  kept_.assign(nodes_, false);
  for (const NodeId source : sources) kept_[index(source)] = true;
}

void Bursts::add(const Made& made, NodeId source, NodeId destination) {
  if (!kept_.empty() && !kept_[index(source)]) return;
  Request request;
  request.created = made.last;
  request.destination = destination;
  request.size = made.stream.size;
  request.traffic_class = class_;
  request.kind = made.stream.kind;
  waiting_[index(source)].push_back(request);
}

std::vector<Bursts::Stream> burst_streams(const TrafficConfig& config, double bytes_per_ps) {
  std::vector<Bursts::Stream> streams;
  const auto degree = static_cast<std::uint32_t>(config.burst_degree);
  const double bytes = static_cast<double>(config.burst_size.count()) * degree;
  for (const auto& [part, kind] :
       {std::pair{config.incast, FlowKind::incast}, std::pair{config.outcast, FlowKind::outcast}}) {
    if (part > 0) {
      streams.push_back({kind, bytes / (bytes_per_ps * part), degree, config.burst_size});
    }
  }
  return streams;
}

}  // namespace heddle::traffic
