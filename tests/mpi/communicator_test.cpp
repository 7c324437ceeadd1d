#include "mpi/support.hpp"

namespace heddle::mpi {
namespace {

using testing::HasSubstr;

int rank_in(MPI_Comm comm) {
  int rank = -1;
  EXPECT_MPI(PMPI_Comm_rank(comm, &rank));
  return rank;
}
int size_of(MPI_Comm comm) {
  int size = -1;
  EXPECT_MPI(PMPI_Comm_size(comm, &size));
  return size;
}

TEST(Communicator, SplitOrdersByKey) {
  // Odd and even ranks of 7, in the reverse of their order.
  Bed(7).run([](int rank) {
    MPI_Comm half;
    EXPECT_MPI(PMPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half));
    EXPECT_EQ(size_of(half), rank % 2 == 0 ? 4 : 3);
    EXPECT_EQ(rank_in(half), (rank % 2 == 0 ? 6 - rank : 5 - rank) / 2);
    // The same tag on both communicators: messages do not mix.
    const int to = (rank_in(half) + 1) % size_of(half);
    const int from = (rank_in(half) + size_of(half) - 1) % size_of(half);
    send(rank % 2, to, 0, half);
    EXPECT_EQ(receive(from, 0, half), rank % 2);
    EXPECT_MPI(PMPI_Comm_free(&half));
    EXPECT_EQ(half, MPI_COMM_NULL);
  });
}

TEST(Communicator, SplitLeavesTheUndefinedOut) {
  Bed(3).run([](int rank) {
    MPI_Comm comm;
    EXPECT_MPI(PMPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, 0, &comm));
    EXPECT_EQ(comm == MPI_COMM_NULL, rank == 1);
    if (rank != 1) {
      EXPECT_EQ(size_of(comm), 2);
    }
  });
}

TEST(Communicator, SplitTypeKnowsNodes) {
  // Two ranks on each node.
  Bed(5, {}, 2).run([](int rank) {
    MPI_Comm node;
    EXPECT_MPI(PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    EXPECT_EQ(size_of(node), rank == 4 ? 1 : 2);
    EXPECT_EQ(rank_in(node), rank % 2);
  });
}

TEST(Communicator, DuplicatesAreCongruentAndCarryAttributes) {
  Bed(4).run([](int rank) {
    int key = 0;
    int deleted = 0;
    int value = 10 + rank;
    EXPECT_MPI(PMPI_Comm_create_keyval(
        MPI_COMM_DUP_FN,
        [](MPI_Comm, int, void*, void* extra) {
          ++*static_cast<int*>(extra);
          return MPI_SUCCESS;
        },
        &key, &deleted));
    EXPECT_MPI(PMPI_Comm_set_attr(MPI_COMM_WORLD, key, &value));
    MPI_Comm copies[2];
    MPI_Request request;
    EXPECT_MPI(PMPI_Comm_dup(MPI_COMM_WORLD, &copies[0]));
    EXPECT_MPI(PMPI_Comm_idup(MPI_COMM_WORLD, &copies[1], &request));
    EXPECT_MPI(PMPI_Wait(&request, MPI_STATUS_IGNORE));
    for (MPI_Comm& copy : copies) {
      int result = -1;
      EXPECT_MPI(PMPI_Comm_compare(MPI_COMM_WORLD, copy, &result));
      EXPECT_EQ(result, MPI_CONGRUENT);
      void* got = nullptr;
      int flag = 0;
      EXPECT_MPI(PMPI_Comm_get_attr(copy, key, static_cast<void*>(&got), &flag));
      EXPECT_EQ(flag, 1);
      EXPECT_EQ(got, &value);
      EXPECT_MPI(PMPI_Comm_free(&copy));
    }
    EXPECT_EQ(deleted, 2);
    EXPECT_MPI(PMPI_Comm_delete_attr(MPI_COMM_WORLD, key));
    EXPECT_EQ(deleted, 3);
    EXPECT_MPI(PMPI_Comm_free_keyval(&key));
    EXPECT_EQ(key, MPI_KEYVAL_INVALID);
  });
}

TEST(Communicator, PredefinedAttributes) {
  Bed(3).run([](int) {
    int* value = nullptr;
    int flag = 0;
    EXPECT_MPI(PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &flag));
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(*value, 0x7fffffff);
    EXPECT_MPI(
        PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, static_cast<void*>(&value), &flag));
    EXPECT_EQ(*value, 3);
  });
}

