// Counts the solutions of a cover problem without listing them: a memo on states, layer by layer.
//
// A node is a state before a block of options (see count_plan.hpp). Its edges lead to the states
// after the block: one edge for each option that may be taken, one for taking none. Equal states
// are one node, so solutions share what they have in common; every path from the root to the
// terminal is one solution. If all options of a block are blocked because its anchor is used up,
// the state moves on to the next block without a node of its own.
//
// The layers are worked through in order. Every state carries the number of paths that lead to it,
// so the number of solutions is known at the terminal. States in which some item can never be used
// any more are not made. With `keep` the edges are stored, and
// weigh() then counts, backwards, the solutions below each node. From these follow solutions by
// number (unrank) and how many solutions contain each option (frequencies).
//
// Everything runs in slices. Numbers grow by a limb for all states when one of them overflows.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "count_plan.hpp"
#include "deadline.hpp"
#include "limbs.hpp"
#include "pages.hpp"

namespace exactile {

// The states before one block, with the number of paths to each. In shards, so that no single
// growth takes long.
class Layer {
public:
    static constexpr std::size_t kShards = 64;

    struct Shard {
        std::vector<std::uint64_t> states;  // `words` each
        std::vector<Limb> paths;            // `limbs` each
        std::vector<std::uint32_t> nodes;   // numbers, if edges are kept
        std::vector<std::uint32_t> slots;   // place + 1, or 0
        std::size_t size = 0;
    };

    explicit Layer(Demands demands) : demands_(std::move(demands)) {}

    // The place of a state in its shard; new if it is the last one and the size has grown.
    std::pair<Shard*, std::size_t> find_or_add(const std::uint64_t* state, std::size_t words,
                                               std::size_t limbs);
    bool hopeless(const std::uint64_t* state, const Plan& plan, std::size_t took,
                  std::size_t earlier) {
        return demands_.hopeless(state, plan, took, earlier, hints_);
    }
    void widen(std::size_t limbs);  // from `limbs` to one more
    Shard& shard(std::size_t s) { return shards_[s]; }

private:
    Demands demands_;
    Demands::Hints hints_;
    std::array<Shard, kShards> shards_;
};

class Counter {
public:
    enum class Status { running, done, too_many_states, out_of_memory };

    // `most_states` bounds the number of states, `most_bytes` the memory for them. Without `prune`
    // states live until they are due.
    Counter(const CountProblem& problem, bool keep, std::uint64_t most_states,
            std::uint64_t most_bytes, bool prune);
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;

    // Work on for `seconds` or to the end.
    Status run(double seconds);
    // After run: count below each node; whether that is finished.
    bool weigh(double seconds);
    // After weigh: add up how often each option occurs; whether that is finished.
    bool tally(double seconds);

    // The solution of a number below the total, of limbs() limbs. After weigh.
    std::vector<Index> unrank(const Limb* number) const;

    std::size_t limbs() const { return limbs_; }
    std::vector<Limb> total() const;  // the number of solutions
    const std::vector<Limb>& tallies() const { return tallies_; }
    std::uint64_t states() const { return states_; }
    std::uint64_t edges() const { return edge_count_; }
    std::uint64_t layers() const { return plan_.blocks.empty() ? 0 : plan_.blocks.size() - 1; }
    std::uint64_t layer() const { return block_; }  // which is worked on; layers() at the end
    std::uint64_t width() const { return plan_.width; }

private:
    struct Edge {
        Index option;  // -1: none
        std::uint32_t child;
    };
    struct Node {
        std::uint64_t edges;
        std::uint32_t degree;
    };

    void expand(Layer::Shard& shard, std::size_t place);
    void arrive(std::size_t block, std::uint64_t* state, Index option, std::size_t took);
    void widen();
    void let_go();
    std::uint64_t bytes() const;
    Status over_budget() const;
    void demand(bool ready, const char* what) const;

    Plan plan_;
    bool keep_, prune_;
    std::uint64_t most_states_, most_bytes_;
    Status status_ = Status::running;
    std::size_t limbs_ = 1;
    std::vector<std::unique_ptr<Layer>> open_;       // by block
    std::size_t block_ = 0, shard_ = 0, place_ = 0;  // what is expanded next
    std::uint64_t states_ = 0, open_states_ = 0, edge_count_ = 0;
    std::vector<std::uint64_t> state_, next_;  // the state that is left, and one that is made
    std::vector<Limb> paths_;                  // of the node that is being expanded
    std::vector<Limb> total_;

    Pages<Node> nodes_{1};
    Pages<Edge> edges_{1};
    Pages<std::uint32_t> order_{1};  // nodes in the order of their expansion
    std::uint64_t expanded_ = 0, weighed_ = 0, tallied_ = 0;
    bool weighing_ = false, tallying_ = false;
    Pages<Limb> below_{1}, above_{1};
    std::vector<Limb> tallies_;
};

}  // namespace exactile
