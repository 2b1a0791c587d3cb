// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/application_graph.hpp>

#include <map>

#include <starloom/schema/parse_number.hpp>
#include <starloom/support/nearest.hpp>
#include <starloom/yaml/yaml_data.hpp>

namespace starloom {
namespace {

class GraphReader {
 public:
  GraphReader(const TrafficContext& context, const std::string& name)
      : file_(context.folder, name), nodes_(context.processors.count) {}

  ApplicationGraph read() {
    const YAML::Node root = file_.load();
    const std::string needs = "an application graph has the keys tasks and edges";
    if (!root.IsMap()) {
      add_error(root, needs + ", not " + written(root));
    } else {
      const YamlMembers members = file_.members_of(root, {"tasks", "edges", "mapping"});
      for (const char* key : {"tasks", "edges"})
        if (members.count(key) == 0) add_error(root, std::string("the key ") + key + " is missing: " + needs);
      if (members.count("tasks") != 0) read_tasks(members.at("tasks"));
      if (members.count("edges") != 0) read_edges(members.at("edges"));
      if (members.count("mapping") != 0) read_mapping(members.at("mapping"));
    }
    file_.stop_if_invalid();
    return std::move(graph_);
  }

 private:
  void add_error(const YAML::Node& at, const std::string& text) { file_.add_error(at, text); }

  void read_tasks(const YAML::Node& tasks) {
    std::int64_t count = 0;
    if (tasks.IsSequence()) {
      count = static_cast<std::int64_t>(tasks.size());
    } else {
      const auto number = integer_of(tasks);
      if (!number) return add_error(tasks, "tasks is an integer or a list of names, not " + written(tasks));
      count = *number;
    }
    if (count < 1) return add_error(tasks, "an application has at least 1 task");
    if (count > nodes_)
      add_error(tasks, std::to_string(count) + " tasks do not fit on " + std::to_string(nodes_) +
                           " nodes: a node runs one task");
    task_count_ = count;
    if (tasks.IsSequence()) return read_names(tasks);
    numbered_ = true;
    if (count > nodes_) return;
    tasks_known_ = true;
    for (std::int64_t task = 0; task < count; ++task) add_task(std::to_string(task));
  }

  void read_names(const YAML::Node& names) {
    tasks_known_ = true;
    for (const YAML::Node& name : names) {
      if (!name.IsScalar() || name.Scalar().empty()) {
        add_error(name, "a task is a name, not " + written(name));
        tasks_known_ = false;  // an edge may refer to this task
      } else if (!add_task(name.Scalar())) {
        add_error(name, "the task " + name.Scalar() + " is given twice");
      }
    }
  }

  bool add_task(const std::string& name) {
    if (!task_of_.emplace(name, graph_.tasks.size()).second) return false;
    graph_.tasks.push_back(name);
    return true;
  }

  void read_edges(const YAML::Node& edges) {
    if (!edges.IsSequence()) return add_error(edges, "edges is a list, not " + written(edges));
    for (const YAML::Node& edge : edges) {
      if (!edge.IsMap()) {
        add_error(edge, "an edge is {from, to, bandwidth}, not " + written(edge));
        continue;
      }
      const YamlMembers members = file_.members_of(edge, {"from", "to", "bandwidth"});
      for (const char* key : {"from", "to", "bandwidth"})
        if (members.count(key) == 0) add_error(edge, std::string("the edge lacks the key ") + key);
      const auto from = task_in(members, "from");
      const auto to = task_in(members, "to");
      if (from && to && *from == *to) add_error(edge, "the edge leads from task " + graph_.tasks[*from] + " to itself");
      const auto bandwidth = bandwidth_in(members);
      if (from && to && bandwidth) graph_.edges.push_back({*from, *to, *bandwidth});
    }
  }

  std::optional<std::size_t> task_in(const YamlMembers& members, const std::string& key) {
    if (members.count(key) == 0) return std::nullopt;
    const YAML::Node& node = members.at(key);
    if (!node.IsScalar()) {
      add_error(node, key + " is a task, not " + written(node));
      return std::nullopt;
    }
    const auto task = task_of_.find(node.Scalar());
    if (task != task_of_.end()) return task->second;
    if (!tasks_known_) return std::nullopt;
    add_error(node, node.Scalar() + " is not a task" +
                        (numbered_ ? ": tasks are 0 to " + std::to_string(task_count_ - 1)
                                   : did_you_mean(node.Scalar(), graph_.tasks)));
    return std::nullopt;
  }

  std::optional<double> bandwidth_in(const YamlMembers& members) {
    if (members.count("bandwidth") == 0) return std::nullopt;
    const YAML::Node& node = members.at("bandwidth");
    const auto text = plain(node);
    const auto value = text ? parse_number(*text) : std::nullopt;
    if (!value) add_error(node, "bandwidth is a number in 10^6 bytes/s, not " + written(node));
    else if (*value < 0) add_error(node, "bandwidth " + *text + " is negative");
    return value;
  }

  void read_mapping(const YAML::Node& mapping) {
    if (!mapping.IsSequence())
      return add_error(mapping, "mapping is a list of one node per task, not " + written(mapping));
    if (task_count_ > 0 && static_cast<std::int64_t>(mapping.size()) != task_count_)
      add_error(mapping, "mapping has " + std::to_string(mapping.size()) + " nodes for " + std::to_string(task_count_) +
                             " tasks");
    std::map<NodeId, std::size_t> task_on;
    std::size_t task = 0;
    for (const YAML::Node& entry : mapping) {
      const auto text = plain(entry);
      const auto wrong = text ? node_error(*text, nodes_) : written(entry) + " is not an integer";
      if (wrong) {
        add_error(entry, "mapping of task " + name_of(task) + ": " + *wrong);
      } else {
        const auto node = static_cast<NodeId>(*parse_integer(*text));
        const auto [earlier, is_free] = task_on.emplace(node, task);
        if (!is_free)
          add_error(entry, "task " + name_of(task) + " is mapped to node " + *text + ", which runs task " +
                               name_of(earlier->second) + " already");
        graph_.mapping.push_back(node);
      }
      ++task;
    }
  }

  std::string name_of(std::size_t task) const {
    return task < graph_.tasks.size() ? graph_.tasks[task] : std::to_string(task);
  }

  YamlData file_;
  NodeId nodes_;
  ApplicationGraph graph_;
  std::map<std::string, std::size_t> task_of_;
  std::int64_t task_count_ = 0;  ///< as in the file; 0 while unknown
  bool tasks_known_ = false;     ///< every name that an edge may use is known
  bool numbered_ = false;
};

}  // namespace

ApplicationGraph read_application_graph(const TrafficContext& context, const std::string& name) {
  return GraphReader(context, name).read();
}

}  // namespace starloom
