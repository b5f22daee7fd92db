// SPDX-License-Identifier: MIT
// play_without_content ARCHIVE DECODER: checks an archive as if the content of its first
// host-to-device copy had not been kept, and prints the report.
#include <cstdio>
#include <variant>

#include "driverless/backend.h"
#include "driverless/gate/gate.h"
#include "driverless/gate/print.h"
#include "ir/archive/reader.h"
#include "replay/player.h"

namespace {

using namespace compass;

void drop_first_content(Recording& recording) {
  for (Record& record : recording.records) {
    auto* copy = std::get_if<Copy>(&record.body);
    if (copy == nullptr || copy->content.empty()) continue;
    copy->content.clear();
    return;
  }
}

Result<std::string> play(const char* path, const char* decoder) {
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(path));
  ASSIGN_OR_RETURN(Recording recording, archive.recording());
  drop_first_content(recording);
  gate::Gate gate(recording);
  DriverlessBackend backend(*arch::find("gfx950"), decoder, gate);
  replay::Player player(recording, archive.contents(), backend);
  replay::PlayObserver nobody;
  if (auto played = player.play(nobody); !played) return std::move(played).error();
  return gate::to_text(gate.report(), {});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto text = play(argv[1], argv[2]);
  std::printf("%s\n", text ? text->c_str() : text.error().message.c_str());
  return text ? 0 : 1;
}
