// What users write for broken hardware, and what is said of texts that are no faults.
#include "nic/faults.hpp"

#include <gmock/gmock.h>

#include "error_of.hpp"

namespace heddle::nic {
namespace {

using ::testing::HasSubstr;

Faults faults_of(std::string_view text) {
  Faults faults;
  add_faults(faults, text, {"--fault"});
  return faults;
}

std::string complaint_about(std::string_view text) {
  return error_of([&] { faults_of(text); });
}

TEST(Faults, ProbabilitiesAreNumbersOrPercent) {
  const Faults faults = faults_of("drop=0.01,corrupt=5%");
  EXPECT_DOUBLE_EQ(faults.drop, 0.01);
  EXPECT_DOUBLE_EQ(faults.corrupt, 0.05);
  EXPECT_DOUBLE_EQ(faults_of("corrupt=1e-3").corrupt, 0.001);
  EXPECT_TRUE(faults.outages.empty());
  EXPECT_FALSE(faults.none());
  EXPECT_TRUE(Faults{}.none());
}

/// The glob may contain dashes and arrows; the interval stands behind the last '@'.
TEST(Faults, CablesAreDownForAnInterval) {
  const Faults faults = faults_of("down=n0->s-1@1ms-2ms,down=*@3us-");
  ASSERT_EQ(faults.outages.size(), 2U);
  EXPECT_EQ(faults.outages[0].cable, "n0->s-1");
  EXPECT_EQ(faults.outages[0].from, Time::ms(1));
  EXPECT_EQ(faults.outages[0].to, Time::ms(2));
  EXPECT_EQ(faults.outages[1].cable, "*");
  EXPECT_EQ(faults.outages[1].from, Time::us(3));
  EXPECT_EQ(faults.outages[1].to, Time::never());
}

TEST(Faults, TextsAddUp) {
  Faults faults = faults_of("drop=0.5");
  add_faults(faults, "down=a@0s-1s", {"--fault"});
  add_faults(faults, "drop=0.25", {"--fault"});
  EXPECT_DOUBLE_EQ(faults.drop, 0.25);
  EXPECT_EQ(faults.outages.size(), 1U);
}

TEST(Faults, ErrorsNameTheTextAndWhatIsAccepted) {
  for (const char* text :
       {"", "drop", "drop=", "drop=2", "drop=-1", "corrupt=x", "down=a", "down=@1s-2s", "down=a@1s",
        "down=a@2s-1s", "down=a@x-2s", "down=a@1s-y", "drop=0.1,", "lose=0.1"}) {
    const std::string complaint = complaint_about(text);
    EXPECT_THAT(complaint, HasSubstr("--fault: '")) << text;
    EXPECT_THAT(complaint, HasSubstr("accepted are drop=P")) << text;
  }
  EXPECT_THAT(complaint_about("drpo=0.1"),
              HasSubstr("'drpo=0.1' is not a fault (did you mean 'drop'?)"));
  EXPECT_THAT(complaint_about("down=a@1x-2s"), HasSubstr("'1x' is not a time"));
}

}  // namespace
}  // namespace heddle::nic
