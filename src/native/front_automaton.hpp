// The automaton of a frontier: how options can follow each other, whatever pieces they use.
//
// A node is a state before a block of options, as in count_plan.hpp, of a problem without the items
// that are in supply (the pieces). An edge is an option that is taken, or none; what remains of the
// option is its mark: what it takes of the supply, or the option itself if solutions are wanted.
// Every path from the start to the end that takes no more and no less of the supply than is allowed
// is a solution.
//
// Nodes with a demand that no option can meet any more are not made; nodes that do not lead to the
// end are dropped; nodes with equal futures are one.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "count_plan.hpp"
#include "deadline.hpp"

namespace exactile {

using Mark = std::uint32_t;

// Edges in two flat arrays: those of node u are at first[u] to first[u + 1].
struct Edges {
    std::vector<std::uint64_t> first;
    std::vector<std::uint32_t> node;
    std::vector<Mark> mark;

    // The same edges by the nodes that they lead to.
    Edges reversed() const;
    std::uint64_t bytes() const;
};

// A set of states of equal length, numbered in the order in which they came.
class StateSet {
public:
    // The number of a state; `size()` has grown if it is new.
    std::uint32_t find_or_add(const std::uint64_t* state, std::size_t words);
    std::size_t size() const { return size_; }
    const std::uint64_t* at(std::size_t k, std::size_t words) const { return &states_[k * words]; }
    std::uint64_t bytes() const { return 8 * states_.capacity() + 4 * slots_.capacity(); }

private:
    std::vector<std::uint64_t> states_;
    std::vector<std::uint32_t> slots_;  // number + 1, or 0
    std::size_t size_ = 0;
};

class Automaton {
public:
    enum class Status { running, done, too_large };

    // `marks` has one for each option; `nothing` is the mark of taking none. Gives up when it has
    // more than `most_nodes` nodes or needs more than `most_bytes`; if it `predicts`, also as soon
    // as it would have four times as many nodes if later blocks had as many as those so far.
    Automaton(const CountProblem& problem, std::vector<Mark> marks, Mark nothing,
              std::uint64_t most_nodes, std::uint64_t most_bytes, bool predicts = false);

    // Work on until a deadline.
    Status run(Clock::time_point deadline);

    // When it is done. Nodes are numbered by their blocks; the start is the first, the end the
    // last. There are none if no path leads to the end.
    std::uint32_t nodes() const { return static_cast<std::uint32_t>(block_.size()); }
    std::uint32_t block_of(std::uint32_t node) const { return block_[node]; }
    std::uint32_t blocks() const { return static_cast<std::uint32_t>(layers_.size()); }
    const Edges& edges() const { return edges_; }
    std::uint64_t met() const { return met_; }  // nodes that were made, before any were dropped
    std::size_t width() const { return plan_.width; }

private:
    struct Step {  // an edge while nodes are known by their block and their number in it
        std::uint32_t number;
        Mark mark;
        std::uint16_t block;
        bool operator==(const Step&) const = default;
        auto operator<=>(const Step&) const = default;
    };
    struct Layer {
        StateSet states;
        Demands demands;
        Demands::Hints hints;
        std::vector<Step> steps;
        std::vector<std::uint64_t> first{0};  // of the steps of each node
        std::vector<std::uint32_t> merged;    // the number of each state among those that are left
    };

    // `took`: the move of the plan that was taken.
    void arrive(std::size_t block, std::uint64_t* state, Mark mark, std::size_t took);
    void expand(std::size_t number);
    void merge(std::size_t block);
    void number_nodes();
    std::uint64_t bytes() const;
    bool hopeless() const;

    Plan plan_;
    std::vector<Mark> marks_;
    Mark nothing_;
    std::uint64_t most_nodes_, most_bytes_;
    bool predicts_;
    Status status_ = Status::running;
    std::vector<Layer> layers_;  // by block, and one for the end
    std::size_t at_block_ = 0, at_number_ = 0;
    bool merging_ = false;
    std::uint64_t met_ = 0, step_count_ = 0;
    std::vector<std::uint64_t> state_, next_;
    Edges edges_;
    std::vector<std::uint32_t> block_;
};

}  // namespace exactile
