// SPDX-License-Identifier: MIT

// Objects that graphs keep alive.

#include <gtest/gtest.h>

#include <atomic>

#include "driverless/runtime/two_kernels_program.h"

namespace compass::hip {
namespace {

class UserObjects : public TwoKernelsProgram {
 protected:
  UserObjects() { EXPECT_EQ(hipGraphCreate(&graph_, 0), kSuccess); }
  ~UserObjects() override {
    if (graph_ != nullptr) {
      EXPECT_EQ(hipGraphDestroy(graph_), kSuccess);
    }
  }

  UserObject make(unsigned references) {
    UserObject object = nullptr;
    EXPECT_EQ(
        hipUserObjectCreate(&object, &destroyed_, destroy, references, kUserObjectNoDestructorSync),
        kSuccess);
    return object;
  }
  static void destroy(void* count) { ++*static_cast<std::atomic<int>*>(count); }

  Graph graph_ = nullptr;
  std::atomic<int> destroyed_ = 0;
};

TEST_F(UserObjects, EndWithTheirLastReference) {
  const UserObject object = make(2);
  EXPECT_EQ(hipUserObjectRetain(object, 3), kSuccess);
  EXPECT_EQ(hipUserObjectRelease(object, 4), kSuccess);
  EXPECT_EQ(hipUserObjectRelease(object, 7), kSuccess) << "more than there are";
  EXPECT_EQ(destroyed_, 0);
  EXPECT_EQ(hipUserObjectRelease(object, 1), kSuccess);
  EXPECT_EQ(destroyed_, 1);
  EXPECT_EQ(hipUserObjectRelease(object, 1), kErrorInvalidValue);
}

TEST_F(UserObjects, AreKeptByTemplates) {
  const UserObject object = make(1);
  EXPECT_EQ(hipGraphRetainUserObject(graph_, object, 2, 0), kSuccess);
  EXPECT_EQ(hipUserObjectRelease(object, 1), kSuccess);
  EXPECT_EQ(hipGraphReleaseUserObject(graph_, object, 1), kSuccess);
  EXPECT_EQ(destroyed_, 0);
  EXPECT_EQ(hipGraphDestroy(graph_), kSuccess);
  EXPECT_EQ(destroyed_, 1);
  graph_ = nullptr;
}

TEST_F(UserObjects, MayBeMovedIntoGraphs) {
  const UserObject object = make(1);
  EXPECT_EQ(hipGraphRetainUserObject(graph_, object, 1, kGraphUserObjectMove), kSuccess);
  EXPECT_EQ(hipGraphReleaseUserObject(graph_, object, 1), kSuccess);
  EXPECT_EQ(destroyed_, 1);
}

TEST_F(UserObjects, AreKeptByClonesExecutableGraphsAndLaunches) {
  const UserObject object = make(1);
  EXPECT_EQ(hipGraphRetainUserObject(graph_, object, 1, kGraphUserObjectMove), kSuccess);
  Graph clone = nullptr;
  GraphExec executable = nullptr;
  ASSERT_EQ(hipGraphClone(&clone, graph_), kSuccess);
  EXPECT_EQ(hipGraphDestroy(graph_), kSuccess);
  graph_ = nullptr;
  EXPECT_EQ(destroyed_, 0) << "the clone";
  ASSERT_EQ(hipGraphInstantiate(&executable, clone, nullptr, nullptr, 0), kSuccess);
  EXPECT_EQ(hipGraphDestroy(clone), kSuccess);
  EXPECT_EQ(destroyed_, 0) << "the executable graph";
  std::atomic<bool> goes_on = false;
  const auto wait = [](void* go) {
    while (!*static_cast<std::atomic<bool>*>(go)) {
    }
  };
  ASSERT_EQ(hipLaunchHostFunc(stream_, wait, &goes_on), kSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, stream_), kSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), kSuccess);
  EXPECT_EQ(destroyed_, 0) << "the launch, which has not run";
  goes_on = true;
  ASSERT_EQ(hipStreamSynchronize(stream_), kSuccess);
  EXPECT_EQ(destroyed_, 1);
}

TEST_F(UserObjects, RefuseWrongUse) {
  UserObject object = nullptr;
  EXPECT_EQ(hipUserObjectCreate(nullptr, this, destroy, 1, 1), kErrorInvalidValue);
  EXPECT_EQ(hipUserObjectCreate(&object, this, nullptr, 1, 1), kErrorInvalidValue);
  EXPECT_EQ(hipUserObjectCreate(&object, this, destroy, 0, 1), kErrorInvalidValue);
  EXPECT_EQ(hipUserObjectCreate(&object, this, destroy, 0x8000'0000, 1), kErrorInvalidValue);
  EXPECT_EQ(hipUserObjectCreate(&object, this, destroy, 1, 0), kErrorInvalidValue);
  EXPECT_EQ(hipUserObjectRetain(nullptr, 1), kErrorInvalidValue);
  EXPECT_EQ(hipUserObjectRelease(nullptr, 1), kErrorInvalidValue);
  object = make(1);
  EXPECT_EQ(hipUserObjectRetain(object, 0), kErrorInvalidValue);
  EXPECT_EQ(hipGraphRetainUserObject(nullptr, object, 1, 0), kErrorInvalidValue);
  EXPECT_EQ(hipGraphRetainUserObject(graph_, object, 1, 2), kErrorInvalidValue);
  EXPECT_EQ(hipGraphReleaseUserObject(nullptr, object, 1), kErrorInvalidValue);
  EXPECT_EQ(hipGraphReleaseUserObject(graph_, object, 1), kSuccess) << "it has none";
  EXPECT_EQ(destroyed_, 0);
  EXPECT_EQ(hipUserObjectRelease(object, 1), kSuccess);
}

}  // namespace
}  // namespace compass::hip
