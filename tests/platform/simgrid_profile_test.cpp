// Profiles of SimGrid platform files: what is read, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "error_of.hpp"
#include "platform/simgrid/reading/profile_reader.hpp"
#include "platform/simgrid_xml.hpp"

namespace heddle::platform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Profile profile_of(std::string_view text, Time period = Time::zero()) {
  return *simgrid::parse_profile(text, {"p.txt", 1, 0}, period);
}

std::string profile_error(std::string_view text, Time period = Time::zero()) {
  return heddle::error_of([&] { profile_of(text, period); });
}

// Two points at 1 s and 2 s: nothing before, and each value from its instant on.
TEST(Profile, ValuesHoldFromTheirInstantsOn) {
  const Profile profile = profile_of("# comment\n% another\n1 500000\r\n\n 2.0\t2e6\n");
  EXPECT_EQ(profile.at(Time::ms(999)), std::nullopt);
  EXPECT_EQ(profile.at(Time::s(1)), 500000);
  EXPECT_EQ(profile.at(Time::s(100)), 2e6);
  EXPECT_EQ(profile.next_after(Time::zero()), Time::s(1));
  EXPECT_EQ(profile.next_after(Time::s(1)), Time::s(2));
  EXPECT_EQ(profile.next_after(Time::s(2)), Time::never());
}

// PERIODICITY 4: the points of 1 s and 2 s come again at 5 s and 6 s; in between, the last holds.
TEST(Profile, ComesAgainAfterItsPeriod) {
  const Profile profile = profile_of("1 10\n2 20\nPERIODICITY 4\n");
  EXPECT_EQ(profile.at(Time::ms(4500)), 20);
  EXPECT_EQ(profile.at(Time::s(5)), 10);
  EXPECT_EQ(profile.at(Time::s(4'000'006)), 20);
  EXPECT_EQ(profile.next_after(Time::s(2)), Time::s(5));
  EXPECT_EQ(profile.next_after(Time::s(4'000'002)), Time::s(4'000'005));
}

// LOOPAFTER 3 behind a last point of 2 s is a period of 5 s; LOOPAFTER 0 puts the last point where
// the next round begins.
TEST(Profile, ComesAgainAfterAPause) {
  EXPECT_EQ(profile_of("1 10\n2 20\nLOOPAFTER 3").period(), Time::s(5));
  const Profile profile = profile_of("1 10\n2 20\nLOOPAFTER 0\n");
  EXPECT_EQ(profile.at(Time::s(2)), 20);
  EXPECT_EQ(profile.at(Time::ms(2999)), 20);
  EXPECT_EQ(profile.at(Time::s(3)), 10);
  EXPECT_EQ(profile.next_after(Time::ms(1500)), Time::s(2));
}

TEST(Profile, MistakesAreRefusedWithTheirLine) {
  EXPECT_THAT(profile_error("1 2\nx 3\n"), HasSubstr("p.txt:2: 'x' in a profile is not a number"));
  EXPECT_THAT(profile_error("1 2\n\nWAITFOR 3\n"), HasSubstr("p.txt:3: 'WAITFOR'"));
  EXPECT_THAT(profile_error("1\n"), HasSubstr("with 1 word"));
  EXPECT_THAT(profile_error("1 -2\n"), HasSubstr("'-2'"));
  EXPECT_THAT(profile_error("1 nan\n"), HasSubstr("'nan'"));
  EXPECT_THAT(profile_error("2 1\n1 1\n"), HasSubstr("before the time of the line above"));
  EXPECT_THAT(profile_error("# nothing\n"), HasSubstr("without points"));
  EXPECT_THAT(profile_error("1 1\n2 1\nPERIODICITY 1.5\n"),
              HasSubstr("no less than its last time"));
  EXPECT_THAT(profile_error("0 1\nLOOPAFTER 0\n"), HasSubstr("more than zero"));
  EXPECT_THAT(profile_error("0 1\nPERIODICITY 0\n"), HasSubstr("PERIODICITY of zero"));
  EXPECT_THAT(profile_error("0 1\nPERIODICITY\n"), HasSubstr("without one time"));
  EXPECT_THAT(profile_error("0 1\nLOOPAFTER 1\n", Time::s(3)),
              HasSubstr("accepted is one of them"));
}

std::string platform_with(const std::string& links, const std::string& more) {
  return "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n"
         "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>\n" +
         links + "\n<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n" + more +
         "\n</zone>\n</platform>\n";
}

std::unique_ptr<Platform> read_profiles(const std::string& links, const std::string& more) {
  return read_simgrid_platform_text(platform_with(links, more), "p.xml");
}

