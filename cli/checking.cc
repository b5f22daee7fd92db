// SPDX-License-Identifier: MIT
#include "cli/checking.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "cli/locations.h"
#include "cli/processes.h"
#include "cli/verdict.h"
#include "cli/version.h"
#include "driverless/backend.h"
#include "driverless/inspection/inspector.h"
#include "ir/archive/resolve.h"
#include "replay/recorded_playback.h"

namespace compass::cli {
namespace {

/// Tells the gate of nodes and of calls that failed, and says how far the work is, on a terminal
/// only.
class Progress : public PlayObserver {
 public:
  Progress(std::uint64_t records, gate::Gate& gate) : records_(records), gate_(gate) {}
  ~Progress() override {
    if (shown_ != kNothing) std::fputs("\r\033[K", stderr);
  }

  void on_node(const Record& record, const Record& node) override { gate_.on_node(record, node); }
  void on_failed(const Record& record) override { gate_.on_failed_call(record); }
  void on_record(const Record& record) override {
    gate_.on_record(record);
    const std::uint64_t percent = record.sequence * 100 / records_;
    if (!is_terminal_ || percent == shown_) return;
    shown_ = percent;
    std::fprintf(stderr, "\rchecking: %3u %%", static_cast<unsigned>(percent));
  }

 private:
  static constexpr std::uint64_t kNothing = ~std::uint64_t{0};
  std::uint64_t records_;
  gate::Gate& gate_;
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  std::uint64_t shown_ = kNothing;
};

/// The recording names its architecture as HIP does: "gfx950:sramecc+:xnack-".
std::string processor_of(const Device& device) {
  return device.architecture.substr(0, device.architecture.find(':'));
}

/// Whether it is of a process that only made marks, as a scheduler's: it has no device either.
bool has_only_marks(const Recording& recording) {
  return std::none_of(recording.records.begin(), recording.records.end(), &archive::is_work);
}

gate::ProcessReport report_on(const Recording& recording, gate::Report report,
                              std::string_view architecture) {
  return {recording.process.id.value,
          heading(recording),
          std::move(report),
          {std::string(kVersion), std::string(architecture), recording.program,
           processor_of(recording.device), incomplete_cause(recording)},
          recording.complete};
}

/// Plays everything once.
Result<void> play(const replay::RecordedPlayback& playback, const Recording& recording,
                  const arch::Architecture& architecture, gate::Gate& gate) {
  DriverlessBackend backend(architecture, decoder_path(), gate);
  gate.set_memory(backend.memory());
  Progress progress(recording.records.size(), gate);
  auto played = playback.play(backend, progress, recording.records.size());
  gate.end();
  return played;
}

}  // namespace

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
    return report_on(recording, gate::Gate(recording).report(), asked_architecture);
  }
  const std::string recorded = processor_of(recording.device);
  ASSIGN_OR_RETURN(const arch::Architecture* const architecture,
                   find_architecture(asked_architecture.empty() ? recorded : asked_architecture));
  gate::Gate gate(recording, architecture);
  const replay::RecordedPlayback playback(recording, contents);
  if (auto ok = play(playback, recording, *architecture, gate); !ok) return std::move(ok).error();
  ASSIGN_OR_RETURN(gate::Report report,
                   inspection::inspect(gate, {gate.context(), playback, *architecture,
                                              decoder_path()}));
  return report_on(recording, std::move(report), architecture->name);
}

}  // namespace compass::cli
