// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "ir/base/concat.h"
#include "ir/text/document.h"

namespace compass::text {
namespace {

const std::string kHead = "compass normal form 3\narchitecture gfx950\ncomplete\n";

/// What is said of a text with these lines outside steps, or the text that they are again.
std::string again(const std::string& lines) {
  const auto documents = parse(concat(kHead, "outside steps\n", lines));
  if (!documents) return documents.error().message;
  const std::string text = print(*documents);
  return text.substr(text.find("outside steps\n") + 14);
}

TEST(Parse, TakesEveryFormOfALine) {
  for (const std::string line :
       {"f<<<1, 64>>>()",
        "f<<<3x2, 64x2x4, 512>>>(x=a, 3, 1e-05, y[+8]=opaque 8 bytes) cooperative",
        "ns::(anonymous namespace)::f<int, g<4>><<<1, 64>>>(null, nowhere, a[+8], b (freed))",
        "\"void f(\\\"a\\\\b)\"<<<1, 64>>>(\"x y\"=\"null\", \"3\"[+4]) failed 9",
        "copy h2d host -> a[+4] 12 B async",
        "copy d2d a -> b 12 B in 3 rows, pitch 8 -> 16",
        "copy d2d a -> b 24 B in 2x3 rows, pitch 8,64 -> 16,128 async failed 1",
        "fill a with 0x00ff 64 B",
        "fill a (freed) with 0x00 64 B in 4 rows, pitch 128",
        "allocate a async",
        "free \"a b\" failed -3",
        "wait_value a[+8] geq 0x00000001 mask 0xff",
        "declare_pool null name=\"a b\" unit=block rows=6 reserved=0,4-5",
        "declare_sentinel a[+4] role=\"x failed 3\" values=-1",
        "sleep level=1 tag=kv",
        "wake",
        "report a 8 B requests=7 ids=-1",
        "allocate_block b",
        "free_block b",
        "host_write a[+8] 64 B",
        "create_event 1 flags=2",
        "synchronize device",
        "phase \"a b\"",
        "host_function",
        "instantiate_graph 1 graph=1 nodes=3 edges=0->1,0->2"}) {
    EXPECT_EQ(again(concat("  ", line, '\n')), concat("  ", line, '\n'));
  }
}

TEST(Parse, TakesBlocksWithWhatTheyAreAPartOf) {
  const std::string text = concat(kHead,
                                  "\nbuffers\n  a device 64 B\n  b device 32 B role=x in a[+8]\n"
                                  "  c device 8 B in b\n\noutside steps\n  allocate_block c\n");
  const auto documents = parse(text);
  ASSERT_TRUE(documents) << documents.error().message;
  const std::string again = print(*documents);
  EXPECT_EQ(again.substr(again.find("buffers")), text.substr(text.find("buffers")));
  EXPECT_EQ(documents->at(0).buffers[2].parent->buffer, "b");
}

TEST(Parse, TakesWhatLaunchesAccessed) {
  const std::string text =
      "  f<<<1, 64>>>(a)\n    reads a; writes \"b c\"[0:4, 8:12 step 16 x 4], d[2:3]\n"
      "  f<<<1, 64>>>(a)\n    accesses nothing\n"
      "  stream 1\n    launch_graph 1 x 2\n      node 0 f writes a\n      node 3 g reads a\n";
  EXPECT_EQ(again(text), text);
}

TEST(Parse, SaysWhatItExpectedAndFound) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"  copy h2x a -> b 4 B",
       "line 5, column 8: expected h2h, h2d, d2h or d2d, found 'h2x a -> b 4 B'"},
      {"  cpoy h2d a -> b 4 B",
       "line 5, column 3: expected a launch, or the kind of a record, found "
       "'cpoy h2d a -> b 4 B'"},
      {"  f<<<1>>>(a)", "line 5, column 8: expected ', ', found '>>>(a)'"},
      {"  f<<<5000000000, 1>>>(a)",
       "line 5, column 7: expected a size up to 4294967295, found '5000000000, 1>>>(a)'"},
      {"  f<<<1, 2>>>(a", "line 5, column 16: expected ', ', found the end of the line"},
      {"  fill a with 0x123 4 B",
       "line 5, column 15: expected a value as 0x and 2, 4, 8 or 16 digits, found '0x123 4 B'"},
      {"  allocate \"a", "line 5, column 12: expected a closing quote, found '\"a'"},
      {"   allocate a",
       "line 5, column 4: expected an even number of spaces up to 64 before, found "
       "'allocate a'"},
      {"  allocate a\tb", "line 5, column 13: expected no control character, found '\tb'"},
      {"  allocate a\n    reads a", "line 6, column 5: expected no deeper line, found 'reads a'"},
      {"  f<<<1, 2>>>(a)\n    reads a[4:4]",
       "line 6, column 16: expected an end behind 4 before this, found ']'"},
      {"  stream 1\n    stream 2",
       "line 6, column 5: expected no stream inside a stream, found 'stream 2'"},
      {"  host_function x 3 x 2",
       "line 5, column 20: expected one count, found the end of the line"},
      {"steps",
       "line 5, column 1: expected a step, in the order of their numbers, or the end of the "
       "text, found 'steps'"},
  };
  for (const auto& [lines, message] : kWrong) EXPECT_EQ(again(concat(lines, '\n')), message);
}

