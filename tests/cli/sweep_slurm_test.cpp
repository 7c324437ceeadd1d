// `heddle sweep --on slurm`, against a Slurm that the test starts on this computer.
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "cli/program.hpp"
#include "study/result_store.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

int in_shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// munged, slurmctld and slurmd of this computer alone, for all tests here.
class SlurmTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const bool installed =
        in_shell("command -v munged slurmctld slurmd sbatch >/dev/null 2>&1") == 0;
    if (!installed || geteuid() != 0) return;
    cluster_ = new TemporaryFolder;
    if (in_shell(kCluster + " start " + cluster_->path() + " >" + (*cluster_ / "start.log") +
                 " 2>&1") != 0) {
      ADD_FAILURE() << file_text(*cluster_ / "start.log");
    }
    setenv("SLURM_CONF", (*cluster_ / "slurm.conf").c_str(), 1);
  }
  static void TearDownTestSuite() {
    if (cluster_ == nullptr) return;
    in_shell(kCluster + " stop " + cluster_->path());
    delete cluster_;
    cluster_ = nullptr;
  }
  void SetUp() override {
    if (cluster_ == nullptr) GTEST_SKIP() << "Slurm is not installed, or this is not root";
  }

  void write(const std::string& lines) const {
    std::ofstream(folder_ / "s.yaml") << "command: traffic\nset: {platform: fat-tree-64}\n"
                                      << lines;
  }
  Outcome sweep(const std::string& arguments) const {
    return heddle("sweep " + arguments, folder_.path());
  }
  /// How many lines the workers have written so far.
  std::size_t done() const {
    std::size_t lines = 0;
    const std::string path = folder_ / "results.sqlite.slurm/s/done";
    if (!std::filesystem::exists(path)) return 0;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::string text = file_text(entry.path());
      lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
    return lines;
  }
  /// Until `ready`, for up to half a minute.
  template <class Ready>
  static bool wait_until(Ready ready) {
    for (int i = 0; i < 600; ++i) {
      if (ready()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }

  static const std::string kCluster;
  static TemporaryFolder* cluster_;
  TemporaryFolder folder_;
};

const std::string SlurmTest::kCluster =
    "bash " + std::string(HEDDLE_TEST_DATA) + "/../slurm/cluster";
TemporaryFolder* SlurmTest::cluster_ = nullptr;

// A study of 12 points in tasks of 3: the results are those of the same study without Slurm.
TEST_F(SlurmTest, GivesTheSameResults) {
  write("grid: {load: [0.1, 0.2], size: [64B, 1KiB], seed: [1, 2, 3], duration: 2us}");
  const Outcome outcome = sweep("s.yaml --on slurm --wait --chunk 3 --csv slurm.csv");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("4 tasks of at most 3 points"));
  EXPECT_THAT(outcome.out, HasSubstr("12 points: 12 done"));
  EXPECT_EQ(sweep("s.yaml --results other.sqlite --csv here.csv").status, 0);
  EXPECT_EQ(file_text(folder_ / "slurm.csv"), file_text(folder_ / "here.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results.sqlite.slurm"));
}

// A worker is killed after its first points. What it had done is kept; the same command hands over
// the others, and they alone.
TEST_F(SlurmTest, LosesNothingWhenAWorkerDies) {
  write("grid: {load: 0.2, seed: 1:40:1, duration: 100us}");
  EXPECT_EQ(sweep("s.yaml --on slurm --chunk 40").status, 0);
  EXPECT_EQ(sweep("s.yaml --on slurm").status, 2) << "it is on its way already";
  ASSERT_TRUE(wait_until([&] { return done() >= 2; }));
  EXPECT_THAT(sweep("status s.yaml").out, HasSubstr("tasks RUNNING: 1"));
  // The worker's own process, whose parent is Slurm's: those of points end with it.
  in_shell("pkill -KILL -o -f 'sweep work " + folder_.path() + "'");
  ASSERT_TRUE(wait_until(
      [&] { return sweep("status s.yaml").out.find("the job is over") != std::string::npos; }));
  const std::size_t kept = done();
  EXPECT_GE(kept, 2U);
  EXPECT_LT(kept, 40U);
  const Outcome outcome = sweep("s.yaml --on slurm --wait");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(std::to_string(40 - kept) + " points are job"));
  EXPECT_THAT(outcome.out, HasSubstr("40 points: 40 done"));
}

// A study that is cancelled leaves what it has done in the results.
TEST_F(SlurmTest, CancelsAndCollects) {
  write("grid: {load: 0.2, seed: 1:40:1, duration: 100us}");
  EXPECT_EQ(sweep("s.yaml --on slurm --chunk 40 --partition all --time 5").status, 0);
  ASSERT_TRUE(wait_until([&] { return done() >= 1; }));
  EXPECT_THAT(sweep("collect s.yaml").out, HasSubstr("of 40 points are in results.sqlite"));
  const Outcome outcome = sweep("cancel s.yaml");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("is cancelled"));
  const auto points =
      study::ResultStore(folder_ / "results.sqlite", study::ResultStore::Access::read).points("s");
  EXPECT_GE(std::count_if(points.begin(), points.end(), [](const auto& p) { return p.done(); }), 1);
}

// What sbatch refuses is told, and nothing is on its way.
TEST_F(SlurmTest, TellsWhatSlurmSays) {
  write("grid: {load: 0.2, duration: 2us}");
  const Outcome outcome = sweep("s.yaml --on slurm --partition none");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("invalid partition"));
  EXPECT_THAT(sweep("status s.yaml").err, HasSubstr("nothing of it is on its way"));
}

}  // namespace
}  // namespace heddle::cli
