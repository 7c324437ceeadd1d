// The adapter against S4BXI 4.2, whose authors compared it with real BXI v2 nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "nic/support.hpp"
#include "validation.hpp"

namespace heddle::nic {
namespace {

/// One line of tests/data/s4bxi_curves.csv; its head explains the columns.
struct Row {
  std::string platform;
  bool e2e = false, matching = false, buffered = false, target_events = false;
  int engines = 1;
  std::string option;
  std::string style;
  std::int64_t size = 0;
  int count = 0;
  double microseconds = 0;  ///< Per operation.

  bool waited() const { return style.find("nowait") == std::string::npos; }
};

std::vector<Row> read_rows() {
  std::ifstream file(HEDDLE_TEST_DATA "/s4bxi_curves.csv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("platform,")) continue;
    std::istringstream fields(line);
    std::vector<std::string> f;
    for (std::string field; std::getline(fields, field, ',');) f.push_back(field);
    rows.push_back({f[0], f[1] == "1", f[2] == "1", f[3] == "1", f[4] == "1", std::stoi(f[5]), f[7],
                    f[8], std::stoll(f[9]), std::stoi(f[10]), std::stod(f[11])});
  }
  return rows;
}

std::vector<std::string> settings_of(const Row& row, const std::string& model) {
  std::vector<std::string> sets = {"network.model=" + model,
                                   std::string("nic.e2e=") + (row.e2e ? "yes" : "no"),
                                   "nic.transmit_engines=" + std::to_string(row.engines),
                                   "nic.match_engines=" + std::to_string(row.engines)};
  if (row.option == "quick_acks") sets.push_back("nic.quick_acks=yes");
  if (row.option == "no_pci_commands") sets.push_back("nic.pci_commands=no");
  if (row.option == "no_pci") sets.push_back("nic.pci=no");
  if (row.option.starts_with("max_inflight_to_target=")) {
    sets.push_back("nic.max_in_flight_nodes=" + row.option.substr(row.option.find('=') + 1));
  }
  return sets;
}

/// Runs the operations of a row and measures them as S4BXI was measured.
class Experiment {
 public:
  Experiment(const Row& row, const std::string& model)
      : row_(row), bed_(Bed::builtin(row.platform, settings_of(row, model))) {
    Notebook& notebook = bed_->notebook;
    notebook.target_events = row.target_events;
    const bool send = row.style.find("send") != std::string::npos;
    notebook.sent_events = send;
    notebook.send_event_late = send;
    notebook.completed_events = row.style != "put_send";
    notebook.verdict = [this](std::uint32_t cookie) {
      Verdict verdict;
      verdict.length = Bytes(row_.size);
      verdict.acknowledge = bed_->notebook.requests.at(cookie).wants_ack;
      return verdict;
    };
  }

  /// Microseconds per operation.
  double run() {
    row_.waited() ? run_waited() : run_at_once();
    const Time end = bed_->notebook.seen.back();
    bed_->simulation.run();
    return end.seconds() * 1e6 / row_.count;
  }

 private:
  Request request(int i) {
    const Operation operation = row_.style.starts_with("put")      ? Operation::put
                                : row_.style.starts_with("get")    ? Operation::get
                                : row_.style.starts_with("atomic") ? Operation::atomic
                                                                   : Operation::fetch_atomic;
    Request r = bed_->request(operation, operation == Operation::get ? 0 : row_.size);
    r.matching = row_.matching;
    r.buffered = row_.buffered && row_.style != "swap_reply";
    if (row_.style == "put_send") r.wants_ack = false;
    if (row_.style == "put_nowait_last" && i + 1 < row_.count) r.wants_ack = false;
    return r;
  }

  void run_waited() {
    const std::size_t events = row_.style == "put_sendack" ? 2 : 1;
    for (int i = 0; i < row_.count; ++i) {
      bed_->issue(request(i));
      while (bed_->notebook.seen.size() < events * static_cast<std::size_t>(i + 1)) {
        ASSERT_TRUE(bed_->simulation.step()) << bed_->adapters->stuck();
      }
    }
  }

  void run_at_once() {
    int issued = 1;
    bed_->notebook.on_accepted = [this, &issued](std::uint32_t) {
      if (issued < row_.count) bed_->issue(request(issued++));
    };
    if (row_.style == "put_nowait_last") bed_->notebook.completed_events = 0;
    bed_->issue(request(0));
    bed_->simulation.run();
    if (row_.style == "put_nowait_last") {
      // The last one's acknowledgement would be seen when its event has crossed the bus.
      const auto& node = bed_->platform->node(NodeId{0});
      const Bytes event = bed_->platform->nic(NodeId{0}).event_size;
      bed_->notebook.seen.push_back(
          bed_->page(static_cast<std::uint32_t>(row_.count)).completed[0] + node.pcie_latency * 2 +
          node.pcie_flow_cap.time_for(event));
    }
  }

  Row row_;
  std::unique_ptr<Bed> bed_;
};

TEST(S4Bxi, Dump) {
  for (const Row& row : read_rows()) {
    const double ours = Experiment(row, "fluid").run();
    fmt::print("{} e2e={} m={} v={} t={} k={} {} {} {}: {:.4f} {:.4f} {:+.3f} %\n", row.platform,
               row.e2e, row.matching, row.buffered, row.target_events, row.engines, row.option,
               row.style, row.size, ours, row.microseconds, 100 * (ours / row.microseconds - 1));
  }
}

}  // namespace
}  // namespace heddle::nic
