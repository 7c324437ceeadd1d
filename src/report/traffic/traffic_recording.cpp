#include "report/traffic/traffic_recording.hpp"
#include "run/link_waits.hpp"

#include <algorithm>
#include <bit>

namespace heddle::report {
namespace {

constexpr std::uint32_t kMostNodeGroups = 128;

void add_message(record::Volume& volume, std::int64_t bytes) {
  ++volume.messages;
  volume.bytes += bytes;
}

}  // namespace

TrafficRecording::TrafficRecording(const platform::Platform& platform)
    : platform_(platform),
      samples_(std::make_unique<record::LinkSamples>()),
      waits_(std::make_unique<record::WaitSamples>()) {}

void TrafficRecording::begins(const network::Network& network, const traffic::Injector& injector) {
  const auto nodes = std::max<std::uint32_t>(platform_.nodes(), 1);
  group_ = (nodes + kMostNodeGroups - 1) / kMostNodeGroups;
  groups_ = (nodes + group_ - 1) / group_;
  matrix_.assign(std::size_t{groups_} * groups_, {});
  by_size_ = {};
  finished_ = events_ = 0;
  links_ = static_cast<std::uint32_t>(network.carried().size());
  running_ = std::make_unique<record::LinkSamples>();
  running_->watch(links_ + columns, [this, &network, &injector] {
    SparseVector<std::int64_t> seen(links_ + columns);
    network.carried().for_each_used([&](std::size_t link, std::int64_t bytes) {
      if (bytes != 0) seen[link] = bytes;
    });
    seen[links_ + delivered] = network.delivered().count();
    seen[links_ + started] = static_cast<std::int64_t>(injector.started());
    seen[links_ + finished] = static_cast<std::int64_t>(finished_);
    return seen;
  });
  running_waits_ = std::make_unique<record::WaitSamples>();
  running_waits_->watch(run::waits_of(network));
}

void TrafficRecording::message_finished(const traffic::MessageRecord& record) {
  const std::int64_t bytes = record.size.count();
  ++finished_;
  add_message(by_size_[std::bit_width(static_cast<std::uint64_t>(bytes)) % 64], bytes);
  const auto from = static_cast<std::uint32_t>(index(record.source)) / group_;
  const auto to = static_cast<std::uint32_t>(index(record.destination)) / group_;
  add_message(matrix_[std::size_t{from} * groups_ + to], bytes);
}

void TrafficRecording::ends(Time now) {
  running_->finish(now);
  samples_ = std::move(running_);
  running_waits_->finish(now);
  waits_ = std::move(running_waits_);
  end_ = now;
}

Json TrafficRecording::flow_json() const {
  Json bytes = Json::array();
  Json under_way = Json::array();
  std::int64_t open = 0;
  for (std::size_t s = 0; s < samples_->slices(); ++s) {
    bytes.push_back(samples_->bytes(s, links_ + delivered));
    open += samples_->bytes(s, links_ + started) - samples_->bytes(s, links_ + finished);
    under_way.push_back(open);
  }
  return {{"slice_ps", samples_->slice().ps()},
          {"end_ps", end_.ps()},
          {"bytes", bytes},
          {"under_way", under_way}};
}

}  // namespace heddle::report
