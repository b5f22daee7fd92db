// SPDX-License-Identifier: MIT
#include "driverless/runtime/graph_template.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>

namespace compass {
namespace {

bool contains(const std::vector<Node*>& nodes, const Node* node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

}  // namespace

GraphTemplate::GraphTemplate(TemplateRegistry& templates, NodeRegistry& nodes, int device_ordinal,
                             const UserReferences& references)
    : user_references(references),
      templates_(templates),
      registry_(nodes),
      handle_(templates.add(this)),
      device_ordinal_(device_ordinal) {}

GraphTemplate::~GraphTemplate() {
  for (const auto& node : nodes_) registry_.remove(node->handle);
  templates_.remove(handle_);
}

Node* GraphTemplate::find(hip::GraphNode handle) const {
  Node** const node = registry_.find(handle);
  return node == nullptr || (*node)->graph != this ? nullptr : *node;
}

Node* GraphTemplate::add(NodeWork work, std::span<const hip::GraphNode> dependencies) {
  std::vector<Node*> found;
  for (const hip::GraphNode handle : dependencies) {
    Node* const dependency = find(handle);
    if (dependency == nullptr || contains(found, dependency)) return nullptr;
    found.push_back(dependency);
  }
  auto node = std::make_unique<Node>();
  node->graph = this;
  node->work = std::move(work);
  node->handle = registry_.add(node.get());
  for (Node* const dependency : found) add_edge(*dependency, *node);
  nodes_.push_back(std::move(node));
  return nodes_.back().get();
}

void GraphTemplate::remove(Node& node) {
  for (Node* const dependency : node.dependencies) std::erase(dependency->dependents, &node);
  for (Node* const dependent : node.dependents) std::erase(dependent->dependencies, &node);
  registry_.remove(node.handle);
  std::erase_if(nodes_, [&](const auto& owned) { return owned.get() == &node; });
}

bool GraphTemplate::add_edge(Node& from, Node& to) {
  if (&from == &to || contains(from.dependents, &to)) return false;
  from.dependents.push_back(&to);
  to.dependencies.push_back(&from);
  return true;
}

bool GraphTemplate::remove_edge(Node& from, Node& to) {
  std::erase(to.dependencies, &from);
  return std::erase(from.dependents, &to) == 1;
}

Node& GraphTemplate::add_copy(const Node& node) {
  Node& copy = *add(node.work, {});
  copy.original = node.handle;
  copy.attributes = node.attributes;
  copy.copy_parameters = node.copy_parameters;
  copy.driver_copy_parameters = node.driver_copy_parameters;
  if (auto* const child = std::get_if<ChildGraph>(&copy.work)) child->graph = child->graph->clone();
  return copy;
}

std::shared_ptr<GraphTemplate> GraphTemplate::clone() const {
  auto clone =
      std::make_shared<GraphTemplate>(templates_, registry_, device_ordinal_, user_references);
  std::unordered_map<const Node*, Node*> copies;
  for (const auto& node : nodes_) copies[node.get()] = &clone->add_copy(*node);
  for (const auto& node : nodes_) {
    for (const Node* const dependency : node->dependencies) {
      add_edge(*copies[dependency], *copies[node.get()]);
    }
  }
  return clone;
}

bool GraphTemplate::has_memory_nodes() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) {
    return std::holds_alternative<MemoryAllocation>(node->work) ||
           std::holds_alternative<MemoryFree>(node->work);
  });
}

std::vector<Node*> GraphTemplate::in_order() const {
  std::unordered_map<const Node*, std::size_t> place;
  std::vector<std::size_t> missing;  // by place: dependencies that are not in the order yet
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> next;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    place[nodes_[i].get()] = i;
    missing.push_back(nodes_[i]->dependencies.size());
    if (missing[i] == 0) next.push(i);
  }
  std::vector<Node*> order;
  while (!next.empty()) {
    order.push_back(nodes_[next.top()].get());
    next.pop();
    for (const Node* const dependent : order.back()->dependents) {
      if (--missing[place[dependent]] == 0) next.push(place[dependent]);
    }
  }
  return order;
}

}  // namespace compass
