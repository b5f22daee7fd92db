// SPDX-License-Identifier: MIT
// play_results ARCHIVE DECODER: plays an archive, and compares each result that it holds of a copy
// to the host with what the copy brings now. Prints how many are equal, and where the others differ
// first; ends with 0 if there are results and all are equal.
#include <algorithm>
#include <cstdio>

#include "driverless/arch/arch.h"
#include "driverless/backend.h"
#include "driverless/gate/gate.h"
#include "ir/archive/reader.h"
#include "replay/player.h"

namespace {

using namespace compass;

class Comparison : public replay::PlayObserver {
 public:
  explicit Comparison(gate::Gate& gate) : gate_(gate) {}
  void on_node(const Record& record, const Record& node) override { gate_.on_node(record, node); }
  bool wants_results() const override { return true; }
  void on_result(const Record& record, const PlayedResult& result) override {
    const auto& [recorded, played, unknown] = result;
    ++results_;
    if (std::equal(recorded.begin(), recorded.end(), played.begin(), played.end())) return;
    ++different_;
    const auto first = std::mismatch(recorded.begin(), recorded.end(), played.begin()).first;
    std::printf("record %u: byte %d of %u differs\n", static_cast<unsigned>(record.sequence),
                static_cast<int>(first - recorded.begin()), static_cast<unsigned>(recorded.size()));
  }
  int report() const {
    std::printf("%u results, %u differ\n", results_, different_);
    return results_ != 0 && different_ == 0 ? 0 : 1;
  }

 private:
  gate::Gate& gate_;
  unsigned results_ = 0;
  unsigned different_ = 0;
};

Result<int> play(const char* path, const char* decoder) {
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(path));
  ASSIGN_OR_RETURN(const Recording recording, archive.recording());
  gate::Gate gate(recording);
  DriverlessBackend backend(*arch::find("gfx950"), decoder, gate);
  replay::Player player(recording, archive.contents(), backend);
  Comparison comparison(gate);
  if (auto played = player.play(comparison); !played) return std::move(played).error();
  return comparison.report();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto code = play(argv[1], argv[2]);
  if (!code) std::printf("%s\n", code.error().message.c_str());
  return code ? *code : 1;
}
