// SPDX-License-Identifier: MIT
#include "driverless/inspection/inspector.h"

#include "driverless/inspection/confirm.h"
#include "driverless/inspection/followed.h"
#include "driverless/inspection/origin.h"
#include "driverless/inspection/story.h"
#include "driverless/inspection/strays.h"

namespace compass::inspection {

Result<gate::Report> inspect(gate::Gate& gate, const Stage& stage) {
  gate.end();
  const gate::Doubts& doubts = gate.doubts();
  gate::Answers answers;
  ASSIGN_OR_RETURN(answers.undefined, confirm_undefined(stage, doubts.undefined));
  ASSIGN_OR_RETURN(answers.strays, find_strays(stage, doubts.strays));
  ASSIGN_OR_RETURN(answers.nonfinite, find_origins(stage, doubts.nonfinite));
  ASSIGN_OR_RETURN(answers.arguments, find_followed(stage, doubts.faults));
  gate::Report report = gate.report(answers);
  if (auto ok = tell_stories(stage, report.findings); !ok) return std::move(ok).error();
  return report;
}

}  // namespace compass::inspection
