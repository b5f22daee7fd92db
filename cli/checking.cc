// SPDX-License-Identifier: MIT
#include "cli/checking.h"

#include <algorithm>
#include <utility>

#include "cli/locations.h"
#include "cli/processes.h"
#include "cli/progress.h"
#include "cli/verdict.h"
#include "cli/version.h"
#include "driverless/backend.h"
#include "driverless/inspection/inspector.h"
#include "ir/archive/resolve.h"
#include "replay/recorded_playback.h"

namespace compass::cli {
namespace {

/// Tells the gate of nodes and of calls that failed, and says how far the work is.
class Follower : public PlayObserver {
 public:
  Follower(std::uint64_t records, gate::Gate& gate) : progress_("checking", records), gate_(gate) {}

  void on_node(const Record& record, const Record& node) override { gate_.on_node(record, node); }
  void on_failed(const Record& record) override { gate_.on_failed_call(record); }
  void on_record(const Record& record) override {
    gate_.on_record(record);
    progress_.at(record.sequence);
  }

 private:
  Progress progress_;
  gate::Gate& gate_;
};

gate::ProcessReport report_on(const Recording& recording, gate::Report report,
                              std::string_view architecture,
                              std::vector<RanInstruction> instructions) {
  return {recording.process.id.value,
          heading(recording),
          std::move(report),
          {std::string(kVersion), std::string(architecture), recording.program,
           processor_of(recording.device), incomplete_cause(recording), std::move(instructions)},
          recording.complete};
}

/// Plays everything once: the instructions that have run.
Result<std::vector<RanInstruction>> play(const replay::RecordedPlayback& playback,
                                         const Recording& recording,
                                         const arch::Architecture& architecture, gate::Gate& gate) {
  DriverlessBackend backend(architecture, decoder_path(), gate);
  gate.set_memory(backend.memory());
  Follower follower(recording.records.size(), gate);
  auto played = playback.play(backend, follower, recording.records.size());
  gate.end();
  if (!played) return std::move(played).error();
  return backend.instructions_run();
}

}  // namespace

std::string processor_of(const Device& device) {
  return device.architecture.substr(0, device.architecture.find(':'));
}

bool has_only_marks(const Recording& recording) {
  return std::none_of(recording.records.begin(), recording.records.end(), &archive::is_work);
}

Result<const arch::Architecture*> find_architecture(const std::string& name) {
  const arch::Architecture* found = arch::find(name);
  if (found != nullptr) return found;
  return Error{ErrorCode::kInvalid,
               concat("unknown architecture '", name, "': expected ", arch::list_of_names())};
}

Result<gate::ProcessReport> check_recording(const Recording& recording,
                                            const ContentSource& contents,
                                            const std::string& asked_architecture) {
  if (has_only_marks(recording)) {
    return report_on(recording, gate::Gate(recording).report(), asked_architecture, {});
  }
  const std::string recorded = processor_of(recording.device);
  ASSIGN_OR_RETURN(const arch::Architecture* const architecture,
                   find_architecture(asked_architecture.empty() ? recorded : asked_architecture));
  gate::Gate gate(recording, architecture);
  const replay::RecordedPlayback playback(recording, contents);
  ASSIGN_OR_RETURN(std::vector<RanInstruction> instructions,
                   play(playback, recording, *architecture, gate));
  ASSIGN_OR_RETURN(gate::Report report, inspection::inspect(gate, {gate.context(), playback,
                                                                   *architecture, decoder_path()}));
  return report_on(recording, std::move(report), architecture->name, std::move(instructions));
}

}  // namespace compass::cli