TEST(Parse, WantsStepsInOrderAndFoldedOnesAboveTheirModels) {
  const auto said = [](const std::string& steps) {
    const auto documents = parse(kHead + steps);
    return documents ? std::string("fine") : documents.error().message;
  };
  const std::string first = "step 2 decode real_rows=1 padded_rows=1\n  host_function\n";
  EXPECT_EQ(said(first + "step 3 decode real_rows=1 padded_rows=1, as step 2\n"), "fine");
  // A list may stand right before it.
  EXPECT_EQ(said(first + "step 3 chunk real_rows=1 padded_rows=1 requests=1,2 may_end=0,0, as step "
                         "2\n"),
            "fine");
  EXPECT_EQ(said(first + "step 2 decode real_rows=1 padded_rows=1\n"),
            "line 6, column 1: expected a step behind step 2, found 'step 2 decode real_rows=…'");
  EXPECT_EQ(
      said(first + "step 3 decode real_rows=1 padded_rows=1, as step 1\n"),
      "line 6, column 1: expected 'as step' and a step above, found 'step 3 decode real_rows=…'");
  EXPECT_EQ(said(first + "step 3 decode real_rows=1 padded_rows=1, as step 2 but\n  launch 1 f\n"),
            "line 7, column 10: expected a launch that the step above has, found '1 f'");
}

TEST(Parse, RefusesOtherVersionsAndOtherText) {
  EXPECT_EQ(parse("compass normal form 2\n").error().message,
            "normal form has version 2; this program reads 3");
  EXPECT_EQ(parse("").error().message, "expected 'compass normal form', found the end of the text");
  EXPECT_TRUE(is_normal_form("compass normal form 3\n"));
  EXPECT_FALSE(is_normal_form("SQLite format 3"));
}

TEST(Parse, TakesSeveralProcesses) {
  const std::string text =
      "\nprocess 0 rank 0 serve\narchitecture gfx950\ncomplete\n\noutside steps\n  host_function\n"
      "\nprocess 1 rank 1 \"a b\"\narchitecture gfx950\nincomplete\n";
  const auto documents = parse("compass normal form 3\n" + text);
  ASSERT_TRUE(documents.has_value()) << documents.error().message;
  const std::string printed = print(*documents);
  EXPECT_EQ(printed.substr(printed.find("\nprocess")), text);
}

TEST(Parse, DoesNotUnfoldWithoutEnd) {
  EXPECT_TRUE(
      again("  host_function x 4000000000\n").find("unfolded, the text would have more than") !=
      std::string::npos);
  std::string nested;
  for (int depth = 1; depth <= 20; ++depth) nested += std::string(2 * depth, ' ') + "repeat 1000\n";
  EXPECT_NE(
      again(nested + std::string(42, ' ') + "host_function\n").find("unfolded, the text would"),
      std::string::npos);
}

}  // namespace
}  // namespace compass::text
