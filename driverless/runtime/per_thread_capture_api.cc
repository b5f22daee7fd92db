// SPDX-License-Identifier: MIT
#include "driverless/runtime/api.h"
#include "driverless/runtime/copies.h"

namespace compass::hip {

Error hipGraphLaunch_spt(GraphExec executable, Stream stream) {
  return hipGraphLaunch(executable, per_thread(stream));
}

Error hipStreamBeginCapture_spt(Stream stream, StreamCaptureMode mode) {
  return hipStreamBeginCapture(per_thread(stream), mode);
}

Error hipStreamEndCapture_spt(Stream stream, Graph* graph) {
  return hipStreamEndCapture(per_thread(stream), graph);
}

Error hipStreamIsCapturing_spt(Stream stream, StreamCaptureStatus* status) {
  return hipStreamIsCapturing(per_thread(stream), status);
}

Error hipStreamGetCaptureInfo_spt(Stream stream, StreamCaptureStatus* status,
                                  unsigned long long* id) {
  return hipStreamGetCaptureInfo(per_thread(stream), status, id);
}

Error hipStreamGetCaptureInfo_v2_spt(Stream stream, StreamCaptureStatus* status,
                                     unsigned long long* id, Graph* graph,
                                     const GraphNode** dependencies, std::size_t* count) {
  return hipStreamGetCaptureInfo_v2(per_thread(stream), status, id, graph, dependencies,
                                    count);
}

}  // namespace compass::hip
