// Ranks in an order, such as the members of a communicator, told in few numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::traces {

/// Runs of ranks that are equally far apart. Rows, columns and planes of a grid are few runs.
class RankList {
 public:
  RankList() = default;
  explicit RankList(std::span<const std::uint32_t> ranks);
  /// What text() wrote. Nothing for any other text, and where a rank is not below `ranks`.
  static std::optional<RankList> read(std::string_view text, std::uint32_t ranks);

  /// "8:11:1,20:28:4,40": the first and the last rank of each run and the step between ranks.
  std::string text() const;
  std::vector<std::uint32_t> ranks() const;
  std::size_t runs() const { return runs_.size(); }

 private:
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    std::int64_t step = 1;
    std::int64_t last() const { return first + (count - 1) * step; }
  };
  static std::optional<Run> read_run(std::string_view text, std::uint32_t ranks);

  std::vector<Run> runs_;
};

}  // namespace heddle::traces
