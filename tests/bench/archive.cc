// SPDX-License-Identifier: MIT
//
// A recording of a million launches: how long it takes to seal it, how large the archive is, and
// how long it takes to read all of it, a step of it, and what `info` tells.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "ir/archive/reader.h"
#include "ir/archive/seal.h"
#include "ir/base/concat.h"
#include "ir/journal/file.h"
#include "ir/text/document.h"
#include "ir/text/normal_form.h"
#include "ir/text/summary.h"

namespace {

using namespace compass;

constexpr std::uint64_t kFirstAddress = 0x7f00'0000'0000;
constexpr std::uint64_t kBuffers = 128;
constexpr std::uint64_t kBufferBytes = std::uint64_t{1} << 31;  // offsets of four bytes
constexpr std::uint64_t kPointers = 8;
constexpr std::uint64_t kLaunches = 1'000'000;
constexpr std::uint64_t kShapes = 2'000;
constexpr std::uint64_t kLaunchesOfAStep = 600;

void check(bool ok, const std::string& what) {
  if (ok) return;
  std::fprintf(stderr, "archive: %s\n", what.c_str());
  std::exit(1);
}

double seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

Bytes read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  check(!text.empty(), concat("cannot read ", path));
  const ByteView view = as_byte_view(text);
  return {view.begin(), view.end()};
}

/// The `number`-th launch: shapes follow each other, offsets never repeat.
journal::Launch launch(std::uint64_t number) {
  const std::uint64_t shape = number % kShapes;
  journal::Launch launch{1,          0, {static_cast<std::uint32_t>(shape / kBuffers + 1), 1, 1},
                         {64, 1, 1}, 0, Bytes(kPointers * 8 + 4)};
  for (std::uint64_t i = 0; i < kPointers; ++i) {
    const std::uint64_t buffer = (shape + i) % kBuffers;
    const std::uint64_t offset = (number * 2'654'435'761 + i * 4096) % kBufferBytes;
    const std::uint64_t address = kFirstAddress + buffer * 2 * kBufferBytes + offset;
    std::memcpy(launch.kernarg.data() + i * 8, &address, sizeof address);
  }
  return launch;
}

void write_journal(const std::filesystem::path& path, const char* code_object) {
  auto writer = journal::Writer::create(path.c_str());
  check(writer.has_value(), "the journal cannot be made");
  const auto add = [&](journal::Body body) {
    check(writer->append({1, std::move(body)}) != 0, "the journal cannot be written");
  };
  add(journal::Start{7, 1, 0, "bench"});
  add(journal::DeviceSeen{0, "gfx950", "bench", true});
  add(journal::FatBinary{1, read_file(code_object)});
  add(journal::Function{1, 1, "eight_pointers"});
  for (std::uint64_t i = 0; i < kBuffers; ++i) {
    add(journal::Allocate{journal::MemoryKind::kDevice, kFirstAddress + i * 2 * kBufferBytes,
                          kBufferBytes});
  }
  for (std::uint64_t i = 0; i < kLaunches; ++i) {
    if (i % kLaunchesOfAStep == 0) add(journal::BeginStep{"decode"});
    add(launch(i));
    if (i % kLaunchesOfAStep == kLaunchesOfAStep - 1) add(journal::EndStep{});
  }
  add(journal::End{});
  writer->end();
}

std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// The shortest of three.
template <class Work>
double best_seconds(Work work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double start = seconds();
    work();
    best = std::min(best, seconds() - start);
  }
  return best;
}

archive::Archive open(const std::filesystem::path& path) {
  auto archive = archive::Archive::open(path);
  check(archive.has_value(), "the archive cannot be opened");
  return std::move(*archive);
}

void print(const char* name, double value, const char* unit) {
  std::printf("{\"case\": \"%s\", \"%s\": %.3f}\n", name, unit, value);
}

}  // namespace

int main(int argc, char** argv) {
  check(argc == 2, "expected the code object");
  std::string folder = (std::filesystem::temp_directory_path() / "bench_archive.XXXXXX").string();
  check(::mkdtemp(folder.data()) != nullptr, "no folder for temporary files");
  const std::filesystem::path journal = std::filesystem::path(folder) / "a.journal";
  const std::filesystem::path output = std::filesystem::path(folder) / "a.compass";
  write_journal(journal, argv[1]);

  const double start = seconds();
  const auto sealed = archive::seal(std::vector{journal}, output);
  check(sealed.has_value(), sealed ? "" : sealed.error().message);
  check(sealed->complete, sealed->incomplete_cause);
  print("archive_seal", seconds() - start, "seconds");
  print("archive_seal_memory", static_cast<double>(peak_bytes()) / 1e6, "megabytes");
  print("archive_size", static_cast<double>(std::filesystem::file_size(output)) / 1e6, "megabytes");

  print("archive_info", best_seconds([&] {
          const auto outline = open(output).outline({1});
          check(outline && !summary(outline->recording, outline->tally).empty(), "no outline");
        }),
        "seconds");
  print("archive_show_step", best_seconds([&] {
          const text::StepRange step{777, 777};
          const auto recording = open(output).steps({1}, {{step.first}, {step.last}});
          check(recording.has_value(), "no step");
          std::vector<text::Document> documents;
          documents.push_back(text::document_of(*recording, step));
          check(text::apply({step, {}, {}}, documents[0]).has_value(), "no step in it");
          check(text::print(documents).size() > 10'000, "no text");
        }),
        "seconds");
  print("archive_read", best_seconds([&] {
          const auto recording = open(output).recording();
          check(recording && recording->records.size() > kLaunches, "no recording");
        }),
        "seconds");
  std::filesystem::remove_all(folder);
  return 0;
}