TEST(Communicator, CreateOfAGroup) {
  Bed(5).run([](int rank) {
    MPI_Group world;
    MPI_Group some;
    const int ranks[] = {4, 1, 2};
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    EXPECT_MPI(PMPI_Group_incl(world, 3, ranks, &some));
    MPI_Comm made;
    EXPECT_MPI(PMPI_Comm_create(MPI_COMM_WORLD, some, &made));
    const bool member = rank == 4 || rank == 1 || rank == 2;
    EXPECT_EQ(made != MPI_COMM_NULL, member);
    if (member) {
      EXPECT_EQ(rank_in(made), rank == 4 ? 0 : rank);
      // Only the members call this one.
      MPI_Comm again;
      EXPECT_MPI(PMPI_Comm_create_group(MPI_COMM_WORLD, some, 3, &again));
      EXPECT_EQ(size_of(again), 3);
    }
    EXPECT_MPI(PMPI_Group_free(&some));
    EXPECT_MPI(PMPI_Group_free(&world));
  });
}

TEST(Communicator, IntercommunicatorsCreateSendMergeAndSplit) {
  // Ranks 0 to 2 on one side, 3 to 6 on the other; leaders 0 and 6.
  Bed(7).run([](int rank) {
    const bool low = rank < 3;
    MPI_Comm local;
    PMPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, rank, &local);
    MPI_Comm inter;
    EXPECT_MPI(PMPI_Intercomm_create(local, low ? 0 : 3, MPI_COMM_WORLD, low ? 6 : 0, 12, &inter));
    int remote = 0;
    EXPECT_MPI(PMPI_Comm_remote_size(inter, &remote));
    EXPECT_EQ(remote, low ? 4 : 3);
    // Each of the low side sends to the same rank of the other.
    if (low) send(rank, rank, 1, inter);
    if (!low && rank_in(inter) < 3) {
      EXPECT_EQ(receive(rank_in(inter), 1, inter), rank - 3);
    }
    MPI_Comm all;
    EXPECT_MPI(PMPI_Intercomm_merge(inter, low ? 1 : 0, &all));
    // The high side comes last.
    EXPECT_EQ(rank_in(all), low ? 4 + rank : rank - 3);
    MPI_Comm part;
    EXPECT_MPI(PMPI_Comm_split(inter, rank_in(inter) % 2, 0, &part));
    EXPECT_MPI(PMPI_Comm_remote_size(part, &remote));
    EXPECT_EQ(remote, low ? 2 : rank_in(inter) % 2 == 0 ? 2 : 1);
    MPI_Comm copy;
    EXPECT_MPI(PMPI_Comm_dup(inter, &copy));
    int result = 0;
    EXPECT_MPI(PMPI_Comm_compare(inter, copy, &result));
    EXPECT_EQ(result, MPI_CONGRUENT);
  });
}

