#include <algorithm>
#include <vector>

#include "core/containers/pool.hpp"
#include "network/packet/output_port.hpp"
#include "network/packet/switch_buffers.hpp"

namespace heddle::network {
namespace {

/// A pause, or its end, on its way to the port that it is for.
class PauseNews final : public Event {
 public:
  void tell(const PacketContext& context, Pool<PauseNews>& pool, OutputPort& port, std::size_t lane,
            bool pause, Time when) {
    pool_ = &pool;
    port_ = &port;
    lane_ = lane;
    pause_ = pause;
    context.simulation.schedule(*this, when, port.arbiter().source());
  }
  void fire() override {
    if (pause_) {
      port_->lanes().pause(lane_);
    } else {
      port_->go_on(lane_);
    }
    pool_->give_back(*this);
  }

 private:
  Pool<PauseNews>* pool_ = nullptr;
  OutputPort* port_ = nullptr;
  std::size_t lane_ = 0;
  bool pause_ = false;
};

/// Priority flow control: packets are counted by the input and lane that they came in on. Each has
/// a reserve, a part of the switch's shared memory, and headroom for what comes in until a pause
/// has its effect; what finds that full, too, is lost.
class PfcBuffers final : public SwitchBuffers {
 public:
  explicit PfcBuffers(const PacketContext& context)
      : context_(context),
        config_(context.plan.pfc),
        inputs_(std::size_t{context.plan.platform.topology().links()} * context.plan.lanes),
        shared_used_(context.plan.platform.topology().vertices()) {}

  bool take(Packet& packet, const OutputPort*) override {
    if (packet.in_lane == context_.plan.control_lane) return true;
    Input& input = input_of(packet);
    const std::int64_t bytes = packet.size(context_.plan.config.flit).count();
    std::int64_t& used = shared_used_[switch_of(packet)];
    const std::int64_t before = shared_of(input);
    const std::int64_t more = shared_of(input.taken + bytes) - before;
    if (input.headroom == 0 && before + more <= threshold(used) && fits(used, more)) {
      input.taken += bytes;
      used += more;
    } else if (input.headroom + bytes <= headroom_of(*packet.before)) {
      input.headroom += bytes;
    } else {
      ++input.lost;
      ++counts_.dropped;
      return false;
    }
    input.most = std::max(input.most, input.taken + input.headroom);
    if (!input.paused && (input.headroom > 0 || shared_of(input) >= threshold(used))) {
      pause(input, packet);
    }
    return true;
  }

  /// What is in the headroom leaves first.
  void left(const Packet& packet) override {
    if (packet.in_lane == context_.plan.control_lane) return;
    Input& input = input_of(packet);
    const std::int64_t bytes = packet.size(context_.plan.config.flit).count();
    const std::int64_t from_headroom = std::min(bytes, input.headroom);
    std::int64_t& used = shared_used_[switch_of(packet)];
    input.headroom -= from_headroom;
    used -= shared_of(input) - shared_of(input.taken - (bytes - from_headroom));
    input.taken -= bytes - from_headroom;
    if (!input.paused || input.headroom > 0) return;
    const std::int64_t shared = shared_of(input);
    if (shared == 0 || shared + config_.resume.count() <= threshold(used)) go_on(input, packet);
  }

  bool at_hosts() const override { return true; }

  std::vector<LinkStatistic> link_statistics(LinkId link) const override {
    std::int64_t pauses = 0;
    Time paused;
    std::int64_t most = 0;
    std::int64_t lost = 0;
    const OutputPort* const port = context_.around.port_at(link);
    const bool paused_here = port != nullptr && !context_.plan.by_credits(link);
    const std::int64_t headroom = paused_here ? headroom_of(*port) : 0;
    for (std::size_t lane = 0; index(link) < links() && lane < context_.plan.lanes; ++lane) {
      const Input& input = inputs_[index(link) * context_.plan.lanes + lane];
      pauses += input.pauses;
      paused += input.paused_for;
      most = std::max(most, input.most);
      lost += input.lost;
    }
    return {{"pauses", pauses},
            {"paused_ps", paused.ps()},
            {"max_buffer_bytes", most},
            {"headroom_bytes", headroom},
            {"lost", lost}};
  }
  void add_to(PacketCounts& counts) const override { counts += counts_; }
  /// A packet that finds no room is lost at the end of its link.
  void add_to(LinkState& state, LinkId link) const override {
    for (std::size_t lane = 0; index(link) < links() && lane < context_.plan.lanes; ++lane) {
      const Input& input = inputs_[index(link) * context_.plan.lanes + lane];
      state.held_up += input.paused_for;
      if (input.paused) state.held_up += context_.simulation.now() - input.since;
      state.lost += input.lost;
    }
  }

