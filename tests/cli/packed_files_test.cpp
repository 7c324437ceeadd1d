// Files that gzip or zstd have packed, wherever a schedule, a trace or a table is read or written.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"
#include "files/input_stream.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class PackedFiles : public testing::TestWithParam<const char*> {
 protected:
  Outcome run(const std::string& arguments) const {
    const Outcome outcome = heddle(arguments, folder_.path());
    EXPECT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
    return outcome;
  }
  /// The bytes of a file, which must be packed as its name says.
  std::string read(const std::string& name) const {
    const std::string packed = file_text(folder_ / name);
    EXPECT_EQ(files::packing_in(packed), files::packing_for(name)) << name;
    files::InputStream in(folder_ / name);
    return files::read_at_most(in, SIZE_MAX - 1);
  }
  std::string name(const std::string& plain) const { return plain + "." + GetParam(); }

  /// Packs a file, which is gone then.
  void pack(const std::string& plain) const {
    std::ofstream out(folder_ / name(plain), std::ios::binary);
    const auto sink = [&](std::string_view piece) { out << piece; };
    const auto packer = files::Packer::of(files::packing_for(name(plain)));
    packer->pack(file_text(folder_ / plain), sink);
    packer->finish(sink);
    std::filesystem::remove(folder_ / plain);
  }
  void pack_all() const {
    for (const char* plain : {"t-0.txt", "t-1.txt", "r0.txt", "r1.txt"}) pack(plain);
  }

  TemporaryFolder folder_;
};

TEST_P(PackedFiles, SchedulesAreRead) {
  run("goal gen dissemination --set pattern.ranks=16 -o plain.goal");
  const std::string expected = run("replay plain.goal --csv -").out;
  for (const char* format : {"to-text", "to-binary", "to-compact"}) {
    const std::string file = name(std::string("s.") + format);
    run(std::string("goal ") + format + " plain.goal -o " + file);
    read(file);
    EXPECT_EQ(run("replay " + file + " --csv -").out, expected) << format;
    const Outcome piped =
        shell("cat " + file + " | " HEDDLE_PROGRAM " replay - --csv -", folder_.path());
    EXPECT_EQ(piped.out, expected) << format << piped.err;
  }
  EXPECT_EQ(read(name("s.to-text")), file_text(folder_ / "plain.goal"));
}

TEST_P(PackedFiles, TracesAreRead) {
  const std::string data = HEDDLE_TEST_DATA "/traces/ltest-";
  for (const char* rank : {"0", "1"}) {
    const std::string from = data + rank + ".txt";
    const std::string to = folder_ / (std::string("t-") + rank + ".txt");
    std::filesystem::copy(from, to);
    std::ofstream(folder_ / (std::string("r") + rank + ".txt")) << rank << " init\n"
                                                                << rank << " barrier\n"
                                                                << rank << " finalize\n";
  }
  std::ofstream(folder_ / "app.ti") << "r0.txt\nr1.txt\n";
  const std::string schedule = run("convert t-0.txt -o -").out;
  const std::string ranks = run("replay app.ti -p quito --csv -").out;
  pack_all();
  EXPECT_EQ(run("convert " + name("t-0.txt") + " -o -").out, schedule);
  std::ofstream(folder_ / "app.ti") << name("r0.txt") + "\n" + name("r1.txt") + "\n";
  EXPECT_EQ(run("replay app.ti -p quito --csv -").out, ranks);
  // A folder of packed traces.
  std::filesystem::create_directory(folder_ / "folder");
  for (const char* rank : {"0", "1"}) {
    const std::string file = name(std::string("t-") + rank + ".txt");
    std::filesystem::rename(folder_ / file, folder_ / ("folder/" + file));
  }
  EXPECT_EQ(run("convert folder -o -").out, schedule);
}

