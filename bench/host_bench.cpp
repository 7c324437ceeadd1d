// Starting many ranks: programs that end at once, beside SMPI's that only initialise and finalise.
#include "cases.hpp"
#include "programs.hpp"

namespace heddle::bench {
namespace {

constexpr const char* kOurs =
    "#include <heddle.h>\nint globals[64];\n"
    "int main(void) { globals[heddle_rank() % 64]++; heddle_barrier(); return 0; }\n";
constexpr const char* kPeers =
    "#include <mpi.h>\nint globals[64];\n"
    "int main(int c, char** v) { MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n";
constexpr const char* kBrief = "int globals[64];\nint main(void) { return globals[0]++; }\n";
/// 64 hosts: 1,024 ranks are 16 on each, as in our own run.
constexpr const char* kPeersMachine =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-63\" "
    "speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\"/>\n</platform>\n";

Sample ours(const char* text, std::uint32_t ranks, const std::string& options) {
  const Programs programs;
  programs.write("p.c", text);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p"));
  return timed_command(ranks, programs.in(std::string(HEDDLE_PROGRAM) + " run -q -n " +
                                          std::to_string(ranks) + " " + options + " ./p"));
}

Sample peers(std::uint32_t ranks) {
  const Programs programs;
  programs.write("p.c", kPeers);
  programs.write("machine.xml", kPeersMachine);
  std::string hosts;
  for (int i = 0; i < 64; ++i) hosts += "h" + std::to_string(i) + "\n";
  programs.write("hosts", hosts);
  shell(programs.in("smpicc -O2 p.c -o p"));
  return timed_command(ranks,
                       programs.in("smpirun -np " + std::to_string(ranks) +
                                   " -platform machine.xml -hostfile hosts ./p >/dev/null 2>&1"));
}

}  // namespace

void add_host_cases(Suite& suite) {
  const Scale scale{1e6, "us/rank"};
  const std::string few = "--ranks-per-node 16";
  suite.cases.push_back({"host", "1,024 ranks with private globals start, meet and end", scale,
                         [few] { return ours(kOurs, 1024, few); }, [] { return peers(1024); }, 10,
                         0, 3});
  const std::string many = "--platform bxi-v2-1k --ranks-per-node 1024";
  suite.cases.push_back({"host",
                         "65,536 ranks start, meet and end",
                         scale,
                         [many] { return ours(kOurs, 65'536, many); },
                         {},
                         0,
                         0,
                         2});
  suite.cases.push_back({"host",
                         "1,048,576 ranks start and end",
                         scale,
                         [many] { return ours(kBrief, 1'048'576, many); },
                         {},
                         0,
                         0,
                         1});
}

}  // namespace heddle::bench
