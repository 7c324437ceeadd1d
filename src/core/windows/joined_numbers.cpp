#include "core/windows/joined_numbers.hpp"

namespace heddle {

void JoinedNumbers::number_all(const Logs& logs) {
  const Numbering numbering(logs);
  Member& mine = members_.front();
  number_share(numbering, mine, 0, 1);
  for (std::size_t part = 0; part < members_.size(); ++part) {
    members_[part].numbers.clear();
    members_[part].numbers.add(mine.share[part]);
    members_[part].numbers.close();
  }
  mine.caused = numbering.caused();
}

void JoinedNumbers::number_share(const Numbering& numbering, Member& member, std::size_t share,
                                 std::size_t shares) const {
  const Numbering::Place from = numbering.cut(share, shares);
  member.share.resize(members_.size());
  for (std::vector<Numbered>& stretches : member.share) stretches.clear();
  numbering.number(from, numbering.cut(share + 1, shares), first_ + numbering.caused_before(from),
                   member.share);
}

}  // namespace heddle
