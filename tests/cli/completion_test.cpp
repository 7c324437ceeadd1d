// What shells offer: asked of the program, and of the shells themselves where they are here.
#include <gmock/gmock.h>

#include <set>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

/// The words that are offered for the last one.
std::vector<std::string> offered(const std::string& words) {
  std::vector<std::string> list;
  std::istringstream lines(heddle("help --complete " + words).out);
  for (std::string line; std::getline(lines, line);) {
    list.push_back(line.substr(0, line.find('\t')));
  }
  return list;
}

TEST(Completion, OffersCommandsAndOptions) {
  EXPECT_THAT(offered("tr"), ElementsAre("traffic", "trace"));
  EXPECT_THAT(offered("goal to-"), ElementsAre("to-text", "to-binary", "to-compact", "to-chakra"));
  EXPECT_THAT(offered("run --perf"), ElementsAre("--perfetto"));
  EXPECT_THAT(offered("run -n 4 --net"), ElementsAre("--network"));
  EXPECT_THAT(offered("help swe"), ElementsAre("sweep"));
  EXPECT_THAT(heddle("help --complete swe").out,
              AllOf(StartsWith("sweep\t"), HasSubstr("many points")));
}

TEST(Completion, OffersMachinesAndFiles) {
  EXPECT_THAT(offered("run -p fat"), ElementsAre("fat-tree-64", ":files"));
  EXPECT_THAT(offered("topo fat"), ElementsAre("fat-tree-64", ":files"));
  EXPECT_THAT(offered("topo --svg x.svg fat"), ElementsAre("fat-tree-64", ":files"));
  EXPECT_THAT(offered("traffic --platform=dragonfly-7"), Contains("--platform=dragonfly-72"));
  EXPECT_THAT(offered("sweep s"), IsSupersetOf({"show", "status", ":files"}));
  EXPECT_THAT(offered("goal info app"), ElementsAre(":files"));
  EXPECT_THAT(offered("run --tables t"), ElementsAre(":folders"));
  EXPECT_THAT(offered("run -n 4 ./sten"), ElementsAre(":files"));
  EXPECT_THAT(offered("run -n 4 ./stencil --net"), ElementsAre(":files"))
      << "what follows is the program's";
}

TEST(Completion, OffersWordsOfOptions) {
  EXPECT_THAT(offered("traffic --network ''"),
              ElementsAre("loggops", "queue", "fluid", "packet", "links"));
  EXPECT_THAT(offered("traffic --routing v"), ElementsAre("valiant", "valiant-group"));
  EXPECT_THAT(offered("traffic --pattern torn"), ElementsAre("tornado"));
  EXPECT_THAT(offered("goal gen diss"), ElementsAre("dissemination"));
  EXPECT_THAT(offered("replay --pattern diss"), ElementsAre("dissemination"));
  EXPECT_THAT(offered("run --worlds ''"), ElementsAre("one", "apart"));
  EXPECT_THAT(offered("run --map by-n"), ElementsAre("by-node"));
  EXPECT_THAT(offered("tune allred"), ElementsAre("allreduce"));
  EXPECT_THAT(offered("run --seed 1"), IsEmpty());
}

TEST(Completion, OffersParametersAndTheirValues) {
  EXPECT_THAT(offered("run --set link.lat"), ElementsAre("link.latency="));
  EXPECT_THAT(offered("run --set mpi.coll.allreduce=r"),
              AllOf(Contains("mpi.coll.allreduce=rdb"), Each(StartsWith("mpi.coll.allreduce=r"))));
  EXPECT_THAT(offered("run --set mpi.transport="),
              ElementsAre("mpi.transport=hybrid", "mpi.transport=portals"));
  EXPECT_THAT(offered("run --set mpi.copy_payload="),
              ElementsAre("mpi.copy_payload=yes", "mpi.copy_payload=no"));
  EXPECT_THAT(offered("goal gen --set pattern.ra"), ElementsAre("pattern.ranks="));
  EXPECT_THAT(offered("goal gen linear-alltoall --set pattern.ranks="),
              ElementsAre("pattern.ranks=8"));
  EXPECT_THAT(offered("run --set mpi.rules="), ElementsAre(":files"));
  EXPECT_THAT(offered("params traffic.hot"), Each(StartsWith("traffic.hot")));
}

/// What bash offers for a line, by the function that `heddle help --completion bash` writes.
std::vector<std::string> bash_offers(const std::string& words, std::size_t current,
                                     const std::string& folder) {
  const Outcome outcome =
      shell("PATH=\"" + built("") +
                ":$PATH\" bash --norc -c '\n"
                "compopt() { :; }\n"  // It wants a completion that is under way.
                "source <(heddle help --completion bash)\n"
                "COMP_WORDS=(" +
                words + "); COMP_CWORD=" + std::to_string(current) +
                "; _heddle; printf \"%s\\n\" \"${COMPREPLY[@]}\"'",
            folder);
  EXPECT_EQ(outcome.err, "");
  std::vector<std::string> list;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) list.push_back(line);
  }
  return list;
}

