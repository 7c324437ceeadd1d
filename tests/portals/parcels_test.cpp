#include "portals/parcels.hpp"

#include "support.hpp"

namespace heddle::portals {
namespace {

/// Notes what it is told.
class Log final : public Courier {
 public:
  void matched(std::uint64_t cookie) override { note("matched", cookie); }
  void arrived(std::uint64_t cookie) override { note("arrived", cookie); }
  void fetched(std::uint64_t cookie) override { note("fetched", cookie); }
  void lost(std::uint64_t cookie) override { note("lost", cookie); }
  void accepted(std::uint64_t cookie) override { note("accepted", cookie); }
  void sent(std::uint64_t cookie) override { note("sent", cookie); }
  void completed(std::uint64_t cookie) override { note("completed", cookie); }
  void initiator_counted(std::uint32_t rank) override { note("initiator", rank); }
  void target_counted(std::uint32_t rank) override { note("target", rank); }

  std::vector<std::string> calls;

 private:
  void note(const std::string& what, std::uint64_t which) {
    calls.push_back(what + " " + std::to_string(which));
  }
};

/// What couriers hear of parcels from rank 0 to rank 1.
std::vector<std::string> told_of(const std::vector<Parcel>& parcels,
                                 const nic::Faults& faults = {}) {
  Bed bed(2, {"nic.e2e_timeout=10us", "nic.e2e_retries=1"}, 1, faults);
  Log log;
  bed.run([&](std::uint32_t rank) {
    if (rank == 0) {
      for (const Parcel& parcel : parcels) bed.machine().send(parcel, log);
    }
    pause();
  });
  EXPECT_EQ(bed.machine().commands().in_use(), 0U);
  return log.calls;
}

Parcel parcel_of(nic::Operation operation, std::uint64_t cookie) {
  Parcel parcel;
  parcel.operation = operation;
  parcel.target = 1;
  parcel.size = Bytes(8);
  parcel.cookie = cookie;
  return parcel;
}

/// By events: the target of a put hears of it when it is matched and when its event is there, the
/// initiator of a get when that has come back. The second put goes behind the first.
TEST(Parcels, AreToldByEvents) {
  EXPECT_THAT(told_of({parcel_of(nic::Operation::put, 5), parcel_of(nic::Operation::put, 6)}),
              ElementsAre("matched 5", "arrived 5", "matched 6", "arrived 6"));
  EXPECT_THAT(told_of({parcel_of(nic::Operation::get, 7)}), ElementsAre("fetched 7"));
}

/// By counters: 8 B are sent 0.2 us after they have left, and the initiator's counter says so long
/// before the target's says that they are there (1.26 us); then the acknowledgement is counted.
TEST(Parcels, AreToldByCounters) {
  Parcel parcel = parcel_of(nic::Operation::put, 5);
  parcel.told = Told::by_counters;
  parcel.wants_sent = parcel.acknowledged = true;
  EXPECT_THAT(told_of({parcel}), ElementsAre("accepted 5", "sent 5", "initiator 0", "matched 5",
                                             "target 1", "completed 5", "initiator 0"));
}

/// What cannot be delivered is lost, and nothing else is heard of it.
TEST(Parcels, AreLostWhenTheAdapterGivesUp) {
  nic::Faults faults;
  faults.drop = 1;
  EXPECT_THAT(told_of({parcel_of(nic::Operation::put, 5)}, faults), ElementsAre("lost 5"));
}

}  // namespace
}  // namespace heddle::portals
