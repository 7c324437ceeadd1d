#include "trace/chart.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace heddle::trace {
namespace {

using nic::Activity;
using testing::HasSubstr;

Row row(Activity activity, End from, End to, std::int64_t start_ns, std::int64_t end_ns,
        std::int64_t bytes = 64) {
  return {1, activity, from, to, Bytes(bytes), 1, Time::ns(start_ns), Time::ns(end_ns), false};
}

const End kRank0{0, 0};
const End kRank1{1, 1};

// A put of 8 bytes that is acknowledged: the command goes to the adapter, the put to the other
// node's, the acknowledgement comes back and an event goes up. The last node is mirrored, so that
// the adapters face each other; a rank with nothing to do has no lifeline.
TEST(Chart, DrawsAnAcknowledgedPut) {
  EXPECT_EQ(chart({row(Activity::pci_command, kRank0, kRank0, 0, 256),
                   row(Activity::put, kRank0, kRank1, 258, 1259, 8),
                   row(Activity::pci_payload_write, kRank1, kRank1, 1259, 1710, 8),
                   row(Activity::portals_ack, kRank1, kRank0, 1261, 2263),
                   row(Activity::pci_event, kRank0, kRank0, 2263, 2772)}),
            R"(    start_us       end_us     op  rank 0         nic 0         nic 1          rank 1
       0.000        0.256      1     ├── command ─►│             │               │
       0.258        1.259      1     │             ├── put 8 B ─►│               │
       1.259        1.710      1     │             │             ├── write 8 B ─►│
       1.261        2.263      1     │             │◄─── ack ────┤               │
       2.263        2.772      1     │◄── event ───┤             │               │
)");
}

// What does not leave its place is written beside its lifeline: computing, and a message of an
// adapter to itself. An operation of number 0 is none.
TEST(Chart, DrawsWhatStaysInItsPlace) {
  Row compute = row(Activity::compute, kRank0, kRank0, 5, 1005, 0);
  compute.operation = 0;
  EXPECT_EQ(chart({compute, row(Activity::put, kRank0, kRank0, 0, 1, 4096)}),
            R"(    start_us       end_us     op  rank 0         nic 0
       0.000        0.001      1     │             ↺ put 4 KiB
       0.005        1.005            ■ compute     │
)");
}

// Of three nodes, the middle one's lifeline is crossed by a message from the first to the last; a
// lost message has no head.
TEST(Chart, CrossesLifelinesAndMarksWhatIsLost) {
  const End far{2, 2};
  Row lost = row(Activity::put, far, kRank0, 10, 20, 8);
  lost.failed = true;
  const std::string text = chart({row(Activity::get, kRank0, kRank1, 0, 10), lost,
                                  row(Activity::get_response, kRank1, kRank0, 20, 40, 1 << 20)});
  EXPECT_THAT(text, HasSubstr("│x"));
  EXPECT_THAT(text, HasSubstr("put 8 B lost"));
  EXPECT_THAT(text, HasSubstr("┼"));
  EXPECT_THAT(text, HasSubstr("get response 1 MiB"));
}

// Rows end in another order than they start in: the chart is in the order of the starts.
TEST(Chart, IsOrderedByStarts) {
  const std::string text = chart(
      {row(Activity::get, kRank0, kRank1, 7, 8), row(Activity::put, kRank0, kRank1, 3, 30, 8)});
  EXPECT_LT(text.find("put"), text.find("get"));
}

// 120 rows in heads of 50: the names stand above rows 1, 51 and 101.
TEST(Chart, RepeatsItsHead) {
  const std::string text =
      chart(std::vector<Row>(120, row(Activity::put, kRank0, kRank1, 3, 30, 8)));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 123);
}

TEST(Chart, OfNothingIsEmpty) {
  EXPECT_EQ(chart({}), "");
}

// Of starts 9, 8, ... 0 the three earliest are 0, 1 and 2; seven are left out.
TEST(EarliestRows, KeepsTheFirstByStart) {
  EarliestRows earliest(3);
  for (int i = 9; i >= 0; --i) earliest.add(row(Activity::put, kRank0, kRank1, i, 100));
  std::vector<std::int64_t> starts;
  for (const Row& kept : earliest.rows()) starts.push_back(kept.start.ps());
  EXPECT_THAT(starts, testing::UnorderedElementsAre(0, 1000, 2000));
  EXPECT_EQ(earliest.left_out(), 7U);
}

}  // namespace
}  // namespace heddle::trace
