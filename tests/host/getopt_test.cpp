#include "host/libc/getopt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>
#include <string>
#include <vector>

namespace heddle::host {
namespace {

const struct option kOptions[] = {{"size", required_argument, nullptr, 's'},
                                  {"sizes", no_argument, nullptr, 'S'},
                                  {"fast", no_argument, nullptr, 'f'},
                                  {"level", optional_argument, nullptr, 'l'},
                                  {nullptr, 0, nullptr, 0}};

/// A command line, what is accepted on it, and how.
struct Line {
  std::string words;
  std::string accepted;
  LongOptions kind = LongOptions::with_two_dashes;
};

int real(int argc, char** argv, const Line& line) {
  switch (line.kind) {
    case LongOptions::none:
      return ::getopt(argc, argv, line.accepted.c_str());
    case LongOptions::with_two_dashes:
      return getopt_long(argc, argv, line.accepted.c_str(), kOptions, nullptr);
    default:
      return getopt_long_only(argc, argv, line.accepted.c_str(), kOptions, nullptr);
  }
}

/// Everything that can be seen while a line is read, in one text.
template <class Next>
std::string story(const Line& line, Next&& next) {
  std::vector<std::string> words{"program"};
  std::istringstream stream(line.words);
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int argc = static_cast<int>(words.size());
  optind = 0;
  std::ostringstream text;
  for (int code = 0; code != -1;) {
    code = next(argc, argv.data());
    text << code << "/" << (optarg == nullptr ? "" : optarg) << "/" << optind;
    if (code == '?' || code == ':') text << "/" << optopt;
    text << " ";
  }
  for (int i = 0; i < argc; ++i) text << argv[static_cast<std::size_t>(i)] << " ";
  return text.str();
}

// Ours reads every line as the C library's own does, step by step, the final order of the words
// included.
TEST(Getopt, ReadsAsTheCLibraryDoes) {
  const std::vector<Line> lines = {
      {"-a -b 3 -c", "ab:c"},
      {"-ab3 -abc x", "ab:c"},
      {"x -a y -b z w -- -c v", "ab:c"},
      {"x -a y", "+ab:c"},
      {"x -a y", "-ab:c"},
      {"-b", "ab:c"},
      {"-b", ":ab:c"},
      {"-z -a", ":ab:c"},
      {"-o -ofile -a", "ao::"},
      {"- -a -- -b", "ab"},
      {"--size 3 --fast x --size=4", "a"},
      {"--fas --siz 3", "a"},
      {"--si 3", ":a"},
      {"--sizes=3", ":a"},
      {"--size", ":a"},
      {"--level --level=3 x", "a"},
      {"--unknown -a", ":a"},
      {"-size 3 -fast -a -f", "af", LongOptions::with_one_dash_too},
      {"-a x --fast -s", "as:", LongOptions::with_one_dash_too},
      {"--fast -a", ":a", LongOptions::none},
      {"", "a"},
  };
  opterr = 0;
  for (const Line& line : lines) {
    const std::string expected =
        story(line, [&](int argc, char** argv) { return real(argc, argv, line); });
    GetoptState state;
    const std::string ours = story(line, [&](int argc, char** argv) {
      return state.next(argc, argv, line.accepted.c_str(),
                        line.kind == LongOptions::none ? nullptr : kOptions, nullptr, line.kind);
    });
    EXPECT_EQ(ours, expected) << line.words << " with " << line.accepted;
  }
  opterr = 1;
}

}  // namespace
}  // namespace heddle::host
