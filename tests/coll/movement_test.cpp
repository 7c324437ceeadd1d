// Every algorithm that only moves data, against what the standard says arrives where.
#include "collective_cases.hpp"

namespace heddle::coll {
namespace {

std::vector<Array> arrays(const Case& c, std::int64_t count) {
  return std::vector<Array>(static_cast<std::size_t>(c.ranks), Array(count, *c.type));
}
/// A barrier is right when no rank leaves before all have entered: with one rank that never enters,
/// no other rank may get through.
TEST(CollMovement, NobodyLeavesABarrierBeforeAllHaveEntered) {
  for (const auto& algorithm : barrier_algorithms()) {
    for (int ranks = 1; ranks <= 33; ++ranks) {
      const Places places = places_of(ranks, 3);
      for (int missing = -1; missing < ranks; ++missing) {
        std::vector<Schedule> schedules(at(ranks));
        for (int r = 0; r < ranks; ++r) {
          Recorder recorder(schedules[at(r)], r, ranks, places);
          // The missing rank waits for a message that nobody sends.
          if (r == missing) recorder.receive_now({nullptr, 0, &byte_type()}, r);
          run(recorder, fitting(barrier_algorithms(), algorithm, recorder, Barrier{}), Barrier{},
              {});
          recorder.wait();
          if (missing >= 0 && r != missing) recorder.receive_now({nullptr, 0, &byte_type()}, r);
        }
        InMemory memory(schedules, nullptr, Sending::eager);
        if (missing < 0) {
          ASSERT_NO_THROW(memory.run()) << algorithm.name << " " << ranks;
        } else {
          ASSERT_THROW(memory.run(), std::runtime_error);
          for (int r = 0; r < ranks; ++r) {
            if (r != missing) {
              ASSERT_FALSE(memory.reached_last(r)) << algorithm.name << " " << ranks << " " << r;
            }
          }
        }
      }
    }
  }
}

TEST(CollMovement, BroadcastGivesEveryRankWhatTheRootHas) {
  for (const auto& algorithm : bcast_algorithms()) {
    for_cases(datatype_classes(), 257, [&](const Case& c) {
      if (::testing::Test::HasFatalFailure()) return;
      std::vector<Array> data = arrays(c, c.count);
      const Bytes8 expected = pattern(data[0].size(), c.root);
      data[at(c.root)].set(expected);
      const auto work = [&](int r) { return Bcast{data[at(r)].buffer(), c.root}; };
      ASSERT_RIGHT(attempt<Bcast>(bcast_algorithms(), algorithm, c, work), algorithm, c);
      for (int r = 0; r < c.ranks; ++r) {
        ASSERT_EQ(data[at(r)].get(), expected)
            << algorithm.name << " on " << c.text() << " at " << r;
        ASSERT_TRUE(data[at(r)].gaps_untouched());
      }
    });
  }
}

/// Ranks may describe the same data by different types: one takes integers, one pairs of them.
TEST(CollMovement, BroadcastBetweenDifferentTypesOfTheSameSignature) {
  const DatatypeRef pair = make_vector(Form::plain, 2, 1, 3, int_type());
  for (const auto& algorithm : bcast_algorithms()) {
    Case c{7, &int_type(), 40};
    c.tuning.segment = 12;
    std::vector<Array> data;
    for (int r = 0; r < c.ranks; ++r) {
      data.emplace_back(r % 2 == 0 ? 40 : 20, r % 2 == 0 ? int_type() : *pair);
    }
    data[0].set(pattern(160, 1));
    const auto work = [&](int r) { return Bcast{data[at(r)].buffer(), 0}; };
    ASSERT_RIGHT(attempt<Bcast>(bcast_algorithms(), algorithm, c, work), algorithm, c);
    for (Array& array : data) ASSERT_EQ(array.get(), pattern(160, 1)) << algorithm.name;
  }
}

TEST(CollMovement, GatherBringsEveryBlockToTheRoot) {
  for (const auto& algorithm : gather_algorithms()) {
    for_cases(datatype_classes(), 257, [&](const Case& c) {
      if (::testing::Test::HasFatalFailure()) return;
      std::vector<Array> own = arrays(c, c.count);
      Array all(c.count * c.ranks, *c.type);
      Bytes8 expected;
      const std::size_t block = own[0].size();
      for (int r = 0; r < c.ranks; ++r) {
        own[at(r)].set(pattern(block, r));
        const Bytes8 part = pattern(block, r);
        expected.insert(expected.end(), part.begin(), part.end());
      }
      const Blocks blocks = Blocks::equal(all.address(), c.count, *c.type);
      if (c.in_place) {
        PlainMemory memory;
        move(memory, blocks[c.root], memory, own[at(c.root)].buffer());
      }
      const auto work = [&](int r) {
        const bool root = r == c.root;
        return Gather{root && c.in_place ? Buffer{} : own[at(r)].buffer(), root ? blocks : Blocks{},
                      c.root};
      };
      ASSERT_RIGHT(attempt<Gather>(gather_algorithms(), algorithm, c, work), algorithm, c);
      ASSERT_EQ(all.get(), expected) << algorithm.name << " on " << c.text();
      ASSERT_TRUE(all.gaps_untouched());
    });
  }
}

TEST(CollMovement, ScatterGivesEveryRankItsBlock) {
  for (const auto& algorithm : scatter_algorithms()) {
    for_cases(datatype_classes(), 257, [&](const Case& c) {
      if (::testing::Test::HasFatalFailure()) return;
      std::vector<Array> own = arrays(c, c.count);
      Array all(c.count * c.ranks, *c.type);
      all.set(pattern(all.size(), 5));
      const Blocks blocks = Blocks::equal(all.address(), c.count, *c.type);
      const auto work = [&](int r) {
        const bool root = r == c.root;
        return Scatter{root ? blocks : Blocks{},
                       root && c.in_place ? Buffer{} : own[at(r)].buffer(), c.root};
      };
      ASSERT_RIGHT(attempt<Scatter>(scatter_algorithms(), algorithm, c, work), algorithm, c);
      const Bytes8 sent = pattern(all.size(), 5);
      ASSERT_EQ(all.get(), sent);
      const std::size_t block = own[0].size();
      for (int r = 0; r < c.ranks; ++r) {
        if (r == c.root && c.in_place) continue;
        const Bytes8 expected(sent.begin() + static_cast<std::ptrdiff_t>(at(r) * block),
                              sent.begin() + static_cast<std::ptrdiff_t>(at(r + 1) * block));
        ASSERT_EQ(own[at(r)].get(), expected)
            << algorithm.name << " on " << c.text() << " at " << r;
        ASSERT_TRUE(own[at(r)].gaps_untouched());
      }
    });
  }
}

/// Counts and places of blocks that differ: rank i has i % 4 * count elements, and between blocks
/// lies a free one.
struct Uneven {
  explicit Uneven(const Case& c) {
    for (int r = 0; r < c.ranks; ++r) {
      counts.push_back(static_cast<int>((r + 1) % 4 * c.count));
      displacements.push_back(total);
      total += counts.back() + 1;
    }
    // The last shall be first.
    std::reverse(counts.begin(), counts.end());
    total = 0;
    for (int r = c.ranks - 1; r >= 0; --r) {
      displacements[at(r)] = total;
      total += counts[at(r)] + 1;
    }
  }
  Blocks blocks(Array& array, const Datatype& type) const {
    return Blocks::scattered(array.address(), PerRank(counts.data()), PerRank(displacements.data()),
                             type);
  }
  std::vector<int> counts;
  std::vector<int> displacements;
  int total = 0;
};

Bytes8 bytes_of(const Buffer& buffer) {
  Bytes8 packed(static_cast<std::size_t>(bytes(buffer)));
  pack(PlainMemory(), buffer, reinterpret_cast<std::byte*>(packed.data()));
  return packed;
}
void fill(const Buffer& buffer, const Bytes8& packed) {
  PlainMemory memory;
  unpack(memory, buffer, reinterpret_cast<const std::byte*>(packed.data()),
         static_cast<std::int64_t>(packed.size()));
}

TEST(CollMovement, AllgatherGivesEveryRankEveryBlock) {
  for (const auto& algorithm : allgather_algorithms()) {
    for_cases(datatype_classes(), 131, [&](const Case& c) {
      if (::testing::Test::HasFatalFailure()) return;
      // In place stands for blocks of different lengths here.
      const Uneven uneven(c);
      std::vector<Array> all = arrays(c, c.in_place ? uneven.total : c.count * c.ranks);
      const auto blocks = [&](int r) {
        return c.in_place ? uneven.blocks(all[at(r)], *c.type)
                          : Blocks::equal(all[at(r)].address(), c.count, *c.type);
      };
      for (int r = 0; r < c.ranks; ++r) {
        const Buffer own = blocks(r)[r];
        fill(own, pattern(static_cast<std::size_t>(bytes(own)), r));
      }
      const auto work = [&](int r) { return Allgather{blocks(r)}; };
      ASSERT_RIGHT(attempt<Allgather>(allgather_algorithms(), algorithm, c, work), algorithm, c);
      for (int r = 0; r < c.ranks; ++r) {
        for (int k = 0; k < c.ranks; ++k) {
          const Buffer block = blocks(r)[k];
          ASSERT_EQ(bytes_of(block), pattern(static_cast<std::size_t>(bytes(block)), k))
              << algorithm.name << " on " << c.text() << ": block " << k << " at " << r;
        }
      }
    });
  }
}

TEST(CollMovement, AlltoallTakesEveryBlockWhereItBelongs) {
  for (const auto& algorithm : alltoall_algorithms()) {
    for_cases(datatype_classes(), 67, [&](const Case& c) {
      if (::testing::Test::HasFatalFailure()) return;
      std::vector<Array> out = arrays(c, c.count * c.ranks);
      std::vector<Array> in = arrays(c, c.count * c.ranks);
      for (int r = 0; r < c.ranks; ++r) {
        const Blocks blocks = Blocks::equal(out[at(r)].address(), c.count, *c.type);
        for (int k = 0; k < c.ranks; ++k) {
          fill(blocks[k], pattern(static_cast<std::size_t>(bytes(blocks[k])), r, k));
        }
      }
      const auto work = [&](int r) {
        return Alltoall{Blocks::equal(out[at(r)].address(), c.count, *c.type),
                        Blocks::equal(in[at(r)].address(), c.count, *c.type)};
      };
      ASSERT_RIGHT(attempt<Alltoall>(alltoall_algorithms(), algorithm, c, work), algorithm, c);
      for (int r = 0; r < c.ranks; ++r) {
        const Blocks blocks = Blocks::equal(in[at(r)].address(), c.count, *c.type);
        for (int k = 0; k < c.ranks; ++k) {
          ASSERT_EQ(bytes_of(blocks[k]), pattern(static_cast<std::size_t>(bytes(blocks[k])), k, r))
              << algorithm.name << " on " << c.text();
        }
      }
    });
  }
}

/// Rank r has (r + k) % 3 * count elements for rank k, of the type of the case if r + k is even and
/// of integers if not.
TEST(CollMovement, AlltoallOfBlocksOfDifferentLengthsAndTypes) {
  for (const auto& algorithm : alltoallv_algorithms()) {
    for_cases({datatype_classes()[0], datatype_classes()[2]}, 67, [&](const Case& c) {
      if (::testing::Test::HasFatalFailure()) return;
      struct Side {
        std::vector<int> counts;
        std::vector<int> displacements;
        std::vector<const Datatype*> types;
        Bytes8 memory;
      };
      const auto side = [&](int r) {
        Side one;
        int used = 0;
        for (int k = 0; k < c.ranks; ++k) {
          one.types.push_back((r + k) % 2 == 0 ? c.type : &int_type());
          one.counts.push_back(static_cast<int>((r + k) % 3 * c.count));
          one.displacements.push_back(used);
          used += static_cast<int>(one.counts.back() * one.types.back()->extent());
        }
        one.memory.resize(static_cast<std::size_t>(used) + 64);
        return one;
      };
      std::vector<Side> out;
      std::vector<Side> in;
      const auto blocks = [&](Side& one) {
        return Blocks::mixed(one.memory.data(), PerRank(one.counts.data()),
                             PerRank(one.displacements.data()), one.types.data());
      };
      for (int r = 0; r < c.ranks; ++r) {
        out.push_back(side(r));
        in.push_back(side(r));
        for (int k = 0; k < c.ranks; ++k) {
          const Buffer block = blocks(out[at(r)])[k];
          fill(block, pattern(static_cast<std::size_t>(bytes(block)), r, k));
        }
      }
      const auto work = [&](int r) { return Alltoall{blocks(out[at(r)]), blocks(in[at(r)])}; };
      ASSERT_RIGHT(attempt<Alltoall>(alltoallv_algorithms(), algorithm, c, work), algorithm, c);
      for (int r = 0; r < c.ranks; ++r) {
        for (int k = 0; k < c.ranks; ++k) {
          const Buffer block = blocks(in[at(r)])[k];
          ASSERT_EQ(bytes_of(block), pattern(static_cast<std::size_t>(bytes(block)), k, r))
              << algorithm.name << " on " << c.text();
        }
      }
    });
  }
}

/// On a ring, rank r's neighbours are r - 1 and r + 1; on one of two ranks or one both are the
/// same.
TEST(CollMovement, WhatGoesUpArrivesFromBelow) {
  for (const auto& algorithm : neighbour_algorithms()) {
    for (int ranks = 1; ranks <= 5; ++ranks) {
      std::vector<std::vector<int>> out(at(ranks));
      std::vector<std::vector<int>> in(at(ranks), {-1, -1});
      std::vector<std::vector<int>> neighbours(at(ranks));
      for (int r = 0; r < ranks; ++r) {
        out[at(r)] = {10 * r, 10 * r + 1};
        neighbours[at(r)] = {(r + ranks - 1) % ranks, (r + 1) % ranks};
      }
      Case c{ranks, &int_type(), 1};
      c.sending = Sending::late;
      const auto work = [&](int r) {
        return Neighbours{neighbours[at(r)], neighbours[at(r)],
                          Blocks::equal(out[at(r)].data(), 1, int_type()),
                          Blocks::equal(in[at(r)].data(), 1, int_type()), true};
      };
      ASSERT_RIGHT(attempt<Neighbours>(neighbour_algorithms(), algorithm, c, work), algorithm, c);
      for (int r = 0; r < ranks; ++r) {
        EXPECT_EQ(in[at(r)][0], 10 * neighbours[at(r)][0] + 1) << "from below, sent upwards";
        EXPECT_EQ(in[at(r)][1], 10 * neighbours[at(r)][1]) << "from above, sent downwards";
      }
    }
  }
}

}  // namespace
}  // namespace heddle::coll
