// Text workloads of SimAI and ASTRA-sim.
#include <gmock/gmock.h>

#include "convert_support.hpp"
#include "error_of.hpp"
#include "goal/check.hpp"
#include "temporary_file.hpp"
#include "traces/readers/simai_workload.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kTwoLayers =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 8 ga: 1 "
    "all_gpus: "
    "4 checkpoints: 0\n"
    "2\n"
    "embedding\t-1\t100\tALLREDUCE\t4096\t1\tNONE\t0\t200\tREDUCESCATTER\t8000\t10\n"
    "mlp -1 300 NONE 0 400 ALLREDUCE 4096 500 ALLGATHER_DP_EP 0 20\n";

// Forward: 100 ns and an all-reduce of 4096 bytes between two, 300 ns. Backward: 400 ns and
// another, 500 ns, then 1 ns and 200 ns, and gradients between copies, two ranks away; the updates.
TEST(Simai, BecomesASchedule) {
  const TemporaryFile file(kTwoLayers);
  const Conversion conversion = convert_files(file.path, {}, convert_table().defaults());
  ASSERT_EQ(conversion.schedule.ranks(), 4U);
  EXPECT_THAT(ops(conversion.schedule, 1),
              ElementsAre("calc 100", "send 2048 to 0 tag 1", "recv 2048 from 0 tag 1",
                          "send 2048 to 0 tag 1", "recv 2048 from 0 tag 1", "calc 300", "calc 400",
                          "send 2048 to 0 tag 1", "recv 2048 from 0 tag 1", "send 2048 to 0 tag 1",
                          "recv 2048 from 0 tag 1", "calc 500", "send 0 to 3 tag 5",
                          "recv 0 from 3 tag 5", "calc 1", "calc 200", "send 4000 to 3 tag 5",
                          "recv 4000 from 3 tag 5", "calc 30"));
  EXPECT_THAT(goal::check(conversion.schedule), testing::IsEmpty());
}

// Plain ASTRA-sim workloads do not say how many GPUs there are.
TEST(Simai, RanksMayBeGiven) {
  const TemporaryFile file("DATA\n1\nl -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 800 1\n");
  ConvertConfig config = convert_table().defaults();
  EXPECT_THAT(error_of([&] { convert_files(file.path, {}, config); }), HasSubstr("convert.ranks"));
  config.ranks = 8;
  EXPECT_EQ(messages(convert_files(file.path, {}, config).schedule, 0).size(), 28U);
}

// Errors name line, column and what is accepted.
TEST(Simai, MistakesAreNamed) {
  const auto problem = [](const std::string& lines) {
    return error_of([&] { parse_simai("DATA\n1\n" + lines, "w.txt"); });
  };
  EXPECT_EQ(problem("l -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n"), "no error");
  EXPECT_THAT(problem("l -1 x NONE 0 1 NONE 0 1 NONE 0 1\n"),
              testing::AllOf(HasSubstr("w.txt:3:6"), HasSubstr("'x' is not the time")));
  EXPECT_THAT(problem("l -1 1 REDUCE 0 1 NONE 0 1 NONE 0 1\n"),
              HasSubstr("accepted are NONE, ALLREDUCE"));
  EXPECT_THAT(problem("l -1 1 NONE 0\n"), HasSubstr("is expected"));
  EXPECT_THAT(problem(""), HasSubstr("1 layers are announced in line 2, and there are 0"));
}

}  // namespace
}  // namespace heddle::traces
