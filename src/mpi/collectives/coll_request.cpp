#include "mpi/collectives/coll_request.hpp"

#include <fmt/core.h>

#include "mpi/check/check.hpp"

namespace heddle::mpi::collectives {

void CollRequest::begin() {
  next_ = 0;
  messages_.clear();
  messages_.tell(process(), Messages::Tell::notify);
  if (Check* check = check_of(process())) hold_buffers(check->buffers());
  process().background().add(*this);
  advance();
}

/// The program's memory that the steps read or write, from beginning to end.
void CollRequest::hold_buffers(BufferCheck& check) {
  ByteRanges read;
  ByteRanges written;
  const auto add = [&](ByteRanges& to, const Buffer& buffer) {
    const ByteRanges bytes(buffer);
    if (bytes.empty()) return;
    if (!schedule_.memory.owns(reinterpret_cast<const void*>(bytes.list().front().begin))) {
      to.add(bytes);
    }
  };
  for (const Schedule::Instruction& i : schedule_.instructions) {
    add(i.kind == Schedule::Kind::receive ? written : read, i.buffer);
    add(written, i.target);
  }
  read.remove(written);
  const BufferCheck::Owner owner{context_.owner(),
                                 fmt::format("{} on {}", name_, context_.communicator().label())};
  check.begin(process(), owner, read, BufferCheck::Use::reads);
  check.begin(process(), owner, written, BufferCheck::Use::writes);
}

void CollRequest::deliver(Outcome&) {
  Check* const check = check_of(process());
  if (check == nullptr) return;
  check->buffers().end(process(), context_.owner());
  context_.tell_end(check->collectives());
}

void CollRequest::advance() {
  // What starts a message may let time pass, and others' progress with it.
  if (advancing_) return;
  advancing_ = true;
  const std::vector<Schedule::Instruction>& all = schedule_.instructions;
  while (next_ < all.size() && execute(all[next_])) ++next_;
  advancing_ = false;
  if (next_ < all.size()) return;
  process().background().remove(*this);
  Outcome outcome;
  outcome.error = messages_.error();
  finish(outcome);
}

bool CollRequest::execute(const Schedule::Instruction& i) {
  switch (i.kind) {
    case Schedule::Kind::send:
      context_.send(i.buffer, i.number, messages_.begin_send(i.number));
      return true;
    case Schedule::Kind::receive:
      context_.receive(i.buffer, i.number, messages_.begin_receive(i.number, bytes(i.buffer)));
      return true;
    case Schedule::Kind::copy:
      context_.copy(i.buffer, i.target);
      return true;
    case Schedule::Kind::reduce:
      context_.reduce(i.buffer, i.target);
      return true;
    case Schedule::Kind::wait:
      messages_.expect_all();
      if (!messages_.all_done()) return false;
      context_.see_ends(messages_);
      return true;
    case Schedule::Kind::wait_for:
      break;
  }
  const auto number = static_cast<std::uint32_t>(i.number);
  if (messages_.done(number)) {
    context_.see_end(messages_, number);
    return true;
  }
  messages_.expect(number);
  return false;
}

std::string CollRequest::describe() const {
  return fmt::format("{}, {}", name_, context_.describe(messages_.first_open()));
}

std::optional<std::uint32_t> CollRequest::peer() const {
  const Ticket* open = messages_.first_open();
  if (open == nullptr) return std::nullopt;
  return context_.process_of(open->peer());
}

}  // namespace heddle::mpi::collectives
