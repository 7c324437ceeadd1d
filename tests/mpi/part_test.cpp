#include "mpi/part.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace heddle::mpi {
namespace {

using testing::ElementsAre;

/// Notes who goes when.
struct Owner : PartOwner<Owner> {
  explicit Owner(std::vector<std::string>& list) : gone(list) {}
  std::vector<std::string>& gone;
};
struct First final : Part {
  explicit First(Owner& of) : owner(of) {}
  ~First() override { owner.gone.emplace_back("first"); }
  Owner& owner;
};
struct Second final : Part {
  explicit Second(Owner& of) : owner(of) {}
  ~Second() override { owner.gone.emplace_back("second"); }
  Owner& owner;
};
struct Named final : Part {
  explicit Named(std::string text) : name(std::move(text)) {}
  std::string name;
};

TEST(PartOwner, HasOnePartOfEachClassFromItsFirstUseOn) {
  std::vector<std::string> gone;
  Owner owner(gone);
  EXPECT_EQ(owner.find_part<First>(), nullptr);
  First& made = owner.part<First>();
  EXPECT_EQ(&owner.part<First>(), &made);
  EXPECT_EQ(owner.find_part<First>(), &made);
  EXPECT_EQ(owner.find_part<Second>(), nullptr);
}

TEST(PartOwner, KeepsPartsOfTwoOwnersApart) {
  std::vector<std::string> gone;
  Owner one(gone);
  Owner other(gone);
  one.add_part(std::make_unique<Named>("of one"));
  EXPECT_EQ(one.find_part<Named>()->name, "of one");
  EXPECT_EQ(other.find_part<Named>(), nullptr);
}

TEST(PartOwner, LetsTheLastOneMadeGoFirst) {
  // What is made later may use what was there before, to its end.
  std::vector<std::string> gone;
  {
    Owner owner(gone);
    owner.part<Second>();
    owner.part<First>();
  }
  EXPECT_THAT(gone, ElementsAre("first", "second"));
}

}  // namespace
}  // namespace heddle::mpi