std::string connection_error(const std::string& more) {
  return heddle::error_of([&] { read_profiles("<link id=\"l\" bandwidth=\"1GBps\"/>", more); });
}

// A trace may stand behind its connection; a SPLITDUPLEX link has it in both directions.
TEST(SimgridProfiles, TracesAreConnected) {
  const auto p = read_profiles(
      R"(<link id="l" bandwidth="1GBps"/><link id="s" bandwidth="1GBps" sharing_policy="SPLITDUPLEX"/>)",
      R"(<trace_connect kind="LATENCY" trace="t" element="s"/>
<trace_connect kind="BANDWIDTH" trace="u" element="l"/>
<trace id="t" periodicity="2">0 0.001
1 0.002</trace><trace id="u" periodicity="-1.0">
0 5e8</trace>)");
  const LinkProfiles& all = p->profiles();
  ASSERT_EQ(all.links.size(), 3U);
  EXPECT_EQ(p->links().name(all.links[0].link), "s_UP");
  EXPECT_EQ(p->links().name(all.links[1].link), "s_DOWN");
  EXPECT_EQ(p->links().name(all.links[2].link), "l");
  EXPECT_EQ(all.links[0].quantity, LinkQuantity::latency);
  EXPECT_EQ(all.profiles[all.links[1].profile].period(), Time::s(2));
  EXPECT_EQ(all.profiles[all.links[2].profile].at(Time::s(1)), 5e8);
  EXPECT_EQ(all.links[2].where.line, 7U);
}

// Beside the platform's own file; two links that name one file share what was read.
TEST(SimgridProfiles, FilesAreReadBesideThePlatform) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("heddle_profile_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "l.bw") << "1 1000\n2 2000\n";
  std::ofstream(folder / "p.xml") << platform_with(
      R"(<link id="l" bandwidth="1GBps" bandwidth_file="l.bw"/>
         <link id="m" bandwidth="1GBps" bandwidth_file="l.bw" latency_file=""/>)",
      "");
  const auto p = read_simgrid_platform(folder / "p.xml");
  EXPECT_EQ(p->profiles().links.size(), 2U);
  EXPECT_EQ(p->profiles().profiles.size(), 1U);
  std::filesystem::remove_all(folder);
}

TEST(SimgridProfiles, MistakesAreRefused) {
  EXPECT_THAT(connection_error(R"(<trace_connect kind="BANDWIDTH" trace="x" element="l"/>)"),
              HasSubstr("p.xml:6:2: no <trace> is called 'x'"));
  EXPECT_THAT(connection_error(R"(<trace id="t">0 1</trace>
<trace_connect kind="BANDWIDTH" trace="t" element="k"/>)"),
              HasSubstr("p.xml:7:2: no link is called 'k'"));
  EXPECT_THAT(connection_error(R"(<trace id="t">0 1</trace>
<trace_connect kind="LATENCY" trace="t" element="l"/>
<trace_connect kind="LATENCY" trace="t" element="l"/>)"),
              HasSubstr("p.xml:8:2: a second profile of that kind for link 'l'"));
  EXPECT_THAT(connection_error("<trace id=\"t\">0 1\n\n1 x</trace>"), HasSubstr("p.xml:8: 'x'"));
  EXPECT_THAT(connection_error("<trace id=\"t\"><prop/></trace>"), HasSubstr("only text"));
  EXPECT_THAT(connection_error("<trace id=\"t\" file=\"/none/such\"/>"), HasSubstr("/none/such"));
  EXPECT_THAT(connection_error("<trace id=\"t\" periodicity=\"x\">0 1</trace>"),
              HasSubstr("'x' of attribute periodicity"));
  EXPECT_THAT(connection_error(R"(<trace id="t">0 1001</trace>
<trace_connect kind="LATENCY" trace="t" element="l"/>)"),
              HasSubstr("goes up to 1000 seconds"));
}

// Random draws and what is about hosts are told of and left out.
TEST(SimgridProfiles, WhatIsLeftOutIsToldOf) {
  const auto p = read_profiles(R"(<link id="l" bandwidth="1GBps"/>)",
                               R"(<trace id="t">STOCHASTIC
DET 0 UNIF 1 2</trace><trace_connect kind="BANDWIDTH" trace="t" element="l"/>
<trace id="u">0 1</trace><trace_connect kind="SPEED" trace="u" element="a"/>)");
  EXPECT_THAT(p->profiles().links, testing::IsEmpty());
  EXPECT_THAT(p->warnings(), ElementsAre(HasSubstr("p.xml:6:2: a profile that is STOCHASTIC"),
                                         HasSubstr("the profile 'u' of SPEED is not applied")));
}

}  // namespace
}  // namespace heddle::platform
