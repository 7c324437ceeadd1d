#include "network/adapter_network.hpp"

#include <utility>

#include "core/random.hpp"

namespace heddle::network {

using platform::AdapterChoice;
using platform::Endpoint;

AdapterNetwork::AdapterNetwork(std::unique_ptr<Network> model, const platform::Platform& platform)
    : model_(std::move(model)), adapters_(platform.adapters()), next_(platform.nodes()) {
  const platform::NodeParams& node = platform.node(NodeId{0});
  choice_ = node.adapter_choice;
  planes_ = node.adapter_map == platform::AdapterMap::planes;
  stripe_from_ = node.stripe_from;
}

void AdapterNetwork::start(const Transfer& transfer) {
  const bool within = transfer.source.node == transfer.destination.node;
  if (within) return model_->start(transfer);
  if (choice_ == AdapterChoice::stripe && transfer.size >= stripe_from_) {
    return start_stripes(transfer);
  }
  Transfer bound = transfer;
  bound.source.adapter = chosen(transfer);
  // Unless its rank says where it is to come in.
  const bool stays = planes_ || choice_ != AdapterChoice::rank ||
                     transfer.destination.adapter == Endpoint::kAnyAdapter;
  if (stays) bound.destination.adapter = bound.source.adapter;
  model_->start(bound);
}

std::uint8_t AdapterNetwork::chosen(const Transfer& transfer) {
  switch (choice_) {
    case AdapterChoice::rank:
      if (transfer.source.adapter == Endpoint::kAnyAdapter) return in_turn(transfer.source.node);
      return static_cast<std::uint8_t>(transfer.source.adapter % adapters_);
    case AdapterChoice::hash: {
      const std::uint64_t pair =
          index(transfer.source.node) << 32 | index(transfer.destination.node);
      return static_cast<std::uint8_t>(RandomStream(pair).next() % adapters_);
    }
    default:
      return in_turn(transfer.source.node);
  }
}

std::uint8_t AdapterNetwork::in_turn(NodeId node) {
  std::uint8_t& next = next_[index(node)];
  const std::uint8_t now = next;
  next = static_cast<std::uint8_t>((next + 1U) % adapters_);
  return now;
}

/// Equal parts; the first ones have a byte more where that does not come out even.
void AdapterNetwork::start_stripes(const Transfer& whole) {
  Stripes& stripes = stripes_.take();
  stripes = {whole, adapters_, adapters_, false, false};
  Transfer part = whole;
  part.client = this;
  part.cookie = reinterpret_cast<std::uintptr_t>(&stripes);
  part.rate_cap = whole.rate_cap.divided_by(adapters_);
  // The last byte of all is to be known, so that the record can be used again.
  part.wants = static_cast<std::uint8_t>(whole.wants | static_cast<std::uint8_t>(Instant::tail));
  for (std::uint32_t a = 0; a < adapters_; ++a) {
    const std::int64_t extra = a < whole.size.count() % adapters_ ? 1 : 0;
    part.size = Bytes(whole.size.count() / adapters_ + extra);
    part.source.adapter = part.destination.adapter = static_cast<std::uint8_t>(a);
    model_->start(part);
  }
}

void AdapterNetwork::transfer_reached(Instant instant, std::uint64_t cookie) {
  Stripes& stripes = *reinterpret_cast<Stripes*>(static_cast<std::uintptr_t>(cookie));
  switch (instant) {
    case Instant::injected:
      if (--stripes.to_leave == 0) stripes.whole.report(instant);
      return;
    case Instant::head:
      if (!std::exchange(stripes.begun, true)) stripes.whole.report(instant);
      return;
    case Instant::lost:
      stripes.lost = true;
      [[fallthrough]];
    case Instant::tail:
      if (--stripes.to_arrive > 0) return;
      const Transfer whole = stripes.whole;
      const bool lost = stripes.lost;
      stripes_.give_back(stripes);
      whole.report(lost ? Instant::lost : Instant::tail);
  }
}

}  // namespace heddle::network
