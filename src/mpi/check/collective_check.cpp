#include "mpi/check/collective_check.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "mpi/check/check.hpp"
#include "mpi/comm/communicator.hpp"

namespace heddle::mpi {
namespace {

/// Names of calls that all have made are kept for messages that are still under way.
constexpr std::size_t kRemembered = 256;

std::uint64_t place_of(std::uint32_t rank, std::uint32_t communicator) {
  return std::uint64_t{rank} << 32 | communicator;
}

}  // namespace

CollectiveCheck::Terms CollectiveCheck::terms_of(const CollectiveEntry& entry) {
  return {entry.communicator.process().id(), entry.common.root,
          entry.op == nullptr ? nullptr : entry.op->name()};
}

CollectiveCheck::Data CollectiveCheck::data_of(const CollectiveEntry& entry, const Buffer& buffer) {
  Data data;
  if (buffer.type == nullptr) return data;
  data.known = true;
  data.rank = entry.communicator.process().id();
  data.bytes = bytes(buffer);
  data.typed = data.bytes > 0 && !is_untyped(*buffer.type);
  if (data.typed) data.signature = signature(*buffer.type, data.bytes);
  return data;
}

CollectiveCheck::Call& CollectiveCheck::call_of(const CollectiveEntry& entry) {
  OfCommunicator& of = communicators_[entry.communicator.data()->number];
  if (of.label.empty()) of.label = entry.communicator.label();
  while (entry.number >= of.begin + of.calls.size()) of.calls.emplace_back();
  while (of.calls.size() > kRemembered && of.calls.front().entered == entry.members) {
    of.calls.pop_front();
    ++of.begin;
  }
  return of.calls[entry.number - of.begin];
}

void CollectiveCheck::enters(const CollectiveEntry& entry) {
  const std::uint32_t rank = entry.communicator.process().id();
  const std::uint32_t number = entry.communicator.data()->number;
  progress_[place_of(rank, number)].begun = entry.number + 1;
  Call& call = call_of(entry);
  if (call.entered++ == 0) {
    call.name = entry.communicator.process().call;
    call.present.resize(entry.members);
  }
  call.present[entry.member] = true;
  const Terms terms = terms_of(entry);
  if (call.entered == 1) call.terms = terms;
  compare(entry, call.terms, terms);
  for (const Buffer& buffer : entry.common.data) {
    const Data data = data_of(entry, buffer);
    if (!call.data.known) call.data = data;
    if (data.known) compare(entry, call.data, data);
  }
  if (call.entered == entry.members) call.present.clear();
}

void CollectiveCheck::compare(const CollectiveEntry& entry, const Terms& first, const Terms& own) {
  if (own.root != first.root) {
    complain(entry,
             fmt::format("has root {}, rank {} has root {}", own.root, first.rank, first.root));
  }
  // Names of predefined operations are the same text.
  if (own.operation != first.operation && own.operation != nullptr && first.operation != nullptr) {
    complain(entry,
             fmt::format("has {}, rank {} has {}", own.operation, first.rank, first.operation));
  }
}

void CollectiveCheck::compare(const CollectiveEntry& entry, const Data& first, const Data& own) {
  const bool same_types = !own.typed || !first.typed ||
                          (own.signature.hash == first.signature.hash &&
                           own.signature.elements == first.signature.elements);
  const std::string whose = own.rank == first.rank
                                ? "its own other buffer"
                                : fmt::format("the buffer of rank {}", first.rank);
  if (own.bytes != first.bytes) {
    complain(entry, fmt::format("has {} bytes where {} has {}", own.bytes, whose, first.bytes));
  } else if (!same_types) {
    complain(entry, fmt::format("has other types than {}, in {} bytes", whose, own.bytes));
  }
}

void CollectiveCheck::complain(const CollectiveEntry& entry, const std::string& what) {
  const Communicator& communicator = entry.communicator;
  findings_.add(communicator.process().id(),
                fmt::format("{} (collective call {} on {}) {}", communicator.process().call,
                            entry.number + 1, communicator.label(), what));
}

void CollectiveCheck::leaves(std::uint32_t rank, std::uint32_t communicator, std::uint32_t number) {
  Progress& own = progress_[place_of(rank, communicator)];
  own.ended = std::max(own.ended, number + 1);
}

CollectiveCheck::Progress CollectiveCheck::progress(std::uint32_t rank,
                                                    std::uint32_t communicator) const {
  const auto found = progress_.find(place_of(rank, communicator));
  return found == progress_.end() ? Progress{} : found->second;
}

std::string CollectiveCheck::name(std::uint32_t communicator, std::uint32_t number) const {
  const auto found = communicators_.find(communicator);
  if (found == communicators_.end()) return "a collective call";
  const OfCommunicator& of = found->second;
  const bool known = number >= of.begin && number < of.begin + of.calls.size();
  return fmt::format("{} (collective call {} on {})",
                     known ? of.calls[number - of.begin].name : "a collective", number + 1,
                     of.label);
}

void CollectiveCheck::look_at_open_calls(World& world) {
  for (const auto& [communicator, of] : communicators_) {
    for (std::size_t i = 0; i < of.calls.size(); ++i) {
      const Call& call = of.calls[i];
      if (call.present.empty() || call.entered == 0) continue;
      const auto absent = std::ranges::count(call.present, false);
      const Process* const first = world.find_process(call.terms.rank);
      if (first == nullptr || !has_ended(*first)) continue;
      findings_.add(call.terms.rank,
                    fmt::format("called {}, {} of {} members did not",
                                name(communicator, of.begin + static_cast<std::uint32_t>(i)),
                                absent, call.present.size()));
    }
  }
}

}  // namespace heddle::mpi
