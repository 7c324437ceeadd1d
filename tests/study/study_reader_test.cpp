#include <gmock/gmock.h>

#include <map>
#include <set>

#include "core/units.hpp"
#include "error_of.hpp"
#include "study/study.hpp"

namespace heddle::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Study read(const std::string& text) {
  return read_study_text(text, "s.yaml");
}

/// The values of a parameter at all points, "-" where it is not set.
std::vector<std::string> values(const Study& study, const std::string& name) {
  std::vector<std::string> list;
  for (std::size_t p = 0; p < study.parameters.size(); ++p) {
    if (study.parameters[p].name != name) continue;
    for (const Point& point : study.points) {
      const Value* value = study.value(point, p);
      list.push_back(value == nullptr ? "-" : value->text);
    }
  }
  return list;
}

std::string error_in(const std::string& text) {
  return error_of<InputError>([&] { read(text); });
}

// Two loads with each of two networks: four points, the last name changing fastest; what is set
// holds at all of them.
TEST(StudyReader, CombinesAGrid) {
  const Study study =
      read("command: traffic\nset: {size: 64B}\ngrid: {load: [0.1, 0.2], network: [queue, fluid]}");
  EXPECT_THAT(values(study, "load"), ElementsAre("0.1", "0.1", "0.2", "0.2"));
  EXPECT_THAT(values(study, "network"), ElementsAre("queue", "fluid", "queue", "fluid"));
  EXPECT_THAT(values(study, "size"), ElementsAre("64B", "64B", "64B", "64B"));
  EXPECT_EQ(study.name, "s");
  EXPECT_FALSE(study.parameters[0].varies);
  EXPECT_TRUE(study.parameters[1].varies);
}

// A zip of two by two, with each of two seeds: four points.
TEST(StudyReader, ZipsAndCombines) {
  const Study study =
      read("command: traffic\nzip: {size: [64B, 4KiB], window: [9, 1]}\ngrid: {seed: 1:2:1}");
  EXPECT_THAT(values(study, "size"), ElementsAre("64B", "64B", "4KiB", "4KiB"));
  EXPECT_THAT(values(study, "window"), ElementsAre("9", "9", "1", "1"));
  EXPECT_THAT(values(study, "seed"), ElementsAre("1", "2", "1", "2"));
}

TEST(StudyReader, TakesPointsOneByOne) {
  const Study study =
      read("command: traffic\nlist: [{pattern: uniform}, {pattern: tornado, routing: valiant}]");
  EXPECT_THAT(values(study, "pattern"), ElementsAre("uniform", "tornado"));
  EXPECT_THAT(values(study, "routing"), ElementsAre("-", "valiant"));
}

// Of a Latin hypercube with 10 points, each tenth of a range has one point; of two values in a list
// each is taken 5 times.
TEST(StudyReader, FillsALatinHypercube) {
  const Study study = read(
      "command: replay\nlatin-hypercube: {points: 10, loggops.L: {from: 0ns, to: 10us}, "
      "loggops.g: [1us, 2us]}");
  std::set<std::int64_t> tenths;
  for (const std::string& text : values(study, "loggops.L")) {
    tenths.insert(parse_time(text)->ps() / 1'000'000);
  }
  EXPECT_EQ(tenths.size(), 10U);
  const auto gaps = values(study, "loggops.g");
  EXPECT_EQ(std::count(gaps.begin(), gaps.end(), "1us"), 5);
}

// The same seed draws the same points, another one others; all are within the range.
TEST(StudyReader, DrawsAtRandom) {
  const auto drawn = [](const char* seed) {
    return values(read(std::string("command: replay\nrandom: {points: 20, seed: ") + seed +
                       ", loggops.L: {from: 1us, to: 9us, scale: log}}"),
                  "loggops.L");
  };
  EXPECT_EQ(drawn("1"), drawn("1"));
  EXPECT_NE(drawn("1"), drawn("2"));
  for (const std::string& text : drawn("1")) {
    EXPECT_GE(*parse_time(text), Time::us(1));
    EXPECT_LE(*parse_time(text), Time::us(9));
  }
}

// Each mistake is told with its line and column.
TEST(StudyReader, SaysWhereAMistakeIs) {
  EXPECT_THAT(error_in("command: trafic"), HasSubstr("s.yaml:1:10: unknown command 'trafic'"));
  EXPECT_THAT(error_in("command: run\ngird: {}"),
              HasSubstr("s.yaml:2:1: unknown key 'gird' (did you mean 'grid'?)"));
  EXPECT_THAT(error_in("command: run\ngrid:\n  load: [1, {}]"), HasSubstr("s.yaml:3:13: an item"));
  EXPECT_THAT(error_in("command: run\nset: {a: 1}\ngrid: {a: 2}"),
              HasSubstr("s.yaml:3:8: 'a' is given twice: first at s.yaml:2:7"));
  EXPECT_THAT(error_in("command: run\nzip: {a: [1, 2], b: [1]}"),
              HasSubstr("s.yaml:2:18: 'b' has 1 values and 'a' has 2"));
  EXPECT_THAT(error_in("command: run\ngrid: {a: {from: 1ns, to: 1B, points: 2}}"),
              HasSubstr("s.yaml:2:18: '1ns' and '1B' are not two quantities of one kind"));
  EXPECT_THAT(error_in("command: run\ngrid: {a: {from: 1, to: 2, step: -1}}"),
              HasSubstr("s.yaml:2:34: '-1' is no step"));
  EXPECT_THAT(error_in("command: run\nrandom: {points: 0, a: {from: 1, to: 2}}"),
              HasSubstr("s.yaml:2:18: points is '0'"));
  EXPECT_THAT(error_in("command: run\nmeasures: {rate: 'rate'}"),
              HasSubstr("s.yaml:2:18: rate is 'rate'"));
  EXPECT_THAT(error_in("command: [run"), HasSubstr("s.yaml:1:"));
  EXPECT_THAT(error_in("command: run\n---\ngrid: {a: 1}"),
              HasSubstr("s.yaml:2:1: text behind the study: accepted is one YAML mapping"));
  EXPECT_THAT(error_in("grid: {a: 1}"), HasSubstr("the study has no command"));
  EXPECT_THAT(error_in("command: run\ngrid: {a: 1:1000:1, b: 1:1000:1, c: 1:2:1}"),
              HasSubstr("more points than are accepted: 1000000"));
}

// The results are kept under a study's name, which is one of a view.
TEST(StudyReader, RefusesNamesThatAreNone) {
  EXPECT_THAT(error_in("command: run\nname: points"), HasSubstr("s.yaml:2:7: name is 'points'"));
  EXPECT_THAT(error_in("command: run\nname: 'a \" b'"), HasSubstr("s.yaml:2:7: name is"));
}

}  // namespace
}  // namespace heddle::study