 private:
  struct Input {
    std::int64_t taken = 0;     ///< Bytes in its reserve and in shared memory.
    std::int64_t headroom = 0;  ///< In that.
    bool paused = false;        ///< Its sender is told so.
    Time since;
    Time told;  ///< When the last news reach the sender.
    std::int64_t pauses = 0;
    Time paused_for;
    std::int64_t most = 0;
    std::int64_t lost = 0;
  };

  std::size_t links() const { return context_.plan.platform.topology().links(); }
  Input& input_of(const Packet& packet) {
    return inputs_[index(packet.in) * context_.plan.lanes + packet.in_lane];
  }
  std::size_t switch_of(const Packet& packet) const {
    return index(context_.plan.platform.links().ends(packet.in).to);
  }
  std::int64_t shared_of(std::int64_t taken) const {
    return std::max<std::int64_t>(0, taken - config_.reserve.count());
  }
  std::int64_t shared_of(const Input& input) const { return shared_of(input.taken); }
  std::int64_t threshold(std::int64_t used) const {
    if (config_.threshold) return config_.threshold->count();
    return static_cast<std::int64_t>(config_.alpha *
                                     static_cast<double>(config_.shared.count() - used));
  }
  bool fits(std::int64_t used, std::int64_t more) const {
    return config_.threshold || used + more <= config_.shared.count();
  }

  /// Its time on the wire back, without what keeps that.
  Time frame_time(const OutputPort& port) const {
    return port.kind().wire + port.kind().bandwidth.time_for(config_.frame) + config_.response;
  }
  Time packet_time(const OutputPort& port) const {
    return port.kind().flit_time * context_.plan.max_flits();
  }
  /// What may come in from the first packet beyond the threshold on: all that the sender begins to
  /// let pass until the pause has its effect, and what then is in its output buffer.
  std::int64_t headroom_of(const OutputPort& port) const {
    if (config_.headroom) return config_.headroom->count();
    const PortKind& kind = port.kind();
    const Time pause = frame_time(port) + packet_time(port) + kind.to_arbiter;
    const Time behind =
        std::max(kind.to_wire + packet_time(port), kind.flit_time * (kind.output_flits - 1));
    const Time open = kind.wire + pause + behind;
    // Less than that time's bytes, as pauses come before packets that would begin with them.
    constexpr std::int64_t kSecond = 8'000'000'000'000;
    const __int128 bits = static_cast<__int128>(open.ps()) * kind.bandwidth.bits_per_second();
    return static_cast<std::int64_t>((bits + kSecond - 1) / kSecond) - 1;
  }

  /// News go ahead of all packets of the wire back but the one that it carries.
  void tell(Input& input, const Packet& packet) {
    OutputPort& port = *packet.before;
    const Time now = context_.simulation.now();
    Time busy;
    if (const OutputPort* const back = context_.around.port_at(reverse(port.link()))) {
      busy = std::clamp(back->stage().wire_free() - now, Time::zero(), packet_time(*back));
    }
    input.told = std::max(input.told, now + busy + frame_time(port));
    news_.take().tell(context_, news_, port, packet.in_lane, input.paused, input.told);
  }
  void pause(Input& input, const Packet& packet) {
    input.paused = true;
    input.since = context_.simulation.now();
    ++input.pauses;
    ++counts_.pauses;
    counts_.most_paused = std::max(counts_.most_paused, ++paused_);
    tell(input, packet);
  }
  void go_on(Input& input, const Packet& packet) {
    const Time length = context_.simulation.now() - input.since;
    input.paused = false;
    input.paused_for += length;
    counts_.paused += length;
    counts_.longest_pause = std::max(counts_.longest_pause, length);
    --paused_;
    tell(input, packet);
  }

  const PacketContext context_;
  const PfcConfig& config_;
  std::vector<Input> inputs_;              ///< By link and lane.
  std::vector<std::int64_t> shared_used_;  ///< By vertex.
  Pool<PauseNews> news_;
  std::uint64_t paused_ = 0;
  PacketCounts counts_;
};

}  // namespace

std::unique_ptr<SwitchBuffers> new_pfc_buffers(const PacketContext& context) {
  return std::make_unique<PfcBuffers>(context);
}

}  // namespace heddle::network
