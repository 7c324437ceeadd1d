#include "traffic/size_file.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "error_of.hpp"

namespace heddle::traffic {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string size_error_of(std::string_view text) {
  return heddle::error_of([&] { read_size_text(text, "s.txt"); });
}

/// The part of 100 000 sizes that are at most `size`.
double share_up_to(const SizeDistribution& sizes, std::int64_t size) {
  RandomStream random(7);
  int count = 0;
  for (int i = 0; i < 100'000; ++i) count += sizes.draw(random).count() <= size;
  return count / 1e5;
}

// A fifth of the sizes is 100 B; from there to 300 B sizes are as likely as each other and are
// three fifths; the last fifth goes on to 1100 B. The mean is 0.2 100 + 0.6 200 + 0.2 700 = 280.
TEST(SizeFile, PointsAreJoinedByStraightLines) {
  const SizeDistribution sizes =
      read_size_text("# sizes\nsize part\n100 0.2\n300B 80%\n1100 1\n", "s");
  EXPECT_DOUBLE_EQ(sizes.mean(), 280);
  EXPECT_NEAR(share_up_to(sizes, 99), 0, 0);
  EXPECT_NEAR(share_up_to(sizes, 100), 0.2, 0.005);
  EXPECT_NEAR(share_up_to(sizes, 200), 0.5, 0.005);
  EXPECT_NEAR(share_up_to(sizes, 700), 0.9, 0.005);
  EXPECT_EQ(share_up_to(sizes, 1100), 1);
}

// Parts up to 100 are percentages, whether anybody says so or not.
TEST(SizeFile, TakesPercentagesWithoutSigns) {
  EXPECT_DOUBLE_EQ(read_size_text("0,0\n1000,50\n2000,100", "s").mean(), 0.5 * 500 + 0.5 * 1500);
  EXPECT_TRUE(read_size_text("1000 100", "s").is_measured());
}

TEST(SizeFile, SaysWhereAMistakeIs) {
  EXPECT_THAT(size_error_of("100 0.5\n50 1"), StartsWith("s.txt:2:1: the size falls"));
  EXPECT_THAT(size_error_of("100 0.5\n200 0.4\n"), StartsWith("s.txt:2:5: the part falls"));
  EXPECT_THAT(size_error_of("100 0.5\n200"), StartsWith("s.txt:2:1: a field is missing"));
  EXPECT_THAT(size_error_of("100 0.5 7"), StartsWith("s.txt:1:9: '7' is one field too many"));
  EXPECT_THAT(size_error_of("many 0.5"), StartsWith("s.txt:1:1: 'many' is not a size"));
  EXPECT_THAT(size_error_of("100 half1"), StartsWith("s.txt:1:5: 'half1' is not a part"));
  EXPECT_THAT(size_error_of("100 -1"), HasSubstr("a number from 0 to 1, or to 100"));
  EXPECT_THAT(size_error_of("100 0.5\n200 0.9\n"), StartsWith("s.txt:2:5: the last part is"));
  EXPECT_THAT(size_error_of("# nothing\n"), HasSubstr("has no points"));
  EXPECT_THAT(size_error_of("0 0.5\n  0 1"), StartsWith("s.txt:2:3: the largest size is nothing"));
}

// Published distributions, whose text is their name. The mean of web search follows from its points
// by hand: the sum of the middles of neighbouring sizes times their shares is 1 711 250 B.
TEST(PublishedSizes, AreWhatTheirPointsSay) {
  for (const PublishedSizes& published : published_sizes()) {
    const SizeDistribution sizes = SizeDistribution::parse(published.name).value();
    EXPECT_EQ(sizes.text(), published.name);
    EXPECT_TRUE(sizes.is_measured());
    EXPECT_EQ(published.points.back().share, 1) << published.name;
    for (std::size_t i = 1; i < published.points.size(); ++i) {
      EXPECT_LE(published.points[i - 1].size, published.points[i].size) << published.name;
      EXPECT_LE(published.points[i - 1].share, published.points[i].share) << published.name;
    }
  }
  const SizeDistribution web = SizeDistribution::parse("web-search").value();
  EXPECT_NEAR(web.mean(), 1'711'250, 1);
  EXPECT_NEAR(share_up_to(web, 10'000), 0.15, 0.005);
  EXPECT_NEAR(share_up_to(web, 1'000'000), 0.7, 0.005);
  EXPECT_NEAR(share_up_to(SizeDistribution::parse("hadoop").value(), 1000), 0.6, 0.006);
}

}  // namespace
}  // namespace heddle::traffic
