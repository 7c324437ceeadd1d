#include "goal/patterns/step_writer.hpp"

namespace heddle::goal {
namespace {

/// Members are written one by one, wherever they run.
std::uint64_t place_of_member(int member) {
  return static_cast<std::uint64_t>(member);
}

// Memory that nobody looks at: steps are told apart by their peers and sizes.
void* anywhere() {
  static std::byte somewhere[1];
  return somewhere;
}

}  // namespace

StepWriter::StepWriter(const Side& side, StepCosts costs)
    : Steps(static_cast<int>(side.me), static_cast<int>(side.size), places_, nullptr),
      side_(side),
      costs_(std::move(costs)),
      places_(static_cast<int>(side.size), place_of_member, place_of_member) {}

coll::Step StepWriter::begin(const coll::Buffer& data, int peer, bool sends) {
  const auto bytes = static_cast<std::uint64_t>(coll::bytes(data));
  const bool token = data.address == nullptr;
  messages_.push_back({token ? costs_.token : bytes, static_cast<std::uint32_t>(peer), sends});
  return static_cast<coll::Step>(messages_.size() - 1);
}

void StepWriter::write_messages() {
  if (written_ == messages_.size()) return;
  join_many();
  for (const bool sends : {true, false}) {
    for (std::size_t i = written_; i < messages_.size(); ++i) {
      if (messages_[i].sends == sends) write(messages_[i]);
    }
  }
  written_ = messages_.size();
}

void StepWriter::write(Message& message) {
  message.op = message.sends ? side_.send(message.bytes, message.peer)
                             : side_.recv(message.bytes, message.peer);
  message.when = things_;
  follow(message.op);
}

/// One operation between many and many others: as many dependencies as there are of both.
void StepWriter::join_many() {
  const std::size_t few = costs_.parted ? 1 : 4;
  if (before_.size() <= few || messages_.size() - written_ <= 1) return;
  const std::uint32_t all = side_.calc(0);
  follow(all);
  before_.assign(1, {all, false, ++things_});
}

void StepWriter::follow(std::uint32_t op) const {
  for (const Before& earlier : before_) side_.after(op, earlier.op);
}

void StepWriter::reduce(const coll::Buffer& operand, const coll::Buffer&) {
  write_messages();
  const auto bytes = static_cast<std::uint64_t>(coll::bytes(operand));
  const std::uint64_t duration = costs_.work ? costs_.work(bytes) : 0;
  if (duration == 0) return;
  const std::uint32_t sum = side_.calc(duration);
  for (const Before& earlier : before_) {
    if (!earlier.sends) side_.after(sum, earlier.op);
  }
  std::erase_if(before_, [](const Before& earlier) { return !earlier.sends; });
  before_.push_back({sum, false, ++things_});
}

void StepWriter::wait() {
  write_messages();
  for (; over_ < messages_.size(); ++over_) end(messages_[over_]);
}

void StepWriter::wait(coll::Step step) {
  write_messages();
  end(messages_[static_cast<std::size_t>(step)]);
}

bool StepWriter::complete(coll::Step step) {
  wait(step);
  return true;
}

/// What it follows itself needs not be followed any more.
void StepWriter::end(Message& message) {
  if (std::exchange(message.over, true)) return;
  std::erase_if(before_, [&](const Before& earlier) { return earlier.when <= message.when; });
  before_.push_back({message.op, message.sends, ++things_});
}

coll::Buffer StepWriter::scratch(std::int64_t count, const coll::Datatype& type) {
  return {anywhere(), count, &type};
}

coll::Buffer data_of(std::uint64_t bytes) {
  return {anywhere(), static_cast<std::int64_t>(bytes), &coll::byte_type()};
}

coll::Blocks blocks_of(std::span<const std::int64_t> bytes) {
  return coll::Blocks::packed(anywhere(), bytes, coll::byte_type());
}

}  // namespace heddle::goal
