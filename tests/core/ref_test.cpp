#include "core/ref.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// Counts its references, and says when it ends.
class Thing {
 public:
  explicit Thing(bool& ended) : ended_(ended) {}
  void retain() const { ++references_; }
  void release() const {
    if (--references_ == 0) delete this;
  }
  int references() const { return references_; }

 private:
  ~Thing() { ended_ = true; }
  bool& ended_;
  mutable int references_ = 0;
};

// A copy is one reference more, a moved one is not; the object ends with the last of them.
TEST(RefTest, TheLastOneEndsTheObject) {
  bool ended = false;
  {
    Ref<const Thing> first = make_ref<const Thing>(ended);
    EXPECT_EQ(first->references(), 1);
    Ref<const Thing> second = first;
    EXPECT_EQ(first->references(), 2);
    const Ref<const Thing> third = std::move(second);
    EXPECT_EQ(first->references(), 2);
    EXPECT_FALSE(second);  // NOLINT: what was moved from refers to nothing.
    EXPECT_EQ(first, third);
    first = nullptr;
    EXPECT_FALSE(ended);
    EXPECT_EQ(third->references(), 1);
  }
  EXPECT_TRUE(ended);
}

// Somebody who assigns a reference to itself keeps it.
TEST(RefTest, MayBeAssignedToItself) {
  bool ended = false;
  Ref<Thing> one = make_ref<Thing>(ended);
  const Ref<Thing>& same = one;
  one = same;
  EXPECT_FALSE(ended);
  EXPECT_EQ(one->references(), 1);
}

}  // namespace
}  // namespace heddle
