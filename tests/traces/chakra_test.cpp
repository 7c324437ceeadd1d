// Chakra execution traces: bytes as the schema has them, and the schedules they become.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

#include "convert_support.hpp"
#include "error_of.hpp"
#include "goal/check.hpp"
#include "goal/schedule_builder.hpp"
#include "temporary_folder.hpp"
#include "traces/chakra_writer.hpp"
#include "traces/readers/chakra_trace.hpp"
#include "traces/readers/trace_reader.hpp"
#include "traces/readers/wire_fields.hpp"

namespace heddle::traces {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// A writer of the wire format.
std::string varint_of(std::uint64_t n) {
  std::string out;
  for (; n >= 0x80; n >>= 7) out += static_cast<char>(n | 0x80);
  return out + static_cast<char>(n);
}
std::string number_field(int number, std::uint64_t value) {
  return varint_of(static_cast<std::uint64_t>(number) << 3) + varint_of(value);
}
std::string bytes_field(int number, const std::string& bytes) {
  return varint_of(static_cast<std::uint64_t>(number) << 3 | 2) + varint_of(bytes.size()) + bytes;
}
std::string behind_length(const std::string& message) {
  return varint_of(message.size()) + message;
}

struct ChakraAttr {
  std::string name;
  int kind;  ///< The field of the schema that has the value.
  std::uint64_t value;
};
struct ChakraMessage {
  std::uint64_t id;
  int type;
  std::vector<std::uint64_t> after;
  std::uint64_t micros;
  std::vector<ChakraAttr> attributes;
};

std::string chakra_node(const ChakraMessage& node) {
  std::string packed;
  for (const std::uint64_t id : node.after) packed += varint_of(id);
  std::string text;
  if (node.id != 0) text += number_field(1, node.id);  // Zeros are left out.
  text += bytes_field(2, "n" + std::to_string(node.id)) +
          number_field(3, static_cast<std::uint64_t>(node.type));
  if (!packed.empty()) text += bytes_field(5, packed);
  if (node.micros != 0) text += number_field(7, node.micros);
  for (const ChakraAttr& attribute : node.attributes) {
    text += bytes_field(
        10, bytes_field(1, attribute.name) + number_field(attribute.kind, attribute.value));
  }
  return behind_length(text);
}

std::string chakra_file(const std::vector<ChakraMessage>& nodes) {
  std::string text = behind_length(bytes_field(1, "0.0.4"));
  for (const ChakraMessage& node : nodes) text += chakra_node(node);
  return text;
}

constexpr int kComp = 4;
constexpr int kSend = 5;
constexpr int kRecv = 6;
constexpr int kColl = 7;
constexpr int kInt64 = 9;
constexpr int kUint32 = 11;
constexpr int kBool = 27;

class ChakraFiles : public testing::Test {
 protected:
  std::string write(int rank, const std::string& bytes) const {
    const std::string path = folder_ / ("t." + std::to_string(rank) + ".et");
    std::ofstream(path) << bytes;
    return path;
  }
  static Conversion converted(const std::string& path) {
    return convert_files(path, {}, convert_table().defaults());
  }