TEST(Group, SetOperations) {
  Bed(6).run([](int) {
    MPI_Group world;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    int ranges[][3] = {{0, 4, 2}};
    int backward[][3] = {{3, 1, -1}};
    MPI_Group even;
    MPI_Group middle;
    EXPECT_MPI(PMPI_Group_range_incl(world, 1, ranges, &even));      // 0 2 4
    EXPECT_MPI(PMPI_Group_range_incl(world, 1, backward, &middle));  // 3 2 1
    const auto members = [&](MPI_Group group) {
      int size = 0;
      PMPI_Group_size(group, &size);
      std::vector<int> own(static_cast<std::size_t>(size));
      std::vector<int> found(own.size());
      for (int i = 0; i < size; ++i) own[static_cast<std::size_t>(i)] = i;
      PMPI_Group_translate_ranks(group, size, own.data(), world, found.data());
      return found;
    };
    MPI_Group made;
    EXPECT_MPI(PMPI_Group_union(even, middle, &made));
    EXPECT_THAT(members(made), testing::ElementsAre(0, 2, 4, 3, 1));
    EXPECT_MPI(PMPI_Group_intersection(middle, even, &made));
    EXPECT_THAT(members(made), testing::ElementsAre(2));
    EXPECT_MPI(PMPI_Group_difference(middle, even, &made));
    EXPECT_THAT(members(made), testing::ElementsAre(3, 1));
    EXPECT_MPI(PMPI_Group_range_excl(world, 1, ranges, &made));
    EXPECT_THAT(members(made), testing::ElementsAre(1, 3, 5));
    int result = 0;
    EXPECT_MPI(PMPI_Group_difference(even, world, &made));
    EXPECT_MPI(PMPI_Group_compare(made, MPI_GROUP_EMPTY, &result));
    EXPECT_EQ(result, MPI_IDENT);
  });
}

TEST(Info, KeysKeepTheirOrder) {
  Bed(1).run([](int) {
    MPI_Info info;
    PMPI_Info_create(&info);
    PMPI_Info_set(info, "b", " two ");
    PMPI_Info_set(info, "a", "one");
    char text[MPI_MAX_INFO_VAL + 1];
    int flag = 0;
    EXPECT_MPI(PMPI_Info_get(info, "b", 2, text, &flag));
    EXPECT_STREQ(text, "tw");
    EXPECT_MPI(PMPI_Info_get_nthkey(info, 1, text));
    EXPECT_STREQ(text, "a");
    int length = 4;
    EXPECT_MPI(PMPI_Info_get_string(info, "b", &length, text, &flag));
    EXPECT_STREQ(text, "two");
    EXPECT_EQ(length, 4);
    PMPI_Info_get(info, "c", 2, text, &flag);
    EXPECT_EQ(flag, 0);
    EXPECT_MPI(PMPI_Info_free(&info));
  });
}

int handled = 0;
void note_error(MPI_Comm*, int* code, ...) {
  handled = *code;
}

TEST(ErrorHandler, ReturnsCallsOrEnds) {
  handled = 0;
  Bed(1).run([](int) {
    int value = 0;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    EXPECT_EQ(PMPI_Send(&value, 1, MPI_INT, 5, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    MPI_Errhandler handler;
    PMPI_Comm_create_errhandler(note_error, &handler);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    EXPECT_EQ(PMPI_Send(&value, 1, MPI_INT, 0, -3, MPI_COMM_WORLD), MPI_ERR_TAG);
    PMPI_Errhandler_free(&handler);
    int error_class = 0;
    int code = 0;
    PMPI_Add_error_class(&error_class);
    PMPI_Add_error_code(error_class, &code);
    PMPI_Add_error_string(code, "too bad");
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    PMPI_Error_string(code, text, &length);
    EXPECT_STREQ(text, "too bad");
    int found = 0;
    PMPI_Error_class(code, &found);
    EXPECT_EQ(found, error_class);
  });
  EXPECT_EQ(handled, MPI_ERR_TAG);
}

TEST(Environment, AbortEndsWithTheStatusOfTheProgram) {
  Bed bed(2);
  try {
    bed.run([](int rank) {
      if (rank == 1) PMPI_Abort(MPI_COMM_WORLD, 5);
      receive(1, 0);
    });
    FAIL() << "the run goes on";
  } catch (const host::AbortError& error) {
    EXPECT_EQ(error.status(), 5);
    EXPECT_THAT(error.what(), HasSubstr("MPI_Abort(5)"));
  }
}

}  // namespace
}  // namespace heddle::mpi
