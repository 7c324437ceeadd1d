#include "trace/recorder.hpp"

#include <fmt/core.h>

#include <iterator>
#include <utility>

#include "core/error.hpp"
#include "core/ids.hpp"
#include "trace/activity.hpp"

namespace heddle::trace {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr std::size_t kLongestLine = 256;

void append_end(std::string& text, const End& end) {
  if (end.rank) fmt::format_to(std::back_inserter(text), "{}", *end.rank);
  fmt::format_to(std::back_inserter(text), ",{},", end.nid);
}

/// Only messages have one.
std::optional<std::uint8_t> network_of(const nic::ActivityRecord& record) {
  if (kind_of(record.activity).path != Path::between_adapters) return std::nullopt;
  return record.virtual_network;
}

}  // namespace

Recorder::Recorder(Sink sink, RankOf rank_of)
    : sink_(std::move(sink)), rank_of_(std::move(rank_of)), text_(header_line()) {
  text_.reserve(kPiece + kLongestLine);
}

End Recorder::end_of(nic::ProcessId process) const {
  return {rank_of_(process), static_cast<std::uint32_t>(index(process.node))};
}

std::uint64_t Recorder::ended(const nic::ActivityRecord& r) {
  append_line(text_, {r.operation, r.activity, end_of(r.initiator), end_of(r.target), r.size,
                      network_of(r), r.start, r.end, r.failed});
  if (text_.size() < kPiece) return 0;
  sink_(text_);
  text_.clear();
  return 0;
}

void Recorder::finish() {
  sink_(text_);
  text_.clear();
}

std::string header_line() {
  return joined({kColumns.begin(), kColumns.end()}, ",") + "\n";
}

void append_line(std::string& text, const Row& row) {
  fmt::format_to(std::back_inserter(text), "{},{},", row.operation, kind_of(row.activity).name);
  append_end(text, row.initiator);
  append_end(text, row.target);
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{},", row.size.count());
  if (row.virtual_network) fmt::format_to(out, "{}", *row.virtual_network);
  fmt::format_to(out, ",{},{},{}\n", row.start.ps(), row.end.ps(), row.failed ? 1 : 0);
}

}  // namespace heddle::trace
