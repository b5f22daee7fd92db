// SPDX-License-Identifier: MIT
// compare_accesses ARCHIVE DECODER: plays an archive that was recorded without a device, and
// compares what each launch reads and writes with what the recording says of it.
#include <cstdio>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "driverless/backend.h"
#include "driverless/machine/access_runs.h"
#include "ir/archive/reader.h"
#include "replay/player.h"

namespace {

using namespace compass;

/// What launches read and write, in the order in which they are played.
class Accesses : public Observer, public replay::PlayObserver {
 public:
  struct Launch {
    std::uint64_t record = 0, node = 0;
    std::map<AllocationId, AllocationAccess> allocations;
    std::string stop_cause;
  };

  void on_record(const Record& record) override { record_ = record.sequence, node_ = 0; }
  void on_node(const Record&, const Record& node) override { node_ = node.sequence; }
  void on_dispatch(std::uint64_t) override { launches_.push_back({record_, node_, {}, {}}); }
  void on_touched(std::uint64_t, AllocationId allocation, const TouchedExtents& touched) override {
    launches_.back().allocations[allocation] = {allocation, runs_of(touched.reads),
                                                runs_of(touched.writes)};
  }
  void on_stopped(std::uint64_t, const std::string& cause) override {
    launches_.back().stop_cause = cause;
  }
  const std::vector<Launch>& launches() const { return launches_; }

 private:
  std::uint64_t record_ = 0, node_ = 0;
  std::vector<Launch> launches_;
};

std::vector<AllocationAccess> in_order(const Accesses::Launch& launch) {
  std::vector<AllocationAccess> all;
  for (const auto& [id, access] : launch.allocations) all.push_back(access);
  return all;
}

/// How many launches were compared; an error names the first that differs.
Result<std::size_t> compare(const Recording& recording, const Accesses& played) {
  std::size_t compared = 0;
  for (const Accesses::Launch& launch : played.launches()) {
    const std::string place = concat("record ", launch.record, ", node ", launch.node);
    if (!launch.stop_cause.empty()) return Error{ErrorCode::kInvalid, place + " stopped"};
    if (compared == recording.launch_accesses.size()) {
      return Error{ErrorCode::kInvalid, concat("nothing was recorded of ", place)};
    }
    const LaunchAccesses& recorded = recording.launch_accesses[compared++];
    const bool same = recorded.record == launch.record && recorded.node == launch.node &&
                      recording.access_summary(recorded.summary).allocations == in_order(launch);
    if (!same) return Error{ErrorCode::kInvalid, place + " differs"};
  }
  if (compared == recording.launch_accesses.size()) return compared;
  return Error{ErrorCode::kInvalid, "more was recorded than played"};
}

Result<std::size_t> run(const char* path, const char* decoder) {
  ASSIGN_OR_RETURN(const archive::Archive archive, archive::Archive::open(path));
  ASSIGN_OR_RETURN(const Recording recording, archive.recording({1}));
  Accesses accesses;
  DriverlessBackend backend(*arch::find("gfx950"), decoder, accesses);
  replay::Player player(recording, archive.contents(), backend);
  if (auto played = player.play(accesses); !played) return std::move(played).error();
  return compare(recording, accesses);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto compared = run(argv[1], argv[2]);
  if (!compared) {
    std::printf("%s\n", compared.error().message.c_str());
    return 1;
  }
  std::printf("%zu launches\n", *compared);
  return 0;
}
