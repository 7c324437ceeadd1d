#include "core/containers/fifo.hpp"

#include <gtest/gtest.h>

#include <array>

namespace heddle {
namespace {

struct Linked {
  Linked* next = nullptr;
};

// Records leave in the order in which they came; emptied, the queue goes on as a new one, and takes
// records that it has had.
TEST(Fifo, GivesRecordsBackInTheirOrder) {
  std::array<Linked, 3> records;
  Fifo<Linked> fifo;
  EXPECT_TRUE(fifo.empty());
  EXPECT_EQ(fifo.pop(), nullptr);
  for (int round = 0; round < 2; ++round) {
    for (Linked& record : records) fifo.push(record);
    EXPECT_EQ(fifo.first(), &records[0]);
    for (Linked& record : records) EXPECT_EQ(fifo.pop(), &record);
    EXPECT_TRUE(fifo.empty());
  }
}

}  // namespace
}  // namespace heddle
