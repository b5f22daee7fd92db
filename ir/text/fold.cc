// SPDX-License-Identifier: MIT
#include "ir/text/fold.h"

#include <algorithm>
#include <map>

namespace compass::text {
namespace {

/// The longest block that is looked for; a model's layer has fewer lines.
constexpr std::size_t kLongestBlock = 64;

/// Folds step by step: what repeats becomes an item of its own, which may repeat again.
class Folder {
 public:
  explicit Folder(const std::vector<std::uint32_t>& symbols) {
    for (const std::uint32_t symbol : symbols) row_.push_back(item_of({1, symbol, {}}));
  }

  std::vector<Folded> fold() {
    for (std::size_t size = 1; size <= kLongestBlock && 2 * size <= row_.size(); ++size) {
      while (fold_blocks(size)) continue;
    }
    return unpacked(row_);
  }

 private:
  using Item = std::uint32_t;
  struct Node {
    std::uint32_t count;
    std::uint32_t symbol;
    std::vector<Item> block;
    friend auto operator<=>(const Node&, const Node&) = default;
  };

  Item item_of(Node node) {
    const auto [known, is_new] = items_.try_emplace(node, static_cast<Item>(nodes_.size()));
    if (is_new) nodes_.push_back(std::move(node));
    return known->second;
  }

  std::uint32_t repeats_at(std::size_t at, std::size_t size) const {
    std::uint32_t count = 1;
    const auto begin = row_.begin() + static_cast<std::ptrdiff_t>(at);
    for (std::size_t next = at + size; next + size <= row_.size(); next += size, ++count) {
      const auto other = row_.begin() + static_cast<std::ptrdiff_t>(next);
      if (!std::equal(other, other + static_cast<std::ptrdiff_t>(size), begin)) break;
    }
    return count;
  }

  /// Whether anything was folded.
  bool fold_blocks(std::size_t size) {
    std::vector<Item> row;
    for (std::size_t at = 0; at < row_.size();) {
      const std::uint32_t count = repeats_at(at, size);
      const auto begin = row_.begin() + static_cast<std::ptrdiff_t>(at);
      if (count == 1) {
        row.push_back(row_[at++]);
        continue;
      }
      row.push_back(item_of({count, 0, {begin, begin + static_cast<std::ptrdiff_t>(size)}}));
      at += count * size;
    }
    const bool has_folded = row.size() != row_.size();
    row_ = std::move(row);
    return has_folded;
  }

  std::vector<Folded> unpacked(const std::vector<Item>& row) const {
    std::vector<Folded> out;
    for (const Item item : row) {
      const Node& node = nodes_[item];
      Folded folded{node.count, node.symbol, unpacked(node.block)};
      const bool is_one = folded.block.size() == 1 && folded.block[0].count == 1;
      if (is_one && folded.block[0].block.empty()) {
        folded.symbol = folded.block[0].symbol;
        folded.block.clear();
      }
      out.push_back(std::move(folded));
    }
    return out;
  }

  std::vector<Item> row_;
  std::vector<Node> nodes_;
  std::map<Node, Item> items_;
};

}  // namespace

std::vector<Folded> fold(const std::vector<std::uint32_t>& symbols) {
  return Folder(symbols).fold();
}

}  // namespace compass::text
