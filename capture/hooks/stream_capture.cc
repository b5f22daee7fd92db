// SPDX-License-Identifier: MIT
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "capture/hooks/graph_nodes.h"
#include "capture/hooks/observe.h"

/// Begin and end of stream captures.
namespace compass::capture {
namespace {

/// As the runtime says.
std::uint64_t capture_of(std::uint64_t stream) {
  using Ask = int (*)(std::uint64_t, hip::StreamCaptureStatus*, unsigned long long*);
  static const auto ask = reinterpret_cast<Ask>(find_in_runtime("hipStreamGetCaptureInfo"));
  hip::StreamCaptureStatus status = hip::kStreamCaptureStatusNone;
  unsigned long long number = 0;
  if (ask == nullptr || ask(stream, &status, &number) != hip::kSuccess) return 0;
  return status == hip::kStreamCaptureStatusNone ? 0 : number;
}

/// The streams on which captures began that have not ended. Threads: any.
class BegunCaptures {
 public:
  /// `nodes`: how many the graph has that are not the capture's.
  void begin(Recorder& recorder, hip::Stream stream, std::size_t nodes) {
    const std::lock_guard lock(mutex_);
    streams_.emplace(stream, nodes);
    recorder.find_captures_by(&capture_of);
  }
  /// The number that begin() was given.
  std::size_t end(Recorder& recorder, hip::Stream stream) {
    const std::lock_guard lock(mutex_);
    const auto begun = streams_.find(stream);
    if (begun == streams_.end()) return 0;
    const std::size_t nodes = begun->second;
    streams_.erase(begun);
    if (streams_.empty()) recorder.find_captures_by(nullptr);
    return nodes;
  }

 private:
  std::mutex mutex_;
  std::multimap<hip::Stream, std::size_t> streams_;  // each thread's own stream has one handle
};

BegunCaptures& begun() {
  static auto* const captures = new BegunCaptures;
  return *captures;
}

/// None where there is no graph.
std::vector<Graphs::Node> known_nodes(Recorder& recorder, hip::Graph graph) {
  if (graph == nullptr) return {};
  auto nodes = nodes_in(recorder, graph);
  return nodes ? *std::move(nodes) : std::vector<Graphs::Node>();
}

/// Into `graph`, or, where that is null, a new one.
auto begins(hip::Stream stream, hip::StreamCaptureMode mode, hip::Graph graph) {
  return [=](Recorder& recorder) {
    begun().begin(recorder, stream, known_nodes(recorder, graph).size());
    recorder.append(journal::BeginCapture{number_of(stream), static_cast<std::uint32_t>(mode)});
  };
}

/// `others`: how many of the graph's nodes were there before the capture.
void record_end(Recorder& recorder, hip::Stream stream, hip::Graph graph, std::uint64_t capture,
                std::size_t others) {
  const std::vector<Graphs::Node> nodes = known_nodes(recorder, graph);
  if (nodes.size() >= others) {
    recorder.end_capture(capture, number_of(graph), std::span(nodes).subspan(others));
  }
  recorder.append(journal::EndCapture{number_of(stream), number_of(graph)});
}

struct Ended {
  std::uint64_t entry = 0;
  std::uint64_t capture = 0;
};

/// `own` is the stream that the program means by `stream`.
template <auto Hook>
int observe_end(hip::Stream own, hip::Stream stream, hip::Graph* graph) {
  return observe_around<Hook>(
      [own](Recorder&) {
        return Ended{0, capture_of(number_of(own))};
      },
      [=](Recorder& recorder, int result, const Ended& ended) {
        const std::size_t others = begun().end(recorder, own);
        const bool made = result == hip::kSuccess && graph != nullptr;
        if (ended.capture == 0) return;
        record_end(recorder, own, made ? *graph : nullptr, ended.capture, others);
      },
      stream, graph);
}

}  // namespace

}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Graph;
using compass::hip::GraphNode;
using compass::hip::Stream;
using compass::hip::StreamCaptureMode;

int hipStreamBeginCapture(Stream stream, StreamCaptureMode mode) {
  return observe<&::hipStreamBeginCapture>(begins(stream, mode, nullptr), stream, mode);
}

int hipStreamBeginCaptureToGraph(Stream stream, Graph graph, const GraphNode* dependencies,
                                 const void* dependency_data, std::size_t count,
                                 StreamCaptureMode mode) {
  return observe<&::hipStreamBeginCaptureToGraph>(begins(stream, mode, graph), stream, graph,
                                                  dependencies, dependency_data, count, mode);
}

int hipStreamBeginCapture_spt(Stream stream, StreamCaptureMode mode) {
  const Stream own = compass::hip::per_thread(stream);
  return observe<&::hipStreamBeginCapture_spt>(begins(own, mode, nullptr), stream, mode);
}

int hipStreamEndCapture(Stream stream, Graph* graph) {
  return observe_end<&::hipStreamEndCapture>(stream, stream, graph);
}

int hipStreamEndCapture_spt(Stream stream, Graph* graph) {
  return observe_end<&::hipStreamEndCapture_spt>(compass::hip::per_thread(stream), stream, graph);
}