TEST_P(PackedFiles, MachinesTablesAndTrafficAreRead) {
  std::ofstream(folder_ / "m.yaml") << run("topo fat-tree-64 --print-config").out;
  const std::string expected = run("traffic -p m.yaml --load 0.3 --duration 5us --csv -").out;
  run("traffic -p m.yaml --load 0.3 --duration 5us --csv " + name("t.csv"));
  EXPECT_EQ(read(name("t.csv")), expected);
  run("plot " + name("t.csv") + " --x load --y mean_us -o " + name("p.svg"));
  EXPECT_THAT(read(name("p.svg")), HasSubstr("<svg"));
  pack("m.yaml");
  EXPECT_EQ(run("traffic -p " + name("m.yaml") + " --load 0.3 --duration 5us --csv -").out,
            expected);
}

// What a run records, in every form that other tools read.
TEST_P(PackedFiles, RecordingsAreWritten) {
  const CompiledProgram program(
      "#include <mpi.h>\nint main(int c, char** v) {\n  MPI_Init(&c, &v);\n"
      "  MPI_Barrier(MPI_COMM_WORLD);\n  MPI_Finalize();\n  return 0;\n}\n");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const std::string path = program.folder() + "/program";
  run("run -q -n 2 --set mpi.transport=portals --trace " + name("o.csv") + " --trace-ti " +
      name("a.ti") + " --summary " + name("s.json") + " --perfetto " + name("p.json") + " --paje " +
      name("p.paje") + " " + path);
  EXPECT_THAT(read(name("o.csv")), StartsWith("operation,"));
  EXPECT_TRUE(nlohmann::json::parse(read(name("p.json"))).is_object());
  EXPECT_THAT(read(name("p.paje")), HasSubstr("%EventDef"));
  EXPECT_THAT(run("trace summary " + name("o.csv")).out, HasSubstr("activities from"));
  EXPECT_THAT(run("report " + name("s.json")).out, HasSubstr("program"));
  EXPECT_THAT(read(name("a.ti_files/rank-0.txt")), HasSubstr("0 barrier"));
  EXPECT_THAT(run("replay " + name("a.ti") + " -p bxi-v2").out, HasSubstr("2 ranks"));
  run("run -q -n 2 --trace-goal " + name("a.bin") + " " + path);
  EXPECT_THAT(read(name("a.bin")), StartsWith("\x7f\x10"));
  EXPECT_THAT(run("goal info " + name("a.bin")).out, HasSubstr("ranks"));
}

INSTANTIATE_TEST_SUITE_P(Both, PackedFiles, testing::Values("gz", "zst"),
                         [](const auto& one) { return std::string(one.param); });

// Wherever a packed file is damaged or cut, the file is named, what it is packed by, and status 2.
TEST(PackedFile, DamageIsNamed) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      heddle("goal gen dissemination --set pattern.ranks=64 -o d.goal.gz", folder.path()).status,
      0);
  const std::string packed = file_text(folder / "d.goal.gz");
  std::ofstream(folder / "cut.goal.gz") << packed.substr(0, packed.size() / 2);
  for (const char* command :
       {"replay ", "goal info ", "plot --x a --y b -o x.svg ", "topo ", "report ", "again "}) {
    const Outcome outcome = heddle(command + std::string("cut.goal.gz"), folder.path());
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("cut.goal.gz: "), HasSubstr("packed by gzip"),
                                   HasSubstr("ends before its packed bytes do")))
        << command;
  }
}

// 300 MiB of blanks in 300 KiB: a text is refused beyond 256 MiB.
TEST(PackedFile, BombsAreRefused) {
  const TemporaryFolder folder;
  {
    std::ofstream out(folder / "bomb.yaml.gz", std::ios::binary);
    const auto sink = [&](std::string_view piece) { out << piece; };
    const auto packer = files::Packer::of(files::Packing::gzip);
    const std::string blanks(1 << 20, ' ');
    for (int i = 0; i < 300; ++i) packer->pack(blanks, sink);
    packer->finish(sink);
  }
  const Outcome outcome = heddle("topo bomb.yaml.gz", folder.path());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("bomb.yaml.gz: is larger than 256 MiB"));
}

}  // namespace
}  // namespace heddle::cli