// bash takes words apart at '=', and wants back what stands behind it.
TEST(Completion, WorksInBash) {
  const TemporaryFolder folder;
  for (const char* name : {"study.yaml", "app.goal", "my file.goal"}) {
    std::ofstream(folder / name) << "x";
  }
  const std::string path = folder.path();
  EXPECT_THAT(bash_offers("heddle tr", 1, path), ElementsAre("traffic", "trace"));
  EXPECT_THAT(bash_offers("heddle sweep s", 2, path), IsSupersetOf({"show", "study.yaml"}));
  EXPECT_THAT(bash_offers("heddle run -p fat", 3, path), Contains("fat-tree-64"));
  EXPECT_THAT(bash_offers("heddle run --set mpi.coll.allreduce = rd", 5, path), Contains("rdb"));
  EXPECT_THAT(bash_offers("heddle run --set mpi.transport =", 4, path),
              ElementsAre("hybrid", "portals"));
  EXPECT_THAT(bash_offers("heddle traffic --network = pa", 4, path), ElementsAre("packet"));
  EXPECT_THAT(bash_offers("heddle topo fat", 2, path), Contains("fat-tree-64"));
  EXPECT_THAT(bash_offers("heddle goal gen --set pattern.ranks =", 5, path), ElementsAre("8"));
  EXPECT_THAT(bash_offers("heddle goal info app", 3, path), ElementsAre("app.goal"));
  EXPECT_THAT(bash_offers("heddle goal info my", 3, path), ElementsAre("my file.goal"));
  EXPECT_THAT(bash_offers("heddle run --set link.lat", 3, path), ElementsAre("link.latency="));
}

/// Whether there is such a shell to try.
bool is_here(const std::string& shell_name) {
  return shell("command -v " + shell_name).status == 0;
}

TEST(Completion, WorksInFish) {
  if (!is_here("fish")) GTEST_SKIP() << "fish is not installed";
  const TemporaryFolder folder;
  std::ofstream(folder / "study.yaml") << "x";
  const auto offers = [&](const std::string& line) {
    return shell("PATH=\"" + built("") +
                     ":$PATH\" fish --no-config -c '\n"
                     "heddle help --completion fish | source; complete -C \"" +
                     line + "\"'",
                 folder.path())
        .out;
  };
  EXPECT_THAT(offers("heddle tr"), AllOf(HasSubstr("traffic\t"), HasSubstr("trace\t")));
  EXPECT_THAT(offers("heddle run -p fat"), HasSubstr("fat-tree-64"));
  EXPECT_THAT(offers("heddle topo fat"), HasSubstr("fat-tree-64"));
  EXPECT_THAT(offers("heddle goal gen --set pattern.ranks="), HasSubstr("pattern.ranks=8"));
  EXPECT_THAT(offers("heddle sweep s"), AllOf(HasSubstr("show"), HasSubstr("study.yaml")));
  EXPECT_THAT(offers("heddle run --set mpi.transport=p"), HasSubstr("mpi.transport=portals"));
}

// zsh completes only on a terminal: here what it would be told is printed.
TEST(Completion, WorksInZsh) {
  if (!is_here("zsh")) GTEST_SKIP() << "zsh is not installed";
  const auto offers = [&](const std::string& words, int current) {
    return shell("PATH=\"" + built("") +
                 ":$PATH\" zsh -f -c '\n"
                 "compdef() { : }\n_files() { print files $* }\n"
                 "_describe() { local -a list; list=(\"${(@P)4}\"); print -l -- $list "
                 "\"${@[5,-1]}\" }\n"
                 "source <(heddle help --completion zsh)\n"
                 "words=(" +
                 words + "); CURRENT=" + std::to_string(current) + "; _heddle'")
        .out;
  };
  EXPECT_THAT(offers("heddle tr", 2), AllOf(HasSubstr("traffic:Synthetic"), HasSubstr("trace:")));
  EXPECT_THAT(offers("heddle run -p fat", 4), AllOf(HasSubstr("fat-tree-64:"), HasSubstr("files")));
  EXPECT_THAT(offers("heddle run --set mpi.transport=p", 4), HasSubstr("mpi.transport=portals:"));
  EXPECT_THAT(offers("heddle topo fat", 3), AllOf(HasSubstr("fat-tree-64:"), HasSubstr("files")));
  EXPECT_THAT(offers("heddle goal gen --set pattern.ranks=", 5), HasSubstr("pattern.ranks=8:"));
  EXPECT_THAT(offers("heddle run --set link.lat", 4), HasSubstr("-S\n"))
      << "no blank behind what goes on";
}

TEST(Completion, KnowsItsShells) {
  const Outcome wrong = heddle("help --completion tcsh");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("accepted are bash, zsh and fish"));
}

/// A man page as it is written, without what is troff's.
std::string page(const std::string& name) {
  const TemporaryFolder folder;
  EXPECT_EQ(heddle("help --man-pages " + folder.path()).status, 0);
  std::string text;
  for (const char c : file_text(folder / (name + ".1"))) {
    if (c != '\\') text += c;
  }
  return text;
}

TEST(ManPages, HaveArgumentsAndExitStatus) {
  const std::string run = page("heddle-run");
  EXPECT_THAT(run, AllOf(HasSubstr("PROGRAM [ARGUMENTS]"),
                         HasSubstr("That of the program: of the first rank"),
                         HasSubstr("128 + the signal")));
  const std::string topo = page("heddle-topo");
  EXPECT_THAT(topo, AllOf(HasSubstr(".SH EXIT STATUS"), Not(HasSubstr("That of the program"))));
  EXPECT_THAT(page("heddle-sweep"), AllOf(HasSubstr("[fIstudyfR]"), HasSubstr("fIcommandfR")));
  EXPECT_THAT(page("heddle-convert"), HasSubstr("fItracesfR"));
}

}  // namespace
}  // namespace heddle::cli
