#include "platform/topology/circulant_cables.hpp"

#include "core/error.hpp"

namespace heddle::platform {

CirculantCables::CirculantCables(std::int64_t groups, std::uint64_t ports,
                                 const std::string& ports_text) {
  check_size(1, 1, capped_product(ports, static_cast<std::uint64_t>(groups)));
  if (groups > static_cast<std::int64_t>(ports) + 1) {
    throw ParamError(
        {"groups"}, std::to_string(groups) + " groups cannot all be joined by the " +
                        std::to_string(ports) + " global cables of a group; accepted are at most " +
                        std::to_string(ports + 1) + " groups (" + ports_text + " + 1)");
  }
  groups_ = static_cast<std::uint32_t>(groups);
  pairs_ = RingPairs(groups_);
  const std::uint32_t others = std::max(groups_ - 1, 1U);
  const auto each = static_cast<std::uint32_t>(ports);
  whole_rounds_ = groups_ > 1 ? each / others : 0;
  left_chords_ = groups_ > 1 ? each % others / 2 : 0;
  left_facing_ = groups_ % 2 == 0 && each % others % 2 != 0;
}

std::uint32_t CirculantCables::port(std::uint32_t round, std::uint32_t chord, bool back) const {
  const std::uint32_t first = round * (groups_ - 1);
  if (!is_facing(chord)) return first + 2 * (chord - 1) + (back ? 1 : 0);
  return first + 2 * (round < whole_rounds_ ? chord - 1 : left_chords_);
}

CirculantCables::Ends CirculantCables::ends(std::uint32_t cable) const {
  const std::uint32_t in_round = round(cable);
  const std::uint32_t number = cable - in_round * round_cables();
  const std::uint32_t facing = left_chords_ * groups_;
  const std::uint32_t half = groups_ / 2;
  const bool chords = in_round < whole_rounds_ || number < facing;
  const RingPairs::Pair pair =
      chords ? pairs_.pair(number) : RingPairs::Pair{number - facing, number - facing + half, half};
  return {pair.a, port(in_round, pair.chord, false), pair.b, port(in_round, pair.chord, true)};
}

std::uint32_t CirculantCables::joining(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t chord = pairs_.number(from, to).chord;
  const bool left = chord <= left_chords_ || (left_facing_ && is_facing(chord));
  return whole_rounds_ + (left ? 1 : 0);
}

CirculantCables::Seen CirculantCables::between(std::uint32_t from, std::uint32_t to,
                                               std::uint32_t round) const {
  auto [number, back, chord] = pairs_.number(from, to);
  if (round == whole_rounds_ && is_facing(chord)) {
    number = left_chords_ * groups_ + (back ? to : from);
  }
  const std::uint32_t forth_port = port(round, chord, false);
  const std::uint32_t back_port = port(round, chord, true);
  return {round * round_cables() + number, back, back ? back_port : forth_port,
          back ? forth_port : back_port};
}

}  // namespace heddle::platform