 private:
  TemporaryFolder folder_;
};

// The published example: one node, an all-gather of 1 MiB of 8 GPUs: comm_type 2, comm_size
// 1048576, is_cpu_op false. Every GPU sends 1 MiB to the next, seven times.
TEST_F(ChakraFiles, AnAllGather) {
  std::string first;
  for (int r = 0; r < 8; ++r) {
    const std::string path = write(r, chakra_file({{0,
                                                    kColl,
                                                    {},
                                                    0,
                                                    {{"is_cpu_op", kBool, 0},
                                                     {"comm_type", kInt64, 2},
                                                     {"comm_size", kInt64, 1048576}}}}));
    if (r == 0) first = path;
  }
  const Conversion conversion = converted(first);
  ASSERT_EQ(conversion.schedule.ranks(), 8U);
  EXPECT_EQ(messages(conversion.schedule, 3).size(), 14U);
  EXPECT_THAT(messages(conversion.schedule, 3), testing::Each(HasSubstr("1048576")));
  EXPECT_THAT(goal::check(conversion.schedule), testing::IsEmpty());
  EXPECT_EQ(conversion.report.collectives, 8U);
}

// Nodes that stand in order are written as they are read, others when all are known: what becomes
// of them is the same, however they stand, with gaps between their ids and dependencies on nodes
// that come later or never.
TEST_F(ChakraFiles, TheOrderInTheFileDoesNotMatter) {
  std::vector<ChakraMessage> nodes;
  for (std::uint64_t i = 0; i < 60; ++i) {
    std::vector<std::uint64_t> after;
    if (i > 0) after.push_back(3 * (i - 1) + 1);
    if (i > 8) after.push_back(3 * (i - 7) + 1);
    if (i == 40) after.push_back(3 * 50 + 1);  // Which waits for this one no longer.
    if (i == 50) after = {1, 5000};
    nodes.push_back({3 * i + 1, kComp, after, 100 + i, {}});
  }
  const auto written = [&] {
    const Conversion conversion = converted(write(0, chakra_file(nodes)));
    EXPECT_EQ(conversion.report.warnings.size(), 1U);  // Of node 5000.
    return ops(conversion.schedule, 0);
  };
  const auto in_order = written();
  EXPECT_EQ(in_order.size(), 60U);
  std::reverse(nodes.begin(), nodes.end());
  EXPECT_EQ(written(), in_order);
  std::rotate(nodes.begin(), nodes.begin() + 17, nodes.end());
  EXPECT_EQ(written(), in_order);
}

// A computation of 5 us, then a message, which is received before another computation of 7 us; all
// integer kinds are accepted, and nodes may stand before those they depend on.
TEST_F(ChakraFiles, MessagesAndOrder) {
  const std::string first = write(
      0,
      chakra_file({{2,
                    kSend,
                    {1},
                    0,
                    {{"comm_dst", kUint32, 1}, {"comm_tag", kUint32, 3}, {"comm_size", 13, 4096}}},
                   {1, kComp, {}, 5, {}}}));
  write(1, chakra_file({{1,
                         kRecv,
                         {},
                         0,
                         {{"comm_src", 7, 0}, {"comm_tag", 15, 6}, {"comm_size", kInt64, 4096}}},
                        {2, kComp, {1}, 7, {}}}));
  const Conversion conversion = converted(first);
  EXPECT_THAT(ops(conversion.schedule, 0), ElementsAre("calc 5000", "send 4096 to 1 tag 3"));
  EXPECT_THAT(ops(conversion.schedule, 1), ElementsAre("recv 4096 from 0 tag 3", "calc 7000"));
  EXPECT_EQ(conversion.schedule.edges(), 2U);
}

// Without a duration, a computation takes what its operations take at 1 Gflop/s, 4 us for 4000, or
// what its bytes take at 1 GB/s, 6 us for 6000, if that is longer and a bandwidth is given.
TEST_F(ChakraFiles, ComputationByOperationsAndBytes) {
  const std::string first = write(
      0, chakra_file({{1, kComp, {}, 0, {{"num_ops", kInt64, 4000}, {"tensor_size", 13, 6000}}},
                      {2, kComp, {1}, 0, {{"num_ops", kInt64, 4000}, {"tensor_size", 13, 60}}}}));
  EXPECT_THAT(ops(converted(first).schedule, 0), ElementsAre("calc 4000", "calc 4000"));
  ConvertConfig config = convert_table().defaults();
  config.memory_bandwidth = Bandwidth::gbps(8);
  EXPECT_THAT(ops(convert_files(first, {}, config).schedule, 0),
              ElementsAre("calc 6000", "calc 4000"));
}

// The same from the JSON that Chakra's tool makes: numbers of 64 bits are text.
TEST_F(ChakraFiles, Json) {
  const std::string first = write(
      0,
      "{\n \"version\": \"0.0.4\"\n}{\"id\": \"1\", \"name\": \"c\", \"type\": \"COMP_NODE\", "
      "\"durationMicros\": \"5\"}{\"id\": \"2\", \"name\": \"{s\", \"type\": \"COMM_SEND_NODE\", "
      "\"dataDeps\": [\"1\"], \"attr\": [{\"name\": \"comm_dst\", \"uint32Val\": 0}, {\"name\": "
      "\"comm_size\", \"int64Val\": \"77\"}]}\n{\"id\": \"3\", \"type\": \"COMM_RECV_NODE\", "
      "\"attr\": [{\"name\": \"comm_src\", \"uint32Val\": 0}, {\"name\": \"comm_size\", "
      "\"int64Val\": \"77\"}]}");
  EXPECT_THAT(ops(converted(first).schedule, 0),
              ElementsAre("calc 5000", "send 77 to 0 tag 0", "recv 77 from 0 tag 0"));
}

// JSON's nodes, too, may stand in any order, and what is damaged is told with its byte: a file that
// ends within a node, and what is no object between two nodes.
TEST_F(ChakraFiles, JsonInAnyOrderAndDamaged) {
  const std::string metadata = "{\"version\": \"0.0.4\"}\n";
  const std::string one = "{\"id\": \"1\", \"type\": \"COMP_NODE\", \"durationMicros\": \"5\"}\n";
  const std::string two =
      "{\"id\": \"2\", \"type\": 4, \"dataDeps\": [\"1\"], \"duration_micros\": 7, \"attr\": "
      "[{\"boolVal\": true, \"name\": \"is_cpu_op\"}, {\"name\": \"shapes\", \"int64List\": "
      "{\"values\": [\"1\", \"2\"]}}]}\n";
  const auto in_file = [&](const std::string& text) {
    return ops(converted(write(0, metadata + text)).schedule, 0);
  };
  EXPECT_THAT(in_file(one + two), ElementsAre("calc 5000", "calc 7000"));
  EXPECT_EQ(in_file(two + one), in_file(one + two));
  EXPECT_THAT(error_of([&] { in_file(one + two.substr(0, 40)); }),
              AllOf(HasSubstr("t.0.et"), HasSubstr("the file ends")));
  EXPECT_THAT(error_of([&] { in_file(one + "7" + two); }),
              AllOf(HasSubstr("at byte " + std::to_string(metadata.size() + one.size())),
                    HasSubstr("the object of a node is expected")));
}

// Process groups are listed by a metadata node; groups of their own do not meet others' ranks.
TEST_F(ChakraFiles, ProcessGroups) {
  std::string first;
  for (int r = 0; r < 4; ++r) {
    const std::string groups =
        "[{\"pg_name\": \"7\", \"ranks\": [0, 1]}, {\"pg_name\": \"8\", \"ranks\": [2, 3]}]";
    std::string text = behind_length(bytes_field(1, "0.0.4"));
    text += behind_length(number_field(1, 1) + bytes_field(2, "## process_group:init ##") +
                          number_field(3, 1) + bytes_field(8, bytes_field(1, groups)));
    const auto attribute = [](const std::string& name, const std::string& value) {
      return bytes_field(10, bytes_field(1, name) + value);
    };
    text += behind_length(number_field(1, 2) + number_field(3, kColl) +
                          attribute("comm_type", number_field(kInt64, 0)) +
                          attribute("comm_size", number_field(kInt64, 1000)) +
                          attribute("pg_name", bytes_field(29, r < 2 ? "7" : "8")));
    const std::string path = write(r, text);
    if (r == 0) first = path;
  }
  const Conversion conversion = converted(first);
  EXPECT_THAT(messages(conversion.schedule, 2), testing::Each(HasSubstr(" 3 ")));
  EXPECT_EQ(messages(conversion.schedule, 2).size(), 4U);
  EXPECT_EQ(conversion.report.communicators, 2U);
}

// What is wrong is told with file, byte and what was expected.
TEST_F(ChakraFiles, Mistakes) {
  const auto problem = [&](const std::string& bytes) {
    const std::string path = write(0, bytes);
    return error_of([&] { converted(path); });
  };
  const std::string whole = chakra_file({{1, kComp, {}, 5, {}}, {2, kComp, {1}, 5, {}}});
  EXPECT_EQ(problem(whole), "no error");
  EXPECT_THAT(problem(whole.substr(0, whole.size() - 3)),
              AllOf(HasSubstr("t.0.et"), HasSubstr("at byte"), HasSubstr("are left")));
  EXPECT_THAT(problem(chakra_file({{1, kComp, {2}, 5, {}}, {2, kComp, {1}, 5, {}}})),
              HasSubstr("waits for itself"));
  EXPECT_THAT(problem(chakra_file({{1, kComp, {}, 5, {}}, {1, kComp, {}, 5, {}}})),
              HasSubstr("is there twice"));
  EXPECT_THAT(problem(chakra_file({{1, kSend, {}, 0, {{"comm_dst", kUint32, 9}}}})),
              HasSubstr("names rank 9 of 1"));
  EXPECT_THAT(problem(chakra_file({{1, 9, {}, 0, {}}})), HasSubstr("a node of type 9"));
}

// Members of a group must make the same collectives in the same order.
TEST_F(ChakraFiles, MembersMustAgree) {
  const auto one = [](std::uint64_t bytes) {
    return chakra_file({{1, kColl, {}, 0, {{"comm_size", kInt64, bytes}}}});
  };
  const std::string first = write(0, one(100));
  write(1, one(200));
  EXPECT_THAT(error_of([&] { converted(first); }),
              AllOf(HasSubstr("t.1.et"), HasSubstr("200 bytes"), HasSubstr("has 0 of 100")));
}

// Dependencies that are not there are counted.
TEST_F(ChakraFiles, MissingNodesAreCounted) {
  const Conversion conversion = converted(write(0, chakra_file({{1, kComp, {77}, 5, {}}})));
  EXPECT_EQ(conversion.report.warnings.at("dependencies on nodes that are not in the trace"), 1U);
}

// A schedule written and read again has the same operations, and the same dependencies where none
// waits for a start.
TEST_F(ChakraFiles, WhatIsWrittenIsReadAgain) {
  goal::ScheduleBuilder builder(2, "test");
  builder.begin_rank(0);
  builder.calc(1234567);
  builder.send(100, 1, 7);
  builder.requires_end(1, 0);
  builder.end_rank();
  builder.begin_rank(1);
  builder.recv(100, 0, 7);
  builder.calc(5);
  builder.requires_end(1, 0);
  builder.end_rank();
  const goal::Schedule schedule = builder.finish();
  const std::string first = write(0, chakra_file_of(schedule, 0, Time::ns(1)));
  write(1, chakra_file_of(schedule, 1, Time::ns(1)));
  const Conversion conversion = converted(first);
  for (const std::uint32_t rank : {0U, 1U}) {
    EXPECT_EQ(ops(conversion.schedule, rank), ops(schedule, rank));
  }
  EXPECT_EQ(conversion.schedule.edges(), schedule.edges());
}

// Fields of all kinds, in the order of the bytes: a varint of 300 is ac 02.
TEST(WireFields, AreTakenApart) {
  const std::string bytes = std::string("\x08\xac\x02", 3) + std::string("\x12\x02hi", 4) +
                            std::string("\x1d\x01\0\0\0", 5) +
                            std::string("\x21\x02\0\0\0\0\0\0\0", 9);
  WireFields fields(bytes, "f");
  EXPECT_EQ(fields.next().value, 300U);
  EXPECT_EQ(fields.next().bytes, "hi");
  EXPECT_EQ(fields.next().value, 1U);
  EXPECT_EQ(fields.next().value, 2U);
  EXPECT_TRUE(fields.done());
  const std::string file = "f";
  EXPECT_THAT(error_of([&] { WireFields("\x08", file).next(); }),
              HasSubstr("ends within a number"));
  EXPECT_THAT(error_of([&] { WireFields("\x0b", file).next(); }), HasSubstr("of kind 3"));
  EXPECT_EQ(unzigzagged(3), -2);
}

}  // namespace
}  // namespace heddle::traces
