// SPDX-License-Identifier: MIT
#include "driverless/runtime/error_texts.h"

#include <gtest/gtest.h>

namespace compass {
namespace {

TEST(ErrorTexts, NamesAndExplainsAnError) {
  EXPECT_STREQ(name_of(hip::kErrorStreamCaptureWrongThread), "hipErrorStreamCaptureWrongThread");
  EXPECT_STREQ(text_of(hip::kErrorInvalidValue), "invalid argument");
  EXPECT_TRUE(is_error(hip::kErrorStreamCaptureWrongThread));
}

TEST(ErrorTexts, GivesOtherNumbersTheWordsOfTheUnknownError) {
  for (const int number : {-1, 10, 909, 12345}) {
    const auto error = static_cast<hip::Error>(number);
    EXPECT_STREQ(name_of(error), "hipErrorUnknown") << number;
    EXPECT_STREQ(text_of(error), "unknown error") << number;
    EXPECT_FALSE(is_error(error)) << number;
  }
  EXPECT_TRUE(is_error(hip::kErrorUnknown));
}

}  // namespace
}  // namespace compass
