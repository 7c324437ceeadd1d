#include "mpi/message_observer.hpp"

#include "mpi/engine/engine.hpp"
#include "mpi/support.hpp"

namespace heddle::mpi {
namespace {

using testing::ElementsAre;

/// Writes down what it is told.
class Witness final : public MessageObserver {
 public:
  explicit Witness(std::string name = "") : name_(std::move(name)) {}
  std::vector<std::string> seen;

 private:
  void sends(const Message&, SendCall) override { note("sends"); }
  void sets_out(Message&) override { note("sets out"); }
  void receives(Process&, const MatchKey&, const Buffer&, const Completion&) override {
    note("receives");
  }
  void probed(const Message&) override { note("probed"); }
  void meets(Message&, const Buffer&, const Completion&) override { note("meets"); }
  void writes(Process&, const Message&) override { note("writes"); }
  void wrote(Process&, const Message&) override { note("wrote"); }
  void arrived(Message&) override { note("arrived"); }
  void delivered(const Message&) override { note("delivered"); }
  void sees_end(Process& process, const Completion&) override {
    note("rank " + std::to_string(process.id()) + " sees the end");
  }
  void note(const std::string& what) { seen.push_back(name_ + what); }
  std::string name_;
};

TEST(MessageObservers, AreToldInTheOrderInWhichTheyCame) {
  MessageObservers observers;
  EXPECT_TRUE(observers.empty());
  std::vector<const MessageObserver*> told;
  observers.tell([&](MessageObserver& one) { told.push_back(&one); });
  EXPECT_TRUE(told.empty());
  Witness first;
  Witness second;
  observers.add(first);
  observers.add(second);
  EXPECT_FALSE(observers.empty());
  observers.tell([&](MessageObserver& one) { told.push_back(&one); });
  EXPECT_THAT(told, ElementsAre(&first, &second));
}

TEST(MessageObservers, FollowAMessageThatIsExpected) {
  // The receive is there 10 us before the message is sent, which is eager: it meets its receive at
  // once, and the data is copied then; all of it is there 2 us later.
  Witness witness;
  Bed bed(2);
  bed.world().find_part<Engine>()->observers().add(witness);
  bed.run([](int rank) {
    if (rank == 1) {
      EXPECT_EQ(receive(0, 5), 42);
      return;
    }
    sleep_us(10);
    send(42, 1, 5);
  });
  EXPECT_THAT(witness.seen, ElementsAre("receives", "sends", "sets out", "meets", "writes", "wrote",
                                        "rank 0 sees the end", "delivered", "rank 1 sees the end"));
}

TEST(MessageObservers, FollowAMessageThatIsNot) {
  // All of the message is there before anybody asks for it: a probe finds it, then the receive.
  Witness witness;
  Bed bed(2);
  bed.world().find_part<Engine>()->observers().add(witness);
  bed.run([](int rank) {
    if (rank == 0) return send(42, 1, 5);
    sleep_us(10);
    EXPECT_EQ(receive(MPI_ANY_SOURCE, 5), 42);
  });
  EXPECT_THAT(witness.seen, ElementsAre("sends", "sets out", "rank 0 sees the end", "arrived",
                                        "receives", "probed", "meets", "writes", "wrote",
                                        "delivered", "rank 1 sees the end"));
}

}  // namespace
}  // namespace heddle::mpi
