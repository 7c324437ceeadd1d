#include "core/params.hpp"

#include <gtest/gtest.h>

#include "error_of.hpp"

namespace heddle {
namespace {

enum class Mode { slow, fast };

struct Config {
  Time delay;
  Bytes buffer;
  Bandwidth rate;
  Bandwidth cap;
  std::int64_t count = 0;
  double share = 0;
  bool active = false;
  std::string label;
  Mode mode = Mode::slow;
  std::optional<Time> limit;
  TimePerByte gap;
  Speed speed;
};

const ParamTable<Config>& table() {
  static const auto table = [] {
    ParamTable<Config> t("box", "a box to test with");
    t.add("delay", &Config::delay, "5ns", {"1ns", "1us"}, "delay");
    t.add("buffer", &Config::buffer, "4KiB", {}, "buffer");
    t.add("rate", &Config::rate, "100Gbps", {"1bps", ""}, "rate");
    t.add("cap", &Config::cap, "unlimited", {}, "cap");
    t.add("count", &Config::count, "16", {"", "100"}, "count");
    t.add("share", &Config::share, "90%", {"0", "1"}, "share");
    t.add("active", &Config::active, "yes", {}, "whether it acts");
    t.add("label", &Config::label, "none", {}, "label");
    t.add_choice("mode", &Config::mode, "fast", {{"slow", Mode::slow}, {"fast", Mode::fast}},
                 "mode");
    t.add("limit", &Config::limit, "auto", {"2ns", "10ns"}, "limit");
    t.add("gap", &Config::gap, "0.08ns/B", {}, "gap");
    t.add("speed", &Config::speed, "10Gf", {}, "speed");
    return t;
  }();
  return table;
}

/// The configuration after some assignments.
Config after(const std::vector<std::string>& assignments) {
  Settings settings({&table()});
  for (const std::string& assignment : assignments) settings.assign(assignment, {"--set"});
  return settings.get(table());
}

std::string error_after(const std::string& assignment) {
  try {
    after({assignment});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Params, DefaultsAreThoseOfTheTable) {
  const Config config = table().defaults();
  EXPECT_EQ(config.delay, Time::ns(5));
  EXPECT_EQ(config.buffer, Bytes(4'096));
  EXPECT_EQ(config.rate, Bandwidth::gbps(100));
  EXPECT_TRUE(config.cap.is_unlimited());
  EXPECT_EQ(config.count, 16);
  EXPECT_EQ(config.share, 0.9);
  EXPECT_TRUE(config.active);
  EXPECT_EQ(config.label, "none");
  EXPECT_EQ(config.mode, Mode::fast);
  EXPECT_FALSE(config.limit);
  EXPECT_EQ(config.gap, TimePerByte::attoseconds(80'000'000));
  EXPECT_EQ(config.speed, Speed::flops(10'000'000'000));
}

TEST(Params, LaterAssignmentsWin) {
  EXPECT_EQ(after({"box.count=1", "box.count=2"}).count, 2);
  EXPECT_EQ(after({"box.mode=slow"}).mode, Mode::slow);
  EXPECT_EQ(after({"box.label=a=b"}).label, "a=b");
}

// Both ends of a range are within it.
TEST(Params, RangesAreInclusive) {
  EXPECT_EQ(after({"box.delay=1ns"}).delay, Time::ns(1));
  EXPECT_EQ(after({"box.delay=1us"}).delay, Time::us(1));
  EXPECT_EQ(error_after("box.delay=999ps"),
            "--set: '999ps' is not a valid box.delay: accepted is a time such as 500ns, 2.5us or "
            "1ms (ps, ns, us, ms, s, min, h; not between 0 and 1ps), at least 1ns, at most 1us");
  EXPECT_EQ(error_after("box.count=101"),
            "--set: '101' is not a valid box.count: accepted is a whole number such as 16 or 2k, "
            "at most 100");
}

// A bandwidth with a minimum must be limited; one without need not be.
TEST(Params, UnlimitedIsAcceptedWhereThereIsNoMinimum) {
  EXPECT_TRUE(after({"box.cap=unlimited"}).cap.is_unlimited());
  EXPECT_EQ(error_after("box.rate=unlimited"),
            "--set: 'unlimited' is not a valid box.rate: accepted is a bandwidth such as 100Gbps "
            "or 100Gbit/s (bits), 12.5GB/s or 12GiB/s (bytes), at least 1bps");
  EXPECT_EQ(error_after("box.cap=fast"),
            "--set: 'fast' is not a valid box.cap: accepted is a bandwidth such as 100Gbps or "
            "100Gbit/s (bits), 12.5GB/s or 12GiB/s (bytes), or unlimited");
}

TEST(Params, ChoicesAreListed) {
  EXPECT_EQ(error_after("box.mode=medium"),
            "--set: 'medium' is not a valid box.mode: accepted is one of slow, fast");
}

// "auto" is always accepted; a value must be within the range.
TEST(Params, OptionalOnesMayBeLeftToTheModel) {
  EXPECT_FALSE(after({"box.limit=auto"}).limit);
  EXPECT_EQ(after({"box.limit=3ns"}).limit, Time::ns(3));
  EXPECT_FALSE(after({"box.limit=3ns", "box.limit=auto"}).limit);
  EXPECT_NE(error_after("box.limit=1ns"), "");
  EXPECT_NE(error_after("box.limit=11ns"), "");
}

// box.delay is set first and last, so its last place is the section's; a section that nobody set
// has the place that the caller gives.
TEST(Params, TheLastAssignmentOfASectionIsKnown) {
  Settings settings({&table()});
  const SourceLocation otherwise{"elsewhere"};
  EXPECT_EQ(settings.where_last(table(), otherwise).str(), "elsewhere");
  settings.assign("box.delay=5ns", {"m.yaml", 3, 1});
  settings.assign("box.count=5", {"m.yaml", 4, 1});
  EXPECT_EQ(settings.where_last(table(), otherwise).str(), "m.yaml:4:1");
  settings.assign("box.delay=6ns", {"--set box.delay=6ns"});
  EXPECT_EQ(settings.where_last(table(), otherwise).str(), "--set box.delay=6ns");
}

// Who set a value is known beside where: nobody, a file, or the user of this run, by name or by an
// option that is short for it.
TEST(Params, WhoSetAValueIsKnown) {
  Settings settings({&table()});
  EXPECT_EQ(settings.origin("box.delay"), Origin::default_);
  EXPECT_EQ(settings.text("box.delay"), "");
  settings.assign("box.delay=5ns", {"--looks-like-an-option"});
  EXPECT_EQ(settings.origin("box.delay"), Origin::file);
  EXPECT_FALSE(of_this_run(settings.origin("box.delay")));
  settings.assign("box.delay", "6ns", {"--delay"}, Origin::option);
  EXPECT_EQ(settings.origin("box.delay"), Origin::option);
  settings.assign("box.delay=7ns", {"here"}, Origin::set);
  EXPECT_EQ(settings.origin("box.delay"), Origin::set);
  EXPECT_EQ(settings.text("box.delay"), "7ns");
}

// A file may be overruled, and what is said twice may be the same; a user who says two different
// things by name has forgotten one of them, which the error names.
TEST(Params, SayingOtherwiseByNameIsRefused) {
  Settings settings({&table()});
  settings.assign("box.delay=4ns", {"m.yaml", 1, 1});
  settings.assign("box.delay=5ns", {"first"}, Origin::set);
  settings.assign("box.delay=5ns", {"again"}, Origin::set);
  EXPECT_EQ(error_of([&] { settings.assign("box.delay=6ns", {"second"}, Origin::set); }),
            "second: again says otherwise: accepted is one of the two");
}

// Of the parameters that an error is about, the one that was set last has its place; those that
// nobody set have none.
TEST(Params, TheLastOfSeveralIsKnown) {
  Settings settings({&table()});
  EXPECT_EQ(settings.last_of({"box.delay", "box.count"}), "");
  settings.assign("box.count=5", {"m.yaml", 3, 1});
  settings.assign("box.delay=5ns", {"m.yaml", 4, 1});
  EXPECT_EQ(settings.last_of({"box.delay", "box.count"}), "box.delay");
  EXPECT_EQ(settings.last_of({"box.count", "box.limit"}), "box.count");
}

// An error about parameters names them, says what is wrong, and claims no place.
TEST(Params, ErrorsAboutParametersNameThem) {
  const ParamError error({"box.delay", "box.count"}, "contradict each other");
  EXPECT_STREQ(error.what(), "box.delay, box.count: contradict each other");
  EXPECT_EQ(error.problem(), "contradict each other");
  EXPECT_EQ(error.where().str(), "");
}

// What is wrong with a file as a whole is about the parameter that names it; what is wrong on one
// of its lines is about that line.
TEST(Params, FilesThatParametersNameAreTheirs) {
  const auto about_all = [] { throw InputError({"noise.txt"}, "cannot be opened"); };
  try {
    read_named_by("box.file", about_all);
    FAIL();
  } catch (const ParamError& error) {
    EXPECT_EQ(error.names(), std::vector<std::string>{"box.file"});
    EXPECT_STREQ(error.what(), "noise.txt: cannot be opened");
  }
  const auto about_a_line = [] { throw InputError({"noise.txt", 3, 1}, "no number"); };
  EXPECT_THROW(
      {
        try {
          read_named_by("box.file", about_a_line);
        } catch (const ParamError&) {
          FAIL();
        }
      },
      InputError);
}

TEST(Params, MisspeltNamesGetASuggestion) {
  EXPECT_EQ(error_after("box.dealy=5ns"),
            "--set: unknown parameter 'box.dealy' (did you mean 'box.delay'?); `heddle params` "
            "lists every parameter");
  EXPECT_EQ(error_after("boks.delay=5ns"),
            "--set: unknown parameter 'boks.delay' (did you mean 'box.delay'?); `heddle params` "
            "lists every parameter");
  EXPECT_EQ(error_after("delay=5ns"),
            "--set: unknown parameter 'delay' (did you mean 'box.delay'?); `heddle params` lists "
            "every parameter");
  EXPECT_EQ(error_after("colour=red"),
            "--set: unknown parameter 'colour'; `heddle params` lists every parameter");
}

TEST(Params, AnAssignmentNeedsAnEqualsSign) {
  EXPECT_EQ(error_after("box.delay"),
            "--set: 'box.delay' is not an assignment: accepted is name=value, for example "
            "queue.forwarding=cut-through");
}

// An error in a file names the place where the value was written.
TEST(Params, ErrorsNameTheirPlace) {
  Settings settings({&table()});
  const std::string error = error_of([&] {
    settings.assign("box.count", "many", {"m.yaml", 4, 12});
  });
  EXPECT_EQ(error.substr(0, 22), "m.yaml:4:12: 'many' is");
}

// What get() writes, set() reads back to the same text, for default and odd values alike.
TEST(Params, ExactTextRoundTrips) {
  const Config configs[] = {
      table().defaults(),
      after({"box.delay=1.001ns", "box.buffer=1000003", "box.rate=12.3456789Gbps", "box.cap=1bps",
             "box.share=0.3333333333333333", "box.active=no", "box.label=x y", "box.mode=slow",
             "box.limit=2.5ns", "box.gap=0.000123ps/B", "box.speed=7f"})};
  for (const Config& config : configs) {
    Config copy;
    for (std::size_t i = 0; i < table().params().size(); ++i) {
      const std::string text = table().get(config, i);
      table().set(copy, i, text, {});
      EXPECT_EQ(table().get(copy, i), text) << table().params()[i].name;
    }
    EXPECT_EQ(copy.delay, config.delay);
    EXPECT_EQ(copy.rate, config.rate);
    EXPECT_EQ(copy.share, config.share);
    EXPECT_EQ(copy.limit, config.limit);
    EXPECT_EQ(copy.gap, config.gap);
  }
}

TEST(Params, SettingsKnowWhatWasSet) {
  Settings settings({&table()});
  EXPECT_FALSE(settings.has("box.count"));
  settings.assign("box.count=3", {"--set"});
  EXPECT_TRUE(settings.has("box.count"));
}

}  // namespace
}  // namespace heddle
