// Writes down what the adapters do, as it ends.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "nic/observer.hpp"
#include "trace/row.hpp"

namespace heddle::trace {

/// Takes the next piece of the file's text.
using Sink = std::function<void(std::string_view)>;
/// The rank of a process, or nothing if it has none.
using RankOf = std::function<std::optional<std::uint32_t>(nic::ProcessId)>;

/// Turns activities into the text of a trace. Keeps a few kilobytes of it at a time.
class Recorder final : public nic::Observer {
 public:
  /// Both are called until finish(); what `sink` throws goes to whoever reported the activity.
  Recorder(Sink sink, RankOf rank_of);

  std::uint64_t ended(const nic::ActivityRecord& record) override;
  /// Hands over what is left; nothing may end afterwards.
  void finish();

 private:
  End end_of(nic::ProcessId process) const;

  Sink sink_;
  RankOf rank_of_;
  std::string text_;
};

/// The header of a trace, with its line end.
std::string header_line();
/// Appends a row of a trace, with its line end.
void append_line(std::string& text, const Row& row);

}  // namespace heddle::trace
